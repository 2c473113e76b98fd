"""The rules and readings that mattered in play."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Block, Column, Inline, Ref, Table, readings_table
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("Rules", "Rules used", "rules-used")


def pages(volume: Volume) -> Iterator[Draft]:
    """The rules used."""
    yield blocks_page("rules-used", "Rules used", _blocks(volume))


def _blocks(volume: Volume) -> Iterator[Block]:
    columns = (Column("Rule"), Column("What it says"), Column("Times", True), Column("First"))
    yield Table(columns, tuple(_rules(volume)), "Rules that mattered")
    points = {ruling.key: ruling for ruling in volume.rules.rulings}
    mattered = [points[key] for key in volume.record.rulings_used if key in points]
    title = "Readings of silent points that mattered"
    yield readings_table(volume.record, mattered, title)


def _rules(volume: Volume) -> Iterator[tuple[Inline, ...]]:
    used = volume.rules_used
    for id, steps in sorted(used.items(), key=lambda item: -len(item[1])):
        found = volume.rules.get(id)
        title = getattr(found, "title", "") or getattr(found, "question", "") if found else ""
        first: Inline = Ref("step", str(steps[0]), f"entry {steps[0]}") if steps[0] else "start"
        yield Ref("rule", id, id), title, len(steps), first
