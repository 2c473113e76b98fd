"""Sentences in pieces: whom they name is marked, so that a page can colour players and link things.

A span is a plain string, or a mapping with its text under ``t`` and what it is: ``player`` (whose
colour it has), ``ref`` (the kind and the id of what is named), ``rule``, ``slip``, ``strong``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from chronicle.core.book import Inline, Ref
from chronicle.core.names import PLAYER, Named, Names

Span = str | dict[str, Any]
Spans = list[Span]

_WORD = re.compile(r"\w+")


class Speller:
    """Marks the names of a campaign in sentences. ``player_of`` gives the player of a character."""

    def __init__(self, names: Names, player_of: Callable[[Named], str]) -> None:
        self._names = names
        self._player_of = player_of
        self._starting: dict[str, list[tuple[int, str, str]]] = {}
        """By their first word: where in the name that stands, the name, the id."""
        for id, named in names.all.items():
            for name in dict.fromkeys((named.name, *named.aliases)):
                first = _WORD.search(name)
                # A name in one small letter is a word like any other.
                if first is not None and (len(name) > 1 or name.isupper()):
                    self._starting.setdefault(first[0], []).append((first.start(), name, id))
        for found in self._starting.values():
            found.sort(key=lambda one: -len(one[1]))

    def __call__(self, text: Inline) -> Spans:
        """The spans of a line or of a table cell."""
        match text:
            case Ref():
                return self._ref(text)
            case tuple():
                return [span for part in text for span in self(part)]
            case int():
                return [str(text)]
        return self._split(text)

    def named(self, id: str, text: str = "") -> Span:
        """Something that has a name, by its id."""
        named = self._names.all.get(id)
        if named is None:
            return text or id
        if named.kind == PLAYER:
            return {"t": text or named.name, "player": named.name}
        made: dict[str, Any] = {"t": text or named.name, "ref": [named.kind, id]}
        player = self._player_of(named)
        return made | {"player": player} if player else made

    def each(self, id: str, name: str = "") -> Spans:
        """Something that has a name, by its id; of two in one, a pair, each by itself."""
        known = self._names.all.get(id)
        name = name or (known.name if known is not None else id)
        parts = name.split(" & ")
        found = [(part, self._names.find(part)) for part in parts if len(parts) > 1]
        each = [self.named(one.id, part) for part, one in found if isinstance(one, Named)]
        if each and len(each) == len(parts):
            return [span for one in each for span in (" & ", one)][1:]
        return [self.named(id, name)]

    def _ref(self, ref: Ref) -> Spans:
        if ref.kind == "player":
            return [{"t": ref.label, "player": ref.id}]
        if ref.kind == "rule":
            return [{"t": ref.label, "rule": ref.id}]
        if ref.kind == "sheet":
            return self.each(ref.id, ref.label)
        return [{"t": ref.label, "ref": [ref.kind, ref.id]}]

    def _split(self, text: str) -> Spans:
        found: Spans = []
        done = 0
        for word in _WORD.finditer(text):
            if word.start() < done:
                continue
            for offset, name, id in self._starting.get(word[0], ()):
                start = word.start() - offset
                end = start + len(name)
                if start >= done and text.startswith(name, start) and not _inside(text, end):
                    if start > done:
                        found.append(text[done:start])
                    found.extend(self.each(id, name))
                    done = end
                    break
        if done < len(text):
            found.append(text[done:])
        return found


def _inside(text: str, at: int) -> bool:
    """Whether a word goes on at a place."""
    return _WORD.match(text[at - 1 : at]) is not None and _WORD.match(text[at : at + 1]) is not None
