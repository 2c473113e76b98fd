"""What the words of a reference mean: an entry by all of its words, else by whole words of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from chronicle.core.names import fold


class HasText(Protocol):
    """Whatever was said in words: a Fact, a Tenet."""

    text: str


T = TypeVar("T", bound=HasText)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def says(text: str, words: str) -> bool:
    """Whether a text has these words, whole and in this order."""
    wanted = _words(words)
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(_words(text))} "


def meant_by(words: str, among: Iterable[T]) -> Sequence[T]:
    """What some words can mean: whatever says exactly this, else whatever has these words in it."""
    pool = list(among)
    exact = [one for one in pool if _words(one.text) == _words(words)]
    return exact or [one for one in pool if says(one.text, words)]
