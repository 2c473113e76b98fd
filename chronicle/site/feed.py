"""Files of an archive for other programs: the latest sessions (Atom), and the list of pages (sitemaps)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from uuid import NAMESPACE_URL, uuid5

from markupsafe import escape

from chronicle.site.cards import CampaignCard
from chronicle.site.links import PageUrlBuilder
from chronicle.site.news import MAX_FEED_ENTRIES, FeedEntry, atom_feed
from chronicle.words import word

SITEMAP = "sitemap.xml"
"""A list of pages for those who look for all of them."""
_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def archive_feed(
    cards: Iterable[CampaignCard],
    title: str,
    given_url: str,
    feed_page: str,
    url_builder: PageUrlBuilder,
) -> bytes:
    """The campaigns that were played last, by the last day that their logs tell; those that tell none are
    not in it.

    Args:
        cards: all campaigns.
        title: the name of the site.
        given_url: where the site lies, if that is known; else addresses are as seen from the feed.
        feed_page: the path of the feed on the site.
        url_builder: builds the addresses of pages.
    """
    dated_cards = [(day, card) for card in cards if (day := _last_day(card)) is not None]
    dated_cards.sort(key=lambda day_and_card: day_and_card[1].folder)
    dated_cards.sort(key=lambda day_and_card: day_and_card[0], reverse=True)
    site_url = f"{given_url.rstrip('/')}/" if given_url else ""

    def page_url(page_path: str) -> str:
        return (
            f"{site_url}{url_builder.from_root(page_path).removeprefix('./')}"
            if site_url
            else url_builder.between(feed_page, page_path)
        )

    feed_entries = (
        FeedEntry(
            _feed_id(site_url or title, f"{card.folder}#{card.session_count}"),
            card.title,
            page_url(card.page_path("index")),
            day.isoformat(),
            word(
                "site.feed_entry",
                summary=card.summary,
                sessions=word("site.sessions_count", count=card.session_count),
                state=word("site.finished" if card.is_over else "site.going_on"),
            ).strip(),
        )
        for day, card in dated_cards[:MAX_FEED_ENTRIES]
    )
    feed_url = site_url + feed_page if site_url else ""
    return atom_feed(
        title, _feed_id(site_url or title, ""), page_url("index"), feed_url, feed_entries, title
    )


def _last_day(card: CampaignCard) -> date | None:
    for iso_day in reversed(card.session_dates):
        try:
            return date.fromisoformat(iso_day)
        except ValueError:
            continue
    return None


def _feed_id(site_key: str, entry_key: str) -> str:
    return uuid5(NAMESPACE_URL, f"{site_key} {entry_key}").urn


def sitemap(urls: Iterable[str]) -> bytes:
    """The pages of a campaign, by their whole addresses."""
    return _xml_list("urlset", "url", urls)


def sitemap_index(sitemap_urls: Iterable[str]) -> bytes:
    """Sitemaps by their whole addresses, since one may not name the pages of them all."""
    return _xml_list("sitemapindex", "sitemap", sitemap_urls)


def _xml_list(root_tag: str, entry_tag: str, urls: Iterable[str]) -> bytes:
    url_elements = [
        f"  <{entry_tag}><loc>{escape(page_url)}</loc></{entry_tag}>\n" for page_url in urls
    ]
    xml_head = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<{root_tag} xmlns="{_SITEMAP_NAMESPACE}">\n'
    )
    return f"{xml_head}{''.join(url_elements)}</{root_tag}>\n".encode()
