"""Who and what is meant by every word of a campaign, and where it was given its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chronicle.campaigns import overhear
from chronicle.core.book import Book
from chronicle.core.names import Named
from chronicle.core.record import Record, Step
from chronicle.core.source import Place
from chronicle.desk.room import Opened


class Mention(NamedTuple):
    """A stretch of a file by which something is meant."""

    place: Place
    id: str


class Index:
    """The mentions of a campaign as its files are now."""

    def __init__(self, opened: Opened) -> None:
        record = opened.resident.record
        if record is None:
            raise opened.unreadable()
        self.record = record
        self.heard, self.names = overhear(record.campaign)
        self._book: Book | None = None
        self._lines = {one.name: opened.text(one.name).splitlines() for one in opened.files()}
        self._starts: dict[str, list[tuple[int, Step]]] = {}
        self.entries: dict[str, Place] = {}
        """Where the entries with an id stand, by these."""
        for step in self.heard.steps:
            whole = step.action.whole
            self._starts.setdefault(whole.path, []).append((whole.line, step))
            if step.action.id:
                self.entries[str(step.action.id)] = whole

    def book(self) -> Book:
        """What readers are shown of it, with what is secret left out."""
        if self._book is None:
            from chronicle.campaigns import book_of, for_readers, run

            self._book = book_of(run(for_readers(self.record.campaign)))
        return self._book

    def line(self, file: str, number: int) -> str:
        """A line of a file."""
        lines = self._lines.get(file, [])
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def step(self, file: str, line: int) -> Step | None:
        """The entry that stands on a line, or the last one above it."""
        above = [step for start, step in self._starts.get(file, ()) if start <= line]
        return above[-1] if above else None

    def mentions(self, file: str) -> Iterator[Mention]:
        """Every word of a file by which just one thing is meant."""
        for (line, column, word), ids in self.names.overheard.get(file, {}).items():
            if len(ids) == 1:
                found = self.place(file, line, column, word)
                if found is not None:
                    yield Mention(found, next(iter(ids)))

    def place(self, file: str, line: int, column: int, word: str) -> Place | None:
        """Where a word stands that lies in a text that begins at a place."""
        row = self.line(file, line)
        at = row.find(word, max(column - 1, 0))
        if at < 0:
            return None
        return Place(file, line, at + 1, line, at + 1 + len(word))

    def at(self, file: str, line: int, column: int) -> Mention | None:
        """What is meant where somebody points; the shortest, where one lies within another."""
        found = [
            one
            for one in self.mentions(file)
            if one.place.line == line and one.place.column <= column <= one.place.end_column
        ]
        return min(found, key=lambda one: one.place.end_column - one.place.column, default=None)

    def named(self, id: str) -> Named | None:
        """Something by its id."""
        return self.names.all.get(id)

    def given(self, id: str) -> Place | None:
        """Where something got its first name."""
        for path, found in self.names.given.items():
            for lines, one, name in found:
                if one == id and path:
                    return self._found(path, lines, name)
        return None

    def _found(self, path: str, lines: range, name: str) -> Place:
        for number in lines:
            place = self.place(path, number, 1, name)
            if place is not None:
                return place
        first = max(lines.start, 1)
        return Place(path, first, 1, first, 1 + len(self.line(path, first)))

    def introduced(self, file: str) -> Iterator[tuple[int, Named]]:
        """What gets its first name in a file, with the line of the entry."""
        seen: set[str] = set()
        for lines, id, _ in self.names.given.get(file, ()):
            named = self.names.all.get(id)
            if named is not None and id not in seen and lines.start:
                seen.add(id)
                yield lines.start, named

    def references(self, id: str) -> list[Place]:
        """Every place at which something is meant."""
        return [
            one.place
            for file in self.names.overheard
            for one in self.mentions(file)
            if one.id == id
        ]


def index(opened: Opened) -> Index:
    """The index of a campaign; the same one until something changes."""
    record: Record | None = opened.resident.record
    kept = opened.kept.get("index")
    if isinstance(kept, Index) and kept.record is record:
        return kept
    made = opened.kept["index"] = Index(opened)
    return made
