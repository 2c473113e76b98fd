"""The pages that the game fills by itself."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page, previous_and_next_refs
from chronicle.words import word


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """The places in the navigation of those that are not within another."""
    for game_page in campaign_site.view.pages:
        if not game_page.within and not game_page.lists_contests:
            yield NavPage(
                game_page.group, game_page.title, campaign_site.game_page_path(game_page.slug)
            )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """Each with its own blocks."""
    title_by_slug = {game_page.slug: game_page.title for game_page in campaign_site.view.pages} | {
        "relations": word("site.map")
    }
    for game_page in campaign_site.view.pages:
        if game_page.lists_contests:
            continue
        outer_slug = game_page.within
        crumbs = (
            ((title_by_slug[outer_slug], campaign_site.game_page_path(outer_slug)),)
            if outer_slug
            else ()
        )
        page_family = campaign_site.page_with_subpages(
            outer_slug or game_page.slug, title_by_slug[outer_slug or game_page.slug]
        )
        page_path, intro = campaign_site.game_page_path(game_page.slug), game_page.intro
        previous_and_next = next(
            (
                previous_and_next
                for ref, previous_and_next in zip(
                    page_family, previous_and_next_refs(page_family), strict=True
                )
                if ref.id == game_page.slug
            ),
            (None, None),
        )
        yield blocks_page(
            page_path,
            game_page.title,
            game_page.blocks,
            intro=intro,
            crumbs=crumbs,
            previous_and_next=previous_and_next,
            siblings=page_family,
        )
