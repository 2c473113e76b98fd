"""What the declared kind of a value says about its form: a text, a list, a mapping, and of what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chronicle.core.declare import BLOCK, Field, PartOf
from chronicle.core.field_types import TEXT, FieldType, MapOf, OrUnrecorded, alternatives, roleless


def json_types_of(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema accepts."""
    types = schema.get("type")
    if types is None:
        return {"string"} if "enum" in schema else {"string", "array", "object"}
    return {types} if isinstance(types, str) else set(types)


def recorded_kind(kind: FieldType[Any]) -> FieldType[Any]:
    """A kind without its role, and without the choice to write ``unrecorded``."""
    bare_kind = roleless(kind)
    return roleless(bare_kind.kind) if isinstance(bare_kind, OrUnrecorded) else bare_kind


def declared_kind_under(
    kind: FieldType[Any] | None, name: str, simplify: Callable[[FieldType[Any]], FieldType[Any]]
) -> FieldType[Any] | None:
    """The kind declared for a name inside a mapping of a kind.

    Args:
        kind: The kind of the mapping.
        name: The name inside it.
        simplify: How to look at the alternatives of the kind: :func:`roleless` or :func:`recorded_kind`.
    """
    kind_under_name: FieldType[Any] | None = None
    for alternative in map(simplify, alternatives(kind) if kind is not None else ()):
        if isinstance(alternative, MapOf):
            kind_under_name = kind_under_name or alternative.value
        elif isinstance(alternative, PartOf) and name in alternative.part.fields:
            kind_under_name = kind_under_name or alternative.part.fields[name].kind
    return kind_under_name


def recorded_kind_under(kind: FieldType[Any] | None, name: str) -> FieldType[Any] | None:
    """The :func:`recorded_kind` kind for a name inside a mapping of a kind."""
    declared_kind = declared_kind_under(kind, name, recorded_kind)
    return recorded_kind(declared_kind) if declared_kind is not None else None


def holds_entries(field: Field | None) -> bool:
    """Whether a field holds entries, by who tells them."""
    kind = roleless(field.kind) if field is not None else None
    return isinstance(kind, MapOf) and roleless(kind.value) is BLOCK


def holds_sentences(kind: FieldType[Any] | None) -> bool:
    """Whether a kind lists sentences, in which a comma is a comma."""
    item_kind = getattr(kind, "item", None)
    if item_kind is not None:
        return roleless(item_kind) is TEXT
    alternative_kinds = getattr(kind, "kinds", ())
    return bool(alternative_kinds) and all(
        alternative is TEXT or holds_sentences(roleless(alternative))
        for alternative in alternative_kinds
    )


def listed_part_fields(kind: FieldType[Any] | None) -> tuple[Mapping[str, Field], tuple[str, ...]]:
    """The fields of the mappings that a kind lists, and the exclusive ones; nothing if it
    lists none."""
    if kind is not None and getattr(roleless(kind), "item", None) is not None:
        for alternative in map(roleless, alternatives(kind)):
            if isinstance(alternative, PartOf):
                return alternative.part.fields, alternative.part.exclusive_keys
    return {}, ()


def may_go_on_after_comma(field: Field) -> bool:
    """Whether a value goes on behind a comma: a list, or a sentence."""
    return roleless(field.kind) is TEXT or "array" in json_types_of(roleless(field.kind).schema())


def only_list_kind(kind: FieldType[Any] | None) -> FieldType[Any] | None:
    """Of several kinds the only one that is a list; the kind itself if there is no such one."""
    alternative_kinds = getattr(roleless(kind), "kinds", ()) if kind is not None else ()
    list_kinds = [
        alternative
        for alternative in alternative_kinds
        if "array" in json_types_of(roleless(alternative).schema())
    ]
    return list_kinds[0] if len(list_kinds) == 1 else kind
