"""Two keepers logged one evening: which entries say the same, which contradict, which one of them lacks.

Entries are compared by what they do: as typed actions whose names lead to things, never as lines of text.
``Okafor`` and ``Dr. Emeka Okafor`` are one, so are ``422`` and ``[4, 2, 2]``; in what words a story is told
is no contradiction.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import Session
from chronicle.core.common import KeepSecret
from chronicle.core.declare import SPEECH, TEXT, Action, Part, bare
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.keepers import KEEPERS_KEYS
from chronicle.core.names import Overheard, fold
from chronicle.core.record import Record
from chronicle.core.source import Entries, Items, Value, Word, scalars
from chronicle.transcript.edit import EditRefused, last_word
from chronicle.transcript.reader import read_text
from chronicle.transcript.traps import BREAK

ALIKE: Final = 0.5
"""How much of two entries must agree for them to be versions of one."""
MOST: Final = 90_000
"""How many pairs of entries are weighed against each other in one stretch; beyond it, none."""
KEPT: Final = "(secret)"
"""What stands in place of words that nobody has revealed."""

_ASIDE: Final = frozenset(("id", "allow", "coins", "by", "opening"))
"""Options that are no part of what was done. ``by`` counts as whoever acts after all; ``coins`` that only
one has is what the engine computes; an opening is equal or it is none."""

_TWICE: Final = "T42"
"""Two logs of one evening in one folder: that is what is compared here, and no fault of either."""


class Entry(NamedTuple):
    """One entry of a log, as it is compared. ``does`` maps options to what they mean, ``tells`` those
    whose wording is free. ``who`` acted, as far as a replay knows, and ``by`` is whether the log says
    so. ``why`` is what is wrong with an entry that cannot be read, or with a part of it. ``beside`` is what
    it says besides, to the letter; ``secret`` is whether there is something in it that nobody has revealed.
    """

    path: str
    line: int
    last: int
    verb: str
    does: Mapping[str, Any]
    tells: Mapping[str, str]
    words: tuple[str, ...]
    id: str = ""
    who: str = ""
    by: bool = False
    why: str = ""
    beside: Mapping[str, str] = MappingProxyType({})
    secret: bool = False

    @property
    def key(self) -> str:
        """Equal for entries that do and tell the same."""
        told = {name: fold(text) for name, text in self.tells.items() if name != "note"}
        return json.dumps([self.verb, _folded(self.does), told], sort_keys=True)

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{self.path}:{self.line}"


class Log(NamedTuple):
    """One keeper's log of the evening."""

    path: str
    number: int
    head: Mapping[str, Any]
    entries: list[Entry]


class Difference(NamedTuple):
    """What one option says in one log and in the other; None where it says nothing."""

    where: str
    one: str | None
    other: str | None


class Pair(NamedTuple):
    """An entry of one log and its counterpart in the other, or either alone.

    ``kind`` is ``same``, ``words`` (told in other words), ``conflict``, ``moved``, ``unreadable``,
    ``only one`` or ``only other``. ``after`` and ``before`` are the entries of the log that lacks it
    between which it belongs.
    """

    kind: str
    one: Entry | None
    other: Entry | None
    differences: tuple[Difference, ...] = ()
    after: Entry | None = None
    before: Entry | None = None


class Comparison(NamedTuple):
    """Two logs of one evening, entry by entry, in the order of the first."""

    one: Log
    other: Log
    head: tuple[Difference, ...]
    pairs: list[Pair]

    def of(self, *kinds: str) -> list[Pair]:
        """The pairs of some kinds."""
        return [pair for pair in self.pairs if pair.kind in kinds]

    @property
    def agrees(self) -> bool:
        """Whether both did the same things, in whatever words."""
        return not self.head and all(pair.kind in ("same", "words") for pair in self.pairs)


# --- what an entry means --------------------------------------------------------------------------


Read = tuple[Session, Record, Overheard]
"""A session with its replay, and who was meant in it."""


def logs_of(one: Read, other: Read) -> tuple[Log, Log]:
    """Two sessions as they are compared. A word that nobody asked about in one of them, because an
    entry above is missing there, means what it means in the other."""
    known: dict[str, set[str]] = {}
    for _, _, names in (one, other):
        for file in names.heard.words:
            for (_, _, text), ids in names.meanings(file).items():
                found = {names.first[id] for id in ids if id in names.all}
                known.setdefault(fold(text), set()).update(found)
    sure = {text: next(iter(found)) for text, found in known.items() if len(found) == 1}
    return _log_of(one, sure), _log_of(other, sure)


def _log_of(read: Read, known: Mapping[str, str]) -> Log:
    """A session as it is compared: its entries after replay, and those that could not be read."""
    session, record, names = read
    meant = names.meanings(session.path)

    def called(word: Word) -> str:
        ids = meant.get((word.line, word.column, str(word)), set())
        one = next(iter(ids)) if len(ids) == 1 else ""
        if one in names.all:
            return names.first[one]
        return known.get(fold(word), " ".join(word.split()))

    entries = [
        _entry(step.action, step.player, called)
        for step in record.steps
        if step.parent is None and step.action.path == session.path
    ]
    entries = _with_faults(entries, record, session.path)
    hidden = {
        line
        for step in record.steps
        if step.hidden and step.action.path == session.path
        for line in range(
            step.action.whole.line, last_word(step.action.source, step.action.whole.line) + 1
        )
    }
    entries = [
        entry._replace(secret=True)
        if hidden.intersection(range(entry.line, entry.last + 1))
        else entry
        for entry in entries
    ]
    head = session.header
    said = {
        name: _meaning(value, called)
        for name, field in head.fields.items()
        if (value := getattr(head, field.attribute)) not in (None, ())
        and name not in ("summary", "note", "title", *KEEPERS_KEYS)
    }
    return Log(session.path, head.session, said, entries)


def _with_faults(entries: list[Entry], record: Record, path: str) -> list[Entry]:
    """Entries of a log, with what cannot be read of it: entries that were left out, what is wrong within
    one that was read after all, and what stands in none."""
    found = [
        one
        for one in record.campaign.diagnostics
        if one.finding is Finding.UNREADABLE
        and one.cause is None
        and one.place.path == path
        and one.code != _TWICE
    ]
    read = list(entries)
    lost = [_unread(one) for one in found if one.dropped]
    for one in found:
        if one.dropped:
            continue
        line = one.place.line
        at = next((n for n, entry in enumerate(read) if entry.line <= line <= entry.last), None)
        if at is None:
            lost.append(Entry(path, line, line, "", {}, {}, (), why=one.message))
        elif not read[at].why:
            read[at] = read[at]._replace(why=one.message)
    return sorted([*read, *lost], key=lambda entry: entry.line)


def _entry(action: Action, player: str, called: Any) -> Entry:
    does: dict[str, Any] = {}
    tells: dict[str, str] = {}
    fields = dict(action.fields)
    if action.main is not None:
        fields[action.verb] = action.main
    for name, field in fields.items():
        value = getattr(action, field.attribute)
        typed = action.source.get(Word(name), value)
        empty = name not in action.source or (isinstance(typed, Word) and not typed)
        if name in _ASIDE or (value == field.default and empty):
            continue
        if name == action.verb and isinstance(action, KeepSecret):
            # In what words it is kept is all that can be said of it.
            does[name] = " ".join(str(typed).split())
        elif bare(field.kind) is SPEECH or (field.kind is TEXT and isinstance(value, Word)):
            tells[name] = " ".join(str(typed).split())
        else:
            does[name] = _meaning(value, called, action.source.get(Word(name)))
    words = tuple(word for one in scalars(action.source) for word in fold(one).split())
    return Entry(
        action.path,
        action.whole.line,
        last_word(action.source, action.whole.line),
        action.verb,
        does,
        tells,
        words,
        str(action.id or ""),
        player,
        action.by is not None,
        beside=_beside(action),
    )


def _beside(action: Action) -> dict[str, str]:
    """What an entry says besides what was done, to the letter. Why something is allowed is free."""
    said: dict[str, str] = {
        name: _typed(action.source[Word(name)])
        for name in ("coins", "opening")
        if name in action.fields and name in action.source
    }
    if action.allow:
        said["allow"] = ", ".join(sorted(" ".join(code.upper().split()) for code in action.allow))
    return said


def _typed(value: Value) -> str:
    """A value as a keeper typed it, on one line."""
    if isinstance(value, Word):
        return " ".join(value.split())
    if isinstance(value, Items):
        return "[" + ", ".join(_typed(item) for item in value) + "]"
    return "{" + ", ".join(f"{key}: {_typed(item)}" for key, item in value.items()) + "}"


class _Whole(list[Any]):
    """Plain data that is one thing (dice, a change, a pair) and is shown as it was typed."""

    typed = ""


def _unread(found: Diagnostic) -> Entry:
    line = found.place.line
    words = tuple(word for text in found.dropped for word in fold(text).split())
    verb = found.dropped[0]
    secret = fold(verb) == KeepSecret.verb
    return Entry(
        found.place.path, line, line, verb, {}, {}, words, why=found.message, secret=secret
    )


def _meaning(value: Any, called: Any, typed: Value | None = None) -> Any:
    """A decoded value as plain data: names are what they lead to. ``typed`` is what it was read from."""
    match value:
        case Word():
            return called(value)
        case Action():
            inner = _entry(value, "", called)
            return {value.verb: {**inner.does, **inner.tells, **inner.beside}}
        case Part():
            source = value.source
            return {
                name: _meaning(
                    inner,
                    called,
                    source.get(Word(name)) if isinstance(source, Entries) else source,
                )
                for name, field in value.fields.items()
                if (inner := getattr(value, field.attribute)) != field.default
            }
        case dict():
            inside: list[Value | None] = (
                list(typed.values()) if isinstance(typed, Entries) else [typed]
            )
            if len(inside) != len(value):
                inside = [None] * len(value)
            return {
                str(_meaning(key, called)): _meaning(item, called, one)
                for (key, item), one in zip(value.items(), inside, strict=True)
            }
        case list() | tuple() if type(value) in (list, tuple):
            items: list[Value | None] = list(typed) if isinstance(typed, Items) else [typed]
            if len(items) != len(value):
                items = [None] * len(value)
            return [_meaning(item, called, one) for item, one in zip(value, items, strict=True)]
        case list() | tuple():
            whole = _Whole(_meaning(item, called) for item in value)
            whole.typed = _typed(typed) if typed is not None else ""
            return whole
        case bool() | int() | None:
            return value
        case _ if not isinstance(value, type) and is_dataclass(type(value)):
            whole = _Whole(_meaning(getattr(value, field.name), called) for field in fields(value))
            whole.typed = _typed(typed) if typed is not None else ""
            return whole
    return str(value)


def _folded(value: Any) -> Any:
    """Plain data made comparable, letter case aside."""
    if isinstance(value, dict):
        return {fold(key): _folded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_folded(item) for item in value]
    return fold(value) if isinstance(value, str) else value


# --- which entries belong together ----------------------------------------------------------------


def compare(one: Log, other: Log) -> Comparison:
    """Two logs of one evening side by side."""
    partner = _partners(one.entries, other.entries)
    taken = set(partner.values())
    moved = _moved(one.entries, other.entries, partner, taken)
    pairs: list[Pair] = []
    waiting = 0
    done: list[tuple[int, int]] = sorted(partner.items())
    for index, entry in enumerate(one.entries):
        there = partner.get(index)
        if there is not None:
            pairs += _lone(one, other, index, range(waiting, there), taken)
            waiting = there + 1
            pairs.append(_pair(entry, other.entries[there]))
        elif index in moved:
            pair = _pair(entry, other.entries[moved[index]])
            pairs.append(pair if pair.kind == "conflict" else pair._replace(kind="moved"))
        else:
            after, before = _neighbours(done, index, 0, other.entries)
            kind = "unreadable" if entry.why else "only one"
            pairs.append(Pair(kind, entry, None, after=after, before=before))
    pairs += _lone(one, other, len(one.entries), range(waiting, len(other.entries)), taken)
    head = tuple(
        difference
        for name in dict.fromkeys([*one.head, *other.head])
        if name in one.head and name in other.head
        for difference in _differences(name, one.head[name], other.head[name])
    )
    return Comparison(one, other, head, pairs)


def _lone(one: Log, other: Log, index: int, stretch: range, taken: set[int]) -> Iterator[Pair]:
    """Entries that only the other log has, before entry ``index`` of the first."""
    for there in stretch:
        if there not in taken:
            entry = other.entries[there]
            after = one.entries[index - 1] if index else None
            before = one.entries[index] if index < len(one.entries) else None
            kind = "unreadable" if entry.why else "only other"
            yield Pair(kind, None, entry, after=after, before=before)


def _neighbours(
    done: list[tuple[int, int]], index: int, side: int, entries: Sequence[Entry]
) -> tuple[Entry | None, Entry | None]:
    """The entries of the other log between which entry ``index`` belongs."""
    ahead = [pair[1 - side] for pair in done if pair[side] < index]
    behind = [pair[1 - side] for pair in done if pair[side] > index]
    after = entries[ahead[-1]] if ahead else None
    return after, entries[behind[0]] if behind else None


def _partners(one: list[Entry], other: list[Entry]) -> dict[int, int]:
    """Which entry of one log is which of the other, in the same order: first those that are alike in
    everything or have one id, then between them those that are alike enough."""
    shared = {entry.id for entry in one if entry.id} & {entry.id for entry in other if entry.id}

    def keys(entries: list[Entry]) -> list[str]:
        return [f"id {entry.id}" if entry.id in shared else entry.key for entry in entries]

    matcher = SequenceMatcher(None, keys(one), keys(other), autojunk=False)
    partner: dict[int, int] = {}
    first = second = 0
    for start, there, length in matcher.get_matching_blocks():
        for index, index_there in _aligned(one[first:start], other[second:there]):
            partner[first + index] = second + index_there
        partner.update((start + n, there + n) for n in range(length))
        first, second = start + length, there + length
    return partner


def _aligned(one: list[Entry], other: list[Entry]) -> Iterator[tuple[int, int]]:
    """The pairs of two stretches that are alike enough, as many and as much alike as can be."""
    if not one or not other or len(one) * len(other) > MOST:
        return
    if len(one) == len(other) == 1:
        if one[0].verb == other[0].verb or _likeness(one[0], other[0]) >= ALIKE:
            yield 0, 0
        return
    best = [[0.0] * (len(other) + 1) for _ in range(len(one) + 1)]
    like = [[_likeness(a, b) for b in other] for a in one]
    for i in range(len(one) - 1, -1, -1):
        for j in range(len(other) - 1, -1, -1):
            here = like[i][j] + best[i + 1][j + 1] if like[i][j] >= ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], here)
    i = j = 0
    while i < len(one) and j < len(other):
        if like[i][j] >= ALIKE and best[i][j] == like[i][j] + best[i + 1][j + 1]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _likeness(one: Entry, other: Entry) -> float:
    """How much of two entries agrees, from 0 to 1."""
    if one.verb != other.verb and (one.why or other.why):
        return _shared(one.words, other.words)
    if one.verb != other.verb:
        return 0.0
    return max(_shared(_tokens(one), _tokens(other)), _shared(one.words, other.words))


def _tokens(entry: Entry) -> list[str]:
    told = [word for text in entry.tells.values() for word in fold(text).split()]
    return [entry.verb, *told, *_flat(_folded(entry.does), "")]


def _flat(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{path}/{key}"
            yield from _flat(item, f"{path}/{key}")
    elif isinstance(value, list):
        for item in value:
            yield from _flat(item, path)
    else:
        yield f"{path}={value}"


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other)) if one or other else 0.0


def _moved(
    one: list[Entry], other: list[Entry], partner: Mapping[int, int], taken: set[int]
) -> dict[int, int]:
    """Entries that both have, at another place. One that says nothing of its own (``end turn:``) could be
    any of its kind: each log lacks the one of the other."""
    free: dict[str, list[int]] = {}
    for there, entry in enumerate(other):
        if there not in taken and not entry.why:
            free.setdefault(entry.key, []).append(there)
    moved: dict[int, int] = {}
    for index, entry in enumerate(one):
        if index in partner or entry.why or not (entry.does or entry.tells):
            continue
        if free.get(entry.key):
            moved[index] = free[entry.key].pop(0)
            taken.add(moved[index])
    return moved


# --- how they differ ------------------------------------------------------------------------------


def _pair(one: Entry, other: Entry) -> Pair:
    if one.why or other.why:
        return Pair("unreadable", one, other)
    found = [Difference("verb", one.verb, other.verb)] if one.verb != other.verb else []
    if (one.by or other.by) and one.who and other.who and one.who != other.who:
        found.append(Difference("by", one.who, other.who))
    for name in dict.fromkeys([*one.does, *other.does]):
        found += _differences(name, one.does.get(name), other.does.get(name))
    for name in dict.fromkeys([*one.beside, *other.beside]):
        difference = Difference(name, one.beside.get(name), other.beside.get(name))
        computed = name == "coins" and None in difference
        if difference.one != difference.other and not computed:
            found.append(difference)
    told = [
        Difference(name, one.tells.get(name), other.tells.get(name))
        for name in dict.fromkeys([*one.tells, *other.tells])
        if one.tells.get(name) != other.tells.get(name)
    ]
    kind = "conflict" if found else "words" if told else "same"
    kept = one.secret or other.secret
    return Pair(kind, one, other, tuple(_veiled(d, kept) for d in found or told))


def _veiled(found: Difference, secret: bool) -> Difference:
    """A difference of which nothing is told but where it is, if it is one of a secret."""
    if not secret:
        return found
    one, other = (KEPT if said is not None else None for said in found[1:])
    return Difference(found.where, one, other)


def _differences(where: str, one: Any, other: Any) -> Iterator[Difference]:
    if isinstance(one, dict) and isinstance(other, dict):
        names = {fold(name): name for name in [*one, *other]}
        ones = {fold(key): value for key, value in one.items()}
        others = {fold(key): value for key, value in other.items()}
        for folded in dict.fromkeys([*ones, *others]):
            inner = f"{where}: {names[folded]}"
            yield from _differences(inner, ones.get(folded), others.get(folded))
    elif _folded(one) != _folded(other):
        yield Difference(where, _plain(one), _plain(other))


def _plain(value: Any) -> str | None:
    """Plain data as a keeper would write it; None for nothing."""
    match value:
        case _Whole() if value.typed:
            return value.typed
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case dict():
            return "{" + ", ".join(f"{key}: {_plain(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(str(_plain(item)) for item in value) + "]"
    return str(value)


# --- one log out of two ---------------------------------------------------------------------------


def merged(found: Comparison, one: str, other: str) -> str:
    """The text of the first log with what only the second has, where it belongs, and with remarks above
    the entries that contradict or that cannot be read; ``one`` and ``other`` are the two texts.

    Raises:
        EditRefused: when a log cannot be taken apart, or is not written entry below entry.
    """
    rows, theirs = BREAK.split(one), BREAK.split(other)
    mine, yours = _written(one, found.one), _written(other, found.other)
    first = next(iter(mine.values()), None)
    if first is None:
        raise EditRefused(f"{found.one.path} has no entry; take {found.other.path} as it is")
    column = _dash(rows, first)
    below: dict[int, list[str]] = {}
    above: dict[int, list[str]] = {}
    wanted: list[Value] = []
    at = 0
    for pair in found.pairs:
        if pair.one is not None:
            value = mine[pair.one.line]
            wanted.append(value)
            at = last_word(value, value.line)
            remark = [f"# cannot be read: {pair.one.why}"] if pair.one.why else []
            if pair.other is not None and pair.kind != "same":
                remark += _remark(pair, pair.other, theirs, yours[pair.other.line])
            if remark:
                above[value.line] = [f"{' ' * column}{row}" for row in remark]
        elif pair.other is not None:
            value = yours[pair.other.line]
            wanted.append(value)
            lines = _lifted(theirs, value, last_word(value, value.line), column)
            if pair.other.why:
                told = f"# from {pair.other.place}, where it cannot be read: {pair.other.why}"
                lines.insert(0, f"{' ' * column}{told}")
            below.setdefault(at or first.line - 1, []).extend(lines)
    made: list[str] = []
    for number, row in enumerate(rows, 1):
        made += above.get(number, [])
        made.append(row)
        made += below.get(number, [])
    newline = "\r\n" if "\r\n" in one else "\n"
    draft = newline.join(made)
    draft = draft if draft.endswith("\n") else draft + newline
    if log_entries(draft, found.one.path) != wanted:
        raise EditRefused(f"{found.one.path} and {found.other.path} cannot be put together")
    return draft


def _remark(pair: Pair, entry: Entry, rows: Sequence[str], value: Value) -> list[str]:
    """What stands above an entry for which the other log has something else."""
    if pair.kind == "moved":
        return [f"# {entry.place} has this at another place"]
    if pair.kind not in ("conflict", "unreadable"):
        return []
    said = f"# {entry.place} says" + (f" (and cannot be read: {entry.why})" if entry.why else "")
    lines = _lifted(rows, value, last_word(value, value.line), 0)
    return [f"{said}:", *(f"#   {row}".rstrip() for row in lines)]


def _written(text: str, log: Log) -> dict[int, Value]:
    """The entries of a log as they are written, by the line at which they are compared. What cannot be
    read is known by the line of what is wrong with it, which may stand further down.

    Raises:
        EditRefused: when they cannot be told apart.
    """
    tree = log_entries(text, log.path)
    starts = [value.line for value in tree]
    found: dict[int, Value] = {}
    for entry in log.entries:
        at = bisect_right(starts, entry.line) - 1
        if at >= 0 and entry.line <= last_word(tree[at], tree[at].line):
            found[entry.line] = tree[at]
    if len(set(starts)) != len(log.entries) or [one.line for one in found.values()] != starts:
        for entry in log.entries:
            if entry.why:
                raise EditRefused(f"{entry.place}: {entry.why}; fix that first")
        raise EditRefused(f"{log.path}: each entry has to start on a line of its own")
    return found


def log_entries(text: str, path: str) -> list[Value]:
    """The entries of a log as a tree, in the order of the file."""
    tree = read_text(text, path).tree
    log = tree.get(Word("log")) if isinstance(tree, Entries) else None
    return list(log) if isinstance(log, Items) else []


def _dash(rows: Sequence[str], entry: Value) -> int:
    """How far the dash of an entry is indented."""
    row = rows[entry.line - 1]
    if not row.lstrip(" ").startswith("- "):
        raise EditRefused(f"line {entry.line}: each entry has to start with a dash on its own line")
    return len(row) - len(row.lstrip(" "))


def _lifted(rows: Sequence[str], entry: Value, last: int, column: int) -> list[str]:
    """The lines of an entry, indented as another log is."""
    indent = _dash(rows, entry)
    lines = rows[entry.line - 1 : last]
    return [f"{' ' * column}{row[indent:]}" if row.strip() else row for row in lines]
