"""Chronicle as a guest in another site: its look, templates and scripts apply to the pages of campaigns alone.

Theme, templates, fonts, colours, logo, navigation and footer stay the owner's. A page of a campaign is drawn by a
template of its own, which extends the owner's ``main.html``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from markupsafe import escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure import StructureItem
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.utils import get_relative_url

from chronicle.publish import Site
from chronicle.site import look
from chronicle.site.cards import CampaignCard
from chronicle.site.files import SiteFile
from chronicle.site.guest_style import GUEST_CLASS
from chronicle.words import word

TEMPLATE: Final = "chronicle/page.html"
"""The template of a page of ours, as the theme finds it."""

BAR_CLASSES: Final = f"{GUEST_CLASS} {GUEST_CLASS}-bar"
"""The classes of the element around the navigation of a campaign."""


def lend_templates(config: MkDocsConfig) -> None:
    """Let the theme find the templates of our pages. They bear names that no theme has."""
    if str(look.GUEST_TEMPLATES) not in config.theme.dirs:
        config.theme.dirs.append(str(look.GUEST_TEMPLATES))


def frame_page(page: SiteFile) -> SiteFile:
    """A page of ours for another theme: its body in the element that our stylesheet applies to."""
    # The owner's navigation stays beside it; there is a list of headings on the page itself.
    meta = {**page.meta, "hide": ["toc"], "template": TEMPLATE}
    # The frame is the same for all, so the hash of the body says as well whether a page has changed.
    return replace(page, html=in_our_style(page.html), meta=meta)


def in_our_style(html: str) -> str:
    """A piece of a page in the element that our stylesheet applies to."""
    return f'<div dir="ltr"><div class="{GUEST_CLASS}">{html}</div></div>'


def page_with_navigation(page: SiteFile) -> str:
    """The body of a page of ours with the campaign's navigation around it, where no template adds that."""
    return _with_navigation(in_our_style(page.html), page)


def _with_navigation(body: str, page: SiteFile) -> str:
    above = f'<div class="{BAR_CLASSES}">{page.html_above}</div>' if page.html_above else ""
    below = (
        f'<div class="{GUEST_CLASS} {GUEST_CLASS}-foot">{page.html_below}</div>'
        if page.html_below
        else ""
    )
    return f"{above}{body}{below}"


def complete_page(output: str, page: SiteFile, url_of_page: str) -> str:
    """A page of ours as a theme has drawn it, with what that theme has no blocks for.

    Args:
        output: the whole page.
        page: what is in it, in another theme's frame.
        url_of_page: the address of the page from the root of the site.
    """
    has_navigation = not page.html_above or f'"{BAR_CLASSES}"' in output
    if (has_navigation and look.GUEST_STYLESHEET in output) or not page.html:
        return output
    body = page.html if has_navigation else _with_navigation(page.html, page)
    return output.replace(page.html, with_styles_and_scripts(body, url_of_page), 1)


def with_styles_and_scripts(html: str, url_of_page: str) -> str:
    """A page of the owner's on which Chronicle filled something in: with our stylesheet and scripts.

    Args:
        html: the body of the page.
        url_of_page: the address of the page from the root of the site.
    """

    def url(name: str) -> str:
        return str(escape(get_relative_url(f"{look.ASSET_URL}/{name}", url_of_page)))

    styles = "".join(f'<link rel="stylesheet" href="{url(name)}">' for name in look.GUEST_STYLES)
    scripts = "".join(f'<script src="{url(name)}"></script>' for name in look.GUEST_SCRIPTS)
    return f"{styles}{html}{scripts}"


def lead_to_campaigns(
    nav: Navigation, site: Site, files: Files, our_paths: Collection[str], config: MkDocsConfig
) -> None:
    """Let the navigation lead to the campaigns that it does not name yet.

    Args:
        nav: the navigation, which is added to.
        site: the campaigns.
        files: the files of this build; a plug-in for languages may build without ours.
        our_paths: our pages, by their paths among the sources.
        config: MkDocs's configuration.
    """
    named_paths = {page.file.src_uri for page in nav.pages if page.file.src_uri in our_paths}
    items: list[StructureItem] = []
    for card in unnamed_campaigns(site, named_paths, config):
        file = files.get_file_from_path(front_of(card))
        title: Any = escape(card.title)
        items.append(
            file.page
            if file is not None and file.page is not None
            else Link(str(title), site.shared_pages.url_builder.from_root(card.page_path("index")))
        )
    if len(items) > 1:
        section = Section(word("site.stories"), items)
        for item in items:
            item.parent = section
        items = [section]
    nav.items.extend(items)


def unnamed_campaigns(
    site: Site, named: Collection[str], config: MkDocsConfig
) -> list[CampaignCard]:
    """The campaigns that a navigation does not name.

    Once it names one, the setting ``not_in_nav`` can leave out the others.

    Args:
        site: the campaigns.
        named: the pages that the navigation names, by their paths among the sources.
        config: MkDocs's configuration.
    """
    cards = [*site.shared_pages.cards]
    unnamed_cards = [
        card for card in cards if not any(path.startswith(card.page_path("")) for path in named)
    ]
    if config.not_in_nav is None or len(unnamed_cards) == len(cards):
        return unnamed_cards
    hidden_paths = {*config.not_in_nav.match_files(map(front_of, unnamed_cards))}
    return [card for card in unnamed_cards if front_of(card) not in hidden_paths]


def front_of(card: CampaignCard) -> str:
    """The path of the front page of a campaign among the sources."""
    return f"{card.page_path('index')}.md"
