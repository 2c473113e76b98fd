"""The moment at the desk, in every game."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.core.edits import edit
from chronicle.core.field_types import TEXT, roleless
from chronicle.core.names import Names
from chronicle.games import GAMES, rulebook
from chronicle.services.desk import Desk
from chronicle.services.game_state import state_of_play as moment_of
from chronicle.services.game_state import verbs_mentioned
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.services.usage import Usage
from tests.services.conftest import AtDesk

SESSIONS = Path(__file__).resolve().parents[2] / "sessions"
IN_SIGHT = 6
NAMES = [folder.name for folder in find_campaigns(SESSIONS)]


def _text(spans: list[Any]) -> str:
    return "".join(span if isinstance(span, str) else span["t"] for span in spans)


@pytest.mark.integration
@pytest.mark.parametrize("name", NAMES)
def test_every_moment_says_where_play_is_and_what_may_come(name: str) -> None:
    room = CampaignRoom(SESSIONS, edit)
    desk = Desk(room)
    verbs = room.open(name).workspace.replay.rulebook.by_verb  # type: ignore[union-attr]

    def ask(ask: str, **more: Any) -> Any:
        said = json.loads(json.dumps(desk.ask({"id": 0, "ask": ask, "campaign": name, **more})))
        assert "refused" not in said, said
        return said["answer"]

    players = {one["name"] for one in ask("open")["players"]}
    log = ask("log")["entries"]
    for entry in log[:: max(1, len(log) // 14)]:
        if entry["parent"]:
            continue
        table = ask("table", file=entry["file"], line=entry["line"])
        headline, more = _text(table["headline"]), _text(table["sub"])
        assert headline, entry
        assert headline[0] == headline[0].upper(), headline
        assert len(headline) < 120, headline
        assert not more or more[-1] in ".!?…\"'”", more
        assert headline not in table["crumbs"] or not more
        assert table["turn"] in players | {""}
        assert [one["name"] for one in table["players"] if one["turn"]] == [table["turn"]][
            : bool(table["turn"])
        ]
        legal = {one["verb"] for one in table["next"]}
        assert not legal & {one["verb"] for one in table["not_now"]}
        assert all(one["why"] for one in table["not_now"])
        asked = {one["verb"] for one in table["due"]} | verbs_mentioned(headline, verbs)
        first = [one["verb"] in asked for one in table["next"]]
        assert first == sorted(first, reverse=True)
        for one in table["next"]:
            assert one["line"].startswith(one["verb"])
            main = verbs[one["verb"]].main
            words = (
                main is not None and roleless(main.kind) is TEXT and one["line"].strip() in verbs
            )
            assert one["line"].endswith(" ") == (words or not one["ready"]), one
        for one in table["due"]:
            assert one["verb"] not in {other["verb"] for other in table["not_now"]}, (entry, one)
            assert set(one["hits"]) <= set(one["faces"]) >= set(one["chains"])
        assert all(block["block"] for block in table["panel"])


@pytest.mark.integration
@pytest.mark.parametrize(
    ("name", "least"), [("the-lantern-coast", 0.73), ("the-weather-market", 0.68)]
)
@pytest.mark.slow
def test_what_is_written_next_mostly_stands_in_sight(name: str, least: float) -> None:
    """Of what may come the first few are all that is seen at once; it was 0.69 and 0.65 while one entry alone
    was looked back at, and what is seldom done was not told from what never is."""
    opened = CampaignRoom(SESSIONS, edit).open(name)
    record = opened.workspace.record
    assert record is not None
    own = opened.workspace.replay.rulebook.own_verbs  # type: ignore[union-attr]
    offered = seen = 0
    for step in record.steps:
        if step.parent is None and step.action.verb in own:
            whole = step.action.whole_place
            with opened.workspace.at(whole.path, whole.line - 1) as replay:
                assert replay is not None
                told = moment_of(replay, opened.name_marker_at(replay), panel=False)
            verbs = [*dict.fromkeys(one["verb"] for one in told["next"])]
            offered += step.action.verb in verbs
            seen += step.action.verb in verbs[:IN_SIGHT]
    assert seen / offered >= least


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_has_played_nothing_does_what_its_game_shows(game: str) -> None:
    rules = rulebook(game)
    young, known = (Usage([], Names(()), one) for one in (rules, None))
    shown = rules.new_campaign()["01.yaml"]
    first = next(line for line in shown.split("\n") if line.startswith("- "))
    verb = first[2:].partition(":")[0]
    unseen = [one for one in rules.by_verb if f"- {one}:" not in shown]
    assert young.likelihood(verb) > 2 > max(map(young.likelihood, unseen))
    assert not any(known.likelihood(one) for one in rules.by_verb)


@pytest.mark.integration
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.longer
def test_what_is_ready_to_be_taken_is_in_order(name: str) -> None:
    """A tap on what is offered as whole writes something with which nothing is wrong."""
    desk = Desk(CampaignRoom(SESSIONS, edit))

    def ask(ask: str, **more: Any) -> Any:
        said = desk.ask({"id": 0, "ask": ask, "campaign": name, **more})
        assert "refused" not in said, said
        return said["answer"]

    log = [one for one in ask("log")["entries"] if not one["parent"]]
    for entry in log[:: max(1, len(log) // 6)]:
        where = {"file": entry["file"], "line": entry["line"]}
        table = ask("table", **where)
        for one in table["next"]:
            if one["ready"]:
                told = ask("try", said=one["line"], by=one["by"], **where)
                bad = [f for f in told["findings"] if f["severity"] == "error"]
                assert not bad, (where, one, bad)


def test_what_the_headline_asks_for_comes_first(sit: Callable[..., AtDesk]) -> None:
    at = sit("six-names")
    for entry in at.ask("log", campaign="six-names")["entries"]:
        where = {"campaign": "six-names", "file": entry["file"], "line": entry["line"]}
        table = at.ask("table", **where)
        headline, verbs = _text(table["headline"]), [one["verb"] for one in table["next"]]
        if "may take a reward" in headline:
            assert verbs[0] == "reward"
        if "cut-scene" in headline:
            # A resumption is spoken of where there is an Encounter to go on with.
            assert ("resumption" in headline) == ("resume" in verbs)
            assert set(verbs[:2]) & {"cut scene", "resume"}


def test_a_headline_names_verbs_as_people_say_them() -> None:
    verbs = rulebook("fight-sphere").by_verb
    assert verbs_mentioned("Tam failed: a cut-scene, or a resumption", verbs) == {
        "cut scene",
        "resume",
    }
    assert verbs_mentioned("Ana is on turn in “The roll”", verbs) == set()


@pytest.mark.integration
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.longer
def test_after_its_end_an_evening_is_over(sit: Callable[..., AtDesk], name: str) -> None:
    at = sit(name)
    entries = [one for one in at.ask("log", campaign=name)["entries"] if not one["parent"]]
    over = {"headline": ["The session is over"], "turn": "", "ended": True}
    told, between = 0, list[bool]()
    for before, entry in pairwise(entries):
        if entry["verb"] == "end session":
            there, then = (
                at.ask("table", campaign=name, file=one["file"], line=one["line"])
                for one in (before, entry)
            )
            assert not there["ended"]
            assert over.items() <= then.items()
            assert _text(there["headline"]).rstrip(".") in _text(then["sub"])
            assert ("story is over" in _text(then["sub"])) == (not there["next"])
            # Nobody owes anything until they meet again, and an evening ends once.
            assert not then["due"] and not then["falls"] and not then["odds"]
            assert "end session" not in [one["verb"] for one in then["next"]]
            here = {"campaign": name, "file": entry["file"], "line": entry["line"]}
            (again,) = [
                one
                for one in at.ask("fit", said="end ses", **here)["choices"]
                if one["label"] == "end session"
            ]
            assert not again["eligible"] and "over" in again["why"]
            told += 1
        elif entry["verb"] == "end scene":
            then = at.ask("table", campaign=name, file=entry["file"], line=entry["line"])
            between.append(then["may_end"])
    assert told or all(one["verb"] != "end session" for one in entries)
    assert any(between) or len(between) < 3
    at.ask("write", campaign=name, entry="end session: we were tired")
    assert at.ask("table", campaign=name)["ended"]
    at.ask("write", campaign=name, entry="aside: Who has the kettle?")
    assert at.ask("table", campaign=name)["ended"]
    assert not at.ask("table", campaign=name)["may_end"]
    at.ask("session", campaign=name)
    now = at.ask("table", campaign=name)
    assert not now["ended"] and not now["may_end"]
