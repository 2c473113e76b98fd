"""The odds of a throw in exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, lcm, prod
from typing import TypeVar

from chronicle.core.dice import Die
from chronicle.core.figures import compare_numbers

Distribution = dict[int, Fraction]
"""How probable each result is, by the result."""
V = TypeVar("V", bound=Hashable)
"""The verdict of a game on a roll."""

MOST_DICE = 60
"""Maximum number of dice a side for exact odds. A larger pool, which would take too long, counts as a pool of
this size."""


def hits_distribution(dice_count: int, hit_chance: Fraction) -> Distribution:
    """Chance of each number of hits among ``dice_count`` dice that each hit with ``hit_chance``."""
    dice_count = min(dice_count, MOST_DICE)
    miss_chance = 1 - hit_chance
    return {
        hit_count: comb(dice_count, hit_count)
        * hit_chance**hit_count
        * miss_chance ** (dice_count - hit_count)
        for hit_count in range(dice_count + 1)
    }


def hits_of_all(pools: Iterable[tuple[int, Fraction]]) -> Distribution:
    """Chance of each number of hits among all dice of several pools, each with its own chance."""
    total_distribution: Distribution = {0: Fraction(1)}
    for dice_count, hit_chance in pools:
        new_distribution: Distribution = {}
        for hit_count, chance_so_far in total_distribution.items():
            for added_hit_count, added_chance in hits_distribution(dice_count, hit_chance).items():
                new_distribution[hit_count + added_hit_count] = (
                    new_distribution.get(hit_count + added_hit_count, Fraction(0))
                    + chance_so_far * added_chance
                )
        total_distribution = new_distribution
    return total_distribution


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
    side_weights = [_as_integers(chance_by_number) for chance_by_number in sides]
    verdict_weights: dict[V, int] = {}
    for hit_counts in product(*side_weights):
        side_verdict = verdict(*hit_counts)
        weight = prod(
            weight_by_number[number]
            for weight_by_number, number in zip(side_weights, hit_counts, strict=True)
        )
        verdict_weights[side_verdict] = verdict_weights.get(side_verdict, 0) + weight
    total_weight = prod(sum(weight_by_number.values()) for weight_by_number in side_weights)
    return {
        side_verdict: Fraction(weight, total_weight)
        for side_verdict, weight in verdict_weights.items()
    }


@lru_cache(maxsize=1024)
def hit_odds(
    dice_count: int, opposing_dice_count: int, hit_face_count: int, face_count: int
) -> tuple[Fraction, Fraction, Fraction]:
    """(win, tie, loss) of the first of two sides. All dice hit on ``hit_face_count`` of ``face_count`` faces; more hits
    win."""
    hit_chance = Fraction(hit_face_count, face_count)
    odds_by_result = verdict_odds(
        (
            hits_distribution(dice_count, hit_chance),
            hits_distribution(opposing_dice_count, hit_chance),
        ),
        compare_numbers,
    )
    no_chance = Fraction(0)
    return (
        odds_by_result.get(1, no_chance),
        odds_by_result.get(0, no_chance),
        odds_by_result.get(-1, no_chance),
    )


def _as_integers(chance_by_number: Mapping[int, Fraction]) -> dict[int, int]:
    """Scale chances that add up to 1 to integers in the same proportion."""
    denominator = lcm(*(chance.denominator for chance in chance_by_number.values()))
    return {
        number: chance.numerator * (denominator // chance.denominator)
        for number, chance in chance_by_number.items()
    }


def pool_distribution(dice_count: int, face_value: Callable[[str], int], die: Die) -> Distribution:
    """Distribution of the sum of ``face_value(face)`` over ``dice_count`` fair dice."""
    dice_count = min(dice_count, MOST_DICE)
    way_count_by_sum = {0: 1}
    for _ in range(dice_count):
        new_way_count_by_sum: dict[int, int] = {}
        for sum_so_far, way_count in way_count_by_sum.items():
            for face in die.faces:
                new_sum = sum_so_far + face_value(face)
                new_way_count_by_sum[new_sum] = new_way_count_by_sum.get(new_sum, 0) + way_count
        way_count_by_sum = new_way_count_by_sum
    return {
        face_sum: Fraction(way_count, die.sides**dice_count)
        for face_sum, way_count in way_count_by_sum.items()
    }


def percent(chance: Fraction) -> str:
    """``62.96 %``, for people."""
    return f"{float(chance) * 100:.1f} %"
