"""The list of all scenes."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Inline, Ref, Table
from chronicle.core.timeline import Scene
from chronicle.site.links import shortened
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume
from chronicle.words import word


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage(
        "Timeline", word("site.scenes"), "scenes", str(len(volume.record.timeline.scenes))
    )


def pages(volume: Volume) -> Iterator[Draft]:
    """All scenes in one table."""
    rows = tuple(_row(volume, scene) for scene in volume.record.timeline.scenes)
    columns = (
        Column(word("site.scene")),
        Column(word("site.number"), True),
        Column(word("site.session"), True),
        Column(word("site.opened_by")),
        Column(word("site.time")),
        Column(word("site.in_it")),
        Column(word("site.how_closed")),
        Column(word("site.how_stood")),
    )
    yield blocks_page("scenes", word("site.scenes"), [Table(columns, rows)], tells="rows")


def _row(volume: Volume, scene: Scene) -> tuple[Inline, ...]:
    number = str(scene.number)
    return (
        Ref("scene", number, scene.label),
        scene.number,
        scene.session,
        scene.opener,
        scene.when,
        ", ".join(volume.name(id) for id in scene.cast),
        word("site.scene_open")
        if scene.open
        else shortened(scene.closing) or word("site.scene_closed"),
        Ref("after", number, word("site.then")) if scene.number in volume.book.scene_panels else "",
    )
