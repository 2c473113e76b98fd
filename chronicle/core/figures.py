"""Whole numbers in logs. ``str.isdigit`` and ``int`` disagree about them, so this module decides."""

from __future__ import annotations

from typing import Final

MOST_DIGITS: Final = 9
"""Maximum number of digits of a number in a log."""


MAX_NAME_LETTERS: Final = 1_000
"""Maximum length of a name, in characters."""


def is_figure(text: str) -> bool:
    """Whether a text is a whole number in the digits 0 to 9, as ``int`` reads it and no longer than
    :data:`MOST_DIGITS`: not ``²``, not ``٣``."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


_NUMBER_WORDS: Final = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def number_in_words(number: int) -> str:
    """A small number as a word: ``none``, ``three``, ``twelve``, ``13``."""
    return _NUMBER_WORDS[number] if 0 <= number < len(_NUMBER_WORDS) else str(number)


def times_in_words(count: int) -> str:
    """How often, in words: ``once``, ``twice``, ``three times``."""
    return {1: "once", 2: "twice"}.get(count) or f"{number_in_words(count)} times"


def with_times(text: str, count: int) -> str:
    """Words that stand there more than once, for readers: ``sure-footed (twice)``. Logs write ``sure-footed x2``."""
    return f"{text} ({times_in_words(count)})" if count > 1 else text


def comparison_in_words(*results: int) -> str:
    """The results of sides in words: ``two against three``; all in digits if one of them has no word."""
    is_in_digits = max(results, default=0) >= len(_NUMBER_WORDS)
    return " against ".join(map(str if is_in_digits else number_in_words, results))


def compare_numbers(first_number: int, second_number: int) -> int:
    """Compare two numbers; the higher wins: 1 if the first is higher, -1 if the second is, 0 for a
    tie."""
    return (first_number > second_number) - (first_number < second_number)
