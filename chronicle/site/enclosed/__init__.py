"""What goes with the pages of a campaign and is none of them: files that its pages load, or others ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.site.enclosed import cards, feed, find, redirects
from chronicle.site.files import SiteFile
from chronicle.site.navigation import NavPage
from chronicle.site.volume import Volume


def files(volume: Volume, nav_pages: Sequence[NavPage]) -> Iterator[SiteFile]:
    """Every one of them, where its navigation has these ``nav_pages``."""
    yield from cards.files(volume)
    yield from redirects.files(volume)
    yield from feed.files(volume)
    yield from find.files(volume, nav_pages)
