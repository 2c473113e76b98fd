"""What was said at the table, evening by evening (``talk.html``): what the story leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.book import Ref
from chronicle.site.chapters import Remark
from chronicle.site.draw import Pen
from chronicle.site.press import Draft
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume
from chronicle.words import word

PAGE = "table-talk"
TITLE = word("site.table_talk")


class Scene(NamedTuple):
    """The remarks of a scene."""

    anchor: str
    title: str
    remarks: tuple[Remark, ...]


class Evening(NamedTuple):
    """The remarks of an evening."""

    number: int
    title: str
    scenes: tuple[Scene, ...]


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it, if there is anything."""
    if volume.talks:
        yield Door("Read", TITLE, PAGE)


def pages(volume: Volume) -> Iterator[Draft]:
    """All of it on one page, if there is any."""
    if not volume.talks:
        return
    evenings = tuple(
        Evening(
            one.number,
            one.title,
            tuple(Scene(s.anchor, s.title, s.talk) for s in one.sections if s.talk),
        )
        for one in volume.evenings
        if one.remarks
    )
    yield Draft(PAGE, TITLE, evenings, _fill)


def _fill(pen: Pen, evenings: tuple[Evening, ...]) -> dict[str, Any]:
    return {
        "evenings": [
            {
                "number": evening.number,
                "title": evening.title,
                "url": pen.address(Ref("chapter", str(evening.number), "")),
                "scenes": [
                    {
                        "anchor": f"{evening.number}-{scene.anchor}",
                        "title": scene.title,
                        "remarks": [
                            {
                                "step": remark.step,
                                "url": pen.address(Ref("step", str(remark.step), "")),
                                "texts": [pen.prose(text) for text in remark.texts],
                            }
                            for remark in scene.remarks
                        ],
                    }
                    for scene in evening.scenes
                ],
            }
            for evening in evenings
        ]
    }
