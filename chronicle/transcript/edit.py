"""Gentle writing: text spliced at known places, read again, and compared before it is handed back.

Every function takes a text and returns a text; the caller writes it with ``core.files``. Nothing but
what was asked for may change: otherwise :class:`EditRefused` is raised and the file stays as it was.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.core.files import Change
from chronicle.core.refused import Refused
from chronicle.core.source import Entries, Items, Value, Word, copied, same_ends, scalars
from chronicle.transcript.characters import decoded
from chronicle.transcript.folder import slug_of
from chronicle.transcript.kept import EntryCache
from chronicle.transcript.reader import read_text
from chronicle.transcript.traps import BREAK, quoted

MOST_WIDE: Final = 100
"""A line with a remark grows no wider; a longer remark stands above its entry."""

_PLAIN = re.compile(r"[\w+][\w .+-]*")


class EditRefused(Refused):
    """The edit would have changed more than was meant; the message says what is in the way."""


class Source(NamedTuple):
    """A file's text, and the mark and the encoding it is written in."""

    text: str
    mark: bytes
    encoding: str

    def bytes_of(self, text: str) -> bytes:
        """The bytes of a changed text, in the encoding of the file."""
        return self.mark + text.encode(self.encoding)

    def change(self, file: Path, after: str) -> Change:
        """The change of the file, which holds this, to another text."""
        return Change(file, self.bytes_of(self.text), self.bytes_of(after))


_MARKS: Final = MappingProxyType(
    {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
)


def opened(data: bytes, path: str) -> Source:
    """The text of a file that is to be edited, without a mark at its start.

    Raises:
        EditRefused: when nobody can be sure what its bytes mean (T1).
    """
    text, problems = decoded(data, path)
    if text is None or problems:
        first = problems[0]
        raise EditRefused("; ".join((f"{first.place}: {first.message}", *first.help)))
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    return Source(text, mark, _MARKS.get(mark, "utf-8"))


def tree_of(text: str, path: str, cache: EntryCache | None = None) -> Entries:
    """What a session or the settings hold, to be changed at will. ``cache`` remembers entries of the file.

    Raises:
        EditRefused: when they cannot be read without a mistake.
    """
    parsed = read_text(text, path, cache)
    bad = [one for one in parsed.problems if one.severity > 2]
    if bad:
        raise EditRefused(f"{bad[0].place}: {bad[0].message}; fix that first")
    if not isinstance(parsed.tree, Entries):
        raise EditRefused(f"{path} holds no session")
    return parsed.tree if cache is None else copied(parsed.tree)


def _log(tree: Entries, path: str) -> Items:
    log = tree.get(Word("log"))
    if isinstance(log, Word) and not log:
        return Items()
    if not isinstance(log, Items):
        raise EditRefused(f"{path} has no list 'log'")
    return log


def newline_of(text: str) -> str:
    """How the lines of a text end."""
    found = BREAK.search(text)
    return found.group() if found else "\n"


def checked(
    before: Entries,
    after: str,
    path: str,
    wanted: Callable[[Entries], None],
    cache: EntryCache | None = None,
) -> str:
    """``after``, if it reads as ``before`` with ``wanted`` done to it."""
    wanted(before)
    try:
        same = tree_of(after, path, cache) == before
    except EditRefused:
        same = False
    if not same:
        raise EditRefused(f"{path} was left alone: the edit would have changed something else")
    return after


def _inside_text(tree: Value) -> tuple[set[int], dict[int, list[tuple[int, int]]], set[int]]:
    """Lines that belong to a block text; stretches of quoted text by line; lines whose end lies
    inside a text that goes on below."""
    blocks: set[int] = set()
    spans: dict[int, list[tuple[int, int]]] = {}
    open_ended: set[int] = set()
    for word in scalars(tree):
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


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a text, each with its own end."""
    at = 0
    for match in BREAK.finditer(text):
        yield text[at : match.start()], match.group()
        at = match.end()
    yield text[at:], ""


def _stripped(text: str, tree: Entries) -> list[tuple[str, str, int]]:
    """The lines without remarks, with their ends and the number each had before."""
    blocks, spans, _ = _inside_text(tree)
    lines: list[tuple[str, str, int]] = []
    for number, (line, end) in enumerate(_rows(text), 1):
        if number not in blocks:
            if line.lstrip(" ").startswith("#>"):
                continue
            for match in re.finditer(r"(?<![ \t])[ \t]+#>", line):
                at = match.end() - 1
                if not any(start <= at < end for start, end in spans.get(number, ())):
                    line = line[: match.start()]
                    break
        lines.append((line, end, number))
    return lines


def strip(text: str, path: str) -> str:
    """The text without generated ``#>`` remarks. A ``#`` comment is never touched."""
    tree = tree_of(text, path)
    lines = _stripped(text, tree)
    return checked(tree, "".join(line + end for line, end, _ in lines), path, lambda _: None)


def annotate(text: str, path: str, remarks: Mapping[tuple[str, int], str]) -> str:
    """The text with ``#>`` remarks: {(path, line): words}. Older remarks are replaced, so doing it
    twice changes nothing. A remark stands at the end of its line, or above it where it would not fit."""
    tree = tree_of(text, path)
    blocks, _, open_ended = _inside_text(tree)
    newline = newline_of(text)
    made: list[str] = []
    for line, end, number in _stripped(text, tree):
        words = " ".join(remarks.get((path, number), "").split())
        if not words or number in blocks or not line.strip():
            made.append(line + end)
            continue
        joined = f"{line}  #> {words}"
        if len(joined) <= MOST_WIDE and number not in open_ended and " #" not in line:
            made.append(joined + end)
            continue
        indent = " " * (len(line) - len(line.lstrip(" ")))
        room = max(MOST_WIDE - len(indent) - 3, 30)
        made += [f"{indent}#> {part}{end or newline}" for part in textwrap.wrap(words, room)]
        made.append(line + end)
    return checked(tree, "".join(made), path, lambda _: None)


def _scalar(value: str) -> str:
    """A value as one line of YAML."""
    if _PLAIN.fullmatch(value) and value == value.strip():
        return value
    if "\n" in value:
        raise EditRefused("a value of several lines cannot be put on one line")
    return quoted(value)


class Splice(NamedTuple):
    """Characters ``start`` to ``end`` of a text, and what takes their place."""

    start: int
    end: int
    text: str


class _MoreThanOneLine(EditRefused):
    """The value to replace is no single scalar on one line."""


def starts_of(text: str) -> list[int]:
    """Where every line of a text starts."""
    return [0, *(match.end() for match in BREAK.finditer(text))]


def _option_splice(
    text: str, starts: list[int], path: str, found: Entries, name: str, value: str
) -> Splice:
    """How option ``name`` of an entry becomes ``value`` by splicing one stretch of the text."""
    written = _scalar(value)
    key = found.key(name)
    if key is not None:
        old = found[key]
        if not isinstance(old, Word) or old.style in ("|", ">") or old.line != old.end_line:
            raise _MoreThanOneLine(f"{path}:{key.line}: '{name}' holds more than one line")
        if not old and not old.style:
            after = starts[key.end_line - 1] + key.end_column - 1
            at = after + text[after:].index(":") + 1
            return Splice(at, at, " " + written)
        start = starts[old.line - 1]
        return Splice(start + old.column - 1, start + old.end_column - 1, written)
    start = starts[found.line - 1] + found.column - 1
    if text[start : start + 1] == "{":
        end = starts[found.end_line - 1] + found.end_column - 2
        head = text[:end].rstrip()
        if "#" in text[text.rfind("\n", 0, len(head)) + 1 : len(head)]:
            # The last thing inside the braces may be a comment; nothing can be put behind it.
            return Splice(start + 1, start + 1, f"{name}: {written}, ")
        comma = "" if head.endswith(("{", ",")) else ","
        return Splice(len(head), end, f"{comma} {name}: {written}")
    # Below the first key, or below its value if that runs over several lines.
    first, inner = next(iter(found.items()))
    last = last_of(inner, first.line)
    if not any(word.style in ("|", ">") and _keeps(text, starts, word) for word in scalars(inner)):
        # Empty lines after a text stay between this entry and the next.
        ends = [*starts[1:], len(text)]
        while last > first.line and not text[starts[last - 1] : ends[last - 1]].strip():
            last -= 1
    newline = newline_of(text)
    row = f"{' ' * (found.column - 1)}{name}: {written}"
    if last < len(starts):
        return Splice(starts[last], starts[last], row + newline)
    return Splice(len(text), len(text), f"{row}{newline}")


def last_line(word: Word) -> int:
    """The last line that a scalar takes up."""
    if word.style in ("|", ">") and word.end_column == 1:
        return word.end_line - 1
    return word.end_line if word or word.style else word.line


def last_word(value: Value, line: int) -> int:
    """The last line that the words of a value take up, and at least this one."""
    return max([line, *map(last_line, scalars(value))])


def last_of(value: Value, line: int) -> int:
    """The last line of a value that begins at this line or below."""
    last = last_word(value, line)
    # What stands in brackets ends where they do; on lines of its own, where something else starts.
    in_brackets = not isinstance(value, Word) and value.end_column > 1
    return max(last, value.end_line) if in_brackets else last


def _keeps(text: str, starts: list[int], word: Word) -> bool:
    """Whether a block text keeps the empty lines below it (``|+``)."""
    at = starts[word.line - 1] + word.column - 1
    return "+" in text[at : at + 3]


def _ended(text: str) -> str:
    """The text with its last line ended, so that something can follow."""
    return text if text.endswith(("\n", "\r")) else text + newline_of(text)


def spliced(text: str, splices: list[Splice]) -> str:
    """A text with some stretches replaced."""
    for one in sorted(splices, reverse=True):
        text = text[: one.start] + one.text + text[one.end :]
    return text


def set_option(text: str, path: str, entry: Entries, name: str, value: str) -> str:
    """The text with option ``name`` of an entry (as read from this very text) set to ``value``.

    Raises:
        EditRefused: when something else would change besides.
    """
    tree = tree_of(text, path)
    found = next(
        (one for one in _entries(tree) if (one.line, one.column) == (entry.line, entry.column)),
        None,
    )
    if found is None or found != entry:
        raise EditRefused(f"{path}:{entry.line}: the file has changed since it was read")
    if text != _ended(text):
        text = _ended(text)
        tree = tree_of(text, path)
        found = next(
            one for one in _entries(tree) if (one.line, one.column) == (entry.line, entry.column)
        )
    try:
        if "\n" in value:
            raise _MoreThanOneLine(f"{path}:{entry.line}: '{name}' gets more than one line")
        after = spliced(text, [_option_splice(text, starts_of(text), path, found, name, value)])
    except _MoreThanOneLine:
        after = _restructured(text, path, tree, found, name, value)

    def wanted(_: Entries) -> None:
        key = found.key(name)
        found[key if key is not None else Word(name)] = Word(value)

    return checked(tree, after, path, wanted)


def _route(value: Value, wanted: Entries) -> list[int | str] | None:
    """The indices and keys that lead from a value to an entry inside it."""
    if value is wanted:
        return []
    inside: list[tuple[int | str, Value]] = []
    if isinstance(value, Items):
        inside = list(enumerate(value))
    elif isinstance(value, Entries):
        inside = [(str(key), item) for key, item in value.items()]
    for step, item in inside:
        rest = _route(item, wanted)
        if rest is not None:
            return [step, *rest]
    return None


def comments_in(text: str, path: str) -> list[str]:
    """The comments of a text, in order."""
    tree = read_text(text, path).tree
    blocks, spans, _ = _inside_text(tree) if tree is not None else (set(), {}, set())
    found: list[str] = []
    for number, line in enumerate(BREAK.split(text), 1):
        if number in blocks:
            continue
        for match in re.finditer(r"(?:^|[ \t])#", line):
            at = match.end()
            if not any(start <= at < end for start, end in spans.get(number, ())):
                found.append(line[at:].rstrip())
                break
    return found


def _restructured(
    text: str, path: str, tree: Entries, found: Entries, name: str, value: str
) -> str:
    """An option set by a round trip of the one entry of the log that holds it."""
    from chronicle.transcript.reshape import literal

    log = _log(tree, path)
    index = next((n for n, item in enumerate(log) if _route(item, found) is not None), None)
    if index is None:
        raise EditRefused(f"{path}:{found.line}: this entry is not in the log")
    route = _route(log[index], found) or []

    def change(entry: Any) -> None:
        inside(entry, route)[name] = literal(value)

    return _round_trip(text, path, log, index, change)


def inside(value: Any, route: Sequence[int | str]) -> Any:
    """What some indices and keys lead to in a value."""
    for step in route:
        value = value[step]
    return value


def _round_trip(text: str, path: str, log: Items, index: int, change: Callable[[Any], None]) -> str:
    """The text with ``change`` done to an entry of the log and nothing else written anew."""
    from chronicle.transcript.reshape import Unshaped, indents_of, reshaped

    starts = starts_of(text)
    item = log[index]
    start = starts[item.line - 1]
    last = last_word(item, item.line)
    if text[start:].lstrip(" -").startswith(("{", "[")):
        last = item.end_line
    end = starts[last] if last < len(starts) else len(text)
    piece = text[start:end]
    try:
        made = reshaped(piece, indents_of(log), lambda data: change(data[0]))
    except Unshaped:
        raise EditRefused(
            f"{path}:{item.line}: this entry cannot be rewritten without harm"
        ) from None
    if comments_in(made, path) != comments_in(piece, path):
        raise EditRefused(f"{path}:{item.line}: a comment would be lost")
    return text[:start] + made + text[end:]


def rework(text: str, path: str, index: int, change: Callable[[Any], None]) -> str:
    """The text with ``change`` done to the entry of an index, as it is read and as it is written: a
    mapping of words, lists and mappings.

    Raises:
        EditRefused: when something else would change besides, or a comment would be lost.
    """
    text = _ended(text)
    tree = tree_of(text, path)
    log = _log(tree, path)
    after = _round_trip(text, path, log, index, change)
    return checked(tree, after, path, lambda _: change(log[index]))


def way_to(value: Value, line: int, column: int) -> tuple[list[int | str], bool] | None:
    """The indices and keys that lead to what stands at a place in a value, and whether it is the last
    key itself. None where nothing begins there."""
    if isinstance(value, Word):
        return ([], False) if (value.line, value.column) == (line, column) else None
    steps: list[tuple[int | str, Value]] = []
    if isinstance(value, Items):
        steps = [*enumerate(value)]
    else:
        for key, item in value.items():
            if (key.line, key.column) == (line, column):
                return [str(key)], True
            steps.append((str(key), item))
    for step, item in steps:
        rest = way_to(item, line, column)
        if rest is not None:
            return [step, *rest[0]], rest[1]
    return ([], False) if (value.line, value.column) == (line, column) else None


def _entries(tree: Value) -> Iterator[Entries]:
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


def replace_words(text: str, path: str, wanted: Mapping[tuple[int, int], str]) -> str:
    """The text with some of its scalars set to other texts: {(line, column): text}.

    Raises:
        EditRefused: when a place holds no scalar, or something else would change besides.
    """
    if not wanted:
        return text
    parsed = read_text(text, path)
    bad = next((one for one in parsed.problems if one.severity > 2), None)
    if bad is not None:
        raise EditRefused(f"{bad.place}: {bad.message}; fix that first")
    tree = parsed.tree if parsed.tree is not None else Items()
    words = {(word.line, word.column): word for word in scalars(tree)}
    starts = starts_of(text)
    splices: list[Splice] = []
    for place, new in wanted.items():
        word = words.get(place)
        if word is None:
            raise EditRefused(f"{path}:{place[0]}: the file has changed since it was read")
        splices.append(_word_splice(text, starts, path, word, new))
    after = spliced(text, splices)
    expected = _set_words(tree, wanted, path)
    again = read_text(after, path)
    if again.tree != expected or any(one.severity > 2 for one in again.problems):
        raise EditRefused(f"{path} was left alone: the edit would have changed something else")
    return after


def _set_words(value: Value, wanted: Mapping[tuple[int, int], str], path: str) -> Value:
    """A value with the scalars at some places set to other texts."""
    if isinstance(value, Word):
        return Word(wanted.get((value.line, value.column), value))
    if isinstance(value, Items):
        return Items(_set_words(item, wanted, path) for item in value)
    made = Entries()
    for key, item in value.items():
        name = Word(wanted.get((key.line, key.column), key))
        if name in made:
            raise EditRefused(
                f"{path}:{key.line}: '{name}' would stand here twice; fix this entry first"
            )
        made[name] = _set_words(item, wanted, path)
    return made


def _word_splice(text: str, starts: list[int], path: str, word: Word, new: str) -> Splice:
    """How one scalar gets another text, quoted as before where that is possible."""
    start = starts[word.line - 1] + word.column - 1
    end = starts[word.end_line - 1] + word.end_column - 1
    raw = text[start:end]
    if word.style == "|":
        return Splice(start, end, _block_text(raw, path, word, new))
    if word.line != word.end_line and not word.style and "\n" not in word and "\n" not in new:
        return Splice(start, end, _wrapped_text(raw, new))
    if word.line != word.end_line or word.style == ">" or "\n" in new:
        raise EditRefused(
            f"{path}:{word.line}: this text runs over several lines; change it by hand"
        )
    if word.style == "'":
        return Splice(start, end, "'" + new.replace("'", "''") + "'")
    if word.style == '"':
        plain = '"' not in new and "\\" not in new
        return Splice(start, end, f'"{new}"' if plain else quoted(new))
    return Splice(start, end, new if _as_plain(word, new) else quoted(new))


def _wrapped_text(raw: str, new: str) -> str:
    """An unquoted text over several lines with other words, broken where it was. If it gets more words
    or fewer, it comes to stand on one line."""
    parts = re.split(r"(\s+)", raw)
    words = new.split(" ")
    if len(words) != len(parts[::2]):
        return _scalar(new)
    parts[::2] = words
    return "".join(parts)


def _as_plain(old: str, new: str) -> bool:
    """Whether a text can stand without quotes where another one did: what is new in it is plain."""
    if _PLAIN.fullmatch(new) and new == new.strip():
        return True
    ahead, behind = same_ends(old, new)
    fresh = new[ahead : len(new) - behind]
    return (
        bool(re.fullmatch(r"[\w .+-]*", fresh))
        and bool(re.match(r"\w", new))
        and new == new.strip()
    )


def _block_text(raw: str, path: str, word: Word, new: str) -> str:
    """A block text line by line with other lines, as many of them."""
    olds, news = word.split("\n"), new.split("\n")
    rows, ends = map(list, zip(*_rows(raw), strict=True))
    for number, (before, after) in enumerate(zip(olds, news, strict=False), 1):
        if before == after:
            continue
        if len(olds) != len(news) or number >= len(rows) or not rows[number].endswith(before):
            raise EditRefused(f"{path}:{word.line + number}: change this line by hand")
        rows[number] = rows[number][: len(rows[number]) - len(before)] + after
    return "".join(row + end for row, end in zip(rows, ends, strict=True))


def _inline(value: str | Value) -> str:
    """A value on one line, as it may stand in brackets."""
    if isinstance(value, Entries):
        return f"{{{', '.join(f'{_inline(key)}: {_inline(item)}' for key, item in value.items())}}}"
    if isinstance(value, Items):
        return f"[{', '.join(map(_inline, value))}]"
    return _scalar(value)


def add_pair(text: str, path: str, name: str, key: str, value: str | Entries) -> str:
    """The settings with one more pair at the end of the mapping ``name``; a pair with that key goes.

    Raises:
        EditRefused: when something else would change besides.
    """
    text = _ended(text)
    tree = tree_of(text, path)
    there = tree.key(name)
    inner = tree[there] if there is not None else None
    pair = f"{_scalar(key)}: {_inline(value)}"
    newline = newline_of(text)
    starts = starts_of(text)
    if there is None:
        after = f"{text}{name}:{newline}  {pair}{newline}"
    elif isinstance(inner, Word) and not inner and not inner.style:
        after = _below(text, there, f"  {pair}")
    elif not isinstance(inner, Entries):
        raise EditRefused(f"{path}:{there.line}: '{name}' is no mapping")
    elif text[starts[inner.line - 1] + inner.column - 1] == "{":
        if Word(key) in inner:
            raise EditRefused(f"{path}:{there.line}: take '{key}' out of '{name}' first")
        end = starts[inner.end_line - 1] + inner.end_column - 2
        head = text[:end].rstrip()
        comma = "" if head.endswith(("{", ",")) else ","
        after = f"{head}{comma} {pair}{text[end:]}"
    else:
        rows = [line + end for line, end in _rows(text)]
        last = max(last_line(word) for word in scalars(inner))
        rows.insert(last, f"{' ' * (inner.column - 1)}{pair}{newline}")
        old = inner.key(key)
        if old is not None:
            del rows[old.line - 1]
        after = "".join(rows)

    def wanted(before: Entries) -> None:
        pairs = before.get(Word(name))
        kept = pairs if isinstance(pairs, Entries) else Entries()
        kept.pop(Word(key), None)
        kept[Word(key)] = Word(value) if isinstance(value, str) else value
        before[there if there is not None else Word(name)] = kept

    return checked(tree, after, path, wanted)


HEAD: Final = ("session", "title", "date", "present", "absent", "summary", "recap", "about", "end")
"""The order in which a careful keeper types the head of a session."""


def set_head(
    text: str, path: str, key: str, value: str | Sequence[str] | Mapping[str, str] | None
) -> str:
    """The text of a session with another value of a ``key`` of its head; None: without that key. A mapping
    stands on lines of its own, and so does a text that ends with a line break.

    Raises:
        EditRefused: when something else would change besides, or a comment would be lost.
    """
    text = _ended(text)
    tree = tree_of(text, path)
    there = tree.key(key)
    new: Value | None
    new = (
        None
        if value is None
        else Word(value)
        if isinstance(value, str)
        else Entries((Word(name), Word(item)) for name, item in value.items())
        if isinstance(value, Mapping)
        else Items(map(Word, value))
    )
    if new is None and there is None:
        return text
    starts = starts_of(text)
    if text[starts[tree.line - 1] + tree.column - 1] == "{":
        raise EditRefused(f"{path}: this session stands in braces; change it by hand")
    rows = [line + end for line, end in _rows(text)]
    newline = newline_of(text)
    written = [] if new is None else [row + newline for row in _head_rows(key, new)]
    if there is None:
        above = [one for one in tree if str(one) in HEAD[: HEAD.index(key)]]
        at = max((_ends(tree, one) for one in above), default=0)
        rows[at:at] = written
    elif new is not None and len(written) == 1 and _ends(tree, there) == there.line and tree[there]:
        # What stands behind it on its line, a remark, stays.
        old = tree[there]
        row, at = rows[there.line - 1], old.column - 1
        rows[there.line - 1] = f"{row[:at]}{_inline(new)}{row[old.end_column - 1 :]}"
    else:
        rows[there.line - 1 : _ends(tree, there)] = written
    after = "".join(rows)
    if comments_in(after, path) != comments_in(text, path):
        raise EditRefused(f"{path}:{there.line if there else 1}: a comment would be lost")

    def wanted(before: Entries) -> None:
        if there is not None:
            del before[there]
        if new is not None:
            before[Word(key)] = new

    return checked(tree, after, path, wanted)


def _head_rows(key: str, value: Value) -> list[str]:
    """The rows of a key of a head."""
    if isinstance(value, Entries):
        return [f"{key}:", *(f"  {_inline(name)}: {_inline(item)}" for name, item in value.items())]
    if isinstance(value, Word) and value.endswith("\n"):
        lines = value.removesuffix("\n").split("\n")
        return [f"{key}: |", *(f"  {line}" if line else "" for line in lines)]
    return [f"{key}: {_inline(value)}"]


def _ends(tree: Entries, key: Word) -> int:
    """The last line of a key and its value."""
    return last_of(tree[key], key.line)


def publish_as(text: str, path: str, keys: Iterable[str], player: str, name: str) -> str:
    """The settings with a player published under another name; ``keys`` are those that players stand
    under.

    Raises:
        EditRefused: when the player stands nowhere there, or something else would change besides.
    """
    text = _ended(text)
    tree = tree_of(text, path)
    starts = starts_of(text)
    for key in map(Word, keys):
        value = tree.get(key, Items())
        seats = value if isinstance(value, Items) else Items([value])
        for index, seat in enumerate(seats):
            if isinstance(seat, Entries) and seat.get(Word("name")) == player:
                splice = _option_splice(text, starts, path, seat, "publish as", name)
                made: Value = Entries({**seat, Word("publish as"): Word(name)})
            elif isinstance(seat, Word) and seat == player and seat.line == seat.end_line:
                start = starts[seat.line - 1] + seat.column - 1
                end = starts[seat.end_line - 1] + seat.end_column - 1
                told = f"{{name: {text[start:end]}, publish as: {_scalar(name)}}}"
                splice = Splice(start, end, told)
                made = Entries({Word("name"): seat, Word("publish as"): Word(name)})
            else:
                continue

            def wanted(
                _: Entries,
                value: Value = value,
                index: int = index,
                key: Word = key,
                made: Value = made,
            ) -> None:
                if isinstance(value, Items):
                    value[index] = made
                else:
                    tree[key] = made

            return checked(tree, spliced(text, [splice]), path, wanted)
    raise EditRefused(
        f"{path}: '{player}' does not stand alone in the list of players; "
        "write it in brackets, players: [Ana, Bo]"
    )


def unnamed(text: str, path: str) -> list[int]:
    """The entries of the log that :func:`add_ids` would name, by their index."""
    log = _log(tree_of(text, path), path)
    return [
        index
        for index, item in enumerate(log)
        if isinstance(item, Entries) and item and Word("id") not in item
    ]


def add_ids(
    text: str,
    path: str,
    taken: frozenset[str] = frozenset(),
    quiet: frozenset[str] = frozenset(("secret",)),
    only: frozenset[int] | None = None,
) -> str:
    """The text with a permanent ``id`` for every entry of the log that has none: readable, and
    different from each other and from those ``taken`` elsewhere in the campaign. Ids are shown to
    everybody, so those of ``quiet`` verbs do not say what the entry is about. ``only`` are the
    entries to name, by their index in the log, if not all are."""
    given, text = text, _ended(text)
    tree = tree_of(text, path)
    log = _log(tree, path)
    used = set(taken)
    for entry in _entries(tree):
        own = entry.get(Word("id"))
        if isinstance(own, Word):
            used.add(str(own))
    starts = starts_of(text)
    splices: list[Splice] = []
    named: list[tuple[Entries, str]] = []
    counts: dict[str, int] = {}
    for index, item in enumerate(log):
        if not isinstance(item, Entries) or not item or Word("id") in item:
            continue
        if only is not None and index not in only:
            continue
        verb, value = next(iter(item.items()))
        words = f"{verb} {value}" if isinstance(value, Word) and quiet.isdisjoint(item) else verb
        stem = "-".join(slug_of(words).split("-")[:5])
        name, count = stem, counts.get(stem, 1)
        while name in used:
            count += 1
            name = f"{stem}-{count}"
        # Those below are taken for good: nobody looks through them for every entry again.
        counts[stem] = count
        used.add(name)
        named.append((item, name))
        splices.append(_option_splice(text, starts, path, item, "id", name))

    if not named:
        return given

    def wanted(_: Entries) -> None:
        for item, name in named:
            item[Word("id")] = Word(name)

    return checked(tree, spliced(text, splices), path, wanted)


def insert_entry(
    text: str,
    path: str,
    entry: str,
    before: int | None = None,
    cache: EntryCache | None = None,
) -> str:
    """The text with one more entry in its log (YAML without the dash), before the entry of that
    index or at the end.

    Raises:
        EditRefused: when the entry cannot be read, or something else would change besides.
    """
    text = _ended(text)
    tree = tree_of(text, path, cache)
    key = tree.key("log")
    if key is None:
        raise EditRefused(f"{path} has no list 'log'")
    new = _entry(entry, path)
    log = tree[key]
    if isinstance(log, Word) and not log:
        after = _below(text, key, _block(entry, 0, newline_of(text)))
        return checked(tree, after, path, lambda before: before.update({key: _list(new)}), cache)
    log = _log(tree, path)
    start = starts_of(text)[log.line - 1] + log.column - 1
    if text[start : start + 1] == "[":
        after = _into_brackets(text, path, log, new, before)
    else:
        after = _among(text, tree, log, entry, before)

    def wanted(_: Entries) -> None:
        log.insert(len(log) if before is None else before, new)

    return checked(tree, after, path, wanted, cache)


def entry_at(
    text: str, path: str, line: int, cache: EntryCache | None = None
) -> tuple[int, int, int] | None:
    """The entry of the log that stands on a line, or the last one above it: its index and its first and
    last line. None above the first.

    Raises:
        EditRefused: when the file holds no log.
    """
    log = _log(tree_of(text, path, cache), path)
    above = [index for index, item in enumerate(log) if item.line <= line]
    return (above[-1], log[above[-1]].line, end_of(log[above[-1]])) if above else None


def end_of(item: Value) -> int:
    """The last line of an entry."""
    return last_of(item, item.line)


def replace_entry(
    text: str,
    path: str,
    index: int,
    entry: str | None,
    line: int = 0,
    cache: EntryCache | None = None,
) -> str:
    """The text with another entry (YAML without the dash) in place of that of an index; None: without
    it. ``line``: in place of the one inside of it that begins there, where that stands by itself.

    Raises:
        EditRefused: when the entry cannot be read, or something else would change besides.
    """
    text = _ended(text)
    tree = tree_of(text, path, cache)
    log = _log(tree, path)
    starts = starts_of(text)
    if text[starts[log.line - 1] + log.column - 1] == "[":
        raise EditRefused(f"{path}: this log stands in brackets; change it by hand")
    item = by_itself(text, log[index], line)
    route = _route(log, item) if isinstance(item, Entries) else [index]
    among = inside(log, (route or [index])[:-1])
    last = next(number for number, one in enumerate(among) if one is item)
    rows = [line + end for line, end in _rows(text)]
    newline = newline_of(text)
    new: Value | None = None
    put: list[str] = []
    if entry is not None:
        new = _entry(entry, path)
        put = [row + newline for row in _block(entry, among.column - 1, newline).split(newline)]
    elif len(among) == 1:
        raise EditRefused(f"{path}: this is the only entry of the session; write another one first")
    rows[item.line - 1 : end_of(item)] = put

    def wanted(_: Entries) -> None:
        among[last : last + 1] = [] if new is None else [new]

    return checked(tree, "".join(rows), path, wanted, cache)


def by_itself(text: str, item: Value, line: int) -> Value:
    """The entry inside of an entry that begins on a line, where it stands on lines of its own; else the
    whole one."""
    inner = within(item, line)
    dash = text.split("\n")[line - 1][: inner.column - 1].strip() if inner is not item else ""
    return inner if dash == "-" else item


def within(item: Value, line: int) -> Value:
    """The entry inside of an entry that begins on a line; itself, if none does."""
    inner = (one for one in _entries(item) if one.line == line != item.line)
    return next(inner, item)


def drop_entry(text: str, path: str, index: int, line: int, cache: EntryCache | None = None) -> str:
    """The text without the entry of an index, or without the one inside of it that begins on a line.

    Raises:
        EditRefused: when something else would change besides.
    """
    item = _log(tree_of(text, path, cache), path)[index]
    inner = within(item, line)
    route = _route(item, inner) if isinstance(inner, Entries) else None
    if not route:
        return replace_entry(text, path, index, None, cache=cache)
    *outer, last = route
    return rework(text, path, index, lambda entry: inside(entry, outer).pop(last))


def set_text(
    text: str,
    path: str,
    index: int,
    words: str,
    line: int = 0,
    cache: EntryCache | None = None,
) -> str:
    """The text with another fiction (``text:``) in the entry of an index, or its first; none if
    ``words`` is empty. ``line``: in the one inside of it that begins there.

    Raises:
        EditRefused: when something else would change besides.
    """
    text = _ended(text)
    tree = tree_of(text, path, cache)
    item = within(_log(tree, path)[index], line)
    if not isinstance(item, Entries):
        raise EditRefused(f"{path}:{item.line}: this is no entry")
    starts, newline = starts_of(text), newline_of(text)
    if text[starts[item.line - 1] + item.column - 1] == "{":
        raise EditRefused(f"{path}:{item.line}: this entry stands in braces; change it by hand")
    words = words.rstrip()
    indent = " " * (item.column - 1)
    lead = "|2" if words[:1].isspace() else "|"
    block = [f"{indent}text: {lead}"]
    block += [f"{indent}  {row}" if row.strip() else "" for row in words.split("\n")]
    rows = [line + end for line, end in _rows(text)]
    key = item.key("text")
    old = item[key] if key is not None else None
    if key is not None and old is not None:
        last = last_word(old, key.line)
        first = key.line
    else:
        last = end_of(item)
        first = last + 1
    if not words:
        block = []
    rows[first - 1 : last] = [row + newline for row in block]

    def wanted(_: Entries) -> None:
        if key is not None:
            del item[key]
        if words:
            item[Word("text")] = Word(words + "\n")

    return checked(tree, "".join(rows), path, wanted, cache)


def drop_option(text: str, path: str, index: int, name: str) -> str:
    """The text without option ``name`` of the entry of an index.

    Raises:
        EditRefused: when there is none, or something else would change besides.
    """
    text = _ended(text)
    tree = tree_of(text, path)
    item = _log(tree, path)[index]
    key = item.key(name) if isinstance(item, Entries) else None
    if not isinstance(item, Entries) or key is None or key == next(iter(item)):
        raise EditRefused(f"{path}:{item.line}: there is no option '{name}' here")
    starts = starts_of(text)
    if text[starts[item.line - 1] + item.column - 1] == "{":
        raise EditRefused(f"{path}:{item.line}: this entry stands in braces; change it by hand")
    rows = [line + end for line, end in _rows(text)]
    del rows[key.line - 1 : _ends(item, key)]

    def wanted(_: Entries) -> None:
        del item[key]

    return checked(tree, "".join(rows), path, wanted)


def _entry(entry: str, path: str) -> Entries:
    """An entry as it will read; the text that it ends with ends its last line in a file."""
    parsed = read_text(_ended(entry), path)
    if not isinstance(parsed.tree, Entries) or any(one.severity > 2 for one in parsed.problems):
        raise EditRefused("the new entry cannot be read")
    return parsed.tree


def entry_text(text: str, path: str, index: int, line: int = 0) -> str:
    """An entry of the log as it is written, without its dash and its indentation; the one inside of it
    that begins on a ``line``, where that stands by itself.

    Raises:
        EditRefused: when the file holds no log.
    """
    item = by_itself(text, _log(tree_of(text, path), path)[index], line)
    rows = [line for line, _ in _rows(text)][item.line - 1 : end_of(item)]
    indent = item.column - 1
    return "\n".join(row[indent:] if row[:indent].strip(" -") == "" else row for row in rows)


def _list(entry: Entries) -> Items:
    return Items([entry])


def _block(entry: str, indent: int, newline: str) -> str:
    """An entry with its dash, indented."""
    lead = " " * indent
    first, *rest = entry.rstrip("\n").split("\n")
    return newline.join([f"{lead}- {first}", *(f"{lead}  {row}" if row else row for row in rest)])


def _below(text: str, key: Word, block: str) -> str:
    """The text with a block on lines of its own below a key."""
    return _inserted(text, key.line, block)


def _inserted(text: str, after: int, block: str) -> str:
    """The text with a block below its line of that number; every line keeps its own end."""
    text = _ended(text)
    starts = starts_of(text)
    at = starts[after] if after < len(starts) else len(text)
    return text[:at] + block + newline_of(text) + text[at:]


def _among(text: str, tree: Entries, log: Items, entry: str, before: int | None) -> str:
    """The text with an entry among those of a log in block style."""
    newline = newline_of(text)
    block = _block(entry, log.column - 1, newline)
    lines = BREAK.split(text)
    if before is None or before >= len(log):
        end = max([log.end_line, *(word.end_line for word in scalars(log))], default=log.line)
        while end > 0 and (end > len(lines) or not lines[end - 1].strip()):
            end -= 1
        keys = [key.line for key in tree if key.line > log.line]
        at = min([end, *(line - 1 for line in keys)])
    else:
        at = log[before].line - 1
    return _inserted(text, at, block)


def _into_brackets(text: str, path: str, log: Items, new: Entries, before: int | None) -> str:
    """The text with an entry in a log that is written in brackets."""
    from chronicle.transcript.reshape import Unshaped, indents_of, plain, reshaped

    def change(data: Any) -> None:
        entry = plain(new)
        entry.fa.set_flow_style()
        data["log"].insert(len(data["log"]) if before is None else before, entry)

    try:
        made = reshaped(text, indents_of(log), change)
    except Unshaped:
        raise EditRefused(f"{path} cannot be rewritten without harm") from None
    if comments_in(made, path) != comments_in(text, path):
        raise EditRefused(f"{path} was left alone: a comment would be lost")
    return made
