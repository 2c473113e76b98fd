"""Everything that has a sheet, on one page: a table for each kind."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Inline, Ref, RegistryPage, Section, Table
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.links import slugify
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word

PAGE = "everything"
TITLE = word("site.everything")


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.book.sheets:
        yield NavPage("Cast", TITLE, PAGE, str(len(campaign_site.book.sheets)))


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """One page with all tables."""
    if campaign_site.book.sheets:
        sections = (
            Section(
                f"{registry.title} {len(rows)}",
                (Table((Column(word("site.name")), *registry.columns), rows, note=registry.intro),),
                slugify(registry.title),
            )
            for registry in campaign_site.book.registries
            if (rows := tuple(_rows(campaign_site, registry)))
        )
        yield blocks_page(PAGE, TITLE, sections, tells="rows")


def _rows(campaign_site: CampaignSite, registry: RegistryPage) -> Iterator[tuple[Inline, ...]]:
    for sheet in campaign_site.book.sheets:
        if sheet.registry == registry.title:
            missing = len(registry.columns) - len(sheet.row)
            yield (Ref("sheet", sheet.id, sheet.name), *sheet.row, *([""] * missing))
