"""The faces that count and the dice of the threat, by the book or by a house rule."""

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
    """A throw with the faces that count now."""
    if COUNTS.name not in play.adopted_rules.rules_by_point:
        return throw
    return throw._replace(
        green=_with_counts(play, throw.green, GREEN, ask),
        red=_with_counts(play, throw.red, RED, ask),
    )


def _with_counts(
    play: Table, rolled: Rolled | None, colour: Colour, ask: Callable[..., bool]
) -> Rolled | None:
    if rolled is None:
        return None
    for face in rolled.faces:
        ask(play, COUNTS, face in colour.counts, face, colour)
    return rolled._replace(counts=faces_that_count(play, colour))


def lucks(play: Table) -> tuple[Luck, Luck]:
    """The luck of green and red dice, for the odds."""
    green, red = (Luck.of(faces_that_count(play, colour), colour) for colour in (GREEN, RED))
    return green, red


def threat_dice(play: Table, rating: int, ask: Ask = expected) -> list[tuple[str, int]]:
    """I44: where the GM's red dice come from at this moment. They are rolled where ``ask`` is ``answer``."""
    sources = [
        ("Difficulty", rating),
        ("Living Characters", living_count(play)),
        ("Stress", max(0, play.state.stress)),
    ]
    usual = sum(dice for _, dice in sources)
    extra = ask(play, THREAT_DICE, usual, rating) - usual
    return [*sources, ("a rule of the table", extra)] if extra else sources


def threat_total(play: Table, rating: int, ask: Ask = expected) -> int:
    """I44: how many red dice that are."""
    return sum(dice for _, dice in threat_dice(play, rating, ask))
