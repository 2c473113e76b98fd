"""The story alone (``story.html``): on one page, or, once it is a long book, on a page a session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Column, Inline, Ref, SessionView, Table
from chronicle.site.draw import Pen
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume

BOOK = 150_000
"""How many letters the story may have before each session becomes a page of its own."""
TITLE = "Story so far"


class Part(NamedTuple):
    """A heading with when it is, or a piece of the story."""

    heading: str
    time: str
    text: str


class Chapter(NamedTuple):
    """What one evening told."""

    number: int
    title: str
    parts: tuple[Part, ...]


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("Read", "The story", "story")


def pages(volume: Volume) -> Iterator[Draft]:
    """The whole book, or its contents and a page a chapter."""
    told = {
        session.number: sum(len(step.fiction) for step in session.steps if not step.hidden)
        for session in volume.book.sessions
    }
    sessions = [session for session in volume.book.sessions if told[session.number]]
    if sum(told.values()) <= BOOK:
        yield _page(volume, "story", TITLE, *sessions)
        return
    rows: list[tuple[Inline, ...]] = [
        (Ref("path", f"story/{session.number}", session.title), session.number, session.summary)
        for session in sessions
    ]
    columns = (Column("Chapter"), Column("Session", True), Column("What it tells"))
    yield blocks_page("story", TITLE, [Table(columns, tuple(rows))])
    for session in sessions:
        crumbs = ((TITLE, "story"),)
        yield _page(volume, f"story/{session.number}", session.title, session, crumbs=crumbs)


def _page(
    volume: Volume,
    page: str,
    title: str,
    *sessions: SessionView,
    crumbs: tuple[tuple[str, str], ...] = (),
) -> Draft:
    chapters = tuple(
        Chapter(session.number, session.title, tuple(_parts(volume, session)))
        for session in sessions
    )
    meta = {"voice": "story"}
    return Draft(page, title, "story.html", chapters, _fill, crumbs, meta=meta)


def _parts(volume: Volume, session: SessionView) -> Iterator[Part]:
    timeline = volume.record.timeline
    scene = 0
    for step in session.steps:
        if step.hidden or not step.fiction:
            continue
        if step.scene and step.scene != scene:
            scene = step.scene
            found = timeline.get(scene)
            when = " · ".join(part for part in (found.time, timeline.branch_of(found)) if part)
            yield Part(found.title, when, "")
        yield Part("", "", step.fiction)


def _fill(pen: Pen, chapters: tuple[Chapter, ...]) -> dict[str, Any]:
    return {
        "chapters": [
            {
                "title": chapter.title,
                "number": chapter.number,
                "parts": [
                    part._replace(text=pen.prose(part.text)) if part.text else part
                    for part in chapter.parts
                ],
            }
            for chapter in chapters
        ]
    }
