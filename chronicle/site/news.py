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
from chronicle.site.prose import markdown_to_text
from chronicle.words import word

FEED_FILE = "feed.xml"
MAX_FEED_ENTRIES = 50
"""How many evenings a feed has."""
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class FeedSession(NamedTuple):
    """An evening in a feed."""

    title: str
    page_url: str
    """Its address within the site."""
    day: str
    """``2026-04-11``."""
    authors: str
    summary: str


def dated_sessions(campaign_site: CampaignSite) -> tuple[FeedSession, ...]:
    """The sessions with a date in the log, with the addresses of their pages."""
    feed_sessions: list[FeedSession] = []
    for session in campaign_site.view.sessions:
        try:
            day = date.fromisoformat(session.date).isoformat()
        except ValueError:
            continue
        number_text = str(session.number)
        ref_kind = "chapter" if session.number in campaign_site.chapters_by_session else "session"
        target = campaign_site.target_of(Ref(ref_kind, number_text, ""))
        assert target is not None
        page_url = campaign_site.site_context.url_builder.from_root(target[0])
        authors = ", ".join(session.present or campaign_site.view.players())
        feed_sessions.append(
            FeedSession(session.title, page_url, day, authors, markdown_to_text(session.summary))
        )
    return tuple(feed_sessions)


class FeedEntry(NamedTuple):
    """An entry of a feed, with whole addresses."""

    id: str
    title: str
    url: str
    day: str
    summary: str = ""
    author: str = ""


def sessions_feed(
    site_url: str,
    feed_path: str,
    home_page: str,
    title: str,
    prefixed_sessions: Iterable[tuple[str, FeedSession]],
) -> bytes:
    """A feed of sessions.

    Args:
        site_url: the address of the site.
        feed_path: the path of the feed on it.
        home_page: the page that it is about.
        title: its title.
        prefixed_sessions: the sessions, each with a prefix for its title.
    """
    newest_sessions = sorted(
        prefixed_sessions,
        key=lambda prefix_and_session: (prefix_and_session[1].day, prefix_and_session[1].page_url),
        reverse=True,
    )[:MAX_FEED_ENTRIES]
    base_url = site_url.rstrip("/") + "/"
    feed_entries = (
        FeedEntry(
            base_url + feed_session.page_url,
            title_prefix + feed_session.title,
            base_url + feed_session.page_url,
            feed_session.day,
            feed_session.summary,
            feed_session.authors or word("site.table_as_author"),
        )
        for title_prefix, feed_session in newest_sessions
    )
    home_url = urljoin(base_url, home_page)
    return atom_feed(title, home_url, home_url, base_url + feed_path, feed_entries)


def atom_feed(
    title: str,
    feed_id: str,
    page_url: str,
    own_url: str,
    entries: Iterable[FeedEntry],
    author: str = "",
) -> bytes:
    """A feed as Atom has it, its entries the newest first.

    Args:
        title: what it is called.
        feed_id: what it is known by.
        page_url: the address of what it is about.
        own_url: its own address; empty if that is not known.
        entries: what it tells.
        author: whose all of it is, where entries do not say.
    """

    def escape_for_xml(text: str) -> str:
        return str(escape(_NOT_IN_XML.sub("", text)))

    all_entries = list(entries)
    xml_lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{escape_for_xml(title)}</title>",
        f"<id>{escape_for_xml(feed_id)}</id>",
        f'<link rel="alternate" href="{escape_for_xml(page_url)}"/>',
        *([f'<link rel="self" href="{escape_for_xml(own_url)}"/>'] if own_url else []),
        f"<updated>{all_entries[0].day if all_entries else '1970-01-01'}T00:00:00Z</updated>",
        *([f"<author><name>{escape_for_xml(author)}</name></author>"] if author else []),
    ]
    for feed_entry in all_entries:
        xml_lines += [
            "<entry>",
            f"<title>{escape_for_xml(feed_entry.title)}</title>",
            f"<id>{escape_for_xml(feed_entry.id)}</id>",
            f'<link rel="alternate" href="{escape_for_xml(feed_entry.url)}"/>',
            f"<updated>{feed_entry.day}T00:00:00Z</updated>",
            *(
                [f"<author><name>{escape_for_xml(feed_entry.author)}</name></author>"]
                if feed_entry.author
                else []
            ),
            *(
                [f"<summary>{escape_for_xml(feed_entry.summary)}</summary>"]
                if feed_entry.summary
                else []
            ),
            "</entry>",
        ]
    return "\n".join([*xml_lines, "</feed>", ""]).encode("utf-8", "replace")
