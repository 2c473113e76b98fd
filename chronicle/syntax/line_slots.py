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
    declared_type_under,
    holds_sentences,
    json_types_of,
    only_list_type,
    recorded_type,
)
from chronicle.syntax.one_line import (
    ListItem,
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

    key_path: tuple[str, ...]
    """The names it lies under."""
    typed_text: str
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
    """The unfinished text at the end of a line, and the field type of values that fit there."""

    field_type: FieldType[Any] | None
    schema: Mapping[str, Any]
    role: str | None
    typed_text: str
    start: int
    key_path: tuple[str, ...] = ()

    def skip(self, character_count: int) -> _OpenText:
        """The same text without its first characters."""
        return self._replace(
            typed_text=self.typed_text[character_count:], start=self.start + character_count
        )

    def slot(self, segment: TextSegment) -> Slot:
        """The slot for a value that ends this text."""
        slot_start = self.start + segment.start
        return Slot(
            self.key_path, segment.text, slot_start, self.field_type, self.role, schema=self.schema
        )


def find_slots(field_type: FieldType[Any], typed_text: str, start: int) -> list[Slot]:
    """Find the possible places of the caret in a partly typed value.

    Args:
        field_type: The field type of the value.
        typed_text: The part of it that is typed.
        start: Where this part starts in the line.
    """
    return [
        *_find_slots_in_text(
            _OpenText(field_type, field_type.schema(), role_of(field_type), typed_text, start)
        )
    ]


def _find_slots_in_text(open_text: _OpenText, *, in_braces: bool = False) -> Iterator[Slot]:
    bare_type = roleless(open_text.field_type) if open_text.field_type is not None else None
    if isinstance(bare_type, OrUnrecorded):
        open_text, bare_type = (
            open_text._replace(field_type=bare_type.kind),
            recorded_type(bare_type),
        )
    typed_text, json_types = open_text.typed_text, json_types_of(open_text.schema)
    if bare_type is TEXT:
        yield open_text.slot(TextSegment(0, typed_text))._replace(schema={})
        return
    if {"object", "array"} & json_types and has_open_bracket(typed_text):
        # Inside an open bracket the value goes on as it would without the bracket.
        bracket_index = len(typed_text) - len(typed_text.lstrip())
        in_braces = typed_text[bracket_index] == "{"
        field_type = open_text.field_type if in_braces else only_list_type(open_text.field_type)
        yield from _find_slots_in_text(
            open_text._replace(field_type=field_type).skip(bracket_index + 1), in_braces=in_braces
        )
        return
    may_be_scalar = bool({"string", "integer", "number"} & json_types)
    name_match = match_name(typed_text)
    # A value of two forms, a word or a mapping with fixed keys, begins as the word.
    begins_as_word = (
        not in_braces and not isinstance(bare_type, PartOf) and may_be_scalar and name_match is None
    )
    begins_as_word = begins_as_word and open_text.schema.get("additionalProperties") is False
    items = [] if in_braces else split_items(open_text.field_type, typed_text)
    if any(item.keys for item in items):
        yield from _slots_in_items(open_text, items)
        return
    if "object" in json_types and not begins_as_word:
        yield from _slots_in_pairs(open_text._replace(field_type=bare_type), in_braces=in_braces)
        if in_braces or json_types == {"object"} or name_match is not None:
            return
    if "array" in json_types and not holds_sentences(bare_type):
        yield from _slots_in_list(open_text)
    elif "object" not in json_types or may_be_scalar:
        yield open_text.slot(TextSegment(0, typed_text))


def _slots_in_list(open_text: _OpenText) -> Iterator[Slot]:
    *earlier_segments, last_segment = split_segments(open_text.typed_text)
    list_type = only_list_type(open_text.field_type) if earlier_segments else open_text.field_type
    if has_open_bracket(last_segment.text):
        item_type = getattr(roleless(list_type), "item", None) if list_type is not None else None
        schema = open_text.schema.get("items", open_text.schema)
        yield from _find_slots_in_text(
            open_text._replace(field_type=item_type or list_type, schema=schema).skip(
                last_segment.start
            ),
            in_braces=False,
        )
    else:
        listed_texts = tuple(segment.text.strip() for segment in earlier_segments)
        yield _slot_of_item(
            open_text._replace(field_type=list_type).slot(last_segment), listed_texts
        )


def _slots_in_items(open_text: _OpenText, items: list[ListItem]) -> Iterator[Slot]:
    """The places at the end of a list of items: in the last mapping, or for another item."""
    bare_type = roleless(open_text.field_type) if open_text.field_type is not None else None
    bare_open_text = open_text._replace(field_type=bare_type)
    last_item = items[-1] if items[-1].keys or len(items) == 1 else items[-2]
    segment = split_segments(open_text.typed_text)[-1]
    if last_item.keys:
        # A word behind a mapping may become another key of it.
        yield from _slots_in_pairs(
            bare_open_text.skip(last_item.start), in_braces=False, may_begin_item=True
        )
    else:
        yield from _slots_of_key(bare_open_text, segment, ())
    text_with_letter = f"{open_text.typed_text.rstrip()}x"
    is_ended = not segment.text.strip() and len(
        split_items(open_text.field_type, text_with_letter)
    ) > len(items)
    if not items[-1].keys or is_ended:
        listed_texts = tuple(item.text.strip() for item in items if item.start < segment.start)
        yield _slot_of_item(open_text.slot(segment), listed_texts)


def _slots_in_pairs(
    open_text: _OpenText, *, in_braces: bool, may_begin_item: bool = False
) -> Iterator[Slot]:
    """The places within a mapping: the name before a colon, or the value behind it. Between braces
    (``in_braces``) a comma ends a value. ``may_begin_item``: another item may begin there."""
    pairs = split_pairs(open_text.field_type, open_text.typed_text)
    segment = split_segments(open_text.typed_text)[-1]
    if pairs:
        last_pair = pairs[-1]
        declared_type = declared_type_under(open_text.field_type, last_pair.key, roleless)
        # Inside a kind of a game's own, the declaration says more than the schema.
        schema = schema_under(open_text.schema, last_pair.key)
        if not schema and declared_type is not None:
            schema = roleless(declared_type).schema()
        # A mapping in a mapping goes on without braces.
        holds_part = declared_type is not None and isinstance(recorded_type(declared_type), PartOf)
        holds_part = holds_part and match_name(last_pair.value_before_comma) is not None
        is_in_value = last_pair.start == segment.start
        if is_in_value or (not in_braces and (holds_part or "array" in json_types_of(schema))):
            role = role_of(declared_type) if declared_type else None
            key_path = (*open_text.key_path, last_pair.key)
            yield from _find_slots_in_text(
                _OpenText(
                    declared_type, schema, role, open_text.typed_text, open_text.start, key_path
                ).skip(last_pair.value_start)
            )
        if is_in_value or match_name(segment.text) is not None:
            return
    for slot in _slots_of_key(open_text, segment, tuple(pair.key for pair in pairs)):
        yield slot._replace(may_begin_item=may_begin_item)


def _slots_of_key(
    open_text: _OpenText, segment: TextSegment, listed_keys: tuple[str, ...]
) -> Iterator[Slot]:
    """The places for one more name before a colon, beside these ``listed_keys``."""
    alternative_types = (
        [*map(roleless, alternatives(open_text.field_type))]
        if open_text.field_type is not None
        else []
    )
    slot = open_text.slot(segment)._replace(is_for_name=True, already_listed=listed_keys)
    part_types = [
        alternative_type
        for alternative_type in alternative_types
        if isinstance(alternative_type, PartOf)
    ]
    # A mapping of several possible kinds goes on as the kind with which it began.
    began_as_part = any(
        listed_key in alternative_type.part.fields
        for alternative_type in part_types
        for listed_key in listed_keys
    )
    for alternative_type in alternative_types:
        if (
            listed_keys
            and len(alternative_types) > 1
            and began_as_part != isinstance(alternative_type, PartOf)
        ):
            continue
        if isinstance(alternative_type, MapOf):
            key_role = role_of(alternative_type.key)
            key_role = open_text.role if key_role is None else key_role
            yield slot._replace(kind=alternative_type.key, role=key_role, schema={})
        elif isinstance(alternative_type, PartOf) or len(alternative_types) == 1:
            yield slot._replace(kind=alternative_type)
    if not alternative_types:
        # Inside a kind of a game's own only its schema says what fits.
        yield slot._replace(kind=None, role=None)


def _slot_of_item(slot: Slot, already_listed: tuple[str, ...]) -> Slot:
    """The place of one more item, after those that are ``already_listed``."""
    item_type = getattr(roleless(slot.kind), "item", None) if slot.kind is not None else None
    role = role_of(item_type) if item_type is not None else None
    return slot._replace(
        kind=slot.kind if item_type is None else item_type,
        role=slot.role if role is None else role,
        already_listed=already_listed,
        schema=slot.schema.get("items", slot.schema),
    )
