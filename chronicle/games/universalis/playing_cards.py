"""Playing cards as logs write them: ``5h``, ``10s``, ``Kd``, ``A``; the suit is optional."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from chronicle.core.figures import is_figure

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("♠", "♥", "♦", "♣")
_SUIT_OF: Mapping[str, str] = {
    "s": "♠",
    "h": "♥",
    "d": "♦",
    "c": "♣",
    **{suit: suit for suit in SUITS},
    "": "",
}
_CARD = r"(?i)(?P<rank>10|[2-9]|[AJQK1])(?P<suit>[shdc♠♥♦♣]?)"


class Card(NamedTuple):
    """A card: its rank, and its suit if the log says it."""

    rank: str
    suit: str = ""

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def number(self) -> int:
        """1 for an Ace, 11 to 13 for face cards."""
        return RANKS.index(self.rank) + 1


def read_card(text: str) -> Card | None:
    """The card that a word means; None if it is none."""
    match = re.fullmatch(_CARD, text.strip())
    if match is None:
        return None
    rank = match["rank"].upper()
    return Card("A" if rank == "1" else rank, _SUIT_OF[match["suit"].casefold()])


def deck_of(*, face_cards: bool) -> list[Card]:
    """All cards of a deck, 52 or 40."""
    ranks = RANKS if face_cards else RANKS[:10]
    return [Card(rank, suit) for rank in ranks for suit in SUITS]


def number_of(face: str) -> int:
    """What a face counts: the number that a die shows, or the number of a card."""
    card = read_card(face)
    return int(face) if is_figure(face) or card is None else card.number
