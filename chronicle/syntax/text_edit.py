"""What every edit of a file shares: the text and its tree, splices, and the proof that nothing else changed.

Every edit takes a text and returns a text; the caller writes it with ``core.files``. An edit that would change
more than it should raises :class:`EditRefused`, and the file does not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from chronicle.core.errors import Refused
from chronicle.core.files import ContentChange
from chronicle.core.source import (
    MappingNode,
    ScalarNode,
    SequenceNode,
    Value,
    deep_copy,
    is_empty,
    scalars,
)
from chronicle.syntax.characters import decode_bytes
from chronicle.syntax.reader import read_text
from chronicle.syntax.reading_cache import EntryCache
from chronicle.syntax.yaml_text import write_scalar
from chronicle.syntax.yaml_traps import LINE_BREAK


class EditRefused(Refused):
    """The edit would change more than it should. The message gives the reason."""


class DecodedFile(NamedTuple):
    """The text of a file, with its byte order mark and its encoding."""

    text: str
    byte_order_mark: bytes
    encoding: str

    def bytes_of(self, text: str) -> bytes:
        """The bytes of a changed text, in the encoding of the file."""
        return self.byte_order_mark + text.encode(self.encoding)

    def make_change(self, file: Path, new_text: str) -> ContentChange:
        """The change of a file with this text to another text."""
        return ContentChange(file, self.bytes_of(self.text), self.bytes_of(new_text))


_ENCODING_BY_MARK: Final = MappingProxyType(
    {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
)


def decode_for_edit(file_bytes: bytes, path: str) -> DecodedFile:
    """Decode a file for an edit, without the byte order mark.

    Raises:
        EditRefused: if its bytes can mean more than one text (T1).
    """
    text, problems = decode_bytes(file_bytes, path)
    if text is None or problems:
        first_problem = problems[0]
        raise EditRefused(
            "; ".join((f"{first_problem.place}: {first_problem.message}", *first_problem.help))
        )
    byte_order_mark = next(
        (
            byte_order_mark
            for byte_order_mark in _ENCODING_BY_MARK
            if file_bytes.startswith(byte_order_mark)
        ),
        b"",
    )
    return DecodedFile(text, byte_order_mark, _ENCODING_BY_MARK.get(byte_order_mark, "utf-8"))


def tree_of(file_text: str, path: str, cache: EntryCache | None = None) -> MappingNode:
    """Read a session or the settings as a tree that the caller can change.

    Args:
        file_text: The text of the file.
        path: Its name, for messages.
        cache: Remembers the entries of the file; without it, those of the last text of this name are remembered.

    Raises:
        EditRefused: if it cannot be read without an error.
    """
    parsed = read_text(file_text, path, cache or _last_entry_cache_of(path))
    error_problems = [problem for problem in parsed.problems if problem.severity > 2]
    if error_problems:
        raise EditRefused(f"{error_problems[0].place}: {error_problems[0].message}; fix that first")
    if not isinstance(parsed.tree, MappingNode):
        raise EditRefused(f"{path} holds no session")
    return deep_copy(parsed.tree)


@lru_cache(maxsize=4)
def _last_entry_cache_of(_path: str) -> EntryCache:
    """One edit after the other reads nearly the same text."""
    return EntryCache()


def entries_in(tree: Value) -> Iterator[MappingNode]:
    """Every entry in a tree, those inside other entries included."""
    values_left: list[Value] = [tree]
    while values_left:
        value = values_left.pop()
        if isinstance(value, SequenceNode):
            yield from (item for item in value if isinstance(item, MappingNode))
            values_left.extend(value)
        elif isinstance(value, MappingNode):
            values_left.extend(value.values())


def confirm_edit(
    expected_tree: MappingNode, new_text: str, path: str, cache: EntryCache | None = None
) -> str:
    """Return the ``new_text`` of an edit if it reads as the tree that the edit should give.

    Raises:
        EditRefused: if it does not.
    """
    try:
        is_expected = tree_of(new_text, path, cache) == expected_tree
    except EditRefused:
        is_expected = False
    if not is_expected:
        raise EditRefused(f"{path} was left alone: the edit would have changed something else")
    return new_text


def check_comments(old_text: str, new_text: str, path: str, line_number: int = 0) -> None:
    """Refuse an edit that loses a comment or changes the order of comments.

    Raises:
        EditRefused: if the comments of the two texts differ.
    """
    if comments_in(new_text, path) != comments_in(old_text, path):
        line_label = f"{path}:{line_number}" if line_number else path
        raise EditRefused(f"{line_label}: a comment would be lost")


# -- lines and positions ---------------------------------------------------------------------------


class Splice(NamedTuple):
    """Characters ``start`` to ``end`` of a text, and the text in their place."""

    start: int
    end: int
    new_text: str


def apply_splices(file_text: str, splices: list[Splice]) -> str:
    """The text with some stretches replaced."""
    for splice in sorted(splices, reverse=True):
        file_text = file_text[: splice.start] + splice.new_text + file_text[splice.end :]
    return file_text


def newline_of(file_text: str) -> str:
    """How the lines of a text end."""
    line_break_match = LINE_BREAK.search(file_text)
    return line_break_match.group() if line_break_match else "\n"


def end_last_line(file_text: str) -> str:
    """The text with a line break at its end."""
    return file_text if file_text.endswith(("\n", "\r")) else file_text + newline_of(file_text)


def line_starts_of(file_text: str) -> list[int]:
    """Where every line of a text starts."""
    return [0, *(line_break_match.end() for line_break_match in LINE_BREAK.finditer(file_text))]


def value_start_in(file_text: str, value: Value) -> int:
    """Where a value starts in its text."""
    return line_starts_of(file_text)[value.line - 1] + value.column - 1


def split_rows(file_text: str) -> Iterator[tuple[str, str]]:
    """The lines of a text, each with its line break."""
    line_start = 0
    for line_break_match in LINE_BREAK.finditer(file_text):
        yield file_text[line_start : line_break_match.start()], line_break_match.group()
        line_start = line_break_match.end()
    yield file_text[line_start:], ""


def replace_rows(
    file_text: str, first_row_index: int, end_row_index: int, new_rows: list[str]
) -> str:
    """Replace lines ``first_row_index`` up to ``end_row_index`` (from 0, exclusive); the others keep their breaks."""
    newline = newline_of(file_text)
    lines_with_breaks = [line + line_break for line, line_break in split_rows(file_text)]
    lines_with_breaks[first_row_index:end_row_index] = [row + newline for row in new_rows]
    return "".join(lines_with_breaks)


def last_line_of_scalar(scalar: ScalarNode) -> int:
    """The last line that a scalar takes up."""
    if scalar.style in ("|", ">") and scalar.end_column == 1:
        return scalar.end_line - 1
    return scalar.end_line if scalar or scalar.style else scalar.line


def last_scalar_line(value: Value, line_number: int) -> int:
    """The last line that the scalars of a value take up, and at least ``line_number``."""
    return max([line_number, *map(last_line_of_scalar, scalars(value))])


def last_line_of_value(value: Value, line_number: int) -> int:
    """The last line of a value that begins at this line or below."""
    last_line_number = last_scalar_line(value, line_number)
    # A value in brackets ends with them. A block ends where the next one starts.
    is_in_brackets = not isinstance(value, ScalarNode) and value.end_column > 1
    return max(last_line_number, value.end_line) if is_in_brackets else last_line_number


class MoreThanOneLine(EditRefused):
    """The value to replace is no single scalar on one line."""


def option_splice(
    file_text: str, line_starts: list[int], path: str, entry: MappingNode, key_name: str, value: str
) -> Splice:
    """The splice that gives a mapping the pair ``name: value``. ``line_starts``: of the lines of the text.

    Raises:
        MoreThanOneLine: if the pair is there and holds more than one line.
    """
    yaml_value = write_scalar(value, in_flow=True)
    key_node = entry.key(key_name)
    if key_node is not None:
        old_value = entry[key_node]
        if (
            not isinstance(old_value, ScalarNode)
            or old_value.style in ("|", ">")
            or old_value.line != old_value.end_line
        ):
            raise MoreThanOneLine(f"{path}:{key_node.line}: '{key_name}' holds more than one line")
        if is_empty(old_value):
            position_after_colon = (
                file_text.index(":", line_starts[key_node.end_line - 1] + key_node.end_column - 1)
                + 1
            )
            return Splice(position_after_colon, position_after_colon, " " + yaml_value)
        start_position = line_starts[old_value.line - 1]
        return Splice(
            start_position + old_value.column - 1,
            start_position + old_value.end_column - 1,
            yaml_value,
        )
    start_position = line_starts[entry.line - 1] + entry.column - 1
    if file_text[start_position : start_position + 1] == "{":
        end_position = line_starts[entry.end_line - 1] + entry.end_column - 2
        text_before_brace = file_text[:end_position].rstrip()
        if (
            "#"
            in file_text[
                file_text.rfind("\n", 0, len(text_before_brace)) + 1 : len(text_before_brace)
            ]
        ):
            # Nothing can go behind a comment at the end of the braces.
            return Splice(start_position + 1, start_position + 1, f"{key_name}: {yaml_value}, ")
        separator = "" if text_before_brace.endswith(("{", ",")) else ","
        return Splice(len(text_before_brace), end_position, f"{separator} {key_name}: {yaml_value}")
    # Below the first key, or below its value if that has several lines.
    first_key, first_value = next(iter(entry.items()))
    last_line_number = last_line_of_value(first_value, first_key.line)
    if not any(
        _keeps_empty_lines(file_text, line_starts, scalar) for scalar in scalars(first_value)
    ):
        # Empty lines after a text stay between this entry and the next.
        line_ends = [*line_starts[1:], len(file_text)]
        while (
            last_line_number > first_key.line
            and not file_text[
                line_starts[last_line_number - 1] : line_ends[last_line_number - 1]
            ].strip()
        ):
            last_line_number -= 1
    new_line = f"{' ' * (entry.column - 1)}{key_name}: {yaml_value}{newline_of(file_text)}"
    end_position = (
        line_starts[last_line_number] if last_line_number < len(line_starts) else len(file_text)
    )
    return Splice(end_position, end_position, new_line)


def _keeps_empty_lines(file_text: str, line_starts: list[int], scalar: ScalarNode) -> bool:
    """Whether the empty lines below a text belong to it (``|+``)."""
    scalar_start = line_starts[scalar.line - 1] + scalar.column - 1
    return scalar.style in ("|", ">") and "+" in file_text[scalar_start : scalar_start + 3]


# -- comments --------------------------------------------------------------------------------------


class TextLines(NamedTuple):
    """Where the lines of a file are part of a text, so that ``#`` starts no comment."""

    block_lines: set[int]
    """Lines that belong to a block text."""
    quoted_columns: dict[int, list[tuple[int, int]]]
    """The columns of quoted texts, by line."""
    continued_lines: set[int]
    """Lines whose end lies inside a text that goes on below."""

    def is_quoted(self, line: int, column: int) -> bool:
        """Whether a column of a line lies inside a quoted text."""
        return any(start <= column < end for start, end in self.quoted_columns.get(line, ()))


def find_text_lines(tree: Value) -> TextLines:
    """Find the lines that are part of a text."""
    block_lines: set[int] = set()
    quoted_columns: dict[int, list[tuple[int, int]]] = {}
    continued_lines: set[int] = set()
    for scalar in scalars(tree):
        if scalar.style in ("|", ">"):
            last_line_number = scalar.end_line if scalar.end_column > 1 else scalar.end_line - 1
            block_lines.update(range(scalar.line + 1, last_line_number + 1))
        elif scalar.line != scalar.end_line:
            block_lines.update(range(scalar.line + 1, scalar.end_line))
            continued_lines.update(range(scalar.line, scalar.end_line))
            quoted_columns.setdefault(scalar.line, []).append((scalar.column, 1 << 30))
            quoted_columns.setdefault(scalar.end_line, []).append((1, scalar.end_column))
        elif scalar.style:
            quoted_columns.setdefault(scalar.line, []).append((scalar.column, scalar.end_column))
    return TextLines(block_lines, quoted_columns, continued_lines)


def comments_in(file_text: str, path: str) -> list[str]:
    """The comments of a text, in order."""
    tree = read_text(file_text, path).tree
    lines_in_texts = find_text_lines(tree) if tree is not None else TextLines(set(), {}, set())
    comments: list[str] = []
    for line_number, line in enumerate(LINE_BREAK.split(file_text), 1):
        if line_number in lines_in_texts.block_lines:
            continue
        for hash_match in re.finditer(r"(?:^|[ \t])#", line):
            if not lines_in_texts.is_quoted(line_number, hash_match.end()):
                comments.append(line[hash_match.end() :].rstrip())
                break
    return comments
