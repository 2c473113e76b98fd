"""How to read this (``glossary.html``): what the marks on the pages mean, and the words of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.rules import Term
from chronicle.site.draw import Pen
from chronicle.site.emblems import Emblem
from chronicle.site.links import slugify
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft
from chronicle.site.volume import GLOSSARY, Volume
from chronicle.words import word

TITLE = word("site.how_to_read")


class Key(NamedTuple):
    """What the page shows."""

    terms: tuple[Term, ...]
    dice: bool


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", TITLE, GLOSSARY)


def pages(volume: Volume) -> Iterator[Draft]:
    """One page."""
    terms = sorted(volume.rules.terms, key=lambda term: term.synonyms[0].casefold())
    description = word("site.how_to_read_about", story=volume.book.title)
    key = Key(tuple(terms), volume.throws_dice)
    # Every campaign of a game has the same page, so it says nothing about this story.
    meta = {"search": {"exclude": True}}
    yield Draft(GLOSSARY, TITLE, key, _fill, about=description, meta=meta, tells="itself")


def _fill(pen: Pen, key: Key) -> dict[str, Any]:
    return {
        "dice": key.dice,
        "emblems": {
            name: pen.draw(Emblem(word("site.somebody"), motif, shape, dark, False, ticks))
            for name, motif, shape, dark, ticks in (
                ("person", "hat", "person", False, 5),
                ("other", "hat", "person", True, 0),
                ("kind", "hat", "kind", False, 0),
                ("thing", "book", "thing", False, 0),
            )
        },
        "terms": [
            {
                "anchor": slugify(term.synonyms[0]),
                "word": term.synonyms[0],
                "also": ", ".join(term.synonyms[1:]),
                "text": term.text,
                "rule": pen.rule(term.rule),
            }
            for term in key.terms
        ],
    }
