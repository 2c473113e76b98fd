"""Compare two logs of one session: which entries agree, which contradict, which are missing in one log.

Entries are compared as typed actions with resolved names, never as lines of text. ``Okafor`` and ``Dr. Emeka
Okafor`` are equal, and so are ``422`` and ``[4, 2, 2]``; different wording of the story is no contradiction."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.core.campaign import Session
from chronicle.core.declare import Action, Part
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.keepers import KEEPERS_KEYS
from chronicle.core.kinds import TEXT, bare
from chronicle.core.names import RecordingNames, fold
from chronicle.core.play_kinds import SPEECH
from chronicle.core.record import Record
from chronicle.core.shared_verbs import KeepSecret
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value, scalars
from chronicle.syntax.text_edit import last_word

MIN_SIMILARITY: Final = 0.5
"""Minimum similarity of two entries that count as versions of one."""
MOST_PAIRS: Final = 90_000
"""Maximum number of pairs that are compared in one stretch of unmatched entries; a larger stretch is not
aligned."""
SECRET_TEXT: Final = "(secret)"
"""Stands for words that have not been revealed."""

_NOT_COMPARED: Final = frozenset(("id", "allow", "coins", "by", "opening"))
"""Options that do not change what was done. ``by`` counts as the actor; ``coins`` in only one log is what
the engine computes; an opening is equal or it is none."""

_TWICE: Final = "T42"
"""Two logs of one session in one folder: here that is intended."""


class Entry(NamedTuple):
    """One entry of a log, ready for comparison. ``does`` maps options to their meaning, ``tells`` those with
    free wording. ``actor`` is the actor, if a replay knows it, and ``by`` whether the log names the actor.
    ``why`` is the problem of an entry that cannot be read completely. ``other_options`` are further options
    as typed; ``secret`` is whether it contains something that has not been revealed."""

    path: str
    line: int
    last: int
    verb: str
    does: Mapping[str, Any]
    tells: Mapping[str, str]
    words: tuple[str, ...]
    id: str = ""
    actor: str = ""
    by: bool = False
    why: str = ""
    other_options: Mapping[str, str] = MappingProxyType({})
    secret: bool = False

    @property
    def key(self) -> str:
        """A key that is equal for entries with the same effects and texts."""
        told_texts = {name: fold(text) for name, text in self.tells.items() if name != "note"}
        return json.dumps([self.verb, _folded(self.does), told_texts], sort_keys=True)

    @property
    def place(self) -> str:
        """The place of the entry."""
        return f"{self.path}:{self.line}"


class Log(NamedTuple):
    """One keeper's log of the session."""

    path: str
    number: int
    head: Mapping[str, Any]
    entries: list[Entry]


class Difference(NamedTuple):
    """The values of one option in both logs; None for no value."""

    where: str
    one: str | None
    other: str | None


class Pair(NamedTuple):
    """An entry of one log and its counterpart in the other, or only one of them.

    ``kind`` is ``same``, ``words`` (other wording), ``conflict``, ``moved``, ``unreadable``, ``only one`` or
    ``only other``. ``after`` and ``before`` are the entries of the log that lacks it between which it
    belongs."""

    kind: str
    one: Entry | None
    other: Entry | None
    differences: tuple[Difference, ...] = ()
    after: Entry | None = None
    before: Entry | None = None


class Comparison(NamedTuple):
    """Two logs of one session, entry by entry, in the order of the first."""

    one: Log
    other: Log
    head: tuple[Difference, ...]
    pairs: list[Pair]

    def pairs_of(self, *kinds: str) -> list[Pair]:
        """The pairs of some kinds."""
        return [pair for pair in self.pairs if pair.kind in kinds]

    @property
    def agrees(self) -> bool:
        """Whether both logs have the same actions, regardless of wording."""
        return not self.head and all(pair.kind in ("same", "words") for pair in self.pairs)


# --- what an entry means --------------------------------------------------------------------------


Read = tuple[Session, Record, RecordingNames]
"""A session with its replay, and its resolved names."""


def logs_of(first: Read, second: Read) -> tuple[Log, Log]:
    """Two sessions prepared for comparison. A word that was not looked up in one of them, because an earlier
    entry is missing there, has the same meaning as in the other."""
    meanings: dict[str, set[str]] = {}
    for _, _, names in (first, second):
        for file in names.lookups.words:
            for (_, _, text), ids in names.meanings(file).items():
                subjects = {names.first[id] for id in ids if id in names.all}
                meanings.setdefault(fold(text), set()).update(subjects)
    unambiguous = {
        text: next(iter(subjects)) for text, subjects in meanings.items() if len(subjects) == 1
    }
    return _log_of(first, unambiguous), _log_of(second, unambiguous)


def _log_of(read: Read, unambiguous: Mapping[str, str]) -> Log:
    """A session prepared for comparison: its replayed entries, and unreadable ones."""
    session, record, names = read
    ids_by_word = names.meanings(session.path)

    def name_of(word: ScalarNode) -> str:
        ids = ids_by_word.get((word.line, word.column, str(word)), set())
        id = next(iter(ids)) if len(ids) == 1 else ""
        if id in names.all:
            return names.first[id]
        return unambiguous.get(fold(word), " ".join(word.split()))

    entries = [
        _entry(step.action, step.player, name_of)
        for step in record.steps
        if step.parent is None and step.action.path == session.path
    ]
    entries = _with_problems(entries, record, session.path)
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
    head_values = {
        name: _meaning(value, name_of)
        for name, field in head.fields.items()
        if (value := getattr(head, field.attribute)) not in (None, ())
        and name not in ("summary", "note", "title", *KEEPERS_KEYS)
    }
    return Log(session.path, head.session, head_values, entries)


def _with_problems(entries: list[Entry], record: Record, path: str) -> list[Entry]:
    """Add the problems of a log to its entries: dropped entries, problems within entries, and problems
    outside of any."""
    problems = [
        problem
        for problem in record.campaign.diagnostics
        if problem.finding is Finding.UNREADABLE
        and problem.cause is None
        and problem.place.path == path
        and problem.code != _TWICE
    ]
    with_problems = list(entries)
    lost = [_unreadable_entry(problem) for problem in problems if problem.dropped]
    for problem in problems:
        if problem.dropped:
            continue
        line = problem.place.line
        index = next(
            (
                number
                for number, entry in enumerate(with_problems)
                if entry.line <= line <= entry.last
            ),
            None,
        )
        if index is None:
            lost.append(Entry(path, line, line, "", {}, {}, (), why=problem.message))
        elif not with_problems[index].why:
            with_problems[index] = with_problems[index]._replace(why=problem.message)
    return sorted([*with_problems, *lost], key=lambda entry: entry.line)


def _entry(action: Action, player: str, name_of: Any) -> Entry:
    does: dict[str, Any] = {}
    tells: dict[str, str] = {}
    fields = dict(action.fields)
    if action.main is not None:
        fields[action.verb] = action.main
    for name, field in fields.items():
        value = getattr(action, field.attribute)
        typed = action.source.get(ScalarNode(name), value)
        empty = name not in action.source or (isinstance(typed, ScalarNode) and not typed)
        if name in _NOT_COMPARED or (value == field.default and empty):
            continue
        if name == action.verb and isinstance(action, KeepSecret):
            # The wording of a secret is all that can be compared.
            does[name] = " ".join(str(typed).split())
        elif bare(field.kind) is SPEECH or (field.kind is TEXT and isinstance(value, ScalarNode)):
            tells[name] = " ".join(str(typed).split())
        else:
            does[name] = _meaning(value, name_of, action.source.get(ScalarNode(name)))
    words = tuple(word for scalar in scalars(action.source) for word in fold(scalar).split())
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
        other_options=_other_options(action),
    )


def _other_options(action: Action) -> dict[str, str]:
    """Options as typed that are not part of the action. The reason of an allowance is free text."""
    options: dict[str, str] = {
        name: _typed(action.source[ScalarNode(name)])
        for name in ("coins", "opening")
        if name in action.fields and name in action.source
    }
    if action.allow:
        options["allow"] = ", ".join(
            sorted(" ".join(code.upper().split()) for code in action.allow)
        )
    return options


def _typed(value: Value) -> str:
    """A value as a keeper typed it, on one line."""
    if isinstance(value, ScalarNode):
        return " ".join(value.split())
    if isinstance(value, SequenceNode):
        return "[" + ", ".join(_typed(item) for item in value) + "]"
    return "{" + ", ".join(f"{key}: {_typed(item)}" for key, item in value.items()) + "}"


class _Atomic(list[Any]):
    """Plain data that is one value (dice, a change, a pair) and is shown as typed."""

    typed = ""


def _unreadable_entry(problem: Diagnostic) -> Entry:
    line = problem.place.line
    words = tuple(word for text in problem.dropped for word in fold(text).split())
    verb = problem.dropped[0]
    secret = fold(verb) == KeepSecret.verb
    return Entry(
        problem.place.path, line, line, verb, {}, {}, words, why=problem.message, secret=secret
    )


def _meaning(value: Any, name_of: Any, typed: Value | None = None) -> Any:
    """A decoded value as plain data: names become their subjects. ``typed`` is the value as typed."""
    match value:
        case ScalarNode():
            return name_of(value)
        case Action():
            inner = _entry(value, "", name_of)
            return {value.verb: {**inner.does, **inner.tells, **inner.other_options}}
        case Part():
            source = value.source
            return {
                name: _meaning(
                    inner,
                    name_of,
                    source.get(ScalarNode(name)) if isinstance(source, MappingNode) else source,
                )
                for name, field in value.fields.items()
                if (inner := getattr(value, field.attribute)) != field.default
            }
        case dict():
            typed_values: list[Value | None] = (
                list(typed.values()) if isinstance(typed, MappingNode) else [typed]
            )
            if len(typed_values) != len(value):
                typed_values = [None] * len(value)
            return {
                str(_meaning(key, name_of)): _meaning(item, name_of, typed_value)
                for (key, item), typed_value in zip(value.items(), typed_values, strict=True)
            }
        case list() | tuple() if type(value) in (list, tuple):
            items: list[Value | None] = list(typed) if isinstance(typed, SequenceNode) else [typed]
            if len(items) != len(value):
                items = [None] * len(value)
            return [
                _meaning(item, name_of, typed_value)
                for item, typed_value in zip(value, items, strict=True)
            ]
        case list() | tuple():
            atomic = _Atomic(_meaning(item, name_of) for item in value)
            atomic.typed = _typed(typed) if typed is not None else ""
            return atomic
        case bool() | int() | None:
            return value
        case _ if not isinstance(value, type) and is_dataclass(type(value)):
            atomic = _Atomic(
                _meaning(getattr(value, field.name), name_of) for field in fields(value)
            )
            atomic.typed = _typed(typed) if typed is not None else ""
            return atomic
    return str(value)


def _folded(value: Any) -> Any:
    """Plain data with folded letter case, for comparison."""
    if isinstance(value, dict):
        return {fold(key): _folded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_folded(item) for item in value]
    return fold(value) if isinstance(value, str) else value


# --- which entries belong together ----------------------------------------------------------------


def compare(first: Log, second: Log) -> Comparison:
    """Compare two logs of one session."""
    partner = _partners(first.entries, second.entries)
    matched = set(partner.values())
    moved = _moved(first.entries, second.entries, partner, matched)
    pairs: list[Pair] = []
    next_unmatched = 0
    matches: list[tuple[int, int]] = sorted(partner.items())
    for index, entry in enumerate(first.entries):
        match = partner.get(index)
        if match is not None:
            pairs += _missing_entries(first, second, index, range(next_unmatched, match), matched)
            next_unmatched = match + 1
            pairs.append(_pair(entry, second.entries[match]))
        elif index in moved:
            pair = _pair(entry, second.entries[moved[index]])
            pairs.append(pair if pair.kind == "conflict" else pair._replace(kind="moved"))
        else:
            previous, following = _neighbours(matches, index, 0, second.entries)
            kind = "unreadable" if entry.why else "only one"
            pairs.append(Pair(kind, entry, None, after=previous, before=following))
    pairs += _missing_entries(
        first, second, len(first.entries), range(next_unmatched, len(second.entries)), matched
    )
    head = tuple(
        difference
        for name in dict.fromkeys([*first.head, *second.head])
        if name in first.head and name in second.head
        for difference in _differences(name, first.head[name], second.head[name])
    )
    return Comparison(first, second, head, pairs)


def _missing_entries(
    first: Log, second: Log, index: int, stretch: range, matched: set[int]
) -> Iterator[Pair]:
    """Entries that only the second log has, before entry ``index`` of the first."""
    for index_there in stretch:
        if index_there not in matched:
            entry = second.entries[index_there]
            previous = first.entries[index - 1] if index else None
            following = first.entries[index] if index < len(first.entries) else None
            kind = "unreadable" if entry.why else "only other"
            yield Pair(kind, None, entry, after=previous, before=following)


def _neighbours(
    matches: list[tuple[int, int]], index: int, side: int, entries: Sequence[Entry]
) -> tuple[Entry | None, Entry | None]:
    """The entries of the other log between which entry ``index`` belongs."""
    earlier = [pair[1 - side] for pair in matches if pair[side] < index]
    later = [pair[1 - side] for pair in matches if pair[side] > index]
    previous = entries[earlier[-1]] if earlier else None
    return previous, entries[later[0]] if later else None


def _partners(first_entries: list[Entry], second_entries: list[Entry]) -> dict[int, int]:
    """Match the entries of two logs, in the same order: first entries that are equal or have one id, then
    similar entries between them."""
    shared = {entry.id for entry in first_entries if entry.id} & {
        entry.id for entry in second_entries if entry.id
    }

    def keys(entries: list[Entry]) -> list[str]:
        return [f"id {entry.id}" if entry.id in shared else entry.key for entry in entries]

    matcher = SequenceMatcher(None, keys(first_entries), keys(second_entries), autojunk=False)
    partner: dict[int, int] = {}
    first = second = 0
    for start, start_there, length in matcher.get_matching_blocks():
        for index, index_there in _aligned(
            first_entries[first:start], second_entries[second:start_there]
        ):
            partner[first + index] = second + index_there
        partner.update((start + offset, start_there + offset) for offset in range(length))
        first, second = start + length, start_there + length
    return partner


def _aligned(first: list[Entry], second: list[Entry]) -> Iterator[tuple[int, int]]:
    """Align two stretches: the pairs of similar entries with the largest total similarity (dynamic
    programming)."""
    if not first or not second or len(first) * len(second) > MOST_PAIRS:
        return
    if len(first) == len(second) == 1:
        if first[0].verb == second[0].verb or _similarity(first[0], second[0]) >= MIN_SIMILARITY:
            yield 0, 0
        return
    best = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    similarity = [[_similarity(entry, entry_there) for entry_there in second] for entry in first]
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            with_pair = (
                similarity[i][j] + best[i + 1][j + 1] if similarity[i][j] >= MIN_SIMILARITY else 0.0
            )
            best[i][j] = max(best[i + 1][j], best[i][j + 1], with_pair)
    i = j = 0
    while i < len(first) and j < len(second):
        if (
            similarity[i][j] >= MIN_SIMILARITY
            and best[i][j] == similarity[i][j] + best[i + 1][j + 1]
        ):
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _similarity(first: Entry, second: Entry) -> float:
    """The similarity of two entries, from 0 to 1."""
    if first.verb != second.verb and (first.why or second.why):
        return _shared(first.words, second.words)
    if first.verb != second.verb:
        return 0.0
    return max(_shared(_tokens(first), _tokens(second)), _shared(first.words, second.words))


def _tokens(entry: Entry) -> list[str]:
    told_words = [word for text in entry.tells.values() for word in fold(text).split()]
    return [entry.verb, *told_words, *_flat(_folded(entry.does), "")]


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


def _shared(first: Sequence[str], second: Sequence[str]) -> float:
    common = sum((Counter(first) & Counter(second)).values())
    return 2 * common / (len(first) + len(second)) if first or second else 0.0


def _moved(
    first: list[Entry], second: list[Entry], partner: Mapping[int, int], matched: set[int]
) -> dict[int, int]:
    """Entries that both logs have at different places. An entry without content of its own (``end turn:``)
    does not count: any of its kind counts."""
    free: dict[str, list[int]] = {}
    for index_there, entry in enumerate(second):
        if index_there not in matched and not entry.why:
            free.setdefault(entry.key, []).append(index_there)
    moved: dict[int, int] = {}
    for index, entry in enumerate(first):
        if index in partner or entry.why or not (entry.does or entry.tells):
            continue
        if free.get(entry.key):
            moved[index] = free[entry.key].pop(0)
            matched.add(moved[index])
    return moved


# --- how they differ ------------------------------------------------------------------------------


def _pair(first: Entry, second: Entry) -> Pair:
    if first.why or second.why:
        return Pair("unreadable", first, second)
    differences = [Difference("verb", first.verb, second.verb)] if first.verb != second.verb else []
    if (first.by or second.by) and first.actor and second.actor and first.actor != second.actor:
        differences.append(Difference("by", first.actor, second.actor))
    for name in dict.fromkeys([*first.does, *second.does]):
        differences += _differences(name, first.does.get(name), second.does.get(name))
    for name in dict.fromkeys([*first.other_options, *second.other_options]):
        difference = Difference(name, first.other_options.get(name), second.other_options.get(name))
        computed = name == "coins" and None in difference
        if difference.one != difference.other and not computed:
            differences.append(difference)
    text_differences = [
        Difference(name, first.tells.get(name), second.tells.get(name))
        for name in dict.fromkeys([*first.tells, *second.tells])
        if first.tells.get(name) != second.tells.get(name)
    ]
    kind = "conflict" if differences else "words" if text_differences else "same"
    is_secret = first.secret or second.secret
    return Pair(
        kind,
        first,
        second,
        tuple(_without_secret(d, is_secret) for d in differences or text_differences),
    )


def _without_secret(difference: Difference, secret: bool) -> Difference:
    """A difference without its values if it concerns a secret."""
    if not secret:
        return difference
    first, second = (SECRET_TEXT if value is not None else None for value in difference[1:])
    return Difference(difference.where, first, second)


def _differences(where: str, first: Any, second: Any) -> Iterator[Difference]:
    if isinstance(first, dict) and isinstance(second, dict):
        names = {fold(name): name for name in [*first, *second]}
        first_values = {fold(key): value for key, value in first.items()}
        second_values = {fold(key): value for key, value in second.items()}
        for folded in dict.fromkeys([*first_values, *second_values]):
            inner = f"{where}: {names[folded]}"
            yield from _differences(inner, first_values.get(folded), second_values.get(folded))
    elif _folded(first) != _folded(second):
        yield Difference(where, _plain(first), _plain(second))


def _plain(value: Any) -> str | None:
    """Plain data as a keeper would write it; None for nothing."""
    match value:
        case _Atomic() if value.typed:
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
