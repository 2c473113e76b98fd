"""All contests on one page: the lists of the game, and the dice."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Block, Note, Ref, Section
from chronicle.site.navigation import NavPage
from chronicle.site.pages import dice
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import CONTESTS, Volume
from chronicle.words import word

TITLE = word("site.entry_contests")


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if volume.contest_lists or volume.throws_dice:
        yield NavPage("Contests", TITLE, CONTESTS)


def pages(volume: Volume) -> Iterator[Draft]:
    """The contests, where there are any."""
    if volume.contest_lists or volume.throws_dice:
        lists = volume.contest_lists
        parts = [Ref("page", page.slug, page.title) for page in lists] if len(lists) > 1 else []
        inner = [ref for page in lists for ref in volume.family(page.slug, page.title)[1:]]
        yield blocks_page(CONTESTS, TITLE, _sections(volume), beside=(*parts, *inner))


def _sections(volume: Volume) -> Iterator[Section]:
    """A part for each list of the game, then the dice; they list their throws only where no other part does."""
    for page in volume.contest_lists:
        intro: tuple[Block, ...] = (Note(page.intro),) if page.intro else ()
        yield Section(page.title, (*intro, *page.blocks), page.slug)
    if volume.throws_dice:
        blocks = [*dice.luck_of(volume)]
        if not volume.contest_lists:
            blocks += dice.throws_of(volume)
        if blocks:
            yield Section(word("site.dice"), tuple(blocks), "dice")
