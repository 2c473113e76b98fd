"""The story told by each entry of a record, apart from talk about the table."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from chronicle.core.names import PLAYER
from chronicle.core.record import Record, Step
from chronicle.core.telling import (
    ENTER,
    Piece,
    TextRole,
    paragraphs,
    repeats_words,
    with_full_stop,
    without_repeated_sentence,
)

_WORD_PATTERN: Final = re.compile(r"\w+")
_PROOF_SUFFIX: Final = re.compile(r" \((?:sealed|stated)\)\Z")


class Teller:
    """Collects the texts of the entries of one record.

    A paragraph that names a player (by a name that no character has, or by an initial as in ``P. says``) is talk
    about the table, and so is a text next to an entry about the table."""

    def __init__(self, record: Record) -> None:
        story_names = {
            word
            for subject in record.names.all.values()
            if subject.kind != PLAYER
            for name in (subject.name, *subject.aliases)
            for word in (name.casefold(), *_WORD_PATTERN.findall(name.casefold()))
        }
        self._pieces_by_step: dict[int, list[Piece]] = {}
        """The texts of entries that were computed already."""
        player_names = [player.name for player in record.campaign.players]
        name_patterns = [
            re.escape(player_name)
            for player_name in player_names
            if player_name.casefold() not in story_names
        ]
        name_patterns += [
            rf"{re.escape(initial)}\.(?=['’]s |: | [a-z]|, \d)"
            for initial, count in Counter(player_name[0] for player_name in player_names).items()
            if count == 1 and initial.isupper() and initial.casefold() not in story_names
        ]
        self._player_pattern = (
            re.compile(rf"(?<![\w.])(?:{'|'.join(name_patterns)})(?!\w)") if name_patterns else None
        )

    def is_about_table(self, paragraph: str) -> bool:
        """Whether a paragraph is about the table."""
        return (
            self._player_pattern is not None and self._player_pattern.search(paragraph) is not None
        )

    def pieces_of(self, step: Step) -> list[Piece]:
        """The texts of an entry in reading order. A secret entry has none.

        Repeated text appears once: a sentence gives way to prose that begins with the same words, and the
        first sentence of the prose gives way to a sentence that has all its words."""
        if step.hidden:
            return []
        pieces = self._pieces_by_step.get(step.number)
        if pieces is None:
            pieces = self._pieces_by_step[step.number] = self._collect(step)
        return pieces

    def _collect(self, step: Step) -> list[Piece]:
        action = step.action
        pieces = [_with_final_stop(_with_speaker(step.player, piece)) for piece in action.told()]
        for event in step.events:
            if event.kind == "reveals":
                pieces.append(Piece(TextRole.SENTENCE, _PROOF_SUFFIX.sub("", event.text)))
        is_entry_about_table = action.beside()
        entry_text = "" if action.text is None else str(action.text)
        for paragraph in paragraphs(entry_text):
            pieces.append(
                Piece(
                    TextRole.TALK
                    if is_entry_about_table or self.is_about_table(paragraph)
                    else TextRole.PROSE,
                    paragraph,
                )
            )
        return without_repetition(pieces, action.about_whom)


def _with_speaker(player: str, piece: Piece) -> Piece:
    """A piece with the player of its entry as the speaker, if it is speech and names no speaker."""
    return (
        piece._replace(speaker=player)
        if piece.role is TextRole.SPOKEN and not piece.speaker
        else piece
    )


def _with_final_stop(piece: Piece) -> Piece:
    """A piece with a full stop, if it is prose of one line without Markdown: players leave the stop out."""
    is_plain = "\n" not in piece.text and "](" not in piece.text and piece.text[:1] not in "#>-|<"
    if piece.role is TextRole.PROSE and is_plain:
        return piece._replace(text=with_full_stop(piece.text))
    return piece


def without_repetition(pieces: list[Piece], lead_in_template: str) -> list[Piece]:
    """Pieces without repetition. Lead-ins come before the prose. If the prose begins with the words of a
    lead-in, only its name remains, formatted by ``lead_in_template``; if the prose begins with that name as well, the
    lead-in is dropped. The lead-in for a person who enters is dropped if the prose begins with that person."""
    first_prose_index = next(
        (position for position, piece in enumerate(pieces) if piece.role is TextRole.PROSE), None
    )
    if first_prose_index is None:
        return pieces
    remaining_pieces: list[Piece] = []
    prose_text = pieces[first_prose_index].text
    for piece in pieces[:first_prose_index]:
        if piece.role is TextRole.SENTENCE:
            if repeats_words(piece.text, prose_text):
                continue
            prose_text = without_repeated_sentence(prose_text, piece.text)
        elif piece.role is TextRole.LEAD:
            person_name, colon, lead_in_words = piece.text.partition(": ")
            if colon and repeats_words(lead_in_words, prose_text):
                if prose_text.startswith(person_name):
                    continue
                piece = piece._replace(text=lead_in_template.format(who=person_name))
            elif piece.text.startswith(ENTER) and _begins_with_word_of(
                prose_text, piece.text.removeprefix(ENTER)
            ):
                continue
        remaining_pieces.append(piece)
    return [
        *remaining_pieces,
        pieces[first_prose_index]._replace(text=prose_text),
        *pieces[first_prose_index + 1 :],
    ]


def _begins_with_word_of(text: str, person_name: str) -> bool:
    """Whether the first word of a text occurs in a name."""
    first_word = _WORD_PATTERN.match(text)
    return first_word is not None and first_word[0] in _WORD_PATTERN.findall(person_name)
