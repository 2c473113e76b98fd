"""An entry on one line, as people type it at the desk: from the line to the entry and back.

The line is the entry without its dash, and without brackets where the keys of the verb say what they hold::

    draw Patience: tarred twice, to: Joss       draw: {Patience: tarred twice}
                                                to: Joss

An outcome holds other entries, each behind the player who tells it, with a slash between two entries::

    outcome Joss: event She jumps / keep 3 / Marit: fact It is cold

All positions in a line come from this module: :func:`split_line` finds the keys, :func:`split_entries` and
:func:`split_items` the parts of a value, and :mod:`chronicle.syntax.line_slots` the places where an unfinished line can
continue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action, Field, PartOf
from chronicle.core.errors import Refused
from chronicle.core.field_types import (
    TEXT,
    FieldType,
    roleless,
)
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.syntax.kinds import (
    holds_entries,
    holds_sentences,
    json_types_of,
    listed_part_fields,
    may_go_on_after_comma,
    recorded_type_under,
)
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_text import Data, has_mappings, plain_data, write_flow, write_scalar

SLASH: Final = "/"
"""Between spaces: separates the entries inside an entry."""

Verbs = Mapping[str, type[Action]]


class LineError(Refused):
    """A line cannot be read as an entry. The message gives the reason."""


# -- the characters of a line ----------------------------------------------------------------------


def _outside_quotes(
    typed_text: str, search_start: int = 0, *, is_half_typed: bool = True
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each character outside quotes: its position, itself, and the brackets that would close those
    open behind it, the innermost last. ``is_half_typed``: a quotation can still lack its end."""
    closing_brackets: list[str] = []
    # A single quote without a second one is an apostrophe: 'tis.
    last_quote_positions = {
        "'": typed_text.rfind("'"),
        '"': len(typed_text) if is_half_typed else typed_text.rfind('"'),
    }
    open_quote = ""
    for position in range(search_start, len(typed_text)):
        character = typed_text[position]
        if open_quote:
            open_quote = "" if character == open_quote else open_quote
            continue
        starts_word = position == search_start or typed_text[position - 1] in " ,:[{("
        if starts_word and position < last_quote_positions.get(character, 0):
            open_quote = character
            continue
        if character in "[{":
            closing_brackets.append("}" if character == "{" else "]")
        elif closing_brackets and character == closing_brackets[-1]:
            closing_brackets.pop()
        yield position, character, closing_brackets


def close_brackets(typed_text: str) -> str:
    """The text with the brackets closed that are open at its end."""
    closing_brackets: list[str] = []
    for _, _, brackets in _outside_quotes(typed_text, is_half_typed=False):
        closing_brackets = brackets
    return typed_text + "".join(reversed(closing_brackets))


def has_open_bracket(typed_text: str) -> bool:
    """Whether a text starts with a bracket that is still open at its end."""
    typed_text = typed_text.lstrip()
    return typed_text[:1] in ("{", "[") and all(
        brackets for _, _, brackets in _outside_quotes(typed_text)
    )


class TextSegment(NamedTuple):
    """A stretch of a text between two separators, and where it starts."""

    start: int
    text: str


def split_segments(typed_text: str, separator: str = ",") -> list[TextSegment]:
    """Split a text at commas, or at another sign between spaces, outside quotes and brackets."""
    separator_positions = [-1, *_separators(typed_text, 0, separator), len(typed_text)]
    return [
        TextSegment(position + 1, typed_text[position + 1 : next_position])
        for position, next_position in pairwise(separator_positions)
    ]


def _separators(typed_text: str, search_start: int, separator: str) -> Iterator[int]:
    spaced_separators = (f" {separator} ", f" {separator}")
    for separator_position, character, closing_brackets in _outside_quotes(
        typed_text, search_start
    ):
        is_separator = (
            separator == ","
            or typed_text[separator_position - 1 : separator_position + 2] in spaced_separators
        )
        if character == separator and not closing_brackets and is_separator:
            yield separator_position


def match_name(typed_text: str) -> re.Match[str] | None:
    """Match the name and the colon that a pair begins with, as in ``Patience: tarred twice``."""
    return re.match(
        r"\s*(\"[^\"]*\"|'[^']*'|[^:,\[\]{}\s]+(?:\s++[^:,\[\]{}\s]+)*)\s*:(?=\s|$)\s*", typed_text
    )


def _matched_name(name_match: re.Match[str]) -> str:
    return name_match[1].strip("\"'")


# -- the keys of a line ----------------------------------------------------------------------------


class TypedField(NamedTuple):
    """A key of a line with the text typed behind it, and where that text starts."""

    key: str
    text: str
    start: int


class ParsedLine(NamedTuple):
    """A line split into the verb and its keys; the first part is the value of the verb itself."""

    verb: type[Action]
    typed_fields: tuple[TypedField, ...]

    def field(self, key: str) -> Field | None:
        """How a key of the line is declared; None for a verb without a value of its own."""
        return self.verb.main if key == self.verb.verb else self.verb.fields.get(key)


def find_verb(text: str, verbs: Verbs) -> str:
    """The verb that a line starts with, the longest there is; empty if none."""
    line_text = text.casefold().lstrip("- ")
    longest_verb = ""
    for verb_name in verbs:
        word_continues = line_text[len(verb_name) : len(verb_name) + 1].isalnum()
        if (
            len(verb_name) > len(longest_verb)
            and line_text.startswith(verb_name)
            and not word_continues
        ):
            longest_verb = verb_name
    return longest_verb


def split_line(line_text: str, verbs: Verbs) -> ParsedLine | None:
    """Split a line into verb and keys; None if it starts with no verb."""
    verb_name = find_verb(line_text, verbs)
    if not verb_name:
        return None
    action_class = verbs[verb_name]
    position = len(line_text) - len(line_text.lstrip("- ")) + len(verb_name)
    # In a file a colon follows the verb; on the line it may.
    colon_match = re.compile(r"\s*:?\s*").match(line_text, position)
    position = colon_match.end() if colon_match else position
    key_starts = [(verb_name, position, position)]
    for cut_position in _separators(
        line_text, position, SLASH if holds_entries(action_class.main) else ","
    ):
        key_match = re.compile(r"\s*([^\W\d]\w*(?: ++\w+)*)\s*:(?=\s|$)\s*").match(
            line_text, cut_position + 1
        )
        if key_match is not None and key_match[1] in action_class.fields:
            key_starts.append((key_match[1], cut_position, key_match.end()))
    key_ends = [cut_position for _, cut_position, _ in key_starts[1:]] + [len(line_text)]
    typed_fields = [
        TypedField(key_name, line_text[start:end], start)
        for (key_name, _, start), end in zip(key_starts, key_ends, strict=True)
    ]
    return ParsedLine(action_class, tuple(typed_fields))


# -- the values of a line --------------------------------------------------------------------------


class LinePart(NamedTuple):
    """A part of a line, such as an entry inside another entry: who tells it, its text, and where it starts."""

    teller: str
    text: str
    start: int


def split_entries(line_text: str, verbs: Verbs) -> list[LinePart]:
    """Split the unfinished value of an outcome into its entries."""
    entries: list[LinePart] = []
    teller = ""
    for segment_start, segment in split_segments(line_text, SLASH):
        name_match = None if find_verb(segment, verbs) else match_name(segment)
        if name_match is not None:
            teller, segment, segment_start = (
                _matched_name(name_match),
                segment[name_match.end() :],
                segment_start + name_match.end(),
            )
        indent = len(segment) - len(segment.lstrip())
        entries.append(LinePart(teller, segment.strip(), segment_start + indent))
    return entries


class ListItem(NamedTuple):
    """An item of a list: a name, or a mapping with these keys; and where it starts."""

    start: int
    text: str
    keys: tuple[str, ...] = ()


def split_items(field_type: FieldType[Any] | None, typed_text: str) -> list[ListItem]:
    """Split a list of names and mappings without braces into its items.

    ``Tom, character: ferryman, traits: old, deaf, prop: boat`` are three. A mapping ends where a name
    follows that its last key cannot take, a key that it has already, or a second key that says what it
    is. Nothing if the kind lists no mappings.
    """
    field_by_key, exclusive_keys = listed_part_fields(field_type)
    items: list[ListItem] = []
    for segment_start, segment in split_segments(typed_text) if field_by_key else ():
        name_match = match_name(segment)
        key = _matched_name(name_match) if name_match is not None else ""
        last_item = items[-1] if items else ListItem(0, "")
        if not last_item.keys:
            continues_last_item = False
        elif key in field_by_key:
            is_repeated = key in last_item.keys
            is_excluded = key in exclusive_keys and any(
                key_in_item in exclusive_keys for key_in_item in last_item.keys
            )
            continues_last_item = not (is_repeated or is_excluded)
        else:
            continues_last_item = bool(
                name_match
                or not segment.strip()
                or may_go_on_after_comma(field_by_key[last_item.keys[-1]])
            )
        if continues_last_item:
            keys = (*last_item.keys, key) if key in field_by_key else last_item.keys
            items[-1] = ListItem(
                last_item.start, typed_text[last_item.start : segment_start + len(segment)], keys
            )
        else:
            items.append(ListItem(segment_start, segment, (key,) if key in field_by_key else ()))
    return items


class _Pair(NamedTuple):
    """A key with its value. ``start`` is where the key starts, ``value_start`` where the value does."""

    key: str
    start: int
    value_start: int
    value: str
    value_before_comma: str
    """The value up to its first comma."""


def split_pairs(field_type: FieldType[Any] | None, typed_text: str) -> list[_Pair]:
    """Split ``Iben: o+-, Tomas: o-`` into pairs. A segment without a name belongs to the pair before it, and
    so does a key of the mapping that this pair has begun: ``use: Mina`` in ``Ruiz: gamble: 2, use: Mina``."""
    pairs: list[_Pair] = []
    for segment_start, segment in split_segments(typed_text):
        name_match = match_name(segment)
        segment_end = segment_start + len(segment)
        if pairs and (name_match is None or _continues_pair(field_type, pairs[-1], name_match)):
            pairs[-1] = pairs[-1]._replace(value=typed_text[pairs[-1].value_start : segment_end])
        elif name_match is not None:
            value = segment[name_match.end() :]
            pairs.append(
                _Pair(
                    _matched_name(name_match),
                    segment_start,
                    segment_start + name_match.end(),
                    value,
                    value,
                )
            )
    return pairs


def _continues_pair(
    field_type: FieldType[Any] | None, last_pair: _Pair, name_match: re.Match[str]
) -> bool:
    inner_type = recorded_type_under(field_type, last_pair.key)
    fields = inner_type.part.fields if isinstance(inner_type, PartOf) else {}
    first_key_match = match_name(last_pair.value_before_comma)
    if first_key_match is None:
        return False
    if {first_key_match[1], name_match[1]} <= {*fields}:
        return True
    # Behind a pair of plain words stands another one of the same person: ``Mia: Bo: forges, Al: hears``.
    is_plain = match_name(name_match.string[name_match.end() :]) is None
    inner_schema = inner_type.schema() if inner_type is not None else {}
    pair_schema = inner_schema.get("additionalProperties")
    if not isinstance(pair_schema, Mapping):
        return False
    return is_plain and not json_types_of(pair_schema) & {"object", "array"}


# -- from the line to the entry --------------------------------------------------------------------


def read_line(line_text: str, verbs: Verbs) -> dict[str, Data]:
    """Read the entry that a line stands for.

    Raises:
        LineError: if it stands for none.
    """
    split_entry = split_line(line_text, verbs)
    if split_entry is None:
        raise LineError("tap an action below, or start with its name, as in  tell It rains")
    entry: dict[str, Data] = {}
    for typed_field in split_entry.typed_fields:
        declared_field = split_entry.field(typed_field.key)
        field_type = roleless(declared_field.kind) if declared_field is not None else TEXT
        if holds_entries(declared_field) and typed_field.text.lstrip()[:1] not in ("{", "["):
            entry[typed_field.key] = _read_entries(typed_field.text, verbs)
        else:
            typed_text = typed_field.text.strip()
            if field_type is not TEXT:
                # Whoever goes on typing has the comma there already.
                typed_text = typed_text.rstrip(" ,")
            entry[typed_field.key] = _read_value(
                typed_text, field_type, field_type.schema(), typed_field.key
            )
    return entry


def _read_entries(nested_text: str, verbs: Verbs) -> dict[str, list[dict[str, Data]]]:
    entries_by_teller: dict[str, list[dict[str, Data]]] = {}
    for entry in split_entries(nested_text, verbs):
        if entry.text and not entry.teller:
            raise LineError("say who tells, and then what, as in  outcome Ana: event It rains")
        if entry.text:
            entries_by_teller.setdefault(entry.teller, []).append(read_line(entry.text, verbs))
    if not entries_by_teller:
        raise LineError("say what is told")
    return entries_by_teller


def _read_value(
    typed_text: str, field_type: FieldType[Any] | None, schema: Mapping[str, Any], key_name: str
) -> Data:
    """Read the text typed for a value of a kind, or of a schema inside kinds of a game's own."""
    if field_type is TEXT or not typed_text:
        return typed_text
    json_types = json_types_of(schema)
    if (
        typed_text[0] in "{["
        and {"object", "array"} & json_types
        and len(split_segments(typed_text)) == 1
    ):
        return _read_yaml(typed_text, key_name)
    if typed_text[0] in "'\"" and typed_text[-1] == typed_text[0] and len(typed_text) > 1:
        return _read_yaml(typed_text, key_name)
    items = split_items(field_type, typed_text)
    item_schema = schema.get("items", {})
    if any(item.keys for item in items):
        item_values = [
            _read_pairs(item.text, field_type, schema, key_name)
            if item.keys
            else _read_value(item.text.strip(), None, item_schema, key_name)
            for item in items
            if item.text.strip()
        ]
        return item_values if len(item_values) > 1 else item_values[0]
    if "object" in json_types and match_name(typed_text) is not None:
        return _read_pairs(typed_text, field_type, schema, key_name)
    if "array" in json_types and not holds_sentences(field_type):
        segments = [segment.text.strip() for segment in split_segments(typed_text)]
        if len(segments) > 1:
            return [
                _read_value(segment, None, item_schema, key_name) for segment in segments if segment
            ]
    return typed_text


def _read_pairs(
    typed_text: str, field_type: FieldType[Any] | None, schema: Mapping[str, Any], key: str
) -> dict[str, Data]:
    value_by_key: dict[str, Data] = {}
    for pair in split_pairs(field_type, typed_text):
        if pair.key in value_by_key:
            raise LineError(f"'{pair.key}' stands in '{key}' twice")
        value = pair.value.strip().rstrip(", ")
        unquoted_value = _without_quotes(value)
        inner_schema = schema_under(schema, pair.key)
        value_by_key[pair.key] = (
            _read_value(value, recorded_type_under(field_type, pair.key), inner_schema, pair.key)
            if unquoted_value is None
            else unquoted_value
        )
    return value_by_key


def schema_under(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The schema of the value that a name has in a mapping with a schema; empty if there is none."""
    schema_for_any_name = schema.get("additionalProperties", {})
    inner_schema: Mapping[str, Any] = schema.get("properties", {}).get(
        key, schema_for_any_name if isinstance(schema_for_any_name, dict) else {}
    )
    return inner_schema


def _without_quotes(typed_text: str) -> str | None:
    """The text between quotes; None if it is not quoted as a whole."""
    if len(typed_text) < 2 or typed_text[0] not in "'\"" or typed_text[-1] != typed_text[0]:
        return None
    tree = read_text(typed_text, "").tree
    return str(tree) if isinstance(tree, ScalarNode) and tree.style else None


def _read_yaml(typed_text: str, key: str) -> Data:
    # A bracket that is still open is closed where the line ends.
    parsed = read_text(f"- {close_brackets(typed_text)}", "")
    problem = next((problem for problem in parsed.problems if problem.severity > 2), None)
    if problem is not None or not isinstance(parsed.tree, SequenceNode) or len(parsed.tree) != 1:
        raise LineError(f"'{key}': {problem.message if problem else 'there is no value'}")
    return plain_data(parsed.tree[0])


# -- from the entry to the line --------------------------------------------------------------------


def write_line(entry: Mapping[str, Data], verbs: Verbs, *, is_nested: bool = False) -> str:
    """Write an entry as one line; empty if no line means the same.

    Args:
        entry: The entry as plain data.
        verbs: The verbs of its game.
        is_nested: Whether it is inside another entry. Its ``text`` is then part of the line; that of an
            entry of the log is shown beside the line.
    """
    keys_and_values = [
        key_and_value for key_and_value in entry.items() if is_nested or key_and_value[0] != "text"
    ]
    if not keys_and_values:
        return ""
    (verb_name, value), *other_pairs = keys_and_values
    is_outcome = (
        verb_name in verbs and holds_entries(verbs[verb_name].main) and isinstance(value, Mapping)
    )
    if is_outcome:
        value = {teller: [*map(_trim_text, entries)] for teller, entries in value.items()}
    fields = verbs[verb_name].fields if verb_name in verbs else {}
    main_field = verbs[verb_name].main if verb_name in verbs else None
    value_text = _write_entries(value, verbs) if is_outcome else _write_value(value, main_field)
    key_texts = [f"{verb_name} {value_text}".rstrip()]
    key_texts += [
        f"{key}: {_write_value(option_value, fields.get(key), is_option=True)}".rstrip()
        for key, option_value in other_pairs
    ]
    entry_line = (f" {SLASH} " if is_outcome else ", ").join(key_texts)
    try:
        reads_the_same = "\n" not in entry_line and read_line(entry_line, verbs) == {
            verb_name: value,
            **dict(other_pairs),
        }
    except LineError:
        reads_the_same = False
    return entry_line if reads_the_same else ""


def _trim_text(entry: Data) -> Data:
    """An entry whose story ends with its last word."""
    if not isinstance(entry, Mapping) or "text" not in entry:
        return entry
    return {**entry, "text": str(entry["text"]).strip()}


def _write_entries(entries_by_teller: Mapping[str, Data], verbs: Verbs) -> str:
    separator = f" {SLASH} "
    return separator.join(
        f"{teller}: {separator.join(write_line(entry, verbs, is_nested=True) for entry in entries)}"
        for teller, entries in entries_by_teller.items()
    )


def _write_value(value: Data, declared_field: Field | None, *, is_option: bool = False) -> str:
    """Write a value, with brackets and quotes only where it would not be read back without them."""
    field_type = roleless(declared_field.kind) if declared_field is not None else TEXT
    short_text = _without_brackets(value, is_option=is_option)
    try:
        reads_the_same = _read_value(short_text, field_type, field_type.schema(), "") == value
    except LineError:
        reads_the_same = False
    return short_text if reads_the_same else write_flow(value)


def _without_brackets(value: Data, *, is_option: bool) -> str:
    """Write a value without outer brackets. ``is_option``: another key may follow."""
    if isinstance(value, Mapping):
        text = write_flow(value)
        return text if is_option and len(value) > 1 else text[1:-1]
    if isinstance(value, (list, tuple)):
        is_bare_list = not is_option and len(value) > 1 and not has_mappings(value)
        return ", ".join(map(write_flow, value)) if is_bare_list else write_flow(value)
    if isinstance(value, bool):
        return write_scalar(value, in_flow=True)
    return "" if value is None else str(value)


def fold_entry(action_class: type[Action], entry_data: Mapping[str, Data]) -> str:
    """Write an unfinished entry of a file as the beginning of a line, without its story."""
    key_texts = [f"{action_class.verb} {write_flow(entry_data[action_class.verb])}"]
    key_texts += [
        f"{key}: {write_flow(value)}"
        for key, value in entry_data.items()
        if key not in (action_class.verb, "text", "note") and value not in ("", None)
    ]
    return ", ".join(key_texts)


def fold_entry_at(action_class: type[Action], tree: MappingNode, stop_column: int) -> str:
    """Write an unfinished entry of a file as the beginning of a line that goes on in a column, inside the
    mapping under its last key."""
    entry_data = plain_data(tree)
    (last_key, value) = list(tree.items())[-1]
    entry_above = {key: value_above for key, value_above in entry_data.items() if key != last_key}
    line_text = (
        action_class.verb
        if last_key == action_class.verb
        else f"{fold_entry(action_class, entry_above)}, {last_key}:"
    )
    while isinstance(value, MappingNode) and value:
        *keys_above, last_inner_key = value
        pairs_above = {str(key): plain_data(value[key]) for key in keys_above}
        line_text += f" {{{write_flow(pairs_above)[1:-1]}, " if pairs_above else " {"
        if last_inner_key.column >= stop_column:
            return f"{line_text}{write_flow({str(last_inner_key): plain_data(value[last_inner_key])})[1:-1]}, "
        line_text += f"{last_inner_key}:"
        value = value[last_inner_key]
    return line_text + " {"
