"""A graph whose lines are counted: everybody in a ring, between two of them a line for and one against, and
on each as many marks as there are reasons. Beads are for, thorns against, hollow is what passes: it can be
read in grey."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from chronicle.core.campaign_view import Edge, Graph, Node, Ref
from chronicle.site.emblems import Emblem, place_emblem
from chronicle.site.links import shortened
from chronicle.words import word

WIDE_WIDTH: Final = 640
NARROW_WIDTH: Final = 300
"""How wide the two drawings are, in CSS pixels."""
SHAPE_IN_FAVOUR: Final = "bead"
SHAPE_AGAINST: Final = "thorn"
MARK_SHAPES: Final = (
    (SHAPE_IN_FAVOUR, False),
    (SHAPE_AGAINST, False),
    (SHAPE_IN_FAVOUR, True),
    (SHAPE_AGAINST, True),
)
"""The marks of the kinds of lines, in the order of the key: shape, and whether it is hollow. The first line
has beads, the second has thorns."""
MAX_MARKS = 12
"""The most marks drawn on a line; a larger count is written as a number."""


class PairInWords(NamedTuple):
    """Two people in words, with the reasons for and against, as (mark, words)."""

    first_node: Node
    second_node: Node
    counts_text: str
    reasons: tuple[tuple[Markup, str], ...]


class _DrawingSize(NamedTuple):
    width: int
    emblem_radius: float
    """Of an emblem."""
    mark_radius: float
    line_distance: float
    """How far the two lines between two people are from each other."""
    max_letters: int
    letter_width: float
    """How wide one is."""
    line_height: float
    """How high a line of them is, with the room before it."""


_SIZES: Final = {
    WIDE_WIDTH: _DrawingSize(WIDE_WIDTH, 36, 7, 20, 24, 9, 26),
    NARROW_WIDTH: _DrawingSize(NARROW_WIDTH, 21, 4.5, 12, 16, 7.6, 20),
}


def pairs_in_words(graph: Graph) -> list[PairInWords]:
    """Everything that the drawing counts, pair by pair."""
    nodes_by_id = {node.id: node for node in graph.nodes}
    kinds_in_order = [edge_kind for edge_kind, _ in graph.key]
    pairs: list[PairInWords] = []
    for (first_id, second_id), edges in _edges_by_pair(graph).items():
        edges.sort(key=lambda edge: kinds_in_order.index(edge.kind))
        counts_for_and_against = [0, 0]
        for edge in edges:
            counts_for_and_against[kinds_in_order.index(edge.kind) % 2] += edge.count
        reasons = tuple(
            (sign_of_kind(kinds_in_order.index(edge.kind)), edge.label or f"{edge.count}")
            for edge in edges
        )
        pairs.append(
            PairInWords(
                nodes_by_id[first_id],
                nodes_by_id[second_id],
                word(
                    "site.for_against",
                    count_for=counts_for_and_against[0],
                    count_against=counts_for_and_against[1],
                ),
                reasons,
            )
        )
    return pairs


def sign_of_kind(kind_index: int) -> Markup:
    """The mark of a kind of line, by its place in the key, as a small picture."""
    shape, is_hollow = MARK_SHAPES[kind_index]
    mark_svg = f'<g class="{_mark_class(shape, is_hollow)}">{_draw_mark(shape, 0, 0, 7)}</g>'
    return Markup(
        f'<svg class="ch-counted__sign" viewBox="-9 -9 18 18" aria-hidden="true">{mark_svg}</svg>'
    )


def _mark_class(shape: str, is_hollow: bool) -> str:
    return f"ch-counted__{shape}{' is-hollow' if is_hollow else ''}"


def draw_counted_graph(
    graph: Graph,
    width: int,
    find_emblem: Callable[[str], Emblem | None],
    find_address: Callable[[Ref], str],
) -> Markup:
    """The drawing, in one of the two widths."""
    drawing_size = _SIZES[width]
    position_by_node, middle_y, height = _node_positions(graph, drawing_size)
    svg_parts = [
        _draw_lines(
            edges,
            graph,
            position_by_node[first_id],
            position_by_node[second_id],
            _crosses_middle(graph, first_id, second_id),
            drawing_size,
        )
        for (first_id, second_id), edges in _edges_by_pair(graph).items()
    ]
    for node in graph.nodes:
        centre = position_by_node[node.id]
        svg_parts.append(
            _draw_node(
                node, centre, centre[1] < middle_y - 1, drawing_size, find_emblem, find_address
            )
        )
    description = "; ".join(
        word(
            "site.pair_said",
            one=pair.first_node.label,
            other=pair.second_node.label,
            said=pair.counts_text,
        )
        for pair in pairs_in_words(graph)
    )
    return Markup(
        f'<svg class="ch-counted" role="group" viewBox="0 0 {width} {height:.0f}" '
        f'width="{width}" height="{height:.0f}">'
        f"<title>{escape(graph.title)}</title><desc>{escape(description)}</desc>{''.join(svg_parts)}</svg>"
    )


def _edges_by_pair(graph: Graph) -> dict[tuple[str, str], list[Edge]]:
    node_ids = {node.id for node in graph.nodes}
    edges_by_pair: dict[tuple[str, str], list[Edge]] = {}
    for edge in graph.edges:
        if {edge.start, edge.end} <= node_ids:
            edges_by_pair.setdefault((edge.start, edge.end), []).append(edge)
    return edges_by_pair


def _node_positions(
    graph: Graph, drawing_size: _DrawingSize
) -> tuple[Mapping[str, tuple[float, float]], float, float]:
    """Everybody on an ellipse, with four at the corners; its centre, and its height. Names are on the outer
    side, where there are no lines."""
    node_count = len(graph.nodes)
    max_name_letters = max(
        (min(len(node.label), drawing_size.max_letters) for node in graph.nodes), default=0
    )
    radius_x = (
        drawing_size.width / 2
        - max(drawing_size.emblem_radius, max_name_letters * drawing_size.letter_width / 2)
        - 4
    )
    radius_y = radius_x * (0.86 if node_count > 2 else 0.12)
    start_angle = -math.pi * (3 / 4 if node_count == 4 else 1 / 2 if node_count != 2 else 1)
    stretch = math.sqrt(2) * 0.96 if node_count == 4 else 1
    node_points = []
    for node_index in range(node_count):
        angle = start_angle + math.tau * node_index / max(node_count, 1)
        node_points.append(
            (math.cos(angle) * radius_x * stretch, math.sin(angle) * radius_y * stretch)
        )
    widest_x = max((abs(x) for x, _ in node_points), default=1)
    scale = min(1, radius_x / widest_x) if widest_x else 1
    top = min((y * scale for _, y in node_points), default=0)
    bottom = max((y * scale for _, y in node_points), default=0)
    middle_y = drawing_size.emblem_radius + (drawing_size.line_height if top < -1 else 2) + 4 - top
    height = middle_y + bottom + drawing_size.emblem_radius + drawing_size.line_height + 4
    return (
        {
            node.id: (drawing_size.width / 2 + x * scale, middle_y + y * scale)
            for node, (x, y) in zip(graph.nodes, node_points, strict=True)
        },
        middle_y,
        height,
    )


def _crosses_middle(graph: Graph, first_id: str, second_id: str) -> bool:
    """Whether the line between two goes through the middle, where others do as well."""
    node_ids = [node.id for node in graph.nodes]
    return (
        len(node_ids) % 2 == 0
        and abs(node_ids.index(first_id) - node_ids.index(second_id)) * 2 == len(node_ids) > 2
    )


def _draw_lines(
    edges: list[Edge],
    graph: Graph,
    first_centre: tuple[float, float],
    second_centre: tuple[float, float],
    crosses_middle: bool,
    drawing_size: _DrawingSize,
) -> str:
    kinds_in_order = [kind for kind, _ in graph.key]
    length = math.dist(first_centre, second_centre) or 1
    unit_x, unit_y = (
        (second_centre[0] - first_centre[0]) / length,
        (second_centre[1] - first_centre[1]) / length,
    )
    # The line of reasons for is towards the middle of the ring, the line of reasons against outside.
    normal_x, normal_y = -unit_y, unit_x
    start_distance, end_distance = (
        drawing_size.emblem_radius + 7,
        length - drawing_size.emblem_radius - 7,
    )
    svg_parts: list[str] = []
    descriptions: list[str] = []
    for line_index, shape in enumerate((SHAPE_IN_FAVOUR, SHAPE_AGAINST)):
        edges_of_line = [
            edge for edge in edges if kinds_in_order.index(edge.kind) % 2 == line_index
        ]
        if not edges_of_line:
            continue
        offset = drawing_size.line_distance / 2 * (1 if line_index == 0 else -1)
        offset_x, offset_y = normal_x * offset, normal_y * offset
        line_start_point = (
            first_centre[0] + unit_x * start_distance + offset_x,
            first_centre[1] + unit_y * start_distance + offset_y,
        )
        line_end_point = (
            first_centre[0] + unit_x * end_distance + offset_x,
            first_centre[1] + unit_y * end_distance + offset_y,
        )
        are_hollow_marks = [
            MARK_SHAPES[kinds_in_order.index(edge.kind)][1]
            for edge in edges_of_line
            for _ in range(edge.count)
        ]
        distance_to_middle = length * (0.3 if crosses_middle else 0.5)
        natural_distance = drawing_size.mark_radius * 2 + 2
        mark_distance = min(
            natural_distance,
            (min(distance_to_middle - start_distance, end_distance - distance_to_middle) * 2)
            / max(len(are_hollow_marks), 1),
        )
        is_crowded = len(are_hollow_marks) > MAX_MARKS
        shown_are_hollow = are_hollow_marks[:1] if is_crowded else are_hollow_marks
        drawn_marks = ""
        for mark_index, is_hollow in enumerate(shown_are_hollow):
            distance_to_mark = (
                distance_to_middle + (mark_index - (len(shown_are_hollow) - 1) / 2) * mark_distance
            )
            x = first_centre[0] + unit_x * distance_to_mark + offset_x
            y = first_centre[1] + unit_y * distance_to_mark + offset_y
            mark_svg = _draw_mark(shape, x, y, drawing_size.mark_radius, (-normal_x, -normal_y))
            drawn_marks += f'<g class="{_mark_class(shape, is_hollow)}">{mark_svg}</g>'
        if is_crowded:
            distance_to_mark = distance_to_middle + drawing_size.mark_radius * 3
            x = first_centre[0] + unit_x * distance_to_mark + offset_x
            y = first_centre[1] + unit_y * distance_to_mark + offset_y
            drawn_marks += f'<text class="ch-counted__many" x="{x:.1f}" y="{y + 5:.1f}">{len(are_hollow_marks)}</text>'
        svg_parts.append(
            f'<path class="ch-counted__line is-{shape}" '
            f'd="M{line_start_point[0]:.1f} {line_start_point[1]:.1f}'
            f'L{line_end_point[0]:.1f} {line_end_point[1]:.1f}"/>{drawn_marks}'
        )
        descriptions += [edge.label for edge in edges_of_line if edge.label]
    return f"<g><title>{escape('; '.join(descriptions))}</title>{''.join(svg_parts)}</g>"


def _draw_mark(
    shape: str, x: float, y: float, radius: float, direction: tuple[float, float] = (0, -1)
) -> str:
    """A bead, or a thorn that points away from its line."""
    if shape == SHAPE_IN_FAVOUR:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
    dx, dy = direction
    tip_point = x + dx * radius * 1.2, y + dy * radius * 1.2
    left_point = x - dy * radius - dx * radius * 0.7, y + dx * radius - dy * radius * 0.7
    right_point = x + dy * radius - dx * radius * 0.7, y - dx * radius - dy * radius * 0.7
    triangle_points = "L".join(
        f"{x_of_point:.1f} {y_of_point:.1f}"
        for x_of_point, y_of_point in (tip_point, left_point, right_point)
    )
    return f'<path d="M{triangle_points}z"/>'


def _draw_node(
    node: Node,
    centre: tuple[float, float],
    is_above: bool,
    drawing_size: _DrawingSize,
    find_emblem: Callable[[str], Emblem | None],
    find_address: Callable[[Ref], str],
) -> str:
    x, y = centre
    node_emblem = (
        find_emblem(node.ref.id) if node.ref is not None and node.ref.kind == "sheet" else None
    )
    emblem_svg = (
        place_emblem(
            node_emblem._replace(tick_count=0),
            x,
            y,
            drawing_size.emblem_radius,
            has_fine_lines=drawing_size.width == WIDE_WIDTH,
        )
        if node_emblem is not None
        else f'<circle class="ch-counted__nobody" cx="{x:.1f}" cy="{y:.1f}" '
        f'r="{drawing_size.emblem_radius * 0.9:.1f}"/>'
    )
    shown_name = shortened(node.label, drawing_size.max_letters)
    text_y = (
        y - drawing_size.emblem_radius - 9
        if is_above
        else y + drawing_size.emblem_radius + drawing_size.line_height - 7
    )
    name_svg = f'<text x="{x:.1f}" y="{text_y:.1f}">{escape(shown_name)}</text>'
    url = find_address(node.ref) if node.ref is not None else ""
    if not url:
        return emblem_svg + name_svg
    return f'<a href="{escape(url)}">{emblem_svg}{name_svg}</a>'
