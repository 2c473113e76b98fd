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
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.field_types import TEXT, roleless
from chronicle.core.keepers import KEEPERS_KEYS
from chronicle.core.names import RecordingNames, fold
from chronicle.core.play_field_types import SPEECH
from chronicle.core.record import Record
from chronicle.core.shared_verbs import KeepSecret
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value, scalars
from chronicle.syntax.text_edit import last_scalar_line

MIN_SIMILARITY: Final = 0.5
"""Minimum similarity of two entries that count as versions of one."""
MOST_PAIRS: Final = 90_000
"""Maximum number of pairs that are compared in one stretch of unmatched entries; a larger stretch is not
aligned."""
SECRET_TEXT: Final = "(secret)"
"""Stands for words that have not been revealed."""

_UNCOMPARED_KEYS: Final = frozenset(("id", "allow", "coins", "by", "opening"))
"""Options that do not change what was done. ``by`` counts as the actor; ``coins`` in only one log is what
the engine computes; an opening is equal or it is none."""

_SESSION_TWICE_CODE: Final = "T42"
"""Two logs of one session in one folder: here that is intended."""


class Entry(NamedTuple):
    """One entry of a log, ready for comparison. ``values`` maps options to their meaning,
    ``texts`` those with free wording. ``actor`` is the actor, if a replay knows it, and ``names_actor``
    whether the log names the actor. ``unreadable_reason`` is the problem of an entry that cannot be read
    completely. ``other_values`` are further options as typed; ``is_secret`` is whether it contains something that
    has not been revealed."""

    path: str
    line: int
    last_line: int
    verb: str
    values: Mapping[str, Any]
    texts: Mapping[str, str]
    folded_words: tuple[str, ...]
    id: str = ""
    actor: str = ""
    names_actor: bool = False
    unreadable_reason: str = ""
    other_values: Mapping[str, str] = MappingProxyType({})
    is_secret: bool = False

    @property
    def comparison_key(self) -> str:
        """A key that is equal for entries with the same effects and texts."""
        told_texts = {name: fold(text) for name, text in self.texts.items() if name != "note"}
        return json.dumps([self.verb, _fold_case(self.values), told_texts], sort_keys=True)

    @property
    def place(self) -> str:
        """The place of the entry."""
        return f"{self.path}:{self.line}"


class Log(NamedTuple):
    """One keeper's log of the session."""

    path: str
    session_number: int
    head_values: Mapping[str, Any]
    entries: list[Entry]


class Difference(NamedTuple):
    """The values of one key in both logs; None for no value."""

    key: str
    first_value: str | None
    second_value: str | None


class Pair(NamedTuple):
    """An entry of one log and its counterpart in the other, or only one of them.

    ``kind`` is ``same``, ``words`` (other wording), ``conflict``, ``moved``, ``unreadable``, ``only one`` or
    ``only other``. ``previous_entry`` and ``next_entry`` are the entries of the log that lacks it between which
    it belongs."""

    kind: str
    first: Entry | None
    second: Entry | None
    differences: tuple[Difference, ...] = ()
    previous_entry: Entry | None = None
    next_entry: Entry | None = None


class Comparison(NamedTuple):
    """Two logs of one session, entry by entry, in the order of the first."""

    first: Log
    second: Log
    head_differences: tuple[Difference, ...]
    pairs: list[Pair]

    def pairs_of_kinds(self, *kinds: str) -> list[Pair]:
        """The pairs of some kinds."""
        return [pair for pair in self.pairs if pair.kind in kinds]

    @property
    def agrees(self) -> bool:
        """Whether both logs have the same actions, regardless of wording."""
        return not self.head_differences and all(
            pair.kind in ("same", "words") for pair in self.pairs
        )


# --- what an entry means --------------------------------------------------------------------------


SessionReplay = tuple[Session, Record, RecordingNames]
"""A session with its replay, and its resolved names."""


def comparable_logs(first: SessionReplay, second: SessionReplay) -> tuple[Log, Log]:
    """Two sessions prepared for comparison. A word that was not looked up in one of them, because an earlier
    entry is missing there, has the same meaning as in the other."""
    original_names_by_text: dict[str, set[str]] = {}
    for _, _, recording_names in (first, second):
        for path in recording_names.lookups.lookups_by_file:
            for (_, _, text), subject_ids in recording_names.ids_by_word(path).items():
                original_names = {
                    recording_names.original_names[subject_id]
                    for subject_id in subject_ids
                    if subject_id in recording_names.all
                }
                original_names_by_text.setdefault(fold(text), set()).update(original_names)
    only_name_by_text = {
        text: next(iter(original_names))
        for text, original_names in original_names_by_text.items()
        if len(original_names) == 1
    }
    return _comparable_log(first, only_name_by_text), _comparable_log(second, only_name_by_text)


def _comparable_log(session_replay: SessionReplay, only_name_by_text: Mapping[str, str]) -> Log:
    """A session prepared for comparison: its replayed entries, and unreadable ones."""
    session, record, recording_names = session_replay
    subject_ids_by_mention = recording_names.ids_by_word(session.path)

    def name_of(scalar: ScalarNode) -> str:
        subject_ids = subject_ids_by_mention.get((scalar.line, scalar.column, str(scalar)), set())
        subject_id = next(iter(subject_ids)) if len(subject_ids) == 1 else ""
        if subject_id in recording_names.all:
            return recording_names.original_names[subject_id]
        return only_name_by_text.get(fold(scalar), " ".join(scalar.split()))

    entries = [
        _comparable_entry(step.action, step.player, name_of)
        for step in record.steps
        if step.parent is None and step.action.path == session.path
    ]
    entries = _with_problems(entries, record, session.path)
    hidden_lines = {
        line
        for step in record.steps
        if step.hidden and step.action.path == session.path
        for line in range(
            step.action.whole_place.line,
            last_scalar_line(step.action.source, step.action.whole_place.line) + 1,
        )
    }
    entries = [
        entry._replace(is_secret=True)
        if hidden_lines.intersection(range(entry.line, entry.last_line + 1))
        else entry
        for entry in entries
    ]
    header = session.header
    head_values = {
        name: _comparable_value(value, name_of)
        for name, field in header.fields.items()
        if (value := getattr(header, field.attribute)) not in (None, ())
        and name not in ("summary", "note", "title", *KEEPERS_KEYS)
    }
    return Log(session.path, header.session, head_values, entries)


def _with_problems(entries: list[Entry], record: Record, path: str) -> list[Entry]:
    """Add the problems of a log to its entries: dropped entries, problems within entries, and problems
    outside of any."""
    unreadable_problems = [
        problem
        for problem in record.campaign.diagnostics
        if problem.kind is DiagnosticKind.UNREADABLE
        and problem.cause is None
        and problem.place.path == path
        and problem.code != _SESSION_TWICE_CODE
    ]
    updated_entries = list(entries)
    unreadable_entries = [
        _unreadable_entry(problem) for problem in unreadable_problems if problem.dropped_words
    ]
    for problem in unreadable_problems:
        if problem.dropped_words:
            continue
        line = problem.place.line
        index_at_line = next(
            (
                index
                for index, entry in enumerate(updated_entries)
                if entry.line <= line <= entry.last_line
            ),
            None,
        )
        if index_at_line is None:
            unreadable_entries.append(
                Entry(path, line, line, "", {}, {}, (), unreadable_reason=problem.message)
            )
        elif not updated_entries[index_at_line].unreadable_reason:
            updated_entries[index_at_line] = updated_entries[index_at_line]._replace(
                unreadable_reason=problem.message
            )
    return sorted([*updated_entries, *unreadable_entries], key=lambda entry: entry.line)


def _comparable_entry(action: Action, player: str, name_of: Any) -> Entry:
    value_by_key: dict[str, Any] = {}
    text_by_key: dict[str, str] = {}
    field_by_key = dict(action.fields)
    if action.main is not None:
        field_by_key[action.verb] = action.main
    for key, field in field_by_key.items():
        value = getattr(action, field.attribute)
        typed_value = action.source.get(ScalarNode(key), value)
        is_empty = key not in action.source or (
            isinstance(typed_value, ScalarNode) and not typed_value
        )
        if key in _UNCOMPARED_KEYS or (value == field.default and is_empty):
            continue
        if key == action.verb and isinstance(action, KeepSecret):
            # The wording of a secret is all that can be compared.
            value_by_key[key] = " ".join(str(typed_value).split())
        elif roleless(field.kind) is SPEECH or (
            field.kind is TEXT and isinstance(value, ScalarNode)
        ):
            text_by_key[key] = " ".join(str(typed_value).split())
        else:
            value_by_key[key] = _comparable_value(
                value, name_of, action.source.get(ScalarNode(key))
            )
    words = tuple(word for scalar in scalars(action.source) for word in fold(scalar).split())
    return Entry(
        action.path,
        action.whole_place.line,
        last_scalar_line(action.source, action.whole_place.line),
        action.verb,
        value_by_key,
        text_by_key,
        words,
        str(action.id or ""),
        player,
        action.by is not None,
        other_values=_other_values(action),
    )


def _other_values(action: Action) -> dict[str, str]:
    """Options as typed that are not part of the action. The reason of an allowance is free text."""
    value_by_key: dict[str, str] = {
        key: _text_as_typed(action.source[ScalarNode(key)])
        for key in ("coins", "opening")
        if key in action.fields and key in action.source
    }
    if action.allow:
        value_by_key["allow"] = ", ".join(
            sorted(" ".join(code.upper().split()) for code in action.allow)
        )
    return value_by_key


def _text_as_typed(value: Value) -> str:
    """A value as a keeper typed it, on one line."""
    if isinstance(value, ScalarNode):
        return " ".join(value.split())
    if isinstance(value, SequenceNode):
        return "[" + ", ".join(_text_as_typed(item) for item in value) + "]"
    return "{" + ", ".join(f"{key}: {_text_as_typed(item)}" for key, item in value.items()) + "}"


class _AtomicList(list[Any]):
    """Plain data that is one value (dice, a change, a pair) and is shown as typed."""

    text_as_typed = ""


def _unreadable_entry(problem: Diagnostic) -> Entry:
    line_number = problem.place.line
    words = tuple(word for text in problem.dropped_words for word in fold(text).split())
    verb = problem.dropped_words[0]
    is_secret = fold(verb) == KeepSecret.verb
    return Entry(
        problem.place.path,
        line_number,
        line_number,
        verb,
        {},
        {},
        words,
        unreadable_reason=problem.message,
        is_secret=is_secret,
    )


def _comparable_value(value: Any, name_of: Any, typed_node: Value | None = None) -> Any:
    """A decoded value as plain data: names become their subjects. ``typed_node`` is the value as typed."""
    match value:
        case ScalarNode():
            return name_of(value)
        case Action():
            inner_entry = _comparable_entry(value, "", name_of)
            return {
                value.verb: {**inner_entry.values, **inner_entry.texts, **inner_entry.other_values}
            }
        case Part():
            source = value.source
            return {
                name: _comparable_value(
                    inner_value,
                    name_of,
                    source.get(ScalarNode(name)) if isinstance(source, MappingNode) else source,
                )
                for name, field in value.fields.items()
                if (inner_value := getattr(value, field.attribute)) != field.default
            }
        case dict():
            value_nodes: list[Value | None] = (
                list(typed_node.values()) if isinstance(typed_node, MappingNode) else [typed_node]
            )
            if len(value_nodes) != len(value):
                value_nodes = [None] * len(value)
            return {
                str(_comparable_value(key, name_of)): _comparable_value(item, name_of, value_node)
                for (key, item), value_node in zip(value.items(), value_nodes, strict=True)
            }
        case list() | tuple() if type(value) in (list, tuple):
            item_nodes: list[Value | None] = (
                list(typed_node) if isinstance(typed_node, SequenceNode) else [typed_node]
            )
            if len(item_nodes) != len(value):
                item_nodes = [None] * len(value)
            return [
                _comparable_value(item, name_of, value_node)
                for item, value_node in zip(value, item_nodes, strict=True)
            ]
        case list() | tuple():
            atomic_list = _AtomicList(_comparable_value(item, name_of) for item in value)
            atomic_list.text_as_typed = _text_as_typed(typed_node) if typed_node is not None else ""
            return atomic_list
        case bool() | int() | None:
            return value
        case _ if not isinstance(value, type) and is_dataclass(type(value)):
            atomic_list = _AtomicList(
                _comparable_value(getattr(value, field.name), name_of) for field in fields(value)
            )
            atomic_list.text_as_typed = _text_as_typed(typed_node) if typed_node is not None else ""
            return atomic_list
    return str(value)


def _fold_case(value: Any) -> Any:
    """Plain data with folded letter case, for comparison."""
    if isinstance(value, dict):
        return {fold(key): _fold_case(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_fold_case(item) for item in value]
    return fold(value) if isinstance(value, str) else value


# --- which entries belong together ----------------------------------------------------------------


def compare(first: Log, second: Log) -> Comparison:
    """Compare two logs of one session."""
    second_index_by_first = _match_entries(first.entries, second.entries)
    matched_indices = set(second_index_by_first.values())
    moved_index_by_first = _match_moved_entries(
        first.entries, second.entries, second_index_by_first, matched_indices
    )
    pairs: list[Pair] = []
    next_unmatched_index = 0
    matched_index_pairs: list[tuple[int, int]] = sorted(second_index_by_first.items())
    for index, entry in enumerate(first.entries):
        second_index = second_index_by_first.get(index)
        if second_index is not None:
            pairs += _pairs_only_in_second(
                first, second, index, range(next_unmatched_index, second_index), matched_indices
            )
            next_unmatched_index = second_index + 1
            pairs.append(_compare_entries(entry, second.entries[second_index]))
        elif index in moved_index_by_first:
            pair = _compare_entries(entry, second.entries[moved_index_by_first[index]])
            pairs.append(pair if pair.kind == "conflict" else pair._replace(kind="moved"))
        else:
            previous, following = _neighbour_entries(matched_index_pairs, index, 0, second.entries)
            pair_kind = "unreadable" if entry.unreadable_reason else "only one"
            pairs.append(
                Pair(pair_kind, entry, None, previous_entry=previous, next_entry=following)
            )
    pairs += _pairs_only_in_second(
        first,
        second,
        len(first.entries),
        range(next_unmatched_index, len(second.entries)),
        matched_indices,
    )
    head_differences = tuple(
        difference
        for name in dict.fromkeys([*first.head_values, *second.head_values])
        if name in first.head_values and name in second.head_values
        for difference in _value_differences(
            name, first.head_values[name], second.head_values[name]
        )
    )
    return Comparison(first, second, head_differences, pairs)


def _pairs_only_in_second(
    first: Log, second: Log, first_index: int, second_indices: range, matched_indices: set[int]
) -> Iterator[Pair]:
    """Entries that only the second log has, before entry ``first_index`` of the first."""
    for second_index in second_indices:
        if second_index not in matched_indices:
            entry = second.entries[second_index]
            previous = first.entries[first_index - 1] if first_index else None
            following = first.entries[first_index] if first_index < len(first.entries) else None
            pair_kind = "unreadable" if entry.unreadable_reason else "only other"
            yield Pair(pair_kind, None, entry, previous_entry=previous, next_entry=following)


def _neighbour_entries(
    matched_index_pairs: list[tuple[int, int]],
    index: int,
    side: int,
    other_entries: Sequence[Entry],
) -> tuple[Entry | None, Entry | None]:
    """The entries of the other log between which entry ``index`` belongs."""
    other_indices_before = [
        index_pair[1 - side] for index_pair in matched_index_pairs if index_pair[side] < index
    ]
    other_indices_after = [
        index_pair[1 - side] for index_pair in matched_index_pairs if index_pair[side] > index
    ]
    previous_entry = other_entries[other_indices_before[-1]] if other_indices_before else None
    return previous_entry, other_entries[other_indices_after[0]] if other_indices_after else None


def _match_entries(first_entries: list[Entry], second_entries: list[Entry]) -> dict[int, int]:
    """Match the entries of two logs, in the same order: first entries that are equal or have one id, then
    similar entries between them."""
    shared_ids = {entry.id for entry in first_entries if entry.id} & {
        entry.id for entry in second_entries if entry.id
    }

    def comparison_keys(entries: list[Entry]) -> list[str]:
        return [
            f"id {entry.id}" if entry.id in shared_ids else entry.comparison_key
            for entry in entries
        ]

    matcher = SequenceMatcher(
        None, comparison_keys(first_entries), comparison_keys(second_entries), autojunk=False
    )
    second_index_by_first: dict[int, int] = {}
    first_matched_end = second_matched_end = 0
    for first_match, second_match, length in matcher.get_matching_blocks():
        for first_index, second_index in _align(
            first_entries[first_matched_end:first_match],
            second_entries[second_matched_end:second_match],
        ):
            second_index_by_first[first_matched_end + first_index] = (
                second_matched_end + second_index
            )
        second_index_by_first.update(
            (first_match + offset, second_match + offset) for offset in range(length)
        )
        first_matched_end, second_matched_end = first_match + length, second_match + length
    return second_index_by_first


def _align(first_entries: list[Entry], second_entries: list[Entry]) -> Iterator[tuple[int, int]]:
    """Align two stretches: the pairs of similar entries with the largest total similarity (dynamic
    programming)."""
    if (
        not first_entries
        or not second_entries
        or len(first_entries) * len(second_entries) > MOST_PAIRS
    ):
        return
    if len(first_entries) == len(second_entries) == 1:
        if (
            first_entries[0].verb == second_entries[0].verb
            or _entry_similarity(first_entries[0], second_entries[0]) >= MIN_SIMILARITY
        ):
            yield 0, 0
        return
    best_totals = [[0.0] * (len(second_entries) + 1) for _ in range(len(first_entries) + 1)]
    similarities = [
        [_entry_similarity(first_entry, second_entry) for second_entry in second_entries]
        for first_entry in first_entries
    ]
    for row in range(len(first_entries) - 1, -1, -1):
        for column in range(len(second_entries) - 1, -1, -1):
            total_with_pair = (
                similarities[row][column] + best_totals[row + 1][column + 1]
                if similarities[row][column] >= MIN_SIMILARITY
                else 0.0
            )
            best_totals[row][column] = max(
                best_totals[row + 1][column], best_totals[row][column + 1], total_with_pair
            )
    row = column = 0
    while row < len(first_entries) and column < len(second_entries):
        if (
            similarities[row][column] >= MIN_SIMILARITY
            and best_totals[row][column]
            == similarities[row][column] + best_totals[row + 1][column + 1]
        ):
            yield row, column
            row, column = row + 1, column + 1
        elif best_totals[row][column] == best_totals[row + 1][column]:
            row += 1
        else:
            column += 1


def _entry_similarity(first: Entry, second: Entry) -> float:
    """The similarity of two entries, from 0 to 1."""
    if first.verb != second.verb and (first.unreadable_reason or second.unreadable_reason):
        return _overlap_ratio(first.folded_words, second.folded_words)
    if first.verb != second.verb:
        return 0.0
    return max(
        _overlap_ratio(_comparison_tokens(first), _comparison_tokens(second)),
        _overlap_ratio(first.folded_words, second.folded_words),
    )


def _comparison_tokens(entry: Entry) -> list[str]:
    told_words = [word for text in entry.texts.values() for word in fold(text).split()]
    return [entry.verb, *told_words, *_flatten_value(_fold_case(entry.values), "")]


def _flatten_value(value: Any, key_path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{key_path}/{key}"
            yield from _flatten_value(item, f"{key_path}/{key}")
    elif isinstance(value, list):
        for item in value:
            yield from _flatten_value(item, key_path)
    else:
        yield f"{key_path}={value}"


def _overlap_ratio(first_words: Sequence[str], second_words: Sequence[str]) -> float:
    common_word_count = sum((Counter(first_words) & Counter(second_words)).values())
    return (
        2 * common_word_count / (len(first_words) + len(second_words))
        if first_words or second_words
        else 0.0
    )


def _match_moved_entries(
    first_entries: list[Entry],
    second_entries: list[Entry],
    second_index_by_first: Mapping[int, int],
    matched_indices: set[int],
) -> dict[int, int]:
    """Entries that both logs have at different places. An entry without content of its own (``end turn:``)
    does not count: any of its kind counts."""
    free_indices_by_key: dict[str, list[int]] = {}
    for second_index, entry in enumerate(second_entries):
        if second_index not in matched_indices and not entry.unreadable_reason:
            free_indices_by_key.setdefault(entry.comparison_key, []).append(second_index)
    moved_index_by_first: dict[int, int] = {}
    for index, entry in enumerate(first_entries):
        if (
            index in second_index_by_first
            or entry.unreadable_reason
            or not (entry.values or entry.texts)
        ):
            continue
        if free_indices_by_key.get(entry.comparison_key):
            moved_index_by_first[index] = free_indices_by_key[entry.comparison_key].pop(0)
            matched_indices.add(moved_index_by_first[index])
    return moved_index_by_first


# --- how they differ ------------------------------------------------------------------------------


def _compare_entries(first_entry: Entry, second_entry: Entry) -> Pair:
    if first_entry.unreadable_reason or second_entry.unreadable_reason:
        return Pair("unreadable", first_entry, second_entry)
    differences = (
        [Difference("verb", first_entry.verb, second_entry.verb)]
        if first_entry.verb != second_entry.verb
        else []
    )
    if (
        (first_entry.names_actor or second_entry.names_actor)
        and first_entry.actor
        and second_entry.actor
        and first_entry.actor != second_entry.actor
    ):
        differences.append(Difference("by", first_entry.actor, second_entry.actor))
    for key in dict.fromkeys([*first_entry.values, *second_entry.values]):
        differences += _value_differences(
            key, first_entry.values.get(key), second_entry.values.get(key)
        )
    for key in dict.fromkeys([*first_entry.other_values, *second_entry.other_values]):
        difference = Difference(
            key, first_entry.other_values.get(key), second_entry.other_values.get(key)
        )
        is_computed_price = key == "coins" and None in difference
        if difference.first_value != difference.second_value and not is_computed_price:
            differences.append(difference)
    text_differences = [
        Difference(key, first_entry.texts.get(key), second_entry.texts.get(key))
        for key in dict.fromkeys([*first_entry.texts, *second_entry.texts])
        if first_entry.texts.get(key) != second_entry.texts.get(key)
    ]
    pair_kind = "conflict" if differences else "words" if text_differences else "same"
    is_secret = first_entry.is_secret or second_entry.is_secret
    return Pair(
        pair_kind,
        first_entry,
        second_entry,
        tuple(
            _without_secret(difference, is_secret) for difference in differences or text_differences
        ),
    )


def _without_secret(difference: Difference, is_secret: bool) -> Difference:
    """A difference without its values if it concerns a secret."""
    if not is_secret:
        return difference
    first_text, second_text = (
        SECRET_TEXT if value is not None else None for value in difference[1:]
    )
    return Difference(difference.key, first_text, second_text)


def _value_differences(key: str, first_value: Any, second_value: Any) -> Iterator[Difference]:
    if isinstance(first_value, dict) and isinstance(second_value, dict):
        name_by_folded_name = {fold(name): name for name in [*first_value, *second_value]}
        first_values = {fold(name): value for name, value in first_value.items()}
        second_values = {fold(name): value for name, value in second_value.items()}
        for folded_name in dict.fromkeys([*first_values, *second_values]):
            inner_key = f"{key}: {name_by_folded_name[folded_name]}"
            yield from _value_differences(
                inner_key, first_values.get(folded_name), second_values.get(folded_name)
            )
    elif _fold_case(first_value) != _fold_case(second_value):
        yield Difference(key, _keeper_text(first_value), _keeper_text(second_value))


def _keeper_text(value: Any) -> str | None:
    """Plain data as a keeper would write it; None for nothing."""
    match value:
        case _AtomicList() if value.text_as_typed:
            return value.text_as_typed
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case dict():
            return (
                "{" + ", ".join(f"{key}: {_keeper_text(item)}" for key, item in value.items()) + "}"
            )
        case list():
            return "[" + ", ".join(str(_keeper_text(item)) for item in value) + "]"
    return str(value)
