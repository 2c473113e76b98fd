"""Examples of the values that a key accepts, one for each form a value may have.

An example is taken from the documentation where there is one (the example of the verb, brackets in the words
about a key), and otherwise made from the declared kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from chronicle.core.declare import BLOCK, Action, Field, PartOf
from chronicle.core.kinds import Choice, Context, Kind, MapOf, Misread, bare, role_of
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.syntax.kinds import types_in
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_text import Data, plain_data, write_flow

_BRACKETS: Final = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]+\]")
MOST: Final = 4
"""How many examples a value gets."""
OWN_WORDS: Final = "…"
"""Stands for words that a player chooses."""


def value_examples(
    verb: type[Action], key: Field, inside: Kind[Any] | None = None
) -> tuple[str, ...]:
    """Examples of a value, as YAML on one line; none if it is always a word, a number or a text.

    Args:
        verb: The verb of the entry.
        key: The key of the value.
        inside: The kind of an inner value, for examples of that.
    """
    cached: Any = (
        _value_examples  # mypy takes the class of an action for an action, which has no hash
    )
    examples: tuple[str, ...] = cached(
        verb, key.name, key.doc, inside or key.kind, is_whole=inside is None
    )
    return examples


@lru_cache(maxsize=4096)
def _value_examples(
    verb: Any, key: str, doc: str, kind: Kind[Any], *, is_whole: bool
) -> tuple[str, ...]:
    if not {"object", "array"} & types_in(kind.schema()):
        return ()
    by_form: dict[str, str] = {}
    for data in _candidates(verb, key, doc, kind, is_whole=is_whole):
        text = write_flow(data)
        if accepts(kind, text):
            by_form.setdefault(_form(data), text)
    rank = {"{": 0, "[": 1}
    examples = sorted(by_form.values(), key=lambda text: rank.get(text[0], 2))
    return tuple(examples[:MOST]) if examples and examples[0][0] in rank else ()


def _candidates(
    verb: type[Action], key: str, doc: str, kind: Kind[Any], *, is_whole: bool
) -> Iterator[Data]:
    """Possible values, the best first."""
    documented = documented_value(verb, key) if is_whole else None
    if documented is not None:
        yield documented
    for text in (kind.words, kind.example, doc if is_whole else ""):
        for match in _BRACKETS.finditer(text):
            value = read_example(match.group().replace("...", OWN_WORDS))
            if value is not None:
                yield value
    yield from _from_kind(kind)


def documented_value(verb: type[Action], key: str) -> Data | None:
    """The value of a key in the example of a verb; None if there is none."""
    tree = read_text(f"- {verb.example}", "").tree if verb.example else None
    entry = tree[0] if isinstance(tree, SequenceNode) and tree else None
    value = entry.get(ScalarNode(key)) if isinstance(entry, MappingNode) else None
    return None if value is None else plain_data(value)


def _from_kind(kind: Kind[Any]) -> Iterator[Data]:
    """Values made from a declared kind, one for each form."""
    inner = bare(kind)
    item = getattr(inner, "item", None)
    if isinstance(inner, MapOf):
        key = next(_from_kind(inner.key), OWN_WORDS)
        yield from ({str(key): value} for value in _from_kind(inner.value))
    elif isinstance(inner, PartOf):
        fields = inner.part.fields
        needed = [field for field in fields.values() if field.required] or [*fields.values()][:1]
        if inner.part.bare:
            yield from _from_kind(fields[inner.part.bare].kind)
        yield {field.name: next(_from_kind(field.kind), OWN_WORDS) for field in needed}
    elif inner is BLOCK:
        yield [{"tell": OWN_WORDS}]
    elif item is not None:
        items = [*_from_kind(item)][:2]
        if inner.schema().get("type") != "array":
            yield from items
        yield items if len(items) > 1 else items * 2
    elif kinds := getattr(inner, "kinds", ()):
        for alternative in kinds:
            yield from _from_kind(alternative)
    elif (wrapped := getattr(inner, "kind", None)) is not None:
        yield from _from_kind(wrapped)
    elif isinstance(inner, Choice):
        yield inner.choices[0]
    else:
        # A new name is a player's own words.
        own = role_of(kind) == ""
        yield from _from_schema(inner, (OWN_WORDS, OWN_WORDS) if own else ("Name", "Other"))


def _from_schema(kind: Kind[Any], sample_names: tuple[str, str]) -> Iterator[Data]:
    """Values of a kind that only its schema describes."""
    schema = kind.schema()
    if "&" in schema.get("pattern", ""):
        yield "One & Other"
        return
    if kind.naming():
        yield sample_names[0]
        yield from ([*sample_names] for _ in types_in(schema) & {"array"})
        return
    guesses = ("2", OWN_WORDS, "up 1", "[2, 5]", "[5h, K]", "{…: 2}")
    for data in (kind.example, _sample(schema), *map(read_example, guesses)):
        if data and accepts(kind, write_flow(data)):
            yield data


def _sample(schema: Mapping[str, Any]) -> Data:
    """A value that a schema describes."""
    properties = schema.get("properties", {})
    with_names = {name: inner for name, inner in properties.items() if inner.get("properties")}
    if properties:
        return {
            name: _sample(inner) for name, inner in [*with_names.items(), *properties.items()][:1]
        }
    if "enum" in schema:
        return str(schema["enum"][0])
    return str(max(2, schema.get("minimum", 2))) if schema.get("type") == "integer" else OWN_WORDS


def _form(data: Data) -> str:
    """The brackets of a value without the words in them."""
    if isinstance(data, Mapping):
        return "{" + "".join(sorted({_form(value) for value in data.values()})) + "}"
    return f"[{_form(data[0]) if data else ''}]" if isinstance(data, list) else "."


def read_example(text: str) -> Data | None:
    """An example as data; None if it cannot be read."""
    tree = _tree(text)
    return None if tree is None else plain_data(tree)


@lru_cache(maxsize=4096)
def _tree(text: str) -> Value | None:
    parsed = read_text(text, "")
    return None if any(problem.severity > 2 for problem in parsed.problems) else parsed.tree


def accepts(kind: Kind[Any], text: str) -> bool:
    """Whether a text is a value of a kind."""
    value = _tree(text)
    if value is None:
        return False
    try:
        kind.read(value, Context(_check_entries))
    except Misread:
        return False
    return True


def _check_entries(items: SequenceNode) -> list[Any]:
    for item in items:
        if not isinstance(item, MappingNode):
            raise Misread("", item, expected="an entry")
    return [*items]
