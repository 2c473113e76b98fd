"""Every ``*.case`` file below this folder is replayed; see ``chronicle/testkit/cases.py`` for the format."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.games import GAMES, rulebook
from chronicle.testkit.battery import GameUnderTest, check_asking
from chronicle.testkit.cases import Case, check_case, named
from tests.conftest import SOAK
from tests.games.test_proof import cases_of
from tests.sample import some

CASES = [case for game in GAMES for case in named(cases_of(game)).values()]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case, tmp_path: Path) -> None:
    record = check_case(case, tmp_path)
    assert all(total == 0 for total in record.ledger.totals().values())


def test_there_are_cases() -> None:
    assert len(CASES) > 50


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", some(GAMES, 3))
def test_asking_how_things_stand_changes_nothing(game: str, tmp_path: Path) -> None:
    cases = cases_of(game)[:: 1 if SOAK else 12]
    assert not [*check_asking(GameUnderTest(rulebook(game), cases), tmp_path)]
