"""Entries as a careful keeper types them: from plain data to YAML, and from one line to plain data.

The one line of the desk is an entry without its dash, in which what needs no brackets goes without::

    draw Patience: tarred twice, to: Joss       draw: {Patience: tarred twice}
                                                to: Joss

Entries told inside another stand behind who tells them, one after the other::

    outcome Joss: event She jumps / keep 3 / Marit: fact It is cold
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from chronicle.core.declare import (
    BLOCK,
    TEXT,
    Action,
    Field,
    Kind,
    MapOf,
    OrUnrecorded,
    PartOf,
    alternatives,
    bare,
)
from chronicle.core.refused import Refused
from chronicle.core.source import Items, Value, Word
from chronicle.transcript.reader import read_text
from chronicle.transcript.traps import quoted

Data = Any
"""A text, a number, a truth, or a list or mapping of them."""

_BLOCK: Final = re.compile(r"(?:[^\W_]|[(+$€£_…“„‘’«]|-(?=[^\s]))[^\n\r\t#]*")
_FLOW: Final = re.compile(r"(?:[^\W_]|[(+$€£_…“„‘’«]|-(?=[^\s]))[^\n\r\t#,\[\]{}]*")
_COLON: Final = re.compile(r":(?=\s|$)|\s$")
MOST_WIDE: Final = 110
"""A mapping in braces that makes its line wider stands on lines of its own."""
THEN: Final = "/"
"""Between spaces: the next entry of those that are told inside another."""


# -- from data to YAML -----------------------------------------------------------------------------


def scalar(value: Data, *, flow: bool) -> str:
    """A single value on one line, in quotes only where it needs them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "" if value is None else str(value)
    if text in ("+", "-", "o", "~") or not text:
        return text if text in ("+", "o", "") and not (flow and not text) else quoted(text)
    if (_FLOW if flow else _BLOCK).fullmatch(text) and not _COLON.search(text):
        return text
    return quoted(text)


def flowing(value: Data) -> str:
    """A value within braces or brackets."""
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(f"{scalar(k, flow=True)}: {flowing(v)}" for k, v in value.items()) + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flowing, value)) + "]"
    return scalar(value, flow=True)


def entry_text(entry: Mapping[str, Data]) -> str:
    """An entry as YAML, without its dash."""
    return "\n".join(row for key, value in entry.items() for row in _rows(key, value))


def _rows(key: str, value: Data) -> Iterator[str]:
    name = scalar(key, flow=False)
    if isinstance(value, str) and "\n" in value:
        lead = "|2-" if value[:1].isspace() else "|"
        yield f"{name}: {lead}"
        yield from (f"  {row}" if row.strip() else "" for row in value.strip("\n").split("\n"))
    elif isinstance(value, (list, tuple)) and any(isinstance(one, Mapping) for one in value):
        yield f"{name}:"
        yield from _entries(value)
    elif isinstance(value, Mapping) and (
        any(isinstance(one, (list, tuple)) and _nested(one) for one in value.values())
        or len(flowing(value)) + len(name) > MOST_WIDE
    ):
        yield f"{name}:"
        for inner, item in value.items():
            yield from (f"  {row}" for row in _rows(inner, item))
    else:
        yield f"{name}: {_row(value)}".rstrip() if value not in (None, "") else f"{name}:"


def _nested(value: Iterable[Data]) -> bool:
    return any(isinstance(one, Mapping) for one in value)


def _entries(value: Iterable[Data]) -> Iterator[str]:
    for one in value:
        if isinstance(one, Mapping):
            first, *rest = entry_text(one).split("\n")
            yield f"- {first}"
            yield from (f"  {row}" if row else row for row in rest)
        else:
            yield f"- {_row(one)}"


def _row(value: Data) -> str:
    """A value that ends its line."""
    if isinstance(value, (Mapping, list, tuple)):
        return flowing(value)
    return scalar(value, flow=False)


def line_of(
    entry: Mapping[str, Data], verbs: Mapping[str, type[Action]], *, inner: bool = False
) -> str:
    """An entry as one line of the desk; empty where it cannot be one. What is told under ``text`` stands
    beside it; of an entry told ``inner`` another one, in the line."""
    (verb, value), *rest = (pair for pair in entry.items() if inner or pair[0] != "text")
    tells = verb in verbs and tells_entries(verbs[verb].main) and isinstance(value, Mapping)
    if tells:
        value = {who: [_one_line(one) for one in entries] for who, entries in value.items()}
    parts = [f"{verb} {_told_line(value, verbs) if tells else _bare(value)}".rstrip()]
    parts += [f"{key}: {_bare(item, within=True)}".rstrip() for key, item in rest]
    line = (f" {THEN} " if tells else ", ").join(parts)
    try:
        same = "\n" not in line and entry_in(line, verbs) == {verb: value, **dict(rest)}
    except Misspoken:
        same = False
    return line if same else ""


def _one_line(entry: Data) -> Data:
    """An entry whose story ends where its words end."""
    if not isinstance(entry, Mapping) or "text" not in entry:
        return entry
    return {**entry, "text": str(entry["text"]).strip()}


def _told_line(value: Mapping[str, Data], verbs: Mapping[str, type[Action]]) -> str:
    then = f" {THEN} "
    told = (
        f"{who}: {then.join(line_of(one, verbs, inner=True) for one in entries)}"
        for who, entries in value.items()
    )
    return then.join(told)


def _bare(value: Data, *, within: bool = False) -> str:
    if isinstance(value, Mapping):
        text = flowing(value)
        return text if within and len(value) > 1 else text[1:-1]
    if isinstance(value, (list, tuple)):
        bare = not within and len(value) > 1 and not _nested(value)
        return ", ".join(map(flowing, value)) if bare else flowing(value)
    return (
        "" if value is None else scalar(value, flow=True) if isinstance(value, bool) else str(value)
    )


def data_of(value: Value) -> Data:
    """A value as it was read, as plain data."""
    if isinstance(value, Word):
        return str(value)
    if isinstance(value, Items):
        return [data_of(one) for one in value]
    return {str(key): data_of(one) for key, one in value.items()}


# -- from one line to data -------------------------------------------------------------------------


class Misspoken(Refused):
    """A line that is no entry; the message says why."""


class Part(NamedTuple):
    """A key of a line with what is typed behind it. ``start`` is where the typed text begins."""

    key: str
    text: str
    start: int


class Line(NamedTuple):
    """A line taken apart: the verb, and its keys; the first part is the value of the verb itself."""

    verb: type[Action]
    parts: tuple[Part, ...]


def verb_in(text: str, verbs: Mapping[str, type[Action]]) -> str:
    """The verb that a line starts with, the longest there is; empty if none."""
    words = text.casefold().lstrip("- ")
    found = ""
    for name in verbs:
        if words.startswith(name) and len(name) > len(found):
            rest = words[len(name) :]
            if not rest or not rest[0].isalnum():
                found = name
    return found


def take_apart(text: str, verbs: Mapping[str, type[Action]]) -> Line | None:
    """A line as verb and keys; None if it starts with no verb."""
    name = verb_in(text, verbs)
    if not name:
        return None
    verb = verbs[name]
    lead = len(text) - len(text.lstrip("- "))
    at = lead + len(name)
    # A colon behind the verb is how it will stand in the file.
    colon = re.match(r"\s*:?\s*", text[at:])
    at += colon.end() if colon else 0
    starts = [(name, at, at)]
    for comma in _commas(text, at, THEN if tells_entries(verb.main) else ","):
        key = _key_at(text, comma + 1, verb.fields)
        if key is not None:
            starts.append((key[0], comma, key[1]))
    parts = []
    for (key_name, _, start), after in zip(starts, [*starts[1:], ("", len(text), 0)], strict=True):
        parts.append(Part(key_name, text[start : after[1]], start))
    return Line(verb, tuple(parts))


def _key_at(text: str, start: int, fields: Mapping[str, Field]) -> tuple[str, int] | None:
    """The key of an entry that stands at a place, and where its value starts."""
    found = re.match(r"\s*([^\W\d]\w*(?: ++\w+)*)\s*:(?=\s|$)\s*", text[start:])
    name = found[1] if found else ""
    return (name, start + found.end()) if found and name in fields else None


def _commas(text: str, start: int, sign: str = ",") -> Iterator[int]:
    """The commas of a line that stand in no quotes and no brackets; or another sign between spaces."""
    depth, quote = 0, ""
    for at in range(start, len(text)):
        one = text[at]
        if quote:
            quote = "" if one == quote else quote
        elif one in "\"'" and (at == start or text[at - 1] in " ,:[{("):
            quote = one
        elif one in "[{":
            depth += 1
        elif one in "]}":
            depth -= 1
        elif (
            one == sign
            and depth <= 0
            and (sign == "," or f"{text} "[at - 1 : at + 2] == f" {sign} ")
        ):
            yield at


def tells_entries(field: Field | None) -> bool:
    """Whether a field holds entries, by who tells them."""
    kind = bare(field.kind) if field is not None else None
    return isinstance(kind, MapOf) and bare(kind.value) is BLOCK


class Inner(NamedTuple):
    """One of the entries that are told inside another. ``start`` is where it begins in their text."""

    teller: str
    text: str
    start: int


def inner_entries(text: str, verbs: Mapping[str, type[Action]]) -> list[Inner]:
    """The entries told inside another, as far as they are typed."""
    found: list[Inner] = []
    teller = ""
    marks = [-1, *_commas(text, 0, THEN), len(text)]
    for begin, end in pairwise(marks):
        part, start = text[begin + 1 : end], begin + 1
        pair = None if verb_in(part, verbs) else pair_in(part)
        if pair is not None:
            teller, part, start = pair[1].strip("\"'"), part[pair.end() :], start + pair.end()
        found.append(Inner(teller, part.strip(), start + len(part) - len(part.lstrip())))
    return found


def told_within(text: str, verbs: Mapping[str, type[Action]]) -> dict[str, list[dict[str, Data]]]:
    """The entries told inside another, by who tells them.

    Raises:
        Misspoken: where there are none, or one of them is none.
    """
    told: dict[str, list[dict[str, Data]]] = {}
    for one in inner_entries(text, verbs):
        if one.text and not one.teller:
            raise Misspoken("say who tells, and then what, as in  outcome Ana: event It rains")
        if one.text:
            told.setdefault(one.teller, []).append(entry_in(one.text, verbs))
    if not told:
        raise Misspoken("say what is told")
    return told


def split(text: str) -> list[tuple[int, str]]:
    """What stands between the commas of a text, each with its place."""
    cuts = [-1, *_commas(text, 0), len(text)]
    return [(one + 1, text[one + 1 : other]) for one, other in pairwise(cuts)]


def entry_in(text: str, verbs: Mapping[str, type[Action]]) -> dict[str, Data]:
    """The entry that a line stands for.

    Raises:
        Misspoken: when it is none.
    """
    line = take_apart(text, verbs)
    if line is None:
        raise Misspoken(
            "a line starts with what is done, in one of the words above, as in  tell It rains"
        )
    entry: dict[str, Data] = {}
    for part in line.parts:
        field = line.verb.main if part.key == line.verb.verb else line.verb.fields[part.key]
        kind = bare(field.kind) if field is not None else TEXT
        if tells_entries(field) and part.text.lstrip()[:1] not in ("{", "["):
            entry[part.key] = told_within(part.text, verbs)
            continue
        entry[part.key] = _value(part.text.strip(), kind, kind.schema(), part.key)
    return entry


def types_in(schema: Mapping[str, Any]) -> set[str]:
    """Which shapes a schema lets through."""
    said = schema.get("type")
    if said is None:
        return {"string"} if "enum" in schema else {"string", "array", "object"}
    return {said} if isinstance(said, str) else set(said)


def _value(text: str, kind: Kind[Any] | None, schema: Mapping[str, Any], key: str) -> Data:
    """What is typed for a value of a kind, or, inside kinds of a game's own, of a schema."""
    if kind is TEXT or not text:
        return text
    types = types_in(schema)
    if text[0] in "{[" and {"object", "array"} & types and len([*split(text)]) == 1:
        return _yaml(text, key)
    if text[0] in "'\"" and text[-1] == text[0] and len(text) > 1:
        return _yaml(text, key)
    things = things_in(kind, text)
    if any(one.keys for one in things):
        within = schema.get("items", {})
        made = [
            _pairs(one.text, kind, schema, key)
            if one.keys
            else _value(one.text.strip(), None, within, key)
            for one in things
            if one.text.strip()
        ]
        return made if len(made) > 1 else made[0]
    if "object" in types and pair_in(text) is not None:
        return _pairs(text, kind, schema, key)
    if "array" in types and not of_sentences(kind):
        parts = [part.strip() for _, part in split(text)]
        if len(parts) > 1:
            return [_value(part, None, schema.get("items", {}), key) for part in parts if part]
    return text


class Thing(NamedTuple):
    """One of several things that a text lists: by its name, or by the keys of a mapping. ``start`` is
    where it begins in the text."""

    start: int
    text: str
    keys: tuple[str, ...] = ()


def things_in(kind: Kind[Any] | None, text: str) -> list[Thing]:
    """The things that a text lists, where each may be a name or a mapping that is written without braces:
    ``Tom, character: ferryman, traits: old, deaf, prop: boat`` are three. What stands behind a key goes on
    in what has room for more of it, and ends where another thing begins: with a name, with a key that
    has been said, or with one that stands apart from it. None where nothing of that may be listed."""
    fields, apart = part_listed(kind)
    found: list[Thing] = []
    if not fields:
        return found
    for start, part in split(text):
        pair = pair_in(part)
        key = pair[1].strip("\"'") if pair is not None else ""
        last = found[-1] if found else Thing(0, "")
        goes_on = bool(last.keys) and (
            not _other(last.keys, key, apart)
            if key in fields
            else pair is not None or not part.strip() or _lists(fields[last.keys[-1]])
        )
        if goes_on:
            keys = (*last.keys, key) if key in fields else last.keys
            found[-1] = Thing(last.start, text[last.start : start + len(part)], keys)
        else:
            found.append(Thing(start, part, (key,) if key in fields else ()))
    return found


def part_listed(kind: Kind[Any] | None) -> tuple[Mapping[str, Field], tuple[str, ...]]:
    """What the mappings may hold that a kind lists, and what of that stands apart; nothing where it lists none."""
    if getattr(bare(kind) if kind is not None else None, "item", None) is not None:
        for one in map(bare, alternatives(kind)):  # type: ignore[arg-type]
            if isinstance(one, PartOf):
                return one.part.fields, one.part.apart
    return {}, ()


def _other(keys: tuple[str, ...], key: str, apart: tuple[str, ...]) -> bool:
    """Whether a key is of another thing than those before it."""
    return key in keys or (key in apart and any(one in apart for one in keys))


def _lists(field: Field) -> bool:
    """Whether more than one may stand behind a key, or a sentence, in which a comma is a comma."""
    return bare(field.kind) is TEXT or "array" in types_in(bare(field.kind).schema())


def of_sentences(kind: Kind[Any] | None) -> bool:
    """Whether a kind holds sentences, in which a comma is a comma."""
    inner = getattr(kind, "item", None)
    if inner is not None:
        return bare(inner) is TEXT
    kinds = getattr(kind, "kinds", ())
    return bool(kinds) and all(one is TEXT or of_sentences(bare(one)) for one in kinds)


def recorded(kind: Kind[Any]) -> Kind[Any]:
    """A kind without its role, of what somebody wrote down."""
    inner = bare(kind)
    return bare(inner.kind) if isinstance(inner, OrUnrecorded) else inner


def declared_under(
    kind: Kind[Any] | None, name: str, within: Callable[[Kind[Any]], Kind[Any]]
) -> Kind[Any] | None:
    """The kind declared for what lies under a name in something of a kind, which is taken as it is ``within``:
    without its role (:func:`bare`), or :func:`recorded`."""
    found: Kind[Any] | None = None
    for one in map(within, alternatives(kind) if kind is not None else ()):
        if isinstance(one, MapOf):
            found = found or one.value
        elif isinstance(one, PartOf) and name in one.part.fields:
            found = found or one.part.fields[name].kind
    return found


def recorded_under(kind: Kind[Any] | None, name: str) -> Kind[Any] | None:
    """The kind of what lies under a name in something of a kind, where somebody wrote it down."""
    found = declared_under(kind, name, recorded)
    return recorded(found) if found is not None else None


def pair_in(text: str) -> re.Match[str] | None:
    """The first name of a pair, ``Patience: tarred twice``."""
    return re.match(
        r"\s*(\"[^\"]*\"|'[^']*'|[^:,\[\]{}\s]+(?:\s++[^:,\[\]{}\s]+)*)\s*:(?=\s|$)\s*", text
    )


def _pairs(
    text: str, kind: Kind[Any] | None, schema: Mapping[str, Any], key: str
) -> dict[str, Data]:
    """``Iben: o+-, Tomas: o-`` as a mapping; what names nobody of its own goes on with the last list, and
    what belongs to the last mapping with that one."""
    found: dict[str, list[str]] = {}
    last = ""
    for _, part in split(text):
        pair = pair_in(part)
        if pair is not None and not (last and goes_on(kind, last, found[last][0], pair)):
            last = pair[1].strip("\"'")
            if last in found:
                raise Misspoken(f"'{last}' stands in '{key}' twice")
            found[last] = [part[pair.end() :].strip()]
        elif part.strip():
            found[last].append(part.strip())
    named = schema.get("properties", {})
    rest = schema.get("additionalProperties", {})
    made: dict[str, Data] = {}
    for name, values in found.items():
        inner = named.get(name, rest if isinstance(rest, dict) else {})
        text = ", ".join(values)
        told = _unquoted(text)
        made[name] = _value(text, recorded_under(kind, name), inner, name) if told is None else told
    return made


def goes_on(kind: Kind[Any] | None, name: str, begun: str, pair: re.Match[str]) -> bool:
    """Whether a pair belongs to the mapping that a name before it has ``begun``: ``use: Mina`` in
    ``Ruiz: gamble: 2, use: Mina``."""
    inner = recorded_under(kind, name)
    fields = inner.part.fields if isinstance(inner, PartOf) else {}
    first = pair_in(begun)
    return first is not None and {first[1], pair[1]} <= {*fields}


def _unquoted(text: str) -> str | None:
    """What stands in quotes, if that is all there is."""
    if len(text) < 2 or text[0] not in "'\"" or text[-1] != text[0]:
        return None
    tree = read_text(text, "").tree
    return str(tree) if isinstance(tree, Word) and tree.style else None


def closed(said: str) -> str:
    """A text with the brackets closed that are open at its end."""
    open_: list[str] = []
    for sign in said:
        if sign in "{[":
            open_.append("}" if sign == "{" else "]")
        elif open_ and sign == open_[-1]:
            open_.pop()
    return said + "".join(reversed(open_))


def _yaml(text: str, key: str) -> Data:
    # A bracket that is still open is closed where the line ends.
    parsed = read_text(closed(text), "")
    bad = next((one for one in parsed.problems if one.severity > 2), None)
    if bad is not None or parsed.tree is None:
        raise Misspoken(f"'{key}': {bad.message if bad else 'there is no value'}")
    return data_of(parsed.tree)
