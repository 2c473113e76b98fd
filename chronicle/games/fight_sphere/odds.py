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
def ones(dice: int, one: Fraction = ONE) -> Distribution:
    """The chance of each number of ones."""
    return hits_distribution(dice, one)


@cache
def ordinary_odds(
    dice: int, threshold: int, tie: str, one: Fraction = ONE
) -> dict[bool | None, Fraction]:
    """Chance of each verdict of an ordinary Conflict (see :func:`succeeds`)."""
    return verdict_odds(
        (ones(dice, one), ones(threshold, one)), lambda mine, theirs: succeeds(mine, theirs, tie)
    )


@cache
def pair_odds(dice: int, other: int, one: Fraction = ONE) -> dict[int, Fraction]:
    """Chance of each number of Victories of so many dice over so many (see :func:`victories`)."""
    return verdict_odds((ones(dice, one), ones(other, one)), victories)


@cache
def beats_all(dice: int, others: tuple[int, ...], one: Fraction = ONE) -> Fraction:
    """The chance to win every pair against so many dice each."""
    found = Fraction(0)
    # With a number of ones given, the pairs are independent of one another.
    for mine, chance in ones(dice, one).items():
        each = (
            verdict_odds(
                (ones(other, one),), lambda theirs, mine=mine: wins_all([victories(mine, theirs)])
            ).get(True, Fraction(0))
            for other in others
        )
        found += chance * prod(each, start=Fraction(wins_all([1] * len(others))))
    return found
