"""The map of who hangs together with whom: laid out by Graphviz, drawn here; and the same for a narrow
screen, as arcs beside a list.

People, kinds of people and things stand as their emblems; where several are met most in one place, they
stand on one patch of ground. Every kind of line has its own dash, ink and end.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Final, NamedTuple

import graphviz
from markupsafe import Markup, escape

from chronicle.core.book import Ref
from chronicle.site.bonds import DICE, SCENES, Bond
from chronicle.site.emblems import Emblem, placed
from chronicle.site.graphs import Drawer
from chronicle.site.links import shortened, slugify

WIDTH: Final = 1080
"""How wide the map is on a screen, in CSS pixels; there it lies."""
PAGE: Final = 840
"""How wide it is on a page of a book; there it stands."""
STANDING: Final = 1.3
"""How much higher than wide that page is."""
STARTS: Final = (7, 1, 2, 3, 5, 11, 13, 17)
"""Where Graphviz begins; the next is tried where a line crosses words or another line."""
PLAIN: Final = ("-Kfdp", "-Tplain")
"""How Graphviz is asked."""
CROSSED: Final = 3
"""How much worse a line across somebody is than one across another line."""
SHORT: Final = 44
"""A line shorter than this does not show what it is."""
MARGIN: Final = 26
STROKE: Final = 12
"""How far around a line its stroke and its head reach."""
SHORE: Final = 20
"""How far the outermost ring lies around a ground."""
RIM: Final = MappingProxyType({0: 1.0, -0.5: 0.9, 0.5: 0.9, -0.8: 0.66, 0.8: 0.66})
"""How high the rim of a ground is above its middle, and on the way to either side."""
LETTER: Final = 8.4
"""About how wide a letter of a name is."""
ROOMY: Final = 6
"""How much larger the map is than all that stands on it."""
MOST_LABELS: Final = 36
"""Where more lines have words, these stand in the lists alone."""
ROW: Final = 46
"""How high a line of the narrow drawing is."""
AXIS: Final = 150
"""Where the arcs of the narrow drawing end."""
MOST_ARCS: Final = 34
ENDS: Final[Mapping[str, str]] = {"owns": "diamond", "member": "square", "knows": "dot"}
"""What a line ends with; where it is directed otherwise, with an arrow."""
STOPS: Final[Mapping[str, str]] = {
    "arrow": "M-11-4.5 0 0-11 4.5-8 0z",
    "diamond": "M-5 0 0-5 5 0 0 5z",
    "square": "M-5-5H5V5H-5z",
    "dot": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
}


class Person(NamedTuple):
    """Somebody, some kind or some thing on the map."""

    ref: Ref
    note: str
    emblem: Emblem
    place: str = ""
    """Where they are met most; empty: nowhere that others are, too."""
    large: bool = False

    @property
    def radius(self) -> float:
        """Of the emblem."""
        return 35 if self.large else 27

    @property
    def box(self) -> tuple[float, float]:
        """How much room the emblem and the words below it take."""
        words = max(len(self.name) * LETTER, len(self.note) * 7)
        return max(words, 2 * self.radius) + 10, 2 * self.radius + (46 if self.note else 28)

    @property
    def name(self) -> str:
        """As it stands on the map."""
        return shortened(self.ref.label, 24)


class Point(NamedTuple):
    """A place on the map."""

    x: float
    y: float


def draw(
    graphs: Drawer,
    title: str,
    people: Sequence[Person],
    bonds: Sequence[Bond],
    address: Callable[[Ref], str],
    width: int = WIDTH,
) -> Markup | None:
    """The map, or None where it cannot be drawn."""
    lines = _lines(bonds)
    plan = _planned(graphs, title, people, lines, width)
    if plan is None:
        return None
    at, curves = plan.at, plan.curves
    patches = grounds(people, at, width)
    low = [at[one.ref.id].y + one.box[1] / 2 for one in people]
    low += [patch.centre.y + patch.ry + 10 for patch in patches]
    words = _words(lines)
    taken = [_Box.around(at[one.ref.id], one.box) for one in people]
    ways = [curve.points for curve in curves]
    bent = [point for way in ways for point in way]
    names = "".join(_place_name(patch, taken, ways, width) for patch in patches)
    under: list[str] = []
    over: list[str] = []
    for number, (bond, curve) in enumerate(zip(lines, curves, strict=True)):
        others = [way for at_, way in enumerate(ways) if at_ != number]
        drawn = _line(bond, curve, words.get(number, ""), taken, others, beside=width == PAGE)
        (under if bond.kind == SCENES else over).append(drawn)
    ground = "".join(_ground(patch) for patch in patches)
    stood = "".join(_person(one, at[one.ref.id], address(one.ref)) for one in people)
    # A line that goes round somebody may bend further out than anybody stands.
    sides = [one.centre.x - one.rx - SHORE for one in patches] + [p.x - STROKE for p in bent]
    left = math.floor(min([0, *sides]))
    sides = [one.centre.x + one.rx + SHORE for one in patches] + [p.x + STROKE for p in bent]
    wide = math.ceil(max([width, *sides])) - left
    top = math.floor(min([0, *(p.y - STROKE for p in bent)]))
    height = math.ceil(max([max(low) + MARGIN, *(p.y + STROKE for p in bent)])) - top
    said = f"{len(people)} people and things and {len(lines)} lines between them; the lists below say the same."
    return Markup(
        f'<svg class="ch-map" role="group" viewBox="{left} {top} {wide} {height}" width="{wide}" '
        f'height="{height}"><title>{escape(title)}</title><desc>{escape(said)}</desc>'
        f"{ground}{''.join(under)}{''.join(over)}{names}{stood}</svg>"
    )


def _lines(bonds: Sequence[Bond]) -> list[Bond]:
    """What is drawn: scenes together only where nothing else is."""
    told = {frozenset((one.one.id, one.other.id)) for one in bonds if one.kind != SCENES}
    return [
        one
        for one in bonds
        if one.kind != SCENES or frozenset((one.one.id, one.other.id)) not in told
    ]


def _words(lines: Sequence[Bond]) -> dict[int, str]:
    """What is said of lines, by their numbers: not what the key says of all of their kind, and nothing at
    all where too much would be said."""
    usual = Counter((bond.kind, bond.label) for bond in lines)
    words = {
        number: shortened(bond.label, 26)
        for number, bond in enumerate(lines)
        if bond.label and (bond.kind == DICE or usual[bond.kind, bond.label] == 1)
    }
    return words if len(words) <= MOST_LABELS else {}


class _Plan(NamedTuple):
    """Where everybody stands, and how the lines run."""

    at: dict[str, Point]
    curves: list[_Curve]
    faults: float
    """What is crossed, and how much room it all takes; less is better."""

    @classmethod
    def read(cls, kept: str) -> _Plan:
        """The one that was written as JSON."""
        at, curves, faults = json.loads(kept)
        bows = [_Curve(*(Point(*one) for one in curve)) for curve in curves]
        return cls({id: Point(*one) for id, one in at.items()}, bows, faults)


def _planned(
    graphs: Drawer, title: str, people: Sequence[Person], lines: Sequence[Bond], width: int
) -> _Plan | None:
    """The clearest of several maps, or None where none can be drawn; as long as nobody comes, goes or has
    to do with others, it is the same."""
    stand = [(one.ref.id, one.name, one.note, one.place, one.large) for one in people]
    run = [(one.kind, one.one.id, one.other.id, one.label) for one in lines]

    def made() -> str | None:
        plan = _clearest(graphs, title, people, lines, width)
        return None if plan is None else json.dumps(plan)

    kept = graphs.once(json.dumps((stand, run, width)), made)
    return None if kept is None else _Plan.read(kept)


def _clearest(
    graphs: Drawer, title: str, people: Sequence[Person], lines: Sequence[Bond], width: int
) -> _Plan | None:
    best: _Plan | None = None
    asked = [*questions(people, lines)]
    for number, question in enumerate(asked):
        if number == 1:
            graphs.lay_ahead(asked[1:], *PLAIN)
        at = lay(graphs, title, people, lines, question, width)
        if at is None:
            break
        tall = max(at[one.ref.id].y + one.box[1] / 2 for one in people)
        gone = len({one.place for one in people if one.place}) - len(grounds(people, at, width))
        room = gone * 4 + max(0, tall / width - 0.7) * 10
        routed = _routed(people, lines, at, width, best.faults - room if best else math.inf)
        if routed is None:
            continue
        curves, crossed = routed
        faults = crossed * CROSSED + _knots(curves) + room
        if best is None or faults < best.faults:
            best = _Plan(at, curves, faults)
        if not faults:
            break
    return best


def _routed(
    people: Sequence[Person],
    lines: Sequence[Bond],
    at: Mapping[str, Point],
    width: int,
    fewer: float,
) -> tuple[list[_Curve], int] | None:
    """The lines between those who stand there, and how often one crosses somebody or has no room; None as soon
    as that alone is no ``fewer`` faults."""
    words = _words(lines)
    taken = {one.ref.id: _Box.around(at[one.ref.id], one.box) for one in people}
    ends = {one.ref.id: _End.of(one, at[one.ref.id]) for one in people}
    curves: list[_Curve] = []
    middles: list[Point] = []
    crossed = 0
    for number, bond in enumerate(lines):
        pair = (bond.one.id, bond.other.id)
        others = [box for id, box in taken.items() if id not in pair]
        one, other = (ends[id] for id in pair)
        curve, hit = _curve(one, other, number, others, middles, width)
        curves.append(curve)
        middles.append(curve.on(0.5))
        room = max(SHORT, len(words.get(number, "")) * 4)
        crossed += hit + (math.dist(curve.start, curve.end) < room)
        if crossed * CROSSED >= fewer:
            return None
    return curves, crossed


def _knots(curves: Sequence[_Curve]) -> int:
    """How many lines cross each other, taken as if they were straight."""

    def side(a: Point, b: Point, c: Point) -> bool:
        return (b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x)

    return sum(
        side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
        for (a, _, b), (c, _, d) in combinations(curves, 2)
    )


# -- where everything stands -----------------------------------------------------------------------


def lay(
    graphs: Drawer,
    title: str,
    people: Sequence[Person],
    lines: Sequence[Bond],
    question: str,
    width: int = WIDTH,
) -> dict[str, Point] | None:
    """Ask Graphviz one of the :func:`questions` where everybody stands: the middles of their boxes, by the ids
    of their sheets."""
    numbers = _numbers(people)
    plain = graphs.lay(title, question, *PLAIN)
    if plain is None:
        return None
    found: dict[str, Point] = {}
    for row in plain.splitlines():
        match row.split():
            case ["node", name, x, y, *_]:
                found[name] = Point(float(x), -float(y))
    if found.keys() != set(numbers.values()):
        return None
    tied = {frozenset((bond.one.id, bond.other.id)) for bond in lines}
    points = {one.ref.id: found[numbers[one.ref.id]] for one in people}
    return _spread(points, people, tied, width)


def _numbers(people: Sequence[Person]) -> dict[str, str]:
    """What everybody is called in DOT, by the ids of their sheets."""
    return {one.ref.id: f"n{at}" for at, one in enumerate(people)}


def questions(people: Sequence[Person], lines: Sequence[Bond]) -> Iterator[str]:
    """What Graphviz is asked, in DOT: the same from each of many chances where it may begin."""
    dot = graphviz.Graph()
    dot.attr("graph", K="0.7", sep="+6", overlap="prism", maxiter="900")
    dot.attr("node", shape="box", fixedsize="true", label="")
    dot.attr("edge", len="1.2")
    numbers = _numbers(people)
    places: dict[str, list[Person]] = {}
    for one in people:
        places.setdefault(one.place, []).append(one)
    for number, (place, members) in enumerate(places.items()):
        with dot.subgraph(name=f"cluster_{number}" if place else None) as part:
            for one in members:
                wide, tall = (f"{length / 72:.3f}" for length in one.box)
                part.node(numbers[one.ref.id], width=wide, height=tall)
    for bond in lines:
        weight = "0.3" if bond.kind == SCENES else "1"
        dot.edge(numbers[bond.one.id], numbers[bond.other.id], weight=weight)
    for start in STARTS:
        dot.graph_attr["start"] = str(start)
        yield str(dot.source)


def _spread(
    points: dict[str, Point], people: Sequence[Person], tied: Set[frozenset[str]], width: int
) -> dict[str, Point]:
    """The same, as wide as the map is, with nobody upon anybody else; turned, if it stood and is to lie."""
    wide, tall = (max(axis) - min(axis) for axis in zip(*points.values(), strict=True))
    if (wide > tall) if width == PAGE else (tall > wide):
        points = {id: Point(point.y, point.x) for id, point in points.items()}
        wide, tall = tall, wide
    boxes = {one.ref.id: one.box for one in people}
    area = sum(math.prod(box) for box in boxes.values())
    height = min(max(area * ROOMY / width, 420), width * (STANDING if width == PAGE else 2.2))
    height = min(height, max(height * 0.55, width * 1.25 * tall / max(wide, 0.1)))
    # A ground that holds everybody is as wide as the map, shores and all.
    shore = 3 * SHORE if len({one.place for one in people}) == 1 else 0
    at = kept = _apart(_fitted(points, boxes, width, height, shore), boxes, tied, width)
    tallest = max(point.y for point in at.values()) * 1.4
    fewest = math.inf
    for _ in range(10):
        strangers = [
            (one.ref.id, patch)
            for patch in _patches(people, at, width)
            for one in patch.strangers(people, at)
        ]
        # Grounds that cannot be freed of each other only drive everybody further and further down: then
        # some are left out.
        if max(point.y for point in at.values()) > tallest:
            break
        if len(strangers) < fewest:
            kept, fewest = at, len(strangers)
        if not strangers:
            break
        at = dict(at)
        for id, patch in strangers:
            at[id] = _off(at[id], patch, boxes[id], width)
        at = _apart(at, boxes, tied, width)
    at = kept
    top = min(
        (patch.centre.y - patch.ry for patch in _patches(people, at, width)), default=MARGIN + 46
    )
    down = max(0, MARGIN + 46 - top)
    return {id: Point(x, y + down) for id, (x, y) in at.items()}


def _off(point: Point, patch: _Ground, box: tuple[float, float], width: int) -> Point:
    """The nearest place beside a ground, to one of its four sides."""
    (x, y), rx, ry = patch.centre, patch.rx + box[0] / 2 + 8, patch.ry + box[1] / 2 + 8
    sides = [
        Point(x - rx, point.y),
        Point(x + rx, point.y),
        Point(point.x, y - ry),
        Point(point.x, y + ry),
    ]
    inside = [one for one in sides if MARGIN + box[0] / 2 <= one.x <= width - MARGIN - box[0] / 2]
    return min(inside, key=lambda one: math.dist(one, point))


def _fitted(
    points: Mapping[str, Point],
    boxes: Mapping[str, tuple[float, float]],
    width: float,
    height: float,
    shore: float,
) -> dict[str, Point]:
    """Stretched or pressed until it fills the map, but for a ``shore`` at its sides."""
    axes: list[dict[str, float]] = []
    for axis, room in enumerate((width, height)):
        low = min(point[axis] for point in points.values())
        far = max(point[axis] for point in points.values()) - low
        made = {}
        for id, point in points.items():
            half = boxes[id][axis] / 2 + MARGIN + (14 if axis else shore)
            share = (point[axis] - low) / far if far else 0.5
            made[id] = half + share * (room - 2 * half)
        axes.append(made)
    return {id: Point(axes[0][id], axes[1][id]) for id in points}


def _apart(
    points: Mapping[str, Point],
    boxes: Mapping[str, tuple[float, float]],
    tied: Set[frozenset[str]],
    width: int,
) -> dict[str, Point]:
    """Moved off each other, a little at a time, until nothing overlaps and those who are ``tied`` have room
    for a line between them; never past the sides."""
    at = {id: [*point] for id, point in points.items()}
    pairs = []
    for one, other in combinations(at, 2):
        (wide, tall), (its_wide, its_tall) = boxes[one], boxes[other]
        room = SHORT + 8 if frozenset((one, other)) in tied else 24
        pairs.append(
            (at[one], at[other], (wide + its_wide) / 2 + room, (tall + its_tall) / 2 + room)
        )
    for turn in range(400):
        still = True
        crowded = turn > 60
        # Who is among many is pushed further than he has to go: else all of them settle by and by.
        share = 0.9 if crowded else 0.5
        for here, there, wide, tall in pairs:
            across = there[0] - here[0]
            over_across = wide - abs(across)
            if over_across <= 0.5:
                continue
            down = there[1] - here[1]
            over_down = tall - abs(down)
            if over_down > 0.5:
                still = False
                # Sideways there is an end; downwards there is always room.
                if over_down <= over_across or crowded:
                    push = over_down * share if down >= 0 else -over_down * share
                    here[1] -= push
                    there[1] += push
                else:
                    push = over_across * share if across >= 0 else -over_across * share
                    here[0] -= push
                    there[0] += push
        for id, place in at.items():
            half = boxes[id][0] / 2 + MARGIN
            place[0] = min(max(place[0], half), width - half)
        if still:
            break
    top = min(at[id][1] - boxes[id][1] / 2 for id in at) - MARGIN - 14
    return {id: Point(x, y - top) for id, (x, y) in at.items()}


def emblem_at(one: Person, middle: Point) -> Point:
    """The middle of an emblem whose box, with the words below it, has its middle there."""
    return Point(middle.x, middle.y - one.box[1] / 2 + one.radius)


class _Box(NamedTuple):
    """Room that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, middle: Point, size: tuple[float, float]) -> _Box:
        """Of that size, around a point."""
        return cls(
            middle.x - size[0] / 2,
            middle.y - size[1] / 2,
            middle.x + size[0] / 2,
            middle.y + size[1] / 2,
        )

    def shared(self, other: _Box) -> float:
        """How much of it another takes as well."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        tall = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * tall if wide > 0 and tall > 0 else 0.0

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it."""
        return self.left < point.x < self.right and self.top < point.y < self.bottom

    def cost(self, taken: Sequence[_Box], ways: Sequence[Sequence[Point]]) -> float:
        """How bad a place for words it is: what it shares with what is there, and what runs through it."""
        return sum(self.shared(other) for other in taken) + 60 * sum(
            self.holds(point) for way in ways for point in way
        )


_Shares = tuple[float, float, float]
"""How much the start, the control point and the end of a bow have to do with a point on it."""


def _shares(t: float) -> _Shares:
    """At a share of the way."""
    return (1 - t) ** 2, 2 * t * (1 - t), t * t


@lru_cache(maxsize=256)
def _inner_shares(steps: int) -> list[_Shares]:
    """Between that many equal steps."""
    return [_shares(step / steps) for step in range(1, steps)]


class _Curve(NamedTuple):
    """A bow, from rim to rim."""

    start: Point
    control: Point
    end: Point

    def on(self, t: float) -> Point:
        """The point at a share of the way."""
        return Point(*next(self.through((_shares(t),))))

    @property
    def points(self) -> list[Point]:
        """Places on it, close enough to each other that no word fits between two."""
        steps = max(8, round(math.dist(self.start, self.end) / 12))
        return [Point(*at) for at in self.through(_inner_shares(steps))]

    def through(self, shares: Iterable[_Shares]) -> Iterator[tuple[float, float]]:
        """The points at some shares of the way."""
        (ax, ay), (bx, by), (cx, cy) = self
        for a, b, c in shares:
            yield a * ax + b * bx + c * cx, a * ay + b * by + c * cy

    def near(self, boxes: Iterable[_Box]) -> list[_Box]:
        """The boxes that it can come near at all."""
        xs, ys = zip(*self, strict=True)
        low, high, above, below = min(xs), max(xs), min(ys), max(ys)
        return [
            one
            for one in boxes
            if one[0] < high and one[2] > low and one[1] < below and one[3] > above
        ]

    def part(self, first: float, last: float) -> _Curve:
        """A part of it, which is a bow again."""
        a, middle, b = self.on(first), self.on((first + last) / 2), self.on(last)
        return _Curve(a, Point(2 * middle.x - (a.x + b.x) / 2, 2 * middle.y - (a.y + b.y) / 2), b)


BENDS: Final = (0.1, -0.1, 0.2, -0.2, 0.34, -0.34, 0.5, -0.5)
"""How far a line may leave the straight way, as shares of its length, the best first."""


class _End(NamedTuple):
    """What a line ends at: an emblem with words below."""

    centre: Point
    rim: float
    words: _Box

    @classmethod
    def of(cls, one: Person, middle: Point) -> _End:
        """Of somebody who stands there."""
        centre, (wide, tall) = emblem_at(one, middle), one.box
        words = _Box.around(
            Point(middle.x, (centre.y + middle.y + tall / 2 + 6) / 2),
            (wide + 4, middle.y + tall / 2 + 6 - centre.y),
        )
        return cls(centre, one.radius + 7, words)

    def left_at(
        self, curve: _Curve, steps: Sequence[float], shares: Iterable[_Shares]
    ) -> float | None:
        """The first of some steps on a way at which it has left the emblem and the words; None: it does not."""
        centre, rim, (left, top, right, bottom) = self
        for step, (x, y) in zip(steps, curve.through(shares), strict=False):
            covered = math.dist((x, y), centre) < rim
            if not covered and not (left < x < right and top < y < bottom):
                return step
        return None


def _curve(
    one: _End,
    other: _End,
    number: int,
    taken: Sequence[_Box],
    middles: Sequence[Point],
    width: int,
) -> tuple[_Curve, int]:
    """The line between two emblems that crosses the fewest others, bent as little as may be, and not upon
    a line that is there; and at how many places it does cross one."""
    start, end = one.centre, other.centre
    dx, dy = end.x - start.x, end.y - start.y
    best, least, hit = _Curve(start, start, end), math.inf, 0
    for place, bend in enumerate(BENDS):
        if place * 0.4 >= least:
            break  # However free its way is, it costs as much for being bent.
        side = bend if number % 2 else -bend
        control = Point((start.x + end.x) / 2 - dy * side, (start.y + end.y) / 2 + dx * side)
        whole = _Curve(start, control, end)
        leaves = one.left_at(whole, _STEPS, _THERE)
        comes = other.left_at(whole, _BACK, _HERE)
        first, last = 0.3 if leaves is None else leaves, 0.7 if comes is None else comes
        curve = whole.part(first, last) if first < last else whole.part(0.3, 0.7)
        points = curve.points
        # ``holds``, written out: for sixty people it is asked millions of times.
        crossed = sum(
            left < x < right and top < y < bottom
            for left, top, right, bottom in whole.near(taken)
            for x, y in points
        )
        outside = sum(not MARGIN < point.x < width - MARGIN or point.y < MARGIN for point in points)
        half = curve.on(0.5)
        near = sum(math.dist(half, middle) < 22 for middle in middles)
        cost = crossed * 3 + outside * 2 + near * 5 + place * 0.4
        if cost < least:
            best, least, hit = curve, cost, crossed
    return best, hit


_STEPS: Final = [number / 60 for number in range(31)]
_BACK: Final = [1 - step for step in _STEPS]
_THERE: Final = [*map(_shares, _STEPS)]
_HERE: Final = [*map(_shares, _BACK)]


# -- what is drawn ---------------------------------------------------------------------------------


class _Ground(NamedTuple):
    """An ellipse around those who are met most in one place."""

    place: str
    members: frozenset[str]
    centre: Point
    rx: float
    ry: float

    def reaches(self, point: Point) -> bool:
        """Whether a point lies on it."""
        far = (point.x - self.centre.x) / self.rx, (point.y - self.centre.y) / self.ry
        return math.hypot(*far) < 1

    def strangers(self, people: Sequence[Person], at: Mapping[str, Point]) -> list[Person]:
        """Who stands on it and does not belong there."""
        return [
            one
            for one in people
            if one.ref.id not in self.members and self.reaches(emblem_at(one, at[one.ref.id]))
        ]


def grounds(people: Sequence[Person], at: Mapping[str, Point], width: int = WIDTH) -> list[_Ground]:
    """A patch of ground for every place; none that would say something false of anybody."""
    return [one for one in _patches(people, at, width) if not one.strangers(people, at)]


def _patches(people: Sequence[Person], at: Mapping[str, Point], width: int) -> list[_Ground]:
    places: dict[str, list[Person]] = {}
    for one in people:
        if one.place:
            places.setdefault(one.place, []).append(one)
    made: list[_Ground] = []
    for place, members in places.items():
        left = min(at[one.ref.id].x - one.box[0] / 2 for one in members)
        right = max(at[one.ref.id].x + one.box[0] / 2 for one in members)
        top = min(at[one.ref.id].y - one.box[1] / 2 for one in members)
        bottom = max(at[one.ref.id].y + one.box[1] / 2 for one in members)
        centre = Point((left + right) / 2, (top + bottom) / 2)
        ids = frozenset(one.ref.id for one in members)
        # Where it would leave the map, it ends there, so that the map need not be drawn smaller.
        aside = max(min(centre.x, width - centre.x) - SHORE - 2, (right - left) / 2)
        reach = min((right - left) * 0.58 + 14, aside), (bottom - top) * 0.58 + 14
        made.append(_Ground(place, ids, centre, *reach))
    return made


def _ground(patch: _Ground) -> str:
    (x, y), rx, ry = patch.centre, patch.rx, patch.ry
    rings = ((SHORE, "shore"), (9, "shore"), (0, "ground"))
    return "".join(
        f'<ellipse class="ch-map__{kind}" cx="{x:.0f}" cy="{y:.0f}" '
        f'rx="{rx + far:.0f}" ry="{ry + far:.0f}"/>'
        for far, kind in rings
    )


def _place_name(
    patch: _Ground, taken: list[_Box], ways: Sequence[Sequence[Point]], width: int
) -> str:
    """The name of a place at the rim of its ground, above or below, where there is more room."""
    name = shortened(patch.place, 34)
    wide = len(name) * 13
    (middle, y), rx, ry = patch.centre, patch.rx, patch.ry
    low, high = wide / 2 + 8, width - wide / 2 - 8
    boxes = [
        _Box.around(Point(min(max(middle + rx * along, low), high), rim), (wide, 20))
        for along in RIM
        for rim in (max(y - ry * RIM[along] - 24, 14), y + ry * RIM[along] + 26)
    ]
    box = min(boxes, key=lambda one: one.cost(taken, ways))
    taken.append(box)
    x = (box.left + box.right) / 2
    return f'<text class="ch-map__place" x="{x:.0f}" y="{box.bottom - 5:.0f}">{escape(name)}</text>'


def _line(
    bond: Bond,
    curve: _Curve,
    words: str,
    taken: list[_Box],
    ways: Sequence[Sequence[Point]],
    *,
    beside: bool,
) -> str:
    """One line with its end and what is said of it, where there is room and no other of the ``ways`` runs;
    this is then ``taken``. On paper the words stand ``beside`` the line: not everything that prints can
    clear room upon it."""
    a, bend, b = curve
    path = f"M{a.x:.1f} {a.y:.1f}Q{bend.x:.1f} {bend.y:.1f} {b.x:.1f} {b.y:.1f}"
    parts = [_stroke(bond, path)]
    if stop := _stop(bond):
        for end in (b, a) if bond.mutual else (b,):
            angle = math.degrees(math.atan2(end.y - bend.y, end.x - bend.x))
            turn = f"translate({end.x:.1f} {end.y:.1f}) rotate({angle:.0f})"
            parts.append(f'<path class="s" d="{STOPS[stop]}" transform="{turn}"/>')
    die = bond.kind == DICE
    if die or words:
        size = max(len(words) * 7.2 + 8, 24), 40 if die and words else 24
        off = _beside(curve, size[0]) if beside and words else Point(0, 0)
        places = [
            (t, Point(curve.on(t).x + off.x, curve.on(t).y + off.y))
            for t in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
        ]
        boxes = [(t, _Box.around(place, size)) for t, place in places]
        t, box = min(boxes, key=lambda one: one[1].cost(taken, ways))
        if sum(box.shared(other) for other in taken) > size[0] * size[1] / 9:
            words = ""  # no room: the lists say it
        else:
            taken.append(box)
        x, y = curve.on(t)
        if die:
            parts.append(_die(Point(x, y + (10 if words else 0))))
        if words:
            x, y = x + off.x, y + off.y + (-5 if die else 5)
            parts.append(f'<text x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>')
    said = f"{bond.one.label} – {bond.other.label}: {bond.words}"
    return f'<g class="{line_classes(bond)}"><title>{escape(said)}</title>{"".join(parts)}</g>'


def _beside(curve: _Curve, wide: float) -> Point:
    """How far off a line words have to stand: above it where it lies, to its right where it stands."""
    dx, dy = curve.end.x - curve.start.x, curve.end.y - curve.start.y
    rise = abs(dy) / max(abs(dx), 0.1)
    return Point(0, -9 - wide / 2 * rise) if rise < 0.4 else Point(wide / 2 + 3, 0)


def _stroke(bond: Bond, path: str) -> str:
    """The line itself; where each says something of the other, it is two."""
    if bond.mutual and not bond.directed:
        return f'<path class="d" d="{path}"/><path class="i" d="{path}"/>'
    width = f' stroke-width="{2 + 1.2 * min(bond.weight, 5):.3g}"' if bond.kind == SCENES else ""
    return f'<path d="{path}"{width}/>'


def _stop(bond: Bond) -> str:
    return ENDS.get(bond.kind, "arrow" if bond.directed else "")


def _die(at: Point) -> str:
    x, y = at.x - 8, at.y - 8
    pips = "".join(
        f'<circle class="f" cx="{x + dx:.1f}" cy="{y + dx:.1f}" r="1.7"/>' for dx in (4.5, 8, 11.5)
    )
    return f'<rect class="b" x="{x:.1f}" y="{y:.1f}" width="16" height="16" rx="3.5"/>{pips}'


def sample(kind: str, look: str) -> Markup:
    """A line of a kind as the key shows it, with what it ends with."""
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
    """The classes that give a line its dash and its ink."""
    return f"ch-bond k-{slugify(bond.kind) or 'plain'}{' is-over' if bond.over else ''}"


def _person(one: Person, middle: Point, url: str) -> str:
    centre, radius = emblem_at(one, middle), one.radius
    drawn = placed(one.emblem, *centre, radius, fine=one.large)
    y = centre.y + radius + 18
    name = f'<text class="ch-map__name" x="{centre.x:.1f}" y="{y:.1f}">{escape(one.name)}</text>'
    note = (
        f'<text class="ch-map__note" x="{centre.x:.1f}" y="{y + 18:.1f}">{escape(one.note)}</text>'
        if one.note
        else ""
    )
    inner = f"{drawn}{name}{note}"
    return f'<a href="{escape(url)}">{inner}</a>' if url else inner


# -- the narrow drawing ----------------------------------------------------------------------------


def arcs(people: Sequence[Person], bonds: Sequence[Bond], anchors: Mapping[str, str]) -> Markup:
    """The same beside a list: an arc for every line. ``anchors`` are where the list of somebody's lines
    stands on the page, if there is one."""
    shown = people[:MOST_ARCS]
    rows = {one.ref.id: number for number, one in enumerate(shown)}
    lines = [
        bond
        for bond in _lines(bonds)
        if bond.kind != SCENES and bond.one.id in rows and bond.other.id in rows
    ]
    parts: list[str] = []
    for bond in lines:
        first, last = (ROW * rows[ref.id] + ROW / 2 for ref in (bond.one, bond.other))
        far = AXIS - 12 - min(abs(last - first) ** 0.8 * 1.1 + 14, AXIS - 20)
        # Lines that end at one emblem end beside each other.
        path = f"M{AXIS - 4} {first:.0f}C{far:.0f} {first:.0f} {far:.0f} {last:.0f} {AXIS - 4} {last:.0f}"
        middle = Point(AXIS / 4 + far * 0.75 - 1, (first + last) / 2)
        stop = _stop(bond)
        end = (
            f'<path class="s" d="{STOPS[stop]}" transform="translate({AXIS - 4} {last:.0f})"/>'
            if stop
            else ""
        )
        die = _die(middle) if bond.kind == DICE else ""
        parts.append(f'<g class="{line_classes(bond)}">{_stroke(bond, path)}{end}{die}</g>')
    for one in shown:
        y = ROW * rows[one.ref.id] + ROW / 2
        drawn = placed(one.emblem, AXIS + 24, y, 19.5)
        words = escape(shortened(one.ref.label, 17))
        name = f'<text class="ch-map__name" x="{AXIS + 50}" y="{y + 6:.0f}">{words}</text>'
        anchor = anchors.get(one.ref.id)
        parts.append(f'<a href="#{escape(anchor)}">{drawn}{name}</a>' if anchor else drawn + name)
    height = ROW * len(shown)
    return Markup(
        f'<svg class="ch-map ch-map--arcs" role="group" viewBox="0 0 350 {height}" width="350" height="{height}">'
        f"<title>The same as arcs</title>{''.join(parts)}</svg>"
    )
