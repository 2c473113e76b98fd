"""Files of an archive for other programs: the latest sessions (Atom), and the list of pages (sitemaps)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from uuid import NAMESPACE_URL, uuid5

from markupsafe import escape

from chronicle.site.cards import Card
from chronicle.site.links import Address
from chronicle.site.news import MOST, Entry, written
from chronicle.words import word

SITEMAP = "sitemap.xml"
"""A list of pages for those who look for all of them."""
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def feed(cards: Iterable[Card], title: str, url: str, feed_page: str, address: Address) -> bytes:
    """The campaigns that were played last, by the last day that their logs tell; those that tell none are
    not in it.

    Args:
        cards: all campaigns.
        title: the name of the site.
        url: where the site lies, if that is known; else addresses are as seen from the feed.
        feed_page: the path of the feed on the site.
        address: the addresses of pages.
    """
    dated = [(day, card) for card in cards if (day := _last(card)) is not None]
    dated.sort(key=lambda pair: pair[1].folder)
    dated.sort(key=lambda pair: pair[0], reverse=True)
    base = f"{url.rstrip('/')}/" if url else ""

    def link(page: str) -> str:
        return (
            f"{base}{address.file(page).removeprefix('./')}"
            if base
            else address.between(feed_page, page)
        )

    entries = (
        Entry(
            _id(base or title, f"{card.folder}#{card.sessions}"),
            card.title,
            link(card.page("index")),
            day.isoformat(),
            word(
                "site.feed_entry",
                summary=card.summary,
                sessions=word("site.sessions_count", count=card.sessions),
                state=word("site.finished" if card.over else "site.going_on"),
            ).strip(),
        )
        for day, card in dated[:MOST]
    )
    itself = base + feed_page if base else ""
    return written(title, _id(base or title, ""), link("index"), itself, entries, title)


def _last(card: Card) -> date | None:
    for day in reversed(card.dates):
        try:
            return date.fromisoformat(day)
        except ValueError:
            continue
    return None


def _id(base: str, name: str) -> str:
    return uuid5(NAMESPACE_URL, f"{base} {name}").urn


def sitemap(pages: Iterable[str]) -> bytes:
    """The pages of a campaign, by their whole addresses."""
    return _listed("urlset", "url", pages)


def sitemaps(files: Iterable[str]) -> bytes:
    """Sitemaps by their whole addresses, since one may not name the pages of them all."""
    return _listed("sitemapindex", "sitemap", files)


def _listed(root_tag: str, entry_tag: str, addresses: Iterable[str]) -> bytes:
    lines = [
        f"  <{entry_tag}><loc>{escape(address)}</loc></{entry_tag}>\n" for address in addresses
    ]
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root_tag} xmlns="{_SPACE}">\n'
    return f"{head}{''.join(lines)}</{root_tag}>\n".encode()
