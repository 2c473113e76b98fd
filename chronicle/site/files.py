"""One file of the site, as every builder is given it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class SiteFile:
    """One file of the site. ``path`` is without ending for a page (``lamps/sessions/1``).

    ``html`` is the page's body, ``markdown`` a page written in Markdown instead, ``data`` a plain
    file. ``meta`` is the front matter.
    """

    path: str
    title: str = ""
    html: str = ""
    body_digest: str = ""
    """A hash of the body, where it is known."""
    markdown: str = ""
    contents: bytes | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    source_path: str = ""
    """The file of the project this page comes from, for edit links."""
    is_searched: bool = True
    """Whether the search finds the text of the page. If not, it finds its title."""
    html_above: str = ""
    html_below: str = ""
    """The campaign's navigation: the links in the header of the page and at its foot."""


def digest_of(page_html: str) -> str:
    """A hash of a page's body."""
    return hashlib.sha256(page_html.encode()).hexdigest()[:16]


def front_matter(meta: dict[str, Any]) -> str:
    """Front matter as YAML; JSON is YAML, and no name can break it."""
    return (
        "---\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in meta.items()) + "---\n"
    )
