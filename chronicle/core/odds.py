"""The odds of a throw, in exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
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


def hits_of_all(pools: Iterable[tuple[int, Fraction]]) -> Distribution:
    """Chance of each number of hits among all dice of several pools, each with its own chance."""
    total: Distribution = {0: Fraction(1)}
    for dice, chance in pools:
        grown: Distribution = {}
        for a, p in total.items():
            for b, q in hits_distribution(dice, chance).items():
                grown[a + b] = grown.get(a + b, Fraction(0)) + p * q
        total = grown
    return total


def compare_odds(
    one: Mapping[int, Fraction], other: Mapping[int, Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """(win, tie, loss) of the first of two independent numbers."""
    # In whole numbers over one denominator: a sum of fractions is reduced again at every step.
    ours, theirs = _over_one(one), _over_one(other)
    win = tie = below = 0
    numbers = sorted(theirs)
    at = 0
    for a in sorted(ours):
        while at < len(numbers) and numbers[at] < a:
            below += theirs[numbers[at]]
            at += 1
        win += ours[a] * below
        tie += ours[a] * theirs.get(a, 0)
    whole = sum(ours.values()) * sum(theirs.values())
    return Fraction(win, whole), Fraction(tie, whole), Fraction(whole - win - tie, whole)


@lru_cache(maxsize=1024)
def hit_odds(one: int, other: int, hits: int, faces: int) -> tuple[Fraction, Fraction, Fraction]:
    """(win, tie, loss) of the first of two sides with so many dice, which all hit on ``hits`` of ``faces``
    faces."""
    chance = Fraction(hits, faces)
    return compare_odds(hits_distribution(one, chance), hits_distribution(other, chance))


def _over_one(chances: Mapping[int, Fraction]) -> dict[int, int]:
    """Chances that make up 1 as whole numbers in the same proportion."""
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    return {
        number: chance.numerator * (denominator // chance.denominator)
        for number, chance in chances.items()
    }


def pool_distribution(dice: int, value: Callable[[str], int], die: Die) -> Distribution:
    """Distribution of the sum of ``value(face)`` over ``dice`` fair dice."""
    dice = min(dice, MOST_DICE)
    ways = {0: 1}
    for _ in range(dice):
        grown: dict[int, int] = {}
        for sum_so_far, count in ways.items():
            for face in die.faces:
                key = sum_so_far + value(face)
                grown[key] = grown.get(key, 0) + count
        ways = grown
    return {total: Fraction(count, die.sides**dice) for total, count in ways.items()}


def percent(chance: Fraction) -> str:
    """``62.96 %``, for people."""
    return f"{float(chance) * 100:.1f} %"
