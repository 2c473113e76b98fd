"""The site as finished HTML files, for any web host or a disk: no builder of sites is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Final

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from chronicle.site import look
from chronicle.site.files import SiteFile
from chronicle.site.fonts import letters_of
from chronicle.site.library import SharedPages
from chronicle.words import word

TEMPLATE: Final = "chronicle/plain.html"


def html_files(
    site_files: Iterable[SiteFile], shared_pages: SharedPages, title: str
) -> Iterator[SiteFile]:
    """Every page of a site in a frame of its own, with a home page and the assets.

    Args:
        site_files: the pages and files of the campaigns and the games.
        shared_pages: the pages about all campaigns.
        title: the name of the site.
    """
    loader = FileSystemLoader(str(look.GUEST_TEMPLATES))
    template = Environment(loader=loader, autoescape=True).get_template(TEMPLATE)
    home_html = (
        f'<div class="ch-body"><h1>{escape(title)}</h1>{shared_pages.all_stories("index")}</div>'
    )
    pages = [*site_files, SiteFile("index", title, home_html, meta={"title": title})]
    for page in pages:
        if page.contents is not None:
            yield page
            continue
        page_title = str(page.meta.get("title", page.title))
        campaign_title = page.meta.get("campaign", {}).get("title", title)
        html_by_name = {"above": page.html_above, "html": page.html, "below": page.html_below}
        page_html = template.render(
            language="en",
            title=page_title
            if page_title == campaign_title
            else f"{page_title} · {campaign_title}",
            # The text is escaped already, since themes write it without escaping.
            description=Markup(page.meta.get("description", "")),
            root="../" * page.path.count("/"),
            site_name=title,
            search=word("site.search"),
            page=SimpleNamespace(**{key: Markup(part) for key, part in html_by_name.items()}),
        )
        yield SiteFile(f"{page.path}.html", contents=page_html.encode())
    scripts = (look.script_asset(look.PLAIN_SCRIPT),)
    for page_title, asset in (*look.assets(letters_of(pages), is_guest_site=True), *scripts):
        yield SiteFile(
            page_title, contents=asset.encode() if isinstance(asset, str) else asset.read_bytes()
        )
