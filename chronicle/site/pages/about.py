"""About a story's log: the game, how strictly it is checked, who wrote it down, and what the game counts."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle import __version__
from chronicle.core.book import Block, Facts, Inline
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume
from chronicle.words import word

PAGE = "about"
TITLE = word("site.about")


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", TITLE, PAGE)


def pages(volume: Volume) -> Iterator[Draft]:
    """The page."""
    yield blocks_page(PAGE, TITLE, _blocks(volume), search={"exclude": True})


def _blocks(volume: Volume) -> Iterator[Block]:
    yield Facts(tuple(_facts(volume)))
    yield from volume.book.overview


def _facts(volume: Volume) -> Iterator[tuple[str, Inline]]:
    """What was agreed before play."""
    campaign = volume.record.campaign
    settings = campaign.settings
    yield word("site.game"), volume.record.rulebook.title
    yield word("site.what_was_checked"), word(f"site.checked_{campaign.strictness}")
    points = {point.key: point for point in volume.rules.rulings}
    readings = volume.record.rulings
    for key in readings.chosen_keys:
        point = points[key]
        yield word("site.reading"), f"{point.question} {point.readings[readings[key]]}"
    pinned = campaign.pinned_version
    key = "site.version" if pinned in ("", __version__) else "site.version_pinned"
    yield word("site.checked_with"), word(key, version=__version__, pinned=pinned)
    if settings.authors:
        yield word("site.written_by"), ", ".join(settings.authors)
    if settings.licence:
        yield word("site.licence"), str(settings.licence)
