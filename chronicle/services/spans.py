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


def phrase(key: str, /, **pieces: Span) -> Spans:
    """A message of the catalogue as spans; the inserted spans keep their marks.

    Args:
        key: the whole key of the message, such as ``server.still_to_come``.
        pieces: the spans for its placeholders; ``count`` also selects the plural form.
    """
    return word_pieces(key, **pieces)


class NameMarker:
    """Marks the names of a campaign in sentences. ``player_of`` gives the player of a character."""

    def __init__(self, names: Names, player_of: Callable[[Named], str]) -> None:
        self._names = names
        self._player_of = player_of
        self._by_first_word: dict[str, list[tuple[int, str, str]]] = {}
        """For each first word: its offset in the name, the name, the id."""
        for id, subject in names.all.items():
            for name in dict.fromkeys((subject.name, *subject.aliases)):
                first_word = _WORD.search(name)
                # A name of one small letter is treated as an ordinary word.
                if first_word is not None and (len(name) > 1 or name.isupper()):
                    self._by_first_word.setdefault(first_word[0], []).append(
                        (first_word.start(), name, id)
                    )
        for candidates in self._by_first_word.values():
            candidates.sort(key=lambda candidate: -len(candidate[1]))

    def __call__(self, text: Inline) -> Spans:
        """The spans of a line or a table cell."""
        match text:
            case Ref():
                return self._ref(text)
            case tuple():
                return [span for part in text for span in self(part)]
            case int():
                return [str(text)]
        return self._split(text)

    def span_of_subject(self, id: str, text: str = "") -> Span:
        """The span of a subject, by its id."""
        subject = self._names.all.get(id)
        if subject is None:
            return text or id
        if subject.kind == PLAYER:
            return {"t": text or subject.name, "player": subject.name}
        span: dict[str, Any] = {"t": text or subject.name, "ref": [subject.kind, id]}
        player = self._player_of(subject)
        return span | {"player": player} if player else span

    def spans_of_subject(self, id: str, name: str = "") -> Spans:
        """The spans of a subject, by its id; a pair is split into its two names."""
        subject = self._names.all.get(id)
        name = name or (subject.name if subject is not None else id)
        parts = name.split(" & ")
        subjects = [(part, self._names.find(part)) for part in parts if len(parts) > 1]
        spans = [
            self.span_of_subject(part_subject.id, part)
            for part, part_subject in subjects
            if isinstance(part_subject, Named)
        ]
        if spans and len(spans) == len(parts):
            return [span for named_span in spans for span in (" & ", named_span)][1:]
        return [self.span_of_subject(id, name)]

    def _ref(self, ref: Ref) -> Spans:
        if ref.kind == "player":
            return [{"t": ref.label, "player": ref.id}]
        if ref.kind == "rule":
            return [{"t": ref.label, "rule": ref.id}]
        if ref.kind == "sheet":
            return self.spans_of_subject(ref.id, ref.label)
        return [{"t": ref.label, "ref": [ref.kind, ref.id]}]

    def _split(self, text: str) -> Spans:
        spans: Spans = []
        copied_end = 0
        for word_match in _WORD.finditer(text):
            if word_match.start() < copied_end:
                continue
            for offset, name, id in self._by_first_word.get(word_match[0], ()):
                start = word_match.start() - offset
                end = start + len(name)
                if start >= copied_end and text.startswith(name, start) and not _inside(text, end):
                    if start > copied_end:
                        spans.append(text[copied_end:start])
                    spans.extend(self.spans_of_subject(id, name))
                    copied_end = end
                    break
        if copied_end < len(text):
            spans.append(text[copied_end:])
        return spans


def _inside(text: str, position: int) -> bool:
    """Whether a word continues at this position."""
    return (
        _WORD.match(text[position - 1 : position]) is not None
        and _WORD.match(text[position : position + 1]) is not None
    )
