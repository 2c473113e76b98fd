"""Plain data as YAML, laid out as a careful person types an entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from chronicle.core.source import ScalarNode, SequenceNode, Value
from chronicle.syntax.yaml_traps import quote_text

Data = Any
"""A text, a number, a truth value, or a list or mapping of them."""

_PLAIN_IN_BLOCK: Final = re.compile(r"(?:[^\W_]|[(+$€£_…“„‘’«]|-(?=[^\s]))[^\n\r\t#]*")
_PLAIN_IN_FLOW: Final = re.compile(r"(?:[^\W_]|[(+$€£_…“„‘’«]|-(?=[^\s]))[^\n\r\t#,\[\]{}]*")
_NEEDS_QUOTES: Final = re.compile(r":(?=\s|$)|\s$")
MAX_FLOW_MAPPING_WIDTH: Final = 110
"""A mapping in braces that makes its line wider gets lines of its own."""


def plain_data(value: Value) -> Data:
    """Convert a value with positions to plain data."""
    if isinstance(value, ScalarNode):
        return str(value)
    if isinstance(value, SequenceNode):
        return [plain_data(inner_value) for inner_value in value]
    return {str(key): plain_data(inner_value) for key, inner_value in value.items()}


def write_scalar(value: Data, *, in_flow: bool) -> str:
    """Write a single value on one line, in quotes only where it needs them.

    Args:
        value: A text, a number, a truth value or None.
        in_flow: Whether it goes inside brackets or braces.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "" if value is None else str(value)
    if text in ("+", "-", "o", "~") or not text:
        return text if text in ("+", "o", "") and not (in_flow and not text) else quote_text(text)
    plain_match = (_PLAIN_IN_FLOW if in_flow else _PLAIN_IN_BLOCK).fullmatch(text)
    return text if plain_match and not _NEEDS_QUOTES.search(text) else quote_text(text)


def write_flow(value: Data) -> str:
    """Write a value on one line, for use inside brackets or braces."""
    if isinstance(value, Mapping):
        pairs = (
            f"{write_scalar(key, in_flow=True)}: {write_flow(inner_value)}"
            for key, inner_value in value.items()
        )
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(write_flow, value)) + "]"
    return write_scalar(value, in_flow=True)


def write_entry(entry: Mapping[str, Data]) -> str:
    """Write an entry as YAML, without its dash."""
    return "\n".join(row for key, value in entry.items() for row in _pair_rows(key, value))


def _pair_rows(key: str, value: Data) -> Iterator[str]:
    key_text = write_scalar(key, in_flow=False)
    if isinstance(value, str) and "\n" in value:
        block_indicator = "|2-" if value[:1].isspace() else "|"
        yield f"{key_text}: {block_indicator}"
        yield from (f"  {row}" if row.strip() else "" for row in value.strip("\n").split("\n"))
    elif isinstance(value, (list, tuple)) and has_mappings(value):
        yield f"{key_text}:"
        yield from _list_rows(value)
    elif isinstance(value, Mapping) and (
        any(
            isinstance(inner_value, (list, tuple)) and has_mappings(inner_value)
            for inner_value in value.values()
        )
        or len(write_flow(value)) + len(key_text) > MAX_FLOW_MAPPING_WIDTH
    ):
        yield f"{key_text}:"
        for inner_key, inner_value in value.items():
            yield from (f"  {row}" for row in _pair_rows(inner_key, inner_value))
    else:
        yield (
            f"{key_text}: {_value_in_row(value)}".rstrip()
            if value not in (None, "")
            else f"{key_text}:"
        )


def has_mappings(values: Iterable[Data]) -> bool:
    """Whether a list holds a mapping."""
    return any(isinstance(inner_value, Mapping) for inner_value in values)


def _list_rows(values: Iterable[Data]) -> Iterator[str]:
    for inner_value in values:
        if isinstance(inner_value, Mapping):
            first_row, *inner_rows = write_entry(inner_value).split("\n")
            yield f"- {first_row}"
            yield from (f"  {row}" if row else row for row in inner_rows)
        else:
            yield f"- {_value_in_row(inner_value)}"


def _value_in_row(value: Data) -> str:
    if isinstance(value, (Mapping, list, tuple)):
        return write_flow(value)
    return write_scalar(value, in_flow=False)
