"""Gentle writing: text spliced at known places, read again, and compared before it is handed back.

Every function takes a text and returns a text; the caller writes it with ``core.files``. Nothing but
what was asked for may change: otherwise :class:`EditRefused` is raised and the file stays as it was.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from chronicle.core.source import Entries, Items, Value, Word
from chronicle.transcript.folder import slug_of
from chronicle.transcript.reader import read_text
from chronicle.transcript.traps import BREAK, quoted

MOST_WIDE: Final = 100
"""A line with a remark grows no wider; a longer remark stands above its entry."""

_PLAIN = re.compile(r"[\w+][\w .+-]*")


class EditRefused(Exception):
    """The edit would have changed more than was meant; the message says what is in the way."""


def _tree(text: str, path: str) -> Entries:
    parsed = read_text(text, path)
    bad = [one for one in parsed.problems if one.severity > 2]
    if bad:
        raise EditRefused(f"{bad[0].place}: {bad[0].message}; mend that first")
    if not isinstance(parsed.tree, Entries):
        raise EditRefused(f"{path} holds no session")
    return parsed.tree


def _log(tree: Entries, path: str) -> Items:
    log = tree.get(Word("log"))
    if not isinstance(log, Items):
        raise EditRefused(f"{path} has no list 'log'")
    return log


def _newline(text: str) -> str:
    found = BREAK.search(text)
    return found.group() if found else "\n"


def _checked(before: Entries, after: str, path: str, wanted: Callable[[Entries], None]) -> str:
    """``after``, if it reads as ``before`` with ``wanted`` done to it."""
    wanted(before)
    try:
        same = _tree(after, path) == before
    except EditRefused:
        same = False
    if not same:
        raise EditRefused(f"{path} was left alone: the edit would have changed something else")
    return after


def _words(value: Value) -> Iterator[Word]:
    if isinstance(value, Word):
        yield value
    elif isinstance(value, Items):
        for item in value:
            yield from _words(item)
    else:
        for key, item in value.items():
            yield key
            yield from _words(item)


def _inside_text(tree: Entries) -> tuple[set[int], dict[int, list[tuple[int, int]]], set[int]]:
    """Lines that belong to a block text; stretches of quoted text by line; lines whose end lies
    inside a text that goes on below."""
    blocks: set[int] = set()
    spans: dict[int, list[tuple[int, int]]] = {}
    open_ended: set[int] = set()
    for word in _words(tree):
        if word.style in ("|", ">"):
            last = word.end_line if word.end_column > 1 else word.end_line - 1
            blocks.update(range(word.line + 1, last + 1))
        elif word.line != word.end_line:
            blocks.update(range(word.line + 1, word.end_line))
            open_ended.update(range(word.line, word.end_line))
            spans.setdefault(word.line, []).append((word.column, 1 << 30))
            spans.setdefault(word.end_line, []).append((1, word.end_column))
        elif word.style:
            spans.setdefault(word.line, []).append((word.column, word.end_column))
    return blocks, spans, open_ended


def _stripped(text: str, tree: Entries) -> tuple[list[str], list[int]]:
    """The lines without remarks, and the number each had before."""
    blocks, spans, _ = _inside_text(tree)
    lines: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(BREAK.split(text), 1):
        if number not in blocks:
            if line.lstrip(" ").startswith("#>"):
                continue
            for match in re.finditer(r"[ \t]+#>", line):
                at = match.end() - 1
                if not any(start <= at < end for start, end in spans.get(number, ())):
                    line = line[: match.start()]
                    break
        lines.append(line)
        numbers.append(number)
    return lines, numbers


def strip(text: str, path: str) -> str:
    """The text without generated ``#>`` remarks. A ``#`` comment is never touched."""
    tree = _tree(text, path)
    lines, _ = _stripped(text, tree)
    return _checked(tree, _newline(text).join(lines), path, lambda _: None)


def annotate(text: str, path: str, remarks: Mapping[tuple[str, int], str]) -> str:
    """The text with ``#>`` remarks: {(path, line): words}. Older remarks are replaced, so doing it
    twice changes nothing. A remark stands at the end of its line, or above it where it would not fit."""
    tree = _tree(text, path)
    lines, numbers = _stripped(text, tree)
    blocks, _, open_ended = _inside_text(tree)
    made: list[str] = []
    for line, number in zip(lines, numbers, strict=True):
        words = " ".join(remarks.get((path, number), "").split())
        if not words or number in blocks or not line.strip():
            made.append(line)
            continue
        joined = f"{line}  #> {words}"
        if len(joined) <= MOST_WIDE and number not in open_ended and " #" not in line:
            made.append(joined)
            continue
        indent = " " * (len(line) - len(line.lstrip(" ")))
        room = max(MOST_WIDE - len(indent) - 3, 30)
        made += [f"{indent}#> {part}" for part in textwrap.wrap(words, room)]
        made.append(line)
    return _checked(tree, _newline(text).join(made), path, lambda _: None)


def _scalar(value: str) -> str:
    """A value as one line of YAML."""
    if _PLAIN.fullmatch(value) and value == value.strip():
        return value
    if "\n" in value:
        raise EditRefused("a value of several lines cannot be put on one line")
    return quoted(value)


def set_option(text: str, path: str, entry: Entries, name: str, value: str) -> str:
    """The text with option ``name`` of an entry (as read from this very text) set to ``value``."""
    tree = _tree(text, path)
    ends = [0, *(match.end() for match in BREAK.finditer(text))]
    found = next(
        (one for one in _entries(tree) if (one.line, one.column) == (entry.line, entry.column)),
        None,
    )
    if found is None or found != entry:
        raise EditRefused(f"{path}:{entry.line}: the file has changed since it was read")
    key = found.key(name)
    written = _scalar(value)
    if key is not None:
        old = found[key]
        if not isinstance(old, Word) or old.style in ("|", ">") or old.line != old.end_line:
            raise EditRefused(f"{path}:{key.line}: '{name}' holds more than one line")
        if not old and not old.style:
            at = end = (
                ends[key.end_line - 1]
                + text[ends[key.end_line - 1] + key.end_column - 1 :].index(":")
                + key.end_column
            )
            written = " " + written
        else:
            at = ends[old.line - 1] + old.column - 1
            end = ends[old.line - 1] + old.end_column - 1
        after = text[:at] + written + text[end:]
    else:
        start = ends[found.line - 1] + found.column - 1
        if text[start : start + 1] == "{":
            end = ends[found.end_line - 1] + found.end_column - 2
            head = text[:end].rstrip()
            comma = "" if head.endswith(("{", ",")) else ","
            after = f"{head}{comma} {name}: {written}{text[end:]}"
        else:
            # Below the first key, or below its value if that runs over several lines.
            first, inner = next(iter(found.items()))
            last = (
                inner.end_line if isinstance(inner, Word) and (inner or inner.style) else first.line
            )
            if not isinstance(inner, Word):
                last = max([inner.end_line, *(word.end_line for word in _words(inner))])
                if any(
                    word.style in ("|", ">") and word.end_line == last for word in _words(inner)
                ):
                    last -= 1
            elif inner.style in ("|", ">") and inner.end_column == 1:
                last -= 1
            at = ends[last] if last < len(ends) else len(text)
            newline = _newline(text)
            lead = (
                ""
                if (at == ends[-1] and text.endswith(("\n", "\r"))) or last < len(ends)
                else newline
            )
            after = (
                f"{text[:at]}{lead}{' ' * (found.column - 1)}{name}: {written}{newline}{text[at:]}"
            )

    def wanted(_: Entries) -> None:
        found[key if key is not None else Word(name)] = Word(value)

    return _checked(tree, after, path, wanted)


def _entries(tree: Entries) -> Iterator[Entries]:
    waiting: list[Value] = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Items):
            for item in one:
                if isinstance(item, Entries):
                    yield item
            waiting.extend(one)
        elif isinstance(one, Entries):
            waiting.extend(one.values())


def add_ids(text: str, path: str, taken: frozenset[str] = frozenset()) -> str:
    """The text with a permanent ``id`` for every entry of the log that has none: readable, and
    different from each other and from those ``taken`` elsewhere in the campaign."""
    log = _log(_tree(text, path), path)
    used = set(taken)
    for entry in _entries(_tree(text, path)):
        own = entry.get(Word("id"))
        if isinstance(own, Word):
            used.add(str(own))
    # From the end, so that places above stay what they were.
    for entry in reversed([item for item in log if isinstance(item, Entries)]):
        if not entry or Word("id") in entry:
            continue
        verb, value = next(iter(entry.items()))
        words = f"{verb} {value}" if isinstance(value, Word) else verb
        stem = "-".join(slug_of(words).split("-")[:5])
        name, count = stem, 1
        while name in used:
            count += 1
            name = f"{stem}-{count}"
        used.add(name)
        text = set_option(text, path, entry, "id", name)
    return text


def insert_entry(text: str, path: str, entry: str, before: int | None = None) -> str:
    """The text with one more entry in its log (YAML without the dash), before the entry of that
    index or at the end."""
    tree = _tree(text, path)
    log = _log(tree, path)
    parsed = read_text(entry, path)
    if not isinstance(parsed.tree, Entries) or any(one.severity > 2 for one in parsed.problems):
        raise EditRefused("the new entry cannot be read")
    indent = " " * (log.column - 1)
    newline = _newline(text)
    rows = entry.rstrip("\n").split("\n")
    block = newline.join(
        [f"{indent}- {rows[0]}", *(f"{indent}  {row}" if row else row for row in rows[1:])]
    )
    lines = BREAK.split(text)
    if before is None or before >= len(log):
        end = max([log.end_line, *(word.end_line for word in _words(log))], default=log.line)
        while end > 0 and (end > len(lines) or not lines[end - 1].strip()):
            end -= 1
        keys = [key.line for key in tree if key.line > log.line]
        at = min([end, *(line - 1 for line in keys)])
    else:
        item = log[before]
        at = item.line - 1
    after = newline.join([*lines[:at], block, *lines[at:]])
    if not after.endswith(newline):
        after += newline
    new = parsed.tree

    def wanted(_: Entries) -> None:
        log.insert(len(log) if before is None else before, new)

    return _checked(tree, after, path, wanted)
