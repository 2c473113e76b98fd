"""All relations in one picture."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    if volume.book.relations:
        yield Door("People", "How they hang together", "relations", beside=True)


def pages(volume: Volume) -> Iterator[Draft]:
    """The relations, if there are any."""
    if volume.book.relations:
        inner = volume.family("relations", "All of it")
        yield blocks_page("relations", "Relations", volume.book.relations, beside=inner)
