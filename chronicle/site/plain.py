"""The site as plain files: what a builder needs that knows nothing of Chronicle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import escape

from chronicle.site import look
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.files import SiteFile
from chronicle.site.library import SharedPages
from chronicle.site.prose import one_line
from chronicle.words import word


def plain_site_files(
    site_files: Iterable[SiteFile], shared_pages: SharedPages, title: str
) -> Iterator[SiteFile]:
    """Every page and file, with a home page, the assets, and on each page of a campaign the links that
    Chronicle's own theme shows in its header."""
    for site_file in site_files:
        if site_file.html:
            site_file = SiteFile(
                site_file.path,
                site_file.title,
                _with_campaign_links(site_file),
                meta=_meta_without_campaign(site_file.meta),
            )
        yield site_file
    home_html = (
        f'<div class="ch-body"><h1>{escape(title)}</h1>{shared_pages.all_stories("index")}</div>'
    )
    yield SiteFile("index", title, home_html, meta={"title": title, "hide": ["navigation", "toc"]})
    for asset_path, file_or_text in look.assets(is_guest_site=False):
        contents = (
            file_or_text.encode() if isinstance(file_or_text, str) else file_or_text.read_bytes()
        )
        yield SiteFile(asset_path, contents=contents)


def _meta_without_campaign(meta: dict[str, Any]) -> dict[str, Any]:
    return {meta_key: meta_value for meta_key, meta_value in meta.items() if meta_key != "campaign"}


def _with_campaign_links(site_file: SiteFile) -> str:
    """A page with the links that Chronicle's own theme shows around it."""
    if not site_file.html_above:
        return site_file.html
    opening_tag, _, html_after_tag = site_file.html.partition(">")
    return (
        f'{opening_tag}><div class="ch-way">{one_line(site_file.html_above)}</div>{html_after_tag}'
    )


def mkdocs_settings(title: str, campaign_sites: Iterable[CampaignSite]) -> dict[str, str]:
    """The builder's settings: file name to text. JSON is YAML, and no title can break it."""
    nav: list[Any] = ["index.md"]
    for campaign_site in campaign_sites:
        folder = campaign_site.folder
        nav.append(
            {campaign_site.view.title: [f"{folder}/index.md", f"{folder}/sessions/index.md"]}
        )
    nav.append({word("site.rules"): ["rules/index.md"]})
    settings_values = {
        "site_name": title,
        "docs_dir": "docs",
        "site_dir": "site",
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "palette": look.colour_schemes(),
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
    settings_lines = (
        f"{setting_key}: {json.dumps(setting_value)}"
        for setting_key, setting_value in settings_values.items()
    )
    return {"mkdocs.yml": "\n".join(settings_lines) + "\n"}
