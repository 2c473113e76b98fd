"""Two changes of one text made one, where they do not touch."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from chronicle.core.source import same_ends


class _Hunk(NamedTuple):
    """Lines ``start`` to before ``end`` of the old text, and what stands there instead."""

    start: int
    end: int
    lines: tuple[str, ...]


def merged(base: str, mine: str, theirs: str) -> str | None:
    """What becomes of ``base`` if it is changed in both ways; None where the two touch."""
    if mine == theirs or theirs == base:
        return mine
    if mine == base:
        return theirs
    old = base.splitlines(keepends=True)
    both = sorted({*_hunks(old, mine), *_hunks(old, theirs)})
    for one, other in pairwise(both):
        if one.end > other.start or one.start == other.start:
            return None
    for one in reversed(both):
        old[one.start : one.end] = one.lines
    return "".join(old)


def rebased(base: str | None, mine: str | None, theirs: str | None) -> tuple[str | None] | None:
    """A file's new text where the file holds ``theirs`` by now and ``mine`` was made from ``base``.

    A text that is None stands for no file. The result is in a tuple; None where the two changes touch.
    """
    if theirs in (base, mine):
        return (mine,)
    if base is None or mine is None or theirs is None:
        return None
    text = merged(base, mine, theirs)
    return None if text is None else (text,)


def moved_line(base: str, now: str, line: int) -> int | None:
    """Where a line of a text (counted from 1) stands in another version of it; None if it was changed
    there."""
    old = base.splitlines(keepends=True)
    shift = 0
    for one in _hunks(old, now):
        if one.start <= line - 1 < one.end:
            return None
        if one.end <= line - 1:
            shift += len(one.lines) - (one.end - one.start)
    return line + shift


def hunks(before: str, after: str) -> list[tuple[int, int, str, str]]:
    """What differs between two texts: the first and the last line of the old one (counted from 1; the
    last before the first where lines are only added), its text and the new one."""
    old = before.splitlines(keepends=True)
    return [
        (one.start + 1, one.end, "".join(old[one.start : one.end]), "".join(one.lines))
        for one in _hunks(old, after)
    ]


def _hunks(old: list[str], text: str) -> list[_Hunk]:
    new = text.splitlines(keepends=True)
    # Most of two versions is the same, and the comparison of what is not takes its square.
    ahead, behind = same_ends(old, new)
    here, there = old[ahead : len(old) - behind], new[ahead : len(new) - behind]
    matcher = SequenceMatcher(None, here, there, autojunk=False)
    return [
        _Hunk(ahead + start, ahead + end, tuple(there[first:last]))
        for tag, start, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]
