"""The search index: what the theme's search finds on a page of ours, and the index of a site of which only
some pages were built again.

MkDocs's search then writes an index of these pages alone. Here the others' entries are put back, in the
order in which a full build has them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape as escape_text
from html import unescape
from pathlib import Path
from typing import Any, Final

from markupsafe import escape


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


def hold_titles(index: Any) -> None:
    """Let the search of the theme take the title of a page for words: it shows titles as HTML, and those at
    the head of a page are as somebody typed them."""
    by_itself = getattr(index, "create_entry_for_section", None)
    if by_itself is None:
        return

    def create(section: Any, toc: Any, url: str, page: Any) -> None:
        if not section.title:
            section.title = [str(escape(str(page.meta.get("title", page.title))))]
        by_itself(section, toc, url, page)

    index.create_entry_for_section = create


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


# -- what is found on a page -----------------------------------------------------------------------

_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_ID: Final = re.compile(r'\sid="([^"]*)"')
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_KEPT: Final = frozenset(("p", "code", "pre", "li", "ol", "ul", "sub", "sup"))
_NEVER: Final = frozenset(("object", "script", "style"))
_VOID: Final = frozenset(
    re.findall(r"\w+", "area base br col embed hr img input link meta param source track wbr")
)
_EXCLUDED: Final = "data-search-exclude"
_PERMALINK: Final = ' class="headerlink"'
_UNUSUAL: Final = ("<!", "<?", "linenodiv", "<script", "<style")
"""What our own pages have not: such a page is read by the theme's own search."""


@dataclass(slots=True)
class Part:
    """A part of a page that search finds by itself: below a heading, or before the first."""

    tag: str = "hx"
    depth: float = 0
    id: str | None = None
    excluded: bool = False
    title: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def parts_of(html: str) -> list[Part] | None:
    """What the search of Material for MkDocs makes of the body of a page, found without parsing all of it; None
    where it is not as our pages are, for that search to read itself.

    A test holds the two to be alike, oddities and all: what is excluded ends where any element of its name
    does.
    """
    if not html.endswith(">") or any(words in html for words in _UNUSUAL):
        return None
    pieces = _TAG.split(html)
    found: list[Part] = []
    part: Part | None = None
    context: list[str] = []
    skip = set(_NEVER)
    hidden = 0
    """How many elements around are of a kind that is skipped."""
    linked = 0
    """How deep the permalink lies that is around; 0: there is none."""
    for at in range(0, len(pieces) - 1, 4):
        words = pieces[at]
        if words and not hidden:
            if "<" in words:
                return None
            if part is None:
                part = Part()
                found.append(part)
            if not linked or part.tag not in context:
                _say(part, words, context)
        closing, tag, more = pieces[at + 1], pieces[at + 2].lower(), pieces[at + 3]
        alone = not closing and more.endswith("/")
        if not closing:
            if tag in _VOID:
                continue
            context.append(tag)
            hidden += tag in skip
            if tag == "a" and not linked and _PERMALINK in more:
                linked = len(context)
            if tag in _HEADINGS and " id=" in more:
                id = _ID.search(more)
                if id is None:
                    return None
                if tag != "h1" and not found:
                    found.append(Part(depth=len(context)))
                part = Part(
                    tag, len(context), unescape(id[1]) if found else None, _EXCLUDED in more
                )
                found.append(part)
            if part is None:
                part = Part()
                found.append(part)
            if _EXCLUDED in more:
                if tag not in skip:
                    skip.add(tag)
                    hidden += context.count(tag)
            elif not hidden and tag in _KEPT:
                (part.title if part.tag in context else part.text).append(f"<{tag}>")
        if closing or alone:
            if not context or context[-1] != tag:
                continue
            assert part is not None
            if part.depth > len(context):
                outer = next((one for one in reversed(found) if one.depth <= len(context)), None)
                if outer is not None:
                    part.depth, part = math.inf, outer
            context.pop()
            if len(context) < linked:
                linked = 0
            if tag in skip:
                hidden -= 1
                if tag not in _NEVER:
                    skip.remove(tag)
                    hidden -= context.count(tag)
            elif not hidden and tag in _KEPT:
                said = part.title if part.tag in context else part.text
                if f"<{tag}>" not in said:
                    return None
                _close(said, tag)
    return found if not pieces[-1] else None


def _say(part: Part, words: str, context: list[str]) -> None:
    """Add text to a part."""
    if "&" in words:
        words = unescape(words)
    blank, exact = words.isspace(), "pre" in context
    if not exact:
        words = " " if blank else words.replace("\n", " ")
    if "&" in words or ">" in words or "<" in words:
        words = escape_text(words, quote=False)
    if part.tag in context:
        part.title.append(words)
    elif not blank or exact or not part.text or not part.text[-1].isspace():
        part.text.append(words)


def _close(words: list[str], tag: str) -> None:
    """Close an element that the index keeps; one with nothing in it goes."""
    opened = words.index(f"<{tag}>")
    if all(one.isspace() for one in words[opened + 1 :]):
        del words[opened:]
    else:
        words.append(f"</{tag}>")
