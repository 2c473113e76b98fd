"""The search index of a site of which only some pages were built again.

MkDocs's search then writes an index of these pages alone. Here the others' entries are put back, in the
order in which a full build has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


class SearchIndex:
    """The entries of every page, kept from build to build."""

    def __init__(self) -> None:
        self._entries: dict[str, list[Any]] = {}

    def complete(self, site: Path, built: set[str], pages: Iterable[str]) -> None:
        """Complete the index of a built site.

        Args:
            site: the folder of the site.
            built: the addresses of the pages that were built now.
            pages: the addresses of all pages, in the order of a full build.
        """
        index = _read(site)
        if index is None:
            return
        found: dict[str, list[Any]] = {address: [] for address in built}
        for entry in index["docs"]:
            found.setdefault(entry["location"].partition("#")[0], []).append(entry)
        every = self._entries | found
        self._entries = {address: every[address] for address in pages if address in every}
        if self._entries.keys() == found.keys():
            return
        index["docs"] = [entry for entries in self._entries.values() for entry in entries]
        _write(site, index)


def entries_of(site: Path, folder: str) -> list[Any]:
    """The entries of the pages in a folder of a built site."""
    index = _read(site) or {"docs": []}
    return [entry for entry in index["docs"] if entry["location"].startswith(folder)]


def add_entries(site: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """Let more be found in a built site."""
    index = _read(site)
    if index is not None:
        index["docs"] += entries
        _write(site, index)


def _read(site: Path) -> Any:
    file = site / "search" / "search_index.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def _write(site: Path, index: Any) -> None:
    text = json.dumps(index, separators=(",", ":"))
    (site / "search" / "search_index.json").write_text(text, encoding="utf-8", newline="\n")
