"""Merge two changes of one text that do not overlap."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from chronicle.core.source import count_equal_ends


class _Hunk(NamedTuple):
    """Lines ``start`` up to, not including, ``end`` of the old text, and their replacement."""

    start: int
    end: int
    new_lines: tuple[str, ...]


def merge_texts(base_text: str, own_text: str, other_text: str) -> str | None:
    """Merge two changed versions of ``base_text``; None if the changes overlap."""
    if own_text == other_text or other_text == base_text:
        return own_text
    if own_text == base_text:
        return other_text
    base_lines = base_text.splitlines(keepends=True)
    all_hunks = sorted({*_hunks(base_lines, own_text), *_hunks(base_lines, other_text)})
    for hunk, next_hunk in pairwise(all_hunks):
        if hunk.end > next_hunk.start or hunk.start == next_hunk.start:
            return None
    for hunk in reversed(all_hunks):
        base_lines[hunk.start : hunk.end] = hunk.new_lines
    return "".join(base_lines)


def rebase_text(
    base_text: str | None, own_text: str | None, other_text: str | None
) -> tuple[str | None] | None:
    """The new text of a file that now contains ``other_text``, where ``own_text`` was made from ``base_text``.

    None means no file. The result is in a tuple; None if the two changes overlap."""
    if other_text in (base_text, own_text):
        return (own_text,)
    if base_text is None or own_text is None or other_text is None:
        return None
    merged_text = merge_texts(base_text, own_text, other_text)
    return None if merged_text is None else (merged_text,)


def current_line_number(base_text: str, current_text: str, line: int) -> int | None:
    """The number of a line (from 1) in another version of a text; None if the line was changed."""
    base_lines = base_text.splitlines(keepends=True)
    added_line_count = 0
    for hunk in _hunks(base_lines, current_text):
        if hunk.start <= line - 1 < hunk.end:
            return None
        if hunk.end <= line - 1:
            added_line_count += len(hunk.new_lines) - (hunk.end - hunk.start)
    return line + added_line_count


def differences(old_text: str, new_text: str) -> list[tuple[int, int, str, str]]:
    """The differences of two texts: first and last line of the old text (from 1; the last before the first
    if lines are only added), its text, and the new text."""
    old_lines = old_text.splitlines(keepends=True)
    return [
        (
            hunk.start + 1,
            hunk.end,
            "".join(old_lines[hunk.start : hunk.end]),
            "".join(hunk.new_lines),
        )
        for hunk in _hunks(old_lines, new_text)
    ]


def _hunks(old_lines: list[str], new_text: str) -> list[_Hunk]:
    new_lines = new_text.splitlines(keepends=True)
    # Most lines are equal, and comparing the others takes quadratic time.
    common_start_count, common_end_count = count_equal_ends(old_lines, new_lines)
    differing_old_lines, differing_new_lines = (
        old_lines[common_start_count : len(old_lines) - common_end_count],
        new_lines[common_start_count : len(new_lines) - common_end_count],
    )
    matcher = SequenceMatcher(None, differing_old_lines, differing_new_lines, autojunk=False)
    return [
        _Hunk(
            common_start_count + old_start,
            common_start_count + old_end,
            tuple(differing_new_lines[new_start:new_end]),
        )
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]
