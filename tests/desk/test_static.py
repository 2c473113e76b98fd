"""What runs beside the desk page on a static site: what was built is what a fresh build makes."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def built(root: Path) -> Path:
    return root / "chronicle" / "site" / "assets" / "device"


def test_a_fresh_build_is_what_is_shipped(root: Path, built: Path, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (root / "page" / "node_modules").is_dir():
        pytest.skip("the page's build tools are not here (make desk fetches them)")
    subprocess.run([node, str(root / "page" / "device.mjs"), str(tmp_path)], check=True)
    differing = [
        name
        for name in sorted({file.name for folder in (tmp_path, built) for file in folder.iterdir()})
        if not (tmp_path / name).is_file()
        or not (built / name).is_file()
        or (tmp_path / name).read_bytes() != (built / name).read_bytes()
    ]
    assert differing == [], "run 'make desk' and commit what it builds"


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
