"""What nearly all lines of a log look like, read at a glance: ``- verb: value`` and ``key: value``, each
on one line, with plain words, words in quotes, and lists and mappings in brackets and braces.

What is read here is what YAML makes of it, to the last column. Whatever is not plain in this sense, even
if a careful reader could still say what it is, is left to YAML, entry by entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from chronicle.core.source import Entries, Items, Laid, Value, Word

_KEYED: Final = re.compile(r"( *)(- )?([^\W\d_](?:[\w' -]*\w)?):(?: +|$)")
"""A line with a key, as far as its value."""
_IDLE: Final = re.compile(r" *(?:#.*)?")
"""A line that says nothing."""
_TOKEN: Final = re.compile(
    r"([^\W_](?:[^,\[\]{}:#?\t]*[^,\[\]{}:#?\t ])?) *(: +|, *(?![\]}])|(?=[\]}]))"
    r"|([\[{]) *"
    r"|([\]}])(?: *, *(?![\]}])| *(?=[\]}])|)"
    r"|(?:\"([^\"\\\t]*)\"|'([^'\t]*)') *(?:, *(?![\]}])|(?=[\]}]))"
)
"""What follows in brackets: a word, with the sign that makes it a key; an opening or a closing bracket;
a text in quotes. Commas belong to what they follow."""
_QUOTED: Final = re.compile(r""""([^"\\\t]*)"|'([^'\t]*)'""")
_LONGEST: Final = 1000
"""How long a line is here at most: YAML looks no further for the colon of a key."""
_MOST: Final = 100_000
"""How long a text is here at most."""
MOST_DEEP: Final = 8
"""How deep brackets may lie in each other here."""

new = str.__new__


class _Odd(Exception):
    """Not plain."""


class Stretch(NamedTuple):
    """Some lines of a log: one plain entry, or entries that are left to YAML (no ``value``). ``first``
    and ``last`` count from 0, the last one excluded."""

    first: int
    last: int
    value: Entries | None


class Sketch(NamedTuple):
    """A file as far as it is plain. ``head`` is what stands above the entries; its last key is ``log``,
    unless there are none."""

    head: Entries
    entries: list[Stretch]


def sketched(lines: Sequence[str], before: Sequence[Stretch] = ()) -> Sketch | None:
    """What a file is plainly; None if even its head or its outline is not plain. ``before`` are entries of
    it that were read earlier, for the lines above which nothing has changed."""
    head = Entries()
    number = _head(lines, head)
    if number is None:
        return None
    count = len(lines)
    dash = len(lines[number]) - len(lines[number].lstrip(" ")) if number < count else 0
    start = " " * dash + "- "
    stretches = [*before]
    if stretches:
        number = stretches[-1].last
    while number < count:
        first = number
        number += 1
        while number < count:
            line = lines[number]
            if line.startswith(start):
                break
            if line[: dash + 1].strip(" ") and not line.lstrip(" ").startswith("#"):
                return None
            number += 1
        stretches.append(Stretch(first, number, _entry(lines, first, number, dash)))
    return Sketch(head, stretches)


def _head(lines: Sequence[str], head: Entries) -> int | None:
    """Read the keys above the entries: the number of the line of the first entry."""
    number, count = 0, len(lines)
    last: Word | None = None
    while number < count:
        line = lines[number]
        if line.lstrip(" ").startswith("- "):
            if last != "log" or not isinstance(head[last], Word) or head[last]:
                return None
            break
        number += 1
        if not _IDLE.fullmatch(line):
            match = _KEYED.match(line)
            if match is None or match.start(3):
                return None
            try:
                last, number = _keyed(head, lines, number, count, match)
            except _Odd:
                return None
    if last is None:
        return None
    first = next(iter(head))
    head.line, head.column = first.line, first.column
    _end(head)
    return number


def _entry(lines: Sequence[str], first: int, last: int, dash: int) -> Entries | None:
    """One entry of a log; None if it is not plain."""
    entry = Entries()
    lead = dash + 2
    number = first
    while number < last:
        line = lines[number]
        number += 1
        end = line.find(":", lead)
        key = line[lead:end]
        text = line[end + 2 :]
        if (
            text.replace(" ", "").isalnum()
            and key.isidentifier()
            and text[-1] != " " != text[0]
            and line[end + 1] == " "
            and key[0] != "_"
            and (number == first + 1 or not line[:lead].strip(" "))
            and key not in entry
            and len(line) < _LONGEST
        ):
            # By far the most lines: ``by: Ana``, with spaces at most.
            entry[_word(key, number, lead, end)] = word = new(Word, text)
            word.line, word.column = number, end + 3
            continue
        match = _KEYED.match(line)
        if match is None:
            if number > first + 1 and _IDLE.fullmatch(line):
                continue
            return None
        if match.start(3) != lead or (match[2] is None) == (number == first + 1):
            return None
        try:
            _, number = _keyed(entry, lines, number, last, match)
        except _Odd:
            return None
    entry.line, entry.column = first + 1, lead + 1
    _end(entry)
    return entry


def _keyed(
    inside: Entries, lines: Sequence[str], number: int, last: int, match: re.Match[str]
) -> tuple[Word, int]:
    """Read a key and its value: the key, and the last line (counted from 1) of both."""
    line = lines[number - 1]
    start, end = match.span(3)
    key = _word(match[3], number, start, end)
    at = match.end()
    size = len(line)
    if key in inside or size > _LONGEST:
        raise _Odd
    if at == size or line[at] == "#":
        inside[key] = _word("", number, end + 1, end + 1)
    elif line[at] in "|>":
        inside[key] = text = _text(lines, number, last, start, at)
        return key, min(text.end_line - (text.end_column == 1), last)
    else:
        inside[key], at = _value(line, at, number)
        rest = line[at:].lstrip(" ")
        if rest and (rest[0] != "#" or line[at] != " "):
            raise _Odd
    return key, number


def _text(lines: Sequence[str], number: int, last: int, column: int, at: int) -> Word:
    """A text over several lines, as it stands (``|``) or as one line (``>``)."""
    sign = lines[number - 1][at:].rstrip(" ")
    if sign not in ("|", "|-", ">", ">-") or number >= last:
        raise _Odd
    first = lines[number]
    indent = len(first) - len(first.lstrip(" "))
    lead = first[:indent]
    if indent <= column or indent == len(first):
        raise _Odd
    texts: list[str] = []
    end = number
    while end < last:
        line = lines[end]
        if line.startswith(lead):
            texts.append(line[indent:])
        elif line.strip(" "):
            break
        else:
            texts.append("")
        end += 1
    while not texts[-1]:
        texts.pop()
    if end == len(lines):
        # What comes after the last break is no line.
        if lines[-1]:
            raise _Odd
        end -= 1
    folded = sign[0] == ">"
    if folded and not all(text and text[0] != " " for text in texts):
        raise _Odd
    text = (" " if folded else "\n").join(texts)
    if "\t" in text or len(text) > _MOST:
        raise _Odd
    word = new(Laid, text if sign[1:] else text + "\n")
    word.line, word.column, word.style = number, at + 1, sign[0]
    word.end_line, word.end_column = end + 1, 1
    return word


def _value(line: str, at: int, number: int) -> tuple[Value, int]:
    """The value that starts at a place of a line, and where it ends."""
    sign = line[at]
    if sign in "{[":
        return _flow(line, at, number)
    if not sign.isalnum():
        return _quoted(line, at, number)
    text = line[at:]
    if " #" in text:
        text = text[: text.index(" #")]
    text = text.rstrip(" ")
    if ": " in text or text[-1] == ":" or "\t" in text:
        raise _Odd
    end = at + len(text)
    return _word(text, number, at, end), end


def _quoted(line: str, at: int, number: int) -> tuple[Word, int]:
    match = _QUOTED.match(line, at)
    if match is None:
        raise _Odd
    end = match.end()
    sign = line[at]
    return _word(match[1] if sign == '"' else match[2], number, at, end, sign), end


def _word(text: str, number: int, start: int, end: int, style: str = "") -> Word:
    if style:
        laid = new(Laid, text)
        laid.line = laid.end_line = number
        laid.column, laid.end_column, laid.style = start + 1, end + 1, style
        return laid
    word = new(Word, text)
    word.line, word.column = number, start + 1
    return word


def _flow(line: str, at: int, number: int) -> tuple[Value, int]:
    """A list in brackets or a mapping in braces."""
    take = _TOKEN.scanner(line, at).match  # type: ignore[attr-defined]
    stack: list[tuple[Entries | Items, Word | None]] = []
    inside: Entries | Items = Items()
    key: Word | None = None
    while True:
        token = take()
        if token is None:
            raise _Odd
        kind = token.lastindex
        start = token.start()
        value: Value
        if kind == 2:
            value = _word(token[1], number, start, token.end(1))
            if token[2][:1] == ":":
                if key is not None or type(inside) is Items or value in inside:
                    raise _Odd
                key = value
                continue
        elif kind == 3:
            if len(stack) > MOST_DEEP:
                raise _Odd
            stack.append((inside, key))
            inside = Entries() if token[3] == "{" else Items()
            inside.line = inside.end_line = number
            inside.column = start + 1
            key = None
            continue
        elif kind == 4:
            mapping = type(inside) is Entries
            if key is not None or mapping != (token[4] == "}"):
                raise _Odd
            inside.end_column = start + 2
            value = inside
            inside, key = stack.pop()
            if not stack:
                return value, start + 1
        else:
            text = token[kind]
            value = _word(text, number, start, start + len(text) + 2, line[start])
        if key is not None:
            inside[key] = value  # type: ignore[call-overload]
            key = None
        elif type(inside) is Items:
            inside.append(value)
        else:
            raise _Odd


def _end(made: Entries) -> None:
    """A mapping ends where its last value does, or its last key if that has none."""
    key, value = next(reversed(made.items()))
    last = key if isinstance(value, Word) and not value and not value.style else value
    made.end_line, made.end_column = last.end_line, last.end_column
