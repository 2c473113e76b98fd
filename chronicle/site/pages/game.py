"""The pages that the game fills by itself."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page, previous_and_next_refs
from chronicle.words import word


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """The places in the navigation of those that are not within another."""
    for page in campaign_site.view.pages:
        if not page.within and not page.lists_contests:
            yield NavPage(page.group, page.title, campaign_site.game_page_path(page.slug))


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """Each with its own blocks."""
    titles = {page.slug: page.title for page in campaign_site.view.pages} | {
        "relations": word("site.map")
    }
    for page in campaign_site.view.pages:
        if page.lists_contests:
            continue
        outer_slug = page.within
        crumbs = (
            ((titles[outer_slug], campaign_site.game_page_path(outer_slug)),) if outer_slug else ()
        )
        page_family = campaign_site.page_with_subpages(
            outer_slug or page.slug, titles[outer_slug or page.slug]
        )
        page_path, intro = campaign_site.game_page_path(page.slug), page.intro
        previous_and_next = next(
            (
                previous_and_next
                for ref, previous_and_next in zip(
                    page_family, previous_and_next_refs(page_family), strict=True
                )
                if ref.id == page.slug
            ),
            (None, None),
        )
        yield blocks_page(
            page_path,
            page.title,
            page.blocks,
            intro=intro,
            crumbs=crumbs,
            previous_and_next=previous_and_next,
            siblings=page_family,
        )
