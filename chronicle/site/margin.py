"""Decide which notes go into the margin beside a text, and which go below it.

A note floats beside its paragraph and never moves the text. If the notes are longer than the text, they
slide down, away from their paragraphs, and leave a gap above the next row of full width. So this module
lays out the page at both widths that have a margin, with heights estimated from the letters. A note that
would slide by more than a line or two moves into the column. The estimates are high for notes and low for
prose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import ceil
from typing import NamedTuple

MAX_DRIFT = 36
"""Pixels that a note may slide down from its paragraph."""
MAX_OVERHANG = 6
"""Pixels by which the margin can be longer than the text beside it."""


class PageWidth(NamedTuple):
    """A width of the page: how many letters fit on a line of prose and of a note, and how high the lines
    are, in pixels."""

    prose_letters: int
    prose_line_height: float
    note_letters: int
    note_line_height: float


WIDE_PAGE = PageWidth(74, 31.0, 44, 17.95)
NARROW_PAGE = PageWidth(62, 31.0, 35, 17.95)
PAGE_WIDTHS = (WIDE_PAGE, NARROW_PAGE)
PROSE_PARAGRAPH_GAP = 8
"""Pixels between two paragraphs."""
NOTE_GAP = 3
"""Pixels between two notes."""


class NotePlace(Enum):
    """The place of notes that belong to entries without text before a text."""

    NEXT_TEXT = auto()
    """Beside the text that follows."""
    PREVIOUS_TEXT = auto()
    """Beside the text before it."""
    COLUMN = auto()


@dataclass(slots=True)
class ColumnRow:
    """A row of the column: paragraphs by their letters, and further pixels.

    ``own_note_lengths`` are the letters of its own notes, ``waiting_note_lengths`` those of entries without text
    before it. ``is_after_text`` says whether the row directly before is a text that can take these.
    """

    paragraph_lengths: Sequence[int]
    extra_height: int
    own_note_lengths: Sequence[int]
    waiting_note_lengths: Sequence[int] = ()
    is_after_text: bool = False
    waiting_notes_place: NotePlace = NotePlace.NEXT_TEXT
    has_notes_in_margin: bool = True
    """Whether its own notes are in the margin."""

    def height(self, page_width: PageWidth) -> float:
        """How high it is."""
        line_count = sum(
            max(1, ceil(letter_count / page_width.prose_letters))
            for letter_count in self.paragraph_lengths
        )
        height_below = 0.0
        if not self.has_notes_in_margin:
            height_below = sum(
                _note_height(letter_count, page_width, page_width.prose_letters * 1.4)
                for letter_count in self.own_note_lengths
            )
        if self.waiting_notes_place is NotePlace.COLUMN and self.waiting_note_lengths:
            height_below += 24
        return (
            line_count * page_width.prose_line_height
            + self.extra_height
            + height_below
            + (PROSE_PARAGRAPH_GAP if self.paragraph_lengths else 0)
        )


def _note_height(letter_count: int, page_width: PageWidth, letters_per_line: float = 0) -> float:
    return (
        ceil(letter_count / (letters_per_line or page_width.note_letters))
        * page_width.note_line_height
        + NOTE_GAP
    )


def _margin_note_lengths(column_rows: Sequence[ColumnRow], row_index: int) -> Iterator[int]:
    """The notes beside a text, in order."""
    column_row = column_rows[row_index]
    if column_row.waiting_notes_place is NotePlace.NEXT_TEXT:
        yield from column_row.waiting_note_lengths
    if column_row.has_notes_in_margin:
        yield from column_row.own_note_lengths
    if (
        row_index + 1 < len(column_rows)
        and column_rows[row_index + 1].waiting_notes_place is NotePlace.PREVIOUS_TEXT
    ):
        yield from column_rows[row_index + 1].waiting_note_lengths


def place_notes(column_rows: Sequence[ColumnRow]) -> None:
    """Decide which notes go into the margin, between two rows of full page width."""
    while any(_move_if_too_long(column_rows, page_width) for page_width in PAGE_WIDTHS):
        pass


def _move_if_too_long(column_rows: Sequence[ColumnRow], page_width: PageWidth) -> bool:
    """Put one group of notes elsewhere, if one has to go."""
    text_end = notes_end = 0.0
    last_noted_row = -1
    for row_index, column_row in enumerate(column_rows):
        for letter_count in _margin_note_lengths(column_rows, row_index):
            note_top = max(text_end, notes_end)
            if note_top - text_end > MAX_DRIFT:
                return _move_notes(column_rows, row_index)
            notes_end = note_top + _note_height(letter_count, page_width)
            last_noted_row = row_index
        text_end += column_row.height(page_width)
    if last_noted_row >= 0 and notes_end - text_end > MAX_OVERHANG:
        return _move_notes(column_rows, last_noted_row)
    return False


def _move_notes(column_rows: Sequence[ColumnRow], row_index: int) -> bool:
    column_row = column_rows[row_index]
    next_row = column_rows[row_index + 1] if row_index + 1 < len(column_rows) else None
    if (
        next_row is not None
        and next_row.waiting_notes_place is NotePlace.PREVIOUS_TEXT
        and next_row.waiting_note_lengths
    ):
        next_row.waiting_notes_place = NotePlace.COLUMN
    elif column_row.waiting_notes_place is NotePlace.NEXT_TEXT and column_row.waiting_note_lengths:
        column_row.waiting_notes_place = (
            NotePlace.PREVIOUS_TEXT if column_row.is_after_text else NotePlace.COLUMN
        )
    else:
        column_row.has_notes_in_margin = False
    return True
