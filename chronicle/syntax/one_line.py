"""An entry on one line, as people type it at the desk: from the line to the entry and back.

The line is the entry without its dash, and without brackets where the keys of the verb say what they hold::

    draw Patience: tarred twice, to: Joss       draw: {Patience: tarred twice}
                                                to: Joss

An outcome holds other entries, each behind the player who tells it, with a slash between two entries::

    outcome Joss: event She jumps / keep 3 / Marit: fact It is cold

All positions in a line come from this module: :func:`split_line` finds the keys, :func:`split_entries` and
:func:`split_items` the parts of a value, and :func:`find_slots` the places where an unfinished line can continue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action, Field, PartOf
from chronicle.core.errors import Refused
from chronicle.core.kinds import TEXT, Kind, MapOf, OrUnrecorded, alternatives, bare, role_of
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.syntax.kinds import (
    declared_under,
    holds_entries,
    holds_sentences,
    list_kind,
    listed_part,
    may_continue,
    recorded,
    recorded_under,
    types_in,
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
    text: str, start: int = 0, *, half_typed: bool = True
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each character outside quotes: its position, itself, and the brackets that would close those
    open behind it, the innermost last. ``half_typed``: a quotation can still lack its end."""
    closing: list[str] = []
    # A single quote without a second one is an apostrophe: 'tis.
    last = {"'": text.rfind("'"), '"': len(text) if half_typed else text.rfind('"')}
    quote = ""
    for position in range(start, len(text)):
        character = text[position]
        if quote:
            quote = "" if character == quote else quote
            continue
        starts_word = position == start or text[position - 1] in " ,:[{("
        if starts_word and position < last.get(character, 0):
            quote = character
            continue
        if character in "[{":
            closing.append("}" if character == "{" else "]")
        elif closing and character == closing[-1]:
            closing.pop()
        yield position, character, closing


def close_brackets(text: str) -> str:
    """The text with the brackets closed that are open at its end."""
    closing: list[str] = []
    for _, _, brackets in _outside_quotes(text, half_typed=False):
        closing = brackets
    return text + "".join(reversed(closing))


def _has_open_bracket(text: str) -> bool:
    """Whether a text starts with a bracket that is still open at its end."""
    text = text.lstrip()
    return text[:1] in ("{", "[") and all(closing for _, _, closing in _outside_quotes(text))


class Piece(NamedTuple):
    """A stretch of a text between two separators, and where it starts."""

    start: int
    text: str


def split_pieces(text: str, sign: str = ",") -> list[Piece]:
    """Split a text at commas, or at another sign between spaces, outside quotes and brackets."""
    cuts = [-1, *_separators(text, 0, sign), len(text)]
    return [Piece(cut + 1, text[cut + 1 : end]) for cut, end in pairwise(cuts)]


def _separators(text: str, start: int, sign: str) -> Iterator[int]:
    spaced = (f" {sign} ", f" {sign}")
    for position, character, closing in _outside_quotes(text, start):
        separates = sign == "," or text[position - 1 : position + 2] in spaced
        if character == sign and not closing and separates:
            yield position


def match_pair(text: str) -> re.Match[str] | None:
    """Match the name and the colon that a pair begins with, as in ``Patience: tarred twice``."""
    return re.match(
        r"\s*(\"[^\"]*\"|'[^']*'|[^:,\[\]{}\s]+(?:\s++[^:,\[\]{}\s]+)*)\s*:(?=\s|$)\s*", text
    )


def _name_of(pair: re.Match[str]) -> str:
    return pair[1].strip("\"'")


# -- the keys of a line ----------------------------------------------------------------------------


class KeyText(NamedTuple):
    """A key of a line with the text typed behind it, and where that text starts."""

    key: str
    text: str
    start: int


class Line(NamedTuple):
    """A line split into the verb and its keys; the first part is the value of the verb itself."""

    verb: type[Action]
    parts: tuple[KeyText, ...]

    def field(self, key: str) -> Field | None:
        """How a key of the line is declared; None for a verb without a value of its own."""
        return self.verb.main if key == self.verb.verb else self.verb.fields.get(key)


def find_verb(text: str, verbs: Verbs) -> str:
    """The verb that a line starts with, the longest there is; empty if none."""
    words = text.casefold().lstrip("- ")
    longest = ""
    for name in verbs:
        goes_on = words[len(name) : len(name) + 1].isalnum()
        if len(name) > len(longest) and words.startswith(name) and not goes_on:
            longest = name
    return longest


def split_line(text: str, verbs: Verbs) -> Line | None:
    """Split a line into verb and keys; None if it starts with no verb."""
    name = find_verb(text, verbs)
    if not name:
        return None
    verb = verbs[name]
    position = len(text) - len(text.lstrip("- ")) + len(name)
    # In a file a colon follows the verb; on the line it may.
    colon = re.compile(r"\s*:?\s*").match(text, position)
    position = colon.end() if colon else position
    starts = [(name, position, position)]
    for cut in _separators(text, position, SLASH if holds_entries(verb.main) else ","):
        key = re.compile(r"\s*([^\W\d]\w*(?: ++\w+)*)\s*:(?=\s|$)\s*").match(text, cut + 1)
        if key is not None and key[1] in verb.fields:
            starts.append((key[1], cut, key.end()))
    ends = [cut for _, cut, _ in starts[1:]] + [len(text)]
    parts = [
        KeyText(key_name, text[start:end], start)
        for (key_name, _, start), end in zip(starts, ends, strict=True)
    ]
    return Line(verb, tuple(parts))


# -- the values of a line --------------------------------------------------------------------------


class NestedEntry(NamedTuple):
    """An entry inside another entry: who tells it, its line, and where the line starts."""

    teller: str
    text: str
    start: int


def split_entries(text: str, verbs: Verbs) -> list[NestedEntry]:
    """Split the unfinished value of an outcome into its entries."""
    entries: list[NestedEntry] = []
    teller = ""
    for start, piece in split_pieces(text, SLASH):
        pair = None if find_verb(piece, verbs) else match_pair(piece)
        if pair is not None:
            teller, piece, start = _name_of(pair), piece[pair.end() :], start + pair.end()
        lead = len(piece) - len(piece.lstrip())
        entries.append(NestedEntry(teller, piece.strip(), start + lead))
    return entries


class Item(NamedTuple):
    """An item of a list: a name, or a mapping with these keys; and where it starts."""

    start: int
    text: str
    keys: tuple[str, ...] = ()


def split_items(kind: Kind[Any] | None, text: str) -> list[Item]:
    """Split a list of names and mappings without braces into its items.

    ``Tom, character: ferryman, traits: old, deaf, prop: boat`` are three. A mapping ends where a name
    follows that its last key cannot take, a key that it has already, or a second key that says what it
    is. Nothing if the kind lists no mappings.
    """
    fields, exclusive = listed_part(kind)
    items: list[Item] = []
    for start, piece in split_pieces(text) if fields else ():
        pair = match_pair(piece)
        key = _name_of(pair) if pair is not None else ""
        last = items[-1] if items else Item(0, "")
        if not last.keys:
            continues = False
        elif key in fields:
            repeated = key in last.keys
            second = key in exclusive and any(name in exclusive for name in last.keys)
            continues = not (repeated or second)
        else:
            continues = bool(pair or not piece.strip() or may_continue(fields[last.keys[-1]]))
        if continues:
            keys = (*last.keys, key) if key in fields else last.keys
            items[-1] = Item(last.start, text[last.start : start + len(piece)], keys)
        else:
            items.append(Item(start, piece, (key,) if key in fields else ()))
    return items


class _Pair(NamedTuple):
    """A name with its value. ``start`` is where the name starts, ``begin`` where the value does."""

    name: str
    start: int
    begin: int
    value: str
    first: str
    """The value up to its first comma."""


def _split_pairs(kind: Kind[Any] | None, text: str) -> list[_Pair]:
    """Split ``Iben: o+-, Tomas: o-`` into pairs. A piece without a name belongs to the pair before it, and
    so does a key of the mapping that this pair has begun: ``use: Mina`` in ``Ruiz: gamble: 2, use: Mina``."""
    pairs: list[_Pair] = []
    for start, piece in split_pieces(text):
        pair = match_pair(piece)
        end = start + len(piece)
        if pairs and (pair is None or _belongs_to(kind, pairs[-1], pair)):
            pairs[-1] = pairs[-1]._replace(value=text[pairs[-1].begin : end])
        elif pair is not None:
            value = piece[pair.end() :]
            pairs.append(_Pair(_name_of(pair), start, start + pair.end(), value, value))
    return pairs


def _belongs_to(kind: Kind[Any] | None, owner: _Pair, pair: re.Match[str]) -> bool:
    inner = recorded_under(kind, owner.name)
    fields = inner.part.fields if isinstance(inner, PartOf) else {}
    first = match_pair(owner.first)
    return first is not None and {first[1], pair[1]} <= {*fields}


# -- from the line to the entry --------------------------------------------------------------------


def read_line(text: str, verbs: Verbs) -> dict[str, Data]:
    """Read the entry that a line stands for.

    Raises:
        LineError: if it stands for none.
    """
    line = split_line(text, verbs)
    if line is None:
        raise LineError(
            "a line starts with what is done, in one of the words above, as in  tell It rains"
        )
    entry: dict[str, Data] = {}
    for part in line.parts:
        field = line.field(part.key)
        kind = bare(field.kind) if field is not None else TEXT
        if holds_entries(field) and part.text.lstrip()[:1] not in ("{", "["):
            entry[part.key] = _read_entries(part.text, verbs)
        else:
            entry[part.key] = _read_value(part.text.strip(), kind, kind.schema(), part.key)
    return entry


def _read_entries(text: str, verbs: Verbs) -> dict[str, list[dict[str, Data]]]:
    by_teller: dict[str, list[dict[str, Data]]] = {}
    for entry in split_entries(text, verbs):
        if entry.text and not entry.teller:
            raise LineError("say who tells, and then what, as in  outcome Ana: event It rains")
        if entry.text:
            by_teller.setdefault(entry.teller, []).append(read_line(entry.text, verbs))
    if not by_teller:
        raise LineError("say what is told")
    return by_teller


def _read_value(text: str, kind: Kind[Any] | None, schema: Mapping[str, Any], key: str) -> Data:
    """Read the text typed for a value of a kind, or of a schema inside kinds of a game's own."""
    if kind is TEXT or not text:
        return text
    types = types_in(schema)
    if text[0] in "{[" and {"object", "array"} & types and len(split_pieces(text)) == 1:
        return _read_yaml(text, key)
    if text[0] in "'\"" and text[-1] == text[0] and len(text) > 1:
        return _read_yaml(text, key)
    items = split_items(kind, text)
    item_schema = schema.get("items", {})
    if any(item.keys for item in items):
        values = [
            _read_pairs(item.text, kind, schema, key)
            if item.keys
            else _read_value(item.text.strip(), None, item_schema, key)
            for item in items
            if item.text.strip()
        ]
        return values if len(values) > 1 else values[0]
    if "object" in types and match_pair(text) is not None:
        return _read_pairs(text, kind, schema, key)
    if "array" in types and not holds_sentences(kind):
        pieces = [piece.text.strip() for piece in split_pieces(text)]
        if len(pieces) > 1:
            return [_read_value(piece, None, item_schema, key) for piece in pieces if piece]
    return text


def _read_pairs(
    text: str, kind: Kind[Any] | None, schema: Mapping[str, Any], key: str
) -> dict[str, Data]:
    values: dict[str, Data] = {}
    for pair in _split_pairs(kind, text):
        if pair.name in values:
            raise LineError(f"'{pair.name}' stands in '{key}' twice")
        value = pair.value.strip().rstrip(", ")
        unquoted = _without_quotes(value)
        inner = _schema_under(schema, pair.name)
        values[pair.name] = (
            _read_value(value, recorded_under(kind, pair.name), inner, pair.name)
            if unquoted is None
            else unquoted
        )
    return values


def _schema_under(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    other_names = schema.get("additionalProperties", {})
    inner: Mapping[str, Any] = schema.get("properties", {}).get(
        name, other_names if isinstance(other_names, dict) else {}
    )
    return inner


def _without_quotes(text: str) -> str | None:
    """The text between quotes; None if it is not quoted as a whole."""
    if len(text) < 2 or text[0] not in "'\"" or text[-1] != text[0]:
        return None
    tree = read_text(text, "").tree
    return str(tree) if isinstance(tree, ScalarNode) and tree.style else None


def _read_yaml(text: str, key: str) -> Data:
    # A bracket that is still open is closed where the line ends.
    parsed = read_text(f"- {close_brackets(text)}", "")
    problem = next((problem for problem in parsed.problems if problem.severity > 2), None)
    if problem is not None or not isinstance(parsed.tree, SequenceNode) or len(parsed.tree) != 1:
        raise LineError(f"'{key}': {problem.message if problem else 'there is no value'}")
    return plain_data(parsed.tree[0])


# -- from the entry to the line --------------------------------------------------------------------


def write_line(entry: Mapping[str, Data], verbs: Verbs, *, nested: bool = False) -> str:
    """Write an entry as one line; empty if no line means the same.

    Args:
        entry: The entry as plain data.
        verbs: The verbs of its game.
        nested: Whether it is inside another entry. Its ``text`` is then part of the line; that of an
            entry of the log is shown beside the line.
    """
    pairs = [pair for pair in entry.items() if nested or pair[0] != "text"]
    if not pairs:
        return ""
    (verb, value), *options = pairs
    tells = verb in verbs and holds_entries(verbs[verb].main) and isinstance(value, Mapping)
    if tells:
        value = {teller: [*map(_trim_text, entries)] for teller, entries in value.items()}
    fields = verbs[verb].fields if verb in verbs else {}
    main = verbs[verb].main if verb in verbs else None
    first = _write_entries(value, verbs) if tells else _write_value(value, main)
    parts = [f"{verb} {first}".rstrip()]
    parts += [
        f"{key}: {_write_value(item, fields.get(key), inside=True)}".rstrip()
        for key, item in options
    ]
    line = (f" {SLASH} " if tells else ", ").join(parts)
    try:
        is_same = "\n" not in line and read_line(line, verbs) == {verb: value, **dict(options)}
    except LineError:
        is_same = False
    return line if is_same else ""


def _trim_text(entry: Data) -> Data:
    """An entry whose story ends with its last word."""
    if not isinstance(entry, Mapping) or "text" not in entry:
        return entry
    return {**entry, "text": str(entry["text"]).strip()}


def _write_entries(value: Mapping[str, Data], verbs: Verbs) -> str:
    slash = f" {SLASH} "
    return slash.join(
        f"{teller}: {slash.join(write_line(entry, verbs, nested=True) for entry in entries)}"
        for teller, entries in value.items()
    )


def _write_value(value: Data, field: Field | None, *, inside: bool = False) -> str:
    """Write a value, with brackets and quotes only where it would not be read back without them."""
    kind = bare(field.kind) if field is not None else TEXT
    short = _without_brackets(value, inside=inside)
    try:
        is_same = _read_value(short, kind, kind.schema(), "") == value
    except LineError:
        is_same = False
    return short if is_same else write_flow(value)


def _without_brackets(value: Data, *, inside: bool) -> str:
    """Write a value without outer brackets. ``inside``: another key may follow."""
    if isinstance(value, Mapping):
        text = write_flow(value)
        return text if inside and len(value) > 1 else text[1:-1]
    if isinstance(value, (list, tuple)):
        open_list = not inside and len(value) > 1 and not has_mappings(value)
        return ", ".join(map(write_flow, value)) if open_list else write_flow(value)
    if isinstance(value, bool):
        return write_scalar(value, flow=True)
    return "" if value is None else str(value)


def fold_entry(verb: type[Action], data: Mapping[str, Data]) -> str:
    """Write an unfinished entry of a file as the beginning of a line, without its story."""
    parts = [f"{verb.verb} {write_flow(data[verb.verb])}"]
    parts += [
        f"{key}: {write_flow(value)}"
        for key, value in data.items()
        if key not in (verb.verb, "text", "note") and value not in ("", None)
    ]
    return ", ".join(parts)


def fold_entry_at(verb: type[Action], tree: MappingNode, column: int) -> str:
    """Write an unfinished entry of a file as the beginning of a line that goes on in a column, inside the
    mapping under its last key."""
    data = plain_data(tree)
    (last_key, value) = list(tree.items())[-1]
    written = {key: item for key, item in data.items() if key != last_key}
    line = verb.verb if last_key == verb.verb else f"{fold_entry(verb, written)}, {last_key}:"
    while isinstance(value, MappingNode) and value:
        *keys, last = value
        pairs = {str(key): plain_data(value[key]) for key in keys}
        line += f" {{{write_flow(pairs)[1:-1]}, " if pairs else " {"
        if last.column >= column:
            return f"{line}{write_flow({str(last): plain_data(value[last])})[1:-1]}, "
        line += f"{last}:"
        value = value[last]
    return line + " {"


# -- where an unfinished line may go on ------------------------------------------------------------


class Slot(NamedTuple):
    """A place at the end of a line for one value."""

    path: tuple[str, ...]
    """The names it lies under."""
    typed: str
    """The text that is typed for it so far."""
    start: int
    """Where that text starts in the line."""
    kind: Kind[Any] | None
    role: str | None
    naming: bool = False
    """Whether it is for the name before a colon."""
    listed: tuple[str, ...] = ()
    """The values or names beside it."""
    schema: Mapping[str, Any] = {}
    several: bool = False
    """Whether another item can begin there, beside the item of these keys."""


class _Place(NamedTuple):
    """A stretch at the end of a line, and the values that fit there."""

    kind: Kind[Any] | None
    schema: Mapping[str, Any]
    role: str | None
    typed: str
    start: int
    path: tuple[str, ...] = ()

    def skip(self, count: int) -> _Place:
        """The is_same place without its first characters."""
        return self._replace(typed=self.typed[count:], start=self.start + count)

    def slot(self, piece: Piece) -> Slot:
        """The slot for a value that ends this place."""
        start = self.start + piece.start
        return Slot(self.path, piece.text, start, self.kind, self.role, schema=self.schema)


def find_slots(kind: Kind[Any], typed: str, start: int) -> list[Slot]:
    """Find the possible places of the caret in a partly typed value.

    Args:
        kind: The kind of the value.
        typed: The part of it that is typed.
        start: Where this part starts in the line.
    """
    return [*_slots(_Place(kind, kind.schema(), role_of(kind), typed, start))]


def _slots(place: _Place, *, braced: bool = False) -> Iterator[Slot]:
    inner = bare(place.kind) if place.kind is not None else None
    if isinstance(inner, OrUnrecorded):
        place, inner = place._replace(kind=inner.kind), recorded(inner)
    typed, types = place.typed, types_in(place.schema)
    if inner is TEXT:
        yield place.slot(Piece(0, typed))._replace(schema={})
        return
    if {"object", "array"} & types and _has_open_bracket(typed):
        # Inside an open bracket the value goes on as it would without the bracket.
        bracket = len(typed) - len(typed.lstrip())
        braced = typed[bracket] == "{"
        kind = place.kind if braced else list_kind(place.kind)
        yield from _slots(place._replace(kind=kind).skip(bracket + 1), braced=braced)
        return
    scalar = bool({"string", "integer", "number"} & types)
    pair = match_pair(typed)
    # A value of two forms, a word or a mapping with fixed keys, begins as the word.
    word_first = not braced and not isinstance(inner, PartOf) and scalar and pair is None
    word_first = word_first and place.schema.get("additionalProperties") is False
    items = [] if braced else split_items(place.kind, typed)
    if any(item.keys for item in items):
        yield from _slots_in_items(place, items)
        return
    if "object" in types and not word_first:
        yield from _slots_in_pairs(place._replace(kind=inner), braced=braced)
        if braced or types == {"object"} or pair is not None:
            return
    if "array" in types and not holds_sentences(inner):
        yield from _slots_in_list(place)
    elif "object" not in types or scalar:
        yield place.slot(Piece(0, typed))


def _slots_in_list(place: _Place) -> Iterator[Slot]:
    *earlier, last = split_pieces(place.typed)
    kind = list_kind(place.kind) if earlier else place.kind
    if _has_open_bracket(last.text):
        item = getattr(bare(kind), "item", None) if kind is not None else None
        schema = place.schema.get("items", place.schema)
        yield from _slots(
            place._replace(kind=item or kind, schema=schema).skip(last.start), braced=False
        )
    else:
        listed = tuple(piece.text.strip() for piece in earlier)
        yield _slot_of_item(place._replace(kind=kind).slot(last), listed)


def _slots_in_items(place: _Place, items: list[Item]) -> Iterator[Slot]:
    """The places at the end of a list of items: in the last mapping, or for another item."""
    inner = place._replace(kind=bare(place.kind) if place.kind is not None else None)
    last = items[-1] if items[-1].keys or len(items) == 1 else items[-2]
    piece = split_pieces(place.typed)[-1]
    if last.keys:
        # A word behind a mapping may become another key of it.
        yield from _slots_in_pairs(inner.skip(last.start), braced=False, several=True)
    else:
        yield from _slots_of_key(inner, piece, ())
    longer = f"{place.typed.rstrip()}x"
    ended = not piece.text.strip() and len(split_items(place.kind, longer)) > len(items)
    if not items[-1].keys or ended:
        listed = tuple(item.text.strip() for item in items if item.start < piece.start)
        yield _slot_of_item(place.slot(piece), listed)


def _slots_in_pairs(place: _Place, *, braced: bool, several: bool = False) -> Iterator[Slot]:
    """The places within a mapping: the name before a colon, or the value behind it. Between braces
    (``braced``) a comma ends a value. ``several``: another item may begin there."""
    pairs = _split_pairs(place.kind, place.typed)
    piece = split_pieces(place.typed)[-1]
    if pairs:
        pair = pairs[-1]
        declared = declared_under(place.kind, pair.name, bare)
        # Inside a kind of a game's own, the declaration says more than the schema.
        schema = _schema_under(place.schema, pair.name)
        schema = schema or (bare(declared).schema() if declared is not None else schema)
        # A mapping in a mapping goes on without braces.
        nested = declared is not None and isinstance(recorded(declared), PartOf)
        nested = nested and match_pair(pair.first) is not None
        in_value = pair.start == piece.start
        if in_value or (not braced and (nested or "array" in types_in(schema))):
            role = role_of(declared) if declared else None
            path = (*place.path, pair.name)
            yield from _slots(
                _Place(declared, schema, role, place.typed, place.start, path).skip(pair.begin)
            )
        if in_value or match_pair(piece.text) is not None:
            return
    for slot in _slots_of_key(place, piece, tuple(pair.name for pair in pairs)):
        yield slot._replace(several=several)


def _slots_of_key(place: _Place, piece: Piece, names: tuple[str, ...]) -> Iterator[Slot]:
    """The places for one more name before a colon, beside these ``names``."""
    kinds = [*map(bare, alternatives(place.kind))] if place.kind is not None else []
    slot = place.slot(piece)._replace(naming=True, listed=names)
    parts = [kind for kind in kinds if isinstance(kind, PartOf)]
    # A mapping of several possible kinds goes on as the kind with which it began.
    begun = any(name in kind.part.fields for kind in parts for name in names)
    for kind in kinds:
        if names and len(kinds) > 1 and begun != isinstance(kind, PartOf):
            continue
        if isinstance(kind, MapOf):
            role = role_of(kind.key)
            role = place.role if role is None else role
            yield slot._replace(kind=kind.key, role=role, schema={})
        elif isinstance(kind, PartOf) or len(kinds) == 1:
            yield slot._replace(kind=kind)
    if not kinds:
        # Inside a kind of a game's own only its schema says what fits.
        yield slot._replace(kind=None, role=None)


def _slot_of_item(slot: Slot, listed: tuple[str, ...]) -> Slot:
    """The place of one more item, behind those that are ``listed``."""
    item = getattr(bare(slot.kind), "item", None) if slot.kind is not None else None
    role = role_of(item) if item is not None else None
    return slot._replace(
        kind=slot.kind if item is None else item,
        role=slot.role if role is None else role,
        listed=listed,
        schema=slot.schema.get("items", slot.schema),
    )
