"""Charts as small inline SVG pictures, drawn by pure functions.

Every function takes frozen dataclasses and returns `Markup`: one `<svg role="img">` with a title and
a description. The classes of `charts.css` (`p1` to `p8`) colour it. Every text is escaped; there is
no script and no inline style. Each colour also has a shape. Pictures are never scaled down: a chart too
wide for a phone is drawn a second time, each line on a strip of its own (`strips`, `lane_strips`). Pages
show the same data beside each chart, as a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap

from markupsafe import Markup, escape

from chronicle.core.doubts import Doubt, doubt_after
from chronicle.site.emblems import Emblem, placed
from chronicle.site.tally import in_doubt
from chronicle.words import word

Number = int | float

PLAYERS = 8
DASHES = 6
# How wide a strip is drawn: as wide as the narrowest phone has room for.
NARROW = 290
NAMED = 26
"""Longer names are cut at the ends of curves."""


@dataclass(frozen=True, slots=True)
class Series:
    """A curve: its name, the seat of its player (0: no player) and its points (x, value)."""

    name: str
    colour: int
    points: tuple[tuple[Number, Number], ...]
    doubts: tuple[Doubt, ...] = ()
    """Where its value is not known. Each begins and ends at a point, or never ends."""

    def level(self, x: Number) -> Number:
        """The value at a place on the x axis."""
        return next((y for start, y in reversed(self.points) if start <= x), self.points[0][1])

    @property
    def is_known_at_end(self) -> bool:
        """Whether its last value is known."""
        return all(doubt.end for doubt in self.doubts)

    @property
    def known(self) -> tuple[tuple[Number, Number], ...]:
        """The points whose value is known."""
        return tuple(point for point in self.points if doubt_after(self.doubts, point[0]) is None)

    @property
    def last(self) -> str:
        """Its last value in words."""
        x, value = self.points[-1]
        return self.in_words(x + 1, value)

    def in_words(self, x: Number, value: Number) -> str:
        """A value at a place on the x axis in words, as far as it is known."""
        doubt = doubt_after(self.doubts, x)
        return _n(value) if doubt is None else in_doubt(_n(value), doubt)


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
class Head:
    """The name of a lane or of a column, and where it leads."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A presence in a lane: row and column (from 0), whose colour, a letter that says so without it."""

    row: int
    column: int
    colour: int = 0
    text: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Sector:
    """A part of a ring: its label, whether it is filled, whose colour, and who is there."""

    label: str
    on: bool = False
    colour: int = 0
    people: tuple[Emblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Ring:
    """One Layer: its name and its sectors; the first ring given is the innermost."""

    name: str
    sectors: tuple[Sector, ...]


def step_lines(
    series: Sequence[Series],
    x_labels: Sequence[Label] = (),
    guides: Sequence[Number] = (),
    *,
    marks: Sequence[Mark] = (),
    title: str = word("site.balances"),
    width: int = 640,
    height: int = 260,
) -> Markup:
    """Draw balances that jump at actions: one line per series, named at its end.

    Names keep a line's height between them; a name that had to move has a line to its curve. Marks belong
    to the first series. Without any point the picture is an empty frame.
    """
    points = [point for line in series for point in line.points]
    longest = max((_text_width(_cut(line.name, NAMED)) for line in series), default=0)
    room = math.ceil(longest) + 34 if len(series) > 1 else 16
    left, right, top, bottom = 34, room, 28 if marks else 14, 30
    # A little room after the last reading, so that a jump there still has a level to land on.
    last = max((x for x, _ in points), default=0)
    reach = [(last + max(last - points[0][0], 1) * 0.03, points[0][1])] if points else []
    scale = _Scale.of([*points, *reach], guides, (left, top, width - right, height - bottom))
    lines = guides if len(guides) > 1 else sorted({*guides, *scale.ticks()})
    body = [_silence(scale, series), *(_guide(scale, value) for value in lines)]
    body += _x_axis(scale, x_labels, height)
    for index, line in enumerate(series):
        if line.points:
            dash = index % DASHES + 1
            classes = f"curve dash{dash}" if dash > 1 else "curve"
            path = "".join(_steps(scale, part) for part in _parts(scale, line))
            curve = f'<path class="{classes}" d="{path}"/>{_unknown(scale, line)}'
            body.append(f'<g class="{_player(line.colour)}">{curve}</g>')
    if len(series) > 1:
        ends = [(line, index) for index, line in enumerate(series) if line.points]
        body += _end_labels(scale, ends, top, height - bottom)
    if series and series[0].points:
        body += _marks(scale, series[0], marks)
    description = "; ".join(
        word("site.ends_at", name=line.name, value=line.last) for line in series if line.points
    )
    return _svg(width, height, title, description, body)


def strips(
    series: Sequence[Series],
    x_labels: Sequence[Label] = (),
    guides: Sequence[Number] = (),
    *,
    title: str = word("site.balances"),
) -> list[Markup]:
    """Draw each curve on a strip of its own, all to one scale, the highest and lowest value named.
    The last strip says when it was. For places where the curves have no room beside each other."""
    drawable = [line for line in series if line.points]
    points = [point for line in drawable for point in line.points]
    drawings: list[Markup] = []
    for line in drawable:
        last = line is drawable[-1]
        top, floor, tall = 18, 60, 92 if last and x_labels else 74
        scale = _Scale.of(points, guides, (1, top, NARROW - 1, floor))
        paths = [_steps(scale, part) for part in _parts(scale, line)]
        base = _n(scale.y(min(0, scale.low[1])))
        labels = _from(scale, x_labels)
        body: list[str] = []
        body += [
            f'<path class="axis" d="M{_n(scale.x(x.x))} {top - 8}V{floor}"/>' for x in labels[1:]
        ]
        body += [f'<path class="guide" d="M1 {_n(scale.y(y))}H{NARROW - 1}"/>' for y in guides[:1]]
        for path in paths:
            start, _, remainder = path.partition(" ")
            body.append(f'<path class="area" d="{start} {base}V{remainder}V{base}Z"/>')
            body.append(f'<path class="curve" d="{path}"/>')
        body.append(_unknown(scale, line))
        highest = max(line.known, key=lambda point: point[1])
        low = min(line.known, key=lambda point: point[1])
        for (x, value), above in ((highest, True), (low, False))[
            : 2 if highest[1] != low[1] else 1
        ]:
            at, y = scale.x(x), scale.y(value)
            body.append(f'<circle class="mark" cx="{_n(at)}" cy="{_n(y)}" r="3.5"/>')
            words = _n(value).replace("-", "−")
            half_width = _text_width(words) / 2 + 2
            at = min(max(at, half_width), NARROW - half_width)
            body.append(_text(at, y - 7 if above else y + 15, words, anchor="middle", look="t-ink"))
        if last:
            for number, label in enumerate(labels):
                words = label.text if not number else _number_of(label.text)
                at = scale.x(label.x) + (3 if number else 0)
                body.append(_text(min(at, NARROW - _text_width(words)), tall - 6, words))
        description = word(
            "site.from_to_at_end", low=_n(low[1]), high=_n(highest[1]), last=line.last
        )
        inner = f'<g class="{_player(line.colour)}">{"".join(body)}</g>'
        drawings.append(_svg(NARROW, tall, f"{title}: {line.name}", description, [inner]))
    return drawings


def swim_lanes(
    rows: Sequence[Head],
    columns: Sequence[Head],
    cells: Iterable[Cell],
    *,
    title: str = word("site.appearances"),
    width: int = 640,
    numbered: bool = False,
) -> Markup:
    """Draw who appears where: a lane per row, a column per scene, a filled bar per appearance. Lanes and
    columns link to their pages. ``numbered`` columns show numbers instead of names.

    Cells outside the grid are left out, so that a partial record still draws.
    """
    name_width = lane_width(rows)
    step = (width - name_width) / max(len(columns), 1)
    right = name_width + step * len(columns)
    lane, top = 26, 26
    height = top + lane * len(rows) + 6
    body = []
    for index, head in enumerate(columns):
        words = str(index + 1) if numbered else head.text
        text = _text(name_width + step * (index + 0.5), 14, words, anchor="middle")
        body.append(_linked(text, head))
    for index, head in enumerate(rows):
        y = top + lane * index
        body.append(
            f'<rect class="lane" x="{_n(name_width)}" y="{y + 9}" '
            f'width="{_n(right - name_width)}" height="4"/>'
        )
        body.append(_linked(_text(0, y + 15.5, _cut(head.text, NAMED), look="t-ink"), head))
    descriptions = []
    for cell in _within(cells, rows, columns):
        x, y = name_width + step * cell.column + 1.5, top + lane * cell.row + 2
        head = columns[cell.column]
        tip = f"{cell.text}: {head.text}" if cell.text and head.url else cell.text
        bar = (
            f'<rect class="cell" x="{_n(x)}" y="{y}" rx="4" width="{_n(step - 3)}" height="18">'
            f"{_tip(tip)}</rect>"
        )
        if cell.letter and step > 9 * len(cell.letter) + 4:
            bar += _text(x + (step - 3) / 2, y + 13.5, cell.letter, anchor="middle", look="t-on")
        body.append(f'<g class="{_player(cell.colour)}">{_linked(bar, head)}</g>')
        descriptions.append(word("site.appears_in", name=rows[cell.row].text, scene=head.text))
    return _svg(width, height, title, "; ".join(descriptions), body)


def lane_width(rows: Sequence[Head]) -> int:
    """How much room the names of lanes take."""
    return 14 + math.ceil(max((_text_width(_cut(row.text, NAMED)) for row in rows), default=0))


def fits(rows: Sequence[Head], columns: Sequence[Head], width: int) -> bool:
    """Whether the names of columns fit side by side; otherwise they become numbers."""
    step = (width - lane_width(rows)) / max(len(columns), 1)
    return all(_text_width(column.text) + 8 <= step for column in columns)


def lane_strips(
    rows: Sequence[Head], columns: Sequence[Head], cells: Iterable[Cell], *, title: str = ""
) -> list[Markup]:
    """Draw each lane on a strip of its own, for places where names and columns have no room."""
    step = NARROW / max(len(columns), 1)
    cells_by_row: dict[int, list[Cell]] = {}
    for cell in _within(cells, rows, columns):
        cells_by_row.setdefault(cell.row, []).append(cell)
    drawings: list[Markup] = []
    for number, row in enumerate(rows):
        body = [f'<rect class="lane" x="0" y="6" width="{NARROW}" height="4"/>']
        body += [
            f'<g class="{_player(cell.colour)}"><rect class="cell" x="{_n(step * cell.column + 0.5)}" '
            f'y="1" rx="2" width="{_n(step - 1)}" height="14"/></g>'
            for cell in cells_by_row.get(number, ())
        ]
        description = ", ".join(columns[cell.column].text for cell in cells_by_row.get(number, ()))
        drawings.append(
            _svg(NARROW, 16, f"{title}: {row.text}", description or word("site.nowhere"), body)
        )
    return drawings


def _within(cells: Iterable[Cell], rows: Sequence[Head], columns: Sequence[Head]) -> Iterable[Cell]:
    return (c for c in cells if 0 <= c.row < len(rows) and 0 <= c.column < len(columns))


def _linked(drawn: str, head: Head) -> str:
    """Something drawn that leads to what it is about."""
    return f'<a href="{_plain(head.url)}">{drawn}</a>' if head.url and drawn else drawn


def rings(layers: Sequence[Ring], *, title: str = word("site.layers"), width: int = 320) -> Markup:
    """Draw Layers as rings round a centre, each divided into sectors; the first is innermost."""
    body: list[Markup | str] = []
    descriptions = []
    centre = width / 2
    hole = 22.0
    face = 15.0 if width > 400 else 9.0
    thick = (centre - 6 - hole) / max(len(layers), 1)
    for depth, ring in enumerate(layers):
        inner, outer = hole + thick * depth + 2, hole + thick * (depth + 1)
        count = max(len(ring.sectors), 1)
        for index, sector in enumerate(ring.sectors):
            turn = (index / count, (index + 1) / count)
            classes = "sector sector--on" if sector.on else "sector"
            body.append(
                f'<g class="{_player(sector.colour, "")}"><path class="{classes}" '
                f'd="{_arc(centre, inner, outer, *turn)}">{_tip(sector.label)}</path></g>'
            )
            angle = math.tau * (turn[0] + turn[1]) / 2
            middle = (inner + outer) / 2
            # Beside the centre a label has the ring's thickness, above and below it the arc's length.
            wide = thick / max(abs(math.sin(angle)), 0.45)
            room = int(min(wide, math.tau * middle / count) / 7)
            lines = [_cut(line, room) for line in wrap(sector.label, max(room, 1))]
            lines = lines[:2] if room >= 2 else []
            x, y = centre + middle * math.sin(angle), centre - middle * math.cos(angle) + 4
            shown_people = sector.people[: max(1, int(wide / (2 * face + 4)))]
            y -= face + 4 if shown_people else 0
            for place, emblem in enumerate(shown_people):
                at = x + (place - (len(shown_people) - 1) / 2) * (2 * face + 4)
                body.append(placed(emblem, at, y + face + (17 if len(lines) > 1 else 10), face))
            classes = "t-on" if sector.on else "t-ink"
            y -= 7 * (len(lines) - 1)
            for number, text in enumerate(lines):
                body.append(_text(x, y + 15 * number, text, anchor="middle", look=classes))
        filled = [sector.label for sector in ring.sectors if sector.on]
        there_too = [
            f"{', '.join(person.name for person in sector.people)} in {sector.label}"
            for sector in ring.sectors
            if sector.people
        ]
        descriptions.append(f"{ring.name}: {', '.join([*filled, *there_too]) or 'empty'}")
    return _svg(width, width, title, "; ".join(descriptions), body)


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
        known_points = list(points) or [(0, 0)]
        xs = [x for x, _ in known_points]
        ys = [*(y for _, y in known_points), *guides, 0]
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
    width: Number, height: Number, title: str, description: str, body: Iterable[Markup | str]
) -> Markup:
    """Frame the parts; every part is made here of numbers and of texts escaped by `_text`."""
    inside = "".join(str(part) for part in body)
    # A screen reader would not read out the links inside a single picture.
    role = "group" if "<a " in inside else "img"
    return Markup(
        f'<svg class="ch-svg" viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}" role="{role}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{_plain(title)}</title>'
        f"<desc>{_plain(description)}</desc>{inside}</svg>"
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


def _player(colour: int, fallback: str = "p0") -> str:
    return f"p{(colour - 1) % PLAYERS + 1}" if colour > 0 else fallback


def _n(value: Number) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _cut(text: str, limit: int) -> str:
    text = " ".join(str(text).split())
    return text if len(text) <= limit else text[: max(limit - 1, 1)].rstrip() + "…"


def _text_width(text: str) -> float:
    return 6.6 * len(text)


def _guide(scale: _Scale, value: Number) -> str:
    left, _, right, _ = scale.box
    y = scale.y(value)
    line = f'<path class="guide" d="M{_n(left)} {_n(y)}H{_n(right)}"/>'
    return line + _text(left - 8, y + 4, _n(value).replace("-", "−"), anchor="end")


def _from(scale: _Scale, labels: Sequence[Label]) -> list[Label]:
    """The labels that hold anywhere in the picture: of those before its beginning, the last one."""
    first = scale.low[0]
    earlier_labels = [label for label in labels if label.x <= first][-1:]
    return [
        *(Label(first, label.text) for label in earlier_labels),
        *(label for label in labels if first < label.x <= scale.high[0]),
    ]


def _x_axis(scale: _Scale, labels: Sequence[Label], height: Number) -> list[str]:
    left, _, right, bottom = scale.box
    parts = [f'<path class="axis" d="M{_n(left)} {_n(bottom)}H{_n(right)}"/>']
    labels = _from(scale, labels)
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
    path = f"M{_n(scale.x(points[0][0]))} {_n(scale.y(points[0][1]))}"
    return path + "".join(
        f"H{_n(scale.x(x))}" + (f"V{_n(scale.y(y))}" if y != level else "")
        for (_, level), (x, y) in pairwise(points)
    )


def _between(
    scale: _Scale, line: Series, start: Number, end: Number
) -> list[tuple[Number, Number]]:
    """The points of a curve from one place to another; an ``end`` of 0 is the edge of the picture."""
    end = end or scale.high[0]
    inner = [(x, y) for x, y in line.points if start < x < end]
    return [(start, line.level(start)), *inner, (end, line.level(end))]


def _parts(scale: _Scale, line: Series) -> Iterator[list[tuple[Number, Number]]]:
    """The known parts of a curve."""
    start = line.points[0][0]
    for doubt in line.doubts:
        if doubt.start > start:
            yield _between(scale, line, start, doubt.start)
        if not doubt.end:
            return
        start = max(start, doubt.end)
    yield _between(scale, line, start, 0)


def _unknown(scale: _Scale, line: Series) -> str:
    """The parts of a curve that are not known: dots from the last known value to the next, with a ring at each.
    An upper bound keeps its steps."""
    drawn = []
    for doubt in line.doubts:
        points = _between(scale, line, doubt.start, doubt.end)
        first, last = points[0], points[-1]
        if doubt.is_bound:
            path = _steps(scale, points)
        else:
            level = last[1] if doubt.end else first[1]
            path = _steps(scale, [first]) + f"L{_n(scale.x(last[0]))} {_n(scale.y(level))}"
        drawn.append(f'<path class="unknown" d="{path}"/>')
        drawn += [
            f'<circle class="ring" cx="{_n(scale.x(x))}" cy="{_n(scale.y(y))}" r="3"/>'
            for x, y in (first, *([last] if doubt.end else []))
            if doubt_after(line.doubts, x) is None
        ]
    return "".join(drawn)


def _silence(scale: _Scale, series: Sequence[Series]) -> str:
    """Bands over the parts in which no curve is known."""
    drawn_series = [line for line in series if line.points]
    xs = {x for line in drawn_series for doubt in line.doubts for x in (doubt.start, doubt.end)}
    ends = sorted({x for x in xs if x} | {scale.low[0], scale.high[0]})
    _, top, _, bottom = scale.box
    return "".join(
        f'<rect class="silent" x="{_n(scale.x(start))}" y="{_n(top)}" '
        f'width="{_n(scale.x(end) - scale.x(start))}" height="{_n(bottom - top)}">'
        f"{_tip(word('site.silence'))}</rect>"
        for start, end in pairwise(ends)
        if all(
            any(doubt.covers((start + end) / 2) and not doubt.is_bound for doubt in line.doubts)
            for line in drawn_series
        )
    )


def _end_labels(
    scale: _Scale, series: Sequence[tuple[Series, int]], top: Number, bottom: Number
) -> list[str]:
    """Name each curve at its end, with a shape of its own before the name; names are pushed apart, then
    up again from the lower edge."""
    gap = 16.0
    ordered = sorted(series, key=lambda pair: -_end(pair[0]))
    places: list[float] = []
    for line, _ in ordered:
        y = scale.y(_end(line))
        places.append(max(y, places[-1] + gap) if places else max(y, float(top)))
    limit = float(bottom)
    for index in range(len(places) - 1, -1, -1):
        places[index] = min(places[index], limit)
        limit = places[index] - gap
    parts = []
    right = scale.box[2]
    for (line, number), place in zip(ordered, places, strict=True):
        y = scale.y(_end(line))
        name = _text(right + 28, place + 4.5, _cut(line.name, NAMED), look="t-player")
        leader = f'<path class="leader" d="M{_n(right + 2)} {_n(y)}L{_n(right + 12)} {_n(place)}"/>'
        shape = f'<path class="shape" d="{_shape(number, right + 18, place)}"/>'
        parts.append(f'<g class="{_player(line.colour)}">{leader}{shape}{name}</g>')
    return parts


def _end(one: Series) -> Number:
    """Where a curve ends: at its last value, or at the last that is known."""
    if one.is_known_at_end or one.doubts[-1].is_bound:
        return one.points[-1][1]
    return one.level(one.doubts[-1].start)


def _shape(number: int, x: float, y: float) -> str:
    """One of six small shapes."""
    position = f"M{_n(x)} {_n(y)}"
    shapes = (
        "m-4 0a4 4 0 1 0 8 0 4 4 0 1 0-8 0Z",
        "m-4-4h8v8h-8Z",
        "m0-5 5 5-5 5-5-5Z",
        "m0-5 5 9h-10Z",
        "m-4-1.5h2.5v-2.5h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5Z",
        "m0 5-5-9h10Z",
    )
    return position + shapes[number % len(shapes)]


def _marks(scale: _Scale, series: Series, marks: Sequence[Mark]) -> list[str]:
    """Put marks on a curve. Words are above a rise and below a fall, inside the picture. A short mark moves
    to a place that is free of the curve and of other marks."""
    parts = []
    left, _, right, _ = scale.box
    obstacles = [*_strokes(scale, series.points)]
    for mark in marks:
        x = scale.x(mark.x)
        value = next((y for at, y in reversed(series.points) if at <= mark.x), series.points[0][1])
        y = scale.y(value)
        obstacles.append((x - DOT, y - DOT, x + DOT, y + DOT))
    for mark in marks:
        value = next((y for x, y in reversed(series.points) if x <= mark.x), series.points[0][1])
        x, y = scale.x(mark.x), scale.y(value)
        classes = f"mark mark--{mark.kind}" if mark.kind in ("up", "down") else "mark"
        parts.append(f'<circle class="{classes}" cx="{_n(x)}" cy="{_n(y)}" r="4.5"/>')
        text = _cut(mark.text, 34)
        half_width = _text_width(text) / 2
        centre = min(max(x, left + half_width), right - half_width)
        above, below = y - 10, y + 20
        usual = (centre, below if mark.kind == "down" else above)
        places = [usual]
        if half_width < SHORT:
            places += [
                (x + side * distance, base)
                for distance, side, base in _places_around(half_width, y)
            ]
        free = (
            candidate
            for candidate in places
            if _is_free(_frame(*candidate, half_width), obstacles, scale.box)
        )
        place = next(free, usual)
        obstacles.append(_frame(*place, half_width))
        parts.append(_text(*place, text, anchor="middle"))
    return parts


_Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge."""
DOT = 4.5
"""The radius of a mark."""
SHORT = 12.0
"""Half the width up to which words move aside, such as a number; longer words would cover more."""


def _places_around(half_width: float, y: float) -> Iterator[tuple[float, int, float]]:
    """Places for short words around a mark, the nearest first: distance, side, and baseline."""
    for further in (0.0, 8.0, 16.0, 24.0):
        for base in (y - 10 - further, y + 20 + further):
            for side in (0, 1, -1):
                yield half_width + 6, side, base
        for side in (1, -1):
            yield half_width + 8 + further, side, y + 4


def _strokes(scale: _Scale, points: Sequence[tuple[Number, Number]]) -> Iterator[_Box]:
    """The straight parts of a curve that jumps, as boxes without any width or height."""
    (first_x, first_y), *later_points = [(scale.x(x), scale.y(y)) for x, y in points]
    for x, y in later_points:
        yield first_x, first_y, x, first_y
        yield x, min(first_y, y), x, max(first_y, y)
        first_x, first_y = x, y
    yield first_x, first_y, scale.box[2], first_y


def _frame(centre: float, base: float, half_width: float) -> _Box:
    """What words take up on a baseline."""
    return centre - half_width - 1, base - 11, centre + half_width + 1, base + 3


def _is_free(box: _Box, obstacles: Iterable[_Box], within: _Box) -> bool:
    """Whether nothing that is taken reaches into a box, and it does not leave the picture."""
    left, upper, right, lower = box
    if left < within[0] or right > within[2] or upper < 0 or lower > within[3]:
        return False
    return not any(a < right and c > left and b < lower and d > upper for a, b, c, d in obstacles)


def _arc(centre: float, inner: float, outer: float, start: float, end: float) -> str:
    """Return the outline of a sector between two radii, from turn `start` to `end` (0 is up)."""
    end = min(end, start + 0.9999)
    large = int(end - start > 0.5)

    def point_at(radius: float, turn: float) -> str:
        angle = math.tau * turn
        return f"{_n(centre + radius * math.sin(angle))} {_n(centre - radius * math.cos(angle))}"

    if (
        end - start > 0.999
    ):  # all round: two circles, with nothing between where one begins and ends
        return "".join(
            f"M{point_at(radius, 0)}A{_n(radius)} {_n(radius)} 0 1 {turn} {point_at(radius, 0.9999)}Z"
            for radius, turn in ((outer, 1), (inner, 1))
        )
    return (
        f"M{point_at(outer, start)}A{_n(outer)} {_n(outer)} 0 {large} 1 {point_at(outer, end)}"
        f"L{point_at(inner, end)}A{_n(inner)} {_n(inner)} 0 {large} 0 {point_at(inner, start)}Z"
    )
