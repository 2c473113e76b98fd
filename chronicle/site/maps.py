"""The map of connections: Graphviz places the people and routes the lines, this module draws them.

On a narrow screen the same connections are arcs beside a list. People, kinds of people and objects appear
as their emblems. People who mostly appear in the same place share a coloured ground. Each kind of line
has its own dash, colour and end.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import wrap
from typing import Any, Final, NamedTuple

import graphviz
from markupsafe import Markup, escape

from chronicle.core.campaign_view import Ref
from chronicle.site.bonds import DICE_BOND, SCENES_BOND, TOGETHER_BOND, Bond
from chronicle.site.emblems import Emblem, place_emblem
from chronicle.site.graphs import GraphDrawer
from chronicle.site.links import shortened, slugify
from chronicle.words import word

SCREEN_WIDTH: Final = 1080
"""Width of the map on a screen, in CSS pixels."""
BOOK_PAGE_WIDTH: Final = 840
"""Width of the map on a page of a book."""
MAX_ASPECT: Final = 1.3
"""Height of the map as a share of its width; a taller layout counts as if it were shown smaller."""
MAX_SHRINK: Final = 1.4
"""A wider layout is shown smaller, but not by more than this: then a screen scrolls it, and a book goes without."""
LAYOUT_OPTIONS: Final = ("-Kdot", "-Tjson0")
"""Graphviz's layered layout, which keeps lines off all nodes, and its answer as JSON."""
MAX_PEOPLE_WITH_SPACE: Final = 9
"""Up to this number of emblems, Graphviz leaves twice the space between them."""
MAP_MARGIN: Final = 26
NAME_LETTER_WIDTH: Final = 8.4
"""Average width of a letter of a name."""
LABEL_LETTER_WIDTH: Final = 7.4
"""Average width of a letter of the words at a line."""
PLACE_LETTER_WIDTH: Final = 12.6
"""Average width of a letter of a place, with the space after it."""
LETTERS_PER_LABEL_LINE: Final = 26
"""The letters of a line of a label; longer words at a line take several."""
LABEL_LINE_HEIGHT: Final = 18
"""Height of a further line of a label."""
MAX_LABEL_LETTERS: Final = 104
MAX_DETOUR: Final = 2.0
"""Grounds are left out where they make the lines longer than this many times."""
GROUND_CLASS: Final = "ch-map__ground"
EMBLEM_GAP: Final = 6
"""The space between the end of a line and an emblem."""
MAX_LABELS: Final = 36
"""A map with more labelled lines shows the labels in the lists only."""
ROW_HEIGHT: Final = 46
"""Height of a row of the narrow drawing."""
AXIS_X: Final = 120
"""Where the arcs of the narrow drawing end."""
ARC_DEPTH: Final = 105
"""How much further the longest arc is drawn out than the shortest could be."""
ARC_GAP: Final = 16
"""How much further out an arc is drawn than the one before it between the same two people."""
ARC_END_GAP: Final = 14
"""The space between the ends of arcs at the same person, if there is room."""
ARC_ENDS_HEIGHT: Final = 34
"""How high the ends of all arcs of a person are together at most."""
MARKER_HEIGHT: Final = 10
"""How high the highest end of a line is."""
MAX_ARC_PEOPLE: Final = 34
MARKER_OF_KIND: Final[Mapping[str, str]] = {"owns": "diamond", "member": "square", "knows": "dot"}
"""The ends of kinds of lines. Other directed lines end with an arrow."""
MARKER_PATHS: Final[Mapping[str, str]] = {
    "arrow": "M-11-4.5 0 0-11 4.5-8 0z",
    "diamond": "M-5 0 0-5 5 0 0 5z",
    "square": "M-5-5H5V5H-5z",
    "dot": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
}


class MapPerson(NamedTuple):
    """A person, a kind of people or an object on the map."""

    ref: Ref
    note: str
    emblem: Emblem
    place_name: str = ""
    """The place where they appear most; empty if no other person on the map appears most there."""
    is_large: bool = False

    @property
    def radius(self) -> float:
        """Radius of the emblem."""
        return 35 if self.is_large else 27

    @property
    def box_size(self) -> tuple[float, float]:
        """Width and height of the emblem with the words below it."""
        words_width = max(len(self.name) * NAME_LETTER_WIDTH, len(self.note) * 7)
        return max(words_width, 2 * self.radius) + 10, 2 * self.radius + (46 if self.note else 28)

    @property
    def name(self) -> str:
        """The name as the map shows it."""
        return shortened(self.ref.label, 24)


class Point(NamedTuple):
    """A place on the map, in pixels from its upper left corner."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle on the map."""

    left: float
    top: float
    right: float
    bottom: float


Spline = tuple[Point, ...]
"""Control points of joined cubic Bézier curves: the start, then three for each curve."""


class Layout(NamedTuple):
    """Where Graphviz puts everything."""

    width: float
    height: float
    person_centres: dict[str, Point]
    """The centres of the boxes of people and objects, by the ids of their sheets."""
    line_splines: list[list[Spline]]
    """Every line in one piece, or in two with its label between them."""
    label_centres: dict[int, Point]
    """Middles of the labels, by the numbers of their lines."""
    place_boxes: dict[str, Box]
    """The grounds, by their places."""
    place_name_centres: dict[str, Point]
    """Middles of the names of the places."""

    def shrink_factor(self, width: float) -> float:
        """By how much the layout must be shown smaller to fit a ``width``; 1 if it fits."""
        return max(1, self.width / width, self.height / (width * MAX_ASPECT))

    def total_line_length(self, width: float) -> float:
        """Length of all lines; larger if the layout must be shown smaller to fit a ``width``."""
        splines = [spline for splines_of_line in self.line_splines for spline in splines_of_line]
        return self.shrink_factor(width) ** 2 * sum(
            math.dist(*ends) for spline in splines for ends in pairwise(spline)
        )


def draw_map(
    graph_drawer: GraphDrawer,
    title: str,
    people: Sequence[MapPerson],
    bonds: Sequence[Bond],
    find_address: Callable[[Ref], str],
    width: int = SCREEN_WIDTH,
) -> Markup | None:
    """Draw the map as SVG. Return None where Graphviz makes no layout, or none that can be read on a page."""
    line_bonds = drawn_bonds(bonds)
    label_by_bond_index = _labels_of_lines(line_bonds)
    if width == BOOK_PAGE_WIDTH:
        # A page has no room for sentences; the list below the map has them.
        label_by_bond_index = {
            bond_index: label_text
            for bond_index, label_text in label_by_bond_index.items()
            if line_bonds[bond_index].kind == DICE_BOND
        }
    layout = choose_layout(graph_drawer, title, people, line_bonds, label_by_bond_index, width)
    if layout is None or (width == BOOK_PAGE_WIDTH and layout.shrink_factor(width) > MAX_SHRINK):
        return None
    lower_lines_svg: list[str] = []
    upper_lines_svg: list[str] = []
    person_and_centre_by_id = {
        person.ref.id: (person, layout.person_centres[person.ref.id]) for person in people
    }
    for bond_index, bond in enumerate(line_bonds):
        label_centre = layout.label_centres.get(bond_index)
        first_spline, *_ = splines = [*layout.line_splines[bond_index]]
        # Graphviz ends a line at the box of a name; it goes on to the emblem.
        splines[0] = extend_to_emblem(
            first_spline[::-1], *person_and_centre_by_id[bond.first_ref.id]
        )[::-1]
        splines[-1] = extend_to_emblem(splines[-1], *person_and_centre_by_id[bond.second_ref.id])
        line_svg = _draw_line(bond, splines, label_centre, label_by_bond_index.get(bond_index, ""))
        (lower_lines_svg if bond.kind == SCENES_BOND else upper_lines_svg).append(line_svg)
    place_boxes_svg = "".join(_draw_place_box(box) for box in layout.place_boxes.values())
    place_names_svg = "".join(_draw_place_name(place, layout) for place in layout.place_boxes)
    emblems_svg = "".join(
        _draw_person(person, layout.person_centres[person.ref.id], find_address(person.ref))
        for person in people
    )
    svg_width, height = (math.ceil(side) + 2 * MAP_MARGIN for side in (layout.width, layout.height))
    description = word("site.map_alt", people=len(people), lines=len(line_bonds))
    width_class = " is-wide" if layout.width > width * MAX_SHRINK else ""
    return Markup(
        f'<svg class="ch-map{width_class}" role="group" viewBox="{-MAP_MARGIN} {-MAP_MARGIN} {svg_width} {height}" '
        f'width="{svg_width}" height="{height}"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{place_boxes_svg}{''.join(lower_lines_svg)}{''.join(upper_lines_svg)}{place_names_svg}{emblems_svg}</svg>"
    )


def drawn_bonds(bonds: Sequence[Bond]) -> list[Bond]:
    """The bonds that are drawn: shared scenes only between two who have no other bond."""
    tied_pairs = {
        frozenset((bond.first_ref.id, bond.second_ref.id))
        for bond in bonds
        if bond.kind != SCENES_BOND
    }
    return [
        bond
        for bond in bonds
        if bond.kind != SCENES_BOND
        or frozenset((bond.first_ref.id, bond.second_ref.id)) not in tied_pairs
    ]


def _labels_of_lines(line_bonds: Sequence[Bond]) -> dict[int, str]:
    """The words of lines, by their numbers: none that the key says of the whole kind, and none at all where
    there would be too many."""
    label_counts = Counter((bond.kind, bond.line_label) for bond in line_bonds)
    label_by_bond_index = {
        bond_index: shortened(bond.line_label, MAX_LABEL_LETTERS)
        for bond_index, bond in enumerate(line_bonds)
        if bond.line_label
        and (
            bond.kind in (DICE_BOND, TOGETHER_BOND) or label_counts[bond.kind, bond.line_label] == 1
        )
    }
    return label_by_bond_index if len(label_by_bond_index) <= MAX_LABELS else {}


def label_lines(text: str) -> list[str]:
    """The words at a line, in lines of about the same length."""
    line_count = -(-len(text) // LETTERS_PER_LABEL_LINE)
    return wrap(text, max(LETTERS_PER_LABEL_LINE, -(-len(text) // line_count) + 4)) if text else []


# -- the layout ------------------------------------------------------------------------------------


def choose_layout(
    graph_drawer: GraphDrawer,
    title: str,
    people: Sequence[MapPerson],
    line_bonds: Sequence[Bond],
    label_by_bond_index: Mapping[int, str],
    width: int = SCREEN_WIDTH,
) -> Layout | None:
    """Ask Graphviz for layouts from left to right and from top to bottom. Choose the layout with the shortest
    lines among those that are readable at a ``width``; None if Graphviz makes none. Where many lines run between
    places, these have no grounds: the lines would go round them."""
    best_layouts: list[Layout] = []
    for placed_people in (people, [person._replace(place_name="") for person in people]):
        layouts = []
        for dot_source in dict.fromkeys(
            _dot_sources(placed_people, line_bonds, label_by_bond_index)
        ):
            layout_json = graph_drawer.run_layout(title, dot_source, *LAYOUT_OPTIONS)
            layout = (
                None
                if layout_json is None
                else _read_layout(layout_json, placed_people, line_bonds)
            )
            if layout is None:
                return None
            layouts.append(layout)
        best_layouts.append(
            min(
                layouts,
                key=lambda layout: (
                    layout.shrink_factor(width) > MAX_SHRINK,
                    layout.total_line_length(width),
                ),
            )
        )
    layout_with_places, layout_without_places = best_layouts
    max_total_line_length = MAX_DETOUR * layout_without_places.total_line_length(width)
    return (
        layout_with_places
        if layout_with_places.total_line_length(width) <= max_total_line_length
        else layout_without_places
    )


def _dot_sources(
    people: Sequence[MapPerson], line_bonds: Sequence[Bond], label_by_bond_index: Mapping[int, str]
) -> Iterator[str]:
    """The graph in DOT, once for every way to lay it out.

    A label is a node between two edges, so that no line crosses it. Names of players never reach Graphviz:
    ``p`` is a person, ``l`` a label, ``c`` a cluster, each with its number.
    """
    dot = graphviz.Digraph()
    node_distance = "0.7" if len(people) <= MAX_PEOPLE_WITH_SPACE else "0.35"
    dot.attr("graph", nodesep=node_distance, ranksep=node_distance)
    dot.attr("node", shape="box", fixedsize="true", label="")
    dot.attr("edge", dir="none")
    person_index_by_id = {person.ref.id: person_index for person_index, person in enumerate(people)}
    place_by_person = {person.ref.id: person.place_name for person in people}
    boxes_and_places = {
        f"p{person_index}": ((person.box_size[0] + 12, person.box_size[1] + 12), person.place_name)
        for person_index, person in enumerate(people)
    }
    for bond_index, bond in enumerate(line_bonds):
        label_text, (start_id, end_id) = (
            label_by_bond_index.get(bond_index, ""),
            (bond.first_ref.id, bond.second_ref.id),
        )
        tail_node, head_node, label_node = (
            f"p{person_index_by_id[start_id]}",
            f"p{person_index_by_id[end_id]}",
            f"l{bond_index}",
        )
        if not label_text and bond.kind != DICE_BOND:
            dot.edge(tail_node, head_node, id=f"{bond_index}")
            continue
        boxes_and_places[label_node] = (
            label_size(label_text, bond.kind),
            place_by_person[start_id]
            if place_by_person[start_id] == place_by_person[end_id]
            else "",
        )
        dot.edge(tail_node, label_node, id=f"{bond_index}")
        dot.edge(label_node, head_node, id=f"{bond_index}")
    for place_index, place in enumerate(_places(people)):
        with dot.subgraph(name=f"cluster_{place_index}" if place else None) as cluster:
            if place:
                placeholder_name = "n" * len(_place_text(place))
                font_attributes = {
                    "fontname": "Courier",
                    "fontsize": f"{PLACE_LETTER_WIDTH / 0.6:.0f}",
                }
                cluster.attr(label=placeholder_name, margin="14", **font_attributes)
            for node_name, ((width, height), node_place) in boxes_and_places.items():
                if node_place == place:
                    cluster.node(node_name, width=f"{width / 72:.3f}", height=f"{height / 72:.3f}")
    for direction in ("LR", "TB"):
        for new_rank in ("true", "false"):
            dot.graph_attr |= {"rankdir": direction, "newrank": new_rank}
            yield str(dot.source)


def label_size(label_text: str, bond_kind: str) -> tuple[float, float]:
    """Width and height of the words at a line of a kind, with its die."""
    text_lines = label_lines(label_text)
    width = max((len(text_line) for text_line in text_lines), default=0) * LABEL_LETTER_WIDTH + 10
    height = (42 if label_text and bond_kind == DICE_BOND else 24) + LABEL_LINE_HEIGHT * max(
        len(text_lines) - 1, 0
    )
    return max(width, 26), height


def _places(people: Sequence[MapPerson]) -> list[str]:
    """The places of people, and the empty one for those without."""
    return list(dict.fromkeys(["", *(person.place_name for person in people)]))


def _read_layout(
    layout_json: str, people: Sequence[MapPerson], line_bonds: Sequence[Bond]
) -> Layout | None:
    """Read what Graphviz answered. None where it is no layout of this graph."""
    try:
        layout_data: dict[str, Any] = json.loads(layout_json)
    except ValueError:
        return None
    _, _, width, height = map(float, layout_data["bb"].split(","))

    def read_point(coordinates: str) -> Point:
        x, y = coordinates.split(",")
        return Point(float(x), height - float(y))

    node_by_name = {node["name"]: node for node in layout_data["objects"]}
    splines: list[list[Spline]] = [[] for _ in line_bonds]
    # The edge that ends at a label comes before the edge that starts there.
    for edge in sorted(
        layout_data["edges"],
        key=lambda edge: layout_data["objects"][edge["tail"]]["name"][0] == "l",
    ):
        splines[int(edge["id"])].append(tuple(map(read_point, edge["pos"].split())))
    place_boxes: dict[str, Box] = {}
    place_name_centres: dict[str, Point] = {}
    for place_index, place in enumerate(_places(people)):
        if place:
            cluster_node = node_by_name[f"cluster_{place_index}"]
            left, bottom, right, top = map(float, cluster_node["bb"].split(","))
            place_boxes[place] = Box(left, height - top, right, height - bottom)
            place_name_centres[place] = read_point(cluster_node["lp"])
    return Layout(
        width,
        height,
        {
            person.ref.id: read_point(node_by_name[f"p{person_index}"]["pos"])
            for person_index, person in enumerate(people)
        },
        splines,
        {
            bond_index: read_point(node_by_name[f"l{bond_index}"]["pos"])
            for bond_index in range(len(line_bonds))
            if f"l{bond_index}" in node_by_name
        },
        place_boxes,
        place_name_centres,
    )


def emblem_centre(person: MapPerson, middle: Point) -> Point:
    """The middle of an emblem, from the middle of its box with the words below it."""
    return Point(middle.x, middle.y - person.box_size[1] / 2 + person.radius)


def extend_to_emblem(spline: Spline, person: MapPerson, middle: Point) -> Spline:
    """A line that ends beside or above an emblem, carried on straight to it; any other line as it is."""
    centre, last_control_point, end_point = emblem_centre(person, middle), spline[-2], spline[-1]
    length = math.dist(last_control_point, end_point) or 1
    unit_x, unit_y = (
        (end_point.x - last_control_point.x) / length,
        (end_point.y - last_control_point.y) / length,
    )
    # How far on it meets a circle round the emblem.
    towards_centre = (centre.x - end_point.x) * unit_x + (centre.y - end_point.y) * unit_y
    miss_squared = math.dist(end_point, centre) ** 2 - towards_centre**2
    chord_squared = (person.radius + EMBLEM_GAP) ** 2 - miss_squared
    if chord_squared < 0 or (distance := towards_centre - math.sqrt(chord_squared)) < 2:
        return spline
    new_end = Point(end_point.x + unit_x * distance, end_point.y + unit_y * distance)
    # Below the emblem is the name.
    if max(end_point.y, new_end.y) > centre.y + person.radius:
        return spline
    control_points = (
        Point(end_point.x + unit_x * distance * share, end_point.y + unit_y * distance * share)
        for share in (1 / 3, 2 / 3)
    )
    return (*spline, *control_points, new_end)


# -- the drawing -----------------------------------------------------------------------------------


def _draw_place_box(box: Box) -> str:
    left, top, right, bottom = box
    return (
        f'<rect class="{GROUND_CLASS}" x="{left:.0f}" y="{top:.0f}" width="{right - left:.0f}" '
        f'height="{bottom - top:.0f}" rx="28"/>'
    )


def _place_text(place: str) -> str:
    return shortened(place, 34)


def _draw_place_name(place: str, layout: Layout) -> str:
    """The name of a place at the upper rim of its ground: in the middle, left or right, where the fewest lines
    run."""
    shown_name, box, middle = (
        _place_text(place),
        layout.place_boxes[place],
        layout.place_name_centres[place],
    )
    half_width = len(shown_name) * PLACE_LETTER_WIDTH / 2
    points = [
        point
        for splines_of_line in layout.line_splines
        for spline in splines_of_line
        for point in _points_along(spline)
    ]

    def count_line_points(x: float) -> int:
        return sum(
            abs(point.x - x) < half_width and abs(point.y - middle.y) < 12 for point in points
        )

    x = min(
        (middle.x, box.left + half_width + 18, box.right - half_width - 18), key=count_line_points
    )
    return f'<text class="ch-map__place" x="{x:.0f}" y="{middle.y + 5:.0f}">{escape(shown_name)}</text>'


def _points_along(spline: Spline) -> Iterator[Point]:
    """Points on a line, close enough to each other that no letter fits in between."""
    for start_index in range(0, len(spline) - 1, 3):
        curve = spline[start_index : start_index + 4]
        sample_count = max(2, round(sum(math.dist(*ends) for ends in pairwise(curve)) / 8))
        for sample_index in range(sample_count + 1):
            share_of_curve = sample_index / sample_count
            bernstein_weights = (
                (1 - share_of_curve) ** 3,
                3 * share_of_curve * (1 - share_of_curve) ** 2,
                3 * share_of_curve * share_of_curve * (1 - share_of_curve),
                share_of_curve**3,
            )
            yield Point(
                *(
                    sum(
                        bernstein_weight * point[axis]
                        for bernstein_weight, point in zip(bernstein_weights, curve, strict=True)
                    )
                    for axis in (0, 1)
                )
            )


def _draw_line(
    bond: Bond, splines: Sequence[Spline], label_centre: Point | None, label_text: str
) -> str:
    """A line with its ends and its label."""
    svg_parts = [_draw_stroke(bond, _spline_path(spline)) for spline in splines]
    if marker_name := _marker_of(bond):
        point_pairs = [splines[-1][-2:]] + ([splines[0][1::-1]] if bond.reverse_description else [])
        for previous_point, end_point in point_pairs:
            angle = math.degrees(
                math.atan2(end_point.y - previous_point.y, end_point.x - previous_point.x)
            )
            transform = f"translate({end_point.x:.1f} {end_point.y:.1f}) rotate({angle:.0f})"
            svg_parts.append(
                f'<path class="s" d="{MARKER_PATHS[marker_name]}" transform="{transform}"/>'
            )
    if label_centre is not None:
        if bond.kind == DICE_BOND:
            svg_parts.append(
                _draw_die(Point(label_centre.x, label_centre.y + (10 if label_text else 0)))
            )
        text_lines = label_lines(label_text)
        first_y = label_centre.y + (-5 if bond.kind == DICE_BOND else 5)
        first_y -= LABEL_LINE_HEIGHT * (len(text_lines) - 1) / 2
        for line_index, text_line in enumerate(text_lines):
            y = first_y + LABEL_LINE_HEIGHT * line_index
            svg_parts.append(
                f'<text x="{label_centre.x:.1f}" y="{y:.1f}">{escape(text_line)}</text>'
            )
    tooltip = f"{bond.first_ref.label} – {bond.second_ref.label}: {bond.description}"
    return (
        f'<g class="{line_classes(bond)}"><title>{escape(tooltip)}</title>{"".join(svg_parts)}</g>'
    )


def _spline_path(spline: Spline) -> str:
    start_text, *further_point_texts = (f"{point.x:.1f} {point.y:.1f}" for point in spline)
    return f"M{start_text}C{' '.join(further_point_texts)}"


def _draw_stroke(bond: Bond, path_data: str) -> str:
    """Draw the line itself: double where each of the two says something of the other."""
    if bond.reverse_description and not bond.is_directed:
        return f'<path class="d" d="{path_data}"/><path class="i" d="{path_data}"/>'
    width_attribute = (
        f' stroke-width="{2 + 1.2 * min(bond.occurrence_count, 5):.3g}"'
        if bond.kind == SCENES_BOND
        else ""
    )
    return f'<path d="{path_data}"{width_attribute}/>'


def _marker_of(bond: Bond) -> str:
    return MARKER_OF_KIND.get(bond.kind, "arrow" if bond.is_directed else "")


def _draw_die(centre: Point) -> str:
    x, y = centre.x - 8, centre.y - 8
    pips = "".join(
        f'<circle class="f" cx="{x + offset:.1f}" cy="{y + offset:.1f}" r="1.7"/>'
        for offset in (4.5, 8, 11.5)
    )
    return f'<rect class="b" x="{x:.1f}" y="{y:.1f}" width="16" height="16" rx="3.5"/>{pips}'


def draw_key_line(bond_kind: str, css_class: str) -> Markup:
    """Draw a line of a kind, with its end, for the key of the map."""
    marker_svg = (
        f'<path class="s" d="{MARKER_PATHS[MARKER_OF_KIND[bond_kind]]}" transform="translate(38 6)"/>'
        if bond_kind in MARKER_OF_KIND
        else ""
    )
    die_svg = _draw_die(Point(22, 6)) if bond_kind == DICE_BOND else ""
    width_attribute = ' stroke-width="5"' if bond_kind == SCENES_BOND else ""
    return Markup(
        f'<svg class="ch-sample" viewBox="0 -4 44 20" aria-hidden="true"><g class="ch-bond k-{css_class}">'
        f'<path d="M2 6h36"{width_attribute}/>{marker_svg}{die_svg}</g></svg>'
    )


def line_classes(bond: Bond) -> str:
    """The classes that give a line its dash and its colour."""
    return f"ch-bond k-{slugify(bond.kind) or 'plain'}{' is-over' if bond.is_over else ''}"


def _draw_person(person: MapPerson, middle: Point, url: str) -> str:
    centre, radius = emblem_centre(person, middle), person.radius
    emblem_svg = place_emblem(person.emblem, *centre, radius, has_fine_lines=person.is_large)
    y = centre.y + radius + 18
    name_svg = (
        f'<text class="ch-map__name" x="{centre.x:.1f}" y="{y:.1f}">{escape(person.name)}</text>'
    )
    note_svg = (
        f'<text class="ch-map__note" x="{centre.x:.1f}" y="{y + 18:.1f}">{escape(person.note)}</text>'
        if person.note
        else ""
    )
    person_svg = f"{emblem_svg}{name_svg}{note_svg}"
    return f'<a href="{escape(url)}">{person_svg}</a>' if url else person_svg


# -- the narrow drawing ----------------------------------------------------------------------------


def arrange_in_line(ids: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Put connected ids close together: a minimum linear arrangement by local search (Petit, 2003). Every id in
    turn moves to the place that makes all arcs together shortest, until no move helps."""
    arranged_order = list(ids)

    def arcs_length(arranged_ids: Sequence[str]) -> int:
        position_by_id = {sheet_id: position for position, sheet_id in enumerate(arranged_ids)}
        return sum(
            abs(position_by_id[first_id] - position_by_id[last_id]) for first_id, last_id in pairs
        )

    shortest_length, has_improved = arcs_length(arranged_order), True
    while has_improved:
        has_improved = False
        for sheet_id in ids:
            other_ids = [other_id for other_id in arranged_order if other_id != sheet_id]
            for position in range(len(ids)):
                new_order = [*other_ids[:position], sheet_id, *other_ids[position:]]
                if (new_length := arcs_length(new_order)) < shortest_length:
                    arranged_order, shortest_length, has_improved = new_order, new_length, True
    return arranged_order


def _arc_ends(row_pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], tuple[float, float]]:
    """How far from the middle of a row each arc ends there, and how far from the next end, by the arc's number and the
    row. No two end at the same place; arcs that lie one in the other do not cross: those from above end first, the
    shortest of them on top."""
    ends_by_row: dict[int, list[tuple[int, int]]] = {}
    for arc_number, row_pair in enumerate(row_pairs):
        for row, other_row in (row_pair, row_pair[::-1]):
            ends_by_row.setdefault(row, []).append((arc_number, other_row))
    offsets_and_gaps = {}
    for row, arc_ends in ends_by_row.items():
        arc_ends.sort(
            key=lambda arc_end: (
                arc_end[1] > row,
                -arc_end[1],
                arc_end[0] if arc_end[1] < row else -arc_end[0],
            )
        )
        gap = min(ARC_END_GAP, ARC_ENDS_HEIGHT / max(len(arc_ends) - 1, 1))
        for end_position, (arc_number, _) in enumerate(arc_ends):
            offset = gap * (end_position - (len(arc_ends) - 1) / 2)
            offsets_and_gaps[arc_number, row] = offset, gap
    return offsets_and_gaps


def draw_arcs(
    people: Sequence[MapPerson], bonds: Sequence[Bond], anchor_by_id: Mapping[str, str]
) -> Markup:
    """Draw an arc for every line beside a list of names. ``anchor_by_id`` are the lists of people's lines on the page,
    by the ids of their sheets."""
    shown_people = people[:MAX_ARC_PEOPLE]
    sheet_ids = [person.ref.id for person in shown_people]
    line_bonds = [
        bond
        for bond in drawn_bonds(bonds)
        if bond.kind != SCENES_BOND
        and bond.first_ref.id in sheet_ids
        and bond.second_ref.id in sheet_ids
    ]
    people_order = arrange_in_line(
        sheet_ids, [(bond.first_ref.id, bond.second_ref.id) for bond in line_bonds]
    )
    row_by_id = {sheet_id: row_number for row_number, sheet_id in enumerate(people_order)}
    longest_span = max(
        (abs(row_by_id[bond.first_ref.id] - row_by_id[bond.second_ref.id]) for bond in line_bonds),
        default=1,
    )
    id_pairs = [frozenset((bond.first_ref.id, bond.second_ref.id)) for bond in line_bonds]
    count_by_pair = Counter(id_pairs)
    arc_depth = ARC_DEPTH - ARC_GAP * (max(count_by_pair.values(), default=1) - 1)
    arc_ends = _arc_ends(
        [(row_by_id[bond.first_ref.id], row_by_id[bond.second_ref.id]) for bond in line_bonds]
    )
    svg_parts: list[str] = []
    for bond_index, (bond, id_pair) in enumerate(zip(line_bonds, id_pairs, strict=True)):
        first_row, last_row = row_by_id[bond.first_ref.id], row_by_id[bond.second_ref.id]
        # Several arcs between two people lie one in the other.
        arcs_within = id_pairs[:bond_index].count(id_pair)
        first_y = ROW_HEIGHT * (first_row + 0.5) + arc_ends[bond_index, first_row][0]
        last_offset, last_gap = arc_ends[bond_index, last_row]
        last_y = ROW_HEIGHT * (last_row + 0.5) + last_offset
        # Where ends are close together they are smaller, and do not touch.
        scale = min(1, last_gap / (MARKER_HEIGHT + 3))
        # The height of an arc follows its length, so that no two of different lengths run in one bundle.
        relative_length = abs(first_row - last_row) / longest_span
        control_x = AXIS_X - 30 - relative_length * arc_depth - arcs_within * ARC_GAP
        path_data = f"M{AXIS_X - 4} {first_y:.1f}C{control_x:.0f} {first_y:.1f} "
        path_data += f"{control_x:.0f} {last_y:.1f} {AXIS_X - 4} {last_y:.1f}"
        middle = Point(AXIS_X / 4 + control_x * 0.75 - 1, (first_y + last_y) / 2)
        marker_name = _marker_of(bond)
        transform = f'transform="translate({AXIS_X - 4} {last_y:.1f}) scale({scale:.2g})"'
        marker_svg = (
            f'<path class="s" d="{MARKER_PATHS[marker_name]}" {transform}/>' if marker_name else ""
        )
        die_svg = _draw_die(middle) if bond.kind == DICE_BOND else ""
        svg_parts.append(
            f'<g class="{line_classes(bond)}">{_draw_stroke(bond, path_data)}{marker_svg}{die_svg}</g>'
        )
    for person in shown_people:
        y = ROW_HEIGHT * row_by_id[person.ref.id] + ROW_HEIGHT / 2
        emblem_svg = place_emblem(person.emblem, AXIS_X + 24, y, 19.5)
        name_text = escape(shortened(person.ref.label, 21))
        name_svg = (
            f'<text class="ch-map__name" x="{AXIS_X + 50}" y="{y + 6:.0f}">{name_text}</text>'
        )
        anchor = anchor_by_id.get(person.ref.id)
        svg_parts.append(
            f'<a href="#{escape(anchor)}">{emblem_svg}{name_svg}</a>'
            if anchor
            else emblem_svg + name_svg
        )
    height = ROW_HEIGHT * len(shown_people)
    return Markup(
        f'<svg class="ch-map ch-map--arcs" role="group" viewBox="0 0 350 {height}" width="350" height="{height}">'
        f"<title>{word('site.same_as_arcs')}</title>{''.join(svg_parts)}</svg>"
    )
