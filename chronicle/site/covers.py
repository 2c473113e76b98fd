"""Covers for stories without a picture: a unique pattern of interlaced lines, and the story's emblem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b
from textwrap import wrap

from markupsafe import escape

from chronicle.site.emblems import Emblem, initials, rosette
from chronicle.site.motifs import DRAWINGS
from chronicle.site.prose import typeset

WIDTH, HEIGHT = 640, 354
BOOK_COVER_SIZE = 640, 907
"""The cover of a book, in the shape of its pages."""
BACKGROUNDS_AND_LINE_COLOURS = (
    ("#32505a", "#a9c4c6"),
    ("#d6c795", "#5b4d1e"),
    ("#7c3826", "#e6c3b4"),
    ("#2f3f5c", "#b7c3dc"),
    ("#4d3a5e", "#d3c2df"),
    ("#c9d3cd", "#3c5349"),
    ("#5a5a3c", "#dcd9b4"),
    ("#e0cfc0", "#6b3f2c"),
)
"""Grounds, each with the ink of its lines."""


def draw_cover(emblem: Emblem) -> bytes:
    """A cover as an SVG file, seeded by the title."""
    background, line_colour = _colours_of(emblem)
    return _svg_file(WIDTH, HEIGHT, background, _draw_rings(emblem, line_colour, HEIGHT / 2))


def draw_book_cover(emblem: Emblem, title: str, player_names: Sequence[str]) -> bytes:
    """The cover of a book as an SVG file: its title, the same lines, and who told it."""
    background, line_colour = _colours_of(emblem)
    width, height = BOOK_COVER_SIZE
    title_lines, name_lines = _wrap_evenly(title), _wrap_evenly(" · ".join(player_names), 40)
    font_size = min(62, 1050 / max(map(len, title_lines)))
    top_band_y, bottom_band_y = (
        118 + font_size * 1.14 * len(title_lines),
        height - 58 - 30 * len(name_lines),
    )
    text_elements = [
        _text_element(
            line,
            width / 2,
            70 + font_size * (0.82 + 1.14 * line_index),
            font_size,
            line_colour,
            "600",
        )
        for line_index, line in enumerate(title_lines)
    ]
    text_elements += [
        _text_element(line, width / 2, bottom_band_y + 44 + 30 * line_index, 22, line_colour, "400")
        for line_index, line in enumerate(name_lines)
    ]
    bands = (
        f'<path d="M0 0H{width}V{top_band_y:.4g}H0zM0 {height}H{width}V{bottom_band_y:.4g}H0z" fill="{background}"/>'
        f'<path d="M0 {top_band_y:.4g}H{width}M0 {bottom_band_y:.4g}H{width}" '
        f'stroke="{line_colour}" stroke-width="1.6"/>'
    )
    return _svg_file(
        width,
        height,
        background,
        _draw_rings(emblem, line_colour, (top_band_y + bottom_band_y) / 2),
        bands,
        *text_elements,
    )


def _colours_of(emblem: Emblem) -> tuple[str, str]:
    return BACKGROUNDS_AND_LINE_COLOURS[_seed_of(emblem) % len(BACKGROUNDS_AND_LINE_COLOURS)]


def _seed_of(emblem: Emblem) -> int:
    return int.from_bytes(blake2b(emblem.name.encode(), digest_size=6).digest(), "big")


def _draw_rings(emblem: Emblem, line_colour: str, middle_y: float) -> str:
    """Rings of interlaced lines around the emblem's drawing."""
    seed, centre = _seed_of(emblem), WIDTH / 2
    ring_paths: list[str] = []
    for ring_index, radius in enumerate((96, 158, 236, 322)):
        wave_count = 16 + (seed >> (4 * ring_index)) % 11 + 5 * ring_index
        wave_depth = 3.0 + ring_index * 2.4
        ring_paths += [
            f'<path d="{rosette(centre, radius, wave_depth, wave_count, phase)}"/>'
            for phase in (0.0, math.pi * 2 / 3, math.pi * 4 / 3)
        ]
    motif_drawing = DRAWINGS.get(emblem.motif) or (
        f'<text x="24" y="33" font-family="Georgia, serif" font-weight="600" font-size="26" '
        f'text-anchor="middle" fill="{line_colour}" stroke="none">{escape(initials(emblem.name))}</text>'
    )
    coloured_drawing = motif_drawing.replace('class="f"', f'fill="{line_colour}"')
    return (
        f'<g fill="none" stroke="{line_colour}"><g transform="translate(0 {middle_y - centre:g})" '
        f'stroke-width="1.6">{"".join(ring_paths)}</g>'
        f'<g transform="translate({centre - 60:g} {middle_y - 60:g}) scale(2.5)" stroke-width="2" '
        f'stroke-linecap="round" stroke-linejoin="round">{coloured_drawing}</g></g>'
    )


def _wrap_evenly(text: str, letters_per_line: int = 16) -> list[str]:
    """A text in lines of about ``letters_per_line`` letters, as even as possible."""
    line_count = max(1, -(-len(text) // letters_per_line))
    for line_width in range(max(1, len(text) // line_count), len(text) + 1):
        wrapped_lines = wrap(text, line_width, break_long_words=False, break_on_hyphens=False)
        if len(wrapped_lines) <= line_count:
            return wrapped_lines
    return [text]


def _text_element(
    text: str, x: float, y: float, font_size: float, line_colour: str, font_weight: str
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="Literata, Georgia, serif" font-size="{font_size:.4g}" '
        f'font-weight="{font_weight}" text-anchor="middle" fill="{line_colour}">{escape(typeset(text))}</text>'
    )


def _svg_file(width: int, height: int, background: str, *svg_parts: str) -> bytes:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><rect width="{width}" height="{height}" fill="{background}"/>'
        f"{''.join(svg_parts)}</svg>\n"
    ).encode()
