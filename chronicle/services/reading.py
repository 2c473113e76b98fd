"""A campaign as a page to read: the story of every entry, who won, and what it led to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from chronicle.core.game import results_of
from chronicle.core.keepers import CitedText, KeepersTexts, read_keepers_texts
from chronicle.core.outcomes import outcomes_of, plain_text
from chronicle.core.record import AGREES_EVENT_KIND, Record, SessionRecord, Step, sentence_of
from chronicle.core.sentences import plain
from chronicle.core.shared_verbs import COMMON_VERBS, Gap
from chronicle.core.teller import Teller
from chronicle.core.telling import Piece, TextRole, sentence
from chronicle.services.spans import NameMarker
from chronicle.words import word

MOST_EFFECTS: Final = 5
"""The most effects that are listed below an entry."""
_WORD: Final = re.compile(r"[^\W_]+")


def reading_page(record: Record, mark_names: NameMarker) -> dict[str, Any]:
    """The sessions of a record with their parts in the order of the log.

    Returns:
        ``sessions``, each with ``number``, ``title``, ``date``, ``parts``, and what the keepers told: ``recap`` before
        the parts and ``closing`` after them (Markdown). A part is the head of a scene (``title``, ``where``) or an
        entry: ``head``, a sentence of the game; ``story`` (Markdown); ``result``, the outcome; ``effects``, and
        how many ``more`` there are.
    """
    teller = Teller(record)
    keepers_texts = read_keepers_texts(record)
    outcomes_by_step: dict[int, list[str]] = {}
    for outcome in outcomes_of(record, results_of(record), 1, len(record.steps)):
        outcomes_by_step.setdefault(outcome.step_number, []).append(plain_text(outcome.sentence))
    return {
        "sessions": [
            {
                "number": session_record.session.number,
                "title": str(session_record.session.header.title or ""),
                "date": str(session_record.session.header.date or ""),
                "recap": [*_recap_texts(record, session_record, keepers_texts)],
                "parts": [
                    *_session_parts(record, session_record, teller, outcomes_by_step, mark_names)
                ],
                "closing": [*_closing_texts(record, session_record, keepers_texts)],
            }
            for session_record in record.sessions
        ]
    }


def _recap_texts(
    record: Record, session_record: SessionRecord, keepers_texts: KeepersTexts
) -> Iterator[str]:
    """What the keepers told of a session, and who people are."""
    session_number = session_record.session.number
    yield from (cited_text.text for cited_text in keepers_texts.recaps.get(session_number, ()))
    yield from _sentences_about_people(
        record, keepers_texts, keepers_texts.descriptions, session_number
    )


def _closing_texts(
    record: Record, session_record: SessionRecord, keepers_texts: KeepersTexts
) -> Iterator[str]:
    """How people ended in a session, in the keepers' words."""
    for ending_texts in (keepers_texts.ends, keepers_texts.departures):
        yield from _sentences_about_people(
            record, keepers_texts, ending_texts, session_record.session.number
        )


def _sentences_about_people(
    record: Record,
    keepers_texts: KeepersTexts,
    texts_by_subject: dict[str, list[tuple[int, CitedText]]],
    session_number: int,
) -> Iterator[str]:
    """The keepers' sentences about people in one session."""
    for subject_id, session_texts in texts_by_subject.items():
        subject = record.names.all.get(subject_id) or keepers_texts.told_of.get(subject_id)
        name = subject.name if subject is not None else subject_id
        for text_session_number, cited_text in session_texts:
            if text_session_number == session_number:
                # Most sentences begin with the name anyway.
                is_named = cited_text.text.startswith(name)
                yield cited_text.text if is_named else f"**{name}:** {cited_text.text}"


def _session_parts(
    record: Record,
    session_record: SessionRecord,
    teller: Teller,
    outcomes_by_step: dict[int, list[str]],
    mark_names: NameMarker,
) -> Iterator[dict[str, Any]]:
    scene_number: int | None = None
    for step in record.steps[session_record.first_step - 1 : session_record.last_step]:
        if step.scene is not None and step.scene != scene_number and not step.hidden:
            scene_number = step.scene
            scene = record.timeline.get(scene_number)
            place_and_time = ", ".join(part for part in (scene.place, scene.when) if part)
            yield {"title": scene.label, "where": place_and_time}
        if step.hidden or step.retracted_by or step.action.quiet:
            continue
        entry_part = _entry_data(
            step, teller.pieces_of(step), outcomes_by_step.get(step.number, []), mark_names
        )
        if entry_part is not None:
            yield entry_part


def _entry_data(
    step: Step, all_pieces: list[Piece], outcome_lines: list[str], mark_names: NameMarker
) -> dict[str, Any] | None:
    """An entry as a part of the page; None if a reader of the story learns nothing from it."""
    action = step.action
    pieces = [piece for piece in all_pieces if piece.role is not TextRole.TALK]
    is_common = type(action) in COMMON_VERBS
    if isinstance(action, Gap):
        head, story = plain((word("site.silence"),)), [sentence(str(action.missing or ""))]
    else:
        head = "" if is_common else _entry_head_sentence(step, pieces)
        story = [*_story_paragraphs(head, pieces)]
    told_text = f"{head} {' '.join(story)}"
    result_lines = [
        result_line for result_line in outcome_lines if not _has_all_words(told_text, result_line)
    ]
    if step.contest is not None:
        verdict = step.contest.verdict
        if verdict and not _has_all_words(f"{told_text} {' '.join(result_lines)}", verdict):
            result_lines.append(sentence(verdict))
        if not (result_lines or verdict or any(story)):
            # The entry that decides something follows a throw that decides nothing by itself.
            return None
    effects = (
        []
        if is_common or result_lines or step.contest
        else [*_effect_sentences(step, told_text, pieces)]
    )
    if not (pieces or result_lines or effects or step.sentence or isinstance(action, Gap)):
        return None
    return {
        "player": step.player,
        "head": mark_names(head),
        "story": "\n\n".join(filter(None, story)),
        "result": [mark_names(result_line) for result_line in result_lines],
        "effects": [mark_names(effect) for effect in effects[:MOST_EFFECTS]],
        "more": max(len(effects) - MOST_EFFECTS, 0),
    }


def _effect_sentences(step: Step, told_text: str, pieces: list[Piece]) -> Iterator[str]:
    """What an entry did beside what it tells: new words on a sheet, and the game's own sentences."""
    untold_slip_texts = [
        slip.text for slip in step.action.slips() if not _has_all_words(told_text, slip.text)
    ]
    if untold_slip_texts:
        yield sentence(", ".join(untold_slip_texts))
    for event in step.events:
        is_shown_by_slips = event.kind in step.action.already_shown_kinds and (
            untold_slip_texts or _has_all_words(told_text, event.text)
        )
        is_repeated = any(len(piece.text) > 3 and piece.text in event.text for piece in pieces)
        if not (
            event.kind == AGREES_EVENT_KIND
            or is_shown_by_slips
            or is_repeated
            or _has_all_words(told_text, event.text)
        ):
            yield sentence(event.text)


def _entry_head_sentence(step: Step, pieces: list[Piece]) -> str:
    """The sentence of the game; nothing where the story of the entry says the same."""
    if not step.sentence and any(
        piece.role in (TextRole.SENTENCE, TextRole.PROSE)
        and _has_words_in_order(piece.text, step.headline)
        for piece in pieces
    ):
        return ""
    return plain(sentence_of(step)).rstrip(".")


def _story_paragraphs(entry_head: str, pieces: list[Piece]) -> Iterator[str]:
    """The texts of an entry as paragraphs (Markdown), without those that its head has already."""
    lead_text = ""
    for piece in pieces:
        if piece.role is TextRole.LEAD:
            lead_text = "" if _has_all_words(entry_head, piece.text) else piece.text
            continue
        if piece.role is TextRole.SPOKEN:
            yield f"**{piece.speaker}:** {piece.text}" if piece.speaker else piece.text
        elif piece.role is TextRole.PROSE:
            yield piece.text
        elif not _has_words_in_order(entry_head, piece.text):
            sentence_text = sentence(piece.text)
            yield f"*{lead_text}:* {sentence_text}" if lead_text else sentence_text
        lead_text = ""


def _has_all_words(text: str, sought_text: str) -> bool:
    """Whether a text has all words of another."""
    return {*_WORD.findall(text.casefold())}.issuperset(_WORD.findall(sought_text.casefold()))


def _has_words_in_order(text: str, sought_text: str) -> bool:
    """Whether a text has the words of another in their order, without a word between them."""
    searched_words, sought_words = (
        f" {' '.join(_WORD.findall(part.casefold()))} " for part in (text, sought_text)
    )
    return sought_words in searched_words
