"""Blocks of a CampaignView as text: tables, boards, stones and dice for a screen of any width.

Nothing a player wrote can steer the terminal: control characters are taken out here, once.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final, assert_never

from chronicle.cli.out import COLOURS, TextStyler
from chronicle.core import campaign_view
from chronicle.core.campaign_view import Block, Inline, Ref
from chronicle.core.control_characters import safe as safe
from chronicle.core.dice import ShownDie
from chronicle.core.figures import with_times
from chronicle.core.record import Contest, Side
from chronicle.services.block_data import rows_in_words
from chronicle.syntax.render import terminal_width

display_width: Final = terminal_width
"""How many columns of a terminal a text takes."""


class TerminalRenderer:
    """Draws blocks as lines no wider than ``width``."""

    def __init__(self, width: int, styler: TextStyler) -> None:
        self.width = max(width, 30)
        self.styler = styler

    def draw(self, blocks: Iterable[Block]) -> str:
        """All blocks, one blank line between them."""
        block_texts = [
            "\n".join(block_lines)
            for block in blocks
            if (block_lines := list(self._block_lines(block)))
        ]
        return "\n\n".join(block_texts)

    def _block_lines(self, block: Block) -> Iterator[str]:
        match block:
            case campaign_view.Prose(markdown):
                for paragraph in without_marks(safe(markdown, keep_lines=True)).split("\n\n"):
                    yield from self._wrapped_lines(paragraph)
            case campaign_view.Note(text):
                yield from self._wrapped_lines(inline(text))
            case campaign_view.Facts(rows, title):
                yield from self._title_lines(title)
                yield from self._label_row_lines(
                    [(safe(label), inline(value)) for label, value in rows]
                )
            case campaign_view.Stats(items, title):
                yield from self._title_lines(title)
                yield from self._wrapped_lines(
                    "   ".join(f"{safe(item.value)} {safe(item.label)}" for item in items)
                )
            case campaign_view.Table(columns, rows, title, note):
                yield from self._title_lines(title)
                yield from self._table_lines(columns, rows)
                yield from self._wrapped_lines(note) if note else ()
            case campaign_view.Slips(items, title):
                yield from self._title_lines(title)
                yield from self._wrapped_lines(
                    ", ".join(self._slip_text(item) for item in items) or "nothing",
                    indent_of_all_lines="  ",
                )
            case campaign_view.Board():
                yield from self._board_lines(block)
            case campaign_view.Stones(rows, title):
                yield from self._title_lines(title)
                label_width = column_width((label for label, _, _ in rows), self.width // 2)
                for label, filled_count, total_count in rows:
                    stones_text = "●" * min(filled_count, 60) + "○" * min(
                        max(0, total_count - filled_count), 60
                    )
                    name_text = padded(shortened_to_width(safe(label), label_width), label_width)
                    yield f"  {name_text}  {self.styler(stones_text, 'cyan')}  {filled_count}/{total_count}"
            case campaign_view.ContestCard(contest):
                yield from self._contest_lines(contest)
            case campaign_view.Listing(items, title, ordered):
                yield from self._title_lines(title)
                for item_number, item in enumerate(items, 1):
                    bullet = f"{item_number}. " if ordered else "- "
                    note = f"  ({safe(item.note)})" if item.note else ""
                    yield from self._wrapped_lines(
                        f"{without_marks(inline(item.text))}{note}", first_indent=f"  {bullet}"
                    )
            case campaign_view.Graph():
                yield from self._graph_lines(block)
            case campaign_view.Steps(title, series):
                yield from self._title_lines(title)
                yield from self._label_row_lines(
                    [
                        (safe(curve.name), f"{_sparkline(curve.points)}  now {curve.points[-1][1]}")
                        for curve in series
                        if curve.points
                    ]
                )
            case campaign_view.Lanes(title, rows, columns, cells):
                yield from self._title_lines(title)
                yield from self._lane_lines(rows, columns, cells)
            case campaign_view.Bars(title, rows):
                yield from self._title_lines(title)
                yield from self._bar_lines(rows)
                yield from (
                    self._wrapped_lines(without_marks(inline(block.note))) if block.note else ()
                )
            case campaign_view.Shares(title, _, figure):
                yield from self._title_lines(f"{title}: {figure}" if figure else title)
                yield from self._label_row_lines(
                    [
                        (without_marks(inline(label)), safe(shares_text))
                        for label, shares_text in rows_in_words(block)
                    ]
                )
            case campaign_view.Rings(title, rings):
                yield from self._title_lines(title)
                yield from self._label_row_lines(
                    [
                        (
                            safe(ring_name),
                            ", ".join(self._sector_text(sector) for sector in sectors),
                        )
                        for ring_name, sectors in rings
                    ]
                )
            case campaign_view.Section(title, blocks):
                yield from self._title_lines(title)
                yield from self.draw(blocks).splitlines()
            case _ as never:
                assert_never(never)

    # -- parts -------------------------------------------------------------------------------------

    def _title_lines(self, title: str) -> Iterator[str]:
        for line in wrap_to_columns(safe(title), self.width):
            yield self.styler(line, "bold")

    def _wrapped_lines(
        self, text: str, *, indent_of_all_lines: str = "", first_indent: str = ""
    ) -> Iterator[str]:
        line_width = max(20, self.width)
        yield from textwrap.wrap(
            safe(text),
            line_width,
            initial_indent=first_indent or indent_of_all_lines,
            subsequent_indent=" " * len(first_indent) or indent_of_all_lines,
            break_on_hyphens=False,
        )

    def _label_row_lines(self, labels_and_values: Sequence[tuple[str, str]]) -> Iterator[str]:
        label_width = column_width((label for label, _ in labels_and_values), self.width // 3)
        for label, value in labels_and_values:
            label_lines = wrap_to_columns(label, label_width)
            value_lines = wrap_to_columns(value, max(16, self.width - label_width - 6))
            for label_line, value_line in zip_longest(
                label_lines or [""], value_lines, fillvalue=""
            ):
                yield f"  {self.styler(padded(label_line, label_width), 'dim')}  {value_line}".rstrip()

    def _table_lines(
        self, columns: Sequence[campaign_view.Column], rows: Sequence[Sequence[Inline]]
    ) -> Iterator[str]:
        cells = [[inline(cell) for cell in row] for row in rows]
        headings = [safe(column.title) for column in columns]
        column_widths = [
            column_width(
                [heading, *(row[column_index] for row in cells if column_index < len(row))],
                self.width,
            )
            for column_index, heading in enumerate(headings)
        ]
        # Columns shrink, the widest first. If words would break, each row becomes a block of lines instead.
        available_width = self.width - 2 - 2 * max(0, len(column_widths) - 1)
        wanted_column_widths = list(column_widths)
        min_column_widths = [
            longest_word_width(headings[column_index]) for column_index in range(len(column_widths))
        ]
        while sum(column_widths) > available_width:
            shrinkable_columns = [
                column_index
                for column_index, width in enumerate(column_widths)
                if width > max(1, min_column_widths[column_index])
            ]
            if not shrinkable_columns:
                break
            column_widths[
                max(shrinkable_columns, key=lambda column_index: column_widths[column_index])
            ] -= 1
        if sum(column_widths) > available_width or any(
            width < min(wanted_width, 12)
            for width, wanted_width in zip(column_widths, wanted_column_widths, strict=True)
        ):
            yield from self._stacked_row_lines(headings, cells)
            return
        numeric_columns = [column.numeric for column in columns]

        def row_lines(cell_texts: Sequence[str]) -> Iterator[str]:
            wrapped_cells = [
                wrap_to_columns(cell_text, width) or [""]
                for cell_text, width in zip(cell_texts, column_widths, strict=False)
            ]
            for line_index in range(
                max((len(cell_lines) for cell_lines in wrapped_cells), default=0)
            ):
                yield (
                    "  "
                    + "  ".join(
                        padded(
                            cell_lines[line_index] if line_index < len(cell_lines) else "",
                            width,
                            flush_right=is_right,
                        )
                        for cell_lines, width, is_right in zip(
                            wrapped_cells, column_widths, numeric_columns, strict=False
                        )
                    ).rstrip()
                )

        for row_line in row_lines(headings):
            yield self.styler(row_line, "underline") if self.styler.uses_colour else row_line
        if not self.styler.uses_colour:
            yield "  " + "  ".join("-" * width for width in column_widths)
        for row in cells:
            yield from row_lines(row)

    def _stacked_row_lines(
        self, headings: Sequence[str], cells: Sequence[Sequence[str]]
    ) -> Iterator[str]:
        for row in cells:
            for line in wrap_to_columns(row[0] if row else "", self.width - 2):
                yield f"  {self.styler(line, 'underline')}"
            labelled_cells = [
                (heading, cell)
                for heading, cell in zip(headings[1:], row[1:], strict=False)
                if cell
            ]
            for line in self._label_row_lines(labelled_cells):
                yield f"  {line}"

    def _slip_text(self, slip: campaign_view.Slip) -> str:
        state_text = f" ({safe(slip.state)})" if slip.state and slip.state != "name" else ""
        return f"{with_times(safe(slip.text), slip.count)}{state_text}"

    def _board_lines(self, board: campaign_view.Board) -> Iterator[str]:
        yield from self._title_lines(board.title)
        square_width = column_width(board.squares, self.width // 2)
        for square_number, square_name in enumerate(board.squares):
            tokens_text = ", ".join(
                safe(token.label) for token in board.tokens if token.square == square_number
            )
            square_mark = self.styler("●", "cyan") if tokens_text else "·"
            square_text = padded(
                shortened_to_width(safe(square_name) or str(square_number + 1), square_width),
                square_width,
            )
            first_line, *further_lines = wrap_to_columns(
                tokens_text, max(10, self.width - square_width - 6)
            ) or [""]
            yield f"  {square_mark} {square_text}  {first_line}".rstrip()
            for line in further_lines:
                yield f"    {' ' * square_width}  {line}"

    def _contest_lines(self, contest: Contest) -> Iterator[str]:
        yield from self._title_lines(contest.title)
        for sides in (*contest.earlier, contest.sides):
            name_width = column_width((side.name for side in sides), self.width // 3)
            for side in sides:
                yield from self._side_lines(side, name_width, wins=side.won and contest.is_opposed)
        odds_text = f"the odds had been: {contest.odds}" if str(contest.odds) else ""
        summary_parts = [contest.score, *contest.outcome, odds_text]
        yield from self._wrapped_lines(
            "; ".join(text for text in summary_parts if text), indent_of_all_lines="  "
        )

    def _side_lines(self, side: Side, name_width: int, *, wins: bool) -> Iterator[str]:
        name_text = padded(shortened_to_width(safe(side.name), name_width), name_width)
        outcome_texts = [f" = {safe(side.result)}"] if side.result else []
        outcome_texts += [" wins"] if wins else []
        # Dice are as wide as their faces; how many fit on a line is counted before they are coloured.
        line, used_width = f"  {name_text} ", 3 + name_width
        for die in side.dice:
            die_width = display_width(safe(die.face)) + 3
            if used_width + die_width > self.width:
                yield line
                line, used_width = f"  {' ' * name_width} ", 3 + name_width
            line += " " + self._die_text(die)
            used_width += die_width
        for outcome_line in wrap_to_columns(
            "".join(outcome_texts), max(20, self.width - name_width - 6)
        ):
            if used_width + display_width(outcome_line) + 2 > self.width:
                yield line.rstrip()
                line, used_width = f"  {' ' * name_width} ", 3 + name_width
            line += "  " + self.styler(outcome_line, *(("green",) if side.won else ()))
            used_width = self.width
        yield line.rstrip()

    def _die_text(self, die: ShownDie) -> str:
        face = safe(die.face)
        die_text = f"({face})" if die.extra else f"[{face}]"
        if die.void:
            return self.styler(f"/{face}/", "dim")
        style_names = ["bold"] if die.hit else []
        if die.colour in COLOURS:
            style_names.append(die.colour)
        elif die.hit:
            style_names.append("cyan")
        return self.styler(die_text, *style_names)

    def _graph_lines(self, network: campaign_view.Graph) -> Iterator[str]:
        yield from self._title_lines(network.title)
        label_by_id = {node.id: safe(node.label) for node in network.nodes}
        for edge in network.edges:
            arrow = "->" if edge.directed else "--"
            edge_words = _edge_words(safe(edge.label), safe(edge.kind))
            has_count = edge.count == 1 or edge_words.startswith(str(edge.count))
            count_text = "" if has_count else f" x{edge.count}"
            start_node_label, end_node_label = (
                label_by_id.get(edge.start, edge.start),
                label_by_id.get(edge.end, edge.end),
            )
            yield from self._wrapped_lines(
                f"{start_node_label} {arrow} {end_node_label}{f': {edge_words}' if edge_words else ''}{count_text}",
                indent_of_all_lines="  ",
            )
        connected_ids = {node_id for edge in network.edges for node_id in (edge.start, edge.end)}
        unconnected_labels = [
            label_by_id[node.id] for node in network.nodes if node.id not in connected_ids
        ]
        if unconnected_labels:
            yield from self._wrapped_lines(
                f"unconnected: {', '.join(unconnected_labels)}", indent_of_all_lines="  "
            )

    def _lane_lines(
        self,
        row_headings: Sequence[str | campaign_view.Ref],
        column_headings: Sequence[str | campaign_view.Ref],
        cells: Sequence[tuple[int, int, str, str]],
    ) -> Iterator[str]:
        def label_of(row_or_column: str | campaign_view.Ref) -> str:
            return safe(
                row_or_column.label
                if isinstance(row_or_column, campaign_view.Ref)
                else row_or_column
            )

        columns_by_row: dict[int, list[str]] = {}
        for row_index, column_index, place_note, _ in cells:
            if 0 <= column_index < len(column_headings):
                column_name = label_of(column_headings[column_index])
                columns_by_row.setdefault(row_index, []).append(
                    f"{column_name} ({safe(place_note)})" if place_note else column_name
                )
        yield from self._label_row_lines(
            [
                (label_of(row_heading), ", ".join(columns_by_row.get(row_index, ["nowhere"])))
                for row_index, row_heading in enumerate(row_headings)
            ]
        )

    def _sector_text(self, sector: campaign_view.Sector) -> str:
        people_text = ", ".join(ref.label for ref in sector.people)
        return safe(
            " ".join(filter(None, (sector.label, sector.state, people_text and f"({people_text})")))
        )

    def _bar_lines(self, labelled_values: Sequence[tuple[str, int, str]]) -> Iterator[str]:
        label_width = column_width((label for label, _, _ in labelled_values), self.width // 3)
        highest_value = max((abs(value) for _, value, _ in labelled_values), default=0) or 1
        bar_width = max(4, min(40, self.width - label_width - 12))
        for label, value, _ in labelled_values:
            bar_text = "█" * round(abs(value) * bar_width / highest_value)
            label_text = padded(shortened_to_width(safe(label), label_width), label_width)
            yield f"  {label_text}  {value:>5}  {self.styler(bar_text, 'cyan')}".rstrip()


def _sparkline(points: Sequence[tuple[int, int]]) -> str:
    """The course of a figure in at most 24 small bars."""
    curve_values = [value for _, value in points]
    if len(curve_values) > 24:
        curve_values = [
            curve_values[round(bar_index * (len(curve_values) - 1) / 23)] for bar_index in range(24)
        ]
    lowest_value, highest_value = min(curve_values), max(curve_values)
    bar_characters = "▁▂▃▄▅▆▇█"
    return "".join(
        bar_characters[
            (value - lowest_value) * 7 // (highest_value - lowest_value)
            if highest_value > lowest_value
            else 0
        ]
        for value in curve_values
    )


def inline(value: Inline) -> str:
    """The contents of a line or a table cell, as text."""
    if isinstance(value, Ref):
        return safe(value.label)
    if isinstance(value, tuple):
        return "".join(inline(part) for part in value)
    return safe(str(value))


_MARKDOWN_MARKS: Final = (
    (re.compile(r"(?<!\\)(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w\\*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w\\])_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)"), r"\1"),
    (re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)"), r"\1"),
    (re.compile(r"(?m)^#{1,6} +"), ""),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
    (re.compile(r"\\([*_`#\[\]])"), r"\1"),
)
"""What Markdown writes into a text besides its words."""


def without_marks(markdown: str) -> str:
    """The words of a text in Markdown."""
    for mark_pattern, replacement in _MARKDOWN_MARKS:
        markdown = mark_pattern.sub(replacement, markdown)
    return markdown


def longest_word_width(text: str) -> int:
    """The width of the widest word of a text."""
    return max(map(display_width, text.split()), default=0)


def column_width(texts: Iterable[str], max_width: int) -> int:
    """The width of a column that holds these texts."""
    return min(max((display_width(safe(text)) for text in texts), default=0), max_width)


def padded(text: str, width: int, *, flush_right: bool = False) -> str:
    """A text filled up to a width, flush left or right."""
    filler = " " * max(0, width - display_width(text))
    return filler + text if flush_right else text + filler


def shortened_to_width(text: str, max_width: int) -> str:
    """A text cut to a width, with an ellipsis where something is missing."""
    if display_width(text) <= max_width:
        return text
    while text and display_width(text) > max(max_width - 1, 0):
        text = text[:-1]
    return f"{text}…"


def wrap_to_columns(text: str, max_width: int) -> list[str]:
    """A text in lines of at most ``max_width`` columns; words that are longer are cut."""
    wrapped_lines: list[str] = []
    current_line = ""
    for word in text.split():
        while display_width(word) > max_width:
            cut_length = next(
                length
                for length in range(len(word), 0, -1)
                if display_width(word[:length]) <= max(max_width, 2)
            )
            if current_line:
                wrapped_lines.append(current_line)
                current_line = ""
            wrapped_lines.append(word[:cut_length])
            word = word[cut_length:]
        if current_line and display_width(current_line) + 1 + display_width(word) > max_width:
            wrapped_lines.append(current_line)
            current_line = word
        else:
            current_line = f"{current_line} {word}".strip()
    return [*wrapped_lines, current_line] if current_line else wrapped_lines


def _edge_words(edge_label: str, edge_kind: str) -> str:
    """What an edge of a graph says: its label, with its kind where the label does not say it."""
    if set(edge_kind.split()) <= set(edge_label.split()):
        return edge_label
    is_figure = edge_label.partition(",")[0].lstrip("+-−").isdigit()
    return f"{edge_kind} {edge_label}" if is_figure else f"{edge_label} {edge_kind}".strip()
