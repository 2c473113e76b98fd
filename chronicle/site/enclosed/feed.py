"""The files of a story for use outside the site: its feed, and the picture for links to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from chronicle.core.figures import in_words
from chronicle.limited import Failed, LimitedProcess
from chronicle.site.covers import cover
from chronicle.site.emblems import document
from chronicle.site.files import SiteFile
from chronicle.site.news import FILE, atom, evenings
from chronicle.site.share import Share, can_draw
from chronicle.site.volume import COVER, SHARE, Volume
from chronicle.words import word


def files(volume: Volume) -> Iterator[SiteFile]:
    """Both, where the address of the site is known: neither is any use without it."""
    site, file = volume.studio.url, volume.studio.address.file
    if not site:
        return
    sessions_with_dates = evenings(volume)
    if sessions_with_dates:
        feed_path, home = volume.path(FILE), file(volume.path("index"))
        atom_data = atom(
            site,
            feed_path,
            home,
            volume.book.title,
            (("", evening) for evening in sessions_with_dates),
        )
        yield SiteFile(feed_path, data=atom_data)
    if can_draw():
        yield from _pictures(volume)


def _pictures(volume: Volume) -> Iterator[SiteFile]:
    """The picture for links: with the cover that the campaign has, or else with one of ours."""
    drawn = cover(volume.seal)
    file, _ = volume.cover
    covers = [drawn] if file == COVER else [dict(volume.pictures.files())[file], drawn]
    for cover_or_drawing in covers:
        share, studio = _share(volume, cover_or_drawing), volume.studio
        try:
            picture = studio.cache.make(
                ("share", volume.folder), share, partial(_drawn, share, studio.child)
            )
        except Failed as error:
            shown = file if cover_or_drawing is not drawn else "its cover"
            volume.studio.warn(
                f"{volume.book.title}: {shown} is not on the picture for links: {error}"
            )
            continue
        yield SiteFile(volume.path(SHARE), data=picture)
        return


def _drawn(share: Share, child: LimitedProcess) -> bytes:
    *words, data = share
    return child.ask("share", dict(zip(Share._fields, words, strict=False)), data).blobs[0]


def _share(volume: Volume, cover: bytes) -> Share:
    players = len(volume.book.players())
    sessions = word("site.sessions_count", count=len(volume.chapters))
    minutes = word("site.minutes", count=volume.minutes)
    return Share(
        word("site.share_kicker"),
        volume.book.title,
        volume.description,
        word("site.share_size", sessions=sessions, minutes=minutes),
        word("site.share_told", game=volume.record.rulebook.title, players=in_words(players)),
        document(volume.seal),
        cover,
    )
