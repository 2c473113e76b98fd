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

DRIFT = 36
"""Pixels that a note may slide down from its paragraph."""
GAP = 6
"""Pixels by which the margin can be longer than the text beside it."""


class Width(NamedTuple):
    """A width of the page: how many letters fit on a line of prose and of a note, and how high the lines
    are, in pixels."""

    prose: int
    prose_line: float
    note: int
    note_line: float


WIDE = Width(74, 31.0, 44, 17.95)
NARROW = Width(62, 31.0, 35, 17.95)
WIDTHS = (WIDE, NARROW)
PADDING = 8
"""Pixels between two paragraphs."""
BETWEEN = 3
"""Pixels between two notes."""


class Place(Enum):
    """The place of notes that belong to entries without text before a text."""

    NEXT_TEXT = auto()
    """Beside the text that follows."""
    PREVIOUS_TEXT = auto()
    """Beside the text before it."""
    COLUMN = auto()


@dataclass(slots=True)
class Text:
    """A row of the column: paragraphs by their letters, and further pixels.

    ``own`` are the letters of its own notes. ``waiting`` are those of entries without text before it.
    ``after_text`` says whether the row directly before is a text that can take these.
    """

    paragraphs: Sequence[int]
    further: int
    own: Sequence[int]
    waiting: Sequence[int] = ()
    after_text: bool = False
    place: Place = Place.NEXT_TEXT
    in_margin: bool = True
    """Whether its own notes are in the margin."""

    def height(self, width: Width) -> float:
        """How high it is."""
        lines = sum(max(1, ceil(letters / width.prose)) for letters in self.paragraphs)
        below = 0.0
        if not self.in_margin:
            below = sum(_note(letters, width, width.prose * 1.4) for letters in self.own)
        if self.place is Place.COLUMN and self.waiting:
            below += 24
        return lines * width.prose_line + self.further + below + (PADDING if self.paragraphs else 0)


def _note(letters: int, width: Width, line: float = 0) -> float:
    return ceil(letters / (line or width.note)) * width.note_line + BETWEEN


def _in_margin(texts: Sequence[Text], n: int) -> Iterator[int]:
    """The notes beside a text, in order."""
    text = texts[n]
    if text.place is Place.NEXT_TEXT:
        yield from text.waiting
    if text.in_margin:
        yield from text.own
    if n + 1 < len(texts) and texts[n + 1].place is Place.PREVIOUS_TEXT:
        yield from texts[n + 1].waiting


def fit(texts: Sequence[Text]) -> None:
    """Decide which notes go into the margin, between two rows of full page width."""
    while any(_gives_way(texts, width) for width in WIDTHS):
        pass


def _gives_way(texts: Sequence[Text], width: Width) -> bool:
    """Put one group of notes elsewhere, if one has to go."""
    text_ends = notes_end = 0.0
    last = -1
    for n, text in enumerate(texts):
        for letters in _in_margin(texts, n):
            start = max(text_ends, notes_end)
            if start - text_ends > DRIFT:
                return _move(texts, n)
            notes_end = start + _note(letters, width)
            last = n
        text_ends += text.height(width)
    if last >= 0 and notes_end - text_ends > GAP:
        return _move(texts, last)
    return False


def _move(texts: Sequence[Text], n: int) -> bool:
    text = texts[n]
    following = texts[n + 1] if n + 1 < len(texts) else None
    if following is not None and following.place is Place.PREVIOUS_TEXT and following.waiting:
        following.place = Place.COLUMN
    elif text.place is Place.NEXT_TEXT and text.waiting:
        text.place = Place.PREVIOUS_TEXT if text.after_text else Place.COLUMN
    else:
        text.in_margin = False
    return True
