"""Which faces of a throw count, and how many dice the threat has: by the book, or by a rule of the table's own."""

from __future__ import annotations

from collections.abc import Callable

from chronicle.core.house_rules import answer, expected
from chronicle.games.isolation.computed import COUNTS
from chronicle.games.isolation.computed import THREAT as THREAT_DICE
from chronicle.games.isolation.dice import GREEN, RED, Colour, Rolled, Throw
from chronicle.games.isolation.odds import Luck
from chronicle.games.isolation.table import Table, living_count

Ask = Callable[..., int]


def faces_that_count(play: Table, colour: Colour) -> frozenset[int]:
    """The faces of dice of a colour that count now."""
    usual = colour.counts
    return frozenset(
        face for face in range(1, 7) if expected(play, COUNTS, face in usual, face, colour)
    )


def as_counted(play: Table, throw: Throw, ask: Callable[..., bool] = answer) -> Throw:
    """A throw with what counts in it as it falls."""
    if COUNTS.name not in play.house.by_point:
        return throw
    return throw._replace(
        green=_seen(play, throw.green, GREEN, ask), red=_seen(play, throw.red, RED, ask)
    )


def _seen(
    play: Table, rolled: Rolled | None, colour: Colour, ask: Callable[..., bool]
) -> Rolled | None:
    if rolled is None:
        return None
    for face in rolled.faces:
        ask(play, COUNTS, face in colour.counts, face, colour)
    return rolled._replace(counts=faces_that_count(play, colour))


def lucks(play: Table) -> tuple[Luck, Luck]:
    """How green and red dice count, for the odds."""
    green, red = (Luck.of(faces_that_count(play, colour), colour) for colour in (GREEN, RED))
    return green, red


def threat_dice(play: Table, rating: int, ask: Ask = expected) -> list[tuple[str, int]]:
    """I44: where the GM's red dice come from at this moment. They are rolled where ``ask`` is ``answer``."""
    found = [
        ("Difficulty", rating),
        ("Living Characters", living_count(play)),
        ("Stress", max(0, play.state.stress)),
    ]
    usual = sum(dice for _, dice in found)
    more = ask(play, THREAT_DICE, usual, rating) - usual
    return [*found, ("a rule of the table", more)] if more else found


def threat_total(play: Table, rating: int, ask: Ask = expected) -> int:
    """I44: how many red dice that are."""
    return sum(dice for _, dice in threat_dice(play, rating, ask))
