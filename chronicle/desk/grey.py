"""How a value of several parts is written: the shape that its kind has, with names of this table in it.
It is shown in grey before anything is typed, and an editor puts it in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from chronicle.core.declare import BLOCK, Field, Kind, PartOf, alternatives
from chronicle.desk.fit import Fitting, own_words
from chronicle.desk.shapes import WORD, in_example, reads, shapes
from chronicle.desk.slots import Slot
from chronicle.desk.typed import (
    Data,
    data_of,
    flowing,
    line_of,
    recorded,
    recorded_under,
    scalar,
    take_apart,
    tells_entries,
    types_in,
)
from chronicle.transcript.reader import read_text

MOST_PARTS = 3
"""How many parts of one are shown."""
FACE: Final = "\ue0d1"
"""Where the face of a die goes, in what is inserted."""
STOP: Final = ("\ue0d2", "\ue0d3")
"""Around a word that somebody replaces by their own, in what is inserted."""
CARET: Final = "\ue0d4"
"""Where the caret is afterwards, in what is inserted. No name has such a sign, as it may have any of an editor's."""
_FELL: Final = {"string", "integer"}
"""What faces are, one by one, in a schema."""


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


def filled(fitting: Fitting, text: str) -> Iterator[str]:
    """The shapes that a value may have of which nothing is typed at the end of a line, to be put in: with
    whoever may stand there now, and a word to replace where nobody may or the words are somebody's own."""
    line, field = take_apart(text, fitting.rules.by_verb), fitting.field_at(text)
    if line is None or field is None or tells_entries(field):
        return
    whole = fitting.kind_of(field)
    if not line.parts[-1].text.strip():
        kind, told = whole, shapes(line.verb, field._replace(kind=whole))
    else:
        inner = (one for one in fitting.slots_at(text) if not one.typed.strip() and not one.naming)
        found = next((one.kind for one in inner if one.path), None)
        if found is None:
            return
        kind, told = found, shapes(line.verb, field, found)
    # A list of one is that one, which is offered by itself.
    seen = {f"[{word}]" for word in fitting.words(text)}
    for shape in told:
        tree = read_text(shape, "").tree if shape[0] in "{[" else None
        if tree is not None:
            put, plain = _put_in(fitting, data_of(tree), text)
            if plain not in seen and reads(kind, plain):
                seen.add(plain)
                yield put


def _put_in(fitting: Fitting, data: Data, text: str) -> tuple[str, str]:
    """What is put in for a value behind a line, in YAML, with its stops and without them."""
    put, plain = "", ""
    there = {*fitting.words(text)}
    if isinstance(data, list):
        for value in data[: MOST_PARTS if isinstance(data[0], Mapping) else 2]:
            begun = f"{text}[{plain}{', ' if plain else ''}"
            word, said = _put_in(fitting, value, begun)
            if plain and (said == WORD or said in there or f", {said}" in f", {plain}"):
                break
            lead = ", " if plain else ""
            put, plain = f"{put}{lead}{word}", f"{plain}{lead}{said}"
        return f"[{put}]", f"[{plain}]"
    if not isinstance(data, Mapping):
        return _leaf(fitting, str(data), text)
    alone = {word for word in there if not word.endswith(": ")}
    for key, value in [*data.items()][:MOST_PARTS]:
        begun = f"{text}{{{plain}{', ' if plain else ''}"
        slots = [one for one in fitting.slots_at(begun) if one.naming]
        word = name = scalar(key, flow=True)
        own = any(_declared(one, key) for one in slots) or f"{name}: " in fitting.words(begun)
        if slots and not own:
            if plain and isinstance(value, Mapping):
                continue
            word, name = _leaf(fitting, key, begun, naming=True, but=alone)
            if plain and name == WORD:
                # Nobody else may stand there.
                break
        word_of, said = _put_in(fitting, value, f"{begun}{name}: ")
        lead = ", " if plain else ""
        put, plain = f"{put}{lead}{word}: {word_of}", f"{plain}{lead}{name}: {said}"
    return f"{{{put}}}", f"{{{plain}}}"


def _declared(slot: Slot, key: str) -> bool:
    """Whether a key is one of a mapping's own, and nobody's name."""
    kinds = map(recorded, alternatives(slot.kind)) if slot.kind is not None else ()
    parts = (one.part.fields for one in kinds if isinstance(one, PartOf))
    return any(key in one for one in parts) or key in slot.schema.get("properties", {})


def _leaf(
    fitting: Fitting,
    example: str,
    text: str,
    *,
    naming: bool = False,
    but: Collection[str] = (),
) -> tuple[str, str]:
    """One word of a value, ``but`` for some, with its stop and without."""
    slots = [one for one in fitting.slots_at(text) if one.naming is naming]
    if not naming and any(map(_fallen, slots)):
        return FACE, "1"
    for told in fitting.words(text):
        word = told.removesuffix(": ")
        if (word != told) is naming and word not in but:
            return f"{STOP[0]}{word}{STOP[1]}", word
    for word in (WORD, f"{WORD} & {WORD}"):
        if naming or not slots or any(_takes(one, word) for one in slots):
            return f"{STOP[0]}{word}{STOP[1]}", word
    return f"{STOP[0]}{example}{STOP[1]}", scalar(example, flow=True)


def _takes(slot: Slot, word: str) -> bool:
    """Whether any word may stand in a place, and not only one of a few or a number."""
    return own_words(slot) or (reads(slot.kind, word) if slot.kind else slot.role is not None)


def _fallen(slot: Slot) -> bool:
    """Whether the faces of dice stand in a place."""
    if slot.kind is None:
        return types_in(slot.schema) == _FELL
    some = (one.get("items", {}) for one in (slot.schema, slot.kind.schema()))
    return any(types_in(one) == _FELL for one in some if "type" in one)
