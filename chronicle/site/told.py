"""What an entry tells, in a sentence of its own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from chronicle.core.record import Step
from chronicle.core.teller import Teller
from chronicle.core.telling import Piece, TextRole, sentence, sentences

MIN_SENTENCE_LETTERS: Final = 40
"""A shorter sentence says too little alone: the next one follows it."""


def tells_story(teller: Teller, step: Step) -> bool:
    """Whether an entry tells anything beyond a few words that lead in."""
    story_roles = (TextRole.SENTENCE, TextRole.PROSE, TextRole.SPOKEN)
    return any(text_piece.role in story_roles for text_piece in teller.pieces_of(step))


def told_sentence(teller: Teller, step: Step, names: Iterable[str] = ()) -> str:
    """The first sentence of what an entry tells, or the first that names somebody (Markdown).

    Args:
        teller: gives the texts of entries.
        step: the entry.
        names: whom the sentence should name, if one does.
    """
    text_pieces = teller.pieces_of(step)
    own_sentences = list(_whole_sentences(_texts_of_role(text_pieces, TextRole.SENTENCE)))
    prose_sentences = list(_whole_sentences(_texts_of_role(text_pieces, TextRole.PROSE)))
    told_sentences = [*map(sentence, own_sentences), *prose_sentences]
    if told_sentences:
        return _sentence_at(
            told_sentences,
            0 if len(own_sentences) == 1 else _index_of_naming_sentence(told_sentences, names),
        )
    folded_names = {person_name.casefold() for person_name in names}
    spoken_pieces = [
        text_piece
        for text_piece in text_pieces
        if text_piece.role is TextRole.SPOKEN and text_piece.text
    ]
    if spoken_pieces:
        spoken_text = next(
            (
                text_piece
                for text_piece in spoken_pieces
                if text_piece.speaker.casefold() in folded_names
            ),
            spoken_pieces[0],
        )
        spoken_sentence = _sentence_at(sentences(spoken_text.text), 0)
        quotation = spoken_sentence if spoken_sentence[:1] in '"“' else f"“{spoken_sentence}”"
        return f"{spoken_text.speaker}: {quotation}" if spoken_text.speaker else quotation
    lead_ins = _texts_of_role(text_pieces, TextRole.LEAD)
    return sentence(lead_ins[0] if lead_ins else step.headline)


def _texts_of_role(text_pieces: Sequence[Piece], role: TextRole) -> list[str]:
    return [
        text_piece.text
        for text_piece in text_pieces
        if text_piece.role is role and text_piece.text.strip()
    ]


def _whole_sentences(texts: Iterable[str]) -> Iterator[str]:
    """The sentences of some texts; one that goes on behind a quotation (``"Who?" asks Ana.``) is one."""
    for role_text in texts:
        whole_sentence = ""
        for sentence_part in sentences(role_text):
            if whole_sentence and not sentence_part[:1].islower():
                yield whole_sentence
                whole_sentence = ""
            whole_sentence = f"{whole_sentence} {sentence_part}".lstrip()
        yield whole_sentence


def _index_of_naming_sentence(told_sentences: Sequence[str], names: Iterable[str]) -> int:
    """The place of the first sentence that has one of the names; the first of all if none has."""
    names_pattern = "|".join(map(re.escape, names))
    if not names_pattern:
        return 0
    pattern = re.compile(rf"(?<!\w)(?:{names_pattern})(?!\w)", re.IGNORECASE)
    return next(
        (
            sentence_index
            for sentence_index, sentence_text in enumerate(told_sentences)
            if pattern.search(sentence_text)
        ),
        0,
    )


def _sentence_at(told_sentences: Sequence[str], sentence_index: int) -> str:
    """The sentence at a place, with the next one if it is short; whole in its quotation marks and stars."""
    sentence_text = told_sentences[sentence_index]
    if len(sentence_text) < MIN_SENTENCE_LETTERS and sentence_index + 1 < len(told_sentences):
        sentence_text = f"{sentence_text} {told_sentences[sentence_index + 1]}"
    return with_closed_marks(sentence_text)


def with_closed_marks(sentence_text: str) -> str:
    """A sentence whole in its quotation marks and stars."""
    for quotation_mark in '"*':
        if sentence_text.count(quotation_mark) % 2:
            sentence_text = (
                f"{quotation_mark}{sentence_text}"
                if sentence_text.endswith(quotation_mark)
                else f"{sentence_text}{quotation_mark}"
            )
    if sentence_text.count("“") > sentence_text.count("”"):
        sentence_text = f"{sentence_text}”"
    return sentence_text
