"""What the declared kind of a value says about its form: a text, a list, a mapping, and of what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chronicle.core.declare import BLOCK, Field, PartOf
from chronicle.core.kinds import TEXT, Kind, MapOf, OrUnrecorded, alternatives, bare


def types_in(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema accepts."""
    types = schema.get("type")
    if types is None:
        return {"string"} if "enum" in schema else {"string", "array", "object"}
    return {types} if isinstance(types, str) else set(types)


def recorded(kind: Kind[Any]) -> Kind[Any]:
    """A kind without its role, and without the choice to write ``unrecorded``."""
    inner = bare(kind)
    return bare(inner.kind) if isinstance(inner, OrUnrecorded) else inner


def declared_under(
    kind: Kind[Any] | None, name: str, simplify: Callable[[Kind[Any]], Kind[Any]]
) -> Kind[Any] | None:
    """The kind declared for a name inside a mapping of a kind.

    Args:
        kind: The kind of the mapping.
        name: The name inside it.
        simplify: How to look at the alternatives of the kind: :func:`bare` or :func:`recorded`.
    """
    of_any_name: Kind[Any] | None = None
    for alternative in map(simplify, alternatives(kind) if kind is not None else ()):
        if isinstance(alternative, MapOf):
            of_any_name = of_any_name or alternative.value
        elif isinstance(alternative, PartOf) and name in alternative.part.fields:
            of_any_name = of_any_name or alternative.part.fields[name].kind
    return of_any_name


def recorded_under(kind: Kind[Any] | None, name: str) -> Kind[Any] | None:
    """The :func:`recorded` kind for a name inside a mapping of a kind."""
    declared = declared_under(kind, name, recorded)
    return recorded(declared) if declared is not None else None


def holds_entries(field: Field | None) -> bool:
    """Whether a field holds entries, by who tells them."""
    kind = bare(field.kind) if field is not None else None
    return isinstance(kind, MapOf) and bare(kind.value) is BLOCK


def holds_sentences(kind: Kind[Any] | None) -> bool:
    """Whether a kind lists sentences, in which a comma is a comma."""
    item = getattr(kind, "item", None)
    if item is not None:
        return bare(item) is TEXT
    kinds = getattr(kind, "kinds", ())
    return bool(kinds) and all(each is TEXT or holds_sentences(bare(each)) for each in kinds)


def listed_part(kind: Kind[Any] | None) -> tuple[Mapping[str, Field], tuple[str, ...]]:
    """The fields of the mappings that a kind lists, and the exclusive ones; nothing if it
    lists none."""
    if kind is not None and getattr(bare(kind), "item", None) is not None:
        for alternative in map(bare, alternatives(kind)):
            if isinstance(alternative, PartOf):
                return alternative.part.fields, alternative.part.apart
    return {}, ()


def may_continue(field: Field) -> bool:
    """Whether a value goes on behind a comma: a list, or a sentence."""
    return bare(field.kind) is TEXT or "array" in types_in(bare(field.kind).schema())


def list_kind(kind: Kind[Any] | None) -> Kind[Any] | None:
    """Of several kinds the only one that is a list; the kind itself if there is no such one."""
    kinds = getattr(bare(kind), "kinds", ()) if kind is not None else ()
    lists = [each for each in kinds if "array" in types_in(bare(each).schema())]
    return lists[0] if len(lists) == 1 else kind
