"""The pages of one campaign, one small module a kind. Each has a function ``pages``, which says what its
pages are made of, and the template of the same name in ``templates/pages/``, which draws them."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site import enclosed
from chronicle.site.files import SiteFile
from chronicle.site.pages import (
    cast,
    changes,
    check,
    dice,
    downloads,
    gallery,
    game,
    glossary,
    journal,
    ledger,
    loose_ends,
    names,
    notes,
    overview,
    players,
    reader,
    registry,
    relations,
    rules,
    scenes,
    session,
    sessions,
    sheet,
    state,
    story,
    talk,
    thread,
    timeline,
)
from chronicle.site.press import Press
from chronicle.site.rooms import Door, Rooms
from chronicle.site.volume import Volume

KINDS = (
    overview,
    state,
    story,
    talk,
    session,
    reader,
    sessions,
    scenes,
    timeline,
    cast,
    registry,
    sheet,
    thread,
    players,
    relations,
    game,
    ledger,
    dice,
    glossary,
    rules,
    check,
    loose_ends,
    names,
    changes,
    journal,
    gallery,
    notes,
    downloads,
)
"""Every kind of page, in the order of the navigation."""


def doors(volume: Volume) -> Iterator[Door]:
    """Every page that the navigation of a campaign leads to."""
    for kind in KINDS:
        if hasattr(kind, "doors"):
            yield from kind.doors(volume)


def files(volume: Volume) -> Iterator[SiteFile]:
    """Every file of a campaign."""
    found = [*doors(volume)]
    press = Press(volume, Rooms(volume, found))
    yield from press.make_all(
        (made, f"{kind.__name__.rpartition('.')[2]}.html")
        for kind in KINDS
        for made in kind.pages(volume)
    )
    yield from enclosed.files(volume, found)
