"""An enumeration whose members are words."""

from __future__ import annotations

from enum import Enum


class WordEnum(Enum):
    """An enumeration; the text of a member is its value."""

    def __str__(self) -> str:
        return str(self.value)
