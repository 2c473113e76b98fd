"""Blocks of a Book as text: tables, boards, stones and dice for a screen of any width.

Nothing a player wrote can steer the terminal: control characters are taken out here, once.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final, assert_never

from chronicle.cli.out import COLOURS, Ink
from chronicle.core import book
from chronicle.core.book import Block, Inline, Ref
from chronicle.core.control_characters import safe as safe
from chronicle.core.dice import ShownDie
from chronicle.core.record import Contest, Side
from chronicle.services.block_data import rows_in_words
from chronicle.syntax.render import terminal_width

columns: Final = terminal_width
"""How many columns of a terminal a text takes."""


class Terminal:
    """Draws blocks as lines no wider than ``width``."""

    def __init__(self, width: int, ink: Ink) -> None:
        self.width = max(width, 30)
        self.ink = ink

    def draw(self, blocks: Iterable[Block]) -> str:
        """All blocks, one blank line between them."""
        drawn = ["\n".join(lines) for block in blocks if (lines := list(self._block(block)))]
        return "\n\n".join(drawn)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case book.Prose(markdown):
                for paragraph in unmarked(safe(markdown, keep_lines=True)).split("\n\n"):
                    yield from self._wrap(paragraph)
            case book.Note(text):
                yield from self._wrap(inline(text))
            case book.Facts(rows, title):
                yield from self._title(title)
                yield from self._facts([(safe(label), inline(value)) for label, value in rows])
            case book.Stats(items, title):
                yield from self._title(title)
                yield from self._wrap(
                    "   ".join(f"{safe(item.value)} {safe(item.label)}" for item in items)
                )
            case book.Table(columns, rows, title, note):
                yield from self._title(title)
                yield from self._table(columns, rows)
                yield from self._wrap(note) if note else ()
            case book.Slips(items, title):
                yield from self._title(title)
                yield from self._wrap(
                    ", ".join(self._slip(item) for item in items) or "nothing", indent="  "
                )
            case book.Board():
                yield from self._board(block)
            case book.Stones(rows, title):
                yield from self._title(title)
                room = column((label for label, _, _ in rows), self.width // 2)
                for label, filled, total in rows:
                    stones = "●" * min(filled, 60) + "○" * min(max(0, total - filled), 60)
                    yield f"  {pad(shortened(safe(label), room), room)}  {self.ink(stones, 'cyan')}  {filled}/{total}"
            case book.ContestCard(contest):
                yield from self._contest(contest)
            case book.Listing(items, title, ordered):
                yield from self._title(title)
                for number, item in enumerate(items, 1):
                    mark = f"{number}. " if ordered else "- "
                    note = f"  ({safe(item.note)})" if item.note else ""
                    yield from self._wrap(f"{unmarked(inline(item.text))}{note}", first=f"  {mark}")
            case book.Graph():
                yield from self._graph(block)
            case book.Steps(title, series):
                yield from self._title(title)
                yield from self._facts(
                    [
                        (safe(line.name), f"{_spark(line.points)}  now {line.points[-1][1]}")
                        for line in series
                        if line.points
                    ]
                )
            case book.Lanes(title, rows, columns, cells):
                yield from self._title(title)
                yield from self._lanes(rows, columns, cells)
            case book.Bars(title, rows):
                yield from self._title(title)
                yield from self._bars(rows)
                yield from self._wrap(unmarked(inline(block.note))) if block.note else ()
            case book.Shares(title, _, figure):
                yield from self._title(f"{title}: {figure}" if figure else title)
                yield from self._facts(
                    [
                        (unmarked(inline(label)), safe(parts))
                        for label, parts in rows_in_words(block)
                    ]
                )
            case book.Rings(title, rings):
                yield from self._title(title)
                yield from self._facts(
                    [
                        (safe(name), ", ".join(self._sector(sector) for sector in sectors))
                        for name, sectors in rings
                    ]
                )
            case book.Section(title, blocks):
                yield from self._title(title)
                yield from self.draw(blocks).splitlines()
            case _ as never:
                assert_never(never)

    # -- parts -------------------------------------------------------------------------------------

    def _title(self, title: str) -> Iterator[str]:
        for line in wrapped(safe(title), self.width):
            yield self.ink(line, "bold")

    def _wrap(self, text: str, *, indent: str = "", first: str = "") -> Iterator[str]:
        room = max(20, self.width)
        yield from textwrap.wrap(
            safe(text),
            room,
            initial_indent=first or indent,
            subsequent_indent=" " * len(first) or indent,
            break_on_hyphens=False,
        )

    def _facts(self, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
        room = column((label for label, _ in rows), self.width // 3)
        for label, value in rows:
            label_lines = wrapped(label, room)
            values = wrapped(value, max(16, self.width - room - 6))
            for head, line in zip_longest(label_lines or [""], values, fillvalue=""):
                yield f"  {self.ink(pad(head, room), 'dim')}  {line}".rstrip()

    def _table(
        self, columns: Sequence[book.Column], rows: Sequence[Sequence[Inline]]
    ) -> Iterator[str]:
        cells = [[inline(cell) for cell in row] for row in rows]
        heads = [safe(head.title) for head in columns]
        rooms = [
            column([head, *(row[n] for row in cells if n < len(row))], self.width)
            for n, head in enumerate(heads)
        ]
        # Columns shrink, the widest first. If words would break, each row becomes a block of lines instead.
        spare = self.width - 2 - 2 * max(0, len(rooms) - 1)
        natural = list(rooms)
        least = [longest(heads[n]) for n in range(len(rooms))]
        while sum(rooms) > spare:
            wide = [n for n, room in enumerate(rooms) if room > max(1, least[n])]
            if not wide:
                break
            rooms[max(wide, key=lambda n: rooms[n])] -= 1
        if sum(rooms) > spare or any(
            room < min(wish, 12) for room, wish in zip(rooms, natural, strict=True)
        ):
            yield from self._stacked(heads, cells)
            return
        numeric = [head.numeric for head in columns]

        def line(parts: Sequence[str]) -> Iterator[str]:
            folded = [wrapped(part, room) or [""] for part, room in zip(parts, rooms, strict=False)]
            for n in range(max((len(part) for part in folded), default=0)):
                yield (
                    "  "
                    + "  ".join(
                        pad(part[n] if n < len(part) else "", room, right=flush)
                        for part, room, flush in zip(folded, rooms, numeric, strict=False)
                    ).rstrip()
                )

        for text in line(heads):
            yield self.ink(text, "underline") if self.ink.colour else text
        if not self.ink.colour:
            yield "  " + "  ".join("-" * room for room in rooms)
        for row in cells:
            yield from line(row)

    def _stacked(self, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[str]:
        for row in cells:
            for line in wrapped(row[0] if row else "", self.width - 2):
                yield f"  {self.ink(line, 'underline')}"
            rows = [(head, cell) for head, cell in zip(heads[1:], row[1:], strict=False) if cell]
            for line in self._facts(rows):
                yield f"  {line}"

    def _slip(self, slip: book.Slip) -> str:
        count = f" x{slip.count}" if slip.count != 1 else ""
        state = f" ({safe(slip.state)})" if slip.state and slip.state != "name" else ""
        return f"{safe(slip.text)}{count}{state}"

    def _board(self, board: book.Board) -> Iterator[str]:
        yield from self._title(board.title)
        room = column(board.squares, self.width // 2)
        for number, name in enumerate(board.squares):
            tokens = ", ".join(
                safe(token.label) for token in board.tokens if token.square == number
            )
            mark = self.ink("●", "cyan") if tokens else "·"
            square = pad(shortened(safe(name) or str(number + 1), room), room)
            first, *remaining = wrapped(tokens, max(10, self.width - room - 6)) or [""]
            yield f"  {mark} {square}  {first}".rstrip()
            for line in remaining:
                yield f"    {' ' * room}  {line}"

    def _contest(self, contest: Contest) -> Iterator[str]:
        yield from self._title(contest.title)
        for sides in (*contest.earlier, contest.sides):
            room = column((side.name for side in sides), self.width // 3)
            for side in sides:
                yield from self._side(side, room, wins=side.won and contest.opposed)
        odds = f"the odds had been: {contest.odds}" if str(contest.odds) else ""
        parts = [contest.score, *contest.outcome, odds]
        yield from self._wrap("; ".join(text for text in parts if text), indent="  ")

    def _side(self, side: Side, room: int, *, wins: bool) -> Iterator[str]:
        name = pad(shortened(safe(side.name), room), room)
        end = [f" = {safe(side.result)}"] if side.result else []
        end += [" wins"] if wins else []
        # Dice are as wide as their faces; how many fit on a line is counted before they are coloured.
        line, used = f"  {name} ", 3 + room
        for die in side.dice:
            size = columns(safe(die.face)) + 3
            if used + size > self.width:
                yield line
                line, used = f"  {' ' * room} ", 3 + room
            line += " " + self._die(die)
            used += size
        for text in wrapped("".join(end), max(20, self.width - room - 6)):
            if used + columns(text) + 2 > self.width:
                yield line.rstrip()
                line, used = f"  {' ' * room} ", 3 + room
            line += "  " + self.ink(text, *(("green",) if side.won else ()))
            used = self.width
        yield line.rstrip()

    def _die(self, die: ShownDie) -> str:
        face = safe(die.face)
        text = f"({face})" if die.extra else f"[{face}]"
        if die.void:
            return self.ink(f"/{face}/", "dim")
        style = ["bold"] if die.hit else []
        if die.colour in COLOURS:
            style.append(die.colour)
        elif die.hit:
            style.append("cyan")
        return self.ink(text, *style)

    def _graph(self, graph: book.Graph) -> Iterator[str]:
        yield from self._title(graph.title)
        names = {node.id: safe(node.label) for node in graph.nodes}
        for edge in graph.edges:
            arrow = "->" if edge.directed else "--"
            words = _edge_words(safe(edge.label), safe(edge.kind))
            has_count = edge.count == 1 or words.startswith(str(edge.count))
            count = "" if has_count else f" x{edge.count}"
            first, second = names.get(edge.start, edge.start), names.get(edge.end, edge.end)
            yield from self._wrap(
                f"{first} {arrow} {second}{f': {words}' if words else ''}{count}", indent="  "
            )
        linked = {end for edge in graph.edges for end in (edge.start, edge.end)}
        alone = [names[node.id] for node in graph.nodes if node.id not in linked]
        if alone:
            yield from self._wrap(f"unconnected: {', '.join(alone)}", indent="  ")

    def _lanes(
        self,
        rows: Sequence[str | book.Ref],
        columns: Sequence[str | book.Ref],
        cells: Sequence[tuple[int, int, str, str]],
    ) -> Iterator[str]:
        def label_of(cell: str | book.Ref) -> str:
            return safe(cell.label if isinstance(cell, book.Ref) else cell)

        filled: dict[int, list[str]] = {}
        for row, where, words, _ in cells:
            if 0 <= where < len(columns):
                name = label_of(columns[where])
                filled.setdefault(row, []).append(f"{name} ({safe(words)})" if words else name)
        yield from self._facts(
            [(label_of(name), ", ".join(filled.get(n, ["nowhere"]))) for n, name in enumerate(rows)]
        )

    def _sector(self, sector: book.Sector) -> str:
        people = ", ".join(ref.label for ref in sector.people)
        return safe(" ".join(filter(None, (sector.label, sector.state, people and f"({people})"))))

    def _bars(self, rows: Sequence[tuple[str, int, str]]) -> Iterator[str]:
        room = column((label for label, _, _ in rows), self.width // 3)
        greatest = max((abs(value) for _, value, _ in rows), default=0) or 1
        space = max(4, min(40, self.width - room - 12))
        for label, value, _ in rows:
            bar = "█" * round(abs(value) * space / greatest)
            yield f"  {pad(shortened(safe(label), room), room)}  {value:>5}  {self.ink(bar, 'cyan')}".rstrip()


def _spark(points: Sequence[tuple[int, int]]) -> str:
    """The course of a figure in at most 24 small bars."""
    values = [value for _, value in points]
    if len(values) > 24:
        values = [values[round(n * (len(values) - 1) / 23)] for n in range(24)]
    low, highest = min(values), max(values)
    bars = "▁▂▃▄▅▆▇█"
    return "".join(bars[(v - low) * 7 // (highest - low) if highest > low else 0] for v in values)


def inline(value: Inline) -> str:
    """The contents of a line or a table cell, as text."""
    if isinstance(value, Ref):
        return safe(value.label)
    if isinstance(value, tuple):
        return "".join(inline(part) for part in value)
    return safe(str(value))


_MARKS: Final = (
    (re.compile(r"(?<!\\)(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w\\*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w\\])_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)"), r"\1"),
    (re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)"), r"\1"),
    (re.compile(r"(?m)^#{1,6} +"), ""),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
    (re.compile(r"\\([*_`#\[\]])"), r"\1"),
)
"""What Markdown writes into a text besides its words."""


def unmarked(markdown: str) -> str:
    """The words of a text in Markdown."""
    for mark, words in _MARKS:
        markdown = mark.sub(words, markdown)
    return markdown


def longest(text: str) -> int:
    """The width of the widest word of a text."""
    return max(map(columns, text.split()), default=0)


def column(texts: Iterable[str], limit: int) -> int:
    """The width of a column that holds these texts."""
    return min(max((columns(safe(text)) for text in texts), default=0), limit)


def pad(text: str, room: int, *, right: bool = False) -> str:
    """A text filled up to a width, flush left or right."""
    gap = " " * max(0, room - columns(text))
    return gap + text if right else text + gap


def shortened(text: str, room: int) -> str:
    """A text cut to a width, with an ellipsis where something is missing."""
    if columns(text) <= room:
        return text
    while text and columns(text) > max(room - 1, 0):
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, room: int) -> list[str]:
    """A text in lines of at most ``room`` columns; words that are longer are cut."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        while columns(word) > room:
            cut = next(n for n in range(len(word), 0, -1) if columns(word[:n]) <= max(room, 2))
            if line:
                lines.append(line)
                line = ""
            lines.append(word[:cut])
            word = word[cut:]
        if line and columns(line) + 1 + columns(word) > room:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines


def _edge_words(label: str, kind: str) -> str:
    """What an edge of a graph says: its label, with its kind where the label does not say it."""
    if set(kind.split()) <= set(label.split()):
        return label
    figure = label.partition(",")[0].lstrip("+-−").isdigit()
    return f"{kind} {label}" if figure else f"{label} {kind}".strip()
