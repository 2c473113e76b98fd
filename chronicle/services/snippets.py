"""How a value of several parts is written, with names of this table in it.

:func:`example_mapping` is what the desk shows in grey before anything is typed; :func:`snippets` are the texts that an
editor inserts, with stops for the parts that the user replaces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from chronicle.core.declare import BLOCK, Field, PartOf
from chronicle.core.field_types import FieldType, alternatives
from chronicle.services.candidates import takes_own_words
from chronicle.services.line_completion import Completer
from chronicle.syntax.examples import (
    PLACEHOLDER,
    documented_value,
    kind_accepts,
    read_example,
    value_examples,
)
from chronicle.syntax.kinds import holds_entries, json_types_of, recorded_kind, recorded_kind_under
from chronicle.syntax.line_slots import Slot
from chronicle.syntax.one_line import split_line, write_line
from chronicle.syntax.yaml_text import Data, write_flow, write_scalar

MOST_PARTS: Final = 3
"""How many parts of a value are shown."""
FACE: Final = "\ue0d1"
"""Stands for the face of a die, in a snippet."""
STOP: Final = ("\ue0d2", "\ue0d3")
"""Around a word that the user replaces, in a snippet."""
CARET: Final = "\ue0d4"
"""Where the caret ends up, in a snippet. No name has this character, as it may have any that editors use."""
_FACE_TYPES: Final = {"string", "integer"}
"""The types of a single face in a schema."""


def example_mapping(completer: Completer, text: str) -> str:
    """An example of the mapping that a line ends in front of; empty where a word is enough."""
    line, field = split_line(text, completer.rules.by_verb), completer.field_at(text)
    slots = completer.slots_at(text)
    if line is None or field is None or not slots or text[-1:] not in (" ", "{"):
        return ""
    if any(slot.typed.strip() or slot.already_listed for slot in slots):
        return ""
    path = slots[0].path
    kind: FieldType[Any] | None = completer.candidates.field_type_of(field)
    for name in path:
        kind = recorded_kind_under(kind, name)
    if kind is None or "object" not in json_types_of(recorded_kind(kind).schema()):
        return ""
    data = _example_mapping(line.verb, field, kind, path)
    if data is None:
        return ""
    bare = not path and line.parts[-1].key == line.verb.verb
    return _write_mapping(completer, data, kind, text, is_bare=bare)[len(text) :]


def _example_mapping(
    verb: Any, field: Field, kind: FieldType[Any], path: tuple[str, ...]
) -> Mapping[str, Data] | None:
    """A mapping of a kind, from the example of the verb or from the declaration."""
    documented = documented_value(verb, field.name)
    for name in path:
        if isinstance(documented, Mapping):
            documented = documented.get(name, next(iter(documented.values()), None))
    if isinstance(documented, Mapping):
        return documented
    examples = map(read_example, value_examples(verb, field, kind if path else None))
    return next((data for data in examples if isinstance(data, Mapping)), None)


def _write_mapping(
    completer: Completer,
    data: Mapping[str, Data],
    kind: FieldType[Any],
    text: str,
    *,
    is_bare: bool = False,
) -> str:
    """A line that goes on with a mapping of the first names that fit. ``is_bare``: it needs no braces."""
    parts = [part for part in map(recorded_kind, alternatives(kind)) if isinstance(part, PartOf)]
    has_own_names = not any(name in part.part.fields for part in parts for name in data)
    pairs = [*data.items()][: 1 if has_own_names else MOST_PARTS]
    has_braces = len(pairs) > 1 and not is_bare and not text.endswith("{")
    text += "{" if has_braces else ""
    for index, (name, value) in enumerate(pairs):
        start = f"{text}, " if index else text
        key = (has_own_names and _first_choice(completer, start)) or start + write_scalar(
            name, flow=True
        )
        text = f"{key.rstrip(' :')}: "
        owner = text[len(start) :].rstrip(" :")
        value_kind = recorded_kind_under(kind, name)
        if value_kind is BLOCK:
            text += write_line(value[0], completer.rules.by_verb, is_nested=True)
        elif isinstance(value, Mapping) and value_kind is not None:
            text = _write_mapping(completer, value, value_kind, text)
        else:
            # A list at the end of a line needs no brackets.
            is_last_list = is_bare and index == len(pairs) - 1 and isinstance(value, list)
            value_text = write_flow(value)[1:-1] if is_last_list else write_flow(value)
            text = (
                _first_choice(completer, text, excluded_word=owner).rstrip(" :")
                or text + value_text
            )
    return text + ("}" if has_braces else "")


def _first_choice(completer: Completer, text: str, excluded_word: str = "") -> str:
    """A line with the first name or word that fits at its end, other than ``excluded_word``; empty if there is none."""
    for choice in completer.choices(text, len(text))["choices"]:
        line = str(choice["line"])
        is_fitting = (
            choice["eligible"] and not choice["chosen"] and choice["kind"] in ("name", "value")
        )
        if is_fitting and line[len(text) :].rstrip(" :") != excluded_word:
            return line
    return ""


def snippets(completer: Completer, text: str) -> Iterator[str]:
    """The forms of the value that a line ends in front of, with names that are possible there now, and stops
    for a player's own words."""
    line, field = split_line(text, completer.rules.by_verb), completer.field_at(text)
    if line is None or field is None or holds_entries(field):
        return
    kind = completer.candidates.field_type_of(field)
    if not line.parts[-1].text.strip():
        examples = value_examples(line.verb, field._replace(kind=kind))
    else:
        empty_slots = (slot for slot in completer.slots_at(text) if not slot.typed.strip())
        slot_kind = next(
            (slot.kind for slot in empty_slots if slot.path and not slot.is_for_name), None
        )
        if slot_kind is None:
            return
        kind, examples = slot_kind, value_examples(line.verb, field, slot_kind)
    # A list of one name is that name, which is offered by itself.
    offered_values = {f"[{word}]" for word in completer.fitting_words(text)}
    for value in examples:
        data = read_example(value) if value[0] in "{[" else None
        if data is not None:
            snippet, plain = _fill_in_value(completer, data, text)
            if plain not in offered_values and kind_accepts(kind, plain):
                offered_values.add(plain)
                yield snippet


def _fill_in_value(completer: Completer, data: Data, text: str) -> tuple[str, str]:
    """A value behind a line with fitting names in it, as YAML with stops and without."""
    if isinstance(data, list):
        return _fill_in_list(completer, data, text)
    if isinstance(data, Mapping):
        return _fill_in_mapping(completer, data, text)
    return _fill_in_word(completer, str(data), text)


def _fill_in_list(completer: Completer, data: list[Data], text: str) -> tuple[str, str]:
    snippet, plain, separator = "", "", ""
    offered_words = {*completer.fitting_words(text)}
    for value in data[: MOST_PARTS if isinstance(data[0], Mapping) else 2]:
        snippet_value, plain_value = _fill_in_value(completer, value, f"{text}[{plain}{separator}")
        if plain and (
            plain_value == PLACEHOLDER
            or plain_value in offered_words
            or f", {plain_value}" in f", {plain}"
        ):
            break
        snippet, plain = (
            f"{snippet}{separator}{snippet_value}",
            f"{plain}{separator}{plain_value}",
        )
        separator = ", "
    return f"[{snippet}]", f"[{plain}]"


def _fill_in_mapping(completer: Completer, data: Mapping[str, Data], text: str) -> tuple[str, str]:
    snippet, plain, separator = "", "", ""
    offered_words = {
        plain_value
        for plain_value in completer.fitting_words(text)
        if not plain_value.endswith(": ")
    }
    for key, value in [*data.items()][:MOST_PARTS]:
        start = f"{text}{{{plain}{separator}"
        slots = [slot for slot in completer.slots_at(start) if slot.is_for_name]
        snippet_key = plain_key = write_scalar(key, flow=True)
        is_declared = any(_is_declared(slot, key) for slot in slots)
        if slots and not is_declared and f"{plain_key}: " not in completer.fitting_words(start):
            if plain and isinstance(value, Mapping):
                continue
            snippet_key, plain_key = _fill_in_word(
                completer, key, start, is_for_name=True, excluded_words=offered_words
            )
            if plain and plain_key == PLACEHOLDER:
                # No other name is possible there.
                break
        snippet_value, plain_value = _fill_in_value(completer, value, f"{start}{plain_key}: ")
        snippet = f"{snippet}{separator}{snippet_key}: {snippet_value}"
        plain = f"{plain}{separator}{plain_key}: {plain_value}"
        separator = ", "
    return f"{{{snippet}}}", f"{{{plain}}}"


def _is_declared(slot: Slot, key: str) -> bool:
    """Whether a key is a declared one of a mapping, and not a name."""
    kinds = map(recorded_kind, alternatives(slot.kind)) if slot.kind is not None else ()
    parts = (kind.part.fields for kind in kinds if isinstance(kind, PartOf))
    return any(key in fields for fields in parts) or key in slot.schema.get("properties", {})


def _fill_in_word(
    completer: Completer,
    word: str,
    text: str,
    *,
    is_for_name: bool = False,
    excluded_words: Collection[str] = (),
) -> tuple[str, str]:
    """A fitting word in place of an example, none of ``excluded_words``, with its stop and without."""
    slots = [slot for slot in completer.slots_at(text) if slot.is_for_name is is_for_name]
    if not is_for_name and any(map(_takes_faces, slots)):
        return FACE, "1"
    for choice in completer.fitting_words(text):
        fitting_word = choice.removesuffix(": ")
        if (fitting_word != choice) is is_for_name and fitting_word not in excluded_words:
            return f"{STOP[0]}{fitting_word}{STOP[1]}", fitting_word
    for placeholder in (PLACEHOLDER, f"{PLACEHOLDER} & {PLACEHOLDER}"):
        if is_for_name or not slots or any(_takes_any(slot, placeholder) for slot in slots):
            return f"{STOP[0]}{placeholder}{STOP[1]}", placeholder
    return f"{STOP[0]}{word}{STOP[1]}", write_scalar(word, flow=True)


def _takes_any(slot: Slot, word: str) -> bool:
    """Whether a place accepts any word, not only one of a few or a number."""
    return takes_own_words(slot) or (
        kind_accepts(slot.kind, word) if slot.kind else slot.role is not None
    )


def _takes_faces(slot: Slot) -> bool:
    """Whether a place is for the faces of dice."""
    if slot.kind is None:
        return json_types_of(slot.schema) == _FACE_TYPES
    items = (schema.get("items", {}) for schema in (slot.schema, slot.kind.schema()))
    return any(json_types_of(item) == _FACE_TYPES for item in items if "type" in item)
