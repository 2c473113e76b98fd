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
from typing import Any, Final, NamedTuple

import graphviz
from markupsafe import Markup, escape

from chronicle.core.book import Ref
from chronicle.site.bonds import DICE, SCENES, Bond
from chronicle.site.emblems import Emblem, placed
from chronicle.site.graphs import Drawer
from chronicle.site.links import shortened, slugify
from chronicle.words import word

WIDTH: Final = 1080
"""Width of the map on a screen, in CSS pixels."""
PAGE: Final = 840
"""Width of the map on a page of a book."""
TALLEST: Final = 1.3
"""Height of the map as a share of its width; a taller layout counts as if it were shown smaller."""
MOST_SHRUNK: Final = 1.4
"""A wider layout is shown smaller, but not by more than this: then a screen scrolls it, and a book goes without."""
LAYOUT: Final = ("-Kdot", "-Tjson0")
"""Graphviz's layered layout, which keeps lines off all nodes, and its answer as JSON."""
FEW: Final = 9
"""Up to this number of emblems, Graphviz leaves twice the space between them."""
MARGIN: Final = 26
LETTER: Final = 8.4
"""Average width of a letter of a name."""
WORD_LETTER: Final = 7.4
"""Average width of a letter of the words at a line."""
PLACE_LETTER: Final = 12.6
"""Average width of a letter of a place, with the space after it."""
MOST_LABELS: Final = 36
"""A map with more labelled lines shows the labels in the lists only."""
ROW: Final = 46
"""Height of a row of the narrow drawing."""
AXIS: Final = 150
"""Where the arcs of the narrow drawing end."""
MOST_ARCS: Final = 34
ENDS: Final[Mapping[str, str]] = {"owns": "diamond", "member": "square", "knows": "dot"}
"""The ends of kinds of lines. Other directed lines end with an arrow."""
STOPS: Final[Mapping[str, str]] = {
    "arrow": "M-11-4.5 0 0-11 4.5-8 0z",
    "diamond": "M-5 0 0-5 5 0 0 5z",
    "square": "M-5-5H5V5H-5z",
    "dot": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
}


class Person(NamedTuple):
    """A person, a kind of people or an object on the map."""

    ref: Ref
    note: str
    emblem: Emblem
    place: str = ""
    """The place where they appear most; empty if no other person on the map appears most there."""
    large: bool = False

    @property
    def radius(self) -> float:
        """Radius of the emblem."""
        return 35 if self.large else 27

    @property
    def box(self) -> tuple[float, float]:
        """Width and height of the emblem with the words below it."""
        words = max(len(self.name) * LETTER, len(self.note) * 7)
        return max(words, 2 * self.radius) + 10, 2 * self.radius + (46 if self.note else 28)

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
    people: dict[str, Point]
    """The centres of the boxes of people and objects, by the ids of their sheets."""
    lines: list[list[Spline]]
    """Every line in one piece, or in two with its label between them."""
    labels: dict[int, Point]
    """Middles of the labels, by the numbers of their lines."""
    grounds: dict[str, Box]
    """The grounds, by their places."""
    names: dict[str, Point]
    """Middles of the names of the places."""

    def shrunk(self, width: float) -> float:
        """By how much the layout must be shown smaller to fit a ``width``; 1 if it fits."""
        return max(1, self.width / width, self.height / (width * TALLEST))

    def length(self, width: float) -> float:
        """Length of all lines; larger if the layout must be shown smaller to fit a ``width``."""
        splines = [spline for line in self.lines for spline in line]
        return self.shrunk(width) ** 2 * sum(
            math.dist(*ends) for spline in splines for ends in pairwise(spline)
        )


def draw(
    graphs: Drawer,
    title: str,
    people: Sequence[Person],
    bonds: Sequence[Bond],
    address: Callable[[Ref], str],
    width: int = WIDTH,
) -> Markup | None:
    """Draw the map as SVG. Return None where Graphviz makes no layout, or none that can be read on a page."""
    lines = _lines(bonds)
    words = _words(lines)
    if width == PAGE:
        # A page has no room for sentences; the list below the map has them.
        words = {number: text for number, text in words.items() if lines[number].kind == DICE}
    layout = lay_out(graphs, title, people, lines, words, width)
    if layout is None or (width == PAGE and layout.shrunk(width) > MOST_SHRUNK):
        return None
    lower_parts: list[str] = []
    upper_parts: list[str] = []
    for number, bond in enumerate(lines):
        label = layout.labels.get(number)
        drawn = _line(bond, layout.lines[number], label, words.get(number, ""))
        (lower_parts if bond.kind == SCENES else upper_parts).append(drawn)
    grounds = "".join(_ground(box) for box in layout.grounds.values())
    names = "".join(_place_name(place, layout) for place in layout.grounds)
    emblems = "".join(
        _person(person, layout.people[person.ref.id], address(person.ref)) for person in people
    )
    wide, tall = (math.ceil(side) + 2 * MARGIN for side in (layout.width, layout.height))
    description = word("site.map_alt", people=len(people), lines=len(lines))
    scrolled = " is-wide" if layout.width > width * MOST_SHRUNK else ""
    return Markup(
        f'<svg class="ch-map{scrolled}" role="group" viewBox="{-MARGIN} {-MARGIN} {wide} {tall}" width="{wide}" '
        f'height="{tall}"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{grounds}{''.join(lower_parts)}{''.join(upper_parts)}{names}{emblems}</svg>"
    )


def _lines(bonds: Sequence[Bond]) -> list[Bond]:
    """The bonds that are drawn: shared scenes only between two who have no other bond."""
    tied = {frozenset((bond.first.id, bond.second.id)) for bond in bonds if bond.kind != SCENES}
    return [
        bond
        for bond in bonds
        if bond.kind != SCENES or frozenset((bond.first.id, bond.second.id)) not in tied
    ]


def _words(lines: Sequence[Bond]) -> dict[int, str]:
    """The words of lines, by their numbers: none that the key says of the whole kind, and none at all where
    there would be too many."""
    usual = Counter((bond.kind, bond.label) for bond in lines)
    words = {
        number: shortened(bond.label, 26)
        for number, bond in enumerate(lines)
        if bond.label and (bond.kind == DICE or usual[bond.kind, bond.label] == 1)
    }
    return words if len(words) <= MOST_LABELS else {}


# -- the layout ------------------------------------------------------------------------------------


def lay_out(
    graphs: Drawer,
    title: str,
    people: Sequence[Person],
    lines: Sequence[Bond],
    words: Mapping[int, str],
    width: int = WIDTH,
) -> Layout | None:
    """Ask Graphviz for layouts from left to right and from top to bottom. Choose the layout with the shortest
    lines among those that are readable at a ``width``; None if Graphviz makes none."""
    layouts = []
    for source in _sources(people, lines, words):
        answer = graphs.lay(title, source, *LAYOUT)
        layout = None if answer is None else _read_layout(answer, people, lines)
        if layout is None:
            return None
        layouts.append(layout)
    return min(
        layouts,
        key=lambda layout: (layout.shrunk(width) > MOST_SHRUNK, layout.length(width)),
    )


def _sources(
    people: Sequence[Person], lines: Sequence[Bond], words: Mapping[int, str]
) -> Iterator[str]:
    """The graph in DOT, once for every way to lay it out.

    A label is a node between two edges, so that no line crosses it. Names of players never reach Graphviz:
    ``p`` is a person, ``l`` a label, ``c`` a cluster, each with its number.
    """
    dot = graphviz.Digraph()
    space = "0.7" if len(people) <= FEW else "0.35"
    dot.attr("graph", nodesep=space, ranksep=space)
    dot.attr("node", shape="box", fixedsize="true", label="")
    dot.attr("edge", dir="none")
    numbers = {person.ref.id: number for number, person in enumerate(people)}
    place_of = {person.ref.id: person.place for person in people}
    boxes = {
        f"p{number}": ((person.box[0] + 12, person.box[1] + 12), person.place)
        for number, person in enumerate(people)
    }
    for number, bond in enumerate(lines):
        text, (start, end) = words.get(number, ""), (bond.first.id, bond.second.id)
        tail, head, label = f"p{numbers[start]}", f"p{numbers[end]}", f"l{number}"
        if not text and bond.kind != DICE:
            dot.edge(tail, head, id=f"{number}")
            continue
        size = (max(len(text) * WORD_LETTER + 10, 26), 42 if text and bond.kind == DICE else 24)
        boxes[label] = (size, place_of[start] if place_of[start] == place_of[end] else "")
        dot.edge(tail, label, id=f"{number}")
        dot.edge(label, head, id=f"{number}")
    for number, place in enumerate(_places(people)):
        with dot.subgraph(name=f"cluster_{number}" if place else None) as cluster:
            if place:
                name = "n" * len(_place_text(place))
                font = {"fontname": "Courier", "fontsize": f"{PLACE_LETTER / 0.6:.0f}"}
                cluster.attr(label=name, margin="14", **font)
            for node, ((wide, tall), its_place) in boxes.items():
                if its_place == place:
                    cluster.node(node, width=f"{wide / 72:.3f}", height=f"{tall / 72:.3f}")
    for direction in ("LR", "TB"):
        for together in ("true", "false"):
            dot.graph_attr |= {"rankdir": direction, "newrank": together}
            yield str(dot.source)


def _places(people: Sequence[Person]) -> list[str]:
    """The places of people, and the empty one for those without."""
    return list(dict.fromkeys(["", *(person.place for person in people)]))


def _read_layout(answer: str, people: Sequence[Person], lines: Sequence[Bond]) -> Layout | None:
    """Read what Graphviz answered. None where it is no layout of this graph."""
    try:
        graph: dict[str, Any] = json.loads(answer)
    except ValueError:
        return None
    _, _, width, height = map(float, graph["bb"].split(","))

    def point(text: str) -> Point:
        x, y = text.split(",")
        return Point(float(x), height - float(y))

    nodes = {node["name"]: node for node in graph["objects"]}
    splines: list[list[Spline]] = [[] for _ in lines]
    # The edge that ends at a label comes before the edge that starts there.
    for edge in sorted(
        graph["edges"], key=lambda edge: graph["objects"][edge["tail"]]["name"][0] == "l"
    ):
        splines[int(edge["id"])].append(tuple(map(point, edge["pos"].split())))
    grounds: dict[str, Box] = {}
    names: dict[str, Point] = {}
    for number, place in enumerate(_places(people)):
        if place:
            cluster = nodes[f"cluster_{number}"]
            left, bottom, right, top = map(float, cluster["bb"].split(","))
            grounds[place] = Box(left, height - top, right, height - bottom)
            names[place] = point(cluster["lp"])
    return Layout(
        width,
        height,
        {person.ref.id: point(nodes[f"p{number}"]["pos"]) for number, person in enumerate(people)},
        splines,
        {
            number: point(nodes[f"l{number}"]["pos"])
            for number in range(len(lines))
            if f"l{number}" in nodes
        },
        grounds,
        names,
    )


def emblem_at(person: Person, middle: Point) -> Point:
    """The middle of an emblem, from the middle of its box with the words below it."""
    return Point(middle.x, middle.y - person.box[1] / 2 + person.radius)


# -- the drawing -----------------------------------------------------------------------------------


def _ground(box: Box) -> str:
    left, top, right, bottom = box
    return (
        f'<rect class="ch-map__ground" x="{left:.0f}" y="{top:.0f}" width="{right - left:.0f}" '
        f'height="{bottom - top:.0f}" rx="28"/>'
    )


def _place_text(place: str) -> str:
    return shortened(place, 34)


def _place_name(place: str, layout: Layout) -> str:
    """The name of a place at the upper rim of its ground: in the middle, left or right, where the fewest lines
    run."""
    text, box, middle = _place_text(place), layout.grounds[place], layout.names[place]
    half_width = len(text) * PLACE_LETTER / 2
    points = [point for line in layout.lines for spline in line for point in _along(spline)]

    def struck(x: float) -> int:
        return sum(
            abs(point.x - x) < half_width and abs(point.y - middle.y) < 12 for point in points
        )

    x = min((middle.x, box.left + half_width + 18, box.right - half_width - 18), key=struck)
    return f'<text class="ch-map__place" x="{x:.0f}" y="{middle.y + 5:.0f}">{escape(text)}</text>'


def _along(spline: Spline) -> Iterator[Point]:
    """Points on a line, close enough to each other that no letter fits in between."""
    for first in range(0, len(spline) - 1, 3):
        curve = spline[first : first + 4]
        steps = max(2, round(sum(math.dist(*ends) for ends in pairwise(curve)) / 8))
        for step in range(steps + 1):
            t = step / steps
            shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            yield Point(
                *(
                    sum(share * point[axis] for share, point in zip(shares, curve, strict=True))
                    for axis in (0, 1)
                )
            )


def _line(bond: Bond, splines: Sequence[Spline], label: Point | None, words: str) -> str:
    """A line with its ends and its label."""
    parts = [_stroke(bond, _path(spline)) for spline in splines]
    if stop := _stop(bond):
        ends = [splines[-1][-2:]] + ([splines[0][1::-1]] if bond.mutual else [])
        for bend, end in ends:
            angle = math.degrees(math.atan2(end.y - bend.y, end.x - bend.x))
            turn = f"translate({end.x:.1f} {end.y:.1f}) rotate({angle:.0f})"
            parts.append(f'<path class="s" d="{STOPS[stop]}" transform="{turn}"/>')
    if label is not None:
        if bond.kind == DICE:
            parts.append(_die(Point(label.x, label.y + (10 if words else 0))))
        if words:
            y = label.y + (-5 if bond.kind == DICE else 5)
            parts.append(f'<text x="{label.x:.1f}" y="{y:.1f}">{escape(words)}</text>')
    title = f"{bond.first.label} – {bond.second.label}: {bond.words}"
    return f'<g class="{line_classes(bond)}"><title>{escape(title)}</title>{"".join(parts)}</g>'


def _path(spline: Spline) -> str:
    start, *further_points = (f"{point.x:.1f} {point.y:.1f}" for point in spline)
    return f"M{start}C{' '.join(further_points)}"


def _stroke(bond: Bond, path: str) -> str:
    """Draw the line itself: double where each of the two says something of the other."""
    if bond.mutual and not bond.directed:
        return f'<path class="d" d="{path}"/><path class="i" d="{path}"/>'
    width = f' stroke-width="{2 + 1.2 * min(bond.weight, 5):.3g}"' if bond.kind == SCENES else ""
    return f'<path d="{path}"{width}/>'


def _stop(bond: Bond) -> str:
    return ENDS.get(bond.kind, "arrow" if bond.directed else "")


def _die(centre: Point) -> str:
    x, y = centre.x - 8, centre.y - 8
    pips = "".join(
        f'<circle class="f" cx="{x + dx:.1f}" cy="{y + dx:.1f}" r="1.7"/>' for dx in (4.5, 8, 11.5)
    )
    return f'<rect class="b" x="{x:.1f}" y="{y:.1f}" width="16" height="16" rx="3.5"/>{pips}'


def sample(kind: str, look: str) -> Markup:
    """Draw a line of a kind, with its end, for the key of the map."""
    stop = (
        f'<path class="s" d="{STOPS[ENDS[kind]]}" transform="translate(38 6)"/>'
        if kind in ENDS
        else ""
    )
    die = _die(Point(22, 6)) if kind == DICE else ""
    width = ' stroke-width="5"' if kind == SCENES else ""
    return Markup(
        f'<svg class="ch-sample" viewBox="0 -4 44 20" aria-hidden="true"><g class="ch-bond k-{look}">'
        f'<path d="M2 6h36"{width}/>{stop}{die}</g></svg>'
    )


def line_classes(bond: Bond) -> str:
    """The classes that give a line its dash and its colour."""
    return f"ch-bond k-{slugify(bond.kind) or 'plain'}{' is-over' if bond.over else ''}"


def _person(person: Person, middle: Point, url: str) -> str:
    centre, radius = emblem_at(person, middle), person.radius
    drawn = placed(person.emblem, *centre, radius, fine=person.large)
    y = centre.y + radius + 18
    name = f'<text class="ch-map__name" x="{centre.x:.1f}" y="{y:.1f}">{escape(person.name)}</text>'
    note = (
        f'<text class="ch-map__note" x="{centre.x:.1f}" y="{y + 18:.1f}">{escape(person.note)}</text>'
        if person.note
        else ""
    )
    inner = f"{drawn}{name}{note}"
    return f'<a href="{escape(url)}">{inner}</a>' if url else inner


# -- the narrow drawing ----------------------------------------------------------------------------


def arcs(people: Sequence[Person], bonds: Sequence[Bond], anchors: Mapping[str, str]) -> Markup:
    """Draw an arc for every line beside a list of names. ``anchors`` are the lists of people's lines on the page,
    by the ids of their sheets."""
    shown = people[:MOST_ARCS]
    rows = {person.ref.id: number for number, person in enumerate(shown)}
    lines = [
        bond
        for bond in _lines(bonds)
        if bond.kind != SCENES and bond.first.id in rows and bond.second.id in rows
    ]
    parts: list[str] = []
    for bond in lines:
        first, last = (ROW * rows[ref.id] + ROW / 2 for ref in (bond.first, bond.second))
        reach = AXIS - 12 - min(abs(last - first) ** 0.8 * 1.1 + 14, AXIS - 20)
        # The height of an arc follows its length, so that arcs from the same emblem separate early.
        path = f"M{AXIS - 4} {first:.0f}C{reach:.0f} {first:.0f} {reach:.0f} {last:.0f} {AXIS - 4} {last:.0f}"
        middle = Point(AXIS / 4 + reach * 0.75 - 1, (first + last) / 2)
        stop = _stop(bond)
        end = (
            f'<path class="s" d="{STOPS[stop]}" transform="translate({AXIS - 4} {last:.0f})"/>'
            if stop
            else ""
        )
        die = _die(middle) if bond.kind == DICE else ""
        parts.append(f'<g class="{line_classes(bond)}">{_stroke(bond, path)}{end}{die}</g>')
    for person in shown:
        y = ROW * rows[person.ref.id] + ROW / 2
        drawn = placed(person.emblem, AXIS + 24, y, 19.5)
        words = escape(shortened(person.ref.label, 17))
        name = f'<text class="ch-map__name" x="{AXIS + 50}" y="{y + 6:.0f}">{words}</text>'
        anchor = anchors.get(person.ref.id)
        parts.append(f'<a href="#{escape(anchor)}">{drawn}{name}</a>' if anchor else drawn + name)
    height = ROW * len(shown)
    return Markup(
        f'<svg class="ch-map ch-map--arcs" role="group" viewBox="0 0 350 {height}" width="350" height="{height}">'
        f"<title>{word('site.same_as_arcs')}</title>{''.join(parts)}</svg>"
    )
