"""The list of all sessions."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Inline, Ref, Table
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume
from chronicle.words import word


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage(
        "Sessions", word("site.sessions"), "sessions/index", str(len(volume.book.sessions))
    )


def pages(volume: Volume) -> Iterator[Draft]:
    """All sessions in one table."""
    rows: tuple[tuple[Inline, ...], ...] = tuple(
        (
            Ref("session", str(session.number), session.title),
            session.number,
            session.date,
            ", ".join(session.present),
            sum(1 for step in session.steps if not step.hidden),
        )
        for session in volume.book.sessions
    )
    columns = (
        Column(word("site.title")),
        Column(word("site.number"), True),
        Column(word("site.date")),
        Column(word("site.players")),
        Column(word("site.entries_head"), True),
    )
    yield blocks_page("sessions/index", word("site.sessions"), [Table(columns, rows)], tells="rows")
