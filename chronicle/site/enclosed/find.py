"""What a campaign is searched by: its entries, people, scenes and pages, as a script that is loaded when somebody
looks for something. It opens each at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from chronicle.core.book import Ref, SessionView
from chronicle.core.record import Step
from chronicle.site.files import SiteFile
from chronicle.site.prose import plain, typeset
from chronicle.site.rooms import FIND, Door
from chronicle.site.shards import script
from chronicle.site.volume import GLOSSARY, Volume

MOST: Final = 600
"""So many letters of an entry are searched."""


def files(volume: Volume, doors: Sequence[Door]) -> Iterator[SiteFile]:
    """The index of a campaign."""

    def url(ref: Ref) -> str:
        return volume.url(" index", ref)

    book, scenes = volume.book, volume.record.timeline.scenes
    told = {
        "entries": [entry for session in book.sessions for entry in _entries(volume, session)],
        "words": url(Ref("path", GLOSSARY, "")),
        "evenings": {
            str(one.number): url(Ref("session", str(one.number), "")) for one in book.sessions
        },
        "people": [
            [
                typeset(sheet.name),
                typeset(sheet.role or sheet.kind),
                url(Ref("sheet", sheet.id, "")),
                plain(" · ".join(filter(None, (sheet.tagline, *sheet.names[1:])))),
                volume.record.step(met).session if (met := volume.met.get(sheet.id, 0)) else 0,
            ]
            for sheet in book.sheets
        ],
        "scenes": [
            [typeset(scene.label), plain(scene.when), link, scene.session]
            for scene in scenes
            if (link := url(Ref("scene", str(scene.number), "")))
        ],
        "pages": [[door.title, door.room, url(Ref("path", door.page, ""))] for door in doors],
    }
    yield SiteFile(volume.path(FIND), data=script("chronicleFind", told))


def _entries(volume: Volume, session: SessionView) -> list[tuple[int, int, str, str]]:
    """The entries of an evening: number, evening, words, anchor."""
    return [
        (step.index, step.session, text, step.anchor)
        for step in session.steps
        if not step.hidden and (text := _said(volume, step))
    ]


def _said(volume: Volume, step: Step) -> str:
    """The words of an entry: what it told, what it did, and what was said about it."""
    parts: list[Any] = [step.fiction, step.headline, *volume.remarks(step)]
    return plain(" ".join(dict.fromkeys(part.strip() for part in parts if part)))[:MOST]
