"""The index of a campaign for editors: the subject of every word, and the places where names are given.

The replay of the workspace records look-ups (:class:`~chronicle.core.names.LookupLog`). So only entries after a
change are looked up again, and positions are computed only for the requested files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from chronicle.core.campaign_view import CampaignView, Sheet
from chronicle.core.names import Named, RecordingNames
from chronicle.core.record import Record, Step
from chronicle.core.source import Place
from chronicle.games import rulebook
from chronicle.services.open_campaigns import OpenCampaign


class Mention(NamedTuple):
    """A part of a file that refers to a subject."""

    place: Place
    subject_id: str


class _FileMentions(NamedTuple):
    """The mentions of a file, and the data they were computed from."""

    lookups: list[Any]
    given_names: list[Any]
    text: str
    mentions: tuple[Mention, ...]


_NO_LOOKUPS: Final[list[Any]] = []


class Index:
    """The mentions of a campaign in its present files. ``previous_index`` is the index of an earlier state:
    results for unchanged files are taken from it."""

    def __init__(self, opened: OpenCampaign, previous_index: Index | None = None) -> None:
        record = opened.workspace.record
        if record is None:
            raise opened.unreadable()
        assert isinstance(record.names, RecordingNames)
        self.record = record
        self.names = record.names
        self._opened = opened
        self._sheets_by_subject: dict[str, list[Sheet]] = {}
        self._lines_by_file: dict[str, list[str]] = {}
        self._mentions_by_file: dict[str, _FileMentions] = (
            previous_index._mentions_by_file if previous_index is not None else {}
        )
        self._kind_by_file: dict[str, str] | None = None

    def sheets(self, subject_id: str = "") -> list[Sheet]:
        """The sheets of all subjects, or of one, given by its id."""
        if subject_id not in self._sheets_by_subject:
            view = CampaignView(self.record, subject_id)
            rulebook(self.record.campaign.game).stand(view)
            self._sheets_by_subject[subject_id] = view.sheets
        return self._sheets_by_subject[subject_id]

    def sheet(self, subject_id: str) -> Sheet | None:
        """The sheet of a subject, or None."""
        return next((sheet for sheet in self.sheets(subject_id) if sheet.id == subject_id), None)

    def _file_text(self, file: str) -> str:
        if self._kind_by_file is None:
            self._kind_by_file = {file_.name: file_.kind for file_ in self._opened.files()}
        return self._opened.text(file) if file in self._kind_by_file else ""

    def line(self, file: str, line_number: int) -> str:
        """A line of a file."""
        lines = self._lines_by_file.get(file)
        if lines is None:
            lines = self._lines_by_file[file] = self._file_text(file).splitlines()
        return lines[line_number - 1] if 0 < line_number <= len(lines) else ""

    def steps_in(self, file: str) -> Iterator[Step]:
        """The entries in a file, from top to bottom."""
        for index, session_record in enumerate(self.record.sessions):
            # Entries in files of their own are replayed at the beginning of the first session.
            if not index or session_record.session.path == file:
                for step in self.record.steps[
                    session_record.first_step - 1 : session_record.last_step
                ]:
                    if step.action.path == file:
                        yield step

    def step_at(self, file: str, line: int) -> Step | None:
        """The entry on a line, or the last one above it."""
        entries_above = [
            step for step in self.steps_in(file) if step.action.whole_place.line <= line
        ]
        return entries_above[-1] if entries_above else None

    def entry_place(self, entry_id: str) -> Place | None:
        """The place of the entry with an id."""
        replay = self._opened.workspace.replay
        step_number = replay.play.step_number_by_id.get(entry_id) if replay is not None else None
        return self.record.step(step_number).action.whole_place if step_number else None

    def mentions(self, file: str) -> tuple[Mention, ...]:
        """Every word of a file with a single subject, and every word that gives a name."""
        file_lookups, file_text = (
            self.names.lookups.lookups_by_file.get(file, _NO_LOOKUPS),
            self._file_text(file),
        )
        given_names = self.names.lookups.given_names_by_file.get(file, _NO_LOOKUPS)
        cached_mentions = self._mentions_by_file.get(file)
        if cached_mentions is None or (
            cached_mentions.lookups,
            cached_mentions.given_names,
            cached_mentions.text,
        ) != (
            file_lookups,
            given_names,
            file_text,
        ):
            new_mentions = tuple(dict.fromkeys((*self._mentions(file), *self._introductions(file))))
            cached_mentions = self._mentions_by_file[file] = _FileMentions(
                [*file_lookups], [*given_names], file_text, new_mentions
            )
        return cached_mentions.mentions

    def _mentions(self, file: str) -> Iterator[Mention]:
        for (line, column, word), ids in self.names.ids_by_word(file).items():
            if len(ids) == 1:
                place = self.place_of_word(file, line, column, word)
                if place is not None:
                    yield Mention(place, next(iter(ids)))

    def _introductions(self, file: str) -> Iterator[Mention]:
        """The places where names are given."""
        for line_range, subject_id, name in self.names.lookups.given_names_by_file.get(file, ()):
            if subject_id in self.names.all:
                place = self._first_place_of_name(file, line_range, name)
                if place is not None:
                    yield Mention(place, subject_id)

    def _first_place_of_name(self, file: str, line_range: range, name: str) -> Place | None:
        """The first place of a whole word in some lines."""
        for line_number in line_range:
            row = self.line(file, line_number)
            for name_match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", row):
                return Place(
                    file, line_number, name_match.start() + 1, line_number, name_match.end() + 1
                )
        return None

    def place_of_word(self, file: str, line: int, column: int, word: str) -> Place | None:
        """The place of a word inside a text that begins at a position."""
        row = self.line(file, line)
        offset = row.find(word, max(column - 1, 0))
        if offset < 0:
            return None
        return Place(file, line, offset + 1, line, offset + 1 + len(word))

    def mention_at(self, file: str, line: int, column: int) -> Mention | None:
        """The mention at a position; the shortest if several overlap."""
        mentions_here = [
            mention
            for mention in self.mentions(file)
            if mention.place.line == line
            and mention.place.column <= column <= mention.place.end_column
        ]
        return min(
            mentions_here,
            key=lambda mention: mention.place.end_column - mention.place.column,
            default=None,
        )

    def subject(self, subject_id: str) -> Named | None:
        """The subject with this id."""
        return self.names.all.get(subject_id)

    def first_place(self, wanted_id: str) -> Place | None:
        """The place where a subject got its first name."""
        for path, given_names in self.names.lookups.given_names_by_file.items():
            for line_range, subject_id, name in given_names:
                if subject_id == wanted_id and path:
                    return self._place_in_lines(path, line_range, name)
        return None

    def _place_in_lines(self, path: str, line_range: range, name: str) -> Place:
        place = self._first_place_of_name(path, line_range, name)
        if place is not None:
            return place
        first_line = max(line_range.start, 1)
        return Place(path, first_line, 1, first_line, 1 + len(self.line(path, first_line)))

    def introductions(self, file: str) -> Iterator[tuple[Named, Place]]:
        """The subjects that get their first name in a file, and the places."""
        known_ids: set[str] = set()
        for line_range, subject_id, name in self.names.lookups.given_names_by_file.get(file, ()):
            subject = self.names.all.get(subject_id)
            if subject is not None and subject_id not in known_ids and line_range.start:
                known_ids.add(subject_id)
                yield subject, self._place_in_lines(file, line_range, name)

    def references(self, wanted_id: str) -> list[Place]:
        """Every place that refers to a subject."""
        lookups = self.names.lookups
        files = [
            *(
                file
                for file, file_lookups in lookups.lookups_by_file.items()
                if any(lookup[-1] == wanted_id for lookup in file_lookups)
            ),
            *(
                file
                for file, given_names in lookups.given_names_by_file.items()
                if any(subject_id == wanted_id for _, subject_id, _ in given_names)
            ),
        ]
        return [
            mention.place
            for file in dict.fromkeys(files)
            if file
            for mention in self.mentions(file)
            if mention.subject_id == wanted_id
        ]


def index_of(opened: OpenCampaign) -> Index:
    """The index of a campaign, cached until something changes."""
    record: Record | None = opened.workspace.record
    cached_index = opened.cached_values.get("index")
    if isinstance(cached_index, Index) and cached_index.record is record:
        return cached_index
    new_index = opened.cached_values["index"] = Index(
        opened, cached_index if isinstance(cached_index, Index) else None
    )
    return new_index
