"""Who wins a conflict: the one place that judges rolls and that the odds are worked out with (P20, PA1)."""

from __future__ import annotations

Worth = tuple[int, int]
"""The worth of a side: the number of +, then the number of blanks (P20)."""


def worth_of_face(face: str, is_plus: bool) -> Worth:
    """P20: the worth of one die. A - is worth nothing."""
    return int(is_plus), int(face == "o" and not is_plus)


def verdict(caller: Worth, challenged: Worth, tie: str) -> int:
    """Who wins: 1 for the caller, -1 for the challenged, 0 for a tie.

    The number of dice does not matter (P20). ``tie`` is the reading of PA1 at this table.
    """
    if caller == challenged:
        return -1 if tie == "caller-loses" else 0
    return 1 if caller > challenged else -1
