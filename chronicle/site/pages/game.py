"""The pages that the game fills by itself."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume


def pages(volume: Volume) -> Iterator[Draft]:
    """Each with its own blocks."""
    for page in volume.book.pages:
        yield blocks_page(volume.game_page(page.slug), page.title, page.blocks, intro=page.intro)
