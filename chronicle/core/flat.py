"""Lists and dictionaries that are kept by a copy of them alone: nobody has to look at what is in them.

What is in them holds no list, dictionary or set itself: figures, words, tuples of such, or things that
are kept by themselves. They may be long.
"""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")


class Flat(list[T]):
    """Such a list."""

    __slots__ = ()


class FlatMap(dict[K, T]):
    """Such a dictionary."""

    __slots__ = ()
