"""How a value of several parts is written, with names of this table in it.

:func:`example_mapping` is what the desk shows in grey before anything is typed; :func:`snippets` are the texts that an
editor inserts, with stops for the parts that the user replaces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from chronicle.core.declare import BLOCK, Field, PartOf
from chronicle.core.field_types import NAME, NAMES, FieldType, alternatives
from chronicle.services.candidates import takes_own_words
from chronicle.services.line_completion import Completer
from chronicle.syntax.examples import (
    PLACEHOLDER,
    documented_value,
    kind_accepts,
    read_example,
    value_examples,
)
from chronicle.syntax.kinds import holds_entries, json_types_of, recorded_type, recorded_type_under
from chronicle.syntax.line_slots import Slot
from chronicle.syntax.one_line import split_line, write_line
from chronicle.syntax.yaml_text import Data, write_flow, write_scalar

MOST_SHOWN_PARTS: Final = 3
"""How many parts of a value are shown."""
FACE_MARK: Final = "\ue0d1"
"""Stands for the face of a die, in a snippet."""
STOP_MARKS: Final = ("\ue0d2", "\ue0d3")
"""Around a word that the user replaces, in a snippet."""
CARET_MARK: Final = "\ue0d4"
"""Where the caret ends up, in a snippet. No name has this character, as it may have any that editors use."""
_FACE_TYPES: Final = {"string", "integer"}
"""The types of a single face in a schema."""


def example_mapping(
    completer: Completer, line_text: str, choices: Sequence[Mapping[str, Any]] = ()
) -> str:
    """An example of the mapping that a line ends in front of, or of what stands behind a name without ``choices``;
    empty where a word is enough."""
    parsed_line, field = (
        split_line(line_text, completer.game.by_verb),
        completer.field_at(line_text),
    )
    slots = completer.slots_at(line_text)
    if parsed_line is None or field is None or not slots or line_text[-1:] not in (" ", "{"):
        return ""
    if any(slot.typed_text.strip() or slot.already_listed for slot in slots):
        return ""
    name_path = slots[0].key_path
    field_type: FieldType[Any] | None = completer.candidates.field_type_of(field)
    for name in name_path:
        field_type = recorded_type_under(field_type, name)
    if field_type is None:
        return ""
    if "object" not in json_types_of(recorded_type(field_type).schema()):
        is_offered = any(choice["eligible"] for choice in choices)
        return "" if is_offered else _example_under_name(parsed_line.verb, field, name_path)
    example_data = _example_mapping(parsed_line.verb, field, field_type, name_path)
    if example_data is None:
        return ""
    needs_no_braces = not name_path and parsed_line.typed_fields[-1].key == parsed_line.verb.verb
    return _write_mapping(
        completer, example_data, field_type, line_text, needs_no_braces=needs_no_braces
    )[len(line_text) :]


def _example_under_name(action_class: Any, field: Field, name_path: tuple[str, ...]) -> str:
    """The words that the example of a verb has behind a name; empty if there are none."""
    example: Any = documented_value(action_class, field.name) if name_path else None
    for _ in name_path:
        example = next(iter(example.values()), None) if isinstance(example, Mapping) else None
    if isinstance(example, list) and example:
        example = example[0]
    return example if isinstance(example, str) else ""


def _example_mapping(
    action_class: Any, field: Field, field_type: FieldType[Any], name_path: tuple[str, ...]
) -> Mapping[str, Data] | None:
    """A mapping of a kind, from the example of the verb or from the declaration."""
    documented_example = documented_value(action_class, field.name)
    for name in name_path:
        if isinstance(documented_example, Mapping):
            documented_example = documented_example.get(
                name, next(iter(documented_example.values()), None)
            )
    if isinstance(documented_example, Mapping):
        return documented_example
    example_values = map(
        read_example, value_examples(action_class, field, field_type if name_path else None)
    )
    return next((data for data in example_values if isinstance(data, Mapping)), None)


def _write_mapping(
    completer: Completer,
    example_data: Mapping[str, Data],
    field_type: FieldType[Any],
    line_text: str,
    *,
    needs_no_braces: bool = False,
) -> str:
    """A line that goes on with a mapping of the first names that fit. ``needs_no_braces``: it needs no braces."""
    part_types = [
        part_type
        for part_type in map(recorded_type, alternatives(field_type))
        if isinstance(part_type, PartOf)
    ]
    has_names_as_keys = not any(
        pair_name in part_type.part.fields for part_type in part_types for pair_name in example_data
    )
    pairs = [*example_data.items()][: 1 if has_names_as_keys else MOST_SHOWN_PARTS]
    has_braces = len(pairs) > 1 and not needs_no_braces and not line_text.endswith("{")
    line_text += "{" if has_braces else ""
    for index, (pair_name, pair_value) in enumerate(pairs):
        text_before_pair = f"{line_text}, " if index else line_text
        line_with_key = (
            has_names_as_keys and _first_choice(completer, text_before_pair)
        ) or text_before_pair + write_scalar(pair_name, in_flow=True)
        line_text = f"{line_with_key.rstrip(' :')}: "
        pair_key = line_text[len(text_before_pair) :].rstrip(" :")
        value_type = recorded_type_under(field_type, pair_name)
        if value_type is BLOCK:
            line_text += write_line(pair_value[0], completer.game.by_verb, is_nested=True)
        elif isinstance(pair_value, Mapping) and value_type is not None:
            line_text = _write_mapping(completer, pair_value, value_type, line_text)
        else:
            # A list at the end of a line needs no brackets.
            is_last_list = (
                needs_no_braces and index == len(pairs) - 1 and isinstance(pair_value, list)
            )
            value_text = write_flow(pair_value)[1:-1] if is_last_list else write_flow(pair_value)
            if value_type is NAMES or value_type is NAME:
                # The names of the documentation are those of another table.
                value_text = PLACEHOLDER
            line_text = (
                _first_choice(completer, line_text, excluded_word=pair_key).rstrip(" :")
                or line_text + value_text
            )
    return line_text + ("}" if has_braces else "")


def _first_choice(completer: Completer, line_text: str, excluded_word: str = "") -> str:
    """A line with the first name or word that fits at its end, other than ``excluded_word``; empty if there is none."""
    for choice in completer.find_choices(line_text, len(line_text))["choices"]:
        choice_line = str(choice["line"])
        is_fitting = (
            choice["eligible"] and not choice["chosen"] and choice["kind"] in ("name", "value")
        )
        if is_fitting and choice_line[len(line_text) :].rstrip(" :") != excluded_word:
            return choice_line
    return ""


def snippets(completer: Completer, line_text: str) -> Iterator[str]:
    """The forms of the value that a line ends in front of, with names that are possible there now, and stops
    for a player's own words."""
    parsed_line, field = (
        split_line(line_text, completer.game.by_verb),
        completer.field_at(line_text),
    )
    if parsed_line is None or field is None or holds_entries(field):
        return
    value_type = completer.candidates.field_type_of(field)
    if not parsed_line.typed_fields[-1].text.strip():
        example_texts = value_examples(parsed_line.verb, field._replace(kind=value_type))
    else:
        empty_slots = (
            slot for slot in completer.slots_at(line_text) if not slot.typed_text.strip()
        )
        slot_type = next(
            (slot.kind for slot in empty_slots if slot.key_path and not slot.is_for_name), None
        )
        if slot_type is None:
            return
        value_type, example_texts = slot_type, value_examples(parsed_line.verb, field, slot_type)
    # A list of one name is that name, which is offered by itself.
    offered_values = {f"[{word}]" for word in completer.fitting_words(line_text)}
    for example_text in example_texts:
        example_data = read_example(example_text) if example_text[0] in "{[" else None
        if example_data is not None:
            snippet, plain_text = _fill_in_value(completer, example_data, line_text)
            if plain_text not in offered_values and kind_accepts(value_type, plain_text):
                offered_values.add(plain_text)
                yield snippet


def _fill_in_value(completer: Completer, example_data: Data, line_text: str) -> tuple[str, str]:
    """A value behind a line with fitting names in it, as YAML with stops and without."""
    if isinstance(example_data, list):
        return _fill_in_list(completer, example_data, line_text)
    if isinstance(example_data, Mapping):
        return _fill_in_mapping(completer, example_data, line_text)
    return _fill_in_word(completer, str(example_data), line_text)


def _fill_in_list(
    completer: Completer, example_items: list[Data], line_text: str
) -> tuple[str, str]:
    snippet, plain_text, separator = "", "", ""
    offered_words = {*completer.fitting_words(line_text)}
    for example_item in example_items[
        : MOST_SHOWN_PARTS if isinstance(example_items[0], Mapping) else 2
    ]:
        item_snippet, plain_item = _fill_in_value(
            completer, example_item, f"{line_text}[{plain_text}{separator}"
        )
        if plain_text and (
            plain_item == PLACEHOLDER
            or plain_item in offered_words
            or f", {plain_item}" in f", {plain_text}"
        ):
            break
        snippet, plain_text = (
            f"{snippet}{separator}{item_snippet}",
            f"{plain_text}{separator}{plain_item}",
        )
        separator = ", "
    return f"[{snippet}]", f"[{plain_text}]"


def _fill_in_mapping(
    completer: Completer, example_mapping: Mapping[str, Data], line_text: str
) -> tuple[str, str]:
    snippet, plain_text, separator = "", "", ""
    offered_words = {
        fitting_word
        for fitting_word in completer.fitting_words(line_text)
        if not fitting_word.endswith(": ")
    }
    for pair_name, pair_value in [*example_mapping.items()][:MOST_SHOWN_PARTS]:
        text_before_pair = f"{line_text}{{{plain_text}{separator}"
        slots = [slot for slot in completer.slots_at(text_before_pair) if slot.is_for_name]
        snippet_key = plain_key = write_scalar(pair_name, in_flow=True)
        is_declared = any(_is_declared(slot, pair_name) for slot in slots)
        if (
            slots
            and not is_declared
            and f"{plain_key}: " not in completer.fitting_words(text_before_pair)
        ):
            if plain_text and isinstance(pair_value, Mapping):
                continue
            snippet_key, plain_key = _fill_in_word(
                completer,
                pair_name,
                text_before_pair,
                is_for_name=True,
                excluded_words=offered_words,
            )
            if plain_text and plain_key == PLACEHOLDER:
                # No other name is possible there.
                break
        snippet_value, plain_value = _fill_in_value(
            completer, pair_value, f"{text_before_pair}{plain_key}: "
        )
        snippet = f"{snippet}{separator}{snippet_key}: {snippet_value}"
        plain_text = f"{plain_text}{separator}{plain_key}: {plain_value}"
        separator = ", "
    return f"{{{snippet}}}", f"{{{plain_text}}}"


def _is_declared(slot: Slot, key: str) -> bool:
    """Whether a key is a declared one of a mapping, and not a name."""
    field_types = map(recorded_type, alternatives(slot.kind)) if slot.kind is not None else ()
    field_mappings = (
        field_type.part.fields for field_type in field_types if isinstance(field_type, PartOf)
    )
    return any(key in fields for fields in field_mappings) or key in slot.schema.get(
        "properties", {}
    )


def _fill_in_word(
    completer: Completer,
    example_word: str,
    line_text: str,
    *,
    is_for_name: bool = False,
    excluded_words: Collection[str] = (),
) -> tuple[str, str]:
    """A fitting word in place of an example, none of ``excluded_words``, with its stop and without."""
    slots = [slot for slot in completer.slots_at(line_text) if slot.is_for_name is is_for_name]
    if not is_for_name and any(map(_takes_faces, slots)):
        return FACE_MARK, "1"
    for fitting_choice in completer.fitting_words(line_text):
        fitting_word = fitting_choice.removesuffix(": ")
        if (fitting_word != fitting_choice) is is_for_name and fitting_word not in excluded_words:
            return f"{STOP_MARKS[0]}{fitting_word}{STOP_MARKS[1]}", fitting_word
    for placeholder in (PLACEHOLDER, f"{PLACEHOLDER} & {PLACEHOLDER}"):
        if is_for_name or not slots or any(_takes_any(slot, placeholder) for slot in slots):
            return f"{STOP_MARKS[0]}{placeholder}{STOP_MARKS[1]}", placeholder
    return f"{STOP_MARKS[0]}{example_word}{STOP_MARKS[1]}", write_scalar(example_word, in_flow=True)


def _takes_any(slot: Slot, tried_word: str) -> bool:
    """Whether a place accepts any word, not only one of a few or a number."""
    return takes_own_words(slot) or (
        kind_accepts(slot.kind, tried_word) if slot.kind else slot.role is not None
    )


def _takes_faces(slot: Slot) -> bool:
    """Whether a place is for the faces of dice."""
    if slot.kind is None:
        return json_types_of(slot.schema) == _FACE_TYPES
    item_schemas = (schema.get("items", {}) for schema in (slot.schema, slot.kind.schema()))
    return any(
        json_types_of(item_schema) == _FACE_TYPES
        for item_schema in item_schemas
        if "type" in item_schema
    )
