"""Parse one line of a log as a person reads it, even if it is no valid YAML."""

from __future__ import annotations

import re
from typing import NamedTuple

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.source import Place
from chronicle.syntax.problems import problem

KEY_LINE = (
    r"(?P<lead>[ ]*(?:-[ ]+)*)"
    r"(?P<key>\"[^\"]*\"|'[^']*'|[^\s'\"\[\]{}#&*!|>%@`,?:-][^:#\[\]{}]*?|[?:-][^\s:#\[\]{}][^:#\[\]{}]*?)"
    r"[ ]*:(?:[ \t]+(?P<value>.*)|$)"
)
_DASH_LINE = r"[ ]*(?:-[ ]+)+(?P<value>.*)"
BLOCK_TEXT_OPENER = r"[|>][+-]?[1-9]?[+-]?\s*(?:[ ]#.*)?$"
BAD_ESCAPE = r"(?<!\\)(?:\\\\)*(\\(?![0abtnvfre \t\n\"/\\N_LP]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}).?)"

Explanation = tuple[Diagnostic, list[str] | None]
"""The problem of some lines, and the corrected lines (None if they cannot be corrected)."""


class KeyLine(NamedTuple):
    """One line as a person reads it: a key, a value, the column of the value (from 0)."""

    key: str
    value: str
    value_column: int
    indent: int


def split_key_line(line: str) -> KeyLine:
    """Parse a line: a key with its value, or a value alone, with or without a dash."""
    key_match = re.match(KEY_LINE, line)
    if key_match is not None:
        value = key_match["value"]
        value_column = key_match.start("value") if value is not None else len(line)
        return KeyLine(key_match["key"], value or "", value_column, len(key_match["lead"]))
    dash_match = re.match(_DASH_LINE, line)
    if dash_match is not None:
        return KeyLine(
            "", dash_match["value"], dash_match.start("value"), dash_match.start("value")
        )
    line_without_indent = line.lstrip(" ")
    return KeyLine(
        "",
        line_without_indent,
        len(line) - len(line_without_indent),
        len(line) - len(line_without_indent),
    )


def indent_of(line: str) -> int:
    """The number of spaces at the start of a line."""
    return len(line) - len(line.lstrip(" "))


def comment_start_in(text: str) -> int:
    """The start of a comment that is certainly one: a hash with space on both sides."""
    comment_match = re.search(r"(?<!\s)(?:\s+#(?=\s|$|>)|\s{2,}#)", text)
    return comment_match.start() if comment_match else len(text)


def quote_end(text: str, quote_start: int) -> int:
    """The index after the quote that closes the quote at ``quote_start``; -1 if it is not closed."""
    quote_sign = text[quote_start]
    character_index = quote_start + 1
    while character_index < len(text):
        if text[character_index] == "\\" and quote_sign == '"':
            character_index += 2
            continue
        if text[character_index] == quote_sign:
            if quote_sign == "'" and text[character_index + 1 : character_index + 2] == "'":
                character_index += 2
                continue
            return character_index + 1
        character_index += 1
    return -1


def end_of_bracketed_value(line: str, value_column: int) -> int:
    """The position of the next comma or closing bracket, or the end of the text in the line."""
    delimiter_match = re.search(r"[,\]}]", line[value_column:])
    return value_column + delimiter_match.start() if delimiter_match else len(line.rstrip())


def replace_line(lines: list[str], line_index: int, new_line: str) -> list[str]:
    """The lines with the line at ``line_index`` replaced."""
    return [*lines[:line_index], new_line, *lines[line_index + 1 :]]


def place_at(
    path: str, first_line_number: int, line_index: int, start_column: int, end_column: int
) -> Place:
    """A place in line ``line_index`` of a piece; ``start_column`` and ``end_column`` count from 0."""
    return Place(
        path,
        first_line_number + line_index,
        start_column + 1,
        first_line_number + line_index,
        max(end_column, start_column + 1) + 1,
    )


def text_before_value(key: str) -> str:
    """The text before a value in a message: its key, or the dash."""
    return f"{key}: " if key else "- "


def bad_escape_problem(
    path: str, first_line_number: int, line_index: int, column: int, escape_text: str
) -> Diagnostic:
    """The problem of a backslash in double quotes that starts no escape."""
    return problem(
        "T14",
        f"in double quotes a backslash starts an escape, and {escape_text} is none",
        place_at(path, first_line_number, line_index, column, column + len(escape_text)),
        "write the text in single quotes, or every backslash twice",
    )
