"""A campaign as a page to read: no outcome, and no word of the players, gets lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.game import results_of
from chronicle.core.outcomes import outcomes_of, plain_text
from chronicle.core.record import Record
from chronicle.core.teller import Teller
from chronicle.core.telling import TextRole
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.reading import reading_page

SESSIONS = Path(__file__).resolve().parents[2] / "sessions"
EXAMPLES = sorted(folder.name for folder in SESSIONS.iterdir() if folder.is_dir())


def opened(folder: Path) -> tuple[Record, dict[str, Any]]:
    campaign = OpenCampaign(folder.name, folder, lambda *_: None)
    record = campaign.workspace.record
    assert record is not None
    return record, reading_page(record, campaign.name_marker())


def text_of(spans: list[Any]) -> str:
    return "".join(span if isinstance(span, str) else span["t"] for span in spans)


def lines(page: dict[str, Any]) -> Iterator[str]:
    """Every line of the page, in order."""
    for session in page["sessions"]:
        yield from session["recap"]
        for part in session["parts"]:
            if "title" in part:
                yield part["title"]
                continue
            yield text_of(part["head"])
            yield part["story"]
            for spans in (*part["result"], *part["effects"]):
                yield text_of(spans)
        yield from session["closing"]


def words(text: str) -> set[str]:
    return {*"".join(sign if sign.isalnum() else " " for sign in text.casefold()).split()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_has_every_outcome_and_every_text_of_the_players(name: str) -> None:
    record, page = opened(SESSIONS / name)
    shown = [words(line) for line in lines(page)]
    page_text = " ".join(" ".join(line.split()) for line in lines(page))
    teller = Teller(record)
    results = outcomes_of(record, results_of(record), 1, len(record.steps))
    for outcome in results:
        step = record.step(outcome.step_number)
        if not (step.hidden or step.retracted_by):
            sentence = plain_text(outcome.sentence)
            # A sentence of the game may say the same in other words: then all of them are in one place.
            assert any(words(sentence) <= line for line in shown) or words(sentence) <= words(
                page_text
            ), sentence
    for step in record.steps:
        if step.retracted_by or step.action.quiet:
            continue
        for piece in teller.pieces_of(step):
            if piece.role in (TextRole.SENTENCE, TextRole.PROSE, TextRole.SPOKEN):
                piece_text = " ".join(piece.text.split())
                assert piece_text.casefold() in page_text.casefold(), (step.number, piece_text)


MILL = """\
session: 1
recap: A mill took more than its grain [glove].
about: {Odile Varga: Odile keeps the mill}

log:
- pass: [Mara, Jonas, Pim]
- bid: {Mara: 0, Jonas: 5, Pim: 0}
- scene: The wheel that will not stop
  at: {place: salt mill, traits: turns by itself}
- introduce: {character: miller, name: Odile Varga}
- end turn:
- end turn:
- complication: The mill eats the miller
  by: Mara
  source: salt mill
  target: Odile Varga
"""


def test_the_page_names_a_complication_and_shows_what_the_keepers_told(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: universalis\ntitle: The salt mill\nplayers: [Mara, Jonas, Pim]\n", encoding="utf-8"
    )
    (tmp_path / "01.yaml").write_text(MILL.replace(" [glove]", ""), encoding="utf-8")
    _, page = opened(tmp_path)
    page_lines = [*lines(page)]
    assert page_lines[0] == "A mill took more than its grain."
    assert any("Odile keeps the mill" in line for line in page_lines)
    assert any("The mill eats the miller" in line for line in page_lines)
    # Bookkeeping is no story.
    assert not any("ends the turn" in line or "passes" in line for line in page_lines)


FERRY = """\
session: 1

log:
- scenario: The ferry
  threat: the fog has no shore
- character: Hanne Voss
  profession: ferry pilot
  by: Ute
"""


def test_the_page_has_the_scenario_and_the_characters(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: isolation\ntitle: The ferry\nplayers: [Ute, Karim, Lin]\nroles: {GM: Lin}\n",
        encoding="utf-8",
    )
    (tmp_path / "01.yaml").write_text(FERRY, encoding="utf-8")
    _, page = opened(tmp_path)
    page_text = " ".join(lines(page))
    for sentence in ("The scenario: The ferry", "The fog has no shore", "Hanne Voss, ferry pilot"):
        assert sentence in page_text
    assert "played by Ute" in page_text


def test_the_page_names_who_won_and_what_was_disputed() -> None:
    _, page = opened(SESSIONS / "the-boathouse")
    page_text = " ".join(lines(page))
    assert "Iben calls Tomas" in page_text
    assert "At Easter they had already parted" in page_text
    assert "One bed, the whole of Easter" in page_text
    assert "Iben is believed, against Tomas" in page_text
