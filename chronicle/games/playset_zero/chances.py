"""What dice can do: exact chances of hits, and of the one die that a goal needs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from chronicle.core.odds import MOST_DICE, Distribution, hits_of_all, percent
from chronicle.games.playset_zero.state import HIT, SIDES, Pool


def at_least(die: str, need: int) -> Fraction:
    """The chance that one die shows ``need`` or more."""
    sides = SIDES[die]
    return Fraction(max(0, min(sides, sides + 1 - need)), sides)


def hits(dice: Mapping[str, int], hit: int = HIT) -> Distribution:
    """The chance of every number of hits with so many of each die."""
    return hits_of_all((count, at_least(die, hit)) for die, count in dice.items())


def any_at_least(dice: Mapping[str, int], need: int) -> Fraction:
    """The chance that at least one die shows ``need`` or more."""
    none = Fraction(1)
    for die, count in dice.items():
        none *= (1 - at_least(die, need)) ** min(count, MOST_DICE)
    return 1 - none


def expected(dice: Mapping[str, int], hit: int = HIT) -> Fraction:
    """The mean number of hits."""
    return sum((count * at_least(die, hit) for die, count in dice.items()), Fraction(0))


def pool_words(dice: Mapping[str, int]) -> str:
    """``d10 + d8 + d6 + red``."""
    names = {"adv": "red"}
    parts = [
        names.get(die, die) if dice[die] == 1 else f"{dice[die]} {names.get(die, die)}"
        for die in ("d10", "d8", "d6", "adv")
        if dice.get(die)
    ]
    return " + ".join(parts) or "no dice"


def before_the_roll(pool: Pool, questions: int, need: int) -> str:
    """The chances in a line: at least one hit, everything paid, and the goal where it is harder."""
    dice = pool.counts()
    spread = hits(dice, pool.hit)
    everything = sum((p for number, p in spread.items() if number >= questions), Fraction(0))
    parts = [
        f"at least one hit {percent(1 - spread.get(0, Fraction(0)))}",
        f"a hit for each of {questions} questions {percent(everything)}",
    ]
    if need > pool.hit:
        parts.append(f"a die of {need} or more for the goal {percent(any_at_least(dice, need))}")
    return ", ".join(parts)
