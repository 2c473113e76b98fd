"""What cards come to: the averages of the book (X35), and where the cards of a deck are."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from chronicle.campaigns import load, run
from chronicle.core.record import Record
from chronicle.games.universalis.addons.card_decks import TRAITS, Cards, Deck
from chronicle.games.universalis.playing_cards import deck_of, read_card
from chronicle.testkit.random_play import write_campaign

SETTINGS = """game: universalis
title: Cards
players: [Ana, Bao]
preparation: skipped
add ons: [{add_on}]
"""
SCENE = [
    "- bid: {Ana: 6, Bao: 0}",
    "- scene: The mint\n  at: {new: mint}\n  with: [{character: gambler, traits: [lucky]}, "
    "{character: clerk, traits: [deaf]}]",
    "- event: The lamps are lit",
    "- take over: clerk\n  by: Bao",
    "- complication: {gambler: clerk}",
    "- draw: {gambler: lucky}",
]


def played(add_on: str, lines: list[str], folder: Path) -> Record:
    """A campaign of one evening under an add-on."""
    return run(load(write_campaign(folder, SETTINGS.format(add_on=add_on), [lines])))


def decks(record: Record) -> dict[str, Deck]:
    """The decks as they are at the end."""
    cards = record.state.memory[Cards]
    assert isinstance(cards, Cards)
    return cards.decks


def odds(record: Record) -> str:
    """The odds of the last throw."""
    return [str(step.contest.odds) for step in record.steps if step.contest is not None][-1]


def test_half_of_a_deck_without_face_cards_succeeds() -> None:
    for face_cards, share in ((False, Fraction(1, 2)), (True, Fraction(5, 13))):
        deck = deck_of(face_cards=face_cards)
        assert len(set(deck)) == len(deck)
        assert Fraction(sum(card.number <= 5 for card in deck), len(deck)) == share


def test_odds_are_those_of_the_deck(tmp_path: Path) -> None:
    roll = [*SCENE, "- roll: {Ana: 2h, Bao: []}"]
    assert "wins 50.0 %" in odds(played("cards as coins", roll, tmp_path / "a"))
    stack = "{cards instead of dice: {wealth: stack}}"
    assert "wins 38.5 %" in odds(played(stack, roll, tmp_path / "b"))
    assert odds(played("cards instead of dice", roll, tmp_path / "c")) == ""


def test_no_card_is_lost(tmp_path: Path) -> None:
    """Every card is to be drawn, held, in a Pool or on the discards; what is held are the Coins."""
    lines = [*SCENE, "- buy: 2\n  for: a ledger", "- end turn: Ana", "- draw: {clerk: deaf}"]
    open_pools = decks(played("cards instead of dice", lines, tmp_path / "a"))
    assert (open_pools["Ana"].out, open_pools[TRAITS].out) == (25 - 6, 2)
    entries = [
        *lines,
        "- roll: {Ana: [Ah, 9s, 4d], Bao: Kd}",
        "- keep: 5\n  by: Ana",
        "- keep: 1\n  by: Bao",
    ]
    record = played("cards instead of dice", entries, tmp_path / "b")
    piles = decks(record)
    for player in ("Ana", "Bao"):
        assert piles[player].out == record.ledger.balance(f"wealth:{player}", "Coin")
    assert (piles[TRAITS].out, piles[TRAITS].discards) == (0, 2)


def test_cards_are_read_as_people_write_them() -> None:
    spellings = {"5h": "5♥", "10S": "10♠", "k": "K", "A♦": "A♦", "1c": "A♣"}
    assert {text: str(read_card(text)) for text in spellings} == spellings
    assert read_card("11h") is None
    assert read_card("Z") is None
