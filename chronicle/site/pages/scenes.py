"""The list of all scenes."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Inline, Ref, Table
from chronicle.core.timeline import Scene
from chronicle.site.links import shortened
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("Record", "Scenes", "scenes", str(len(volume.record.timeline.scenes)))


def pages(volume: Volume) -> Iterator[Draft]:
    """All scenes in one table."""
    rows = tuple(_row(volume, scene) for scene in volume.record.timeline.scenes)
    columns = (
        Column("Scene"),
        Column("No.", True),
        Column("Session", True),
        Column("Opened by"),
        Column("Time"),
        Column("In it"),
        Column("How it closed"),
        Column("How things stood"),
    )
    yield blocks_page("scenes", "Scenes", [Table(columns, rows)], tells="rows")


def _row(volume: Volume, scene: Scene) -> tuple[Inline, ...]:
    number = str(scene.number)
    return (
        Ref("scene", number, scene.label),
        scene.number,
        scene.session,
        scene.opener,
        scene.when,
        ", ".join(volume.name(id) for id in scene.cast),
        "open" if scene.open else shortened(scene.closing) or "closed",
        Ref("after", number, "then") if scene.number in volume.book.scene_panels else "",
    )
