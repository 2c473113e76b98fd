"""Which faces of a throw count: even greens and odd reds, or what a rule of the table's own says."""

from __future__ import annotations

from chronicle.core.house import answer, expected
from chronicle.games.isolation.computed import COUNTS
from chronicle.games.isolation.dice import GREEN, RED, Colour, Luck, Rolled, Throw
from chronicle.games.isolation.table import Table


def faces_that_count(play: Table, colour: Colour) -> frozenset[int]:
    """The faces of dice of a colour that count now."""
    usual = colour.counts
    return frozenset(
        face for face in range(1, 7) if expected(play, COUNTS, face in usual, face, colour)
    )


def as_counted(play: Table, throw: Throw) -> Throw:
    """A throw with what counts in it as it falls."""
    if COUNTS.name not in play.house.by_point:
        return throw
    return throw._replace(green=_seen(play, throw.green, GREEN), red=_seen(play, throw.red, RED))


def _seen(play: Table, rolled: Rolled | None, colour: Colour) -> Rolled | None:
    if rolled is None:
        return None
    for face in rolled.faces:
        answer(play, COUNTS, face in colour.counts, face, colour)
    return rolled._replace(counts=faces_that_count(play, colour))


def lucks(play: Table) -> tuple[Luck, Luck]:
    """How green and red dice count, for the odds."""
    green, red = (Luck.of(faces_that_count(play, colour), colour) for colour in (GREEN, RED))
    return green, red
