"""In which shapes a value may be written, each with an example that its kind reads.

An example is taken from where one is told already (the typical entry of the verb, braces in what is said
of the key); what has none there is made from the declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from chronicle.core.declare import (
    BLOCK,
    Action,
    Choice,
    Context,
    Field,
    Kind,
    MapOf,
    Misread,
    PartOf,
    bare,
    role_of,
)
from chronicle.core.source import Entries, Items, Value, Word
from chronicle.desk.typed import Data, data_of, flowing, types_in
from chronicle.transcript.reader import read_text

_BRACKETS: Final = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]+\]")
MOST: Final = 4
"""How many shapes are shown of one value."""
WORD: Final = "…"
"""Stands for words of one's own."""


def shapes(verb: type[Action], key: Field, within: Kind[Any] | None = None) -> tuple[str, ...]:
    """The shapes that a value of a key may have, as YAML on one line; none where it is a word, a number
    or a text and nothing else. ``within``: the kind of what stands somewhere inside of it."""
    cached: Any = _shapes  # mypy takes the class of an entry for an entry, which has no hash
    found: tuple[str, ...] = cached(verb, key.name, key.doc, within or key.kind, within is None)
    return found


@lru_cache(maxsize=4096)
def _shapes(verb: Any, key: str, doc: str, kind: Kind[Any], whole: bool) -> tuple[str, ...]:
    if not {"object", "array"} & types_in(kind.schema()):
        return ()
    found: dict[str, str] = {}
    for data in _examples(verb, key, doc, kind, whole=whole):
        text = flowing(data)
        if reads(kind, text):
            found.setdefault(_outline(data), text)
    rank = {"{": 0, "[": 1}
    shown = sorted(found.values(), key=lambda text: rank.get(text[0], 2))
    return tuple(shown[:MOST]) if shown and shown[0][0] in rank else ()


def _examples(
    verb: type[Action], key: str, doc: str, kind: Kind[Any], *, whole: bool
) -> Iterator[Data]:
    """What a value may be, the best examples first."""
    there = in_example(verb, key) if whole else None
    if there is not None:
        yield there
    for told in (kind.words, kind.example, doc if whole else ""):
        for found in _BRACKETS.finditer(told):
            value = _read(found.group().replace("...", WORD))
            if value is not None:
                yield value
    yield from made(kind)


def in_example(verb: type[Action], key: str) -> Data | None:
    """What the typical entry of a verb says under a key; None where it has none."""
    tree = read_text(f"- {verb.example}", "").tree if verb.example else None
    entry = tree[0] if isinstance(tree, Items) and tree else None
    there = entry.get(Word(key)) if isinstance(entry, Entries) else None
    return None if there is None else data_of(there)


def made(kind: Kind[Any]) -> Iterator[Data]:
    """Something of a kind, of each shape that it may have."""
    inner = bare(kind)
    if isinstance(inner, MapOf):
        key = next(made(inner.key), WORD)
        yield from ({str(key): one} for one in made(inner.value))
    elif isinstance(inner, PartOf):
        fields = inner.part.fields
        needed = [one for one in fields.values() if one.required] or [*fields.values()][:1]
        if inner.part.bare:
            yield from made(fields[inner.part.bare].kind)
        yield {one.name: next(made(one.kind), WORD) for one in needed}
    elif inner is BLOCK:
        yield [{"tell": WORD}]
    elif (one := getattr(inner, "item", None)) is not None:
        each = [*made(one)][:2]
        if inner.schema().get("type") != "array":
            yield from each
        yield each if len(each) > 1 else each * 2
    elif kinds := getattr(inner, "kinds", ()):
        for other in kinds:
            yield from made(other)
    elif (of := getattr(inner, "kind", None)) is not None:
        yield from made(of)
    elif isinstance(inner, Choice):
        yield inner.choices[0]
    else:
        # What names nobody who is there already is somebody's own words.
        yield from _by_schema(inner, (WORD, WORD) if role_of(kind) == "" else ("Name", "Other"))


def _by_schema(kind: Kind[Any], names: tuple[str, str]) -> Iterator[Data]:
    """Something of a kind of which only its schema says what it is."""
    schema = kind.schema()
    types = types_in(schema)
    if "&" in schema.get("pattern", ""):
        yield "One & Other"
        return
    if kind.naming():
        yield names[0]
        yield from ([*names] for _ in types & {"array"})
        return
    tried = ("2", WORD, "up 1", "[2, 5]", "[5h, K]", "{…: 2}")
    for data in (kind.example, _sample(schema), *map(_read, tried)):
        if data and reads(kind, flowing(data)):
            yield data


def _sample(schema: Mapping[str, Any]) -> Data:
    """A value that a schema describes."""
    named = schema.get("properties", {})
    full = {name: inner for name, inner in named.items() if inner.get("properties")}
    if named:
        return {name: _sample(inner) for name, inner in [*full.items(), *named.items()][:1]}
    if "enum" in schema:
        return str(schema["enum"][0])
    return str(max(2, schema.get("minimum", 2))) if schema.get("type") == "integer" else WORD


def _outline(data: Data) -> str:
    """What is alike in two examples of one shape."""
    if isinstance(data, Mapping):
        return "{" + "".join(sorted({_outline(one) for one in data.values()})) + "}"
    return f"[{_outline(data[0]) if data else ''}]" if isinstance(data, list) else "."


def _read(text: str) -> Data | None:
    tree = _tree(text)
    return None if tree is None else data_of(tree)


@lru_cache(maxsize=4096)
def _tree(text: str) -> Value | None:
    parsed = read_text(text, "")
    return None if any(one.severity > 2 for one in parsed.problems) else parsed.tree


def reads(kind: Kind[Any], text: str) -> bool:
    """Whether a text is a value of a kind."""
    value = _tree(text)
    if value is None:
        return False
    try:
        kind.read(value, Context(_told))
    except Misread:
        return False
    return True


def _told(items: Items) -> list[Any]:
    """Entries that are told inside another, where they are some."""
    wrong = next((one for one in items if not isinstance(one, Entries)), None)
    if wrong is not None:
        raise Misread("an entry expected here", wrong)
    return [*items]
