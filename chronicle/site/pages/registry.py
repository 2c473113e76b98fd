"""A registry: all sheets of one kind in a table."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Inline, Ref, RegistryPage, Table
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume
from chronicle.words import word


def doors(volume: Volume) -> Iterator[Door]:
    """The ways to them."""
    for registry in volume.book.registries:
        count = sum(1 for sheet in volume.book.sheets if sheet.registry == registry.title)
        yield Door(
            "People", registry.title, volume.registry_page(registry), str(count), beside=True
        )


def pages(volume: Volume) -> Iterator[Draft]:
    """A page a registry."""
    for registry in volume.book.registries:
        table = Table(
            (Column(word("site.name")), *registry.columns), tuple(_rows(volume, registry))
        )
        page = volume.registry_page(registry)
        yield blocks_page(page, registry.title, [table], intro=registry.intro, tells="rows")


def _rows(volume: Volume, registry: RegistryPage) -> Iterator[tuple[Inline, ...]]:
    for sheet in volume.book.sheets:
        if sheet.registry == registry.title:
            missing = len(registry.columns) - len(sheet.row)
            yield (Ref("sheet", sheet.id, sheet.name), *sheet.row, *([""] * missing))
