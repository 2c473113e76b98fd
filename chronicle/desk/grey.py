"""How a value of several parts is written, shown in grey before anything of it is typed: the shape that its
kind has, with names of this table in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.declare import BLOCK, Field, Kind, PartOf, alternatives
from chronicle.desk.fit import Fitting
from chronicle.desk.shapes import in_example, shapes
from chronicle.desk.typed import (
    Data,
    data_of,
    flowing,
    line_of,
    recorded,
    recorded_under,
    scalar,
    take_apart,
    types_in,
)
from chronicle.transcript.reader import read_text

MOST_PARTS = 3
"""How many parts of one are shown."""


def example(fitting: Fitting, text: str) -> str:
    """What may stand behind a line that ends where a mapping begins; empty where a word is enough."""
    line, field = take_apart(text, fitting.rules.by_verb), fitting.field_at(text)
    slots = fitting.slots_at(text)
    if line is None or field is None or not slots or any(slot.typed.strip() for slot in slots):
        return ""
    if any(slot.listed for slot in slots) or text[-1:] not in (" ", "{"):
        return ""
    path = slots[0].path
    kind = _within(fitting.kind_of(field), path)
    if kind is None or "object" not in types_in(recorded(kind).schema()):
        return ""
    data = _shape(line.verb, field, kind, path)
    if not isinstance(data, Mapping):
        return ""
    bare = not path and line.parts[-1].key == line.verb.verb
    return _written(fitting, data, kind, text, bare=bare)[len(text) :]


def _within(kind: Kind[Any] | None, path: tuple[str, ...]) -> Kind[Any] | None:
    """The kind of what lies under some names in something of a kind."""
    for name in path:
        kind = recorded_under(kind, name)
    return kind


def _shape(verb: Any, field: Field, kind: Kind[Any], path: tuple[str, ...]) -> Data:
    """A value of a kind: as the typical entry of the verb has it, or as it is declared."""
    found = in_example(verb, field.name)
    for name in path:
        if not isinstance(found, Mapping):
            break
        found = found.get(name, next(iter(found.values()), None))
    if isinstance(found, Mapping):
        return found
    for told in shapes(verb, field, kind if path else None):
        tree = read_text(told, "").tree
        data = None if tree is None else data_of(tree)
        if isinstance(data, Mapping):
            return data
    return None


def _written(
    fitting: Fitting, data: Mapping[str, Data], kind: Kind[Any], text: str, *, bare: bool = False
) -> str:
    """A line that goes on with a mapping, whose names are the first that may stand there; ``bare``: no
    braces are needed around it."""
    parts = [one for one in map(recorded, alternatives(kind)) if isinstance(one, PartOf)]
    named = not any(name in one.part.fields for one in parts for name in data)
    pairs = [*data.items()][: 1 if named else MOST_PARTS]
    braced = len(pairs) > 1 and not bare and not text.endswith("{")
    text += "{" if braced else ""
    for number, (name, value) in enumerate(pairs):
        begun = f"{text}, " if number else text
        key = (named and _first(fitting, begun)) or f"{begun}{scalar(name, flow=True)}"
        text = f"{key.rstrip(' :')}: "
        who = text[len(begun) :].rstrip(" :")
        inner = recorded_under(kind, name)
        if inner is BLOCK:
            text += line_of(value[0], fitting.rules.by_verb, inner=True)
        elif isinstance(value, Mapping) and inner is not None:
            text = _written(fitting, value, inner, text)
        else:
            # Several at the end of a line need no brackets.
            last = bare and number == len(pairs) - 1 and isinstance(value, list)
            told = flowing(value)[1:-1] if last else flowing(value)
            text = _first(fitting, text, but=who).rstrip(" :") or text + told
    return text + ("}" if braced else "")


def _first(fitting: Fitting, text: str, but: str = "") -> str:
    """A line with the first name or word that fits at its end, ``but`` for one; empty where there is
    none."""
    for one in fitting.choices(text, len(text))["choices"]:
        line = str(one["line"])
        fine = one["eligible"] and not one["chosen"] and one["kind"] in ("name", "value")
        if fine and line[len(text) :].rstrip(" :") != but:
            return line
    return ""
