"""The journal: texts written after play, in a character's voice or the writer's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Inline
from chronicle.site.dates import long_date
from chronicle.site.draw import Pen
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft
from chronicle.site.volume import Volume
from chronicle.words import word


class Text(NamedTuple):
    """One text of the journal."""

    slug: str
    title: str
    date: str
    by: Inline
    body: str


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if volume.record.campaign.journal:
        yield NavPage(
            "Journal", word("site.journal"), "journal", str(len(volume.record.campaign.journal))
        )


def pages(volume: Volume) -> Iterator[Draft]:
    """All texts on one page."""
    texts = tuple(
        Text(
            entry.slug, entry.title, long_date(entry.date), volume.works.by_line(entry), entry.body
        )
        for entry in volume.record.campaign.journal
    )
    if texts:
        yield Draft("journal", word("site.journal"), texts, _fill)


def _fill(pen: Pen, texts: tuple[Text, ...]) -> dict[str, Any]:
    return {
        "texts": [
            {**text._asdict(), "by": pen.text(text.by), "body": pen.prose(text.body)}
            for text in texts
        ]
    }
