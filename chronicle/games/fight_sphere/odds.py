"""How likely it was before the dice fell."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import prod

from chronicle.core.odds import Distribution, compare_odds, hits_distribution

ONE = Fraction(1, 6)


@cache
def ones(dice: int, one: Fraction = ONE) -> Distribution:
    """The chance of each number of ones."""
    return hits_distribution(dice, one)


@cache
def against(dice: int, other: int, one: Fraction = ONE) -> tuple[Fraction, Fraction, Fraction]:
    """(success, tie, failure) of so many dice against so many."""
    return compare_odds(ones(dice, one), ones(other, one))


@cache
def beats_all(dice: int, others: tuple[int, ...], one: Fraction = ONE) -> Fraction:
    """The chance of more ones than every one of the others."""
    found = Fraction(0)
    for mine, chance in ones(dice, one).items():
        below = (
            sum((p for n, p in ones(other, one).items() if n < mine), Fraction(0))
            for other in others
        )
        found += chance * prod(below, start=Fraction(1))
    return found
