"""The odds of a throw, in exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, lcm

from chronicle.core.dice import Die

Distribution = dict[int, Fraction]

MOST_DICE = 60
"""Beyond so many dice a side nobody asks for exact odds any more, and they take ever longer: a larger
pool counts as this one."""


def hits_distribution(dice: int, chance: Fraction) -> Distribution:
    """Chance of each number of hits among ``dice`` dice that each hit with ``chance``."""
    dice = min(dice, MOST_DICE)
    miss = 1 - chance
    return {
        hits: comb(dice, hits) * chance**hits * miss ** (dice - hits) for hits in range(dice + 1)
    }


def compare_odds(
    one: Mapping[int, Fraction], other: Mapping[int, Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """(win, tie, loss) of the first of two independent numbers."""
    # In whole numbers over one denominator: a sum of fractions is reduced again at every step.
    ours, theirs = _over_one(one), _over_one(other)
    win = tie = loss = 0
    for a, p in ours.items():
        for b, q in theirs.items():
            if a > b:
                win += p * q
            elif a == b:
                tie += p * q
            else:
                loss += p * q
    whole = sum(ours.values()) * sum(theirs.values())
    return Fraction(win, whole), Fraction(tie, whole), Fraction(loss, whole)


def _over_one(chances: Mapping[int, Fraction]) -> dict[int, int]:
    """Chances that make up 1 as whole numbers in the same proportion."""
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    return {
        number: chance.numerator * (denominator // chance.denominator)
        for number, chance in chances.items()
    }


def pool_distribution(dice: int, value: Callable[[str], int], die: Die) -> Distribution:
    """Distribution of the sum of ``value(face)`` over ``dice`` fair dice."""
    total: Distribution = {0: Fraction(1)}
    share = Fraction(1, die.sides)
    for _ in range(min(dice, MOST_DICE)):
        grown: Distribution = {}
        for sum_so_far, chance in total.items():
            for face in die.faces:
                key = sum_so_far + value(face)
                grown[key] = grown.get(key, Fraction(0)) + chance * share
        total = grown
    return total


def percent(chance: Fraction) -> str:
    """``62.96 %``, for people."""
    return f"{float(chance) * 100:.1f} %"
