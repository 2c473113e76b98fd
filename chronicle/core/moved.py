"""Entries that say what they said and stand in other lines: a line more above them is no reason to play them
again. They are moved as they are, so that everybody who knows them knows where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any, ClassVar

from chronicle.core.declare import Action, Part
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.source import Entries, Items, Laid, Place, Word

_PLAIN = (str, int, float, bool, type(None), Enum, range)
_OWN = frozenset({"step"})
"""What an action knows from play, and not from its file."""


class Moved:
    """From a line of a file on, as it was counted before, all stand so many ``lines`` further down."""

    kinds: ClassVar[frozenset[type]] = frozenset({Place})

    def __init__(self, path: str, line: int, lines: int) -> None:
        self.path, self.line, self.lines = path, line, lines

    def of(self, place: Place) -> Place:
        """Where something stands now that stood at a place."""
        if place.path != self.path or place.line < self.line:
            return place
        return place._replace(line=place.line + self.lines, end_line=place.end_line + self.lines)

    def findings(self, found: Iterable[Diagnostic]) -> None:
        """Let findings say where that stands now what they are about."""
        for one in {id(one): one for one in found}.values():
            one.place = self.of(one.place)
            if one.facts:
                one.facts = tuple(
                    fact if fact.place is None else fact._replace(place=self.of(fact.place))
                    for fact in one.facts
                )


def move_together(
    pairs: Iterable[tuple[Action, Action]], path: str, *, stay: bool = False
) -> tuple[list[Action], Moved | None]:
    """Of entries, the last one first, each with what was read in its place: those, down from there, that
    say the same in other lines, moved there; and how far, if there are any. If they are to ``stay``, they
    are left where they stand."""
    moved: list[Action] = []
    stood = lines = 0
    seen: dict[int, Word | Items | Entries] = {}
    for old, new in pairs:
        if not moved:
            lines = new.whole.line - old.whole.line
        here: dict[int, Word | Items | Entries] = {}
        if not lines or not _alike(old, new, lines, here):
            break
        moved.append(old)
        stood = old.whole.line
        seen |= here
    if stay:
        return moved, None
    for one in seen.values():
        one.line += lines
        if isinstance(one, Laid | Items | Entries):
            one.end_line += lines
    return moved, Moved(path, stood, lines) if moved else None


def _alike(old: Any, new: Any, lines: int, seen: dict[int, Word | Items | Entries]) -> bool:
    """Whether a value says the same as another that stands so many lines further down. What has a place
    in it is gathered in ``seen``."""
    todo: list[tuple[Any, Any]] = [(old, new)]
    while todo:
        one, other = todo.pop()
        if one is other and isinstance(one, _PLAIN) and not isinstance(one, Word):
            continue
        if type(one) is not type(other):
            return False
        if isinstance(one, Word | Items | Entries):
            if not _further(one, other, lines):
                return False
            seen[id(one)] = one
        if isinstance(one, Action | Part):
            mine = {name: it for name, it in vars(one).items() if name not in _OWN}
            others = {name: it for name, it in vars(other).items() if name not in _OWN}
            if mine.keys() != others.keys():
                return False
            todo += ((it, others[name]) for name, it in mine.items())
        elif isinstance(one, _PLAIN):
            if one != other:
                return False
        elif isinstance(one, dict):
            if len(one) != len(other):
                return False
            todo += zip(one.keys(), other.keys(), strict=True)
            todo += zip(one.values(), other.values(), strict=True)
        elif isinstance(one, list | tuple) and not isinstance(one, Place):
            if len(one) != len(other):
                return False
            todo += zip(one, other, strict=True)
        else:
            # Whatever this is, nobody knows how to move it.
            return False
    return True


def _further(one: Any, other: Any, lines: int) -> bool:
    if isinstance(one, Word) and one.style != other.style:
        return False
    return bool(
        # What stands nowhere is not moved.
        other.line - one.line == other.end_line - one.end_line == lines
        and one.column == other.column
        and one.end_column == other.end_column
    )
