"""Covers for stories without a picture: interlaced lines that nobody else has, and the story's emblem."""

from __future__ import annotations

import math
from hashlib import blake2b

from chronicle.site.emblems import Emblem, initials, rosette
from chronicle.site.motifs import DRAWINGS

WIDTH, HEIGHT = 640, 354
INKS = (
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


def cover(emblem: Emblem) -> bytes:
    """A cover as an SVG file, seeded by the title."""
    seed = int.from_bytes(blake2b(emblem.name.encode(), digest_size=6).digest(), "big")
    ground, ink = INKS[seed % len(INKS)]
    centre = WIDTH / 2
    lines: list[str] = []
    for ring, radius in enumerate((96, 158, 236, 322)):
        waves = 16 + (seed >> (4 * ring)) % 11 + 5 * ring
        deep = 3.0 + ring * 2.4
        lines += [
            f'<path d="{rosette(centre, radius, deep, waves, phase)}"/>'
            for phase in (0.0, math.pi * 2 / 3, math.pi * 4 / 3)
        ]
    drawing = DRAWINGS.get(emblem.motif) or (
        f'<text x="24" y="33" font-family="Georgia, serif" font-weight="600" font-size="26" '
        f'text-anchor="middle" fill="{ink}" stroke="none">{initials(emblem.name)}</text>'
    )
    filled = drawing.replace('class="f"', f'fill="{ink}"')
    up = (HEIGHT - WIDTH) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}"><rect width="{WIDTH}" height="{HEIGHT}" fill="{ground}"/>'
        f'<g fill="none" stroke="{ink}"><g transform="translate(0 {up:g})" stroke-width="1.6">'
        f"{''.join(lines)}</g>"
        f'<g transform="translate({centre - 60:g} {HEIGHT / 2 - 60:g}) scale(2.5)" stroke-width="2" '
        f'stroke-linecap="round" stroke-linejoin="round">{filled}</g></g></svg>\n'
    ).encode()
