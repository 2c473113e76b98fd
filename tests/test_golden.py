"""The golden files say what the code says, and every game has one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.games import GAMES
from tests.golden import BROKEN, ROOT, golden_files

FILES = list(golden_files())


@pytest.mark.parametrize(
    ("path", "make"), FILES, ids=[path.as_posix().rpartition("tests/")[2] for path, _ in FILES]
)
def test_golden(path: Path, make: Callable[[], str]) -> None:
    assert path.exists(), "python -m tests.golden makes it"
    assert make() == path.read_text(encoding="utf-8"), (
        "python -m tests.golden renews it; review the diff"
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_an_example_and_a_broken_one(game: str) -> None:
    examples = {load(folder).game for folder in find_campaigns(ROOT / "sessions")}
    broken = {load(folder).game for folder in find_campaigns(BROKEN)}
    assert game in examples
    assert game in broken
