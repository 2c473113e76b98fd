"""Split a log into its entries, so that each can be parsed alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_LOG: Final = re.compile(r"log:(?:[ \t]*|[ \t]+#.*)")


class Outline(NamedTuple):
    """The positions of the entries of a session file: the lines of their dashes, counted from 0. The lines
    above the first are the head of the file; the last entry ends with the file."""

    dashes: list[int]
    column: int
    """The column of the dashes, counted from 0."""


def outline(lines: Sequence[str]) -> Outline | None:
    """Find the entries of the list under ``log:``.

    An entry goes from its dash to the line before the next dash in the same column. Its other lines are
    indented more, including texts over several lines, brackets and quotes.

    Returns:
        None if the list is not at the end of the file, or its items are not one below the other.
    """
    count = len(lines)
    first = next((number + 1 for number in range(count) if _LOG.fullmatch(lines[number])), count)
    while first < count and _is_idle(lines[first]):
        first += 1
    if first == count:
        return None
    column = len(lines[first]) - len(lines[first].lstrip(" "))
    dash = " " * column + "-"
    dashes: list[int] = []
    for number in range(first, count):
        line = lines[number]
        if line.startswith(dash) and line[column + 1 : column + 2] in ("", " "):
            dashes.append(number)
        elif line[: column + 1].strip(" ") and not _is_idle(line):
            return None
    return Outline(dashes, column) if dashes and dashes[0] == first else None


def _is_idle(line: str) -> bool:
    """Whether a line is empty or holds a comment alone."""
    return line.lstrip(" ")[:1] in ("", "#")
