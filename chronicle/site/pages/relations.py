"""All relations in one picture."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume


def pages(volume: Volume) -> Iterator[Draft]:
    """The relations, if there are any."""
    if volume.book.relations:
        yield blocks_page("relations", "Relations", volume.book.relations)
