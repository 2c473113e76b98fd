"""A graph whose lines are counted: everybody in a ring, between two of them a line for and one against, and
on each as many marks as there are reasons. Beads are for, thorns against, hollow is what passes: it can be
read in grey."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from chronicle.core.book import Edge, Graph, Node, Ref
from chronicle.site.emblems import Emblem, placed
from chronicle.site.links import shortened
from chronicle.words import word

WIDE: Final = 640
NARROW: Final = 300
"""How wide the two drawings are, in CSS pixels."""
BEAD: Final = "bead"
THORN: Final = "thorn"
SHAPES: Final = ((BEAD, False), (THORN, False), (BEAD, True), (THORN, True))
"""The marks of the kinds of lines, in the order of the key: shape, and whether it is hollow. The first line
has beads, the second has thorns."""
MOST_MARKS = 12
"""The most marks drawn on a line; a larger count is written as a number."""


class Pair(NamedTuple):
    """Two people in words, with the reasons for and against, as (mark, words)."""

    one: Node
    other: Node
    said: str
    reasons: tuple[tuple[Markup, str], ...]


class _Size(NamedTuple):
    width: int
    radius: float
    """Of an emblem."""
    mark: float
    line_distance: float
    """How far the two lines between two people are from each other."""
    letters: int
    letter: float
    """How wide one is."""
    line: float
    """How high a line of them is, with the room before it."""


_SIZES: Final = {
    WIDE: _Size(WIDE, 36, 7, 20, 24, 9, 26),
    NARROW: _Size(NARROW, 21, 4.5, 12, 16, 7.6, 20),
}


def pairs(graph: Graph) -> list[Pair]:
    """Everything that the drawing counts, pair by pair."""
    nodes = {node.id: node for node in graph.nodes}
    order = [kind for kind, _ in graph.key]
    pairs_found: list[Pair] = []
    for (first, second), edges in _edges(graph).items():
        edges.sort(key=lambda edge: order.index(edge.kind))
        side = [0, 0]
        for edge in edges:
            side[order.index(edge.kind) % 2] += edge.count
        reasons = tuple(
            (sign(order.index(edge.kind)), edge.label or f"{edge.count}") for edge in edges
        )
        pairs_found.append(
            Pair(
                nodes[first],
                nodes[second],
                word("site.for_against", count_for=side[0], count_against=side[1]),
                reasons,
            )
        )
    return pairs_found


def sign(place: int) -> Markup:
    """The mark of a kind of line, by its place in the key, as a small picture."""
    shape, hollow = SHAPES[place]
    mark = f'<g class="{_look(shape, hollow)}">{_mark(shape, 0, 0, 7)}</g>'
    return Markup(
        f'<svg class="ch-counted__sign" viewBox="-9 -9 18 18" aria-hidden="true">{mark}</svg>'
    )


def _look(shape: str, hollow: bool) -> str:
    return f"ch-counted__{shape}{' is-hollow' if hollow else ''}"


def draw(
    graph: Graph,
    width: int,
    emblem: Callable[[str], Emblem | None],
    address: Callable[[Ref], str],
) -> Markup:
    """The drawing, in one of the two widths."""
    size = _SIZES[width]
    places, middle, height = _places(graph, size)
    parts = [
        _between(edges, graph, places[first], places[second], _opposite(graph, first, second), size)
        for (first, second), edges in _edges(graph).items()
    ]
    for node in graph.nodes:
        centre = places[node.id]
        parts.append(_node(node, centre, centre[1] < middle - 1, size, emblem, address))
    description = "; ".join(
        word("site.pair_said", one=p.one.label, other=p.other.label, said=p.said)
        for p in pairs(graph)
    )
    return Markup(
        f'<svg class="ch-counted" role="group" viewBox="0 0 {width} {height:.0f}" '
        f'width="{width}" height="{height:.0f}">'
        f"<title>{escape(graph.title)}</title><desc>{escape(description)}</desc>{''.join(parts)}</svg>"
    )


def _edges(graph: Graph) -> dict[tuple[str, str], list[Edge]]:
    nodes = {node.id for node in graph.nodes}
    edges_by_pair: dict[tuple[str, str], list[Edge]] = {}
    for edge in graph.edges:
        if {edge.start, edge.end} <= nodes:
            edges_by_pair.setdefault((edge.start, edge.end), []).append(edge)
    return edges_by_pair


def _places(graph: Graph, size: _Size) -> tuple[Mapping[str, tuple[float, float]], float, float]:
    """Everybody on an ellipse, with four at the corners; its centre, and its height. Names are on the outer
    side, where there are no lines."""
    count = len(graph.nodes)
    letters = max((min(len(node.label), size.letters) for node in graph.nodes), default=0)
    rx = size.width / 2 - max(size.radius, letters * size.letter / 2) - 4
    ry = rx * (0.86 if count > 2 else 0.12)
    turn = -math.pi * (3 / 4 if count == 4 else 1 / 2 if count != 2 else 1)
    stretch = math.sqrt(2) * 0.96 if count == 4 else 1
    points = []
    for place in range(count):
        angle = turn + math.tau * place / max(count, 1)
        points.append((math.cos(angle) * rx * stretch, math.sin(angle) * ry * stretch))
    reach = max((abs(x) for x, _ in points), default=1)
    fit = min(1, rx / reach) if reach else 1
    top = min((y * fit for _, y in points), default=0)
    bottom = max((y * fit for _, y in points), default=0)
    middle = size.radius + (size.line if top < -1 else 2) + 4 - top
    height = middle + bottom + size.radius + size.line + 4
    return (
        {
            node.id: (size.width / 2 + x * fit, middle + y * fit)
            for node, (x, y) in zip(graph.nodes, points, strict=True)
        },
        middle,
        height,
    )


def _opposite(graph: Graph, first: str, second: str) -> bool:
    """Whether the line between two goes through the middle, where others do as well."""
    ids = [node.id for node in graph.nodes]
    return len(ids) % 2 == 0 and abs(ids.index(first) - ids.index(second)) * 2 == len(ids) > 2


def _between(
    edges: list[Edge],
    graph: Graph,
    a: tuple[float, float],
    b: tuple[float, float],
    opposite: bool,
    size: _Size,
) -> str:
    order = [kind for kind, _ in graph.key]
    length = math.dist(a, b) or 1
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    # The line of reasons for is towards the middle of the ring, the line of reasons against outside.
    px, py = -uy, ux
    first, last = size.radius + 7, length - size.radius - 7
    parts: list[str] = []
    descriptions: list[str] = []
    for line, shape in enumerate((BEAD, THORN)):
        edges_of_line = [edge for edge in edges if order.index(edge.kind) % 2 == line]
        if not edges_of_line:
            continue
        off = size.line_distance / 2 * (1 if line == 0 else -1)
        ox, oy = px * off, py * off
        start = a[0] + ux * first + ox, a[1] + uy * first + oy
        end = a[0] + ux * last + ox, a[1] + uy * last + oy
        marks = [
            SHAPES[order.index(edge.kind)][1] for edge in edges_of_line for _ in range(edge.count)
        ]
        centre = length * (0.3 if opposite else 0.5)
        gap = size.mark * 2 + 2
        room = min(gap, (min(centre - first, last - centre) * 2) / max(len(marks), 1))
        is_crowded = len(marks) > MOST_MARKS
        shown = marks[:1] if is_crowded else marks
        drawn = ""
        for number, hollow in enumerate(shown):
            centre_of_mark = centre + (number - (len(shown) - 1) / 2) * room
            x, y = a[0] + ux * centre_of_mark + ox, a[1] + uy * centre_of_mark + oy
            mark = _mark(shape, x, y, size.mark, (-px, -py))
            drawn += f'<g class="{_look(shape, hollow)}">{mark}</g>'
        if is_crowded:
            centre_of_mark = centre + size.mark * 3
            x, y = a[0] + ux * centre_of_mark + ox, a[1] + uy * centre_of_mark + oy
            drawn += (
                f'<text class="ch-counted__many" x="{x:.1f}" y="{y + 5:.1f}">{len(marks)}</text>'
            )
        parts.append(
            f'<path class="ch-counted__line is-{shape}" '
            f'd="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"/>{drawn}'
        )
        descriptions += [edge.label for edge in edges_of_line if edge.label]
    return f"<g><title>{escape('; '.join(descriptions))}</title>{''.join(parts)}</g>"


def _mark(
    shape: str, x: float, y: float, size: float, towards: tuple[float, float] = (0, -1)
) -> str:
    """A bead, or a thorn that points away from its line."""
    if shape == BEAD:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"/>'
    dx, dy = towards
    tip = x + dx * size * 1.2, y + dy * size * 1.2
    left = x - dy * size - dx * size * 0.7, y + dx * size - dy * size * 0.7
    right = x + dy * size - dx * size * 0.7, y - dx * size - dy * size * 0.7
    points = "L".join(
        f"{x_of_point:.1f} {y_of_point:.1f}" for x_of_point, y_of_point in (tip, left, right)
    )
    return f'<path d="M{points}z"/>'


def _node(
    node: Node,
    centre: tuple[float, float],
    above: bool,
    size: _Size,
    emblem: Callable[[str], Emblem | None],
    address: Callable[[Ref], str],
) -> str:
    x, y = centre
    node_emblem = emblem(node.ref.id) if node.ref is not None and node.ref.kind == "sheet" else None
    face = (
        placed(node_emblem._replace(ticks=0), x, y, size.radius, fine=size.width == WIDE)
        if node_emblem is not None
        else f'<circle class="ch-counted__nobody" cx="{x:.1f}" cy="{y:.1f}" r="{size.radius * 0.9:.1f}"/>'
    )
    name = shortened(node.label, size.letters)
    line = y - size.radius - 9 if above else y + size.radius + size.line - 7
    words = f'<text x="{x:.1f}" y="{line:.1f}">{escape(name)}</text>'
    url = address(node.ref) if node.ref is not None else ""
    if not url:
        return face + words
    return f'<a href="{escape(url)}">{face}{words}</a>'
