"""What is open: in play, in the record, in the envelopes."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Block, Item, Listing, Note, Ref
from chronicle.core.diagnostic import plural
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("Record", "Still open", "loose-ends")


def pages(volume: Volume) -> Iterator[Draft]:
    """The loose ends."""
    yield blocks_page("loose-ends", "Loose ends", _blocks(volume))


def _blocks(volume: Volume) -> Iterator[Block]:
    book, record = volume.book, volume.record
    scenes = record.timeline.scenes
    yield Listing(tuple(book.loose_ends), "Still open in play")
    yield from _listing(
        "Holes in the record",
        (
            Item(step.talk or "nothing is known", "", step.index)
            for step in record.visible()
            if step.action.verb == "gap"
        ),
    )
    seen = {id for scene in scenes for id in scene.cast}
    yield from _listing(
        "Never seen in a scene",
        (
            Item(Ref("sheet", sheet.id, sheet.name), sheet.kind)
            for sheet in book.sheets
            if not sheet.spirit and sheet.id not in seen
        ),
    )
    yield from _listing(
        "Scenes that are not over",
        (
            Item(Ref("scene", str(scene.number), scene.title), f"session {scene.session}")
            for scene in scenes
            if scene.open
        ),
    )
    if record.shut:
        shut = (step for step in map(record.step, record.shut) if not step.hidden)
        yield Listing(
            tuple(
                Item(f"{step.player or 'Somebody'}: {step.headline}", "", step.index)
                for step in shut
            ),
            "Sealed, and not opened yet",
        )
    if record.unrevealed:
        yield Note(f"{plural(record.unrevealed, 'secret')} not revealed yet.")


def _listing(title: str, items: Iterator[Item]) -> Iterator[Listing]:
    """A list, unless there is nothing in it."""
    found = tuple(items)
    if found:
        yield Listing(found, title)
