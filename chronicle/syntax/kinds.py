"""What the declared type of a field says about the form of its value: a text, a list, a mapping, and of what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chronicle.core.declare import BLOCK, Field, PartOf
from chronicle.core.field_types import TEXT, FieldType, MapOf, OrUnrecorded, alternatives, roleless


def json_types_of(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema accepts."""
    json_types = schema.get("type")
    if json_types is None:
        return {"string"} if "enum" in schema else {"string", "array", "object"}
    return {json_types} if isinstance(json_types, str) else set(json_types)


def recorded_type(field_type: FieldType[Any]) -> FieldType[Any]:
    """A field type without its role, and without the choice to write ``unrecorded``."""
    roleless_type = roleless(field_type)
    return (
        roleless(roleless_type.kind) if isinstance(roleless_type, OrUnrecorded) else roleless_type
    )


def declared_type_under(
    mapping_type: FieldType[Any] | None,
    key: str,
    unwrap_type: Callable[[FieldType[Any]], FieldType[Any]],
) -> FieldType[Any] | None:
    """The field type declared for a key inside a mapping of a field type.

    Args:
        mapping_type: The field type of the mapping.
        key: The key inside it.
        unwrap_type: How to look at the alternatives of that type: :func:`roleless` or :func:`recorded_type`.
    """
    type_under_key: FieldType[Any] | None = None
    for alternative_type in map(
        unwrap_type, alternatives(mapping_type) if mapping_type is not None else ()
    ):
        if isinstance(alternative_type, MapOf):
            type_under_key = type_under_key or alternative_type.value
        elif isinstance(alternative_type, PartOf) and key in alternative_type.part.fields:
            type_under_key = type_under_key or alternative_type.part.fields[key].kind
    return type_under_key


def recorded_type_under(mapping_type: FieldType[Any] | None, key: str) -> FieldType[Any] | None:
    """The :func:`recorded_type` for a key inside a mapping of a field type."""
    declared_type = declared_type_under(mapping_type, key, recorded_type)
    return recorded_type(declared_type) if declared_type is not None else None


def holds_entries(field: Field | None) -> bool:
    """Whether a field holds entries, by who tells them."""
    field_type = roleless(field.kind) if field is not None else None
    return isinstance(field_type, MapOf) and roleless(field_type.value) is BLOCK


def holds_sentences(field_type: FieldType[Any] | None) -> bool:
    """Whether a field type lists sentences, in which a comma is a comma."""
    item_type = getattr(field_type, "item", None)
    if item_type is not None:
        return roleless(item_type) is TEXT
    alternative_types = getattr(field_type, "kinds", ())
    return bool(alternative_types) and all(
        alternative_type is TEXT or holds_sentences(roleless(alternative_type))
        for alternative_type in alternative_types
    )


def listed_part_fields(
    list_type: FieldType[Any] | None,
) -> tuple[Mapping[str, Field], tuple[str, ...]]:
    """The fields of the mappings that a field type lists, and the exclusive ones; nothing if it
    lists none."""
    if list_type is not None and getattr(roleless(list_type), "item", None) is not None:
        for alternative_type in map(roleless, alternatives(list_type)):
            if isinstance(alternative_type, PartOf):
                return alternative_type.part.fields, alternative_type.part.exclusive_keys
    return {}, ()


def may_go_on_after_comma(field: Field) -> bool:
    """Whether a value goes on behind a comma: a list, or a sentence."""
    return roleless(field.kind) is TEXT or "array" in json_types_of(roleless(field.kind).schema())


def only_list_type(field_type: FieldType[Any] | None) -> FieldType[Any] | None:
    """The only alternative of a field type that is a list; the field type itself if there is no such one."""
    alternative_types = getattr(roleless(field_type), "kinds", ()) if field_type is not None else ()
    list_types = [
        alternative_type
        for alternative_type in alternative_types
        if "array" in json_types_of(roleless(alternative_type).schema())
    ]
    return list_types[0] if len(list_types) == 1 else field_type
