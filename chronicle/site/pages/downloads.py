"""What a reader may take away: the story as a book, the whole record, the ledger, the logs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from markupsafe import Markup

from chronicle.core.campaign_view import Ref
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.files import SiteFile
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.words import word

DownloadLine = tuple[str, str, int]
"""A file's name, what it holds, how many bytes it has."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", word("site.downloads"), "downloads")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec | SiteFile]:
    """The files, then the page that lists them."""
    download_lines: list[DownloadLine] = []
    for file_name, title, contents in chain.from_iterable(campaign_site.downloads):
        yield SiteFile(campaign_site.path_on_site(f"files/{file_name}"), title, contents=contents)
        download_lines.append((file_name, title, len(contents)))
    meta = {"search": {"exclude": True}}
    yield PageSpec(
        "downloads",
        word("site.downloads"),
        tuple(download_lines),
        _template_values,
        meta=meta,
        spoiler_rule="itself",
    )


def _template_values(
    renderer: Renderer, download_lines: tuple[DownloadLine, ...]
) -> dict[str, Any]:
    download_rows = [
        [
            Markup('<a href="{}" download>{}</a>').format(
                renderer.address(Ref("path", f"files/{file_name}", file_name)), title
            ),
            file_name,
            {
                "text": word("site.kilobytes", count=f"{max(1, round(byte_count / 1000)):,}"),
                "sort": byte_count,
            },
        ]
        for file_name, title, byte_count in download_lines
    ]
    return {"rows": download_rows}
