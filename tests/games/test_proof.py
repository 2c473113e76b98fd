"""No rule without proof: what the registry of each game claims is backed by its case files."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.games import GAMES, rulebook
from chronicle.testkit.battery import (
    Check,
    GameUnderTest,
    check_proof,
    check_rules,
    read_case_folder,
)
from chronicle.testkit.cases import Case

FOLDER = Path(__file__).parent


def folder_of(game: str) -> Path:
    """The folder with the cases of a game."""
    return FOLDER / game.replace("-", "_") / "cases"


def cases_of(game: str) -> list[Case]:
    """All cases of a game."""
    return read_case_folder(folder_of(game))


@pytest.mark.parametrize("check", [check_rules, check_proof])
@pytest.mark.parametrize("game", GAMES)
def test_rules_are_proved(game: str, check: Check, tmp_path: Path) -> None:
    assert not [*check(GameUnderTest(rulebook(game), cases_of(game)), tmp_path)]
