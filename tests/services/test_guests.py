"""Guests look on, and see what readers of the site would."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.door.guest_files import files_for_guests
from chronicle.games import GAMES, rulebook
from chronicle.services.desk import ENVELOPE_KEYS, GUEST_KEYS_BY_QUESTION, QUESTIONS, Desk
from chronicle.services.open_campaigns import CampaignRoom
from tests.sample import some
from tests.site import canaries

CAMPAIGN = "table"


def every_question(folder: Path, names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Every question that a guest may ask, with every value that could lead to something hidden."""
    files = ["", *sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))]
    values: dict[str, list[Any]] = {
        "campaign": [CAMPAIGN],
        "file": files,
        "line": [0, 1, 7, 12, 20, 40, 10_000],
        "first": [1],
        "last": [1 << 30],
        "name": ["secret", "hidden-1", "nobody", *names],
        "rule": ["T20", "U3.14", "P14", "nothing"],
    }
    for name, keys in GUEST_KEYS_BY_QUESTION.items():
        questions: list[dict[str, Any]] = [{"id": 1, "ask": name}]
        for key in sorted(keys):
            questions = [question | {key: value} for question in questions for value in values[key]]
        yield from questions


@pytest.mark.parametrize("ways", ["clean", "every way"])
@pytest.mark.parametrize("game", some(GAMES, 3))
def test_no_answer_to_a_guest_depends_on_what_is_hidden(
    game: str, ways: str, tmp_path: Path
) -> None:
    cage, rules = canaries.Cage(), rulebook(game)
    entries = [
        entry
        for where, entry in canaries.entries(cage, rules)
        if not entry.startswith("---") and (ways == "every way" or where.endswith(", clean"))
    ]
    folders = [tmp_path / variant / CAMPAIGN for variant in ("one", "other")]
    for folder in folders:
        canaries.campaign(folder, game, "".join(entries))
        if ways == "every way":
            canaries.around(canaries.Cage(), folder)
    canaries.reworded(folders[1])
    assert (folders[0] / "01.yaml").stat().st_size < (folders[1] / "01.yaml").stat().st_size
    guests = [
        Desk(CampaignRoom(folder.parent, edit, files_for_guests), guest=True) for folder in folders
    ]
    records = [guest.room.campaign_for_guest(CAMPAIGN).workspace.record for guest in guests]
    names = [
        named.name
        for record in records
        if record is not None
        for named in record.names.all.values()
    ]
    answered = set()
    for question in every_question(folders[0], names):
        first_answer, second_answer = (json.dumps(guest.ask(question)) for guest in guests)
        # A page keeps drafts under a key that is made of the campaign's folder.
        for guest in guests:
            key = guest.room.draft_storage_key(guest.room.campaign_for_guest(CAMPAIGN))
            first_answer, second_answer = (
                answer.replace(key, "KEY") for answer in (first_answer, second_answer)
            )
        assert first_answer == second_answer, question
        answered |= {question["ask"]} if '"answer"' in first_answer else set()
    assert answered == {*GUEST_KEYS_BY_QUESTION}


def test_a_guest_is_not_told_which_files_the_keeper_has(tmp_path: Path) -> None:
    folder = canaries.campaign(tmp_path / CAMPAIGN, "positive", "- secret: Nobody knows\n")
    guest = Desk(CampaignRoom(tmp_path, edit, files_for_guests), guest=True)
    answer_before = guest.ask({"id": 1, "ask": "open", "campaign": CAMPAIGN})
    (folder / "the-traitor-is-ana").mkdir()
    (folder / "the-traitor-is-ana" / "01.yaml").write_text("session: 9\nlog: []\n")
    (folder / "ana.txt").write_text("session: 9\nlog: []\n")
    assert guest.ask({"id": 1, "ask": "open", "campaign": CAMPAIGN}) == answer_before


def test_a_guest_does_not_see_what_the_keeper_has_not_saved(tmp_path: Path) -> None:
    canaries.campaign(tmp_path / CAMPAIGN, "positive", "")
    room = CampaignRoom(tmp_path, edit, files_for_guests)
    keeper, guest = Desk(room), Desk(room, guest=True)
    text = keeper.ask({"ask": "text", "campaign": CAMPAIGN, "file": "01.yaml"})["answer"]["text"]
    typed = text + "- aside: Not saved yet\n"
    keeper.ask({"ask": "change", "campaign": CAMPAIGN, "file": "01.yaml", "text": typed})
    assert "Not saved yet" not in json.dumps(guest.ask({"ask": "log", "campaign": CAMPAIGN}))


def test_a_guest_supposes_nothing(tmp_path: Path) -> None:
    canaries.campaign(tmp_path / CAMPAIGN, "positive", "")
    guest = Desk(CampaignRoom(tmp_path, edit, files_for_guests), guest=True)
    answer = guest.ask({"ask": "table", "campaign": CAMPAIGN, "branch": ["aside: What if"]})
    assert answer["refused"]["message"] == "guests cannot use 'branch' of 'table'"


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_key_of_a_question_is_one_of_the_protocol(name: str) -> None:
    assert not ENVELOPE_KEYS & {*QUESTIONS[name][1]}


def test_what_guests_may_ask_is_what_questions_take() -> None:
    for name, keys in GUEST_KEYS_BY_QUESTION.items():
        assert keys <= {*QUESTIONS[name][1]}, name


@pytest.mark.parametrize("guest", [False, True])
def test_a_rule_is_answered(tmp_path: Path, guest: bool) -> None:
    canaries.campaign(tmp_path / CAMPAIGN, "positive", "")
    desk = Desk(CampaignRoom(tmp_path, edit, files_for_guests), guest=guest)
    answer = desk.ask({"id": 7, "ask": "rule", "campaign": CAMPAIGN, "rule": "P14"})
    assert (answer["id"], answer["answer"]["id"]) == (7, "P14")


@pytest.mark.parametrize("game", GAMES)
def test_no_canary_is_in_any_answer_that_a_guest_gets(game: str, tmp_path: Path) -> None:
    cage = canaries.Cage()
    rules = rulebook(game)
    every = [entry for _, entry in canaries.entries(cage, rules) if not entry.startswith("---")]
    table = canaries.campaign(tmp_path / "table", game, "".join(every))
    canaries.around(cage, table)
    guest = Desk(CampaignRoom(tmp_path, edit, files_for_guests), guest=True)
    assert cage.stood
    answered = 0
    for name, (_, parameters) in QUESTIONS.items():
        lines = [{"line": line, "file": "01.yaml"} for line in (1, 12, 10_000)]
        for place in lines if "line" in parameters else [{}]:
            question = {"id": 1, "ask": name, **place}
            if "campaign" in parameters:
                question["campaign"] = "table"
            if "rule" in parameters:
                question["rule"] = rules.registry().rules[0].id
            answer = guest.ask(question)
            answer_bytes = json.dumps(answer, ensure_ascii=False).encode()
            assert not cage.found_in(answer_bytes), (name, cage.found_in(answer_bytes))
            assert name in GUEST_KEYS_BY_QUESTION or "refused" in answer, name
            answered += "answer" in answer
    assert answered > 5


def test_a_guest_sees_what_the_keeper_writes(tmp_path: Path) -> None:
    canaries.campaign(tmp_path / "table", "positive", "- secret: Nobody knows\n  id: nobody\n")
    room = CampaignRoom(tmp_path, edit, files_for_guests)
    keeper, guest = Desk(room), Desk(room, guest=True)

    def answers_of(desk: Desk) -> str:
        return json.dumps(desk.ask({"id": 1, "ask": "log", "campaign": "table"})["answer"])

    assert "We laughed" not in answers_of(guest)
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": "aside: We laughed"})
    secret = "secret: I cheated\nid: cheating\ntext: It was me."
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": secret})
    assert "It was me" in answers_of(keeper)
    assert "We laughed" in answers_of(guest)
    assert "It was me" not in answers_of(guest)
    assert "cheat" not in answers_of(guest)
    # What was meant as a secret and is no entry yet is shown to nobody else either.
    slip = "secret: {who: I cheated}"
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": slip})
    assert "who: I cheated" in answers_of(keeper)
    assert "cheat" not in answers_of(guest)
    keeper.ask({"id": 1, "ask": "undo", "campaign": "table"})
    keeper.ask({"id": 1, "ask": "write", "campaign": "table", "entry": "reveal: cheating"})
    assert "I cheated" in answers_of(guest)
