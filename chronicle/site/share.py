"""The picture that goes with a link to a story, where it is shared: its title, what it is about, how long it
takes, and its cover.

It is drawn while the site is built, with two libraries that only who wants such pictures needs
(``chronicle-tabletop[cards]``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chronicle.core.pictures import picture_size

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630
"""What the large services ask for."""
COLUMN_WIDTH, MARGIN = 690, 70
"""How wide the words are, and how far from the edge."""
PAPER, INK, SOFT_INK, LINE_COLOUR, GREEN = "#fbf8f1", "#211d16", "#6b6355", "#b9b0a0", "#1f6b5f"
SERIF, SANS = "literata", "source-sans-3"
FONT_SUBSETS = (
    "latin",
    "latin-ext",
    "greek",
    "greek-ext",
    "cyrillic",
    "cyrillic-ext",
    "vietnamese",
)
FONT_FOLDER = Path(__file__).parent / "assets" / "fonts"
PICTURE_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
MAX_PIXELS = 50_000_000
"""The largest cover that is read."""
MAX_SIDE_RATIO = 20
"""The largest ratio of the sides of a cover."""
MAX_TITLE_LINES = 3
"""How many lines a title may take; a summary has one more."""


class LibrariesMissing(Exception):
    """The libraries that draw are not installed."""


class UndrawableCover(Exception):
    """A cover that cannot be part of the picture; the message says why."""


class SharePicture(NamedTuple):
    """What the picture shows."""

    line_above_title: str
    title: str
    summary: str
    facts_line: str
    """Set in bold: ``3 chapters, 21 minutes``."""
    byline: str
    emblem_svg: str
    """An SVG document."""
    cover_contents: bytes
    """A picture; an SVG document, or one in any other format that a site may show."""


def can_draw() -> bool:
    """Whether the libraries are here."""
    return all(find_spec(library_name) is not None for library_name in ("PIL", "resvg_py"))


def draw_share(share_picture: SharePicture) -> bytes:
    """The picture as a PNG file.

    Raises:
        Missing: when a library is not installed.
        Undrawable: when the cover is none, or too large.
    """
    if not can_draw():
        raise LibrariesMissing
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    picture.paste(_cropped_cover(share_picture, WIDTH - COLUMN_WIDTH, HEIGHT), (COLUMN_WIDTH, 0))
    image_draw = ImageDraw.Draw(picture)
    text_width = COLUMN_WIDTH - 2 * MARGIN + 30
    _draw_letter_spaced(image_draw, share_picture.line_above_title.upper(), 62)
    title_size, title_lines = _fit_title(share_picture.title, text_width)
    y = 112
    for title_line in title_lines:
        _draw_text(image_draw, y, title_line, SERIF, title_size, 650, INK)
        y += round(title_size * 1.02)
    y += 44
    max_lines = min(MAX_TITLE_LINES + 1, max((486 - y) // 41, 0))
    for summary_line in _summary_lines(share_picture.summary, max_lines, text_width):
        _draw_text(image_draw, y, summary_line, SERIF, 30, 400, INK)
        y += 41
    image_draw.line((MARGIN, 500, COLUMN_WIDTH - 40, 500), LINE_COLOUR, 1)
    emblem_image = _rasterise(share_picture.emblem_svg, 50)
    picture.paste(emblem_image, (MARGIN, 524), emblem_image)
    _draw_text(image_draw, 521, share_picture.facts_line, SANS, 21, 600, INK, MARGIN + 66)
    _draw_text(image_draw, 549, share_picture.byline, SANS, 21, 400, SOFT_INK, MARGIN + 66)
    png_buffer = BytesIO()
    # Few colours, and a third of the bytes: most of it is one paper and one ink.
    picture.quantize(128, dither=Image.Dither.NONE).save(png_buffer, "PNG", optimize=True)
    return png_buffer.getvalue()


def _cropped_cover(share_picture: SharePicture, width: int, height: int) -> Image:
    """The cover, cut to a size from its middle.

    Raises:
        Undrawable: when it is none, or too large.
    """
    from PIL import Image

    image = _cover_image(share_picture.cover_contents, 3 * width).convert("RGB")
    scale = max(width / image.width, height / image.height)
    scaled_size = max(round(image.width * scale), width), max(round(image.height * scale), height)
    image = image.resize(scaled_size, Image.Resampling.LANCZOS)
    left, top = _busiest_left(image, width), (scaled_size[1] - height) // 2
    return image.crop((left, top, left + width, top + height))


def _cover_image(cover_contents: bytes, width: int) -> Image:
    """A cover unchanged; a drawing, which has no size of its own, at a width.

    Raises:
        Undrawable: when it is no picture, or too large.
    """
    from PIL import Image

    is_drawing = cover_contents.lstrip()[:1] == b"<"
    try:
        picture = (
            None if is_drawing else Image.open(BytesIO(cover_contents), formats=PICTURE_FORMATS)
        )
        size = picture.size if picture is not None else picture_size(cover_contents)
        # A drawing without a size is as large as its contents, and that size is unknown.
        if size is None or min(size) * MAX_SIDE_RATIO < max(size):
            raise UndrawableCover(
                f"it is more than {MAX_SIDE_RATIO} times longer than wide, or says no size"
            )
        if picture is None:
            return _rasterise(cover_contents.decode("utf-8"), width)
        if size[0] * size[1] > MAX_PIXELS:
            raise UndrawableCover(f"it has more than {MAX_PIXELS:,} pixels")
        picture.load()
    except (ValueError, OSError, Image.DecompressionBombError) as error:
        raise UndrawableCover(f"it cannot be read: {error}") from error
    return picture


def _busiest_left(picture: Image, width: int) -> int:
    """Where a part of a width begins that shows most: where most edges are, in the middle if in doubt."""
    from PIL import Image, ImageFilter

    pixels_per_column = 10
    thumbnail = picture.convert("L").resize(
        (picture.width // pixels_per_column, 40), Image.Resampling.BOX
    )
    edge_strip = thumbnail.filter(ImageFilter.FIND_EDGES).resize(
        (thumbnail.width, 1), Image.Resampling.BOX
    )
    edge_strengths = list(edge_strip.tobytes())
    free_width, part_width = (
        thumbnail.width - width // pixels_per_column,
        width // pixels_per_column,
    )
    if free_width <= 0:
        return (picture.width - width) // 2
    # Contents in the middle of the part count for more than contents at its edge.
    position_weights = [1 - abs(2 * position / part_width - 1) for position in range(part_width)]
    edge_sums = [
        sum(
            position_weight * edge_strength
            for position_weight, edge_strength in zip(
                position_weights, edge_strengths[position : position + part_width], strict=False
            )
        )
        for position in range(free_width + 1)
    ]
    best_position = max(
        range(free_width + 1),
        key=lambda position: (round(edge_sums[position]), -abs(position - free_width / 2)),
    )
    return min(best_position * pixels_per_column, picture.width - width)


def _rasterise(svg: str, width: int) -> Image:
    """An SVG document as pixels.

    Raises:
        ValueError: when it is none.
    """
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
    return Image.open(BytesIO(bytes(png))).convert("RGBA")


# -- words -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _font(font_family: str, font_subset: str, font_size: int, font_weight: int) -> FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(
        str(FONT_FOLDER / f"{font_family}-{font_subset}-normal.woff2"), font_size
    )
    font.set_variation_by_axes([font_weight])
    return font


@lru_cache(maxsize=1 << 10)
def _font_subset_with(font_family: str, letter: str) -> str:
    """Which of the files of a font family has a letter; the first, if none has it."""
    missing_glyph = bytes(_font(font_family, FONT_SUBSETS[0], 20, 400).getmask("\ufffe"))
    for font_subset in FONT_SUBSETS:
        if (
            letter.isspace()
            or bytes(_font(font_family, font_subset, 20, 400).getmask(letter)) != missing_glyph
        ):
            return font_subset
    return FONT_SUBSETS[0]


def _runs_by_font_subset(text: str, font_family: str) -> list[tuple[str, str]]:
    """The text in stretches of one file each: (file, letters)."""
    font_runs: list[tuple[str, str]] = []
    for letter in text:
        font_subset = _font_subset_with(font_family, letter)
        if font_runs and (font_runs[-1][0] == font_subset or letter.isspace()):
            font_runs[-1] = font_runs[-1][0], font_runs[-1][1] + letter
        else:
            font_runs.append((font_subset, letter))
    return font_runs


def _text_width(text: str, font_family: str, font_size: int, font_weight: int) -> float:
    return sum(
        _font(font_family, font_subset, font_size, font_weight).getlength(run_text)
        for font_subset, run_text in _runs_by_font_subset(text, font_family)
    )


def _draw_text(
    image_draw: ImageDraw,
    top: int,
    text: str,
    font_family: str,
    font_size: int,
    font_weight: int,
    ink: str,
    left: float = MARGIN,
) -> None:
    for font_subset, run_text in _runs_by_font_subset(text, font_family):
        font = _font(font_family, font_subset, font_size, font_weight)
        # All letters share a line, also letters from different font files.
        image_draw.text((left, top + font_size), run_text, ink, font, anchor="ls")
        left += font.getlength(run_text)


def _draw_letter_spaced(image_draw: ImageDraw, spaced_text: str, top: int) -> None:
    """A small line of capitals with room between them."""
    left = float(MARGIN)
    for letter in spaced_text:
        _draw_text(image_draw, top, letter, SANS, 19, 600, GREEN, left)
        left += _text_width(letter, SANS, 19, 600) + 1.6


def _wrap_text(
    text: str, max_width: float, font_family: str, font_size: int, font_weight: int
) -> list[str]:
    """The text in lines; a word that is too long has a line of its own."""
    wrapped_lines: list[str] = []
    for word in text.split():
        extended_line = f"{wrapped_lines[-1]} {word}" if wrapped_lines else word
        if (
            wrapped_lines
            and _text_width(extended_line, font_family, font_size, font_weight) <= max_width
        ):
            wrapped_lines[-1] = extended_line
        else:
            wrapped_lines.append(word)
    return wrapped_lines


def _summary_lines(summary: str, max_lines: int, max_width: float) -> list[str]:
    """As many sentences as fit on ``max_lines`` lines; cut within a sentence if too little would remain."""
    sentences = _SENTENCE.split(summary)
    for sentence_count in range(len(sentences), 0, -1):
        summary_lines = _wrap_text(" ".join(sentences[:sentence_count]), max_width, SERIF, 30, 400)
        if max_lines // 2 < len(summary_lines) <= max_lines:
            return summary_lines
    return _cut_lines(_wrap_text(summary, max_width, SERIF, 30, 400), max_lines)


def _cut_lines(summary_lines: list[str], max_lines: int) -> list[str]:
    return (
        summary_lines
        if len(summary_lines) <= max_lines
        else [*summary_lines[: max_lines - 1], f"{summary_lines[max_lines - 1]} …"][:max_lines]
    )


def _fit_title(title: str, max_width: float) -> tuple[int, list[str]]:
    """The title in lines, in the largest size that fits."""
    for font_size in range(98, 40, -6):
        title_lines = _wrap_text(title, max_width, SERIF, font_size, 650)
        are_narrow_enough = all(
            _text_width(title_line, SERIF, font_size, 650) <= max_width
            for title_line in title_lines
        )
        if are_narrow_enough and len(title_lines) <= (2 if font_size > 70 else MAX_TITLE_LINES):
            return font_size, title_lines
    return 44, _cut_lines(_wrap_text(title, max_width, SERIF, 44, 650), MAX_TITLE_LINES)
