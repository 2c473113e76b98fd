"""Emblems: a ring of interlaced lines, unique to its owner, with a small drawing inside.

The name seeds the lines. The drawing comes from the log, or else from the first word that suggests a
drawing, or else it is the initials. The outline shows the kind: a circle for a person, a square for a
class of people, a diamond for an object, a hexagon for a place. White on black means played by the GM or
by the world. Each tick is one point of the person's weight.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from markupsafe import Markup, escape

from chronicle.site.motifs import DRAWINGS

MAX_TICKS = 24
"""The most ticks round an emblem."""
OUTLINES = {
    "thing": "M32 4 60 32 32 60 4 32Z",
    "place": "M18 7.8h28L60 32 46 56.2H18L4 32Z",
    "kind": "M12 6h40q6 0 6 6v40q0 6-6 6H12q-6 0-6-6V12q0-6 6-6z",
}

_EMBLEM_ELEMENT = re.compile(
    r'<svg class="(ch-emblem[^"]*)" viewBox="0 0 64 64" aria-hidden="true">(.*?)</svg>', re.DOTALL
)


class Emblem(NamedTuple):
    """What an emblem is drawn from."""

    name: str
    motif: str = ""
    """One of the drawings; empty: the initials."""
    shape: str = "person"
    """``person``, ``thing``, ``place`` or ``kind``."""
    is_dark: bool = False
    is_gone: bool = False
    tick_count: int = 0


def initials(name: str) -> str:
    """One or two letters for a name: ``AV`` for Agathe Vane, ``G`` for the Guest."""
    name_words = [word for word in name.split() if word[:1].isalnum()]
    name_words = [
        word for word in name_words if word.casefold() not in ("a", "an", "the")
    ] or name_words
    capitalised_words = [word for word in name_words if word[:1].isupper()] or name_words
    return "".join(word[0] for word in (capitalised_words[:1] + capitalised_words[1:][-1:])).upper()


def draw_emblem(emblem: Emblem, css_class: str = "", *, has_fine_lines: bool = False) -> Markup:
    """An emblem as a small picture without text: its name is beside it.

    Args:
        emblem: the emblem to draw.
        css_class: a CSS class that sets the size.
        has_fine_lines: with the interlaced lines, for large emblems.
    """
    return Markup(
        f'<svg class="{_css_classes(emblem, css_class)}" viewBox="0 0 64 64" '
        f'aria-hidden="true">{emblem_strokes(emblem, has_fine_lines=has_fine_lines)}</svg>'
    )


def emblem_file(emblem: Emblem) -> str:
    """An emblem as a picture of its own, for what knows no stylesheet of ours."""
    line_colour, background = ("#fffdf8", "#221d17") if emblem.is_dark else ("#221d17", "#fffdf8")
    style = (
        f".o{{fill:{background};stroke:#b9ae9a;stroke-width:1.2}}.l{{stroke-width:.5;opacity:.7}}"
        ".m{stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round}"
        f".f{{fill:{line_colour}}}text{{display:none}}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><style>{style}</style>'
        f'<g fill="none" stroke="{line_colour}">{emblem_strokes(emblem, has_fine_lines=True)}</g></svg>'
    )


def reuse_equal_emblems(html: str) -> str:
    """Draw each emblem of a page once: later copies refer to the first."""
    use_counts = Counter(
        _shared_parts(emblem_match) for emblem_match in _EMBLEM_ELEMENT.finditer(html)
    )
    id_by_strokes: dict[tuple[bool, str], str] = {}

    def reuse_element(emblem_match: re.Match[str]) -> str:
        dark_and_strokes = is_dark, strokes = _shared_parts(emblem_match)
        if use_counts[dark_and_strokes] == 1:
            return emblem_match[0]
        if dark_and_strokes in id_by_strokes:
            # Material's instant navigation sets every `href`, and that of SVG cannot be set.
            return emblem_match[0].replace(
                strokes, f'<use xlink:href="#{id_by_strokes[dark_and_strokes]}"/>'
            )
        # No anchor of an entry has a colon.
        emblem_id = id_by_strokes[dark_and_strokes] = f"emblem:{len(id_by_strokes) + 1}"
        # Styles reach what is referred to by the classes of its own group alone.
        css_classes = "ch-emblem is-dark" if is_dark else "ch-emblem"
        return emblem_match[0].replace(
            strokes, f'<g id="{emblem_id}" class="{css_classes}">{strokes}</g>'
        )

    return _EMBLEM_ELEMENT.sub(reuse_element, html)


def _shared_parts(emblem_match: re.Match[str]) -> tuple[bool, str]:
    """What two drawn emblems share: whether they are dark, and their strokes."""
    return "is-dark" in emblem_match[1].split(), emblem_match[2]


def place_emblem(
    emblem: Emblem, x: float, y: float, radius: float, *, has_fine_lines: bool = False
) -> str:
    """An emblem within another picture: around a point, of that radius."""
    scale = radius / 29
    transform = f"translate({x - 32 * scale:.1f} {y - 32 * scale:.1f}) scale({scale:.3f})"
    strokes = emblem_strokes(emblem, has_fine_lines=has_fine_lines)
    return f'<g class="{_css_classes(emblem)}" transform="{transform}">{strokes}</g>'


def _css_classes(emblem: Emblem, css_class: str = "") -> str:
    css_classes = (
        css_class,
        "is-dark" if emblem.is_dark else "",
        "is-gone" if emblem.is_gone else "",
    )
    return " ".join(["ch-emblem", *filter(None, css_classes)])


def emblem_strokes(emblem: Emblem, *, has_fine_lines: bool = False) -> str:
    """The strokes of an emblem, in a box of 64 by 64."""
    seed = int.from_bytes(blake2b(emblem.name.encode(), digest_size=6).digest(), "big")
    elements: list[str] = []
    outline = OUTLINES.get(emblem.shape)
    if outline is not None:
        elements.append(f'<path class="o" d="{outline}"/>')
        scale = 0.62 if emblem.shape == "thing" else 0.78
    else:
        elements.append('<circle class="o" cx="32" cy="32" r="26"/>')
        elements.append(_interlaced_ring(seed) if has_fine_lines else _dashed_ring(seed))
        scale = 0.72
    if emblem.tick_count:
        elements.append(_tick_arc(min(emblem.tick_count, MAX_TICKS)))
    drawing = DRAWINGS.get(emblem.motif)
    if drawing is None:
        font_size = 20 if len(initials(emblem.name)) > 1 else 24
        elements.append(
            f'<text x="32" y="39" font-size="{font_size}">{escape(initials(emblem.name))}</text>'
        )
    else:
        corner = 32 - 24 * scale
        transform = f"translate({corner:.4g} {corner:.4g}) scale({scale})"
        elements.append(f'<g class="m" transform="{transform}">{drawing}</g>')
    return "".join(elements)


def _tick_arc(tick_count: int) -> str:
    """An arc from the top, clockwise, of this many ticks."""
    # An arc that ends where it begins is drawn as nothing: all ticks but the gap after the last.
    angle = math.tau * (tick_count - 0.5) / MAX_TICKS
    x, y = 32 + 29.6 * math.sin(angle), 32 - 29.6 * math.cos(angle)
    return (
        f'<path class="t" d="M32 2.4A29.6 29.6 0 {int(angle > math.pi)} 1 {x:.4g} {y:.4g}" '
        f'pathLength="{tick_count - 0.5:g}" stroke-dasharray=".3 .7"/>'
    )


def _dashed_ring(seed: int) -> str:
    """A plain ring, broken as the seed has it."""
    dash_length, gap_length = 1 + seed % 5, 0.6 + (seed >> 4) % 4 * 0.3
    dashes = f"{dash_length} {gap_length:.2g} .5 {gap_length:.2g}"
    return f'<circle class="l" cx="32" cy="32" r="22.6" stroke-dasharray="{dashes}"/>'


@lru_cache(maxsize=1 << 10)
def _interlaced_ring(seed: int) -> str:
    """Two waves round the ring, over and under each other."""
    wave_count = 12 + seed % 9
    wave_depth = 1.3 + (seed >> 5) % 4 * 0.25
    return "".join(
        f'<path class="l" d="{rosette(32, 23, wave_depth, wave_count, phase)}"/>'
        for phase in (0.0, math.pi, math.pi / 2)[: 2 + (seed >> 9) % 2]
    )


def rosette(centre: float, radius: float, wave_depth: float, wave_count: int, phase: float) -> str:
    """A closed wave around a circle: smooth, with its turning points as control points."""
    half_wave_count = 2 * wave_count
    control_depth = wave_depth * 1.6

    def point_at(half_wave: float, distance: float) -> str:
        angle = math.tau * half_wave / half_wave_count
        return (
            f"{centre + distance * math.sin(angle):.4g} {centre - distance * math.cos(angle):.4g}"
        )

    start_half_waves = phase * half_wave_count / math.tau / wave_count
    path_commands = [f"M{point_at(start_half_waves, radius)}"]
    for half_wave in range(half_wave_count):
        distance = radius + (control_depth if half_wave % 2 else -control_depth)
        path_commands.append(
            f"Q{point_at(start_half_waves + half_wave + 0.5, distance)} "
            f"{point_at(start_half_waves + half_wave + 1, radius)}"
        )
    return "".join(path_commands) + "Z"
