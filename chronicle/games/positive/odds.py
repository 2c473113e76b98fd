"""How likely a conflict goes one way or the other, worked out when somebody reads it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from chronicle.core.odds import compare_odds, pool_distribution
from chronicle.games.positive.actions import FUDGE_DIE


@cache
def odds(one: int, other: int, plus: str, against: str) -> tuple[Fraction, Fraction, Fraction]:
    """(win, tie, loss) for ``one`` dice with these pluses against ``other`` with those."""

    def worth(plus: str) -> Callable[[str], int]:
        return lambda face: 100 if face in plus else int(face == "o")

    return compare_odds(
        pool_distribution(one, worth(plus), FUDGE_DIE),
        pool_distribution(other, worth(against), FUDGE_DIE),
    )
