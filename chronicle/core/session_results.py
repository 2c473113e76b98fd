"""Reuse of results that were computed for one session of a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Once(Protocol):
    """Returns a result for one session: the stored one if the session and all inputs are unchanged, else a
    new one."""

    def __call__(self, kind: str, evening: int, besides: object, make: Callable[[], T]) -> T:
        """Args:
        kind: the kind of result.
        evening: index of the session in the record, from 0.
        besides: further inputs, as comparable values, in addition to the session's entries, their
            anchors, lines and postings.
        make: computes the result.
        """
        ...


def compute(kind: str, evening: int, besides: object, make: Callable[[], T]) -> T:
    """Compute every result compute."""
    return make()
