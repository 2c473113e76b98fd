"""The desk writes the keepers' words into the head of a session, with the digests of their entries."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.core.keepers import find_references, read_keepers_texts
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from tests.golden import ROOT

MILL = ROOT / "tests" / "fixtures" / "keepers"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    shutil.copytree(MILL, tmp_path / "mill")
    return Desk(CampaignRoom(tmp_path, edit))


def tell(desk: Desk, texts: dict[str, Any], file: str = "02.yaml") -> dict[str, Any]:
    question = {"campaign": "mill", "file": file, "title": "The rope", "date": "", "told": texts}
    answer: dict[str, Any] = desk.ask({"id": 1, "ask": "evening", **question})
    return answer


def test_a_session_is_told_with_the_numbers_that_the_desk_shows(desk: Desk, tmp_path: Path) -> None:
    record = desk.room.open("mill").workspace.record
    assert record is not None
    walks = next(step for step in record.steps if step.action.id == "walks")
    unnamed = next(step for step in record.steps if step.anchor == "s2-event-old-tam-says-who-cut")
    recap = f"Ida walks. [{walks.number}]\n\nOld Tam: he said it. [{unnamed.number}] [sic it]"
    texts = {"recap": recap, "about": {"Ida": "Ida: walks.", "Old Tam": ""}, "end": {}}
    assert "answer" in tell(desk, texts)
    text = (tmp_path / "mill" / "02.yaml").read_text(encoding="utf-8")
    marks = [(reference.id, len(reference.digest)) for reference in find_references(text)]
    assert marks[:2] == [("walks", 4), ("s2-event-old-tam-says-who-cut", 4)]
    assert 'about:\n  Ida: "Ida: walks."\n' in text
    assert "\nend:" not in text
    assert "Old Tam stopped the wheel himself" not in text
    record_now = desk.room.open("mill").workspace.record
    assert record_now is not None
    assert [
        diagnostic.code
        for diagnostic in record_now.diagnostics
        if diagnostic.code in ("T89", "T90")
    ] == []
    words = read_keepers_texts(record_now)
    assert words.recaps[2][0].step_numbers == (walks.number, unnamed.number)


def test_what_is_left_out_stays_as_it_stands(desk: Desk, tmp_path: Path) -> None:
    text_before = (tmp_path / "mill" / "02.yaml").read_text(encoding="utf-8")
    assert "answer" in tell(desk, {"end": {"Ida": "Ida is far away."}})
    text_after = (tmp_path / "mill" / "02.yaml").read_text(encoding="utf-8")
    assert text_after == text_before.replace(
        "Ida is on the road to the town. [walks]", "Ida is far away."
    )


def test_the_log_gives_what_was_told(desk: Desk) -> None:
    answer = desk.ask({"id": 1, "ask": "log", "campaign": "mill"})
    first, second = (session["told"] for session in answer["answer"]["sessions"])
    assert first["recap"].startswith("**Ida** came to the mill")
    assert second["about"] == {"Old Tam": "Old Tam stopped the wheel himself."}
    assert second["end"] == {"Ida": "Ida is on the road to the town. [walks]"}
