"""The search index of a site: rows of text, each with its page.

Each campaign has a file of its own (``find.js`` in its folder), and one file at the root has the other
pages. They are scripts, so that a browser can load them from a disk, too. The page puts them into an index
when a reader searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any, Final, NamedTuple

from chronicle.site.files import SiteFile
from chronicle.site.shards import read_script, script

SEARCH_FILE: Final = "find.js"
"""The file of a campaign, in its folder, and that of all other pages, at the root of a site."""
MAX_STORIES: Final = 60
"""How many campaigns a reader's browser loads for one search at most. In a larger site it searches their titles and
summaries."""
MAX_SECTION_CHARACTERS: Final = 2_000
"""How many characters of a section can be found."""
_HEADINGS: Final = ("h1", "h2", "h3", "h4")
_BLOCKS: Final = frozenset(("p", "li", "td", "th", "tr", "dd", "dt", "pre", "div", "br", "section"))
_UNREAD_TAGS: Final = frozenset(("script", "style", "svg", "button", "template"))
_SPACES: Final = re.compile(r"\s+")


class Row(NamedTuple):
    """A text that can be found, and its address as seen from the file that holds it."""

    title: str
    text: str
    url: str
    session: int = 0
    """The session that tells it; 0: none does."""
    until: int = 0
    """The session from which it is no longer so; 0: it still is."""
    note: str = ""
    """A few words beside the title."""
    also: str = ""
    """Further words that it is found by, and that are not shown."""

    def trimmed(self) -> list[Any]:
        """The row without the values at its end that say nothing."""
        values: list[Any] = [*self]
        while values and not values[-1]:
            values.pop()
        return values


Rows = Mapping[str, Sequence[Row]]
"""Rows by their kind: ``stories``, ``people``, ``things``, ``outcomes``, ``sessions``, ``scenes``, ``entries``,
``journal``, ``pages``."""


def write_file(folder: str, rows: Rows, **fields: Any) -> bytes:
    """Write rows as a script.

    Args:
        folder: the folder that their addresses are seen from, empty for the root.
        rows: the rows.
        fields: further data for the page.
    """
    trimmed_rows = {
        kind: [row.trimmed() for row in kind_rows] for kind, kind_rows in rows.items() if kind_rows
    }
    return script("chronicleFind", folder, {**fields, "rows": trimmed_rows})


def read_texts(data: bytes) -> Iterator[str]:
    """All titles and texts of such a script; none if it is something else."""
    try:
        kinds = read_script(data)["rows"].values()
        yield from (text for rows in kinds for row in rows for text in row[:2])
    except (ValueError, KeyError, TypeError, AttributeError):
        return


def sections_of(html: str, title: str, url: str) -> list[Row]:
    """The sections of a page, each by its heading.

    Args:
        html: the body of the page.
        title: its title.
        url: its address.
    """
    reader = _SectionReader(title, url)
    reader.feed(html)
    reader.close()
    reader.end_section()
    return reader.rows


def sections_of_file(file: SiteFile, url: str) -> list[Row]:
    """The sections of a page that Chronicle rendered; if the search finds its text elsewhere, its title alone.

    Args:
        file: the page.
        url: its address.
    """
    title = str(file.meta.get("title", file.title))
    return sections_of(file.html, title, url) if file.searched else [Row(title, "", url)]


class _SectionReader(HTMLParser):
    """Reads the text of a page. Code counts as text."""

    def __init__(self, title: str, url: str) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._title, self._url = title, url
        self._heading, self._anchor = "", ""
        self._section_anchor = ""
        """The anchor of the element around the next heading."""
        self._texts: list[str] = []
        self._in_heading = False
        self._unread_depth = 0
        """How many elements are open whose text is not read."""

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in _UNREAD_TAGS or self._unread_depth:
            self._unread_depth += tag in _UNREAD_TAGS
        elif tag in _HEADINGS:
            self.end_section()
            self._in_heading, self._anchor = True, values.get("id") or self._section_anchor
            self._section_anchor = ""
        elif tag == "section":
            self._section_anchor = values.get("id") or ""
        elif tag in _BLOCKS:
            self._texts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNREAD_TAGS:
            self._unread_depth = max(self._unread_depth - 1, 0)
        elif tag in _HEADINGS:
            self._in_heading = False

    def handle_data(self, data: str) -> None:
        if self._unread_depth or data == "¶":
            return
        if self._in_heading:
            self._heading += data
        else:
            self._texts.append(data)

    def end_section(self) -> None:
        """Keep the section that was read, and begin another."""
        text = _SPACES.sub(" ", "".join(self._texts)).strip()
        heading = _SPACES.sub(" ", self._heading).strip()
        if text or heading:
            url = f"{self._url}#{self._anchor}" if self._anchor else self._url
            note = self._title if heading and heading != self._title else ""
            self.rows.append(
                Row(heading or self._title, text[:MAX_SECTION_CHARACTERS], url, note=note)
            )
        self._heading, self._anchor = "", ""
        self._texts.clear()
