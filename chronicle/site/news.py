"""News for feed readers: the sessions of a story, or of all stories, as an Atom feed.

There is a feed only if the site's address is known (``site_url``), since the entries' ids are addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple
from urllib.parse import urljoin

from markupsafe import escape

from chronicle.core.campaign_view import Ref
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.prose import plain
from chronicle.words import word

FILE = "feed.xml"
MAX_ENTRIES = 50
"""How many evenings a feed has."""
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class FeedSession(NamedTuple):
    """An evening in a feed."""

    title: str
    page: str
    """Its address within the site."""
    day: str
    """``2026-04-11``."""
    by: str
    words: str


def dated_sessions(campaign_site: CampaignSite) -> tuple[FeedSession, ...]:
    """The sessions with a date in the log, with the addresses of their pages."""
    feed_sessions: list[FeedSession] = []
    for session in campaign_site.view.sessions:
        try:
            day = date.fromisoformat(session.date).isoformat()
        except ValueError:
            continue
        number = str(session.number)
        ref_kind = "chapter" if session.number in campaign_site.chapters else "session"
        target = campaign_site.page_of(Ref(ref_kind, number, ""))
        assert target is not None
        page = campaign_site.site_context.address.file(target[0])
        authors = ", ".join(session.present or campaign_site.view.players())
        feed_sessions.append(FeedSession(session.title, page, day, authors, plain(session.summary)))
    return tuple(feed_sessions)


class FeedEntry(NamedTuple):
    """An entry of a feed, with whole addresses."""

    id: str
    title: str
    url: str
    day: str
    words: str = ""
    author: str = ""


def sessions_feed(
    site: str,
    feed_path: str,
    home: str,
    title: str,
    prefixed_evenings: Iterable[tuple[str, FeedSession]],
) -> bytes:
    """A feed of sessions.

    Args:
        site: the address of the site.
        feed_path: the path of the feed on it.
        home: the page that it is about.
        title: its title.
        prefixed_evenings: the sessions, each with a prefix for its title.
    """
    newest = sorted(prefixed_evenings, key=lambda pair: (pair[1].day, pair[1].page), reverse=True)[
        :MAX_ENTRIES
    ]
    root = site.rstrip("/") + "/"
    entries = (
        FeedEntry(
            root + evening.page,
            prefix + evening.title,
            root + evening.page,
            evening.day,
            evening.words,
            evening.by or word("site.table_as_author"),
        )
        for prefix, evening in newest
    )
    home_url = urljoin(root, home)
    return atom_feed(title, home_url, home_url, root + feed_path, entries)


def atom_feed(
    title: str, id: str, page: str, own_url: str, entries: Iterable[FeedEntry], author: str = ""
) -> bytes:
    """A feed as Atom has it, its entries the newest first.

    Args:
        title: what it is called.
        id: what it is known by.
        page: the address of what it is about.
        own_url: its own address; empty if that is not known.
        entries: what it tells.
        author: whose all of it is, where entries do not say.
    """

    def escaped(text: str) -> str:
        return str(escape(_NOT_IN_XML.sub("", text)))

    all_entries = list(entries)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{escaped(title)}</title>",
        f"<id>{escaped(id)}</id>",
        f'<link rel="alternate" href="{escaped(page)}"/>',
        *([f'<link rel="self" href="{escaped(own_url)}"/>'] if own_url else []),
        f"<updated>{all_entries[0].day if all_entries else '1970-01-01'}T00:00:00Z</updated>",
        *([f"<author><name>{escaped(author)}</name></author>"] if author else []),
    ]
    for entry in all_entries:
        lines += [
            "<entry>",
            f"<title>{escaped(entry.title)}</title>",
            f"<id>{escaped(entry.id)}</id>",
            f'<link rel="alternate" href="{escaped(entry.url)}"/>',
            f"<updated>{entry.day}T00:00:00Z</updated>",
            *([f"<author><name>{escaped(entry.author)}</name></author>"] if entry.author else []),
            *([f"<summary>{escaped(entry.words)}</summary>"] if entry.words else []),
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>", ""]).encode("utf-8", "replace")
