"""The pages that the game fills by itself."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page, neighbours
from chronicle.site.volume import Volume
from chronicle.words import word


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """The places in the navigation of those that are not within another."""
    for page in volume.book.pages:
        if not page.within and not page.lists_contests:
            yield NavPage(page.group, page.title, volume.game_page(page.slug))


def pages(volume: Volume) -> Iterator[Draft]:
    """Each with its own blocks."""
    titles = {page.slug: page.title for page in volume.book.pages} | {"relations": word("site.map")}
    for page in volume.book.pages:
        if page.lists_contests:
            continue
        outer = page.within
        crumbs = ((titles[outer], volume.game_page(outer)),) if outer else ()
        family = volume.family(outer or page.slug, titles[outer or page.slug])
        name, intro = volume.game_page(page.slug), page.intro
        turn = next(
            (
                turn
                for ref, turn in zip(family, neighbours(family), strict=True)
                if ref.id == page.slug
            ),
            (None, None),
        )
        yield blocks_page(
            name, page.title, page.blocks, intro=intro, crumbs=crumbs, turn=turn, beside=family
        )
