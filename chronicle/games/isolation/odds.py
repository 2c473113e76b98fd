"""The chances of results before open-ended dice fall."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeVar

from chronicle.core.odds import MOST_DICE
from chronicle.games.isolation.dice import Colour
from chronicle.games.isolation.state import level_of, pair_winner
from chronicle.games.isolation.verdicts import (
    against_them,
    evens_of_passive,
    net_of,
    odds_of_active,
    pooled,
)

V = TypeVar("V", bound=Hashable)
N = TypeVar("N")
M = TypeVar("M")

_TAIL = 1e-9

Chances = tuple[float, ...]
"""Chance of 0, 1, 2 ... counted faces."""


class Luck(NamedTuple):
    """The faces that count on dice of a colour: how many of the five without a chain, and whether the chaining face
    counts. By the book green and red are alike."""

    ends: int = 2
    chain: bool = True

    @classmethod
    def of(cls, counts: frozenset[int], colour: Colour) -> Luck:
        """With these faces."""
        return cls(len(counts - {colour.chain}), colour.chain in counts)


BOOK: Final = Luck()


@cache
def counted_chances(dice: int, luck: Luck = BOOK) -> Chances:
    """Distribution of the counted faces of ``dice`` open-ended dice of a colour."""
    dice = min(dice, MOST_DICE)
    if dice <= 0:
        return (1.0,)
    if dice > 1:
        half = dice // 2
        return _sum(counted_chances(half, luck), counted_chances(dice - half, luck))
    if not luck.chain:
        return 1 - luck.ends / 5, luck.ends / 5
    # By the book: nothing with 1/2, one face and an end with 1/3, one face and another die with 1/6.
    some, none = luck.ends / 6, (5 - luck.ends) / 6
    chances = [none]
    chain = 1.0
    while chain > _TAIL:
        chances.append(chain * (some + none / 6))
        chain /= 6
    # A chain of k faces that count ends by a face that counts (and is not rolled on) or by one that
    # does not; the loop above puts both together, so the rest is the tail that was cut.
    chances[-1] += max(0.0, 1.0 - sum(chances))
    return tuple(chances)


def _sum(first: Chances, second: Chances) -> Chances:
    total = [0.0] * (len(first) + len(second) - 1)
    for a, p in enumerate(first):
        for b, q in enumerate(second):
            total[a + b] += p * q
    while total[-1] < _TAIL:
        total.pop()
    return tuple(total)


def judged(chances: Mapping[N, float], verdict: Callable[[N], V]) -> dict[V, float]:
    """Chance of each verdict on a figure with these chances."""
    total: dict[V, float] = {}
    for first, chance in chances.items():
        outcome = verdict(first)
        total[outcome] = total.get(outcome, 0.0) + chance
    return total


def judged_pairs(
    ones: Mapping[N, float], seconds: Mapping[M, float], verdict: Callable[[N, M], V]
) -> dict[V, float]:
    """Chance of each verdict on two independent figures."""
    total: dict[V, float] = {}
    for first, p in ones.items():
        for second, q in seconds.items():
            outcome = verdict(first, second)
            total[outcome] = total.get(outcome, 0.0) + p * q
    return total


@cache
def counts_of(dice: int, luck: Luck = BOOK) -> Mapping[int, float]:
    """Chance of each number of counted faces of ``dice`` open-ended dice of a colour."""
    return dict(enumerate(counted_chances(dice, luck)))


@cache
def net_chances(
    active: tuple[int, int], passive: tuple[int, int], green: Luck = BOOK, red: Luck = BOOK
) -> Mapping[int, float]:
    """Chance of each net of a Passive; dice as (green, red)."""
    odds = judged_pairs(counts_of(active[0], green), counts_of(active[1], red), odds_of_active)
    evens = judged_pairs(counts_of(passive[0], green), counts_of(passive[1], red), evens_of_passive)
    return judged_pairs(evens, odds, net_of)


@cache
def net_chances_after(
    odds: int, passive: tuple[int, int], green: Luck = BOOK, red: Luck = BOOK
) -> Mapping[int, float]:
    """The same, if the Active has rolled: ``odds`` red odds against these dice of the Passive."""
    evens = judged_pairs(counts_of(passive[0], green), counts_of(passive[1], red), evens_of_passive)
    return judged(evens, lambda figure: net_of(figure, odds))


@cache
def chance_against(
    pool: int, red: int, green: int = 0, greens: Luck = BOOK, reds: Luck = BOOK
) -> float:
    """Chance of Partial Success or better for a pool of green evens, against this number of dice of the threat."""
    return _success({pool: 1.0}, red, green, greens, reds)


@cache
def chance_alone(
    green: int, red: int, threat: int, greens: Luck = BOOK, reds: Luck = BOOK
) -> float:
    """Chance of Partial Success or better going it alone: own red dice cancel own green ones, and
    ``threat`` red dice count against the rest.
    """
    pools = judged_pairs(counts_of(green, greens), counts_of(red, reds), pooled)
    return _success(pools, threat, 0, greens, reds)


def _success(pools: Mapping[int, float], red: int, green: int, greens: Luck, reds: Luck) -> float:
    against = judged_pairs(counts_of(red, reds), counts_of(green, greens), against_them)
    levels = judged_pairs(pools, against, lambda pool, odds: level_of(pool - odds))
    return sum(chance for level, chance in levels.items() if not level.failure)


@cache
def pair_chances(
    green: int, red: int, greens: Luck = BOOK, reds: Luck = BOOK
) -> Mapping[Colour | None, float]:
    """Chance of each winner when a pair rolls this number of dice for its links."""
    return judged_pairs(counts_of(green, greens), counts_of(red, reds), pair_winner)


def percent(chance: float) -> str:
    """``48.0 %``."""
    return f"{chance * 100:.1f} %"
