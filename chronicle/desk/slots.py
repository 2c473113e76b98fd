"""Where in a half-typed line somebody is: in which key, in whose part of it, and what may stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from chronicle.core.declare import (
    TEXT,
    Kind,
    MapOf,
    OrUnrecorded,
    PartOf,
    alternatives,
    bare,
    role_of,
)
from chronicle.desk.typed import (
    Thing,
    declared_under,
    goes_on,
    of_sentences,
    pair_in,
    recorded,
    split,
    things_in,
    types_in,
)


class Slot(NamedTuple):
    """A place for one value. ``path`` are the names it lies under, ``typed`` what is there of it so far,
    from ``start`` on in the line. ``naming``: it is the name before a colon. ``listed`` are the values
    beside it."""

    path: tuple[str, ...]
    typed: str
    start: int
    kind: Kind[Any] | None
    role: str | None
    naming: bool = False
    listed: tuple[str, ...] = ()
    schema: Mapping[str, Any] = {}
    several: bool = False
    """Another thing may begin there, beside the one that these keys are of."""


def slots(kind: Kind[Any], typed: str, start: int) -> list[Slot]:
    """The places that somebody may mean who has typed so much of a value."""
    return [*_slots(kind, kind.schema(), role_of(kind), typed, start, ())]


def _slots(
    kind: Kind[Any] | None,
    schema: Mapping[str, Any],
    role: str | None,
    typed: str,
    start: int,
    path: tuple[str, ...],
    *,
    braced: bool = False,
) -> Iterator[Slot]:
    inner = bare(kind) if kind is not None else None
    if isinstance(inner, OrUnrecorded):
        kind, inner = inner.kind, recorded(inner)
    if inner is TEXT:
        yield Slot(path, typed, start, kind, role)
        return
    types = types_in(schema)
    lead = len(typed) - len(typed.lstrip())
    if typed[lead : lead + 1] in ("{", "[") and {"object", "array"} & types and _open(typed):
        # Inside a bracket that is open, what is typed is the same without it.
        at = lead + 1
        braced = typed[lead] == "{"
        kind = kind if braced else _that_lists(kind)
        yield from _slots(kind, schema, role, typed[at:], start + at, path, braced=braced)
        return
    # What is a word by itself, and a closed mapping with more said of it, begins as that word.
    worded = (
        not braced
        and not isinstance(inner, PartOf)
        and _scalar_too(inner, types)
        and schema.get("additionalProperties") is False
        and pair_in(typed) is None
    )
    things = [] if braced else things_in(kind, typed)
    if any(one.keys for one in things):
        yield from _of_things(kind, schema, role, typed, start, path, things)
        return
    if "object" in types and not worded:
        yield from _named(inner, schema, role, typed, start, path, braced=braced)
        if braced or types == {"object"} or pair_in(typed) is not None:
            return
    if "array" in types and not of_sentences(inner):
        *before, (at, token) = split(typed)
        kind = _that_lists(kind) if before else kind
        inner = bare(kind) if kind is not None else None
        item = getattr(inner, "item", None)
        if token.lstrip()[:1] in ("{", "[") and _open(token):
            of = item if item is not None else kind
            yield from _slots(of, schema.get("items", schema), role, token, start + at, path)
            return
        slot = Slot(path, token, start + at, kind, role, schema=schema)
        yield _one_of(slot, tuple(part.strip() for _, part in before))
        return
    if "object" not in types or _scalar_too(inner, types):
        yield Slot(path, typed, start, kind, role, schema=schema)


def _of_things(
    kind: Kind[Any] | None,
    schema: Mapping[str, Any],
    role: str | None,
    typed: str,
    start: int,
    path: tuple[str, ...],
    things: list[Thing],
) -> Iterator[Slot]:
    """The places at the end of a list of things: in the last mapping, or for another thing."""
    inner = bare(kind) if kind is not None else None
    last = len(things) - 1 - (not things[-1].keys and len(things) > 1)
    at, token = split(typed)[-1]
    if things[last].keys:
        # A word behind a mapping may be another key of that.
        begin = things[last].start
        yield from _named(
            inner, schema, role, typed[begin:], start + begin, path, braced=False, several=True
        )
    else:
        yield from _keys(inner, schema, role, token, start + at, path, ())
    alone = not things[-1].keys or (
        not token.strip() and len(things_in(kind, f"{typed.rstrip()}x")) > len(things)
    )
    if alone:
        slot = Slot(path, token, start + at, kind, role, schema=schema)
        yield _one_of(slot, tuple(one.text.strip() for one in things if one.start < at))


def _one_of(slot: Slot, listed: tuple[str, ...]) -> Slot:
    """The place of one more of what a place lists, behind those that are ``listed``."""
    item = getattr(bare(slot.kind), "item", None) if slot.kind is not None else None
    own = role_of(item) if item is not None else None
    return slot._replace(
        kind=slot.kind if item is None else item,
        role=slot.role if own is None else own,
        listed=listed,
        schema=slot.schema.get("items", slot.schema),
    )


def _that_lists(kind: Kind[Any] | None) -> Kind[Any] | None:
    """Of several kinds the one that a list is of, where just one of them is."""
    several = getattr(bare(kind), "kinds", ()) if kind is not None else ()
    lists = [one for one in several if "array" in types_in(bare(one).schema())]
    return lists[0] if len(lists) == 1 else kind


def _open(typed: str) -> bool:
    """Whether the bracket that a text begins with is still open at its end."""
    depth = 0
    for sign in typed:
        depth += (sign in "[{") - (sign in "]}")
        if not depth and sign in "]}":
            return False
    return depth > 0


def _scalar_too(kind: Kind[Any] | None, types: set[str]) -> bool:
    return bool({"string", "integer", "number"} & types)


def _named(
    kind: Kind[Any] | None,
    schema: Mapping[str, Any],
    role: str | None,
    typed: str,
    start: int,
    path: tuple[str, ...],
    *,
    braced: bool,
    several: bool = False,
) -> Iterator[Slot]:
    """The places within a mapping: the name before a colon, or what stands behind it. Between braces
    (``braced``) a comma ends that. ``several``: another thing may begin there."""
    parts = split(typed)
    at, token = parts[-1]
    owners: list[tuple[int, str, re.Match[str]]] = []
    within = False
    for spot, part in parts:
        pair = pair_in(part)
        if pair is None:
            continue
        _, before, first = owners[-1] if owners else (0, "", None)
        begun = before[first.end() :] if first is not None else ""
        within = first is not None and goes_on(kind, first[1].strip("\"'"), begun, pair)
        if not within:
            owners.append((spot, part, pair))
    names = tuple(pair[1].strip("\"'") for _, _, pair in owners)
    if owners:
        spot, part, pair = owners[-1]
        name = names[-1]
        begin = spot + pair.end()
        value, inner_schema = _value_kind(kind, schema, name)
        # A mapping in a mapping goes on without braces.
        nested = (
            value is not None
            and isinstance(recorded(value), PartOf)
            and pair_in(part[pair.end() :]) is not None
        )
        if spot == at or (not braced and (nested or "array" in types_in(inner_schema))):
            yield from _slots(
                value,
                inner_schema,
                role_of(value) if value else None,
                typed[begin:],
                start + begin,
                (*path, name),
            )
        if spot == at or (within and pair_in(token) is not None):
            return
    for one in _keys(kind, schema, role, token, start + at, path, names):
        yield one._replace(several=several)


def _value_kind(
    kind: Kind[Any] | None, schema: Mapping[str, Any], name: str
) -> tuple[Kind[Any] | None, Mapping[str, Any]]:
    named = schema.get("properties", {})
    rest = schema.get("additionalProperties", {})
    inner = named.get(name, rest if isinstance(rest, dict) else {})
    declared = declared_under(kind, name, bare)
    # Of a kind of a game's own, what is declared within says more than its schema.
    return declared, inner or (bare(declared).schema() if declared is not None else inner)


def _keys(
    kind: Kind[Any] | None,
    schema: Mapping[str, Any],
    role: str | None,
    token: str,
    at: int,
    path: tuple[str, ...],
    names: tuple[str, ...],
) -> Iterator[Slot]:
    kinds = [bare(one) for one in alternatives(kind)] if kind is not None else []
    parts = [one for one in kinds if isinstance(one, PartOf)]
    # What has begun as one of them goes on as that one.
    begun = {name for one in parts for name in one.part.fields if name in names}
    for one in kinds:
        if names and len(kinds) > 1 and bool(begun) != isinstance(one, PartOf):
            continue
        if isinstance(one, MapOf):
            own = role_of(one.key)
            yield Slot(path, token, at, one.key, role if own is None else own, True, names)
        elif isinstance(one, PartOf) or len(kinds) == 1:
            yield Slot(path, token, at, one, role, True, names, schema)
    if not kinds:
        # Inside a kind of a game's own only its schema says what may stand.
        yield Slot(path, token, at, None, None, True, names, schema)
