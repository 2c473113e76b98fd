"""What is made of one evening of a record, for those who make the same files again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Once(Protocol):
    """Gives what is made of an evening: what there is of it, if the evening and all else that it is made
    from are what they were, or else made now."""

    def __call__(self, kind: str, evening: int, besides: object, make: Callable[[], T]) -> T:
        """``evening``: by its place in the record, counted from 0. ``besides``: what it is made from apart
        from the entries of the evening, their anchors, lines and postings, as values to compare."""
        ...


def anew(kind: str, evening: int, besides: object, make: Callable[[], T]) -> T:
    """Makes everything anew."""
    return make()
