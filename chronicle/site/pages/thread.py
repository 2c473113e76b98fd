"""One thread a character (``thread.html``): all that the log tells of somebody, in order, as prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from chronicle.core.book import Ref, Sheet
from chronicle.site.chapters import minutes_of
from chronicle.site.draw import Pen
from chronicle.site.press import Draft, neighbours
from chronicle.site.prose import inline
from chronicle.site.quotes import Quote
from chronicle.site.volume import Volume

ENOUGH = 8
"""Of whom fewer sentences are told, there is no thread."""


class Stretch(NamedTuple):
    """What is told of somebody in one scene."""

    scene: Ref | None
    when: str
    quotes: tuple[Quote, ...]


class Thread(NamedTuple):
    """What the page shows."""

    sheet: Ref
    role: str
    minutes: int
    stretches: tuple[Stretch, ...]


def threads(volume: Volume) -> dict[str, tuple[Quote, ...]]:
    """Everybody of whom enough is told, with all of it."""
    found = {sheet.id: tuple(volume.quotes.thread(sheet.id)) for sheet in volume.cast}
    return {id: quotes for id, quotes in found.items() if len(quotes) >= ENOUGH}


def pages(volume: Volume) -> Iterator[Draft]:
    """A page a thread."""
    told = threads(volume)
    sheets = [sheet for sheet in volume.cast if sheet.id in told]
    links = [Ref("thread", sheet.id, sheet.name) for sheet in sheets]
    for sheet, turn in zip(sheets, neighbours(links), strict=True):
        crumbs = (("The people", "cast/index"), (sheet.name, volume.sheet_page(sheet)))
        thread = _thread(volume, sheet, told[sheet.id])
        title = f"The thread of {sheet.name}"
        page = volume.thread_page(sheet.id)
        about = f"All that {volume.book.title} tells of {sheet.name}, in {len(told[sheet.id])} sentences."
        yield Draft(page, title, thread, _fill, crumbs, turn=turn, about=about, tells="rows")


def _thread(volume: Volume, sheet: Sheet, quotes: tuple[Quote, ...]) -> Thread:
    words = sum(len(quote.text.split()) for quote in quotes)
    link = Ref("sheet", sheet.id, sheet.name)
    return Thread(link, sheet.role, minutes_of(words), stretches(volume, quotes))


def stretches(volume: Volume, quotes: Iterable[Quote]) -> tuple[Stretch, ...]:
    """Sentences, scene by scene."""
    found: list[Stretch] = []
    for number, some in groupby(quotes, key=lambda quote: quote.scene):
        scene = volume.record.timeline.get(number) if number else None
        link = Ref("scene", str(number), scene.label) if scene is not None else None
        found.append(Stretch(link, scene.when if scene is not None else "", tuple(some)))
    return tuple(found)


def _fill(pen: Pen, thread: Thread) -> dict[str, Any]:
    return {
        "name": thread.sheet.label,
        "role": thread.role,
        "minutes": thread.minutes,
        "sheet": pen.address(thread.sheet),
        "emblem": pen.emblem(thread.sheet, fine=True),
        "stretches": [drawn(pen, one) for one in thread.stretches],
    }


def drawn(pen: Pen, stretch: Stretch) -> dict[str, Any]:
    """A stretch as templates take it."""
    seen: set[str] = set()
    return {
        "scene": pen.text(stretch.scene) if stretch.scene is not None else "",
        "when": stretch.when,
        "text": Markup(" ").join(told(pen, quote, seen) for quote in stretch.quotes),
    }


def told(pen: Pen, quote: Quote, seen: set[str]) -> Markup:
    """A sentence, and where in the story it stands. Names are linked, but for those ``seen`` before."""
    text = pen.names.link(str(inline(quote.text)), seen=seen, proper=True)
    url = pen.address(Ref("told", str(quote.step), ""))
    if not url:
        return text
    return Markup('{}<a class="ch-told-at" href="{}">{}</a>').format(text, url, quote.step)
