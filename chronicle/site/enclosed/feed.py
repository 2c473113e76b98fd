"""The files of a story for use outside the site: its feed, and the picture for links to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from chronicle.core.figures import in_words
from chronicle.limited import Failed, LimitedProcess
from chronicle.site.campaign_site import COVER, SHARE, CampaignSite
from chronicle.site.covers import cover
from chronicle.site.emblems import document
from chronicle.site.files import SiteFile
from chronicle.site.news import FILE, atom, evenings
from chronicle.site.share import Share, can_draw
from chronicle.words import word


def files(campaign_site: CampaignSite) -> Iterator[SiteFile]:
    """Both, where the address of the site is known: neither is any use without it."""
    site, file = campaign_site.site_context.url, campaign_site.site_context.address.file
    if not site:
        return
    sessions_with_dates = evenings(campaign_site)
    if sessions_with_dates:
        feed_path, home = campaign_site.path(FILE), file(campaign_site.path("index"))
        atom_data = atom(
            site,
            feed_path,
            home,
            campaign_site.book.title,
            (("", evening) for evening in sessions_with_dates),
        )
        yield SiteFile(feed_path, data=atom_data)
    if can_draw():
        yield from _pictures(campaign_site)


def _pictures(campaign_site: CampaignSite) -> Iterator[SiteFile]:
    """The picture for links: with the cover that the campaign has, or else with one of ours."""
    drawn = cover(campaign_site.seal)
    file, _ = campaign_site.cover
    covers = [drawn] if file == COVER else [dict(campaign_site.pictures.files())[file], drawn]
    for cover_or_drawing in covers:
        share, site_context = _share(campaign_site, cover_or_drawing), campaign_site.site_context
        try:
            picture = site_context.cache.make(
                ("share", campaign_site.folder), share, partial(_drawn, share, site_context.child)
            )
        except Failed as error:
            shown = file if cover_or_drawing is not drawn else "its cover"
            campaign_site.site_context.warn(
                f"{campaign_site.book.title}: {shown} is not on the picture for links: {error}"
            )
            continue
        yield SiteFile(campaign_site.path(SHARE), data=picture)
        return


def _drawn(share: Share, child: LimitedProcess) -> bytes:
    *words, data = share
    return child.ask("share", dict(zip(Share._fields, words, strict=False)), data).blobs[0]


def _share(campaign_site: CampaignSite, cover: bytes) -> Share:
    players = len(campaign_site.book.players())
    sessions = word("site.sessions_count", count=len(campaign_site.chapters))
    minutes = word("site.minutes", count=campaign_site.minutes)
    return Share(
        word("site.share_kicker"),
        campaign_site.book.title,
        campaign_site.description,
        word("site.share_size", sessions=sessions, minutes=minutes),
        word(
            "site.share_told", game=campaign_site.record.rulebook.title, players=in_words(players)
        ),
        document(campaign_site.seal),
        cover,
    )
