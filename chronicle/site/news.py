"""What is new, for programs that readers ask: the evenings of a story, or of all stories, as an Atom feed.

There is one only where the site's address is known (``site_url``); its entries are known by their addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from markupsafe import escape

from chronicle.core.book import Ref
from chronicle.site.prose import plain
from chronicle.site.volume import Volume
from chronicle.words import word

FILE = "feed.xml"
MOST = 50
"""How many evenings a feed has."""
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class Evening(NamedTuple):
    """An evening in a feed."""

    title: str
    page: str
    """Its address within the site."""
    day: str
    """``2026-04-11``."""
    by: str
    words: str


def evenings(volume: Volume) -> tuple[Evening, ...]:
    """The evenings of a campaign of which the log tells the day, with where they are read."""
    found: list[Evening] = []
    for session in volume.book.sessions:
        try:
            day = date.fromisoformat(session.date).isoformat()
        except ValueError:
            continue
        number = str(session.number)
        kind = "chapter" if session.number in volume.chapters else "session"
        where = volume.page_of(Ref(kind, number, ""))
        assert where is not None
        page = volume.studio.address.file(where[0])
        by = ", ".join(session.present or volume.book.players())
        found.append(Evening(session.title, page, day, by, plain(session.summary)))
    return tuple(found)


class Entry(NamedTuple):
    """An entry of a feed, with whole addresses."""

    id: str
    title: str
    url: str
    day: str
    words: str = ""
    author: str = ""


def atom(site: str, at: str, home: str, title: str, told: Iterable[tuple[str, Evening]]) -> bytes:
    """A feed of evenings.

    Args:
        site: the address of the site.
        at: where on it the feed lies.
        home: the page that it is about.
        title: what it is called.
        told: the evenings, each with what stands before its title.
    """
    newest = sorted(told, key=lambda one: (one[1].day, one[1].page), reverse=True)[:MOST]
    root = site.rstrip("/") + "/"
    entries = (
        Entry(
            root + one.page,
            before + one.title,
            root + one.page,
            one.day,
            one.words,
            one.by or word("site.table_as_author"),
        )
        for before, one in newest
    )
    return written(title, root + home, root + home, root + at, entries)


def written(
    title: str, id: str, page: str, itself: str, entries: Iterable[Entry], author: str = ""
) -> bytes:
    """A feed as Atom has it, its entries the newest first.

    Args:
        title: what it is called.
        id: what it is known by.
        page: the address of what it is about.
        itself: its own address; empty if that is not known.
        entries: what it tells.
        author: whose all of it is, where entries do not say.
    """

    def said(text: str) -> str:
        return str(escape(_NO_XML.sub("", text)))

    every = list(entries)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{said(title)}</title>",
        f"<id>{said(id)}</id>",
        f'<link rel="alternate" href="{said(page)}"/>',
        *([f'<link rel="self" href="{said(itself)}"/>'] if itself else []),
        f"<updated>{every[0].day if every else '1970-01-01'}T00:00:00Z</updated>",
        *([f"<author><name>{said(author)}</name></author>"] if author else []),
    ]
    for one in every:
        lines += [
            "<entry>",
            f"<title>{said(one.title)}</title>",
            f"<id>{said(one.id)}</id>",
            f'<link rel="alternate" href="{said(one.url)}"/>',
            f"<updated>{one.day}T00:00:00Z</updated>",
            *([f"<author><name>{said(one.author)}</name></author>"] if one.author else []),
            *([f"<summary>{said(one.words)}</summary>"] if one.words else []),
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>", ""]).encode("utf-8", "replace")
