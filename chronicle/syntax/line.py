"""Parse one line of a log as a person reads it, even if it is no valid YAML."""

from __future__ import annotations

import re
from typing import NamedTuple

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.source import Place
from chronicle.syntax.problems import problem

KEY = (
    r"(?P<lead>[ ]*(?:-[ ]+)*)"
    r"(?P<key>\"[^\"]*\"|'[^']*'|[^\s'\"\[\]{}#&*!|>%@`,?:-][^:#\[\]{}]*?|[?:-][^\s:#\[\]{}][^:#\[\]{}]*?)"
    r"[ ]*:(?:[ \t]+(?P<value>.*)|$)"
)
_DASH = r"[ ]*(?:-[ ]+)+(?P<value>.*)"
BLOCK_OPENER = r"[|>][+-]?[1-9]?[+-]?\s*(?:[ ]#.*)?$"
ESCAPE = r"(?<!\\)(?:\\\\)*(\\(?![0abtnvfre \t\n\"/\\N_LP]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}).?)"

Answer = tuple[Diagnostic, list[str] | None]
"""The problem of some lines, and the corrected lines (None if they cannot be corrected)."""


class Line(NamedTuple):
    """One line as a person reads it: a key, a value, the column of the value (from 0)."""

    key: str
    value: str
    at: int
    indent: int


def parts_of(line: str) -> Line:
    """Parse a line: a key with its value, or a value alone, with or without a dash."""
    match = re.match(KEY, line)
    if match is not None:
        value = match["value"]
        column = match.start("value") if value is not None else len(line)
        return Line(match["key"], value or "", column, len(match["lead"]))
    dash = re.match(_DASH, line)
    if dash is not None:
        return Line("", dash["value"], dash.start("value"), dash.start("value"))
    stripped = line.lstrip(" ")
    return Line("", stripped, len(line) - len(stripped), len(line) - len(stripped))


def indent_of(line: str) -> int:
    """The number of spaces at the start of a line."""
    return len(line) - len(line.lstrip(" "))


def comment_at(text: str) -> int:
    """The start of a comment that is certainly one: a hash with space on both sides."""
    match = re.search(r"(?<!\s)(?:\s+#(?=\s|$|>)|\s{2,}#)", text)
    return match.start() if match else len(text)


def quote_end(text: str, start: int) -> int:
    """The index after the quote that closes the quote at ``start``; -1 if it is not closed."""
    mark = text[start]
    index = start + 1
    while index < len(text):
        if text[index] == "\\" and mark == '"':
            index += 2
            continue
        if text[index] == mark:
            if mark == "'" and text[index + 1 : index + 2] == "'":
                index += 2
                continue
            return index + 1
        index += 1
    return -1


def end_of_value(line: str, column: int) -> int:
    """The position of the next comma or closing bracket, or the end of the text in the line."""
    sign = re.search(r"[,\]}]", line[column:])
    return column + sign.start() if sign else len(line.rstrip())


def replaced_at(lines: list[str], index: int, line: str) -> list[str]:
    """The lines with the line at ``index`` replaced."""
    return [*lines[:index], line, *lines[index + 1 :]]


def place_at(path: str, first: int, index: int, start: int, end: int) -> Place:
    """A place in line ``index`` of a piece; ``start`` and ``end`` count from 0."""
    return Place(path, first + index, start + 1, first + index, max(end, start + 1) + 1)


def text_before_value(key: str) -> str:
    """The text before a value in a message: its key, or the dash."""
    return f"{key}: " if key else "- "


def bad_escape(path: str, first: int, row: int, column: int, typed: str) -> Diagnostic:
    """The problem of a backslash in double quotes that starts no escape."""
    return problem(
        "T14",
        f"in double quotes a backslash starts an escape, and {typed} is none",
        place_at(path, first, row, column, column + len(typed)),
        "write the text in single quotes, or every backslash twice",
    )
