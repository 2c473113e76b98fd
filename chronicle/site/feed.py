"""Files of an archive for other programs: the latest sessions (Atom), and the list of pages (sitemaps)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from uuid import NAMESPACE_URL, uuid5

from markupsafe import escape

from chronicle.site.cards import Card
from chronicle.site.links import Address
from chronicle.site.news import MAX_ENTRIES, FeedEntry, atom_feed
from chronicle.words import word

SITEMAP = "sitemap.xml"
"""A list of pages for those who look for all of them."""
_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def archive_feed(
    cards: Iterable[Card], title: str, url: str, feed_page: str, address: Address
) -> bytes:
    """The campaigns that were played last, by the last day that their logs tell; those that tell none are
    not in it.

    Args:
        cards: all campaigns.
        title: the name of the site.
        url: where the site lies, if that is known; else addresses are as seen from the feed.
        feed_page: the path of the feed on the site.
        address: the addresses of pages.
    """
    dated_cards = [(day, card) for card in cards if (day := _last_day(card)) is not None]
    dated_cards.sort(key=lambda pair: pair[1].folder)
    dated_cards.sort(key=lambda pair: pair[0], reverse=True)
    site_url = f"{url.rstrip('/')}/" if url else ""

    def page_url(page: str) -> str:
        return (
            f"{site_url}{address.file(page).removeprefix('./')}"
            if site_url
            else address.between(feed_page, page)
        )

    entries = (
        FeedEntry(
            _feed_id(site_url or title, f"{card.folder}#{card.sessions}"),
            card.title,
            page_url(card.page("index")),
            day.isoformat(),
            word(
                "site.feed_entry",
                summary=card.summary,
                sessions=word("site.sessions_count", count=card.sessions),
                state=word("site.finished" if card.over else "site.going_on"),
            ).strip(),
        )
        for day, card in dated_cards[:MAX_ENTRIES]
    )
    feed_url = site_url + feed_page if site_url else ""
    return atom_feed(
        title, _feed_id(site_url or title, ""), page_url("index"), feed_url, entries, title
    )


def _last_day(card: Card) -> date | None:
    for day in reversed(card.dates):
        try:
            return date.fromisoformat(day)
        except ValueError:
            continue
    return None


def _feed_id(base: str, name: str) -> str:
    return uuid5(NAMESPACE_URL, f"{base} {name}").urn


def sitemap(pages: Iterable[str]) -> bytes:
    """The pages of a campaign, by their whole addresses."""
    return _xml_list("urlset", "url", pages)


def sitemaps(files: Iterable[str]) -> bytes:
    """Sitemaps by their whole addresses, since one may not name the pages of them all."""
    return _xml_list("sitemapindex", "sitemap", files)


def _xml_list(root_tag: str, entry_tag: str, addresses: Iterable[str]) -> bytes:
    lines = [
        f"  <{entry_tag}><loc>{escape(address)}</loc></{entry_tag}>\n" for address in addresses
    ]
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root_tag} xmlns="{_SITEMAP_NAMESPACE}">\n'
    return f"{head}{''.join(lines)}</{root_tag}>\n".encode()
