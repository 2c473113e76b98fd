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
WIDTHS = (WIDE_PAGE, NARROW_PAGE)
PARAGRAPH_GAP = 8
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
class TextRow:
    """A row of the column: paragraphs by their letters, and further pixels.

    ``own_notes`` are the letters of its own notes. ``waiting_notes`` are those of entries without text before it.
    ``after_text`` says whether the row directly before is a text that can take these.
    """

    paragraphs: Sequence[int]
    extra_height: int
    own_notes: Sequence[int]
    waiting_notes: Sequence[int] = ()
    after_text: bool = False
    place: NotePlace = NotePlace.NEXT_TEXT
    in_margin: bool = True
    """Whether its own notes are in the margin."""

    def height(self, width: PageWidth) -> float:
        """How high it is."""
        lines = sum(max(1, ceil(letters / width.prose_letters)) for letters in self.paragraphs)
        below = 0.0
        if not self.in_margin:
            below = sum(
                _note_height(letters, width, width.prose_letters * 1.4)
                for letters in self.own_notes
            )
        if self.place is NotePlace.COLUMN and self.waiting_notes:
            below += 24
        return (
            lines * width.prose_line_height
            + self.extra_height
            + below
            + (PARAGRAPH_GAP if self.paragraphs else 0)
        )


def _note_height(letters: int, width: PageWidth, line: float = 0) -> float:
    return ceil(letters / (line or width.note_letters)) * width.note_line_height + NOTE_GAP


def _margin_letters(texts: Sequence[TextRow], index: int) -> Iterator[int]:
    """The notes beside a text, in order."""
    text = texts[index]
    if text.place is NotePlace.NEXT_TEXT:
        yield from text.waiting_notes
    if text.in_margin:
        yield from text.own_notes
    if index + 1 < len(texts) and texts[index + 1].place is NotePlace.PREVIOUS_TEXT:
        yield from texts[index + 1].waiting_notes


def place_notes(texts: Sequence[TextRow]) -> None:
    """Decide which notes go into the margin, between two rows of full page width."""
    while any(_move_if_too_long(texts, width) for width in WIDTHS):
        pass


def _move_if_too_long(texts: Sequence[TextRow], width: PageWidth) -> bool:
    """Put one group of notes elsewhere, if one has to go."""
    text_end = notes_end = 0.0
    last_index = -1
    for index, text in enumerate(texts):
        for letters in _margin_letters(texts, index):
            start = max(text_end, notes_end)
            if start - text_end > MAX_DRIFT:
                return _move_notes(texts, index)
            notes_end = start + _note_height(letters, width)
            last_index = index
        text_end += text.height(width)
    if last_index >= 0 and notes_end - text_end > MAX_OVERHANG:
        return _move_notes(texts, last_index)
    return False


def _move_notes(texts: Sequence[TextRow], index: int) -> bool:
    text = texts[index]
    following = texts[index + 1] if index + 1 < len(texts) else None
    if (
        following is not None
        and following.place is NotePlace.PREVIOUS_TEXT
        and following.waiting_notes
    ):
        following.place = NotePlace.COLUMN
    elif text.place is NotePlace.NEXT_TEXT and text.waiting_notes:
        text.place = NotePlace.PREVIOUS_TEXT if text.after_text else NotePlace.COLUMN
    else:
        text.in_margin = False
    return True
