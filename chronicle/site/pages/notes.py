"""The keeper's notes: a page each, and the list of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chronicle.core.book import Ref
from chronicle.site.draw import Pen
from chronicle.site.links import Slugs
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, neighbours
from chronicle.site.volume import Volume
from chronicle.words import word

INDEX = "notes/index"


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if volume.record.campaign.notes:
        yield NavPage("Journal", word("site.notes"), INDEX, str(len(volume.record.campaign.notes)))


def pages(volume: Volume) -> Iterator[Draft]:
    """The list, then the notes."""
    notes = volume.record.campaign.notes
    if not notes:
        return
    slugs = Slugs(("index",))
    page_paths = {note.path: f"notes/{slugs.of(note.path, note.slug)}" for note in notes}
    links = tuple(Ref("path", page_paths[note.path], note.title) for note in notes)
    yield Draft(INDEX, word("site.notes"), links, _list)
    for note, turn in zip(notes, neighbours(links), strict=True):
        page, crumbs = page_paths[note.path], ((word("site.notes"), INDEX),)
        yield Draft(page, note.title, note.body, _note, crumbs, source=note.path, turn=turn)


def _list(pen: Pen, links: tuple[Ref, ...]) -> dict[str, Any]:
    return {"notes": [(ref.label, pen.address(ref)) for ref in links], "body": ""}


def _note(pen: Pen, body: str) -> dict[str, Any]:
    return {"notes": (), "body": pen.prose(body)}
