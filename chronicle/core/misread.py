"""Values that cannot be read, and how messages about them name what was expected and what is there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from chronicle.core.source import ScalarNode, SequenceNode, Value


class Misread(Exception):
    """A value that cannot be read as declared. Caught by the decoder, never seen by a user.

    Args:
        message: the problem.
        value: the value, with its place.
        help: what to do, in words.
        code: the id of the message.
        replacements: values that could replace it, as in a log.
        is_told: whether the message names that already.
        expected: what the value should be; ``message`` goes on behind it: ``, not 'x'``.
    """

    def __init__(
        self,
        message: str,
        value: Value,
        help: str = "",
        code: str = "T20",
        replacements: Iterable[str] = (),
        *,
        is_told: bool = False,
        expected: str = "",
    ) -> None:
        super().__init__(message)
        self.replacements = tuple(replacements)
        self.is_told = is_told
        self.expected = expected
        self._message = message
        self.value = value
        self.help = help
        self.code = code
        self.is_guessed = False
        """Whether the value was read anyway, as a guess."""

    def __str__(self) -> str:
        return self.message

    @property
    def message(self) -> str:
        """The message, with what is ``expected``."""
        return self.message_about()

    def message_about(self, key: str = "") -> str:
        """The message. If the whole value of a ``key`` cannot be read, it says what the key takes."""
        if not self.expected:
            return self._message
        expected = mapping_as_written(self.expected)
        return (
            f"'{key}' takes {expected}{self._message}"
            if key
            else f"write {expected} here{self._message}"
        )


_MAPPING_IN_WORDS: Final = re.compile(
    r"a mapping from (?:an? |each |the )?((?:(?!a mapping from ).)+?)"
    r" to (?:an? |the )?((?:(?!a mapping from ).)+?)(?=$|, or |[]}])"
)


def mapping_as_written(type_in_words: str) -> str:
    """The words for a kind of value, with each mapping as a log writes it: ``{name: text}``."""
    while (shortened_words := _MAPPING_IN_WORDS.sub(r"{\1: \2}", type_in_words)) != type_in_words:
        type_in_words = shortened_words
    return type_in_words


def shown(value: Value) -> str:
    """A value as quoted in an error message, shortened if necessary."""
    if isinstance(value, ScalarNode):
        quoted_text = " ".join(value.split())
        return f"'{quoted_text[:57]}...'" if len(quoted_text) > 60 else f"'{quoted_text}'"
    if isinstance(value, SequenceNode):
        has_only_scalars = value and all(isinstance(item, ScalarNode) for item in value)
        return "a list of words" if has_only_scalars else "a list"
    return "{name: value}"
