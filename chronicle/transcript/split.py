"""A log cut into its entries, so that each can be read by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_LOG: Final = re.compile(r"log:(?:[ \t]*|[ \t]+#.*)")


class Outline(NamedTuple):
    """Where the entries of a session file stand: the lines in which their dashes do, counted from 0. What is
    above the first is the head of the file; the last entry goes to its end."""

    dashes: list[int]
    column: int
    """The column of the dashes, counted from 0."""


def outline(lines: Sequence[str]) -> Outline | None:
    """Find the entries of the list under ``log:``.

    An entry goes from its dash to the line before the next dash in the same column. Whatever belongs to it is
    indented more than that: texts over several lines, brackets and quotes that are closed further down.

    Returns:
        None if the list does not stand at the end of the file with one item below the other.
    """
    count = len(lines)
    first = next((n + 1 for n in range(count) if _LOG.fullmatch(lines[n])), count)
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
