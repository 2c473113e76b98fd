"""How likely each verdict was before the dice fell."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import prod

from chronicle.core.odds import Distribution, hits_distribution, verdict_odds
from chronicle.games.fight_sphere.verdicts import succeeds, victories, wins_all

ONE = Fraction(1, 6)
"""The chance that a die shows a one."""


@cache
def ones(dice: int, first: Fraction = ONE) -> Distribution:
    """The chance of each number of ones."""
    return hits_distribution(dice, first)


@cache
def ordinary_odds(
    dice: int, threshold: int, tie: str, first: Fraction = ONE
) -> dict[bool | None, Fraction]:
    """Chance of each verdict of an ordinary Conflict (see :func:`succeeds`)."""
    return verdict_odds(
        (ones(dice, first), ones(threshold, first)),
        lambda own, opposing: succeeds(own, opposing, tie),
    )


@cache
def pair_odds(dice: int, second: int, first: Fraction = ONE) -> dict[int, Fraction]:
    """Chance of each number of Victories of some dice over others (see :func:`victories`)."""
    return verdict_odds((ones(dice, first), ones(second, first)), victories)


@cache
def beats_all(dice: int, rivals: tuple[int, ...], first: Fraction = ONE) -> Fraction:
    """The chance to win every pair against opponents with these numbers of dice."""
    total_chance = Fraction(0)
    # With a number of ones given, the pairs are independent of one another.
    for own, chance in ones(dice, first).items():
        each = (
            verdict_odds(
                (ones(second, first),),
                lambda opposing, own=own: wins_all([victories(own, opposing)]),
            ).get(True, Fraction(0))
            for second in rivals
        )
        total_chance += chance * prod(each, start=Fraction(wins_all([1] * len(rivals))))
    return total_chance
