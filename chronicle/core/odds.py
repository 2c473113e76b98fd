"""The odds of a throw in exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, lcm, prod
from typing import TypeVar

from chronicle.core.dice import Die
from chronicle.core.figures import more_wins

Distribution = dict[int, Fraction]
V = TypeVar("V", bound=Hashable)
"""The verdict of a game on a roll."""

MOST_DICE = 60
"""Maximum number of dice a side for exact odds. A larger pool, which would take too long, counts as a pool of
this size."""


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
        for hits, chance_so_far in total.items():
            for more_hits, added_chance in hits_distribution(dice, chance).items():
                grown[hits + more_hits] = (
                    grown.get(hits + more_hits, Fraction(0)) + chance_so_far * added_chance
                )
        total = grown
    return total


def verdict_odds(
    sides: Sequence[Mapping[int, Fraction]], verdict: Callable[..., V]
) -> dict[V, Fraction]:
    """Chance of each verdict.

    Args:
        sides: the distribution of an independent number for each side.
        verdict: takes one number of each side. A game passes the function that judges its rolls, so its odds
            agree with its rules.
    """
    # Integers over one denominator: every sum of fractions would have to be reduced.
    side_weights = [_as_integers(side) for side in sides]
    verdict_weights: dict[V, int] = {}
    for numbers in product(*side_weights):
        judged = verdict(*numbers)
        weight = prod(side[number] for side, number in zip(side_weights, numbers, strict=True))
        verdict_weights[judged] = verdict_weights.get(judged, 0) + weight
    total = prod(sum(side.values()) for side in side_weights)
    return {judged: Fraction(weight, total) for judged, weight in verdict_weights.items()}


@lru_cache(maxsize=1024)
def hit_odds(
    dice: int, opposing_dice: int, hits: int, faces: int
) -> tuple[Fraction, Fraction, Fraction]:
    """(win, tie, loss) of the first of two sides. All dice hit on ``hits`` of ``faces`` faces; more hits
    win."""
    chance = Fraction(hits, faces)
    odds = verdict_odds(
        (hits_distribution(dice, chance), hits_distribution(opposing_dice, chance)), more_wins
    )
    zero = Fraction(0)
    return odds.get(1, zero), odds.get(0, zero), odds.get(-1, zero)


def _as_integers(chances: Mapping[int, Fraction]) -> dict[int, int]:
    """Scale chances that add up to 1 to integers in the same proportion."""
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    return {
        number: chance.numerator * (denominator // chance.denominator)
        for number, chance in chances.items()
    }


def pool_distribution(dice: int, value: Callable[[str], int], die: Die) -> Distribution:
    """Distribution of the sum of ``value(face)`` over ``dice`` fair dice."""
    dice = min(dice, MOST_DICE)
    counts = {0: 1}
    for _ in range(dice):
        grown: dict[int, int] = {}
        for sum_so_far, count in counts.items():
            for face in die.faces:
                key = sum_so_far + value(face)
                grown[key] = grown.get(key, 0) + count
        counts = grown
    return {total: Fraction(count, die.sides**dice) for total, count in counts.items()}


def percent(chance: Fraction) -> str:
    """``62.96 %``, for people."""
    return f"{float(chance) * 100:.1f} %"
