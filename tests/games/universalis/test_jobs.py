"""Paid jobs (UA.4) whose items are files: texts in ``journal/`` and pictures in ``art/``."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run, view_of
from chronicle.core.record import Record
from chronicle.games.universalis.addons.contracts import Payroll

SETTINGS = """game: universalis
title: Work
players: [Ana, Bao, Cleo]
strictness: meticulous
preparation: skipped
add ons: [{jobs: {contracts: {
  illustrator: {player: Cleo, pays: 2, per: item},
  journal writer: {player: Bao, pays: 3, per: item}}}}]
"""
OPENING = """session: 1
log:
- bid: {Ana: 2, Bao: 0, Cleo: 0}
- scene: The ford
  at: {new: ford}
  with: [{character: ranger, name: Ida}]
- event: Ida wades in
"""
JOURNAL = {
    "ida-counts": "---\ntitle: Ida counts\nauthor: Bao\nvoice: Ida\nsession: 1\n---\n\nNine.\n",
    "ana-writes": "---\ntitle: Ana writes\nauthor: Ana\nsession: 1\n---\n\nWell.\n",
    "nobodys": "---\ntitle: Found\n---\n\nLoose.\n",
    "later": "---\ntitle: Later\nauthor: Bao\nsession: 7\n---\n\nLater.\n",
}
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>\n'
CAPTION = "title: The ford\nalt: A ford.\nartist: Cleo, in ink\nlicence: CC BY 4.0\nsession: 1\n"


def campaign(folder: Path, log: str) -> Record:
    """A campaign whose ranger stands in a ford, with texts and a picture beside the log."""
    (folder / "journal").mkdir(parents=True)
    (folder / "art").mkdir()
    (folder / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
    (folder / "01.yaml").write_text(OPENING + log, encoding="utf-8")
    for slug, text in JOURNAL.items():
        (folder / "journal" / f"{slug}.md").write_text(text, encoding="utf-8")
    (folder / "art" / "The_Ford.svg").write_text(PICTURE, encoding="utf-8")
    (folder / "art" / "The_Ford.yaml").write_text(CAPTION, encoding="utf-8")
    return run(load(folder))


@pytest.mark.parametrize(
    "name", ["ida-counts", "Ida-Counts", "journal/ida-counts.md", "ida-counts.md"]
)
def test_a_text_is_found_by_its_file_and_paid(name: str, tmp_path: Path) -> None:
    record = campaign(tmp_path, f"- deliver: {name}\n  earns: 3\n")
    assert not record.diagnostics
    assert record.ledger.balance("wealth:Bao", "Coin") == 28
    assert record.steps[-1].player == "Bao"
    payment = record.ledger.postings[-1]
    assert (payment.source, payment.rule) == ("bank", "UA.4")


@pytest.mark.parametrize("name", ["The_Ford", "the_ford.svg", "art/The_Ford.svg"])
def test_a_picture_is_found_by_its_file_and_paid(name: str, tmp_path: Path) -> None:
    record = campaign(tmp_path, f"- deliver: {name}\n")
    assert not record.diagnostics
    assert record.ledger.balance("wealth:Cleo", "Coin") == 27


def test_several_at_once(tmp_path: Path) -> None:
    record = campaign(tmp_path, "- deliver: [ida-counts, The_Ford]\n")
    assert not record.diagnostics
    assert record.ledger.balance("wealth:Bao", "Coin") == 28
    assert record.ledger.balance("wealth:Cleo", "Coin") == 27


@pytest.mark.parametrize(
    ("entries", "words", "paid"),
    [
        ("- deliver: [ida-counts, ida-counts]\n", "'Ida counts' was paid for already", 6),
        ("- deliver: ana-writes\n", "'Ana writes' is by Ana", 3),
        ("- deliver: ida-count\n  for: journal writer\n", "did you mean 'ida-counts'", 3),
        (
            "- deliver: The_Ford\n  for: journal writer\n",
            "Bao is paid as journal writer for what lies in journal/",
            3,
        ),
        ("- deliver: nobodys\n", "'Found' does not say whose it is", 3),
        ("- deliver: later\n", "'Later' is of session 7, and it is paid in session 1", 3),
        ("- deliver: ida-counts\n  by: Cleo\n", "no contract in force pays Cleo", 0),
    ],
)
def test_what_is_not_owed(entries: str, words: str, paid: int, tmp_path: Path) -> None:
    record = campaign(tmp_path, entries)
    assert [d.code for d in record.diagnostics] == ["UA.4"] * len(record.diagnostics)
    assert any(words in d.message for d in record.diagnostics)
    assert record.ledger.balance("wealth:Bao", "Coin") == 25 + paid


def test_a_delivery_that_a_challenge_strikes_can_be_made_again(tmp_path: Path) -> None:
    strike = "- challenge: Ana\n  wants: something livelier\n  agreed: he writes it again\n"
    record = campaign(tmp_path, f"- deliver: ida-counts\n{strike}- deliver: ida-counts\n")
    assert not record.diagnostics
    assert record.ledger.balance("wealth:Bao", "Coin") == 28


def test_readers_see_what_was_paid(tmp_path: Path) -> None:
    record = campaign(tmp_path, "- deliver: [ida-counts, The_Ford]\n")
    view = view_of(record)
    roll = record.state.memory[Payroll]
    assert sum(p.coins for c in roll.contracts for p in c.payments) == 5
    assert {shelf for shelf, _ in view.payments} == {"journal", "art"}
    assert any(page.slug == "jobs" for page in view.pages)
