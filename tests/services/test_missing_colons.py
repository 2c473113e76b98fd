"""A name and its value that are typed without the colon between them are understood, or one tap away."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.core.record import Step
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.syntax.one_line import write_line
from chronicle.syntax.yaml_text import plain_data
from chronicle.workspace import Workspace
from tests.conftest import ROOT
from tests.services.conftest import AtDesk
from tests.services.test_chips import Sitting

EXAMPLES = ("the-boathouse", "snowshed-nine", "six-names", "the-lantern-coast")
MOST_LINES = 8
"""How many lines of an example are tried."""


@pytest.fixture
def spies(tmp_path: Path) -> Callable[..., Any]:
    """A campaign of Slow Burn with three spies."""
    desk = AtDesk(tmp_path)
    players = ["Ada", "Ben", "Cal"]
    home = desk.ask("new", game="slow-burn", title="Spies", players=players, runner="Hugo")["id"]
    for player, spy in zip(players, ("Wren", "Heron", "Magpie"), strict=True):
        line = f"spy {spy}, by: {player}, speciality: {spy} flies"
        desk.ask("write", campaign=home, said=line)
    return lambda question, said, by="", **more: desk.ask(
        question, campaign=home, said=said, by=by, **more
    )


def _line_with_one_colon(step: Step, verbs: Any) -> str:
    """The line of an entry, if nothing but one colon follows its verb and no comma; else nothing."""
    data = {key: value for key, value in plain_data(step.action.source).items() if key != "text"}
    line = write_line(data, verbs) if step.parent is None else ""
    return line if line.count(": ") == 1 and "," not in line else ""


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_line_of_an_example_needs_no_colon(name: str) -> None:
    desk = Desk(CampaignRoom(ROOT / "sessions", edit))
    record = Workspace(ROOT / "sessions" / name).record
    assert record is not None
    tried, offered = Counter[str](), Counter[str]()
    for step in record.steps:
        line = _line_with_one_colon(step, record.rulebook.by_verb)
        verb = step.action.verb
        if not line or verb in ("roll", "assert") or tried[verb] or tried.total() == MOST_LINES:
            continue
        place = step.action.whole_place
        where = {"campaign": name, "file": Path(place.path).name, "line": place.line - 1}
        ask = {"id": 1, "ask": "fit", "said": line.replace(": ", " ", 1), **where}
        fit = desk.ask(ask)["answer"]
        whole = desk.ask({**ask, "said": line})["answer"]
        choices = [choice["line"] for choice in fit["choices"]]
        tried[verb] += 1
        offered[verb] += fit["yaml"] == whole["yaml"] or line in choices
    assert tried.total() > 0
    assert offered == tried


def test_an_only_meaning_is_shown_and_written(spies: Callable[..., Any]) -> None:
    line = "contacts Zora the tailor, by: Cal"
    fit = spies("fit", line)
    assert (fit["complete"], fit["lacks"], fit["findings"]) == (True, [], [])
    assert fit["yaml"] == "- contacts: {Heron: {Zora: the tailor}}\n  by: Cal"
    assert fit["rows"]
    assert spies("fit", "say I am here", "Ben")["yaml"] == '- say: "Heron: I am here"'
    answer = spies("write", line, whole=True)
    assert answer["findings"]["counts"]["error"] == 0


def test_of_several_meanings_each_is_one_tap_away(spies: Callable[..., Any]) -> None:
    fit = spies("fit", "say I am here")
    assert [choice["line"] for choice in fit["choices"] if choice["kind"] == "new"] == [
        f"say {spy}: I am here" for spy in ("Wren", "Heron", "Magpie")
    ]
    assert fit["title"] == "Which of these do you mean?"
    assert not fit["complete"]


@pytest.mark.parametrize("line", ["say Wr", "contacts Her", "contacts Wren"])
def test_a_name_that_is_being_typed_is_no_value_yet(spies: Callable[..., Any], line: str) -> None:
    fit = spies("fit", line)
    assert fit["ghost"]
    assert not fit["complete"]
    assert not [choice for choice in fit["choices"] if choice["kind"] == "new"]


def test_nobody_speaks_who_is_no_person(spies: Callable[..., Any]) -> None:
    speakers = [choice["label"] for choice in spies("fit", "say ")["choices"]]
    assert speakers == ["Wren", "Heron", "Magpie"]


def test_a_name_that_says_who_acts_needs_no_key_beside_it() -> None:
    boathouse = Sitting("the-boathouse", "01.yaml", "- back: {Ana: Iben, Dov: Iben")
    assert boathouse.fit("back Iben, by: Ana")["yaml"] == "- back: {Ana: Iben}"


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        ("back GM 3", ["back Marta: GM: 3", "back Jun: GM: 3"]),
        ("back GM: 3", ["back Marta: GM: 3", "back Jun: GM: 3"]),
        ("back Wren 3, by: Jun", ["back Jun: Wren Castellan: 3"]),
        ("back Jun GM 3", ["back Jun: GM: 3"]),
    ],
)
def test_a_name_with_a_pair_needs_no_colon_either(line: str, readings: list[str]) -> None:
    table = Sitting("six-names", "02.yaml", "- back: {Jun: {GM: 3}")
    fit = table.fit(line)
    if len(readings) == 1:
        assert fit["yaml"].split("\n")[0] == table.fit(readings[0])["yaml"]
    else:
        assert [one["line"] for one in fit["choices"] if one["kind"] == "new"] == readings


def test_a_name_alone_is_told_with_a_line_that_works(spies: Callable[..., Any]) -> None:
    (lack,) = spies("fit", "contacts Zora", "Cal")["lacks"]
    assert lack["hints"] == ["write it as in `contacts Heron: Zora: hears confessions`"]
    assert lack["unsaid"] == lack["hints"][0]
    assert spies("fit", "contacts Heron: Zora: hears confessions", "Cal")["complete"]
    (lack,) = spies("fit", "contacts Heron", "Cal")["lacks"]
    assert lack["hints"] == ["write it as in `contacts Heron: Nuno: getaways`"]
