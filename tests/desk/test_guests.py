"""Guests look on, and see what readers of the site would."""

import json
from pathlib import Path

import pytest

from chronicle.core.edits import edit
from chronicle.desk.ask import FOR_GUESTS, QUESTIONS, Desk
from chronicle.desk.room import Room
from chronicle.door.lending import lent
from chronicle.games import GAMES, rulebook
from tests.site import canaries


@pytest.mark.parametrize("game", GAMES)
def test_no_canary_is_in_any_answer_that_a_guest_gets(game: str, tmp_path: Path) -> None:
    cage = canaries.Cage()
    rules = rulebook(game)
    every = [entry for _, entry in canaries.entries(cage, rules) if not entry.startswith("---")]
    table = canaries.campaign(tmp_path / "table", game, "".join(every))
    canaries.around(cage, table)
    guest = Desk(Room(tmp_path, edit, lent), guest=True)
    assert cage.stood
    answered = 0
    for name, (_, wanted) in QUESTIONS.items():
        lines = [{"line": line, "file": "01.yaml"} for line in (1, 12, 10_000)]
        for more in lines if "line" in wanted else [{}]:
            question = {"id": 1, "ask": name, **more}
            if "campaign" in wanted:
                question["campaign"] = "table"
            if "id" in wanted:
                question["id"] = rules.registry().rules[0].id
            said = guest.ask(question)
            told = json.dumps(said, ensure_ascii=False).encode()
            assert not cage.found_in(told), (name, cage.found_in(told))
            assert name in FOR_GUESTS or "refused" in said, name
            answered += "answer" in said
    assert answered > 5


def test_a_guest_sees_what_the_keeper_writes(tmp_path: Path) -> None:
    canaries.campaign(tmp_path / "table", "positive", "- secret: Nobody knows\n  id: nobody\n")
    room = Room(tmp_path, edit, lent)
    keeper, guest = Desk(room), Desk(room, guest=True)

    def seen(desk: Desk) -> str:
        return json.dumps(desk.ask({"id": 1, "ask": "log", "campaign": "table"})["answer"])

    assert "We laughed" not in seen(guest)
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": "aside: We laughed"})
    secret = "secret: I cheated\nid: cheating\ntext: It was me."
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": secret})
    assert "It was me" in seen(keeper)
    assert "We laughed" in seen(guest)
    assert "It was me" not in seen(guest)
    assert "cheat" not in seen(guest)
    # What was meant as a secret and is no entry yet is shown to nobody else either.
    slip = "secret: {who: I cheated}"
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": slip})
    assert "who: I cheated" in seen(keeper)
    assert "cheat" not in seen(guest)
    keeper.ask({"id": 1, "ask": "undo", "campaign": "table"})
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": "reveal: cheating"})
    assert "I cheated" in seen(guest)
