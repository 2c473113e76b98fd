"""The gallery: every picture that readers can see, with all known facts about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chronicle.site import pictures
from chronicle.site.draw import Pen
from chronicle.site.files import SiteFile
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft
from chronicle.site.volume import Volume
from chronicle.words import word


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if volume.pictures:
        yield NavPage("Story", word("site.pictures"), "gallery")


def pages(volume: Volume) -> Iterator[Draft | SiteFile]:
    """The page of the pictures, and the pictures."""
    if volume.pictures:
        plates = volume.pictures.gallery(volume.record.campaign.art, volume.works)
        yield Draft("gallery", word("site.pictures"), tuple(plates), _fill)
        for name, data in volume.pictures.files():
            yield SiteFile(volume.path(name), data=data)


def _fill(pen: Pen, plates: tuple[pictures.Plate, ...]) -> dict[str, Any]:
    return {"plates": [pictures.draw(pen, plate) for plate in plates]}
