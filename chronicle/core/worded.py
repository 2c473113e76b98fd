"""Choices that are words in themselves."""

from __future__ import annotations

from enum import Enum


class Worded(Enum):
    """One of a few: in a text it is the word that it stands for."""

    def __str__(self) -> str:
        return str(self.value)
