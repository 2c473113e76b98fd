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
from chronicle.core.field_types import Choice, Context, FieldType, MapOf, role_of, roleless
from chronicle.core.misread import Misread
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.syntax.kinds import json_types_of
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_text import Data, plain_data, write_flow

_BRACKETED_TEXT: Final = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]+\]")
MAX_VALUE_EXAMPLES: Final = 4
"""How many examples a value gets."""
PLACEHOLDER: Final = "…"
"""Stands for words that a player chooses."""


def value_examples(
    action_class: type[Action], field: Field, inner_type: FieldType[Any] | None = None
) -> tuple[str, ...]:
    """Examples of a value, as YAML on one line; none if it is always a word, a number or a text.

    Args:
        action_class: The verb of the entry.
        field: The key of the value.
        inner_type: The kind of an inner value, for examples of that.
    """
    cached_function: Any = (
        _value_examples  # mypy takes the class of an action for an action, which has no hash
    )
    examples: tuple[str, ...] = cached_function(
        action_class, field.name, field.doc, inner_type or field.kind, is_whole=inner_type is None
    )
    return examples


@lru_cache(maxsize=4096)
def _value_examples(
    action_class: Any, key: str, doc: str, field_type: FieldType[Any], *, is_whole: bool
) -> tuple[str, ...]:
    if not {"object", "array"} & json_types_of(field_type.schema()):
        return ()
    text_by_form: dict[str, str] = {}
    for data in _candidate_values(action_class, key, doc, field_type, is_whole=is_whole):
        text = write_flow(data)
        if kind_accepts(field_type, text):
            text_by_form.setdefault(_nesting_shape(data), text)
    rank_by_bracket = {"{": 0, "[": 1}
    examples = sorted(text_by_form.values(), key=lambda text: rank_by_bracket.get(text[0], 2))
    return (
        tuple(examples[:MAX_VALUE_EXAMPLES])
        if examples and examples[0][0] in rank_by_bracket
        else ()
    )


def _candidate_values(
    action_class: type[Action], key: str, doc: str, field_type: FieldType[Any], *, is_whole: bool
) -> Iterator[Data]:
    """Possible values, the best first."""
    documented_data = documented_value(action_class, key) if is_whole else None
    if documented_data is not None:
        yield documented_data
    for description in (field_type.words, field_type.example, doc if is_whole else ""):
        for bracket_match in _BRACKETED_TEXT.finditer(description):
            example = read_example(bracket_match.group().replace("...", PLACEHOLDER))
            if example is not None:
                yield example
    yield from _samples_of_kind(field_type)


def documented_value(action_class: type[Action], key: str) -> Data | None:
    """The value of a key in the example of a verb; None if there is none."""
    tree = read_text(f"- {action_class.example}", "").tree if action_class.example else None
    entry = tree[0] if isinstance(tree, SequenceNode) and tree else None
    value = entry.get(ScalarNode(key)) if isinstance(entry, MappingNode) else None
    return None if value is None else plain_data(value)


def _samples_of_kind(field_type: FieldType[Any]) -> Iterator[Data]:
    """Values made from a declared kind, one for each form."""
    bare_type = roleless(field_type)
    item_type = getattr(bare_type, "item", None)
    if isinstance(bare_type, MapOf):
        key = next(_samples_of_kind(bare_type.key), PLACEHOLDER)
        yield from ({str(key): value} for value in _samples_of_kind(bare_type.value))
    elif isinstance(bare_type, PartOf):
        fields = bare_type.part.fields
        fields_to_show = [field for field in fields.values() if field.required] or [
            *fields.values()
        ][:1]
        if bare_type.part.plain_value_key:
            yield from _samples_of_kind(fields[bare_type.part.plain_value_key].kind)
        yield {
            field.name: next(_samples_of_kind(field.kind), PLACEHOLDER) for field in fields_to_show
        }
    elif bare_type is BLOCK:
        yield [{"tell": PLACEHOLDER}]
    elif item_type is not None:
        item_samples = [*_samples_of_kind(item_type)][:2]
        if bare_type.schema().get("type") != "array":
            yield from item_samples
        yield item_samples if len(item_samples) > 1 else item_samples * 2
    elif alternative_types := getattr(bare_type, "kinds", ()):
        for alternative_type in alternative_types:
            yield from _samples_of_kind(alternative_type)
    elif (wrapped_type := getattr(bare_type, "kind", None)) is not None:
        yield from _samples_of_kind(wrapped_type)
    elif isinstance(bare_type, Choice):
        yield bare_type.choices[0]
    else:
        # A new name is a player's own words.
        is_free_text = role_of(field_type) == ""
        yield from _samples_of_schema(
            bare_type, (PLACEHOLDER, PLACEHOLDER) if is_free_text else ("Name", "Other")
        )


def _samples_of_schema(field_type: FieldType[Any], sample_names: tuple[str, str]) -> Iterator[Data]:
    """Values of a kind that only its schema describes."""
    schema = field_type.schema()
    if "&" in schema.get("pattern", ""):
        yield "One & Other"
        return
    if field_type.has_names():
        yield sample_names[0]
        yield from ([*sample_names] for _ in json_types_of(schema) & {"array"})
        return
    guessed_texts = ("2", PLACEHOLDER, "up 1", "[2, 5]", "[5h, K]", "{…: 2}")
    for possible_sample in (
        field_type.example,
        _sample_of_schema(schema),
        *map(read_example, guessed_texts),
    ):
        if possible_sample and kind_accepts(field_type, write_flow(possible_sample)):
            yield possible_sample


def _sample_of_schema(schema: Mapping[str, Any]) -> Data:
    """A value that a schema describes."""
    properties = schema.get("properties", {})
    properties_of_mappings = {
        name: property_schema
        for name, property_schema in properties.items()
        if property_schema.get("properties")
    }
    if properties:
        return {
            name: _sample_of_schema(property_schema)
            for name, property_schema in [*properties_of_mappings.items(), *properties.items()][:1]
        }
    if "enum" in schema:
        return str(schema["enum"][0])
    return str(max(2, schema.get("minimum", 2))) if schema.get("type") == "integer" else PLACEHOLDER


def _nesting_shape(value: Data) -> str:
    """The brackets of a value without the words in them."""
    if isinstance(value, Mapping):
        return (
            "{"
            + "".join(sorted({_nesting_shape(inner_value) for inner_value in value.values()}))
            + "}"
        )
    return f"[{_nesting_shape(value[0]) if value else ''}]" if isinstance(value, list) else "."


def read_example(yaml_text: str) -> Data | None:
    """An example as data; None if it cannot be read."""
    tree = _read_tree(yaml_text)
    return None if tree is None else plain_data(tree)


@lru_cache(maxsize=4096)
def _read_tree(text: str) -> Value | None:
    parsed = read_text(text, "")
    return None if any(problem.severity > 2 for problem in parsed.problems) else parsed.tree


def kind_accepts(field_type: FieldType[Any], value_text: str) -> bool:
    """Whether a text is a value of a kind."""
    value = _read_tree(value_text)
    if value is None:
        return False
    try:
        field_type.read(value, Context(_require_mappings))
    except Misread:
        return False
    return True


def _require_mappings(items: SequenceNode) -> list[Any]:
    for item in items:
        if not isinstance(item, MappingNode):
            raise Misread("", item, expected="an entry")
    return [*items]
