"""Remove control characters from text for terminals, messages and streams."""

from __future__ import annotations

import re
from typing import Final

_CONTROL_CHARACTERS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
_CONTROL_OR_SPACE_PATTERN: Final = f"[\t\n{_CONTROL_CHARACTERS}]"
_COLOUR_OR_CONTROL_PATTERN: Final = (
    f"(\x1b\\[(?:[0-4]|3[1-6]|97;40)(?:;(?:[0-4]|3[1-6]))*m)|[{_CONTROL_CHARACTERS}]"
)
"""Chronicle's own colour codes, or control characters."""


def safe(text: str, *, keep_lines: bool = False) -> str:
    """A text without control characters and bidi overrides, which could manipulate a terminal. It is on one
    line, unless ``keep_lines`` is true."""

    def replacement_of(character_match: re.Match[str]) -> str:
        character = character_match[0]
        return (
            "\n" if keep_lines and character == "\n" else " " if character in "\n\t\r" else "\ufffd"
        )

    return text if text.isprintable() else re.sub(_CONTROL_OR_SPACE_PATTERN, replacement_of, text)


def printable_text(text: str, *, keep_colours: bool) -> str:
    """A complete text for a stream: keeps lines, and with ``keep_colours`` Chronicle's own colour codes; replaces
    other control characters."""
    if text.replace("\n", "").isprintable():
        return text
    return re.sub(
        _COLOUR_OR_CONTROL_PATTERN,
        lambda match: (match[1] if keep_colours else "") or "\ufffd",
        text,
    )
