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
    return "".join(span if isinstance(span, str) else span["t"] for span in line)


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

    def ask(ask: str, **fields: Any) -> Any:
        answer = desk.ask({"id": 0, "ask": ask, "campaign": name, **fields})
        assert "refused" not in answer, answer
        return answer["answer"]

    rng = random.Random(name)
    tried = 0
    for entry in ask("log")["entries"]:
        if entry["dice"] is None or entry["parent"] or entry["struck"]:
            continue
        where = {"file": entry["file"], "line": entry["line"] - 1}
        table = ask("table", **where)
        due = [obligation for obligation in table["due"] if obligation["faces"]]
        verbs = {obligation["verb"] for obligation in due}
        # What is told of the odds before is on the card afterwards, and the other way round.
        if entry["verb"] in verbs:
            odds_before = [_plain(line) for line in table["odds"]]
            assert bool(odds_before) == bool(entry["dice"]["odds"]), (where, odds_before)
            assert all(line in entry["dice"]["odds"] for line in odds_before), (where, odds_before)
        # Of a deck of cards, none falls twice.
        if len(verbs) != 1 or "card" in {obligation["kind"] for obligation in due}:
            continue
        dice = [
            {
                "who": obligation["who"],
                "kind": obligation["kind"],
                "faces": _fallen(rng, obligation),
            }
            for obligation in due
        ]
        within = {obligation["within"] for obligation in due}
        desk_answer = ask(
            "throw",
            verb=verbs.pop(),
            dice=dice,
            within=within.pop() if len(within) > 1 else "",
            **where,
        )
        errors = [problem for problem in desk_answer["findings"] if problem["severity"] == "error"]
        assert not errors, (where, desk_answer["entry"], errors)
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
        place = {**where, "file": entry["file"], "line": entry["line"] - 1}
        due = [obligation for obligation in at.ask("table", **place)["due"] if obligation["faces"]]
        verbs = {obligation["verb"] for obligation in due}
        if len(verbs) != 1 or len({obligation["within"] for obligation in due}) > 1:
            continue
        faces_left = [*sorted(figures - shown)]
        dice = []
        for obligation in due:
            fit = [face for face in obligation["faces"] if face not in obligation["chains"]]
            candidates = [face for face in faces_left if face in obligation["faces"]] or fit
            first = candidates[: obligation["amount"] or 1]
            further_faces = [
                fit[n % len(fit)] for n in range((obligation["amount"] or 1) - len(first))
            ]
            dice.append(
                {
                    "who": obligation["who"],
                    "kind": obligation["kind"],
                    "faces": [*first, *further_faces],
                }
            )
        answer = at.ask("throw", verb=verbs.pop(), dice=dice, **place)
        written = at.ask("write", entry=answer["entry"], **place)["entry"]
        card = [die for side in written["dice"]["sides"] for die in side["dice"]]
        fallen = [face for throw in dice for face in throw["faces"]]
        assert sorted(die["face"].strip("♠♥♦♣") for die in card) == sorted(fallen)
        shown |= {*fallen}
        at.ask("undo", **where)
    assert figures <= shown
