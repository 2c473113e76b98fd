"""Holes in a record: what they make uncertain, since when, and what ends them.

Whatever was established before a hole may have changed in it, and what happens in an open one may rest on
what nobody wrote down. So every question is asked with its date: what was so at entry 12 is unknown if a
hole about such things lies after it, until the table counts or says it anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic

EVERYTHING: Final = "everything"
ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "turns": "whose turn it is",
        "pools": "dice that lie ready, and whose they are",
        "purses": "what everybody has to spend",
        "tracks": "figures of people and of the story",
        "cast": "who is there, and who Controls whom",
        EVERYTHING: "all of that, and whatever else was due",
    }
)
"""What a hole may make uncertain."""


@dataclass(slots=True, eq=False, repr=False)
class Hole:
    """One hole: the entry that tells of it, what it makes uncertain, the verb or the id that ends it
    (empty: it is no longer than that entry), the entry that did, and what was found because of it."""

    step: int
    about: frozenset[str]
    until: str = ""
    ended: int = 0
    told: Diagnostic | None = None

    @property
    def open(self) -> bool:
        """Whether it goes on."""
        return bool(self.until) and not self.ended


@dataclass(slots=True, eq=False, repr=False)
class Holes:
    """All holes of a record so far."""

    found: list[Hole] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    """Single figures of which the record does not say all, to the entry since which it does not."""

    def last(self, about: str, now: int) -> Hole | None:
        """The last hole about something; ``now`` is the entry at work."""
        best: Hole | None = None
        for hole in self.found:
            fits = EVERYTHING in hole.about or about in hole.about
            if fits and (best is None or self.reach(hole, now) >= self.reach(best, now)):
                best = hole
        return best

    @staticmethod
    def reach(hole: Hole, now: int) -> int:
        """Everything established before this entry is uncertain for the hole."""
        return now if hole.open else hole.ended or hole.step

    def open(self, step: int, about: Sequence[str], until: str) -> None:
        """A hole begins."""
        self.found.append(Hole(step, frozenset(about or (EVERYTHING,)), until))

    def meet(self, step: int, words: tuple[str, str]) -> None:
        """An entry, by its verb and its id, may end the holes that wait for it."""
        for hole in self.found:
            if hole.open and hole.until in words and hole.step < step:
                hole.ended = step
