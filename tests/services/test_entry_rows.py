"""Entries as rows of the log: a sentence, what it does not tell, and labelled changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chronicle.services.log import log_data
from chronicle.services.open_campaigns import OpenCampaign

SALT_ROAD = """\
session: 1

log:
- tenet: A salt town
- pass: [Nora, Piet, Sam]
- bid: {Nora: 3, Piet: 5, Sam: 2}
- scene: The bell yard
  at: {place: bell yard, traits: one bell is cracked}
- introduce: {character: bell warden, name: Ilse Kroon, traits: hears the sea}
- event: The bell rings
- end turn:
- introduce: {character: salt clerk, name: Joost Brandt}
- end turn:
- end turn:
- complication: {bell yard: Joost Brandt}
- buy: 2
  for: the rope is rotten
"""


def rows(folder: Path) -> list[dict[str, Any]]:
    (folder / "campaign.yaml").write_text(
        "game: universalis\ntitle: The salt road\nplayers: [Nora, Piet, Sam]\n", encoding="utf-8"
    )
    (folder / "01.yaml").write_text(SALT_ROAD, encoding="utf-8")
    entries = log_data(OpenCampaign("salt", folder, lambda *_: None), 1, 99)["entries"]
    return [entry["row"] for entry in entries]


def text_of(spans: list[Any]) -> str:
    return "".join(span if isinstance(span, str) else span["t"] for span in spans)


def test_a_row_tells_the_words_of_its_entry_and_its_changes(tmp_path: Path) -> None:
    tenet, *facts, buy = rows(tmp_path)
    assert text_of(tenet["sentence"]) == "Nora: A Tenet: A salt town"
    (paid,) = tenet["changes"]
    assert (text_of(paid["who"]), paid["before"], paid["after"]) == ("Nora", "25", "24")
    assert (paid["unit"], paid["label"]) == ("Coins", "")
    # What the sentence or the changes show is not told once more.
    assert buy["also"] == tenet["also"] == []
    assert {(change["before"], change["after"], change["unit"]) for change in buy["changes"]} == {
        ("0", "2", "dice"),
        ("19", "17", "Coins"),
    }
    assert "Bids: Nora 3, Piet 5, Sam 2." in [f"{text_of(row['sentence'])}." for row in facts]
    ends = [row for row in facts if text_of(row["sentence"]).endswith("ends the turn")]
    assert [text_of(row["now"]) for row in ends] == ["Sam", "Nora", "Piet"]
