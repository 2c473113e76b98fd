"""What every edit of a file shares: the text and its tree, splices, and the proof that nothing else changed.

Every edit takes a text and returns a text; the caller writes it with ``core.files``. An edit that would change
more than it should raises :class:`EditRefused`, and the file does not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from chronicle.core.errors import Refused
from chronicle.core.files import Change
from chronicle.core.source import (
    MappingNode,
    ScalarNode,
    SequenceNode,
    Value,
    copied,
    is_empty,
    scalars,
)
from chronicle.syntax.characters import decoded
from chronicle.syntax.reader import read_text
from chronicle.syntax.reading_cache import EntryCache
from chronicle.syntax.yaml_text import write_scalar
from chronicle.syntax.yaml_traps import BREAK


class EditRefused(Refused):
    """The edit would change more than it should. The message gives the reason."""


class Source(NamedTuple):
    """The text of a file, with its byte order mark and its encoding."""

    text: str
    mark: bytes
    encoding: str

    def bytes_of(self, text: str) -> bytes:
        """The bytes of a changed text, in the encoding of the file."""
        return self.mark + text.encode(self.encoding)

    def change(self, file: Path, new_text: str) -> Change:
        """The change of a file with this text to another text."""
        return Change(file, self.bytes_of(self.text), self.bytes_of(new_text))


_MARKS: Final = MappingProxyType(
    {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
)


def opened(data: bytes, path: str) -> Source:
    """Decode a file for an edit, without the byte order mark.

    Raises:
        EditRefused: if its bytes can mean more than one text (T1).
    """
    text, problems = decoded(data, path)
    if text is None or problems:
        first = problems[0]
        raise EditRefused("; ".join((f"{first.place}: {first.message}", *first.help)))
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    return Source(text, mark, _MARKS.get(mark, "utf-8"))


def tree_of(text: str, path: str, cache: EntryCache | None = None) -> MappingNode:
    """Read a session or the settings as a tree that the caller can change.

    Args:
        text: The text of the file.
        path: Its name, for messages.
        cache: Remembers the entries of the file.

    Raises:
        EditRefused: if it cannot be read without an error.
    """
    parsed = read_text(text, path, cache)
    errors = [problem for problem in parsed.problems if problem.severity > 2]
    if errors:
        raise EditRefused(f"{errors[0].place}: {errors[0].message}; fix that first")
    if not isinstance(parsed.tree, MappingNode):
        raise EditRefused(f"{path} holds no session")
    return parsed.tree if cache is None else copied(parsed.tree)


def entries_in(tree: Value) -> Iterator[MappingNode]:
    """Every entry in a tree, those inside other entries included."""
    waiting: list[Value] = [tree]
    while waiting:
        value = waiting.pop()
        if isinstance(value, SequenceNode):
            yield from (item for item in value if isinstance(item, MappingNode))
            waiting.extend(value)
        elif isinstance(value, MappingNode):
            waiting.extend(value.values())


def checked(
    expected: MappingNode, new_text: str, path: str, cache: EntryCache | None = None
) -> str:
    """Return the ``new_text`` of an edit if it reads as the tree that the edit should give.

    Raises:
        EditRefused: if it does not.
    """
    try:
        is_expected = tree_of(new_text, path, cache) == expected
    except EditRefused:
        is_expected = False
    if not is_expected:
        raise EditRefused(f"{path} was left alone: the edit would have changed something else")
    return new_text


def check_comments(old_text: str, new_text: str, path: str, line: int = 0) -> None:
    """Refuse an edit that loses a comment or changes the order of comments.

    Raises:
        EditRefused: if the comments of the two texts differ.
    """
    if comments_in(new_text, path) != comments_in(old_text, path):
        place = f"{path}:{line}" if line else path
        raise EditRefused(f"{place}: a comment would be lost")


# -- lines and positions ---------------------------------------------------------------------------


class Splice(NamedTuple):
    """Characters ``start`` to ``end`` of a text, and the text in their place."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: list[Splice]) -> str:
    """The text with some stretches replaced."""
    for splice in sorted(splices, reverse=True):
        text = text[: splice.start] + splice.text + text[splice.end :]
    return text


def newline_of(text: str) -> str:
    """How the lines of a text end."""
    match = BREAK.search(text)
    return match.group() if match else "\n"


def end_last_line(text: str) -> str:
    """The text with a line break at its end."""
    return text if text.endswith(("\n", "\r")) else text + newline_of(text)


def starts_of(text: str) -> list[int]:
    """Where every line of a text starts."""
    return [0, *(match.end() for match in BREAK.finditer(text))]


def start_of(text: str, value: Value) -> int:
    """Where a value starts in its text."""
    return starts_of(text)[value.line - 1] + value.column - 1


def split_rows(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a text, each with its line break."""
    start = 0
    for match in BREAK.finditer(text):
        yield text[start : match.start()], match.group()
        start = match.end()
    yield text[start:], ""


def replace_rows(text: str, first: int, end: int, rows: list[str]) -> str:
    """Replace lines ``first`` up to ``end`` (from 0, exclusive). Every other line keeps its line break."""
    newline = newline_of(text)
    lines = [line + line_end for line, line_end in split_rows(text)]
    lines[first:end] = [row + newline for row in rows]
    return "".join(lines)


def last_line(word: ScalarNode) -> int:
    """The last line that a scalar takes up."""
    if word.style in ("|", ">") and word.end_column == 1:
        return word.end_line - 1
    return word.end_line if word or word.style else word.line


def last_word(value: Value, line: int) -> int:
    """The last line that the scalars of a value take up, and at least ``line``."""
    return max([line, *map(last_line, scalars(value))])


def last_of(value: Value, line: int) -> int:
    """The last line of a value that begins at this line or below."""
    last = last_word(value, line)
    # A value in brackets ends with them. A block ends where the next one starts.
    in_brackets = not isinstance(value, ScalarNode) and value.end_column > 1
    return max(last, value.end_line) if in_brackets else last


class MoreThanOneLine(EditRefused):
    """The value to replace is no single scalar on one line."""


def option_splice(
    text: str, starts: list[int], path: str, entry: MappingNode, name: str, value: str
) -> Splice:
    """The splice that gives a mapping the pair ``name: value``. ``starts``: of the lines of the text.

    Raises:
        MoreThanOneLine: if the pair is there and holds more than one line.
    """
    written = write_scalar(value, flow=True)
    key = entry.key(name)
    if key is not None:
        old = entry[key]
        if not isinstance(old, ScalarNode) or old.style in ("|", ">") or old.line != old.end_line:
            raise MoreThanOneLine(f"{path}:{key.line}: '{name}' holds more than one line")
        if is_empty(old):
            colon = text.index(":", starts[key.end_line - 1] + key.end_column - 1) + 1
            return Splice(colon, colon, " " + written)
        start = starts[old.line - 1]
        return Splice(start + old.column - 1, start + old.end_column - 1, written)
    start = starts[entry.line - 1] + entry.column - 1
    if text[start : start + 1] == "{":
        end = starts[entry.end_line - 1] + entry.end_column - 2
        head = text[:end].rstrip()
        if "#" in text[text.rfind("\n", 0, len(head)) + 1 : len(head)]:
            # Nothing can go behind a comment at the end of the braces.
            return Splice(start + 1, start + 1, f"{name}: {written}, ")
        comma = "" if head.endswith(("{", ",")) else ","
        return Splice(len(head), end, f"{comma} {name}: {written}")
    # Below the first key, or below its value if that has several lines.
    first, first_value = next(iter(entry.items()))
    last = last_of(first_value, first.line)
    if not any(_keeps_empty_lines(text, starts, word) for word in scalars(first_value)):
        # Empty lines after a text stay between this entry and the next.
        ends = [*starts[1:], len(text)]
        while last > first.line and not text[starts[last - 1] : ends[last - 1]].strip():
            last -= 1
    row = f"{' ' * (entry.column - 1)}{name}: {written}{newline_of(text)}"
    end = starts[last] if last < len(starts) else len(text)
    return Splice(end, end, row)


def _keeps_empty_lines(text: str, starts: list[int], word: ScalarNode) -> bool:
    """Whether the empty lines below a text belong to it (``|+``)."""
    start = starts[word.line - 1] + word.column - 1
    return word.style in ("|", ">") and "+" in text[start : start + 3]


# -- comments --------------------------------------------------------------------------------------


class TextLines(NamedTuple):
    """Where the lines of a file are part of a text, so that ``#`` starts no comment."""

    blocks: set[int]
    """Lines that belong to a block text."""
    quoted: dict[int, list[tuple[int, int]]]
    """The columns of quoted texts, by line."""
    continued: set[int]
    """Lines whose end lies inside a text that goes on below."""

    def is_text(self, line: int, column: int) -> bool:
        """Whether a column of a line lies inside a quoted text."""
        return any(start <= column < end for start, end in self.quoted.get(line, ()))


def text_lines(tree: Value) -> TextLines:
    """Find the lines that are part of a text."""
    blocks: set[int] = set()
    quoted: dict[int, list[tuple[int, int]]] = {}
    continued: set[int] = set()
    for word in scalars(tree):
        if word.style in ("|", ">"):
            last = word.end_line if word.end_column > 1 else word.end_line - 1
            blocks.update(range(word.line + 1, last + 1))
        elif word.line != word.end_line:
            blocks.update(range(word.line + 1, word.end_line))
            continued.update(range(word.line, word.end_line))
            quoted.setdefault(word.line, []).append((word.column, 1 << 30))
            quoted.setdefault(word.end_line, []).append((1, word.end_column))
        elif word.style:
            quoted.setdefault(word.line, []).append((word.column, word.end_column))
    return TextLines(blocks, quoted, continued)


def comments_in(text: str, path: str) -> list[str]:
    """The comments of a text, in order."""
    tree = read_text(text, path).tree
    texts = text_lines(tree) if tree is not None else TextLines(set(), {}, set())
    comments: list[str] = []
    for number, line in enumerate(BREAK.split(text), 1):
        if number in texts.blocks:
            continue
        for match in re.finditer(r"(?:^|[ \t])#", line):
            if not texts.is_text(number, match.end()):
                comments.append(line[match.end() :].rstrip())
                break
    return comments
