"""Sentences of the log: which one says most about somebody, or about what an evening decided.

Nothing is written here and nothing is rewritten. A sentence is chosen by where it stands: one that begins
with a name is about it, one that was marked or that dice decided counts for more, and a later one says
better how things are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property
from math import inf
from typing import NamedTuple

from chronicle.core.book import Book
from chronicle.core.telling import Told, sentence, sentences
from chronicle.site.chapters import Chapter, Entry, Paragraph, Speech, Verdict
from chronicle.site.prose import typeset

SHORT, TELLING, LONG, TOO_LONG = 24, 80, 120, 220
"""How many letters a sentence has that can stand alone; that says something; more than most; too many."""
_MARKS = re.compile(r"[*_`]")


class Quote(NamedTuple):
    """A sentence of the log (Markdown), and the entry it stands in."""

    step: int
    session: int
    scene: int
    text: str
    own: bool
    """Whether it was written down as a sentence, and not as one of many."""
    large: bool
    decided: bool
    """Whether dice decided what it tells."""
    leads: bool
    """Whether it is the first of what its entry tells."""

    @property
    def length(self) -> int:
        """How many letters it has."""
        return len(self.text)


class Quotes:
    """Every sentence of a story, found by whom it is about.

    Args:
        book: what happened.
        chapters: the story of each evening that told anything.
        short: gives the words by which people are called alone, to their ids.
    """

    def __init__(
        self,
        book: Book,
        chapters: Mapping[int, Chapter],
        short: Callable[[], Mapping[str, str]] = dict,
        of: Callable[[Chapter], Iterable[Quote]] | None = None,
    ) -> None:
        self._book = book
        self._chapters = chapters
        self._short = short
        self._of = of or quotes_of

    @cached_property
    def all(self) -> tuple[Quote, ...]:
        """Every sentence that can stand alone, in order."""
        return tuple(quote for one in self._chapters.values() for quote in self._of(one))

    @property
    def ground(self) -> tuple[object, ...]:
        """What it rests on which sentence of some evenings says most, beside these."""
        return self._short(), len(self._book.record.steps)

    @cached_property
    def _about(self) -> dict[str, list[tuple[float, Quote]]]:
        """For each sheet the sentences about it, in order, each with how much it says."""
        names: dict[str, str] = {}
        for sheet in reversed(self._book.sheets):
            names.update((typeset(name), sheet.id) for name in sheet.names if len(name) > 2)
        names = {**self._short(), **names}
        ordered = sorted(names, key=len, reverse=True)
        pattern = re.compile(
            rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)" if ordered else r"(?!)"
        )
        subjects = {
            step.index: {event.subject for event in step.events if event.subject}
            for step in self._book.record.visible()
        }
        last = max(len(self._book.record.steps), 1)
        found: defaultdict[str, list[tuple[float, Quote]]] = defaultdict(list)
        for quote in self.all:
            worth = (
                1.5 * quote.own
                + 3 * quote.large
                + 1.5 * quote.decided
                + 0.8 * quote.leads
                # What has few words says little of anybody.
                + (4 * min(quote.length, TELLING) / TELLING if quote.length <= LONG else -1)
                + 1.5 * quote.step / last
            )
            text = typeset(_MARKS.sub("", quote.text))
            named: dict[str, float] = {}
            for match in pattern.finditer(text):
                id = names[match[0]]
                # Who opens a sentence acts in it; who stands further back is acted upon.
                opens = match.start() < 4 or text[: match.start()] in ("The ", "the ")
                named[id] = max(named.get(id, 0), 4.0 if opens else 1.0)
            for id in subjects.get(quote.step, ()):
                named[id] = named.get(id, 0) + 1.2
            for id, points in named.items():
                found[id].append((points + worth - 0.8 * (len(named) - 1), quote))
        return found

    def of(
        self, id: str, through: int | None = None, after: int = -1, told: Container[int] = ()
    ) -> Quote | None:
        """The sentence that says most about somebody in the evenings after one, up to another; not one of the
        entries that are ``told`` already."""
        last = inf if through is None else through
        known = [one for one in self._about.get(id, ()) if after < one[1].session <= last]
        fresh = [one for one in known if one[1].step not in told]
        return max(fresh, key=lambda one: one[0], default=(0.0, None))[1]

    def thread(self, id: str) -> Iterator[Quote]:
        """All that is told of somebody, in order: sentences that name them, or stand where they act."""
        seen: set[int] = set()
        for points, quote in self._about.get(id, ()):
            if points > 2 or quote.step not in seen:
                seen.add(quote.step)
                yield quote

    def course(self, id: str) -> list[Quote]:
        """What is said of somebody as a story goes: the first sentence, then the best of each evening."""
        known = self._about.get(id, ())
        if not known:
            return []
        first = min((quote for _, quote in known), key=lambda quote: quote.step)
        best: dict[int, tuple[float, Quote]] = {}
        for points, quote in known:
            if points > best.get(quote.session, (-99.0, quote))[0]:
                best[quote.session] = (points, quote)
        made = dict.fromkeys([first, *(quote for _, quote in best.values())])
        return sorted(made, key=lambda quote: quote.step)


def quotes_of(chapter: Chapter) -> tuple[Quote, ...]:
    """The sentences of a chapter that can stand alone, in order."""
    return tuple(_of(chapter))


def _of(chapter: Chapter) -> Iterator[Quote]:
    for section in chapter.sections:
        decided = False
        for block in section.body:
            if isinstance(block, Verdict):
                decided = True
            elif isinstance(block, Paragraph):
                for entry in block.entries:
                    yield from _in(entry, chapter.number, section.scene, block.large, decided)
                decided = False
            elif isinstance(block, Speech):
                decided = False


def _in(entry: Entry, session: int, scene: int, large: bool, decided: bool) -> Iterator[Quote]:
    """The sentences of one entry that can stand alone."""
    first = True
    for piece in entry.pieces:
        if piece.told is Told.SENTENCE:
            texts, own = [sentence(piece.text)], True
        elif piece.told is Told.PROSE:
            texts, own = quotable(piece.text), False
        else:
            continue
        for text in texts:
            if SHORT <= len(text) <= TOO_LONG and text.count('"') % 2 == 0:
                yield Quote(entry.step, session, scene, text, own, large, decided, first)
                first = False


def quotable(markdown: str) -> list[str]:
    """The sentences of a paragraph, marks that are not closed taken out."""
    return [
        text if not any(text.count(mark) % 2 for mark in "*_`") else _MARKS.sub("", text)
        for text in sentences(markdown)
    ]
