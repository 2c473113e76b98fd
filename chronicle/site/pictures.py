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
    an ``anchor``, and its ``caption`` says all that is known about it."""

    path_on_site: str
    alt: str
    title: str
    caption: Inline
    ref: Ref | None = None
    anchor: str = ""
    width_and_height: tuple[int, int] | None = None
    """Width and height, if the picture says, so that its place is kept."""


class Pictures:
    """The pictures that readers can see.

    Args:
        campaign: the campaign with the pictures.
        root_folder: the folder that the campaign's path is relative to.
        warn: receives a message for each picture that is left out.
        child_process: the process that reads the pictures.
    """

    def __init__(
        self,
        campaign: Campaign,
        root_folder: Path,
        warn: Callable[[str], object],
        child_process: LimitedProcess,
    ) -> None:
        campaign_folder = (root_folder / campaign.folder).resolve()
        slugs = Slugs()
        self._path_and_contents_by_file: dict[str, tuple[str, bytes]] = {}
        """File in the campaign to (file on the site, content)."""
        for artwork in campaign.art:
            picture_file = real_path(campaign_folder / (artwork.real_path or artwork.file))
            if not picture_file.is_relative_to(campaign_folder) or not picture_file.is_file():
                continue
            try:
                with picture_file.open("rb") as stream:
                    picture_bytes = stream.read(MAX_PICTURE_BYTES + 1)
                contents = child_process.ask(
                    "picture", {"ending": artwork.file.suffix}, picture_bytes
                ).blobs[0]
            except (Failed, OSError) as error:
                warn(f"{artwork.path}: {error}; it is not shown")
                continue
            if artwork.file.suffix.casefold() == ".svg" and campaign.pseudonyms:
                contents = reword_drawing(contents, campaign.pseudonyms.replace_in_text)
            slug = slugs.slug_of(str(artwork.file), artwork.file.stem)
            self._path_and_contents_by_file[str(artwork.file)] = (
                f"art/{slug}{artwork.file.suffix.casefold()}",
                contents,
            )

    def __bool__(self) -> bool:
        return bool(self._path_and_contents_by_file)

    def paths_and_contents(self) -> Iterable[tuple[str, bytes]]:
        """Every file of a picture: where on the site, and what is in it."""
        return self._path_and_contents_by_file.values()

    def path_on_site(self, file_name: str) -> str:
        """Where on the site a picture lies; empty if it is not shown."""
        path_and_contents = self._path_and_contents_by_file.get(file_name)
        return path_and_contents[0] if path_and_contents is not None else ""

    def shown_pictures(self) -> Iterator[tuple[str, tuple[str, bytes]]]:
        """The file of every picture in the campaign, its path on the site, and its contents."""
        yield from self._path_and_contents_by_file.items()

    def anchor(self, file_name: str) -> str | None:
        """The anchor of a picture in the gallery; None if the gallery leaves it out."""
        path_and_contents = self._path_and_contents_by_file.get(file_name)
        return PurePosixPath(path_and_contents[0]).stem if path_and_contents is not None else None

    def plates_of(self, works: Iterable[Work]) -> tuple[Plate, ...]:
        """The pictures among some works, each leading to its place in the gallery."""
        return tuple(
            self._make_plate(artwork, _credit(artwork), work.ref)
            for work in works
            if (artwork := work.artwork) is not None
            and str(artwork.file) in self._path_and_contents_by_file
        )

    def gallery(self, artworks: Iterable[Artwork], works: Works) -> Iterator[Plate]:
        """All pictures that readers can see, with the known facts about each."""
        for artwork in artworks:
            anchor = self.anchor(str(artwork.file))
            if anchor is not None:
                yield self._make_plate(artwork, works.byline(artwork), anchor=anchor)

    def _make_plate(
        self, artwork: Artwork, caption: Inline, ref: Ref | None = None, anchor: str = ""
    ) -> Plate:
        path_on_site, contents = self._path_and_contents_by_file[str(artwork.file)]
        return Plate(
            path_on_site, artwork.alt, artwork.title, caption, ref, anchor, picture_size(contents)
        )


def draw_portrait(renderer: Renderer, plate: Plate) -> Markup:
    """A picture as the portrait of a person whose name is beside it."""
    src = renderer.address(Ref("path", plate.path_on_site, ""))
    return Markup('<img class="ch-face" src="{}" alt="{}" loading="lazy">').format(src, plate.alt)


def _credit(artwork: Artwork) -> str:
    return ", ".join(
        credit_part for credit_part in (artwork.artist, artwork.licence) if credit_part
    )


def draw_plate(renderer: Renderer, plate: Plate) -> Markup:
    """A picture on a page."""
    src = renderer.address(Ref("path", plate.path_on_site, ""))
    url = renderer.address(plate.ref) if plate.ref is not None else ""
    caption = plate.caption if plate.ref is not None else renderer.text(plate.caption)
    return renderer.macro(
        *("page", "gallery_item", src, plate.alt, plate.title, caption),
        url=url,
        anchor=plate.anchor,
        sides=plate.width_and_height,
    )
