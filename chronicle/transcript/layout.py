"""``chronicle fmt``: one layout for every log, and nothing of what it says is another.

An entry says first what was done and who did it, and last what it tells; values in brackets stand on
one line as long as they fit; long texts are folded; comments stay where they belong. Every part of a
file is laid out by itself and read again: what does not read as before is left as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

from chronicle.core.source import Entries, Items
from chronicle.transcript.edit import end_of
from chronicle.transcript.reader import read_text
from chronicle.transcript.reshape import Indents, Unshaped, literal, reshaped
from chronicle.transcript.text_edit import EditRefused, comments_in, last_of, tree_of

WIDTH: Final = 120
"""A line that can be shorter grows no longer."""

FIRST: Final = ("by",)
LAST: Final = ("under", "allow", "text", "note")
"""What an entry of any game says after its verb, and at its end."""

_INDENTS: Final[Indents] = (2, 2, 0)
_BREAKS: Final = re.compile("\r\n|\r|\n")
_DEEPEST: Final = 6
"""How far in a folded text stands, mostly."""
_PLAIN_PAIR: Final = re.compile(
    r"([a-z]+(?: [a-z]+)*): [A-Za-z][A-Za-z0-9.,;!?'()-]*(?: [A-Za-z0-9.,;!?'()-]+)*"
)
"""A key and words that are written in one way only."""
_ODD: Final = re.compile(r"^\s|\s\Z|[^\S \n]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


class _Part(NamedTuple):
    """A pair of the head, the line ``log:``, or an entry, with its first and its last line."""

    first: int
    last: int
    what: str


def laid_out(text: str, path: str, verbs: Collection[str] = ()) -> str:
    """The text of a session (or of settings) in the layout of the house. ``verbs`` are those of its
    game.

    Raises:
        EditRefused: when it cannot be read without a mistake, or would read differently.
    """
    tree = tree_of(text, path)
    found = _BREAKS.search(text)
    lines = _BREAKS.split(text)
    parts = list(_parts(tree, len(lines)))
    if any(one.last >= other.first for one, other in pairwise(parts)):
        raise EditRefused(f"{path} is written in brackets; give every entry lines of its own first")
    made: list[str] = []
    at = 0
    for part in parts:
        _between(lines[at : part.first - 1], made)
        own = lines[part.first - 1 : part.last]
        made += ["log:"] if part.what == "log" else _part(own, part.what == "entry", verbs, path)
        at = part.last
    _between(lines[at:], made)
    while made and not made[-1]:
        made.pop()
    after = (found.group() if found else "\n").join([*made, ""])
    if tree_of(after, path) != tree or comments_in(after, path) != comments_in(text, path):
        raise EditRefused(f"{path} was left alone: laid out anew, it would read differently")
    return after


def _parts(tree: Entries, lines: int) -> Iterator[_Part]:
    pairs = list(tree.items())
    for key, value in pairs:
        if key != "log" or not isinstance(value, Items):
            yield _Part(key.line, last_of(value, key.line), "pair")
            continue
        yield _Part(key.line, key.line, "log")
        for item in value:
            yield _Part(item.line, end_of(item), "entry")


def _between(lines: list[str], made: list[str]) -> None:
    """Add what stands between two parts: comments, and one empty line where there was any."""
    for line in map(str.strip, lines):
        if line or (made and made[-1] and made[-1] != "log:"):
            made.append(line)


def _part(lines: list[str], entry: bool, verbs: Collection[str], path: str) -> list[str]:
    """A part in the layout of the house; as it was typed, if it would read differently."""
    typed = [*lines]
    if entry:
        at = lines[0].index("-")
        inner = at + 1 + len(lines[0][at + 1 :]) - len(lines[0][at + 1 :].lstrip())
        lines = [" " * inner + lines[0][inner:], *lines[1:]]
        if any(line.strip() and line[:inner].strip() for line in lines):
            return _as_typed(typed, entry)
        lines = [line[inner:] for line in lines]
    if _laid_already(lines, verbs if entry else ()):
        return [("  " if n else "- ") + line for n, line in enumerate(lines)] if entry else lines
    piece = "\n".join([*lines, ""])
    made = next(
        (
            made
            for order in (verbs if entry else None, None)
            for made in [_laid(piece, order)]
            if made is not None and _same(piece, made, path)
        ),
        None,
    )
    if made is None:
        return _as_typed(typed, entry)
    rows = made.removesuffix("\n").split("\n")
    return (
        [("- " if n == 0 else "  " if row else "") + row for n, row in enumerate(rows)]
        if entry
        else rows
    )


def _laid_already(lines: list[str], verbs: Collection[str]) -> bool:
    """Whether nothing but plain words on lines that fit stands here, in the order of the house: most of
    a long log, which then is not written and read anew."""
    keys = [pair[1] for line in lines if (pair := _PLAIN_PAIR.fullmatch(line))]
    if len(set(keys)) < len(lines) or max(map(len, lines)) > WIDTH - 2:
        return False
    return not verbs or _order(keys, verbs) == keys


def _as_typed(lines: list[str], entry: bool) -> list[str]:
    """An entry whose dash stands further in cannot stay beside others that do not."""
    if entry and not lines[0].startswith("-"):
        at = lines[0].index("-")
        return [line[at:] if not line[:at].strip() else line for line in lines]
    return lines


def _laid(piece: str, verbs: Collection[str] | None) -> str | None:
    def change(data: Any) -> None:
        if not isinstance(data, dict):
            raise Unshaped("no mapping")
        if verbs is not None:
            _ordered(data, verbs)
        _styled(data, WIDTH - 2)

    try:
        made = reshaped(piece, _INDENTS, change)
        # Quotes that a first writing had to add are those of the house after a second.
        return made if made == piece else reshaped(made, _INDENTS, change)
    except Unshaped:
        return None


def _same(piece: str, made: str, path: str) -> bool:
    before, after = read_text(piece, path), read_text(made, path)
    return (
        before.tree == after.tree
        and len(after.problems) <= len(before.problems)
        and comments_in(piece, path) == comments_in(made, path)
    )


def _order(keys: list[str], verbs: Collection[str]) -> list[str]:
    """What was done first, then who did it; what it tells at the end; the rest as it was typed."""
    verb = [key for key in keys if key in verbs][:1] or keys[:1]
    rest = [key for key in keys if key not in verb]
    return [
        *verb,
        *(key for key in FIRST if key in rest),
        *(key for key in rest if key not in FIRST and key not in LAST),
        *(key for key in LAST if key in rest),
    ]


def _ordered(data: Any, verbs: Collection[str]) -> None:
    """The pairs of an entry in the order of the house."""
    keys = list(data)
    wanted = _order(keys, verbs)
    if wanted != keys:
        for key in wanted:
            data.move_to_end(key)


def _styled(value: Any, room: int) -> Any:
    """A value with its brackets and quotes as the house has them. ``room``: how wide it may be."""
    if isinstance(value, dict | list):
        _opened(value, room)
    if isinstance(value, dict):
        for key, item in value.items():
            value[key] = _styled(
                item, room - 2 if isinstance(item, dict | list) else room - len(key) - 2
            )
    elif isinstance(value, list):
        for n, item in enumerate(value):
            value[n] = _styled(item, room - 2)
    elif isinstance(value, str):
        return _text(value, room)
    return value


def _opened(value: Any, room: int) -> None:
    """Brackets that do not fit on a line become lines.

    Raises:
        Unshaped: where a key without a value stands in them, since that would look like another thing.
    """
    if not value.fa.flow_style():
        return
    if isinstance(value, dict) and None in value.values():
        raise Unshaped("a key without a value stands in brackets")
    if value and len(_inline(value)) > room:
        value.fa.set_block_style()


def _inline(value: Any) -> str:
    """About what a value takes up on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return str(value)


def _text(value: Any, room: int) -> Any:
    """A text: a paragraph too long for its line is folded, what is in quotes has those of the house."""
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
    """A text of one paragraph, folded to the width of a line."""
    from ruamel.yaml.scalarstring import FoldedScalarString

    paragraph = value.removesuffix("\n")
    if _ODD.search(paragraph) or "\n" in paragraph or "  " in paragraph:
        return value
    made = FoldedScalarString(value)
    made.fold_pos = _folds(paragraph.split(" "))
    return made


def _folds(words: list[str]) -> list[int]:
    """After which characters of the words, a space apart, lines end."""
    folds: list[int] = []
    at = column = 0
    for word in words:
        if column and column + 1 + len(word) > WIDTH - _DEEPEST:
            folds.append(at - 1)
            column = 0
        column += len(word) + bool(column)
        at += len(word) + 1
    return folds
