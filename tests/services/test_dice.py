"""What fell on the table, tapped in as it was due, is the roll of the log."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.core.edits import edit
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from tests.services.conftest import AtDesk

Sit = Callable[..., AtDesk]

WITHOUT = ("left-luggage", "the-long-siding", "the-witness-orchard")
"""Where no dice are thrown that are due."""

SESSIONS = Path(__file__).resolve().parents[2] / "sessions"


def _plain(line: list[Any]) -> str:
    return "".join(one if isinstance(one, str) else one["t"] for one in line)


def _fallen(rng: random.Random, due: dict[str, Any]) -> list[str]:
    """Faces of which none earns another."""
    return rng.choices([f for f in due["faces"] if f not in due["chains"]], k=due["amount"] or 1)


@pytest.mark.integration
@pytest.mark.parametrize("name", [folder.name for folder in find_campaigns(SESSIONS)])
@pytest.mark.longer
def test_dice_that_are_due_can_be_tapped_in_at_every_moment(name: str) -> None:
    """Wherever something is due that falls, tapping any faces of it gives an entry that is read, and
    with as many as are due nothing is found about their number."""
    desk = Desk(CampaignRoom(SESSIONS, edit))

    def ask(ask: str, **more: Any) -> Any:
        said = desk.ask({"id": 0, "ask": ask, "campaign": name, **more})
        assert "refused" not in said, said
        return said["answer"]

    rng = random.Random(name)
    tried = 0
    for entry in ask("log")["entries"]:
        if entry["dice"] is None or entry["parent"] or entry["struck"]:
            continue
        where = {"file": entry["file"], "line": entry["line"] - 1}
        table = ask("table", **where)
        due = [one for one in table["due"] if one["faces"]]
        verbs = {one["verb"] for one in due}
        # What is told of the odds before is on the card afterwards, and the other way round.
        if entry["verb"] in verbs:
            before = [_plain(line) for line in table["odds"]]
            assert bool(before) == bool(entry["dice"]["odds"]), (where, before)
            assert all(line in entry["dice"]["odds"] for line in before), (where, before)
        # Of a deck of cards, none falls twice.
        if len(verbs) != 1 or "card" in {one["kind"] for one in due}:
            continue
        dice = [
            {
                "who": one["who"],
                "kind": one["kind"],
                "faces": _fallen(rng, one),
            }
            for one in due
        ]
        within = {one["within"] for one in due}
        told = ask(
            "throw",
            verb=verbs.pop(),
            dice=dice,
            within=within.pop() if len(within) > 1 else "",
            **where,
        )
        errors = [one for one in told["findings"] if one["severity"] == "error"]
        assert not errors, (where, told["entry"], errors)
        tried += 1
    assert tried or name in WITHOUT


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("the-lantern-coast", {"10"}),
        ("snowshed-nine", {"6"}),
        ("the-boathouse", {"o", "+", "-"}),
        ("the-dry-book", {"10", "12"}),
        ("six-names", {"6"}),
        ("gallery-nine", {"10"}),
        # Cards instead of dice.
        ("the-witness-orchard", {"10", "A"}),
    ],
)
def test_what_is_tapped_is_what_the_card_shows(sit: Sit, name: str, figures: set[str]) -> None:
    """Every face stands on the pad as it stands on the card of the throw in the log."""
    at = sit(name)
    where = {"campaign": name}
    shown: set[str] = set()
    for entry in at.ask("log", **where)["entries"]:
        if entry["dice"] is None or entry["parent"] or entry["struck"] or figures <= shown:
            continue
        here = {**where, "file": entry["file"], "line": entry["line"] - 1}
        due = [one for one in at.ask("table", **here)["due"] if one["faces"]]
        verbs = {one["verb"] for one in due}
        if len(verbs) != 1 or len({one["within"] for one in due}) > 1:
            continue
        left = [*sorted(figures - shown)]
        dice = []
        for one in due:
            fit = [face for face in one["faces"] if face not in one["chains"]]
            wanted = [face for face in left if face in one["faces"]] or fit
            first = wanted[: one["amount"] or 1]
            more = [fit[n % len(fit)] for n in range((one["amount"] or 1) - len(first))]
            dice.append({"who": one["who"], "kind": one["kind"], "faces": [*first, *more]})
        told = at.ask("throw", verb=verbs.pop(), dice=dice, **here)
        written = at.ask("write", entry=told["entry"], **here)["entry"]
        card = [one for side in written["dice"]["sides"] for one in side["dice"]]
        fallen = [face for one in dice for face in one["faces"]]
        assert sorted(one["face"].strip("♠♥♦♣") for one in card) == sorted(fallen)
        shown |= {*fallen}
        at.ask("undo", **where)
    assert figures <= shown
