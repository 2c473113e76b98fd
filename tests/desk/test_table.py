"""The moment at the desk, in every game."""

import json
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.core.declare import TEXT, bare
from chronicle.core.edits import edit
from chronicle.desk.ask import Desk
from chronicle.desk.room import Room

SESSIONS = Path(__file__).resolve().parents[2] / "sessions"
NAMES = [folder.name for folder in find_campaigns(SESSIONS)]


def _text(spans: list[Any]) -> str:
    return "".join(one if isinstance(one, str) else one["t"] for one in spans)


@pytest.mark.parametrize("name", NAMES)
def test_every_moment_says_where_play_is_and_what_may_come(name: str) -> None:
    room = Room(SESSIONS, edit)
    desk = Desk(room)
    verbs = room.open(name).resident.replay.rulebook.by_verb  # type: ignore[union-attr]

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
        for one in table["next"]:
            assert one["line"].startswith(one["verb"])
            main = verbs[one["verb"]].main
            words = main is not None and bare(main.kind) is TEXT and one["line"].strip() in verbs
            assert one["line"].endswith(" ") == (words or not one["ready"]), one
        for one in table["due"]:
            assert one["verb"] not in {other["verb"] for other in table["not_now"]}, (entry, one)
            assert set(one["hits"]) <= set(one["faces"]) >= set(one["chains"])
        assert all(block["block"] for block in table["panel"])


@pytest.mark.integration
@pytest.mark.parametrize("name", NAMES)
def test_what_is_ready_to_be_taken_is_in_order(name: str) -> None:
    """A tap on what is offered as whole writes something with which nothing is wrong."""
    desk = Desk(Room(SESSIONS, edit))

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
