"""Unknown values: a number within bounds, and an unknown person or object.

Code that decides on such a value calls one of its methods, or :func:`known`. If the answer depends on
something unrecorded, these raise :class:`CannotTell`. The engine catches it around guards: a guard that
cannot be decided reports nothing. Comparing for equality and printing are always safe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

T = TypeVar("T")


class CannotTell(Exception):
    """The answer depends on something that the record does not say."""


@dataclass(frozen=True, slots=True)
class Range:
    """A whole number from ``lowest`` to ``highest``; None: no known bound on that side."""

    lowest: int | None = None
    highest: int | None = None

    @property
    def number(self) -> int:
        """The number.

        Raises:
            CannotTell: if several numbers are possible.
        """
        if self.lowest is None or self.lowest != self.highest:
            raise CannotTell
        return self.lowest

    @property
    def is_known(self) -> bool:
        """Whether only one number is possible."""
        return self.lowest is not None and self.lowest == self.highest

    def at_least(self, number: int) -> bool:
        """Whether it is this number or more.

        Raises:
            CannotTell: if both are possible.
        """
        if self.lowest is not None and self.lowest >= number:
            return True
        if self.highest is not None and self.highest < number:
            return False
        raise CannotTell

    def may_be(self, number: int) -> bool:
        """Whether this number is possible."""
        is_too_low = self.lowest is not None and number < self.lowest
        return not is_too_low and (self.highest is None or number <= self.highest)

    def may_exceed(self, other_range: Range) -> bool:
        """Whether the number can be greater than one of another range."""
        return (
            self.highest is None or other_range.lowest is None or self.highest > other_range.lowest
        )

    def overlaps(self, other_range: Range) -> bool:
        """Whether the number can be the same as one of another range."""
        ordered_pairs = ((self, other_range), (other_range, self))
        return not any(
            lower_range.highest is not None
            and upper_range.lowest is not None
            and lower_range.highest < upper_range.lowest
            for lower_range, upper_range in ordered_pairs
        )

    def plus(self, added_amount: int) -> Range:
        """The range of the sum of the number and an amount."""
        return Range(
            None if self.lowest is None else self.lowest + added_amount,
            None if self.highest is None else self.highest + added_amount,
        )

    def within(self, lowest: int | None, highest: int | None) -> Range:
        """The part of the range between two bounds; unchanged if there is none."""
        lower_bounds = [bound for bound in (self.lowest, lowest) if bound is not None]
        upper_bounds = [bound for bound in (self.highest, highest) if bound is not None]
        new_lowest, new_highest = max(lower_bounds, default=None), min(upper_bounds, default=None)
        if new_lowest is not None and new_highest is not None and new_lowest > new_highest:
            return self
        return Range(new_lowest, new_highest)

    def __str__(self) -> str:
        if self.is_known:
            return str(self.lowest)
        if self.lowest is None:
            return "unknown" if self.highest is None else f"at most {self.highest}"
        return (
            f"at least {self.lowest}"
            if self.highest is None
            else f"{self.lowest} to {self.highest}"
        )


def exactly(number: int) -> Range:
    """The range of a known number."""
    return Range(number, number)


class Unknown:
    """The class of :data:`UNKNOWN`: a person or object that the record does not name."""

    __slots__ = ()

    def __str__(self) -> str:
        return "somebody"

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __reduce__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
"""A person or object that the record does not name."""


def known(value: T | Unknown) -> T:
    """A value, if it is recorded.

    Raises:
        CannotTell: if it is unknown.
    """
    if isinstance(value, Unknown):
        raise CannotTell
    return value
