"""What runs beside the desk page on a static site: what was built is what a fresh build makes."""

import json
import re
from pathlib import Path

import pytest

from tests.services.conftest import REBUILD, not_as_shipped


@pytest.fixture(scope="module")
def built(root: Path) -> Path:
    return root / "chronicle" / "site" / "assets" / "device"


def test_a_fresh_build_is_what_is_shipped(built: Path, tmp_path: Path) -> None:
    assert not_as_shipped("device.mjs", built, tmp_path) == [], REBUILD


def test_nobody_else_is_asked_for_anything(built: Path) -> None:
    for name in ("worker.js", "sw.js"):
        code = (built / name).read_text(encoding="utf-8")
        assert not re.search(r"https?:|\beval\(|new Function\(|importScripts", code), name


def test_it_can_be_put_on_a_home_screen(built: Path) -> None:
    manifest = json.loads((built / "app.webmanifest").read_text(encoding="utf-8"))
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "./"
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        assert (built / icon["src"]).is_file() or icon["src"] == "icon.svg"
