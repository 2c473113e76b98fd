"""What counts as a figure: one place, since ``str.isdigit`` and ``int`` disagree."""

from __future__ import annotations

from typing import Final

MOST_DIGITS: Final = 9
"""How many digits the figure of a log has at most; nothing at a table comes near."""


MOST_LETTERS: Final = 1_000
"""How long a name is at most."""


def is_figure(text: str) -> bool:
    """Whether a text is a whole number in the digits 0 to 9, as ``int`` reads it and no longer than
    :data:`MOST_DIGITS`: not ``²``, not ``٣``."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


_WORDS: Final = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def in_words(number: int) -> str:
    """A small number as a story has it: ``none``, ``three``, ``twelve``, ``13``."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def compared(*numbers: int) -> str:
    """What sides came to, in words: ``two against three``; all in figures where one has no word."""
    wordless = max(numbers, default=0) >= len(_WORDS)
    return " against ".join(map(str if wordless else in_words, numbers))


def more_wins(one: int, other: int) -> int:
    """Verdict on two numbers, of which the higher wins: 1 for the first, -1 for the second, 0 for a tie."""
    return (one > other) - (one < other)
