"""What a reader may take away: the story as a book, the whole record, the ledger, the logs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from markupsafe import Markup

from chronicle.core.book import Ref
from chronicle.site.draw import Pen
from chronicle.site.files import SiteFile
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft
from chronicle.site.volume import Volume
from chronicle.words import word

Line = tuple[str, str, int]
"""A file's name, what it holds, how many bytes it has."""


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", word("site.downloads"), "downloads")


def pages(volume: Volume) -> Iterator[Draft | SiteFile]:
    """The files, then the page that lists them."""
    lines: list[Line] = []
    for name, title, data in chain.from_iterable(volume.offered):
        yield SiteFile(volume.path(f"files/{name}"), title, data=data)
        lines.append((name, title, len(data)))
    meta = {"search": {"exclude": True}}
    yield Draft("downloads", word("site.downloads"), tuple(lines), _fill, meta=meta, tells="itself")


def _fill(pen: Pen, lines: tuple[Line, ...]) -> dict[str, Any]:
    rows = [
        [
            Markup('<a href="{}" download>{}</a>').format(
                pen.address(Ref("path", f"files/{name}", name)), name
            ),
            title,
            {"text": word("site.kilobytes", count=f"{max(1, round(size / 1000)):,}"), "sort": size},
        ]
        for name, title, size in lines
    ]
    return {"rows": rows}
