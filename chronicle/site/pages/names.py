"""The index of names, with those that were given up."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Ref, Table
from chronicle.core.names import PLAYER
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume
from chronicle.words import word


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("People", word("site.index_of_names"), "names")


def pages(volume: Volume) -> Iterator[Draft]:
    """The index of names."""
    rows = sorted(_rows(volume), key=lambda row: row[0].label.casefold())
    table = Table(
        (Column(word("site.name")), Column(word("site.what_it_is")), Column("")), tuple(rows)
    )
    yield blocks_page("names", word("site.index_of_names"), [table], tells="rows")


def _rows(volume: Volume) -> Iterator[tuple[Ref, str, str]]:
    for sheet in volume.book.sheets:
        yield Ref("sheet", sheet.id, sheet.name), sheet.kind, ""
        for alias in sheet.aliases:
            yield Ref("sheet", sheet.id, alias), sheet.kind, word("site.see_name", name=sheet.name)
        for old in sheet.former:
            yield (
                Ref("sheet", sheet.id, old),
                sheet.kind,
                word("site.formerly_now", name=sheet.name),
            )
    names = volume.record.names
    for named in names.all.values():
        if named.kind == PLAYER:
            yield Ref("player", named.id, named.name), word("site.a_player"), ""
            for old in names.former_names(named):
                yield (
                    Ref("player", named.id, old),
                    word("site.a_player"),
                    word("site.formerly_now", name=named.name),
                )
