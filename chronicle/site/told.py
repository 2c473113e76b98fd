"""What an entry tells, in a sentence of its own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from chronicle.core.record import Step
from chronicle.core.teller import Teller
from chronicle.core.telling import Piece, TextRole, sentence, sentences

MIN_LETTERS: Final = 40
"""A shorter sentence says too little alone: the next one follows it."""


def tells(teller: Teller, step: Step) -> bool:
    """Whether an entry tells anything beyond a few words that lead in."""
    roles = (TextRole.SENTENCE, TextRole.PROSE, TextRole.SPOKEN)
    return any(piece.role in roles for piece in teller.pieces_of(step))


def told_sentence(teller: Teller, step: Step, names: Iterable[str] = ()) -> str:
    """The first sentence of what an entry tells, or the first that names somebody (Markdown).

    Args:
        teller: gives the texts of entries.
        step: the entry.
        names: whom the sentence should name, if one does.
    """
    pieces = teller.pieces_of(step)
    own_words = list(_sentences(_texts(pieces, TextRole.SENTENCE)))
    prose = list(_sentences(_texts(pieces, TextRole.PROSE)))
    told = [*map(sentence, own_words), *prose]
    if told:
        return _from(told, 0 if len(own_words) == 1 else _naming(told, names))
    folded_names = {name.casefold() for name in names}
    spoken = [piece for piece in pieces if piece.role is TextRole.SPOKEN and piece.text]
    if spoken:
        said = next((p for p in spoken if p.speaker.casefold() in folded_names), spoken[0])
        words = _from(sentences(said.text), 0)
        quoted = words if words[:1] in '"“' else f"“{words}”"
        return f"{said.speaker}: {quoted}" if said.speaker else quoted
    leads = _texts(pieces, TextRole.LEAD)
    return sentence(leads[0] if leads else step.headline)


def _texts(pieces: Sequence[Piece], role: TextRole) -> list[str]:
    return [piece.text for piece in pieces if piece.role is role and piece.text.strip()]


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    """The sentences of some texts; one that goes on behind a quotation (``"Who?" asks Ana.``) is one."""
    for text in texts:
        whole = ""
        for words in sentences(text):
            if whole and not words[:1].islower():
                yield whole
                whole = ""
            whole = f"{whole} {words}".lstrip()
        yield whole


def _naming(told: Sequence[str], names: Iterable[str]) -> int:
    """The place of the first sentence that has one of the names; the first of all if none has."""
    alternatives = "|".join(map(re.escape, names))
    if not alternatives:
        return 0
    pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)
    return next((place for place, words in enumerate(told) if pattern.search(words)), 0)


def _from(told: Sequence[str], place: int) -> str:
    """The sentence at a place, with the next one if it is short; whole in its quotation marks and stars."""
    words = told[place]
    if len(words) < MIN_LETTERS and place + 1 < len(told):
        words = f"{words} {told[place + 1]}"
    return whole(words)


def whole(words: str) -> str:
    """A sentence whole in its quotation marks and stars."""
    for mark in '"*':
        if words.count(mark) % 2:
            words = f"{mark}{words}" if words.endswith(mark) else f"{words}{mark}"
    if words.count("“") > words.count("”"):
        words = f"{words}”"
    return words
