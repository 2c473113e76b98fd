"""The pictures of a campaign that readers can see: their paths on the site, and their captions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from markupsafe import Markup

from chronicle.core.campaign import Artwork, Campaign
from chronicle.core.campaign_view import Inline, Ref
from chronicle.core.drawings import reword_drawing
from chronicle.core.file_reading import real_path
from chronicle.core.pictures import MAX_PICTURE_BYTES, picture_size
from chronicle.limited import Failed, LimitedProcess
from chronicle.site.draw import Renderer
from chronicle.site.links import Slugs
from chronicle.site.works import Work, Works


class Plate(NamedTuple):
    """A picture with its caption. With a ``ref`` it leads to its place in the gallery; there it has
    an ``anchor``, and its ``line`` says all that is known about it."""

    file: str
    alt: str
    title: str
    line: Inline
    ref: Ref | None = None
    anchor: str = ""
    size: tuple[int, int] | None = None
    """Width and height, if the picture says, so that its place is kept."""


class Pictures:
    """The pictures that readers can see.

    Args:
        campaign: the campaign with the pictures.
        root: the folder that the campaign's path is relative to.
        warn: receives a message for each picture that is left out.
        child: the process that reads the pictures.
    """

    def __init__(
        self,
        campaign: Campaign,
        root: Path,
        warn: Callable[[str], object],
        child: LimitedProcess,
    ) -> None:
        home = (root / campaign.folder).resolve()
        names = Slugs()
        self._files_by_name: dict[str, tuple[str, bytes]] = {}
        """File in the campaign to (file on the site, content)."""
        for art in campaign.art:
            file = real_path(home / (art.real_path or art.file))
            if not file.is_relative_to(home) or not file.is_file():
                continue
            try:
                with file.open("rb") as stream:
                    picture_bytes = stream.read(MAX_PICTURE_BYTES + 1)
                data = child.ask("picture", {"ending": art.file.suffix}, picture_bytes).blobs[0]
            except (Failed, OSError) as error:
                warn(f"{art.path}: {error}; it is not shown")
                continue
            if art.file.suffix.casefold() == ".svg" and campaign.pseudonyms:
                data = reword_drawing(data, campaign.pseudonyms.replace_in_text)
            slug = names.of(str(art.file), art.file.stem)
            self._files_by_name[str(art.file)] = (f"art/{slug}{art.file.suffix.casefold()}", data)

    def __bool__(self) -> bool:
        return bool(self._files_by_name)

    def files(self) -> Iterable[tuple[str, bytes]]:
        """Every file of a picture: where on the site, and what is in it."""
        return self._files_by_name.values()

    def file(self, name: str) -> str:
        """Where on the site a picture lies; empty if it is not shown."""
        shown = self._files_by_name.get(name)
        return shown[0] if shown is not None else ""

    def shown(self) -> Iterator[tuple[str, tuple[str, bytes]]]:
        """The file of every picture in the campaign, its path on the site, and its contents."""
        yield from self._files_by_name.items()

    def anchor(self, file: str) -> str | None:
        """The anchor of a picture in the gallery; None if the gallery leaves it out."""
        shown = self._files_by_name.get(file)
        return PurePosixPath(shown[0]).stem if shown is not None else None

    def plates_of(self, works: Iterable[Work]) -> tuple[Plate, ...]:
        """The pictures among some works, each leading to its place in the gallery."""
        return tuple(
            self._plate(art, _credit(art), work.ref)
            for work in works
            if (art := work.art) is not None and str(art.file) in self._files_by_name
        )

    def gallery(self, pictures: Iterable[Artwork], works: Works) -> Iterator[Plate]:
        """All pictures that readers can see, with the known facts about each."""
        for art in pictures:
            anchor = self.anchor(str(art.file))
            if anchor is not None:
                yield self._plate(art, works.by_line(art), anchor=anchor)

    def _plate(self, art: Artwork, line: Inline, ref: Ref | None = None, anchor: str = "") -> Plate:
        file, data = self._files_by_name[str(art.file)]
        return Plate(file, art.alt, art.title, line, ref, anchor, picture_size(data))


def draw_portrait(renderer: Renderer, plate: Plate) -> Markup:
    """A picture as the portrait of a person whose name is beside it."""
    src = renderer.address(Ref("path", plate.file, ""))
    return Markup('<img class="ch-face" src="{}" alt="{}" loading="lazy">').format(src, plate.alt)


def _credit(art: Artwork) -> str:
    return ", ".join(part for part in (art.artist, art.licence) if part)


def draw_plate(renderer: Renderer, plate: Plate) -> Markup:
    """A picture on a page."""
    src = renderer.address(Ref("path", plate.file, ""))
    url = renderer.address(plate.ref) if plate.ref is not None else ""
    line = plate.line if plate.ref is not None else renderer.text(plate.line)
    return renderer.macro(
        *("page", "gallery_item", src, plate.alt, plate.title, line),
        url=url,
        anchor=plate.anchor,
        sides=plate.size,
    )
