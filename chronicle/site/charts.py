"""Charts as small inline SVG pictures, drawn by pure functions.

Every function takes frozen dataclasses and returns `Markup`: one `<svg role="img">` with a title
and a description, coloured by the classes of `chronicle.css` (`p1` to `p8`, `green`, `red`), with
every text escaped, no script and no inline style. A picture never stands alone: pages put the same
facts beside it as a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

Number = int | float

PLAYERS = 8
DASHES = 4
# Wider pictures scroll sideways on a phone instead of shrinking their words.
NARROW = 400
# How far words at 45 degrees reach, for their length.
SLANT = 0.72


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: its name, the seat of its player (0: nobody) and its points (x, value)."""

    name: str
    colour: int
    points: tuple[tuple[Number, Number], ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A word on the x axis, from `x` on to the next label."""

    x: Number
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment on a curve worth a word: `kind` is "up", "down" or "" (neither good nor bad)."""

    x: Number
    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A presence in a lane: row and column (from 0), how many columns it spans, whose colour."""

    row: int
    column: int
    span: int = 1
    colour: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its label, its value, a colour, and what was to be expected (if anything was)."""

    label: str
    value: Number
    colour: int = 0
    expected: Number | None = None


@dataclass(frozen=True, slots=True)
class Sector:
    """A part of a ring: its label, whether it is filled, whose colour."""

    label: str
    on: bool = False
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Ring:
    """One Layer: its name and its sectors; the first ring given is the innermost."""

    name: str
    sectors: tuple[Sector, ...]


@dataclass(frozen=True, slots=True)
class Stone:
    """One stone of a Path: laid or not, whose colour or ink ("green", "red", or empty)."""

    on: bool
    colour: int = 0
    ink: str = ""
    label: str = ""


def step_lines(
    series: Sequence[Series],
    x_labels: Sequence[Label] = (),
    guides: Sequence[Number] = (),
    *,
    marks: Sequence[Mark] = (),
    title: str = "Balances",
    width: int = 640,
    height: int = 260,
) -> Markup:
    """Draw balances that jump at actions: one line per series, named at its end.

    Names keep a line's height between them and are tied to their curve where they had to move. A
    mark stands on the first series. Without any point the picture is an empty frame.
    """
    points = [point for one in series for point in one.points]
    left, right, top, bottom = 34, 74 if len(series) > 1 else 16, 28 if marks else 14, 30
    # A little room after the last reading, so that a jump there still has a level to land on.
    last = max((x for x, _ in points), default=0)
    reach = [(last + max(last - points[0][0], 1) * 0.03, points[0][1])] if points else []
    scale = _Scale.of([*points, *reach], guides, (left, top, width - right, height - bottom))
    lines = guides if len(guides) > 1 else sorted({*guides, *scale.ticks()})
    body = [_guide(scale, value) for value in lines]
    body += _x_axis(scale, x_labels, height)
    for index, one in enumerate(series):
        if one.points:
            dash = index % DASHES + 1
            look = f"curve dash{dash}" if dash > 1 else "curve"
            path = _steps(scale, one.points)
            body.append(f'<g class="{_player(one.colour)}"><path class="{look}" d="{path}"/></g>')
    if len(series) > 1:
        body += _end_labels(scale, [one for one in series if one.points], top, height - bottom)
    if series and series[0].points:
        body += _marks(scale, series[0], marks)
    said = "; ".join(f"{one.name} ends at {_n(one.points[-1][1])}" for one in series if one.points)
    return _svg(width, height, title, said, body)


def fever(
    series: Series,
    causes: Sequence[Mark] = (),
    x_labels: Sequence[Label] = (),
    guides: Sequence[Number] = (),
    *,
    title: str = "Stress",
    width: int = 640,
    height: int = 260,
) -> Markup:
    """Draw one curve as a fever chart: straight strokes between readings, causes marked on them."""
    left, right, top, bottom = 34, 16, 26, 30
    box = (left, top, width - right, height - bottom)
    scale = _Scale.of(series.points, guides, box)
    body = [_guide(scale, value) for value in guides or scale.ticks()]
    body += _x_axis(scale, x_labels, height)
    if series.points:
        path = "M" + "L".join(f"{_n(scale.x(x))} {_n(scale.y(y))}" for x, y in series.points)
        curve = f'<path class="curve" d="{path}"/>'
        body.append(f'<g class="{_player(series.colour)}">{curve}</g>')
        body += _marks(scale, series, causes)
    said = ", ".join(f"{cause.text} ({cause.kind or 'level'})" for cause in causes)
    return _svg(width, height, title, f"{series.name}. {said}".strip(), body)


def swim_lanes(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Iterable[Cell],
    *,
    title: str = "Appearances",
    width: int = 640,
) -> Markup:
    """Draw who appears where: a lane per row, a column per scene, a filled bar per presence.

    Cells outside the grid are left out, so that a partial record still draws.
    """
    name_width = min(180, 12 + max((_text_width(_cut(name, 22)) for name in rows), default=0))
    step = (width - name_width) / max(len(columns), 1)
    longest = max((_text_width(_cut(name, 24)) for name in columns), default=0)
    slanted = longest > step - 8
    if slanted:
        # Slanted words lean over to the right: the last one needs room there.
        step = max(22.0, (width - name_width - longest * SLANT) / max(len(columns), 1))
        width = math.ceil(name_width + step * len(columns) + longest * SLANT)
    right = name_width + step * len(columns)
    lane, top = 24, math.ceil(14 + longest * SLANT) if slanted else 26
    height = top + lane * len(rows) + 6
    body = []
    for index, name in enumerate(columns):
        x = name_width + step * (index + 0.5)
        text = _cut(name, 24)
        if slanted:
            body.append(
                f'<g transform="translate({_n(x - 3)} {top - 5}) rotate(-45)">{_text(0, 0, text)}</g>'
            )
        else:
            body.append(_text(x, 14, text, anchor="middle"))
    for index, name in enumerate(rows):
        y = top + lane * index
        body.append(
            f'<rect class="lane" x="{_n(name_width)}" y="{y + 8}" '
            f'width="{_n(right - name_width)}" height="4"/>'
        )
        body.append(_text(0, y + 14.5, _cut(name, 22), look="t-ink"))
    said = []
    for cell in cells:
        if not (0 <= cell.row < len(rows) and 0 <= cell.column < len(columns)):
            continue
        span = max(1, min(cell.span, len(columns) - cell.column))
        x, y = name_width + step * cell.column + 2, top + lane * cell.row + 3
        body.append(
            f'<g class="{_player(cell.colour)}"><rect class="cell" x="{_n(x)}" y="{y}" rx="4" '
            f'width="{_n(step * span - 4)}" height="14">{_tip(cell.text)}</rect></g>'
        )
        said.append(f"{rows[cell.row]} in {columns[cell.column]}")
    return _svg(width, height, title, "; ".join(said), body)


def bars(items: Sequence[Bar], *, title: str = "Counts", width: int = 320) -> Markup:
    """Draw horizontal bars with their figures; a stroke shows what was to be expected."""
    most = max((max(item.value, item.expected or 0) for item in items), default=0) or 1
    label = min(
        width / 2, 12 + max((_text_width(_cut(item.label, 20)) for item in items), default=0)
    )
    room = width - label - 40
    lane = 24
    body, said = [], []
    for index, item in enumerate(items):
        y = lane * index
        length = max(0, room * item.value / most)
        body.append(_text(0, y + 15.5, _cut(item.label, 20)))
        body.append(
            f'<g class="{_player(item.colour, "")}"><rect class="fill" x="{_n(label)}" y="{y + 4}" '
            f'width="{_n(length)}" height="14" rx="2"/></g>'
        )
        if item.expected is not None:
            x = _n(label + room * item.expected / most)
            body.append(f'<path class="axis" d="M{x} {y + 1}v20"/>')
        end = max(length, room * (item.expected or 0) / most)
        body.append(_text(label + end + 6, y + 15.5, _n(item.value), look="t-ink"))
        expected = "" if item.expected is None else f" (expected {_n(item.expected)})"
        said.append(f"{item.label}: {_n(item.value)}{expected}")
    return _svg(width, max(lane * len(items), 1), title, "; ".join(said), body)


def rings(layers: Sequence[Ring], *, title: str = "Layers", width: int = 320) -> Markup:
    """Draw Layers as rings round a centre, each divided into sectors; the first is innermost."""
    body: list[Markup | str] = []
    said = []
    centre = width / 2
    hole = 22.0
    thick = (centre - 6 - hole) / max(len(layers), 1)
    for depth, ring in enumerate(layers):
        inner, outer = hole + thick * depth + 2, hole + thick * (depth + 1)
        count = max(len(ring.sectors), 1)
        for index, sector in enumerate(ring.sectors):
            turn = (index / count, (index + 1) / count)
            look = "sector sector--on" if sector.on else "sector"
            body.append(
                f'<g class="{_player(sector.colour, "")}"><path class="{look}" '
                f'd="{_arc(centre, inner, outer, *turn)}">{_tip(sector.label)}</path></g>'
            )
            angle = math.tau * (turn[0] + turn[1]) / 2
            middle = (inner + outer) / 2
            # Beside the centre a label has the ring's thickness, above and below it the arc's length.
            wide = thick / max(abs(math.sin(angle)), 0.45)
            room = int(min(wide, math.tau * middle / count) / 7)
            text = _cut(sector.label, room) if room >= 2 else ""
            x, y = centre + middle * math.sin(angle), centre - middle * math.cos(angle) + 4
            look = "t-on" if sector.on else "t-ink"
            body.append(_text(x, y, text, anchor="middle", look=look))
        filled = [sector.label for sector in ring.sectors if sector.on]
        said.append(f"{ring.name}: {', '.join(filled) or 'empty'}")
    return _svg(width, width, title, "; ".join(said), body)


def stones(path: Sequence[Stone], *, title: str = "Path", width: int = 320) -> Markup:
    """Draw a Path as a row of stones, laid ones filled, in their player's colour or their ink."""
    step = width / max(len(path), 1)
    radius = min(12.0, step / 2 - 2)
    body = []
    for index, stone in enumerate(path):
        look = "stone stone--on" if stone.on else "stone"
        ink = stone.ink if stone.ink in ("green", "red") else _player(stone.colour, "")
        body.append(
            f'<g class="{ink}"><circle class="{look}" cx="{_n(step * (index + 0.5))}" cy="14" '
            f'r="{_n(radius)}">{_tip(stone.label)}</circle></g>'
        )
    laid = sum(stone.on for stone in path)
    return _svg(width, 28, title, f"{laid} of {len(path)} laid", body)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps x and values to the box (left, top, right, bottom) of a picture."""

    low: tuple[Number, Number]
    high: tuple[Number, Number]
    box: tuple[Number, Number, Number, Number]

    @classmethod
    def of(
        cls,
        points: Iterable[tuple[Number, Number]],
        guides: Sequence[Number],
        box: tuple[Number, Number, Number, Number],
    ) -> _Scale:
        """Fit all points and guides; the values' scale always starts at 0 or below."""
        known = list(points) or [(0, 0)]
        xs = [x for x, _ in known]
        ys = [*(y for _, y in known), *guides, 0]
        return cls((min(xs), min(ys)), (max(xs), max(ys)), box)

    def x(self, value: Number) -> float:
        left, _, right, _ = self.box
        return left + (right - left) * (value - self.low[0]) / ((self.high[0] - self.low[0]) or 1)

    def y(self, value: Number) -> float:
        _, top, _, bottom = self.box
        return bottom - (bottom - top) * (value - self.low[1]) / ((self.high[1] - self.low[1]) or 1)

    def ticks(self) -> list[Number]:
        """Three to six round values: multiples of 1, 2 or 5 times a power of ten."""
        span = max(self.high[1] - self.low[1], 1)
        power = 10 ** math.floor(math.log10(span / 4)) if span > 4 else 1
        step = next(power * n for n in (1, 2, 5, 10) if span / (power * n) <= 5)
        first = math.ceil(self.low[1] / step)
        return [n * step for n in range(first, math.floor(self.high[1] / step) + 1)]


def _svg(
    width: Number, height: Number, title: str, said: str, body: Iterable[Markup | str]
) -> Markup:
    """Frame the parts; every part is made here of numbers and of texts escaped by `_text`."""
    look = "ch-svg ch-svg--wide" if width > NARROW else "ch-svg"
    return Markup(
        f'<svg class="{look}" viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}" role="img" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{_plain(title)}</title>'
        f"<desc>{_plain(said)}</desc>{''.join(str(part) for part in body)}</svg>"
    )


def _plain(text: str) -> Markup:
    """Escape a text and keep it on one line: a blank line would end the picture inside Markdown."""
    return escape(" ".join(str(text).split()))


def _tip(text: str) -> str:
    return f"<title>{_plain(text)}</title>" if text else ""


def _text(x: Number, y: Number, text: str, *, anchor: str = "", look: str = "") -> str:
    where = f' text-anchor="{anchor}"' if anchor else ""
    kind = f' class="{look}"' if look else ""
    return f'<text x="{_n(x)}" y="{_n(y)}"{where}{kind}>{_plain(text)}</text>' if text else ""


def _player(colour: int, nobody: str = "p0") -> str:
    return f"p{(colour - 1) % PLAYERS + 1}" if colour > 0 else nobody


def _n(value: Number) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _cut(text: str, most: int) -> str:
    text = " ".join(str(text).split())
    return text if len(text) <= most else text[: max(most - 1, 1)].rstrip() + "…"


def _text_width(text: str) -> float:
    return 6.6 * len(text)


def _guide(scale: _Scale, value: Number) -> str:
    left, _, right, _ = scale.box
    y = scale.y(value)
    line = f'<path class="guide" d="M{_n(left)} {_n(y)}H{_n(right)}"/>'
    return line + _text(left - 8, y + 4, _n(value).replace("-", "−"), anchor="end")


def _x_axis(scale: _Scale, labels: Sequence[Label], height: Number) -> list[str]:
    left, _, right, bottom = scale.box
    parts = [f'<path class="axis" d="M{_n(left)} {_n(bottom)}H{_n(right)}"/>']
    ends = [scale.x(label.x) for label in labels[1:]] + [float(right)]
    for label, end in zip(labels, ends[: len(labels)], strict=True):
        x = scale.x(label.x)
        parts.append(f'<path class="axis" d="M{_n(x)} {_n(bottom)}v5"/>')
        room = int((end - x) / 6.6)
        text = label.text if room >= len(label.text) else _number_of(label.text)
        if room >= len(text):
            parts.append(_text((x + end) / 2, height - 8, text, anchor="middle"))
    return parts


def _number_of(text: str) -> str:
    """The last word of a label that has no room for more, if it is a number (``session 12``)."""
    last = text.rpartition(" ")[2]
    return last if last.isdigit() else _cut(text, 12)


def _steps(scale: _Scale, points: Sequence[tuple[Number, Number]]) -> str:
    first, *rest = points
    path = f"M{_n(scale.x(first[0]))} {_n(scale.y(first[1]))}"
    path += "".join(f"H{_n(scale.x(x))}V{_n(scale.y(y))}" for x, y in rest)
    return path + f"H{_n(scale.box[2])}"


def _end_labels(scale: _Scale, series: Sequence[Series], top: Number, bottom: Number) -> list[str]:
    """Name each curve at its end; names are pushed apart, then up again from the lower edge."""
    gap = 15.0
    ordered = sorted(series, key=lambda one: -one.points[-1][1])
    places: list[float] = []
    for one in ordered:
        y = scale.y(one.points[-1][1])
        places.append(max(y, places[-1] + gap) if places else max(y, float(top)))
    limit = float(bottom)
    for index in range(len(places) - 1, -1, -1):
        places[index] = min(places[index], limit)
        limit = places[index] - gap
    parts = []
    right = scale.box[2]
    for one, place in zip(ordered, places, strict=True):
        y = scale.y(one.points[-1][1])
        name = _text(right + 16, place + 4, _cut(f"{one.name}", 9), look="t-player")
        leader = f'<path class="leader" d="M{_n(right + 2)} {_n(y)}L{_n(right + 13)} {_n(place)}"/>'
        parts.append(f'<g class="{_player(one.colour)}">{leader}{name}</g>')
    return parts


def _marks(scale: _Scale, series: Series, marks: Sequence[Mark]) -> list[str]:
    """Put marks on a curve; words stand above a rise and below a fall, clear of the edges."""
    parts = []
    left, _, right, _ = scale.box
    for mark in marks:
        value = next((y for x, y in reversed(series.points) if x <= mark.x), series.points[0][1])
        x, y = scale.x(mark.x), scale.y(value)
        look = f"mark mark--{mark.kind}" if mark.kind in ("up", "down") else "mark"
        parts.append(f'<circle class="{look}" cx="{_n(x)}" cy="{_n(y)}" r="4.5"/>')
        text = _cut(mark.text, 34)
        half = _text_width(text) / 2
        centre = min(max(x, left + half), right - half)
        parts.append(
            _text(centre, y + 20 if mark.kind == "down" else y - 10, text, anchor="middle")
        )
    return parts


def _arc(centre: float, inner: float, outer: float, start: float, end: float) -> str:
    """Return the outline of a sector between two radii, from turn `start` to `end` (0 is up)."""
    end = min(end, start + 0.9999)
    large = int(end - start > 0.5)

    def at(radius: float, turn: float) -> str:
        angle = math.tau * turn
        return f"{_n(centre + radius * math.sin(angle))} {_n(centre - radius * math.cos(angle))}"

    return (
        f"M{at(outer, start)}A{_n(outer)} {_n(outer)} 0 {large} 1 {at(outer, end)}"
        f"L{at(inner, end)}A{_n(inner)} {_n(inner)} 0 {large} 0 {at(inner, start)}Z"
    )
