"""Every ``*.case`` file below this folder is replayed; see ``tests/cases.py`` for the format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load, run
from chronicle.core.replay import Replay, play_on
from chronicle.games import GAMES, rulebook
from tests.cases import (
    BESIDE,
    HELD,
    PAGES,
    Case,
    check_case,
    digest,
    kept,
    named,
    pages_of,
    standing,
    text_beside,
    text_of_pages,
    whole_text,
    write_case,
)
from tests.conftest import SOAK
from tests.games.test_proof import cases_of, folder_of

CASES = [(name, case) for game in GAMES for name, case in named(cases_of(game)).items()]
KEPT = {game: kept(folder_of(game)) for game in GAMES}


@pytest.mark.parametrize(("name", "case"), CASES, ids=[case.id for _, case in CASES])
def test_case(name: str, case: Case, tmp_path: Path) -> None:
    record, text = check_case(case, tmp_path)
    assert KEPT[record.campaign.game].get(name) == digest(text), (
        f"this case comes to something else: python -m tests.cases '{name}' shows it, here and in a "
        "checkout of before; if it is meant, python -m tests.golden cases/"
    )
    assert all(total == 0 for total in record.ledger.totals().values())


BY_FILE: dict[Path, list[tuple[str, Case]]] = {}
for one in CASES:
    BY_FILE.setdefault(one[1].file, []).append(one)


@pytest.mark.parametrize("file", BY_FILE, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_what_is_one_step_beside_a_case_and_its_pages(file: Path, tmp_path: Path) -> None:
    for name, text in ((BESIDE, text_beside), (PAGES, text_of_pages)):
        held = kept(file.parent, name)
        other = [
            title
            for number, (title, case) in enumerate(BY_FILE[file])
            if held.get(title) != digest(text(case, tmp_path / name / str(number)))
        ]
        assert not other, (
            f"what is in {name} of these cases comes to something else: python -m tests.cases '{other[0]}' "
            "shows it, here and in a checkout of before; if it is meant, python -m tests.golden cases/"
        )


def test_there_are_cases() -> None:
    assert len(CASES) > 50


@pytest.mark.parametrize("game", GAMES)
def test_no_record_is_kept_of_a_case_that_is_gone(game: str) -> None:
    for name in HELD:
        assert set(kept(folder_of(game), name)) == set(named(cases_of(game)))


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_asking_how_things_stand_changes_nothing(game: str, tmp_path: Path) -> None:
    for number, case in enumerate([*named(cases_of(game)).values()][:: 1 if SOAK else 12]):
        folder = write_case(case, tmp_path / str(number))
        replay: Replay[Any] = Replay(load(folder), rulebook(game))
        for _, action in play_on(replay):
            replay.do(action)
            assert standing(replay.play) == standing(replay.play), case.id
        asked, unasked = replay.finish(), run(load(folder))
        assert whole_text(asked) == whole_text(unasked), case.id
        assert pages_of(asked) == pages_of(unasked), case.id
