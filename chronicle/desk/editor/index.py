"""Who and what is meant by every word of a campaign, and where it was given its name.

The replay that a campaign stays in memory with listens on its way (:class:`~chronicle.core.names.Heard`),
so after a change only what comes after it is heard again, and of each file only what is asked for is
looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from chronicle.core.book import Book, Sheet
from chronicle.core.names import Named, Overheard
from chronicle.core.record import Record, Step
from chronicle.core.source import Place
from chronicle.desk.room import Opened
from chronicle.games import rulebook


class Mention(NamedTuple):
    """A stretch of a file by which something is meant."""

    place: Place
    id: str


class _Found(NamedTuple):
    """The mentions of a file, and what they were made of."""

    heard: list[Any]
    given: list[Any]
    text: str
    mentions: tuple[Mention, ...]


_NOTHING: Final[list[Any]] = []


class Index:
    """The mentions of a campaign as its files are now. ``before`` is the index of how they were: what was
    found in files that have not changed is taken from there."""

    def __init__(self, opened: Opened, before: Index | None = None) -> None:
        record = opened.resident.record
        if record is None:
            raise opened.unreadable()
        assert isinstance(record.names, Overheard)
        self.record = record
        self.names = record.names
        self._opened = opened
        self._sheets: dict[str, list[Sheet]] = {}
        self._lines: dict[str, list[str]] = {}
        self._found: dict[str, _Found] = before._found if before is not None else {}
        self._files: dict[str, str] | None = None

    def sheets(self, about: str = "") -> list[Sheet]:
        """The sheets of who and what there is; of one of them, if its id is given."""
        if about not in self._sheets:
            book = Book(self.record, about)
            rulebook(self.record.campaign.game).stand(book)
            self._sheets[about] = book.sheets
        return self._sheets[about]

    def sheet(self, id: str) -> Sheet | None:
        """The sheet of somebody or something by its id; None if it has none."""
        return next((one for one in self.sheets(id) if one.id == id), None)

    def _text(self, file: str) -> str:
        if self._files is None:
            self._files = {one.name: one.kind for one in self._opened.files()}
        return self._opened.text(file) if file in self._files else ""

    def line(self, file: str, number: int) -> str:
        """A line of a file."""
        lines = self._lines.get(file)
        if lines is None:
            lines = self._lines[file] = self._text(file).splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def steps(self, file: str) -> Iterator[Step]:
        """The entries that stand in a file, from top to bottom."""
        for number, evening in enumerate(self.record.sessions):
            # What stands in files of its own is played at the top of the first evening.
            if not number or evening.session.path == file:
                for step in self.record.steps[evening.first_step - 1 : evening.last_step]:
                    if step.action.path == file:
                        yield step

    def step(self, file: str, line: int) -> Step | None:
        """The entry that stands on a line, or the last one above it."""
        above = [step for step in self.steps(file) if step.action.whole.line <= line]
        return above[-1] if above else None

    def entry(self, id: str) -> Place | None:
        """Where the entry with an id stands."""
        replay = self._opened.resident.replay
        step = replay.play.ids.get(id) if replay is not None else None
        return self.record.step(step).action.whole if step else None

    def mentions(self, file: str) -> tuple[Mention, ...]:
        """Every word of a file by which just one thing is meant, and every word that gives something its name."""
        heard, text = self.names.heard.words.get(file, _NOTHING), self._text(file)
        given = self.names.heard.given.get(file, _NOTHING)
        known = self._found.get(file)
        if known is None or (known.heard, known.given, known.text) != (heard, given, text):
            made = tuple(dict.fromkeys((*self._mentions(file), *self._introductions(file))))
            known = self._found[file] = _Found([*heard], [*given], text, made)
        return known.mentions

    def _mentions(self, file: str) -> Iterator[Mention]:
        for (line, column, word), ids in self.names.meanings(file).items():
            if len(ids) == 1:
                found = self.place(file, line, column, word)
                if found is not None:
                    yield Mention(found, next(iter(ids)))

    def _introductions(self, file: str) -> Iterator[Mention]:
        """The places where names are given."""
        for lines, id, name in self.names.heard.given.get(file, ()):
            if id in self.names.all:
                found = self._first(file, lines, name)
                if found is not None:
                    yield Mention(found, id)

    def _first(self, file: str, lines: range, word: str) -> Place | None:
        """The first place in some lines at which a word stands by itself."""
        for number in lines:
            row = self.line(file, number)
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", row):
                return Place(file, number, match.start() + 1, number, match.end() + 1)
        return None

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
        for path, found in self.names.heard.given.items():
            for lines, one, name in found:
                if one == id and path:
                    return self._where(path, lines, name)
        return None

    def _where(self, path: str, lines: range, name: str) -> Place:
        place = self._first(path, lines, name)
        if place is not None:
            return place
        first = max(lines.start, 1)
        return Place(path, first, 1, first, 1 + len(self.line(path, first)))

    def introduced(self, file: str) -> Iterator[tuple[Named, Place]]:
        """What gets a name in a file for the first time there, and where."""
        seen: set[str] = set()
        for lines, id, name in self.names.heard.given.get(file, ()):
            named = self.names.all.get(id)
            if named is not None and id not in seen and lines.start:
                seen.add(id)
                yield named, self._where(file, lines, name)

    def references(self, id: str) -> list[Place]:
        """Every place at which something is meant."""
        heard = self.names.heard
        files = [
            *(file for file, words in heard.words.items() if any(w[-1] == id for w in words)),
            *(file for file, given in heard.given.items() if any(one == id for _, one, _ in given)),
        ]
        return [
            mention.place
            for file in dict.fromkeys(files)
            if file
            for mention in self.mentions(file)
            if mention.id == id
        ]


def index(opened: Opened) -> Index:
    """The index of a campaign; the same one until something changes."""
    record: Record | None = opened.resident.record
    kept = opened.kept.get("index")
    if isinstance(kept, Index) and kept.record is record:
        return kept
    made = opened.kept["index"] = Index(opened, kept if isinstance(kept, Index) else None)
    return made
