"""The list of all sessions: what each is about, and the ways into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Ref
from chronicle.site.dates import long_date
from chronicle.site.draw import Pen
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft
from chronicle.site.prose import prose
from chronicle.site.volume import Volume
from chronicle.words import word

INDEX = "sessions/index"


class Evening(NamedTuple):
    """A session as lists show it."""

    number: int
    title: str
    date: str
    summary: str
    minutes: int
    told: bool
    """Whether it has a story."""
    present: tuple[str, ...]
    entries: int


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Sessions", word("site.sessions"), INDEX, str(len(volume.book.sessions)))


def pages(volume: Volume) -> Iterator[Draft]:
    """All sessions, one below the other."""
    yield Draft(INDEX, word("site.sessions"), tuple(evenings(volume)), _fill, tells="rows")


def evenings(volume: Volume) -> Iterator[Evening]:
    """Every session as lists show it."""
    for session in volume.book.sessions:
        chapter = volume.chapters.get(session.number)
        yield Evening(
            session.number,
            session.title,
            long_date(session.date),
            session.summary,
            chapter.minutes if chapter is not None else 0,
            chapter is not None,
            tuple(session.present),
            sum(1 for step in session.steps if not step.hidden),
        )


def drawn(pen: Pen, evening: Evening) -> dict[str, Any]:
    """A session as the macro ``evening`` takes it."""
    number = str(evening.number)
    return {
        **evening._asdict(),
        "summary": prose(evening.summary) if evening.summary else "",
        "url": pen.address(Ref("session", number, "")),
        "steps": pen.address(Ref("path", f"sessions/{number}-steps", "")),
        "story": pen.address(Ref("chapter", number, "")) if evening.told else "",
        "present": [pen.player(name) for name in evening.present],
    }


def _fill(pen: Pen, shown: tuple[Evening, ...]) -> dict[str, Any]:
    return {"sessions": [drawn(pen, evening) for evening in shown]}
