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
from chronicle.site.emblems import Emblem, place_emblem
from chronicle.site.tally import amount_in_doubt
from chronicle.words import word

Number = int | float

COLOUR_COUNT = 8
DASH_COUNT = 6
# How wide a strip is drawn: as wide as the narrowest phone has room for.
STRIP_WIDTH = 290
MAX_NAME_LETTERS = 26
"""Longer names are cut at the ends of curves."""


@dataclass(frozen=True, slots=True)
class Series:
    """A curve: its name, the seat of its player (0: no player) and its points (x, value)."""

    name: str
    seat: int
    points: tuple[tuple[Number, Number], ...]
    doubts: tuple[Doubt, ...] = ()
    """Where its value is not known. Each begins and ends at a point, or never ends."""

    def value_at(self, x: Number) -> Number:
        """The value at a place on the x axis."""
        return next((y for start_x, y in reversed(self.points) if start_x <= x), self.points[0][1])

    @property
    def is_known_at_end(self) -> bool:
        """Whether its last value is known."""
        return all(doubt.end for doubt in self.doubts)

    @property
    def known_points(self) -> tuple[tuple[Number, Number], ...]:
        """The points whose value is known."""
        return tuple(point for point in self.points if doubt_after(self.doubts, point[0]) is None)

    @property
    def is_one_figure(self) -> bool:
        """Whether one figure is all that is known of it, so that a drawing says no more than words."""
        return (
            not self.is_known_at_end
            and not any(doubt.is_bound for doubt in self.doubts)
            and len({value for _, value in self.known_points}) == 1
        )

    @property
    def last_value_text(self) -> str:
        """Its last value in words."""
        x, value = self.points[-1]
        return self.in_words(x + 1, value)

    def last_known_text(self, x_labels: Sequence[AxisLabel]) -> str:
        """Its last value in words; of one that is not known, the last that is, and when that was."""
        last_x, _ = self.points[-1]
        doubt = doubt_after(self.doubts, last_x + 1)
        if doubt is None or doubt.is_bound:
            return self.last_value_text
        known_x, known_value = self.known_points[-1]
        label_texts = [label.text for label in x_labels if label.x <= known_x] or [
            label.text for label in x_labels[:1]
        ]
        value_text = _rounded_text(known_value)
        if not label_texts:
            return word("site.last_known", value=value_text)
        return word("site.last_known_in", value=value_text, when=label_texts[-1])

    def in_words(self, x: Number, value: Number) -> str:
        """A value at a place on the x axis in words, as far as it is known."""
        doubt = doubt_after(self.doubts, x)
        return (
            _rounded_text(value) if doubt is None else amount_in_doubt(_rounded_text(value), doubt)
        )


@dataclass(frozen=True, slots=True)
class AxisLabel:
    """A word on the x axis, from `x` on to the next label."""

    x: Number
    text: str


@dataclass(frozen=True, slots=True)
class CurveMark:
    """A moment on a curve worth a word: `direction` is "up", "down" or "" (neither good nor bad). It belongs to the
    series that is called `series_name`, else to the first."""

    x: Number
    text: str
    direction: str = ""
    series_name: str = ""


@dataclass(frozen=True, slots=True)
class LaneHeading:
    """The name of a lane or of a column, and where it leads."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class PresenceCell:
    """A presence in a lane: row and column (from 0), whose colour, a letter that says so without it."""

    row_index: int
    column_index: int
    seat: int = 0
    person_name: str = ""
    letter: str = ""


@dataclass(frozen=True, slots=True)
class RingSector:
    """A part of a ring: its label, whether it is filled, whose colour, and who is there."""

    label: str
    is_filled: bool = False
    seat: int = 0
    people: tuple[Emblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Ring:
    """One Layer: its name and its sectors; the first ring given is the innermost."""

    name: str
    sectors: tuple[RingSector, ...]


def draw_step_lines(
    series: Sequence[Series],
    x_labels: Sequence[AxisLabel] = (),
    guides: Sequence[Number] = (),
    *,
    marks: Sequence[CurveMark] = (),
    title: str = word("site.balances"),
    width: int = 640,
    height: int = 260,
) -> Markup:
    """Draw balances that jump at actions: one line per series, named at its end.

    Names keep a line's height between them; a name that had to move has a line to its curve. Marks belong
    to their owner's series. Without any point the picture is an empty frame.
    """
    points = [point for curve in series for point in curve.points]
    longest_name_width = max(
        (_text_width(_shortened_text(curve.name, MAX_NAME_LETTERS)) for curve in series), default=0
    )
    name_width = math.ceil(longest_name_width) + 34 if len(series) > 1 else 16
    left_margin, right_margin, top_margin, bottom_margin = 34, name_width, 28 if marks else 14, 30
    # A little room after the last reading, so that a jump there still has a level to land on.
    last_x = max((x for x, _ in points), default=0)
    end_points = [(last_x + max(last_x - points[0][0], 1) * 0.03, points[0][1])] if points else []
    scale = _Scale.from_points(
        [*points, *end_points],
        guides,
        (left_margin, top_margin, width - right_margin, height - bottom_margin),
    )
    guide_values = guides if len(guides) > 1 else sorted({*guides, *scale.ticks()})
    svg_parts = [
        _unknown_bands(scale, series),
        *(_guide_line(scale, guide_value) for guide_value in guide_values),
    ]
    svg_parts += _x_axis_parts(scale, x_labels, height)
    for curve_index, curve_series in enumerate(series):
        if curve_series.points:
            dash = curve_index % DASH_COUNT + 1
            css_classes = f"curve dash{dash}" if dash > 1 else "curve"
            path_data = "".join(
                _step_path(scale, known_points)
                for known_points in _known_parts(scale, curve_series)
            )
            curve_svg = f'<path class="{css_classes}" d="{path_data}"/>{_unknown_parts(scale, curve_series)}'
            svg_parts.append(f'<g class="{_player_class(curve_series.seat)}">{curve_svg}</g>')
    if len(series) > 1:
        named_series = [
            (curve, curve_index) for curve_index, curve in enumerate(series) if curve.points
        ]
        svg_parts += _end_labels(scale, named_series, top_margin, height - bottom_margin)
    drawn_series = [curve for curve in series if curve.points]
    if drawn_series:
        svg_parts += _draw_marks(scale, drawn_series, marks)
    description = "; ".join(
        word("site.ends_at", name=curve.name, value=curve.last_value_text)
        for curve in series
        if curve.points
    )
    return _svg(width, height, title, description, svg_parts)


def draw_curve_strips(
    series: Sequence[Series],
    x_labels: Sequence[AxisLabel] = (),
    guides: Sequence[Number] = (),
    *,
    title: str = word("site.balances"),
) -> list[Markup]:
    """Draw each curve on a strip of its own, all to one scale, the highest and lowest value named.
    Each says when it was. For places where the curves have no room beside each other."""
    drawn_curves = [curve for curve in series if curve.points]
    points = [point for curve in drawn_curves for point in curve.points]
    drawings: list[Markup] = []
    for curve_series in drawn_curves:
        top, bottom, strip_height = 18, 60, 92 if x_labels else 74
        scale = _Scale.from_points(points, guides, (1, top, STRIP_WIDTH - 1, bottom))
        path_data_of_parts = [
            _step_path(scale, known_points) for known_points in _known_parts(scale, curve_series)
        ]
        zero_y = _rounded_text(scale.picture_y(min(0, scale.low_point[1])))
        labels = _labels_in_picture(scale, x_labels)
        svg_parts: list[str] = []
        svg_parts += [
            f'<path class="axis" d="M{_rounded_text(scale.picture_x(axis_label.x))} {top - 8}V{bottom}"/>'
            for axis_label in labels[1:]
        ]
        svg_parts += [
            f'<path class="guide" d="M1 {_rounded_text(scale.picture_y(guide_value))}H{STRIP_WIDTH - 1}"/>'
            for guide_value in guides[:1]
        ]
        for path_data in path_data_of_parts:
            path_start, _, path_rest = path_data.partition(" ")
            svg_parts.append(
                f'<path class="area" d="{path_start} {zero_y}V{path_rest}V{zero_y}Z"/>'
            )
            svg_parts.append(f'<path class="curve" d="{path_data}"/>')
        svg_parts.append(_unknown_parts(scale, curve_series))
        highest_point = max(curve_series.known_points, key=lambda point: point[1])
        lowest_point = min(curve_series.known_points, key=lambda point: point[1])
        for (x, curve_value), is_label_above in ((highest_point, True), (lowest_point, False))[
            : 2 if highest_point[1] != lowest_point[1] else 1
        ]:
            label_x, y = scale.picture_x(x), scale.picture_y(curve_value)
            svg_parts.append(
                f'<circle class="mark" cx="{_rounded_text(label_x)}" cy="{_rounded_text(y)}" r="3.5"/>'
            )
            label_text = _rounded_text(curve_value).replace("-", "−")
            half_width = _text_width(label_text) / 2 + 2
            label_x = min(max(label_x, half_width), STRIP_WIDTH - half_width)
            svg_parts.append(
                _text_element(
                    label_x,
                    y - 7 if is_label_above else y + 15,
                    label_text,
                    text_anchor="middle",
                    css_class="t-ink",
                )
            )
        svg_parts += _strip_axis_words(scale, labels, strip_height - 6)
        description = word(
            "site.from_to_at_end",
            low=_rounded_text(lowest_point[1]),
            high=_rounded_text(highest_point[1]),
            last=curve_series.last_value_text,
        )
        group_svg = f'<g class="{_player_class(curve_series.seat)}">{"".join(svg_parts)}</g>'
        drawings.append(
            _svg(
                STRIP_WIDTH, strip_height, f"{title}: {curve_series.name}", description, [group_svg]
            )
        )
    return drawings


def draw_swim_lanes(
    lane_headings: Sequence[LaneHeading],
    column_headings: Sequence[LaneHeading],
    presence_cells: Iterable[PresenceCell],
    *,
    title: str = word("site.appearances"),
    width: int = 640,
    shows_numbers: bool = False,
) -> Markup:
    """Draw who appears where: a lane per row, a column per scene, a filled bar per appearance. Lanes and
    columns link to their pages. ``shows_numbers`` columns show numbers instead of names.

    Cells outside the grid are left out, so that a partial record still draws.
    """
    name_width = lane_name_width(lane_headings)
    column_width = (width - name_width) / max(len(column_headings), 1)
    right_edge = name_width + column_width * len(column_headings)
    lane_height, top = 26, 26
    height = top + lane_height * len(lane_headings) + 6
    svg_parts = []
    for heading_index, heading in enumerate(column_headings):
        column_text = str(heading_index + 1) if shows_numbers else heading.text
        column_title = _text_element(
            name_width + column_width * (heading_index + 0.5), 14, column_text, text_anchor="middle"
        )
        svg_parts.append(_as_link(column_title, heading))
    for heading_index, heading in enumerate(lane_headings):
        y = top + lane_height * heading_index
        svg_parts.append(
            f'<rect class="lane" x="{_rounded_text(name_width)}" y="{y + 9}" '
            f'width="{_rounded_text(right_edge - name_width)}" height="4"/>'
        )
        svg_parts.append(
            _as_link(
                _text_element(
                    0, y + 15.5, _shortened_text(heading.text, MAX_NAME_LETTERS), css_class="t-ink"
                ),
                heading,
            )
        )
    descriptions = []
    for presence_cell in _cells_inside(presence_cells, lane_headings, column_headings):
        x, y = (
            name_width + column_width * presence_cell.column_index + 1.5,
            top + lane_height * presence_cell.row_index + 2,
        )
        heading = column_headings[presence_cell.column_index]
        tooltip = (
            f"{presence_cell.person_name}: {heading.text}"
            if presence_cell.person_name and heading.url
            else presence_cell.person_name
        )
        bar_svg = (
            f'<rect class="cell" x="{_rounded_text(x)}" y="{y}" rx="4" '
            f'width="{_rounded_text(column_width - 3)}" height="18">'
            f"{_title_element(tooltip)}</rect>"
        )
        if presence_cell.letter and column_width > 9 * len(presence_cell.letter) + 4:
            bar_svg += _text_element(
                x + (column_width - 3) / 2,
                y + 13.5,
                presence_cell.letter,
                text_anchor="middle",
                css_class="t-on",
            )
        svg_parts.append(
            f'<g class="{_player_class(presence_cell.seat)}">{_as_link(bar_svg, heading)}</g>'
        )
        descriptions.append(
            word(
                "site.appears_in",
                name=lane_headings[presence_cell.row_index].text,
                scene=heading.text,
            )
        )
    return _svg(width, height, title, "; ".join(descriptions), svg_parts)


def lane_name_width(lane_headings: Sequence[LaneHeading]) -> int:
    """How much room the names of lanes take."""
    return 14 + math.ceil(
        max(
            (
                _text_width(_shortened_text(lane_heading.text, MAX_NAME_LETTERS))
                for lane_heading in lane_headings
            ),
            default=0,
        )
    )


def column_names_fit(
    lane_headings: Sequence[LaneHeading], column_headings: Sequence[LaneHeading], width: int
) -> bool:
    """Whether the names of columns fit side by side; otherwise they become numbers."""
    column_width = (width - lane_name_width(lane_headings)) / max(len(column_headings), 1)
    return all(_text_width(column.text) + 8 <= column_width for column in column_headings)


def draw_lane_strips(
    lane_headings: Sequence[LaneHeading],
    column_headings: Sequence[LaneHeading],
    presence_cells: Iterable[PresenceCell],
    *,
    title: str = "",
) -> list[Markup]:
    """Draw each lane on a strip of its own, for places where names and columns have no room."""
    column_width = STRIP_WIDTH / max(len(column_headings), 1)
    cells_by_row: dict[int, list[PresenceCell]] = {}
    for cell in _cells_inside(presence_cells, lane_headings, column_headings):
        cells_by_row.setdefault(cell.row_index, []).append(cell)
    drawings: list[Markup] = []
    for row_index, lane_heading in enumerate(lane_headings):
        svg_parts = [f'<rect class="lane" x="0" y="6" width="{STRIP_WIDTH}" height="4"/>']
        svg_parts += [
            f'<g class="{_player_class(cell.seat)}"><rect class="cell" '
            f'x="{_rounded_text(column_width * cell.column_index + 0.5)}" y="1" rx="2" '
            f'width="{_rounded_text(column_width - 1)}" height="14"/></g>'
            for cell in cells_by_row.get(row_index, ())
        ]
        description = ", ".join(
            column_headings[cell.column_index].text for cell in cells_by_row.get(row_index, ())
        )
        drawings.append(
            _svg(
                STRIP_WIDTH,
                16,
                f"{title}: {lane_heading.text}",
                description or word("site.nowhere"),
                svg_parts,
            )
        )
    return drawings


def _cells_inside(
    presence_cells: Iterable[PresenceCell],
    lane_headings: Sequence[LaneHeading],
    column_headings: Sequence[LaneHeading],
) -> Iterable[PresenceCell]:
    return (
        cell
        for cell in presence_cells
        if 0 <= cell.row_index < len(lane_headings)
        and 0 <= cell.column_index < len(column_headings)
    )


def _as_link(drawing: str, heading: LaneHeading) -> str:
    """Something drawn that leads to what it is about."""
    return (
        f'<a href="{_escaped_line(heading.url)}">{drawing}</a>'
        if heading.url and drawing
        else drawing
    )


def draw_rings(
    layer_rings: Sequence[Ring], *, title: str = word("site.layers"), width: int = 320
) -> Markup:
    """Draw Layers as rings round a centre, each divided into sectors; the first is innermost."""
    svg_parts: list[Markup | str] = []
    descriptions = []
    centre_x = width / 2
    hole_radius = 22.0
    emblem_radius = 15.0 if width > 400 else 9.0
    ring_thickness = (centre_x - 6 - hole_radius) / max(len(layer_rings), 1)
    for ring_index, ring in enumerate(layer_rings):
        inner_radius, outer_radius = (
            hole_radius + ring_thickness * ring_index + 2,
            hole_radius + ring_thickness * (ring_index + 1),
        )
        sector_count = max(len(ring.sectors), 1)
        for sector_index, sector in enumerate(ring.sectors):
            start_and_end_turn = (sector_index / sector_count, (sector_index + 1) / sector_count)
            css_classes = "sector sector--on" if sector.is_filled else "sector"
            svg_parts.append(
                f'<g class="{_player_class(sector.seat, "")}"><path class="{css_classes}" '
                f'd="{_sector_path(centre_x, inner_radius, outer_radius, *start_and_end_turn)}">'
                f"{_title_element(sector.label)}</path></g>"
            )
            angle = math.tau * (start_and_end_turn[0] + start_and_end_turn[1]) / 2
            middle_radius = (inner_radius + outer_radius) / 2
            # Beside the centre a label has the ring's thickness, above and below it the arc's length.
            label_room = ring_thickness / max(abs(math.sin(angle)), 0.45)
            letter_count = int(min(label_room, math.tau * middle_radius / sector_count) / 7)
            label_lines = [
                _shortened_text(label_line, letter_count)
                for label_line in wrap(sector.label, max(letter_count, 1))
            ]
            label_lines = label_lines[:2] if letter_count >= 2 else []
            x, y = (
                centre_x + middle_radius * math.sin(angle),
                centre_x - middle_radius * math.cos(angle) + 4,
            )
            shown_people = sector.people[: max(1, int(label_room / (2 * emblem_radius + 4)))]
            y -= emblem_radius + 4 if shown_people else 0
            for person_index, emblem in enumerate(shown_people):
                emblem_x = x + (person_index - (len(shown_people) - 1) / 2) * (
                    2 * emblem_radius + 4
                )
                svg_parts.append(
                    place_emblem(
                        emblem,
                        emblem_x,
                        y + emblem_radius + (17 if len(label_lines) > 1 else 10),
                        emblem_radius,
                    )
                )
            css_classes = "t-on" if sector.is_filled else "t-ink"
            y -= 7 * (len(label_lines) - 1)
            for line_index, label_line in enumerate(label_lines):
                svg_parts.append(
                    _text_element(
                        x,
                        y + 15 * line_index,
                        label_line,
                        text_anchor="middle",
                        css_class=css_classes,
                    )
                )
        filled_labels = [sector.label for sector in ring.sectors if sector.is_filled]
        people_texts = [
            f"{', '.join(person.name for person in sector.people)} in {sector.label}"
            for sector in ring.sectors
            if sector.people
        ]
        descriptions.append(f"{ring.name}: {', '.join([*filled_labels, *people_texts]) or 'empty'}")
    return _svg(width, width, title, "; ".join(descriptions), svg_parts)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps x and values to the box (left, top, right, bottom) of a picture."""

    low_point: tuple[Number, Number]
    high_point: tuple[Number, Number]
    picture_box: tuple[Number, Number, Number, Number]

    @classmethod
    def from_points(
        cls,
        points: Iterable[tuple[Number, Number]],
        guides: Sequence[Number],
        picture_box: tuple[Number, Number, Number, Number],
    ) -> _Scale:
        """Fit all points and guides; the values' scale always starts at 0 or below."""
        points_or_origin = list(points) or [(0, 0)]
        xs = [x for x, _ in points_or_origin]
        ys = [*(y for _, y in points_or_origin), *guides, 0]
        return cls((min(xs), min(ys)), (max(xs), max(ys)), picture_box)

    def picture_x(self, x_value: Number) -> float:
        left, _, right, _ = self.picture_box
        return left + (right - left) * (x_value - self.low_point[0]) / (
            (self.high_point[0] - self.low_point[0]) or 1
        )

    def picture_y(self, y_value: Number) -> float:
        _, top, _, bottom = self.picture_box
        return bottom - (bottom - top) * (y_value - self.low_point[1]) / (
            (self.high_point[1] - self.low_point[1]) or 1
        )

    def ticks(self) -> list[Number]:
        """Three to six round values: multiples of 1, 2 or 5 times a power of ten."""
        value_range = max(self.high_point[1] - self.low_point[1], 1)
        power_of_ten = 10 ** math.floor(math.log10(value_range / 4)) if value_range > 4 else 1
        tick_distance = next(
            power_of_ten * multiple
            for multiple in (1, 2, 5, 10)
            if value_range / (power_of_ten * multiple) <= 5
        )
        first_multiple = math.ceil(self.low_point[1] / tick_distance)
        return [
            multiple * tick_distance
            for multiple in range(
                first_multiple, math.floor(self.high_point[1] / tick_distance) + 1
            )
        ]


def _svg(
    width: Number, height: Number, title: str, description: str, svg_parts: Iterable[Markup | str]
) -> Markup:
    """Frame the parts; every part is made here of numbers and of texts escaped by `_text`."""
    svg_content = "".join(str(svg_part) for svg_part in svg_parts)
    # A screen reader would not read out the links inside a single picture.
    aria_role = "group" if "<a " in svg_content else "img"
    return Markup(
        f'<svg class="ch-svg" viewBox="0 0 {_rounded_text(width)} {_rounded_text(height)}" '
        f'width="{_rounded_text(width)}" '
        f'role="{aria_role}" xmlns="http://www.w3.org/2000/svg"><title>{_escaped_line(title)}</title>'
        f"<desc>{_escaped_line(description)}</desc>{svg_content}</svg>"
    )


def _escaped_line(text: str) -> Markup:
    """Escape a text and keep it on one line: a blank line would end the picture inside Markdown."""
    return escape(" ".join(str(text).split()))


def _title_element(text: str) -> str:
    return f"<title>{_escaped_line(text)}</title>" if text else ""


def _text_element(
    x: Number, y: Number, text: str, *, text_anchor: str = "", css_class: str = ""
) -> str:
    anchor_attribute = f' text-anchor="{text_anchor}"' if text_anchor else ""
    class_attribute = f' class="{css_class}"' if css_class else ""
    return (
        f'<text x="{_rounded_text(x)}" y="{_rounded_text(y)}"{anchor_attribute}{class_attribute}>'
        f"{_escaped_line(text)}</text>"
        if text
        else ""
    )


def _player_class(seat: int, fallback: str = "p0") -> str:
    return f"p{(seat - 1) % COLOUR_COUNT + 1}" if seat > 0 else fallback


def _rounded_text(value: Number) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _shortened_text(long_text: str, max_letters: int) -> str:
    long_text = " ".join(str(long_text).split())
    return (
        long_text
        if len(long_text) <= max_letters
        else long_text[: max(max_letters - 1, 1)].rstrip() + "…"
    )


def _text_width(text: str) -> float:
    return 6.6 * len(text)


def _guide_line(scale: _Scale, guide_value: Number) -> str:
    left, _, right, _ = scale.picture_box
    y = scale.picture_y(guide_value)
    guide_path = f'<path class="guide" d="M{_rounded_text(left)} {_rounded_text(y)}H{_rounded_text(right)}"/>'
    return guide_path + _text_element(
        left - 8, y + 4, _rounded_text(guide_value).replace("-", "−"), text_anchor="end"
    )


def _labels_in_picture(scale: _Scale, labels: Sequence[AxisLabel]) -> list[AxisLabel]:
    """The labels that hold anywhere in the picture: of those before its beginning, the last one."""
    first_x = scale.low_point[0]
    earlier_labels = [label for label in labels if label.x <= first_x][-1:]
    return [
        *(AxisLabel(first_x, label.text) for label in earlier_labels),
        *(label for label in labels if first_x < label.x <= scale.high_point[0]),
    ]


def _x_axis_parts(scale: _Scale, labels: Sequence[AxisLabel], height: Number) -> list[str]:
    left, _, right, bottom = scale.picture_box
    svg_parts = [
        f'<path class="axis" d="M{_rounded_text(left)} {_rounded_text(bottom)}H{_rounded_text(right)}"/>'
    ]
    labels = _labels_in_picture(scale, labels)
    label_end_xs = [scale.picture_x(label.x) for label in labels[1:]] + [float(right)]
    for label, end_x in zip(labels, label_end_xs[: len(labels)], strict=True):
        start_x = scale.picture_x(label.x)
        svg_parts.append(
            f'<path class="axis" d="M{_rounded_text(start_x)} {_rounded_text(bottom)}v5"/>'
        )
        letter_room = int((end_x - start_x) / 6.6)
        shown_text = (
            label.text if letter_room >= len(label.text) else _number_or_shortened(label.text)
        )
        if letter_room >= len(shown_text):
            svg_parts.append(
                _text_element((start_x + end_x) / 2, height - 8, shown_text, text_anchor="middle")
            )
    return svg_parts


def _strip_axis_words(scale: _Scale, labels: Sequence[AxisLabel], y: Number) -> Iterator[str]:
    """The words below the last strip: the first in full where there is room, then numbers, none upon another."""
    start_xs = [
        scale.picture_x(label.x) + (3 if label_index else 0)
        for label_index, label in enumerate(labels)
    ]
    first_free_x = 0.0
    for label_index, (label, start_x) in enumerate(zip(labels, start_xs, strict=True)):
        shown_text = _number_or_shortened(label.text)
        last_free_x = start_xs[1] - 6 if len(start_xs) > 1 else STRIP_WIDTH
        if not label_index and _text_width(label.text) <= last_free_x:
            shown_text, start_x = label.text, min(start_x, last_free_x - _text_width(label.text))
        label_x = min(start_x, STRIP_WIDTH - _text_width(shown_text))
        if label_x >= first_free_x:
            yield _text_element(label_x, y, shown_text)
            first_free_x = label_x + _text_width(shown_text) + 3


def _number_or_shortened(text: str) -> str:
    """The last word of a label that has no room for more, if it is a number (``session 12``)."""
    last_word = text.rpartition(" ")[2]
    return last_word if last_word.isdigit() else _shortened_text(text, 12)


def _step_path(scale: _Scale, points: Sequence[tuple[Number, Number]]) -> str:
    path_data = f"M{_rounded_text(scale.picture_x(points[0][0]))} {_rounded_text(scale.picture_y(points[0][1]))}"
    return path_data + "".join(
        f"H{_rounded_text(scale.picture_x(x))}"
        + (f"V{_rounded_text(scale.picture_y(y))}" if y != last_y else "")
        for (_, last_y), (x, y) in pairwise(points)
    )


def _points_between(
    scale: _Scale, curve_series: Series, start_x: Number, end_x: Number
) -> list[tuple[Number, Number]]:
    """The points of a curve from one place to another; an ``end_x`` of 0 is the edge of the picture."""
    end_x = end_x or scale.high_point[0]
    inner_points = [(x, y) for x, y in curve_series.points if start_x < x < end_x]
    return [
        (start_x, curve_series.value_at(start_x)),
        *inner_points,
        (end_x, curve_series.value_at(end_x)),
    ]


def _known_parts(scale: _Scale, curve_series: Series) -> Iterator[list[tuple[Number, Number]]]:
    """The known parts of a curve."""
    start_x = curve_series.points[0][0]
    for doubt in curve_series.doubts:
        if doubt.start > start_x:
            yield _points_between(scale, curve_series, start_x, doubt.start)
        if not doubt.end:
            return
        start_x = max(start_x, doubt.end)
    yield _points_between(scale, curve_series, start_x, 0)


def _unknown_parts(scale: _Scale, curve_series: Series) -> str:
    """The parts of a curve that are not known: dots from the last known value to the next, with a ring at each.
    An upper bound keeps its steps."""
    svg_parts = []
    for doubt in curve_series.doubts:
        points = _points_between(scale, curve_series, doubt.start, doubt.end)
        first_point, last_point = points[0], points[-1]
        if doubt.is_bound:
            path_data = _step_path(scale, points)
        else:
            gap_y = last_point[1] if doubt.end else first_point[1]
            path_data = (
                _step_path(scale, [first_point])
                + f"L{_rounded_text(scale.picture_x(last_point[0]))} {_rounded_text(scale.picture_y(gap_y))}"
            )
        svg_parts.append(f'<path class="unknown" d="{path_data}"/>')
        svg_parts += [
            f'<circle class="ring" cx="{_rounded_text(scale.picture_x(x))}" '
            f'cy="{_rounded_text(scale.picture_y(y))}" r="3"/>'
            for x, y in (first_point, *([last_point] if doubt.end else []))
            if doubt_after(curve_series.doubts, x) is None
        ]
    return "".join(svg_parts)


def _unknown_bands(scale: _Scale, series: Sequence[Series]) -> str:
    """Bands over the parts in which no curve is known."""
    drawn_curves = [curve for curve in series if curve.points]
    doubt_ends = {
        x for curve in drawn_curves for doubt in curve.doubts for x in (doubt.start, doubt.end)
    }
    band_edges = sorted({x for x in doubt_ends if x} | {scale.low_point[0], scale.high_point[0]})
    _, top, _, bottom = scale.picture_box
    return "".join(
        f'<rect class="silent" x="{_rounded_text(scale.picture_x(start_x))}" y="{_rounded_text(top)}" '
        f'width="{_rounded_text(scale.picture_x(end_x) - scale.picture_x(start_x))}" '
        f'height="{_rounded_text(bottom - top)}">'
        f"{_title_element(word('site.silence'))}</rect>"
        for start_x, end_x in pairwise(band_edges)
        if all(
            any(
                doubt.covers((start_x + end_x) / 2) and not doubt.is_bound for doubt in curve.doubts
            )
            for curve in drawn_curves
        )
    )


def _end_labels(
    scale: _Scale, numbered_series: Sequence[tuple[Series, int]], top: Number, bottom: Number
) -> list[str]:
    """Name each curve at its end, with a shape of its own before the name; names are pushed apart, then
    up again from the lower edge."""
    label_distance = 16.0
    series_from_top = sorted(
        numbered_series, key=lambda series_and_index: -_end_value(series_and_index[0])
    )
    label_ys: list[float] = []
    for curve, _ in series_from_top:
        y = scale.picture_y(_end_value(curve))
        label_ys.append(max(y, label_ys[-1] + label_distance) if label_ys else max(y, float(top)))
    lowest_y = float(bottom)
    for label_index in range(len(label_ys) - 1, -1, -1):
        label_ys[label_index] = min(label_ys[label_index], lowest_y)
        lowest_y = label_ys[label_index] - label_distance
    svg_parts = []
    right_edge = scale.picture_box[2]
    for (curve, shape_index), label_y in zip(series_from_top, label_ys, strict=True):
        y = scale.picture_y(_end_value(curve))
        name_text = _text_element(
            right_edge + 28,
            label_y + 4.5,
            _shortened_text(curve.name, MAX_NAME_LETTERS),
            css_class="t-player",
        )
        leader_svg = (
            f'<path class="leader" d="M{_rounded_text(right_edge + 2)} {_rounded_text(y)}'
            f'L{_rounded_text(right_edge + 12)} {_rounded_text(label_y)}"/>'
        )
        shape_svg = (
            f'<path class="shape" d="{_shape_path(shape_index, right_edge + 18, label_y)}"/>'
        )
        svg_parts.append(
            f'<g class="{_player_class(curve.seat)}">{leader_svg}{shape_svg}{name_text}</g>'
        )
    return svg_parts


def _end_value(series: Series) -> Number:
    """Where a curve ends: at its last value, or at the last that is known."""
    if series.is_known_at_end or series.doubts[-1].is_bound:
        return series.points[-1][1]
    return series.value_at(series.doubts[-1].start)


def _shape_path(shape_index: int, x: float, y: float) -> str:
    """One of six small shapes."""
    move_command = f"M{_rounded_text(x)} {_rounded_text(y)}"
    marker_shapes = (
        "m-4 0a4 4 0 1 0 8 0 4 4 0 1 0-8 0Z",
        "m-4-4h8v8h-8Z",
        "m0-5 5 5-5 5-5-5Z",
        "m0-5 5 9h-10Z",
        "m-4-1.5h2.5v-2.5h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5Z",
        "m0 5-5-9h10Z",
    )
    return move_command + marker_shapes[shape_index % len(marker_shapes)]


def _draw_marks(
    scale: _Scale, curve_series: Sequence[Series], marks: Sequence[CurveMark]
) -> list[str]:
    """Put marks on the curves of their owners. Words are above a rise and below a fall, inside the picture. A
    mark's words move to a place that is free of the curves and of other marks."""
    svg_parts = []
    left, _, right, _ = scale.picture_box
    obstacles = [
        curve_box for curve in curve_series for curve_box in _curve_boxes(scale, curve.points)
    ]
    mark_points: list[tuple[float, float]] = []
    marked_series = [
        next((curve for curve in curve_series if curve.name == mark.series_name), curve_series[0])
        for mark in marks
    ]
    for mark, marked_curve in zip(marks, marked_series, strict=True):
        curve_value = next(
            (y for x, y in reversed(marked_curve.points) if x <= mark.x), marked_curve.points[0][1]
        )
        x, y = scale.picture_x(mark.x), scale.picture_y(curve_value)
        mark_points.append((x, y))
        obstacles.append((x - MARK_RADIUS, y - MARK_RADIUS, x + MARK_RADIUS, y + MARK_RADIUS))
    for mark, marked_curve, (x, y) in zip(marks, marked_series, mark_points, strict=True):
        css_classes = f"mark mark--{mark.direction}" if mark.direction in ("up", "down") else "mark"
        mark_circle = f'<circle class="{css_classes}" cx="{_rounded_text(x)}" cy="{_rounded_text(y)}" r="4.5"/>'
        is_first = marked_curve is curve_series[0]
        svg_parts.append(
            mark_circle
            if is_first
            else f'<g class="{_player_class(marked_curve.seat)}">{mark_circle}</g>'
        )
        mark_text = _shortened_text(mark.text, 34)
        half_width = _text_width(mark_text) / 2
        text_x = min(max(x, left + half_width), right - half_width)
        position_above, position_below = (text_x, y - 10), (text_x, y + (20 if is_first else 16))
        usual_position = position_below if mark.direction == "down" else position_above
        text_positions = (
            [usual_position] if is_first else [usual_position, position_below, position_above]
        )
        if half_width < SHORT_HALF_WIDTH:
            text_positions += [
                (x + direction * distance, baseline)
                for distance, direction, baseline in _positions_around(half_width, y)
            ]
        free_text_positions = (
            text_place
            for text_place in text_positions
            if _is_box_free(_text_box(*text_place, half_width), obstacles, scale.picture_box)
        )
        text_position = next(free_text_positions, usual_position if is_first else position_below)
        obstacles.append(_text_box(*text_position, half_width))
        svg_parts.append(_text_element(*text_position, mark_text, text_anchor="middle"))
    return svg_parts


_Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge."""
MARK_RADIUS = 4.5
"""The radius of a mark."""
SHORT_HALF_WIDTH = 12.0
"""Half the width up to which words move aside, such as a number; longer words would cover more."""


def _positions_around(half_width: float, y: float) -> Iterator[tuple[float, int, float]]:
    """Places for short words around a mark, the nearest first: distance, side, and baseline."""
    for extra_distance in (0.0, 8.0, 16.0, 24.0):
        for baseline in (y - 10 - extra_distance, y + 20 + extra_distance):
            for direction in (0, 1, -1):
                yield half_width + 6, direction, baseline
        for direction in (1, -1):
            yield half_width + 8 + extra_distance, direction, y + 4


def _curve_boxes(scale: _Scale, points: Sequence[tuple[Number, Number]]) -> Iterator[_Box]:
    """The straight parts of a curve that jumps, as boxes without any width or height."""
    (first_x, first_y), *later_points = [
        (scale.picture_x(x), scale.picture_y(y)) for x, y in points
    ]
    for x, y in later_points:
        yield first_x, first_y, x, first_y
        yield x, min(first_y, y), x, max(first_y, y)
        first_x, first_y = x, y
    yield first_x, first_y, scale.picture_box[2], first_y


def _text_box(centre: float, baseline: float, half_width: float) -> _Box:
    """What words take up on a baseline."""
    return centre - half_width - 1, baseline - 11, centre + half_width + 1, baseline + 3


def _is_box_free(box: _Box, obstacles: Iterable[_Box], picture_box: _Box) -> bool:
    """Whether nothing that is taken reaches into a box, and it does not leave the picture."""
    left, upper, right, lower = box
    if left < picture_box[0] or right > picture_box[2] or upper < 0 or lower > picture_box[3]:
        return False
    return not any(
        other_left < right and other_right > left and other_upper < lower and other_lower > upper
        for other_left, other_upper, other_right, other_lower in obstacles
    )


def _sector_path(
    centre_xy: float, inner_radius: float, outer_radius: float, start_turn: float, end_turn: float
) -> str:
    """Return the outline of a sector between two radii, from turn `start` to `end` (0 is up)."""
    end_turn = min(end_turn, start_turn + 0.9999)
    is_large_arc = int(end_turn - start_turn > 0.5)

    def point_at(radius: float, turn: float) -> str:
        angle = math.tau * turn
        x, y = centre_xy + radius * math.sin(angle), centre_xy - radius * math.cos(angle)
        return f"{_rounded_text(x)} {_rounded_text(y)}"

    if (
        end_turn - start_turn > 0.999
    ):  # all round: two circles, with nothing between where one begins and ends
        return "".join(
            f"M{point_at(radius, 0)}A{_rounded_text(radius)} {_rounded_text(radius)} 0 1 {turn} "
            f"{point_at(radius, 0.9999)}Z"
            for radius, turn in ((outer_radius, 1), (inner_radius, 1))
        )
    return (
        f"M{point_at(outer_radius, start_turn)}A{_rounded_text(outer_radius)} {_rounded_text(outer_radius)} "
        f"0 {is_large_arc} 1 {point_at(outer_radius, end_turn)}"
        f"L{point_at(inner_radius, end_turn)}A{_rounded_text(inner_radius)} {_rounded_text(inner_radius)} "
        f"0 {is_large_arc} 0 {point_at(inner_radius, start_turn)}Z"
    )
