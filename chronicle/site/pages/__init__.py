"""The pages of one campaign, one small module a kind. Each has a function ``pages``, which says what its
pages are made of, and the template of the same name in ``templates/pages/``, which draws them."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site import enclosed
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.files import SiteFile
from chronicle.site.navigation import Navigation, NavPage
from chronicle.site.page_builder import PageBuilder
from chronicle.site.pages import (
    about,
    cast,
    changes,
    check,
    contests,
    downloads,
    gallery,
    game,
    glossary,
    journal,
    ledger,
    loose_ends,
    notes,
    overview,
    players,
    reader,
    registry,
    relations,
    rules,
    scenes,
    session,
    sessions,
    sheet,
    state,
    story,
    timeline,
)

PAGE_MODULES = (
    overview,
    changes,
    loose_ends,
    state,
    story,
    sessions,
    session,
    reader,
    timeline,
    scenes,
    cast,
    registry,
    sheet,
    players,
    relations,
    ledger,
    about,
    contests,
    game,
    glossary,
    rules,
    check,
    journal,
    gallery,
    notes,
    downloads,
)
"""Every kind of page, in the order of the navigation."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Every page that the navigation of a campaign leads to."""
    for page_module in PAGE_MODULES:
        if hasattr(page_module, "nav_pages"):
            yield from page_module.nav_pages(campaign_site)


def files(campaign_site: CampaignSite) -> Iterator[SiteFile]:
    """Every file of a campaign."""
    pages_of_nav = [*nav_pages(campaign_site)]
    page_builder = PageBuilder(campaign_site, Navigation(campaign_site, pages_of_nav))
    yield from page_builder.make_all(
        (page_spec, f"{page_module.__name__.rpartition('.')[2]}.html")
        for page_module in PAGE_MODULES
        for page_spec in page_module.pages(campaign_site)
    )
    yield from enclosed.enclosed_files(campaign_site, pages_of_nav)
