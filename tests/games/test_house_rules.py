"""Rules of a table's own that compute: every point of every game is asked, and answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.core.formula import NUMBER, TEXT, Answer, read, work_out
from chronicle.core.house import NAMES, USUAL, names_of
from chronicle.games import GAMES, rulebook
from chronicle.transcript.reference import game_reference

HERE = Path(__file__).parent


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_names_every_point_with_its_names(game: str) -> None:
    rules = rulebook(game)
    page = game_reference(rules)
    assert rules.points
    for point in rules.points:
        rows = [line for line in page.split("\n") if line.startswith(f"| `{point.name}` |")]
        assert point.doc
        assert any(all(f"`{name}`:" in row for name in point.names) for row in rows)
    assert all(f"`{name}`" in page for name in (*NAMES, USUAL, "may"))


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_a_point_can_be_used(game: str) -> None:
    for point in rulebook(game).points:
        for name, sort in names_of(point).items():
            said = name if sort is point.sort else f"{name} == {name}"
            text = f"{said} and yes" if sort is not NUMBER and point.sort is not NUMBER else said
            if point.sort is NUMBER and sort is not NUMBER:
                text = f"1 if {name} == {name} else 2"
            elif point.sort is not NUMBER and sort is NUMBER:
                text = f"{name} == {name}"
            given: Answer = 1 if sort is NUMBER else "x" if sort is TEXT else True
            values = {name: given}
            assert work_out(read(text, names_of(point), point.sort), values.__getitem__)


@pytest.mark.parametrize("game", GAMES)
def test_a_case_computes_by_every_point_that_the_game_declares_itself(game: str) -> None:
    texts = "\n".join(
        file.read_text(encoding="utf-8")
        for file in (HERE / game.replace("-", "_") / "cases").glob("*.case")
    )
    computed = set(re.findall(r"computes: \{([a-z ]+):", texts))
    own = {point.name for point in rulebook(game).points}
    assert {"may"} <= computed
    # Where a game makes its points out of its questions, each sort of answer is tried.
    assert computed >= own or len(computed) >= 14
