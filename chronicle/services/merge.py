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


def merged(base: str, own: str, foreign: str) -> str | None:
    """Merge two changed versions of ``base``; None if the changes overlap."""
    if own == foreign or foreign == base:
        return own
    if own == base:
        return foreign
    old = base.splitlines(keepends=True)
    all_hunks = sorted({*_hunks(old, own), *_hunks(old, foreign)})
    for hunk, next_hunk in pairwise(all_hunks):
        if hunk.end > next_hunk.start or hunk.start == next_hunk.start:
            return None
    for hunk in reversed(all_hunks):
        old[hunk.start : hunk.end] = hunk.lines
    return "".join(old)


def rebased(base: str | None, own: str | None, foreign: str | None) -> tuple[str | None] | None:
    """The new text of a file that now contains ``foreign``, where ``own`` was made from ``base``.

    None means no file. The result is in a tuple; None if the two changes overlap."""
    if foreign in (base, own):
        return (own,)
    if base is None or own is None or foreign is None:
        return None
    text = merged(base, own, foreign)
    return None if text is None else (text,)


def moved_line(base: str, current: str, line: int) -> int | None:
    """The number of a line (from 1) in another version of a text; None if the line was changed."""
    old = base.splitlines(keepends=True)
    shift = 0
    for hunk in _hunks(old, current):
        if hunk.start <= line - 1 < hunk.end:
            return None
        if hunk.end <= line - 1:
            shift += len(hunk.lines) - (hunk.end - hunk.start)
    return line + shift


def hunks(old_text: str, new_text: str) -> list[tuple[int, int, str, str]]:
    """The differences of two texts: first and last line of the old text (from 1; the last before the first
    if lines are only added), its text, and the new text."""
    old = old_text.splitlines(keepends=True)
    return [
        (hunk.start + 1, hunk.end, "".join(old[hunk.start : hunk.end]), "".join(hunk.lines))
        for hunk in _hunks(old, new_text)
    ]


def _hunks(old: list[str], text: str) -> list[_Hunk]:
    new = text.splitlines(keepends=True)
    # Most lines are equal, and comparing the others takes quadratic time.
    common_start, common_end = count_equal_ends(old, new)
    old_part, new_part = (
        old[common_start : len(old) - common_end],
        new[common_start : len(new) - common_end],
    )
    matcher = SequenceMatcher(None, old_part, new_part, autojunk=False)
    return [
        _Hunk(common_start + start, common_start + end, tuple(new_part[first:last]))
        for tag, start, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]
