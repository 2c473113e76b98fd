"""Rules of a table's own that compute: every point of every game is asked, and answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.formula import NUMBER, TEXT, Answer, evaluate_formula
from chronicle.core.formula_text import parse_formula
from chronicle.core.house_rules import COMMON_NAMES, HIGHEST_ANSWER, USUAL, types_of_names
from chronicle.games import GAMES, rulebook
from chronicle.syntax.reference import game_reference
from chronicle.testkit.random_play import RandomTable, write_campaign

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_names_every_point_with_its_names(game: str) -> None:
    rules = rulebook(game)
    page = game_reference(rules)
    for point in rules.points:
        rows = [line for line in page.split("\n") if line.startswith(f"| `{point.name}` |")]
        assert point.doc
        assert any(all(f"`{name}`:" in row for name in point.names) for row in rows)
    assert all(f"`{name}`" in page for name in (*COMMON_NAMES, USUAL, "may"))


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_a_point_can_be_used(game: str) -> None:
    for point in rulebook(game).points:
        for name, sort in types_of_names(point).items():
            expression = name if sort is point.value_type else f"{name} == {name}"
            text = (
                f"{expression} and yes"
                if sort is not NUMBER and point.value_type is not NUMBER
                else expression
            )
            if point.value_type is NUMBER and sort is not NUMBER:
                text = f"1 if {name} == {name} else 2"
            elif point.value_type is not NUMBER and sort is NUMBER:
                text = f"{name} == {name}"
            answer: Answer = 1 if sort is NUMBER else "x" if sort is TEXT else True
            values = {name: answer}
            assert evaluate_formula(
                parse_formula(text, types_of_names(point), point.value_type), values.__getitem__
            )


@pytest.mark.parametrize("game", GAMES)
def test_a_case_computes_by_every_point_that_the_game_declares_itself(game: str) -> None:
    texts = "\n".join(
        file.read_text(encoding="utf-8")
        for file in (FOLDER / game.replace("-", "_") / "cases").glob("*.case")
    )
    computed = set(re.findall(r"computes: \{([a-z ]+):", texts))
    own = {point.name for point in rulebook(game).points}
    assert {"may"} <= computed or not own
    # Where a game makes its points out of its questions, each sort of answer is tried.
    assert computed >= own or len(computed) >= 14


@pytest.mark.parametrize("game", GAMES)
def test_no_answer_is_told_once_wherever_a_point_is_asked(game: str, tmp_path: Path) -> None:
    """A formula beyond what its point can be, for every point with a figure: also before the first entry."""
    points = [point.name for point in rulebook(game).points if point.value_type is NUMBER]
    computes = ", ".join(f"{name}: {HIGHEST_ANSWER * HIGHEST_ANSWER}" for name in points)
    rule = f"house rules: {{beyond: {{rule: Far too much, computes: {{{computes}}}}}}}\n"
    settings = rulebook(game).new_campaign()["campaign.yaml"] + rule
    table = RandomTable(load(write_campaign(tmp_path, settings, [[]])), rulebook(game), 1)
    for _ in range(120):
        if not table.step():
            break
    messages = [
        diagnostic.message
        for diagnostic in table.replay.finish().diagnostics
        if diagnostic.code == "T84"
    ]
    assert messages or not points
    assert len(messages) == len(set(messages))


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_that_holds_always_is_told_which_ids_the_game_has(game: str, tmp_path: Path) -> None:
    rule = "\nhouse rules: {soft: {rule: less, always: yes}}\n"
    settings = rulebook(game).new_campaign()["campaign.yaml"] + rule
    record = run(load(write_campaign(tmp_path, settings, [["- tell: They sit down"]])))
    diagnostics = [each for each in record.diagnostics if each.code == "T52"]
    assert len(diagnostics) == 1
    assert f"touches: [{rulebook(game).registry().rules[0].id}]" in diagnostics[0].help[0]
