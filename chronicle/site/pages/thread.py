"""One thread a character (``thread.html``): the outcomes of somebody's life, in order, scene by scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref, Sheet
from chronicle.core.outcomes import Outcome
from chronicle.site.draw import Pen
from chronicle.site.lives import Line, draw_line, draw_outcome, whose
from chronicle.site.press import Draft, neighbours
from chronicle.site.volume import Volume
from chronicle.words import word

ENOUGH = 4
"""Of whom fewer outcomes are on record, there is no thread."""


class Stretch(NamedTuple):
    """The outcomes of one scene."""

    scene: Ref | None
    when: str
    outcomes: tuple[Outcome, ...]


class Thread(NamedTuple):
    """What the page shows."""

    sheet: Ref
    role: str
    about: Line | None
    end: Line | None
    stretches: tuple[Stretch, ...]


def threads(volume: Volume) -> dict[str, tuple[Outcome, ...]]:
    """Everybody of whom enough is on record, with all of it."""
    found = {sheet.id: tuple(volume.lives.life(sheet.id)) for sheet in volume.cast}
    return {id: outcomes for id, outcomes in found.items() if len(outcomes) >= ENOUGH}


def pages(volume: Volume) -> Iterator[Draft]:
    """A page a thread."""
    told = threads(volume)
    sheets = [sheet for sheet in volume.cast if sheet.id in told]
    links = [Ref("thread", sheet.id, sheet.name) for sheet in sheets]
    for sheet, turn in zip(sheets, neighbours(links), strict=True):
        crumbs = ((word("site.the_people"), "cast/index"), (sheet.name, volume.sheet_page(sheet)))
        thread = _thread(volume, sheet, told[sheet.id])
        title = word("site.thread_of", name=sheet.name)
        page = volume.thread_page(sheet.id)
        about = word("site.thread_about", name=sheet.name, story=volume.book.title)
        yield Draft(page, title, thread, _fill, crumbs, turn=turn, about=about, tells="rows")


def _thread(volume: Volume, sheet: Sheet, outcomes: tuple[Outcome, ...]) -> Thread:
    link = Ref("sheet", sheet.id, sheet.name)
    lives = volume.lives
    about, end = lives.about(sheet.id), lives.ending(sheet, sheet.gone)
    return Thread(link, sheet.role, about, end, stretches(volume, outcomes))


def stretches(volume: Volume, outcomes: Iterable[Outcome]) -> tuple[Stretch, ...]:
    """Outcomes, scene by scene."""
    found: list[Stretch] = []
    for number, some in groupby(outcomes, key=lambda one: one.scene):
        scene = volume.record.timeline.get(number) if number else None
        link = Ref("scene", str(number), scene.label) if scene is not None else None
        found.append(Stretch(link, scene.when if scene is not None else "", tuple(some)))
    return tuple(found)


def _fill(pen: Pen, thread: Thread) -> dict[str, Any]:
    name = thread.sheet.label
    return {
        "name": name,
        "role": thread.role,
        "sheet": pen.address(thread.sheet),
        "emblem": pen.emblem(thread.sheet, fine=True),
        "about": draw_line(pen, thread.about, name),
        "head": thread.end.head if thread.end is not None else "",
        "end": draw_line(pen, thread.end, name),
        "whose": whose((thread.about, thread.end)),
        "stretches": [drawn(pen, one) for one in thread.stretches],
    }


def drawn(pen: Pen, stretch: Stretch) -> dict[str, Any]:
    """A stretch as templates take it."""
    seen: set[str] = set()
    return {
        "scene": pen.text(stretch.scene) if stretch.scene is not None else "",
        "when": stretch.when,
        "session": stretch.outcomes[0].session,
        "text": Markup(" ").join(draw_outcome(pen, one, seen) for one in stretch.outcomes),
    }
