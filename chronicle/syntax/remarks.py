"""Remarks in a log: generated comments (``#>``) that say what each entry does."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Final

from chronicle.core.source import MappingNode
from chronicle.syntax.text_edit import checked, newline_of, split_rows, text_lines, tree_of

MOST_WIDE: Final = 100
"""A line with a remark gets no wider. A longer remark has lines of its own above the entry."""


def strip(text: str, path: str) -> str:
    """Remove the remarks. Comments that start with ``#`` stay."""
    tree = tree_of(text, path)
    lines = _without_remarks(text, tree)
    return checked(tree, "".join(line + end for line, end, _ in lines), path)


def annotate(text: str, path: str, remarks: Mapping[tuple[str, int], str]) -> str:
    """Write remarks in place of all older ones.

    Args:
        text: The text of the file.
        path: Its name.
        remarks: The words for each name and line. They go to the end of the line, or above it if they
            would make it too wide.
    """
    tree = tree_of(text, path)
    texts = text_lines(tree)
    newline = newline_of(text)
    annotated: list[str] = []
    for line, end, number in _without_remarks(text, tree):
        words = " ".join(remarks.get((path, number), "").split())
        if not words or number in texts.blocks or not line.strip():
            annotated.append(line + end)
            continue
        joined = f"{line}  #> {words}"
        if len(joined) <= MOST_WIDE and number not in texts.continued and " #" not in line:
            annotated.append(joined + end)
            continue
        indent = " " * (len(line) - len(line.lstrip(" ")))
        width = max(MOST_WIDE - len(indent) - 3, 30)
        annotated += [f"{indent}#> {row}{end or newline}" for row in textwrap.wrap(words, width)]
        annotated.append(line + end)
    return checked(tree, "".join(annotated), path)


def _without_remarks(text: str, tree: MappingNode) -> list[tuple[str, str, int]]:
    """The lines without remarks, with their line breaks and their numbers in the text."""
    texts = text_lines(tree)
    lines: list[tuple[str, str, int]] = []
    for number, (line, end) in enumerate(split_rows(text), 1):
        if number not in texts.blocks:
            if line.lstrip(" ").startswith("#>"):
                continue
            for match in re.finditer(r"(?<![ \t])[ \t]+#>", line):
                if not texts.is_text(number, match.end() - 1):
                    line = line[: match.start()]
                    break
        lines.append((line, end, number))
    return lines
