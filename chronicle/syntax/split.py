"""Split a log into its entries, so that each can be parsed alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_LOG_LINE: Final = re.compile(r"log:(?:[ \t]*|[ \t]+#.*)")


class Outline(NamedTuple):
    """The positions of the entries of a session file: the lines of their dashes, counted from 0. The lines
    above the first are the head of the file; the last entry ends with the file."""

    dash_rows: list[int]
    dash_column: int
    """The column of the dashes, counted from 0."""


def find_outline(lines: Sequence[str]) -> Outline | None:
    """Find the entries of the list under ``log:``.

    An entry goes from its dash to the line before the next dash in the same column. Its other lines are
    indented more, including texts over several lines, brackets and quotes.

    Returns:
        None if the list is not at the end of the file, or its items are not one below the other.
    """
    line_count = len(lines)
    first_entry_row = next(
        (row + 1 for row in range(line_count) if _LOG_LINE.fullmatch(lines[row])), line_count
    )
    while first_entry_row < line_count and _is_blank_or_comment(lines[first_entry_row]):
        first_entry_row += 1
    if first_entry_row == line_count:
        return None
    dash_column = len(lines[first_entry_row]) - len(lines[first_entry_row].lstrip(" "))
    dash_start = " " * dash_column + "-"
    dash_rows: list[int] = []
    for row in range(first_entry_row, line_count):
        line = lines[row]
        if line.startswith(dash_start) and line[dash_column + 1 : dash_column + 2] in ("", " "):
            dash_rows.append(row)
        elif line[: dash_column + 1].strip(" ") and not _is_blank_or_comment(line):
            return None
    return (
        Outline(dash_rows, dash_column) if dash_rows and dash_rows[0] == first_entry_row else None
    )


def _is_blank_or_comment(line: str) -> bool:
    """Whether a line is empty or holds a comment alone."""
    return line.lstrip(" ")[:1] in ("", "#")
