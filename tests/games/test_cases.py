"""Every ``*.case`` file below this folder is replayed; see ``tests/cases.py`` for the format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load, run
from chronicle.core.replay import Replay, play_on
from chronicle.games import GAMES, rulebook
from tests.cases import Case, book_text, check_case, named, standing, whole_text, write_case
from tests.conftest import SOAK
from tests.games.test_proof import cases_of

CASES = [case for game in GAMES for case in named(cases_of(game)).values()]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: Case, tmp_path: Path) -> None:
    record, _ = check_case(case, tmp_path)
    assert all(total == 0 for total in record.ledger.totals().values())


def test_there_are_cases() -> None:
    assert len(CASES) > 50


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_asking_how_things_stand_changes_nothing(game: str, tmp_path: Path) -> None:
    for number, case in enumerate([*named(cases_of(game)).values()][:: 1 if SOAK else 12]):
        folder = write_case(case, tmp_path / str(number))
        replay: Replay[Any] = Replay(load(folder), rulebook(game))
        for _, action in play_on(replay):
            replay.do(action)
            assert [*standing(replay.play)] == [*standing(replay.play)], case.id
        asked, unasked = replay.finish(), run(load(folder))
        assert whole_text(asked) == whole_text(unasked), case.id
        assert book_text(asked) == book_text(unasked), case.id
