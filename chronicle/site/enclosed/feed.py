"""The files of a story for use outside the site: its feed, and the picture for links to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from chronicle.core.figures import number_in_words
from chronicle.limited import Failed, LimitedProcess
from chronicle.site.campaign_site import COVER_FILE, SHARE_FILE, CampaignSite
from chronicle.site.covers import draw_cover
from chronicle.site.emblems import emblem_file
from chronicle.site.files import SiteFile
from chronicle.site.news import FEED_FILE, dated_sessions, sessions_feed
from chronicle.site.share import SharePicture, can_draw
from chronicle.words import word


def feed_and_share_files(campaign_site: CampaignSite) -> Iterator[SiteFile]:
    """Both, where the address of the site is known: neither is any use without it."""
    site_url, file_of_page = (
        campaign_site.site_context.site_url,
        campaign_site.site_context.url_builder.from_root,
    )
    if not site_url:
        return
    sessions_with_dates = dated_sessions(campaign_site)
    if sessions_with_dates:
        feed_path, home_file = (
            campaign_site.path_on_site(FEED_FILE),
            file_of_page(campaign_site.path_on_site("index")),
        )
        feed_contents = sessions_feed(
            site_url,
            feed_path,
            home_file,
            campaign_site.view.title,
            (("", feed_session) for feed_session in sessions_with_dates),
        )
        yield SiteFile(feed_path, contents=feed_contents)
    if can_draw():
        yield from _share_pictures(campaign_site)


def _share_pictures(campaign_site: CampaignSite) -> Iterator[SiteFile]:
    """The picture for links: with the cover that the campaign has, or else with one of ours."""
    drawn_cover = draw_cover(campaign_site.story_emblem)
    cover_path, _ = campaign_site.cover_and_alt
    covers = (
        [drawn_cover]
        if cover_path == COVER_FILE
        else [dict(campaign_site.pictures.paths_and_contents())[cover_path], drawn_cover]
    )
    for cover_or_drawing in covers:
        share_picture, site_context = (
            _share_picture_of(campaign_site, cover_or_drawing),
            campaign_site.site_context,
        )
        try:
            picture_contents = site_context.build_cache.find_or_make(
                ("share", campaign_site.folder),
                share_picture,
                partial(_draw_share_picture, share_picture, site_context.child_process),
            )
        except Failed as error:
            cover_name = cover_path if cover_or_drawing is not drawn_cover else "its cover"
            campaign_site.site_context.warn(
                f"{campaign_site.view.title}: {cover_name} is not on the picture for links: {error}"
            )
            continue
        yield SiteFile(campaign_site.path_on_site(SHARE_FILE), contents=picture_contents)
        return


def _draw_share_picture(share_picture: SharePicture, child: LimitedProcess) -> bytes:
    *texts, cover_contents = share_picture
    return child.ask(
        "share", dict(zip(SharePicture._fields, texts, strict=False)), cover_contents
    ).blobs[0]


def _share_picture_of(campaign_site: CampaignSite, cover_contents: bytes) -> SharePicture:
    player_count = len(campaign_site.view.players())
    sessions_text = word("site.sessions_count", count=len(campaign_site.chapters_by_session))
    minutes_text = word("site.minutes", count=campaign_site.reading_minutes)
    return SharePicture(
        word("site.share_kicker"),
        campaign_site.view.title,
        campaign_site.description,
        word("site.share_size", sessions=sessions_text, minutes=minutes_text),
        word(
            "site.share_told",
            game=campaign_site.record.rulebook.title,
            players=number_in_words(player_count),
        ),
        emblem_file(campaign_site.story_emblem),
        cover_contents,
    )
