"""A hole in a record accuses nobody (:mod:`tests.holes`)."""

from __future__ import annotations

import pytest

from chronicle.games import GAMES
from tests.conftest import ROOT
from tests.holes import EVERY, accusations, examples_of

STILL = ROOT / "tests" / "games" / "after_a_hole.txt"


def _still() -> dict[str, int]:
    """How many accusations of a game are left, by the file that says which."""
    rows = (line.split("|") for line in STILL.read_text("utf-8").splitlines())
    return {row[0].strip(): int(row[1]) for row in rows if len(row) == 3}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_missing_entry_accuses_nobody(game: str) -> None:
    folders = examples_of(game)
    assert folders
    lines = [str(accusation) for folder in folders for accusation in accusations(folder, EVERY)]
    assert len(lines) <= _still().get(game, 0), "\n".join(lines)
