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
    site_pages = [*site_files, SiteFile("index", title, home_html, meta={"title": title})]
    for site_page in site_pages:
        if site_page.contents is not None:
            yield site_page
            continue
        page_title = str(site_page.meta.get("title", site_page.title))
        campaign_title = site_page.meta.get("campaign", {}).get("title", title)
        html_by_name = {
            "above": site_page.html_above,
            "html": site_page.html,
            "below": site_page.html_below,
        }
        page_html = template.render(
            language="en",
            title=page_title
            if page_title == campaign_title
            else f"{page_title} · {campaign_title}",
            # The text is escaped already, since themes write it without escaping.
            description=Markup(site_page.meta.get("description", "")),
            root="../" * site_page.path.count("/"),
            site_name=title,
            search=word("site.search"),
            page=SimpleNamespace(
                **{part_name: Markup(part_html) for part_name, part_html in html_by_name.items()}
            ),
        )
        yield SiteFile(f"{site_page.path}.html", contents=page_html.encode())
    scripts = (look.script_asset(look.PLAIN_SCRIPT),)
    for asset_path, file_or_text in (
        *look.assets(letters_of(site_pages), is_guest_site=True),
        *scripts,
    ):
        yield SiteFile(
            asset_path,
            contents=file_or_text.encode()
            if isinstance(file_or_text, str)
            else file_or_text.read_bytes(),
        )
