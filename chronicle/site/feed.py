"""A feed of an archive: what was played last, for programs that tell their readers what is new (Atom)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from uuid import NAMESPACE_URL, uuid5

from chronicle.core.diagnostic import plural
from chronicle.site.cards import Card
from chronicle.site.links import Address
from chronicle.site.news import MOST, Entry, written


def feed(cards: Iterable[Card], title: str, url: str, here: str, address: Address) -> bytes:
    """The campaigns that were played last, by the last day that their logs tell; those that tell none are
    not in it.

    Args:
        cards: all campaigns.
        title: the name of the site.
        url: where the site lies, if that is known; else addresses are as seen from the feed.
        here: where on the site the feed lies.
        address: the addresses of pages.
    """
    dated = [(day, card) for card in cards if (day := _last(card)) is not None]
    dated.sort(key=lambda one: one[1].folder)
    dated.sort(key=lambda one: one[0], reverse=True)
    base = f"{url.rstrip('/')}/" if url else ""

    def link(page: str) -> str:
        return (
            f"{base}{address.file(page).removeprefix('./')}"
            if base
            else address.between(here, page)
        )

    entries = (
        Entry(
            _id(base or title, f"{card.folder}#{card.sessions}"),
            card.title,
            link(card.page("index")),
            day.isoformat(),
            f"{card.summary} ({plural(card.sessions, 'session')}, "
            f"{'finished' if card.over else 'going on'})".strip(),
        )
        for day, card in dated[:MOST]
    )
    itself = base + here if base else ""
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
