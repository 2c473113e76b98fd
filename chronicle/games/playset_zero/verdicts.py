"""What dice can buy: the one place that judges rolls and that the odds are worked out with (Z24, Z39, Z43)."""

from __future__ import annotations

from collections.abc import Sequence


def buys(face: int, need: int) -> bool:
    """Whether a die that shows ``face`` buys what takes ``need``: a hit, a goal, a danger avoided."""
    return face >= need


def buys_all(fitting: Sequence[int], wanting: Sequence[int]) -> bool:
    """Whether every question gets a die of its own.

    Both are counted by rising need: the dice that buy it, and the questions that take it or more.
    """
    return all(dice >= questions for dice, questions in zip(fitting, wanting, strict=True))
