"""The search index of a site of which only some pages were built again.

MkDocs's search then writes an index of these pages alone. Here the others' entries are put back, in the
order in which a full build has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
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
        file = site / "search" / "search_index.json"
        if not file.is_file():
            return
        index = json.loads(file.read_text(encoding="utf-8"))
        found: dict[str, list[Any]] = {address: [] for address in built}
        for entry in index["docs"]:
            found.setdefault(entry["location"].partition("#")[0], []).append(entry)
        every = self._entries | found
        self._entries = {address: every[address] for address in pages if address in every}
        if self._entries.keys() == found.keys():
            return
        index["docs"] = [entry for entries in self._entries.values() for entry in entries]
        file.write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8", newline="\n")
