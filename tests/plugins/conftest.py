"""What tests of plug-in games share."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.testkit import GameUnderTest, game_under_test
from tests.plugins.installing import FERRYMEN, Change, forget


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Change]:
    """The game of the ferrymen with another text in one of its files, for the test kit."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    package = tmp_path / "ferrymen"
    shutil.copytree(FERRYMEN, package, ignore=shutil.ignore_patterns("__pycache__"))

    def change(file: str, old: str, new: str) -> GameUnderTest:
        path = package / "chronicle_ferrymen" / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        return game_under_test(package)

    yield change
    forget()
