"""Fudge dice: what a side is worth, who wins, and how likely that is (P2, P20, PA1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from chronicle.core.dice import FUDGE

if TYPE_CHECKING:
    from fractions import Fraction

FUDGE_DIE = FUDGE._replace(rule="P2")

Worth = tuple[int, int]
"""What a side is worth: the number of +, then the number of blanks (P20)."""


def worth_of_face(face: str, is_plus: bool) -> Worth:
    """P20: what one die is worth. A - is worth nothing."""
    return int(is_plus), int(face == "o" and not is_plus)


def caller_loses_ties(tie: str) -> bool:
    """PA1: whether a tie is a loss of the caller. ``tie`` is the reading at this table."""
    return tie == "caller-loses"


def verdict(caller: Worth, challenged: Worth, tie: str) -> int:
    """P20: who wins: 1 for the caller, -1 for the challenged, 0 for a tie.

    The number of dice does not matter. ``tie`` is the reading of PA1 at this table.
    """
    if caller == challenged:
        return -1 if caller_loses_ties(tie) else 0
    return 1 if caller > challenged else -1


_PLUS = 100
"""More blanks than any side rolls: a side is worth one number."""


@cache
def odds(caller: int, challenged: int, plus: str, against: str, tie: str) -> dict[int, Fraction]:
    """The chance of each verdict, with the numbers of dice and the plus faces of both sides."""
    from chronicle.core.odds import pool_distribution, verdict_odds

    def number_of(pluses: str) -> Callable[[str], int]:
        def number(face: str) -> int:
            plus, blank = worth_of_face(face, face in pluses)
            return plus * _PLUS + blank

        return number

    return verdict_odds(
        (
            pool_distribution(caller, number_of(plus), FUDGE_DIE),
            pool_distribution(challenged, number_of(against), FUDGE_DIE),
        ),
        lambda first, second: verdict(divmod(first, _PLUS), divmod(second, _PLUS), tie),
    )


class ToldOdds(NamedTuple):
    """The chance that the caller wins, as text ``Marit 62.5 %, tie 12.5 %``. It is computed when it is read.

    Each side has a name, a number of dice and the faces that are a plus; ``tie`` is the reading of PA1.
    """

    caller: str
    dice: int
    plus: str
    challenged: str
    dice_against: int
    against: str
    tie: str
    lead: str = ""

    def __str__(self) -> str:
        from fractions import Fraction

        from chronicle.core.odds import percent

        chances = odds(self.dice, self.dice_against, self.plus, self.against, self.tie)
        named = {1: self.caller, 0: "tie", -1: self.challenged}
        shown = (1, 0) if 0 in chances else (1, -1)
        chances_told = (
            f"{named[first]} {percent(chances.get(first, Fraction(0)))}" for first in shown
        )
        return self.lead + ", ".join(chances_told)

    def __repr__(self) -> str:
        return repr(str(self))
