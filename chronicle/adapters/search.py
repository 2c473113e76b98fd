"""The search of a site that MkDocs builds: Chronicle's own where the site has its look, else that of MkDocs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup
from mkdocs.structure.pages import Page

from chronicle.publish import Site
from chronicle.site.search import SearchDocument, section_documents


class Search:
    """What readers find on the pages of a site, kept from build to build."""

    def __init__(self) -> None:
        self._sections: dict[str, list[SearchDocument]] = {}
        """The sections of each page that Chronicle has not rendered, by its address."""
        self._reference_urls: set[str] = set()
        """The addresses of the pages that come after others: those with a ``boost`` below 1."""
        self._entries: dict[str, list[Any]] = {}
        """The entries of each page in MkDocs's index, by its address."""

    def read_page(self, html: str, page: Page) -> None:
        """Read the sections of a page, unless its author excludes it from the search."""
        search_meta = page.meta.get("search")
        settings = search_meta if isinstance(search_meta, Mapping) else {}
        title = Markup(str(page.title or "")).striptags()
        self._sections[page.url] = (
            [] if settings.get("exclude") else section_documents(html, title, page.url)
        )
        boost = settings.get("boost", 1)
        self._reference_urls.discard(page.url)
        if isinstance(boost, int | float) and boost < 1:
            self._reference_urls.add(page.url)

    def write_own(self, folder: Path, site: Site, page_urls: Iterable[str]) -> None:
        """Write Chronicle's file for all pages but those of campaigns, and remove MkDocs's index, which no page
        asks for.

        Args:
            folder: the folder of the built site.
            site: the site as Chronicle renders it.
            page_urls: the addresses of all pages, in the order of a full build.
        """
        self._sections = {url: self._sections[url] for url in page_urls if url in self._sections}
        sections_by_is_reference: dict[bool, list[SearchDocument]] = {False: [], True: []}
        for url, sections in self._sections.items():
            sections_by_is_reference[url in self._reference_urls] += sections
        file = site.search_file(sections_by_is_reference[False], sections_by_is_reference[True])
        assert file.contents is not None
        (folder / file.path).write_bytes(file.contents)
        _index_of(folder).unlink(missing_ok=True)

    def complete_index(self, folder: Path, built_urls: set[str], page_urls: Iterable[str]) -> None:
        """Complete MkDocs's index after a build of some pages, which writes an index of these alone.

        Args:
            folder: the folder of the built site.
            built_urls: the addresses of the pages that were built now.
            page_urls: the addresses of all pages, in the order of a full build.
        """
        file = _index_of(folder)
        if not file.is_file():
            return
        index = json.loads(file.read_text(encoding="utf-8"))
        entries_by_page: dict[str, list[Any]] = {address: [] for address in built_urls}
        for entry in index["docs"]:
            entries_by_page.setdefault(entry["location"].partition("#")[0], []).append(entry)
        all_entries = self._entries | entries_by_page
        self._entries = {
            address: all_entries[address] for address in page_urls if address in all_entries
        }
        if self._entries.keys() == entries_by_page.keys():
            return
        index["docs"] = [entry for entries in self._entries.values() for entry in entries]
        text = json.dumps(index, separators=(",", ":"))
        file.write_text(text, encoding="utf-8", newline="\n")


def _index_of(folder: Path) -> Path:
    return folder / "search" / "search_index.json"
