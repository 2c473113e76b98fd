"""Verdicts of rolls, for rolls and for odds (F24, F50, FA1)."""

from __future__ import annotations

from collections.abc import Iterable

REROLL = "reroll"
"""The reading of FA1 that lets both sides roll again."""


def succeeds(own: int, opposing: int, tie: str) -> bool | None:
    """F24: whether an ordinary Conflict with these numbers of ones succeeds; None if both sides roll again.

    ``tie`` is the reading of FA1 at this table.
    """
    if own == opposing:
        return None if tie == REROLL else tie == "success"
    return own > opposing


def victories(first: int, second: int) -> int:
    """F50: the Victories of the first of a pair; below 0 they are those of the second."""
    return first - second


def wins_all(pairs: Iterable[int]) -> bool:
    """Whether a Gladiator wins every pair that is compared, by the Victories in each; no pair is no win."""
    results = tuple(pairs)
    return bool(results) and all(first > 0 for first in results)
