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
from chronicle.site.shards import read_script, script_with_call

SEARCH_FILE: Final = "find.js"
"""The file of a campaign, in its folder, and that of all other pages, at the root of a site."""
MAX_SEARCHED_STORIES: Final = 60
"""How many campaigns a reader's browser loads for one search at most. In a larger site it searches their titles and
summaries."""
MAX_SECTION_CHARACTERS: Final = 2_000
"""How many characters of a section can be found."""
_HEADING_TAGS: Final = ("h1", "h2", "h3", "h4")
_BLOCK_TAGS: Final = frozenset(
    ("p", "li", "td", "th", "tr", "dd", "dt", "pre", "div", "br", "section")
)
_UNREAD_TAGS: Final = frozenset(("script", "style", "svg", "button", "template"))
_SPACES: Final = re.compile(r"\s+")


class SearchDocument(NamedTuple):
    """A text that can be found, and its address as seen from the file that holds it."""

    title: str
    text: str
    url: str
    first_session: int = 0
    """The session that tells it; 0: none does."""
    until_session: int = 0
    """The session from which it is no longer so; 0: it still is."""
    title_note: str = ""
    """A few words beside the title."""
    extra_words: str = ""
    """Further words that it is found by, and that are not shown."""

    def trimmed_values(self) -> list[Any]:
        """The row without the values at its end that say nothing."""
        field_values: list[Any] = [*self]
        while field_values and not field_values[-1]:
            field_values.pop()
        return field_values


DocumentsByKind = Mapping[str, Sequence[SearchDocument]]
"""Rows by their kind: ``stories``, ``people``, ``things``, ``outcomes``, ``sessions``, ``scenes``, ``entries``,
``journal``, ``pages``, ``reference``."""


def search_script(folder: str, documents_by_kind: DocumentsByKind, **further_data: Any) -> bytes:
    """Write rows as a script.

    Args:
        folder: the folder that their addresses are seen from, empty for the root.
        documents_by_kind: the rows.
        further_data: further data for the page.
    """
    values_by_kind = {
        kind: [document.trimmed_values() for document in documents]
        for kind, documents in documents_by_kind.items()
        if documents
    }
    return script_with_call("chronicleFind", folder, {**further_data, "rows": values_by_kind})


def read_texts(script: bytes) -> Iterator[str]:
    """All titles and texts of such a script; none if it is something else."""
    try:
        row_lists = read_script(script)["rows"].values()
        yield from (
            document_text
            for documents_of_kind in row_lists
            for document in documents_of_kind
            for document_text in document[:2]
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return


def section_documents(html: str, title: str, url: str) -> list[SearchDocument]:
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
    return reader.documents


def section_documents_of_file(site_file: SiteFile, url: str) -> list[SearchDocument]:
    """The sections of a page that Chronicle rendered; if the search finds its text elsewhere, its title alone.

    Args:
        site_file: the page.
        url: its address.
    """
    page_title = str(site_file.meta.get("title", site_file.title))
    return (
        section_documents(site_file.html, page_title, url)
        if site_file.is_searched
        else [SearchDocument(page_title, "", url)]
    )


class _SectionReader(HTMLParser):
    """Reads the text of a page. Code counts as text."""

    def __init__(self, title: str, url: str) -> None:
        super().__init__()
        self.documents: list[SearchDocument] = []
        self._title, self._url = title, url
        self._heading, self._anchor = "", ""
        self._extra_words = ""
        """Further words that the section is found by: ``data-find`` of its heading."""
        self._section_anchor = ""
        """The anchor of the element around the next heading."""
        self._texts: list[str] = []
        self._in_heading = False
        self._unread_depth = 0
        """How many elements are open whose text is not read."""

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag in _UNREAD_TAGS or self._unread_depth:
            self._unread_depth += tag in _UNREAD_TAGS
        elif tag in _HEADING_TAGS:
            self.end_section()
            self._in_heading, self._anchor = True, attributes.get("id") or self._section_anchor
            self._section_anchor = ""
            self._extra_words = attributes.get("data-find") or ""
        elif tag == "section":
            self._section_anchor = attributes.get("id") or ""
        elif tag in _BLOCK_TAGS:
            self._texts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNREAD_TAGS:
            self._unread_depth = max(self._unread_depth - 1, 0)
        elif tag in _HEADING_TAGS:
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
        section_text = _SPACES.sub(" ", "".join(self._texts)).strip()
        heading = _SPACES.sub(" ", self._heading).strip()
        if section_text or heading:
            url = f"{self._url}#{self._anchor}" if self._anchor else self._url
            title_note = self._title if heading and heading != self._title else ""
            self.documents.append(
                SearchDocument(
                    heading or self._title,
                    section_text[:MAX_SECTION_CHARACTERS],
                    url,
                    title_note=title_note,
                    extra_words=self._extra_words,
                )
            )
        self._heading, self._anchor, self._extra_words = "", "", ""
        self._texts.clear()
