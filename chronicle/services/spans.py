"""Split sentences into spans with marked names, so that a page can colour players and set links.

A span is a plain string, or a mapping with its text under ``t`` and its meaning: ``player`` (for the
colour), ``ref`` (kind and id), ``rule``, ``slip``, ``strong``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from chronicle.core.campaign_view import Inline, Ref
from chronicle.core.names import PLAYER, Named, Names
from chronicle.words import word_pieces

Span = str | dict[str, Any]
Spans = list[Span]

_WORD = re.compile(r"\w+")


def phrase(message_key: str, /, **pieces: Span) -> Spans:
    """A message of the catalogue as spans; the inserted spans keep their marks.

    Args:
        message_key: the whole key of the message, such as ``server.still_to_come``.
        pieces: the spans for its placeholders; ``count`` also selects the plural form.
    """
    return word_pieces(message_key, **pieces)


class NameMarker:
    """Marks the names of a campaign in sentences. ``player_of`` gives the player of a character."""

    def __init__(self, names: Names, player_of: Callable[[Named], str]) -> None:
        self._names = names
        self._player_of = player_of
        self._names_by_first_word: dict[str, list[tuple[int, str, str]]] = {}
        """For each first word: its offset in the name, the name, the id."""
        for subject_id, subject in names.all.items():
            for name in dict.fromkeys((subject.name, *subject.aliases)):
                first_word = _WORD.search(name)
                # A name of one small letter is treated as an ordinary word.
                if first_word is not None and (len(name) > 1 or name.isupper()):
                    self._names_by_first_word.setdefault(first_word[0], []).append(
                        (first_word.start(), name, subject_id)
                    )
        for name_rows in self._names_by_first_word.values():
            name_rows.sort(key=lambda name_row: -len(name_row[1]))

    def __call__(self, inline_text: Inline) -> Spans:
        """The spans of a line or a table cell."""
        match inline_text:
            case Ref():
                return self._reference_spans(inline_text)
            case tuple():
                return [span for part in inline_text for span in self(part)]
            case int():
                return [str(inline_text)]
        return self._split_at_names(inline_text)

    def span_of_subject(self, subject_id: str, shown_text: str = "") -> Span:
        """The span of a subject, by its id."""
        subject = self._names.all.get(subject_id)
        if subject is None:
            return shown_text or subject_id
        if subject.kind == PLAYER:
            return {"t": shown_text or subject.name, "player": subject.name}
        span: dict[str, Any] = {"t": shown_text or subject.name, "ref": [subject.kind, subject_id]}
        player = self._player_of(subject)
        return span | {"player": player} if player else span

    def spans_of_subject(self, subject_id: str, name: str = "") -> Spans:
        """The spans of a subject, by its id; a pair is split into its two names."""
        subject = self._names.all.get(subject_id)
        name = name or (subject.name if subject is not None else subject_id)
        name_parts = name.split(" & ")
        parts_with_subjects = [
            (name_part, self._names.find(name_part))
            for name_part in name_parts
            if len(name_parts) > 1
        ]
        spans = [
            self.span_of_subject(named_subject.id, name_part)
            for name_part, named_subject in parts_with_subjects
            if isinstance(named_subject, Named)
        ]
        if spans and len(spans) == len(name_parts):
            return [span for named_span in spans for span in (" & ", named_span)][1:]
        return [self.span_of_subject(subject_id, name)]

    def _reference_spans(self, reference: Ref) -> Spans:
        if reference.kind == "player":
            return [{"t": reference.label, "player": reference.id}]
        if reference.kind == "rule":
            return [{"t": reference.label, "rule": reference.id}]
        if reference.kind == "sheet":
            return self.spans_of_subject(reference.id, reference.label)
        return [{"t": reference.label, "ref": [reference.kind, reference.id]}]

    def _split_at_names(self, sentence_text: str) -> Spans:
        spans: Spans = []
        copied_end = 0
        for word_match in _WORD.finditer(sentence_text):
            if word_match.start() < copied_end:
                continue
            for offset, name, subject_id in self._names_by_first_word.get(word_match[0], ()):
                name_start = word_match.start() - offset
                name_end = name_start + len(name)
                if (
                    name_start >= copied_end
                    and sentence_text.startswith(name, name_start)
                    and not _is_inside_word(sentence_text, name_end)
                ):
                    if name_start > copied_end:
                        spans.append(sentence_text[copied_end:name_start])
                    spans.extend(self.spans_of_subject(subject_id, name))
                    copied_end = name_end
                    break
        if copied_end < len(sentence_text):
            spans.append(sentence_text[copied_end:])
        return spans


def _is_inside_word(text: str, offset: int) -> bool:
    """Whether a word continues at this position."""
    return (
        _WORD.match(text[offset - 1 : offset]) is not None
        and _WORD.match(text[offset : offset + 1]) is not None
    )
