"""What is shown to people steers nothing: one place for terminals, messages and streams."""

from __future__ import annotations

import re
from typing import Final

_STEERS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
_ANY: Final = f"[\t\n{_STEERS}]"
_PRINTED: Final = f"(\x1b\\[(?:[0-4]|3[1-6]|97;40)(?:;(?:[0-4]|3[1-6]))*m)|[{_STEERS}]"
"""The colours that Chronicle prints itself, or what steers a terminal."""


def safe(text: str, *, lines: bool = False) -> str:
    """A text that cannot steer a terminal: control characters and bidi overrides are replaced, and it
    is on one line, unless ``lines`` are wanted."""

    def instead(found: re.Match[str]) -> str:
        character = found[0]
        return "\n" if lines and character == "\n" else " " if character in "\n\t\r" else "\ufffd"

    return text if text.isprintable() else re.sub(_ANY, instead, text)


def printed(text: str, *, colour: bool) -> str:
    """What may go to a stream of a text that is whole already: its lines, and with ``colour`` the
    colours that Chronicle gives its words; nothing else that steers a terminal."""
    if text.replace("\n", "").isprintable():
        return text
    return re.sub(_PRINTED, lambda found: (found[1] if colour else "") or "\ufffd", text)
