"""Evenings that were told as stories first, entry by entry as a keeper meets them."""

from pathlib import Path

import pytest

from chronicle.core.edits import edit
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.syntax.one_line import write_line
from chronicle.syntax.yaml_text import plain_data
from tests.conftest import SOAK
from tests.services.tellings import GAMES, telling


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_an_evening_is_kept_as_it_was_told(game: str, tmp_path: Path) -> None:
    script = telling(game)
    script.found(tmp_path / game)
    desk = Desk(CampaignRoom(tmp_path, edit))

    def ask(ask: str, **fields: object) -> dict[str, object]:
        return desk.ask({"id": 1, "ask": ask, "campaign": game, **fields})

    def errors(entry: str) -> list[object]:
        answer = ask("try", entry=entry)
        if "refused" in answer:
            return [answer["refused"]]
        problems = answer["answer"]["findings"]  # type: ignore[index]
        return [problem for problem in problems if problem["severity"] == "error"]

    for entry, first in script.kept:
        assert not first or errors(first), f"nothing is wrong with {first!r}"
        written = ask("write", entry=entry)["answer"]
        assert written["findings"]["counts"]["error"] == 0, entry  # type: ignore[index]
        # Nobody's name is offered whom the table has not named.
        assert "Mina" not in str(written["table"]["next"])  # type: ignore[index]
    assert len(script.kept) > (60 if game == "universalis" else 30)


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_at_every_word_of_an_evening_the_desk_has_an_answer(game: str, tmp_path: Path) -> None:
    telling(game).write(tmp_path / game)
    desk = Desk(CampaignRoom(tmp_path, edit))
    opened = desk.room.open(game)
    record = opened.workspace.record
    assert record is not None
    place: dict[str, object] = {"file": "01.yaml", "line": 0}
    answered, every = 0, 1 if SOAK else 3
    for step in record.steps:
        if step.parent is None:
            line = write_line(plain_data(step.action.source), record.rulebook.by_verb)
            words = [0, *(at + 1 for at, sign in enumerate(line) if sign == " ")]
            for end in [*words[step.number % every :: every], len(line)]:
                question = {"id": 1, "ask": "fit", "campaign": game, "said": line[:end], **place}
                answer = desk.ask(question)["answer"]
                assert answer["complete"] is not bool(answer["lacks"]) or not line[:end].strip()
                answered += 1
            place = {"file": step.action.path, "line": step.action.whole_place.line}
    assert answered > 60
