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
    lines: tuple[str, ...]


def merge_texts(base: str, own: str, foreign: str) -> str | None:
    """Merge two changed versions of ``base``; None if the changes overlap."""
    if own == foreign or foreign == base:
        return own
    if own == base:
        return foreign
    base_lines = base.splitlines(keepends=True)
    all_hunks = sorted({*_hunks(base_lines, own), *_hunks(base_lines, foreign)})
    for hunk, next_hunk in pairwise(all_hunks):
        if hunk.end > next_hunk.start or hunk.start == next_hunk.start:
            return None
    for hunk in reversed(all_hunks):
        base_lines[hunk.start : hunk.end] = hunk.lines
    return "".join(base_lines)


def rebase_text(base: str | None, own: str | None, foreign: str | None) -> tuple[str | None] | None:
    """The new text of a file that now contains ``foreign``, where ``own`` was made from ``base``.

    None means no file. The result is in a tuple; None if the two changes overlap."""
    if foreign in (base, own):
        return (own,)
    if base is None or own is None or foreign is None:
        return None
    text = merge_texts(base, own, foreign)
    return None if text is None else (text,)


def current_line_number(base: str, current: str, line: int) -> int | None:
    """The number of a line (from 1) in another version of a text; None if the line was changed."""
    base_lines = base.splitlines(keepends=True)
    added_count = 0
    for hunk in _hunks(base_lines, current):
        if hunk.start <= line - 1 < hunk.end:
            return None
        if hunk.end <= line - 1:
            added_count += len(hunk.lines) - (hunk.end - hunk.start)
    return line + added_count


def differences(old_text: str, new_text: str) -> list[tuple[int, int, str, str]]:
    """The differences of two texts: first and last line of the old text (from 1; the last before the first
    if lines are only added), its text, and the new text."""
    old_lines = old_text.splitlines(keepends=True)
    return [
        (hunk.start + 1, hunk.end, "".join(old_lines[hunk.start : hunk.end]), "".join(hunk.lines))
        for hunk in _hunks(old_lines, new_text)
    ]


def _hunks(old_lines: list[str], new_text: str) -> list[_Hunk]:
    new_lines = new_text.splitlines(keepends=True)
    # Most lines are equal, and comparing the others takes quadratic time.
    common_start_count, common_end_count = count_equal_ends(old_lines, new_lines)
    differing_old, differing_new = (
        old_lines[common_start_count : len(old_lines) - common_end_count],
        new_lines[common_start_count : len(new_lines) - common_end_count],
    )
    matcher = SequenceMatcher(None, differing_old, differing_new, autojunk=False)
    return [
        _Hunk(
            common_start_count + start, common_start_count + end, tuple(differing_new[first:last])
        )
        for tag, start, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]
