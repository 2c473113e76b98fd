"""The site as plain files: what a builder needs that knows nothing of Chronicle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import escape

from chronicle.site import look
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.files import SiteFile
from chronicle.site.library import Library
from chronicle.site.prose import one_line
from chronicle.words import word


def pages(site_files: Iterable[SiteFile], library: Library, title: str) -> Iterator[SiteFile]:
    """Every page and file, with a home page, the assets, and on each page of a campaign the links that
    Chronicle's own theme shows in its header."""
    for file in site_files:
        if file.html:
            file = SiteFile(
                file.path, file.title, _with_campaign_links(file), meta=_meta(file.meta)
            )
        yield file
    home = f'<div class="ch-body"><h1>{escape(title)}</h1>{library.all_stories("index")}</div>'
    yield SiteFile("index", title, home, meta={"title": title, "hide": ["navigation", "toc"]})
    for name, asset in look.assets(guest=False):
        data = asset.encode() if isinstance(asset, str) else asset.read_bytes()
        yield SiteFile(name, data=data)


def _meta(meta: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in meta.items() if key != "campaign"}


def _with_campaign_links(file: SiteFile) -> str:
    """A page with the links that Chronicle's own theme shows around it."""
    if not file.above:
        return file.html
    opening, _, content = file.html.partition(">")
    return f'{opening}><div class="ch-way">{one_line(file.above)}</div>{content}'


def settings(title: str, campaigns: Iterable[CampaignSite]) -> dict[str, str]:
    """The builder's settings: file name to text. JSON is YAML, and no title can break it."""
    nav: list[Any] = ["index.md"]
    for campaign in campaigns:
        folder = campaign.folder
        nav.append({campaign.view.title: [f"{folder}/index.md", f"{folder}/sessions/index.md"]})
    nav.append({word("site.rules"): ["rules/index.md"]})
    values = {
        "site_name": title,
        "docs_dir": "docs",
        "site_dir": "site",
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "palette": look.palette(),
            "features": ["navigation.indexes", "navigation.prune"],
        },
        "plugins": ["search"],
        "extra_css": [f"{look.ASSET_URL}/fonts.css", look.STYLESHEET],
        "extra_javascript": [f"{look.ASSET_URL}/chronicle.js"],
        "markdown_extensions": ["attr_list", "tables"],
        "nav": nav,
        "not_in_nav": "/*/\n",
        "validation": {"nav": {"omitted_files": "ignore"}},
    }
    lines = (f"{key}: {json.dumps(value)}" for key, value in values.items())
    return {"mkdocs.yml": "\n".join(lines) + "\n"}
