"""The places at the end of an unfinished line where it can continue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from chronicle.core.declare import PartOf
from chronicle.core.field_types import (
    TEXT,
    FieldType,
    MapOf,
    OrUnrecorded,
    alternatives,
    role_of,
    roleless,
)
from chronicle.syntax.kinds import (
    declared_kind_under,
    holds_sentences,
    json_types_of,
    only_list_kind,
    recorded_kind,
)
from chronicle.syntax.one_line import (
    Item,
    TextSegment,
    has_open_bracket,
    match_name,
    schema_under,
    split_items,
    split_pairs,
    split_segments,
)


class Slot(NamedTuple):
    """A place at the end of a line for one value."""

    path: tuple[str, ...]
    """The names it lies under."""
    typed: str
    """The text that is typed for it so far."""
    start: int
    """Where that text starts in the line."""
    kind: FieldType[Any] | None
    role: str | None
    is_for_name: bool = False
    """Whether it is for the name before a colon."""
    already_listed: tuple[str, ...] = ()
    """The values or names beside it."""
    schema: Mapping[str, Any] = {}
    may_begin_item: bool = False
    """Whether another item can begin there, beside the item of these keys."""


class _OpenText(NamedTuple):
    """The unfinished text at the end of a line, and the kinds of values that fit there."""

    kind: FieldType[Any] | None
    schema: Mapping[str, Any]
    role: str | None
    typed: str
    start: int
    path: tuple[str, ...] = ()

    def skip(self, count: int) -> _OpenText:
        """The same text without its first characters."""
        return self._replace(typed=self.typed[count:], start=self.start + count)

    def slot(self, segment: TextSegment) -> Slot:
        """The slot for a value that ends this text."""
        slot_start = self.start + segment.start
        return Slot(self.path, segment.text, slot_start, self.kind, self.role, schema=self.schema)


def find_slots(kind: FieldType[Any], typed_text: str, start: int) -> list[Slot]:
    """Find the possible places of the caret in a partly typed value.

    Args:
        kind: The kind of the value.
        typed_text: The part of it that is typed.
        start: Where this part starts in the line.
    """
    return [*_slots(_OpenText(kind, kind.schema(), role_of(kind), typed_text, start))]


def _slots(open_text: _OpenText, *, braced: bool = False) -> Iterator[Slot]:
    bare_kind = roleless(open_text.kind) if open_text.kind is not None else None
    if isinstance(bare_kind, OrUnrecorded):
        open_text, bare_kind = open_text._replace(kind=bare_kind.kind), recorded_kind(bare_kind)
    typed, json_types = open_text.typed, json_types_of(open_text.schema)
    if bare_kind is TEXT:
        yield open_text.slot(TextSegment(0, typed))._replace(schema={})
        return
    if {"object", "array"} & json_types and has_open_bracket(typed):
        # Inside an open bracket the value goes on as it would without the bracket.
        bracket_index = len(typed) - len(typed.lstrip())
        braced = typed[bracket_index] == "{"
        kind = open_text.kind if braced else only_list_kind(open_text.kind)
        yield from _slots(open_text._replace(kind=kind).skip(bracket_index + 1), braced=braced)
        return
    may_be_scalar = bool({"string", "integer", "number"} & json_types)
    name_match = match_name(typed)
    # A value of two forms, a word or a mapping with fixed keys, begins as the word.
    begins_as_word = (
        not braced and not isinstance(bare_kind, PartOf) and may_be_scalar and name_match is None
    )
    begins_as_word = begins_as_word and open_text.schema.get("additionalProperties") is False
    items = [] if braced else split_items(open_text.kind, typed)
    if any(item.keys for item in items):
        yield from _slots_in_items(open_text, items)
        return
    if "object" in json_types and not begins_as_word:
        yield from _slots_in_pairs(open_text._replace(kind=bare_kind), braced=braced)
        if braced or json_types == {"object"} or name_match is not None:
            return
    if "array" in json_types and not holds_sentences(bare_kind):
        yield from _slots_in_list(open_text)
    elif "object" not in json_types or may_be_scalar:
        yield open_text.slot(TextSegment(0, typed))


def _slots_in_list(open_text: _OpenText) -> Iterator[Slot]:
    *earlier_segments, last_segment = split_segments(open_text.typed)
    list_type = only_list_kind(open_text.kind) if earlier_segments else open_text.kind
    if has_open_bracket(last_segment.text):
        item_kind = getattr(roleless(list_type), "item", None) if list_type is not None else None
        schema = open_text.schema.get("items", open_text.schema)
        yield from _slots(
            open_text._replace(kind=item_kind or list_type, schema=schema).skip(last_segment.start),
            braced=False,
        )
    else:
        listed_texts = tuple(segment.text.strip() for segment in earlier_segments)
        yield _slot_of_item(open_text._replace(kind=list_type).slot(last_segment), listed_texts)


def _slots_in_items(open_text: _OpenText, items: list[Item]) -> Iterator[Slot]:
    """The places at the end of a list of items: in the last mapping, or for another item."""
    bare_kind = roleless(open_text.kind) if open_text.kind is not None else None
    bare_open_text = open_text._replace(kind=bare_kind)
    last_item = items[-1] if items[-1].keys or len(items) == 1 else items[-2]
    segment = split_segments(open_text.typed)[-1]
    if last_item.keys:
        # A word behind a mapping may become another key of it.
        yield from _slots_in_pairs(
            bare_open_text.skip(last_item.start), braced=False, may_begin_item=True
        )
    else:
        yield from _slots_of_key(bare_open_text, segment, ())
    text_with_letter = f"{open_text.typed.rstrip()}x"
    is_ended = not segment.text.strip() and len(
        split_items(open_text.kind, text_with_letter)
    ) > len(items)
    if not items[-1].keys or is_ended:
        listed_texts = tuple(item.text.strip() for item in items if item.start < segment.start)
        yield _slot_of_item(open_text.slot(segment), listed_texts)


def _slots_in_pairs(
    open_text: _OpenText, *, braced: bool, may_begin_item: bool = False
) -> Iterator[Slot]:
    """The places within a mapping: the name before a colon, or the value behind it. Between braces
    (``braced``) a comma ends a value. ``may_begin_item``: another item may begin there."""
    pairs = split_pairs(open_text.kind, open_text.typed)
    segment = split_segments(open_text.typed)[-1]
    if pairs:
        last_pair = pairs[-1]
        declared_kind = declared_kind_under(open_text.kind, last_pair.key, roleless)
        # Inside a kind of a game's own, the declaration says more than the schema.
        schema = schema_under(open_text.schema, last_pair.key)
        if not schema and declared_kind is not None:
            schema = roleless(declared_kind).schema()
        # A mapping in a mapping goes on without braces.
        holds_part = declared_kind is not None and isinstance(recorded_kind(declared_kind), PartOf)
        holds_part = holds_part and match_name(last_pair.first_segment) is not None
        is_in_value = last_pair.start == segment.start
        if is_in_value or (not braced and (holds_part or "array" in json_types_of(schema))):
            role = role_of(declared_kind) if declared_kind else None
            path = (*open_text.path, last_pair.key)
            yield from _slots(
                _OpenText(declared_kind, schema, role, open_text.typed, open_text.start, path).skip(
                    last_pair.value_start
                )
            )
        if is_in_value or match_name(segment.text) is not None:
            return
    for slot in _slots_of_key(open_text, segment, tuple(pair.key for pair in pairs)):
        yield slot._replace(may_begin_item=may_begin_item)


def _slots_of_key(
    open_text: _OpenText, segment: TextSegment, names: tuple[str, ...]
) -> Iterator[Slot]:
    """The places for one more name before a colon, beside these ``names``."""
    kinds = [*map(roleless, alternatives(open_text.kind))] if open_text.kind is not None else []
    slot = open_text.slot(segment)._replace(is_for_name=True, already_listed=names)
    part_kinds = [kind for kind in kinds if isinstance(kind, PartOf)]
    # A mapping of several possible kinds goes on as the kind with which it began.
    began_as_part = any(name in kind.part.fields for kind in part_kinds for name in names)
    for kind in kinds:
        if names and len(kinds) > 1 and began_as_part != isinstance(kind, PartOf):
            continue
        if isinstance(kind, MapOf):
            key_role = role_of(kind.key)
            key_role = open_text.role if key_role is None else key_role
            yield slot._replace(kind=kind.key, role=key_role, schema={})
        elif isinstance(kind, PartOf) or len(kinds) == 1:
            yield slot._replace(kind=kind)
    if not kinds:
        # Inside a kind of a game's own only its schema says what fits.
        yield slot._replace(kind=None, role=None)


def _slot_of_item(slot: Slot, already_listed: tuple[str, ...]) -> Slot:
    """The place of one more item, after those that are ``already_listed``."""
    item_kind = getattr(roleless(slot.kind), "item", None) if slot.kind is not None else None
    role = role_of(item_kind) if item_kind is not None else None
    return slot._replace(
        kind=slot.kind if item_kind is None else item_kind,
        role=slot.role if role is None else role,
        already_listed=already_listed,
        schema=slot.schema.get("items", slot.schema),
    )
