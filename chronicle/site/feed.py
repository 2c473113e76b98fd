"""A feed of an archive: what was played last, for programs that tell their readers what is new (Atom)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from chronicle.site.cards import Card
from chronicle.site.links import Address

LAST: Final = 50
"""How many campaigns it tells of."""
_NO_XML: Final = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF))


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

    newest = dated[0][0] if dated else date(1970, 1, 1)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{_text(title)}</title>",
        f"<id>{_id(base or title, '')}</id>",
        f"<updated>{newest.isoformat()}T00:00:00Z</updated>",
        f'<link rel="alternate" href={quoteattr(link("index"))}/>',
        *([f'<link rel="self" href={quoteattr(base + here)}/>'] if base else []),
        f"<author><name>{_text(title)}</name></author>",
    ]
    for day, card in dated[:LAST]:
        evenings = f"{card.sessions} session{'' if card.sessions == 1 else 's'}"
        state = "finished" if card.over else "going on"
        lines += [
            "<entry>",
            f"<title>{_text(card.title)}</title>",
            f"<id>{_id(base or title, f'{card.folder}#{card.sessions}')}</id>",
            f"<updated>{day.isoformat()}T00:00:00Z</updated>",
            f"<link href={quoteattr(link(card.page('index')))}/>",
            f"<summary>{_text(f'{card.summary} ({evenings}, {state})'.strip())}</summary>",
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>", ""]).encode("utf-8", "replace")


def _last(card: Card) -> date | None:
    for day in reversed(card.dates):
        try:
            return date.fromisoformat(day)
        except ValueError:
            continue
    return None


def _text(text: str) -> str:
    return escape(text.translate(_NO_XML))


def _id(base: str, name: str) -> str:
    return uuid5(NAMESPACE_URL, f"{base} {name}").urn
