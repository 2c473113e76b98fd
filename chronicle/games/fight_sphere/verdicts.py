"""What a roll decides: the one place that judges rolls and that the odds are worked out with (F24, F50, FA1)."""

from __future__ import annotations

from collections.abc import Iterable

REROLL = "reroll"
"""The reading of FA1 by which both sides roll again."""


def succeeds(mine: int, theirs: int, tie: str) -> bool | None:
    """F24: whether an ordinary Conflict with so many ones succeeds; None if both sides roll again.

    ``tie`` is the reading of FA1 at this table.
    """
    if mine == theirs:
        return None if tie == REROLL else tie == "success"
    return mine > theirs


def victories(one: int, other: int) -> int:
    """F50: the Victories of the first of a pair; below 0 they are those of the second."""
    return one - other


def wins_all(pairs: Iterable[int]) -> bool:
    """Whether a Gladiator wins every pair that is compared, by the Victories in each; no pair is no win."""
    found = tuple(pairs)
    return bool(found) and all(one > 0 for one in found)
