"""The index of names, with those that were given up."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Ref, Table
from chronicle.core.names import PLAYER
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("People", "Index of names", "names")


def pages(volume: Volume) -> Iterator[Draft]:
    """The index of names."""
    rows = sorted(_rows(volume), key=lambda row: row[0].label.casefold())
    table = Table((Column("Name"), Column("What"), Column("")), tuple(rows))
    yield blocks_page("names", "Index of names", [table], tells="rows")


def _rows(volume: Volume) -> Iterator[tuple[Ref, str, str]]:
    for sheet in volume.book.sheets:
        yield Ref("sheet", sheet.id, sheet.name), sheet.kind, ""
        for alias in sheet.aliases:
            yield Ref("sheet", sheet.id, alias), sheet.kind, f"see {sheet.name}"
        for old in sheet.former:
            yield Ref("sheet", sheet.id, old), sheet.kind, f"formerly; now {sheet.name}"
    names = volume.record.names
    for named in names.all.values():
        if named.kind == PLAYER:
            yield Ref("player", named.id, named.name), "player", ""
            for old in names.formerly(named):
                yield Ref("player", named.id, old), "player", f"formerly; now {named.name}"
