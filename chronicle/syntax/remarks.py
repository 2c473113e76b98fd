"""Remarks in a log: generated comments (``#>``) that say what each entry does."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Final, NamedTuple

from chronicle.core.source import MappingNode
from chronicle.syntax.text_edit import (
    confirm_edit,
    find_text_lines,
    newline_of,
    split_rows,
    tree_of,
)

MAX_LINE_WIDTH: Final = 100
"""A line with a remark gets no wider. A longer remark has lines of its own above the entry."""


class NumberedLine(NamedTuple):
    """A line without its remark, its line break, and its number in the text with remarks."""

    text: str
    line_break: str
    number: int


def remove_remarks(log_text: str, path: str) -> str:
    """Remove the remarks. Comments that start with ``#`` stay."""
    tree = tree_of(log_text, path)
    lines = _lines_without_remarks(log_text, tree)
    return confirm_edit(tree, "".join(line.text + line.line_break for line in lines), path)


def write_remarks(
    log_text: str, path: str, remark_by_position: Mapping[tuple[str, int], str]
) -> str:
    """Write remarks in place of all older ones.

    Args:
        log_text: The text of the file.
        path: Its name.
        remark_by_position: The words for each name and line. They go to the end of the line, or above it if they
            would make it too wide.
    """
    tree = tree_of(log_text, path)
    lines_in_texts = find_text_lines(tree)
    newline = newline_of(log_text)
    annotated_lines: list[str] = []
    for line, line_break, line_number in _lines_without_remarks(log_text, tree):
        remark = " ".join(remark_by_position.get((path, line_number), "").split())
        if not remark or line_number in lines_in_texts.block_lines or not line.strip():
            annotated_lines.append(line + line_break)
            continue
        line_with_remark = f"{line}  #> {remark}"
        if (
            len(line_with_remark) <= MAX_LINE_WIDTH
            and line_number not in lines_in_texts.continued_lines
            and " #" not in line
        ):
            annotated_lines.append(line_with_remark + line_break)
            continue
        indentation = " " * (len(line) - len(line.lstrip(" ")))
        remark_width = max(MAX_LINE_WIDTH - len(indentation) - 3, 30)
        annotated_lines += [
            f"{indentation}#> {row}{line_break or newline}"
            for row in textwrap.wrap(remark, remark_width)
        ]
        annotated_lines.append(line + line_break)
    return confirm_edit(tree, "".join(annotated_lines), path)


def _lines_without_remarks(log_text: str, tree: MappingNode) -> list[NumberedLine]:
    """The lines of a text without its remarks."""
    lines_in_texts = find_text_lines(tree)
    lines: list[NumberedLine] = []
    for line_number, (line, line_break) in enumerate(split_rows(log_text), 1):
        if line_number not in lines_in_texts.block_lines:
            if line.lstrip(" ").startswith("#>"):
                continue
            for remark_match in re.finditer(r"(?<![ \t])[ \t]+#>", line):
                if not lines_in_texts.is_quoted(line_number, remark_match.end() - 1):
                    line = line[: remark_match.start()]
                    break
        lines.append(NumberedLine(line, line_break, line_number))
    return lines
