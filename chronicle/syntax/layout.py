"""``chronicle fmt``: a standard layout for logs that does not change their meaning.

An entry begins with its verb and its actor and ends with its text; values in brackets stay on one line if
they fit; long texts are folded; comments stay in place. Every part of a file is formatted separately, and then
parsed: a part that would read differently stays as typed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

from chronicle.core.source import MappingNode, SequenceNode
from chronicle.syntax.edit import end_of
from chronicle.syntax.reader import read_text
from chronicle.syntax.reshape import Indents, Unshaped, literal, reshaped
from chronicle.syntax.text_edit import EditRefused, comments_in, last_of, tree_of

WIDTH: Final = 120
"""Maximum width of a line that can be broken."""

FIRST: Final = ("by",)
LAST: Final = ("under", "allow", "text", "note")
"""Keys that come right after the verb of an entry, and keys that come last."""

_INDENTS: Final = Indents(2, 2, 0)
_BREAKS: Final = re.compile("\r\n|\r|\n")
_DEEPEST: Final = 6
"""Typical indentation of a folded text."""
_PLAIN_PAIR: Final = re.compile(
    r"([a-z]+(?: [a-z]+)*): [A-Za-z][A-Za-z0-9.,;!?'()-]*(?: [A-Za-z0-9.,;!?'()-]+)*"
)
"""A key with words that can be written in only one way."""
_ODD: Final = re.compile(r"^\s|\s\Z|[^\S \n]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


class _Part(NamedTuple):
    """A pair of the head, the line ``log:``, or an entry, with its first and its last line."""

    first: int
    last: int
    kind: str


def laid_out(text: str, path: str, verbs: Collection[str] = ()) -> str:
    """The text of a session (or of settings) in the standard layout. ``verbs`` are those of its game.

    Raises:
        EditRefused: if it has problems, or would read differently.
    """
    tree = tree_of(text, path)
    first_break = _BREAKS.search(text)
    lines = _BREAKS.split(text)
    parts = list(_parts(tree, len(lines)))
    if any(part.last >= next_part.first for part, next_part in pairwise(parts)):
        raise EditRefused(f"{path} is written in brackets; give every entry lines of its own first")
    formatted: list[str] = []
    done_lines = 0
    for part in parts:
        _between(lines[done_lines : part.first - 1], formatted)
        part_lines = lines[part.first - 1 : part.last]
        formatted += (
            ["log:"] if part.kind == "log" else _part(part_lines, part.kind == "entry", verbs, path)
        )
        done_lines = part.last
    _between(lines[done_lines:], formatted)
    while formatted and not formatted[-1]:
        formatted.pop()
    new_text = (first_break.group() if first_break else "\n").join([*formatted, ""])
    if tree_of(new_text, path) != tree or comments_in(new_text, path) != comments_in(text, path):
        raise EditRefused(f"{path} was left alone: laid out anew, it would read differently")
    return new_text


def _parts(tree: MappingNode, lines: int) -> Iterator[_Part]:
    pairs = list(tree.items())
    for key, value in pairs:
        if key != "log" or not isinstance(value, SequenceNode):
            yield _Part(key.line, last_of(value, key.line), "pair")
            continue
        yield _Part(key.line, key.line, "log")
        for item in value:
            yield _Part(item.line, end_of(item), "entry")


def _between(lines: list[str], formatted: list[str]) -> None:
    """Add the lines between two parts: comments, and one empty line if there was any."""
    for line in map(str.strip, lines):
        if line or (formatted and formatted[-1] and formatted[-1] != "log:"):
            formatted.append(line)


def _part(lines: list[str], entry: bool, verbs: Collection[str], path: str) -> list[str]:
    """A part in the standard layout; as typed, if it would read differently."""
    typed = [*lines]
    if entry:
        dash = lines[0].index("-")
        inner = dash + 1 + len(lines[0][dash + 1 :]) - len(lines[0][dash + 1 :].lstrip())
        lines = [" " * inner + lines[0][inner:], *lines[1:]]
        if any(line.strip() and line[:inner].strip() for line in lines):
            return _as_typed(typed, entry)
        lines = [line[inner:] for line in lines]
    if _laid_already(lines, verbs if entry else ()):
        return (
            [("  " if number else "- ") + line for number, line in enumerate(lines)]
            if entry
            else lines
        )
    piece = "\n".join([*lines, ""])
    formatted = next(
        (
            candidate
            for order in (verbs if entry else None, None)
            for candidate in [_formatted_value(piece, order)]
            if candidate is not None and _has_same_meaning(piece, candidate, path)
        ),
        None,
    )
    if formatted is None:
        return _as_typed(typed, entry)
    rows = formatted.removesuffix("\n").split("\n")
    return (
        [("- " if number == 0 else "  " if row else "") + row for number, row in enumerate(rows)]
        if entry
        else rows
    )


def _laid_already(lines: list[str], verbs: Collection[str]) -> bool:
    """Whether the lines have only plain words that fit, in the standard order. Most of a long log is in this
    form and stays unchanged."""
    keys = [pair[1] for line in lines if (pair := _PLAIN_PAIR.fullmatch(line))]
    if len(set(keys)) < len(lines) or max(map(len, lines)) > WIDTH - 2:
        return False
    return not verbs or _order(keys, verbs) == keys


def _as_typed(lines: list[str], entry: bool) -> list[str]:
    """Move an entry to the left if its dash was indented, to match the others."""
    if entry and not lines[0].startswith("-"):
        dash = lines[0].index("-")
        return [line[dash:] if not line[:dash].strip() else line for line in lines]
    return lines


def _formatted_value(piece: str, verbs: Collection[str] | None) -> str | None:
    def change(data: Any) -> None:
        if not isinstance(data, dict):
            raise Unshaped("no mapping")
        if verbs is not None:
            _ordered(data, verbs)
        _styled(data, WIDTH - 2)

    try:
        formatted = reshaped(piece, _INDENTS, change)
        # Quotes that were added in the first pass get the standard form in a second.
        return formatted if formatted == piece else reshaped(formatted, _INDENTS, change)
    except Unshaped:
        return None


def _has_same_meaning(piece: str, formatted: str, path: str) -> bool:
    original, result = read_text(piece, path), read_text(formatted, path)
    return (
        original.tree == result.tree
        and len(result.problems) <= len(original.problems)
        and comments_in(piece, path) == comments_in(formatted, path)
    )


def _order(keys: list[str], verbs: Collection[str]) -> list[str]:
    """The standard order of keys: verb, actor, others as typed, texts."""
    verb = [key for key in keys if key in verbs][:1] or keys[:1]
    other_keys = [key for key in keys if key not in verb]
    return [
        *verb,
        *(key for key in FIRST if key in other_keys),
        *(key for key in other_keys if key not in FIRST and key not in LAST),
        *(key for key in LAST if key in other_keys),
    ]


def _ordered(data: Any, verbs: Collection[str]) -> None:
    """Put the pairs of an entry into the standard order."""
    keys = list(data)
    ordered_keys = _order(keys, verbs)
    if ordered_keys != keys:
        for key in ordered_keys:
            data.move_to_end(key)


def _styled(value: Any, room: int) -> Any:
    """A value with standard brackets and quotes. ``room`` is the available width."""
    if isinstance(value, dict | list):
        _opened(value, room)
    if isinstance(value, dict):
        for key, item in value.items():
            value[key] = _styled(
                item, room - 2 if isinstance(item, dict | list) else room - len(key) - 2
            )
    elif isinstance(value, list):
        for index, item in enumerate(value):
            value[index] = _styled(item, room - 2)
    elif isinstance(value, str):
        return _text(value, room)
    return value


def _opened(value: Any, room: int) -> None:
    """Turn brackets that do not fit on a line into lines.

    Raises:
        Unshaped: if they contain a key without a value, which would look like something else.
    """
    if not value.fa.flow_style():
        return
    if isinstance(value, dict) and None in value.values():
        raise Unshaped("a key without a value stands in brackets")
    if value and len(_inline(value)) > room:
        value.fa.set_block_style()


def _inline(value: Any) -> str:
    """The approximate text of a value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return str(value)


def _text(value: Any, room: int) -> Any:
    """A text with standard quotes; a paragraph that is too long for its line is folded."""
    from ruamel.yaml.scalarstring import (
        DoubleQuotedScalarString,
        FoldedScalarString,
        ScalarString,
        SingleQuotedScalarString,
    )

    if isinstance(value, DoubleQuotedScalarString | SingleQuotedScalarString):
        if "\n" in value and not _ODD.search(value.removesuffix("\n")):
            return literal(str(value))
        single = '"' in value and "'" not in value and value.isprintable()
        return (SingleQuotedScalarString if single else DoubleQuotedScalarString)(value)
    if isinstance(value, FoldedScalarString):
        lines = _BREAKS.split(str(value).removesuffix("\n"))
        folds = [0, *getattr(value, "fold_pos", ()), len(value)]
        wide = max(end - start for start, end in pairwise(folds))
        return value if len(lines) > 1 or wide <= WIDTH else _folded(value)
    if isinstance(value, ScalarString) or len(value) <= room:
        return value
    return _folded(value)


def _folded(value: str) -> Any:
    """A text of one paragraph, folded to the line width."""
    from ruamel.yaml.scalarstring import FoldedScalarString

    paragraph = value.removesuffix("\n")
    if _ODD.search(paragraph) or "\n" in paragraph or "  " in paragraph:
        return value
    folded = FoldedScalarString(value)
    folded.fold_pos = _folds(paragraph.split(" "))
    return folded


def _folds(words: list[str]) -> list[int]:
    """The positions in a paragraph where lines end."""
    folds: list[int] = []
    position = column = 0
    for word in words:
        if column and column + 1 + len(word) > WIDTH - _DEEPEST:
            folds.append(position - 1)
            column = 0
        column += len(word) + bool(column)
        position += len(word) + 1
    return folds
