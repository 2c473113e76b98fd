"""Where play stands now."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Block, Facts, Item, Listing, Ref, Section
from chronicle.core.common import Aside, Say, Tell
from chronicle.core.record import Step
from chronicle.site.links import shortened
from chronicle.site.lives import as_inline
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume
from chronicle.words import word

LAST = 4
"""How many sentences of the story, or entries where there are none, count as the last ones."""
OVER = "The tale is told. So it stood at its end."


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("Record", "State of play", "state")


def pages(volume: Volume) -> Iterator[Draft]:
    """The state of play."""
    intro = OVER if volume.record.over else volume.book.situation
    yield blocks_page("state", "State of play", _blocks(volume), intro=intro)


def _blocks(volume: Volume) -> Iterator[Block]:
    book = volume.book
    scene = volume.record.timeline.current
    if scene is not None:
        cast = ", ".join(volume.name(id) for id in scene.cast)
        yield Facts(
            (
                ("Open scene", Ref("scene", str(scene.number), scene.label)),
                ("Opened by", scene.opener or "nobody in particular"),
                ("In it", cast or "nobody yet"),
            ),
            "The scene",
        )
    yield from book.state
    ends = [Listing(tuple(book.loose_ends), word("site.left_open"))] if book.loose_ends else []
    last = book.sessions[-1].steps[-LAST:] if book.sessions else []
    settled = volume.lives.outcomes[-LAST:]
    words = (
        Listing(
            tuple(Item(as_inline(one.sentence), "", one.step) for one in settled),
            "What was settled last",
        )
        if settled
        else Listing(
            tuple(Item(_said(step), "", step.index) for step in last if not step.hidden),
            "The last entries",
        )
    )
    yield Section("", (words, *ends), abreast=True)


def _said(step: Step) -> str:
    """Who did what, the name once."""
    told = step.fiction or step.talk if isinstance(step.action, Tell | Say | Aside) else ""
    words = step.headline or shortened(told.replace("*", "")) or step.action.verb
    player = step.player or "The table"
    return words if words.startswith(player) else f"{player}: {words}"
