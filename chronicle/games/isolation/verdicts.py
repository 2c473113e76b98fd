"""The results of counted dice. Rolls and odds both use these functions.

I19, I24 to I27, I44, I46 and I77; the levels of I49 and the winner of I55 are in ``state``.
"""

from __future__ import annotations

from typing import NamedTuple

from chronicle.games.isolation.state import Side


class Allowance(NamedTuple):
    """The limits of a Passive's stance besides the dice."""

    exempt: bool
    """I19: no red link with the Active, so free to cooperate."""
    threshold: int
    """IA1: the net from which the Passive must be Hostile, or less."""
    freedom_wins: bool
    """IA5: whether that freedom beats a net that asks for Hostile."""


def odds_of_active(greens: int, reds: int) -> int:
    """I24: the Active's red odds; own green evens cancel them, never below 0."""
    return max(0, reds - greens)


def evens_of_passive(greens: int, reds: int) -> int:
    """I26: a Passive's green evens, less own red odds."""
    return greens - reds


def net_of(evens: int, odds: int) -> int:
    """I27: a Passive's green evens, less the Active's red odds."""
    return evens - odds


def best_stance(net: int | None, allowance: Allowance) -> Side:
    """I19, I27: the best stance a Passive may take; ``net`` is None where the dice are not known."""
    forced = net is not None and net <= allowance.threshold
    if allowance.exempt and (allowance.freedom_wins or not forced):
        return Side.COOPERATIVE
    if net is None or forced:
        return Side.HOSTILE
    return Side.COOPERATIVE if net >= 2 else Side.NEUTRAL


def pooled(evens: int, cancelled: int) -> int:
    """I46: green evens of the cooperating side after cancelling, never below 0."""
    return max(0, evens - cancelled)


def against_them(reds: int, greens: int) -> int:
    """I44, I77: red odds of the threat; a defender's own green evens cancel them, never below 0."""
    return max(0, reds - greens)
