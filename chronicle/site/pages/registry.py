"""Everything that has a sheet, on one page: a table for each kind."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Column, Inline, Ref, RegistryPage, Section, Table
from chronicle.site.links import slugify
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume
from chronicle.words import word

PAGE = "everything"
TITLE = word("site.everything")


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if volume.book.sheets:
        yield NavPage("Cast", TITLE, PAGE, str(len(volume.book.sheets)))


def pages(volume: Volume) -> Iterator[Draft]:
    """One page with all tables."""
    if volume.book.sheets:
        sections = (
            Section(
                f"{registry.title} {len(rows)}",
                (Table((Column(word("site.name")), *registry.columns), rows, note=registry.intro),),
                slugify(registry.title),
            )
            for registry in volume.book.registries
            if (rows := tuple(_rows(volume, registry)))
        )
        yield blocks_page(PAGE, TITLE, sections, tells="rows")


def _rows(volume: Volume, registry: RegistryPage) -> Iterator[tuple[Inline, ...]]:
    for sheet in volume.book.sheets:
        if sheet.registry == registry.title:
            missing = len(registry.columns) - len(sheet.row)
            yield (Ref("sheet", sheet.id, sheet.name), *sheet.row, *([""] * missing))
