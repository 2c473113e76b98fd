"""The rules and readings that mattered in play."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Block, Column, Inline, Ref, Table
from chronicle.core.make_book import readings_table
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume
from chronicle.words import word


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", word("site.rules_used"), "rules-used")


def pages(volume: Volume) -> Iterator[Draft]:
    """The rules used."""
    yield blocks_page("rules-used", word("site.rules_used"), _blocks(volume))


def _blocks(volume: Volume) -> Iterator[Block]:
    columns = (
        Column(word("site.rule")),
        Column(word("site.what_it_says")),
        Column(word("site.times"), True),
        Column(word("site.first")),
    )
    yield Table(columns, tuple(_rules(volume)), word("site.rules_mattered"))
    points = {ruling.key: ruling for ruling in volume.rules.rulings}
    mattered = [points[key] for key in volume.record.rulings_used if key in points]
    title = word("site.readings_mattered")
    yield readings_table(volume.record, mattered, title)


def _rules(volume: Volume) -> Iterator[tuple[Inline, ...]]:
    used = volume.rules_used
    for id, steps in sorted(used.items(), key=lambda item: -len(item[1])):
        rule = volume.rules.get(id)
        title = getattr(rule, "title", "") or getattr(rule, "question", "") if rule else ""
        first: Inline = (
            Ref("step", str(steps[0]), word("site.entry_link", number=steps[0]))
            if steps[0]
            else word("site.at_start")
        )
        yield Ref("rule", id, id), title, len(steps), first
