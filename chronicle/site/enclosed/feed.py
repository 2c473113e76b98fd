"""What is known of a story away from the site: its feed, and the picture that goes with links to it."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.diagnostic import plural
from chronicle.core.figures import in_words
from chronicle.site.covers import cover
from chronicle.site.emblems import document
from chronicle.site.files import SiteFile
from chronicle.site.news import FILE, atom, evenings
from chronicle.site.share import Share, can_draw, draw
from chronicle.site.volume import COVER, SHARE, Volume


def files(volume: Volume) -> Iterator[SiteFile]:
    """Both, where the address of the site is known: neither is any use without it."""
    site, file = volume.studio.url, volume.studio.address.file
    if not site:
        return
    told = evenings(volume)
    if told:
        at, home = volume.path(FILE), file(volume.path("index"))
        made = atom(site, at, home, volume.book.title, (("", one) for one in told))
        yield SiteFile(at, data=made)
    if can_draw():
        yield SiteFile(volume.path(SHARE), data=draw(_share(volume)))


def _share(volume: Volume) -> Share:
    players = len(volume.book.players())
    chapters = plural(len(volume.chapters), "chapter")
    minutes = plural(volume.minutes, "minute")
    drawn = cover(volume.seal)
    file, _ = volume.cover
    return Share(
        "A story told at a table",
        volume.book.title,
        volume.about,
        f"{chapters}, {minutes}",
        f"{volume.record.rulebook.title}, told by {in_words(players)}",
        document(volume.seal),
        drawn if file == COVER else dict(volume.pictures.files())[file],
        drawn,
    )
