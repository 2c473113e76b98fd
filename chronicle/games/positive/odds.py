"""How likely a conflict goes one way or the other, worked out when somebody reads it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from chronicle.core.odds import pool_distribution, verdict_odds
from chronicle.games.positive.actions import FUDGE_DIE
from chronicle.games.positive.verdicts import verdict, worth_of_face

_PLUS = 100
"""More blanks than any side rolls: a side is worth one number."""


@cache
def odds(caller: int, challenged: int, plus: str, against: str, tie: str) -> dict[int, Fraction]:
    """Chance of each verdict for so many dice of the caller, with these faces as a plus, against so many."""

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
        lambda one, other: verdict(divmod(one, _PLUS), divmod(other, _PLUS), tie),
    )
