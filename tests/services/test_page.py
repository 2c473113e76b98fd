"""The desk page as it is shipped: what was built is what a fresh build makes, and nothing is taken along
unnamed."""

import json
import re
from pathlib import Path

import pytest

from tests.services.conftest import REBUILD, not_as_shipped

PARTS = ("desk.js", "editor.js", "chunk.js", "desk.css", "index.html", "icon.svg", "LICENSES.txt")
LARGEST = 592_000
"""Bytes, all files together; 15,000 of them are the words of the catalogue."""


@pytest.fixture(scope="module")
def built(root: Path) -> Path:
    return root / "chronicle" / "site" / "assets" / "desk"


def test_a_fresh_build_is_what_is_shipped(built: Path, tmp_path: Path) -> None:
    assert not_as_shipped("build.mjs", built, tmp_path) == [], REBUILD


def test_the_page_is_small(built: Path) -> None:
    assert {file.name for file in built.iterdir()} == {*PARTS}
    assert sum(file.stat().st_size for file in built.iterdir()) <= LARGEST


def test_every_part_that_is_bundled_has_its_licence(root: Path, built: Path) -> None:
    licences = (built / "LICENSES.txt").read_text(encoding="utf-8")
    package = json.loads((root / "page" / "package.json").read_text(encoding="utf-8"))
    # The library of the search is packed by itself, with its licence beside it.
    del package["dependencies"]["minisearch"]
    for name, version in package["dependencies"].items():
        assert f"{name} {version} (MIT)" in licences
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), f"{name} is not pinned"
    # The terms stand there once, whose each part is with every one of them.
    assert "Permission is hereby granted" in licences
    parts = re.findall(r"^\S+ \d+\.\d+\.\d+ \(.+\)\n(.*)", licences, re.M)
    assert len(parts) >= len(package["dependencies"])
    assert all(whose.startswith("Copyright ") for whose in parts)


def test_the_lock_names_no_place_to_download_from(root: Path) -> None:
    lock = (root / "page" / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock
    assert "://" not in re.sub(r'"funding": \{[^}]*\}|"url": "[^"]*"', "", lock)


def test_the_page_runs_nothing_that_a_strict_policy_forbids(built: Path) -> None:
    page = (built / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|<style|\sstyle=", page)
    for name in ("desk.js", "editor.js", "chunk.js"):
        code = (built / name).read_text(encoding="utf-8")
        assert not re.search(r"\beval\(|new Function\(|\.innerHTML\s*=|document\.write\(", code), (
            name
        )
