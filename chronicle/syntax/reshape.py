"""Edits that cannot be spliced: a round trip through ruamel.yaml in which no scalar is resolved.

The round trip may change more (a lost comment, a rewritten die). The caller finds that: it compares the trees
and the comments of both texts.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.emitter import RoundTripEmitter
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import ScalarNode as YamlScalarNode
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.tag import Tag

from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value

_WIDEST: Final = 1 << 20


class Indents(NamedTuple):
    """How far a file indents a mapping, a sequence, and the dash in it."""

    mapping: int
    sequence: int
    dash: int


class Unshaped(Exception):
    """ruamel.yaml cannot read or write this text."""


class _RawResolver(VersionedResolver):
    """Every plain scalar is the text as typed; only nothing at all is nothing."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """The tag of a node: never a number, a truth or a date."""
        if kind is not YamlScalarNode:
            return super().resolve(kind, value, implicit)
        empty = implicit[0] and value == ""
        return Tag(suffix="tag:yaml.org,2002:null") if empty else self.DEFAULT_SCALAR_TAG


class _RawEmitter(RoundTripEmitter):
    """Nothing is written as nothing, in braces too, where ruamel.yaml would say ``null``: a word here."""

    def choose_scalar_style(self) -> Any:
        """The style of a scalar: plain, where it is empty and the value of a key."""
        empty = self.event.value == "" and self.event.tag == "tag:yaml.org,2002:null"
        if empty and self.mapping_context and not self.simple_key_context:
            return ""
        return super().choose_scalar_style()

    def write_plain(self, text: Any, split: Any = True) -> None:
        """A plain scalar; nothing in braces as a blank, since ``goal:}`` would be all one word."""
        if not text and self.flow_level:
            self.write_indicator("", True, whitespace=True)
        else:
            super().write_plain(text, split)


def indents_of(log: SequenceNode) -> Indents:
    """How a file indents, seen at its list of entries."""
    offset = log.column - 1
    first = next((item for item in log if isinstance(item, MappingNode)), None)
    width = first.column - log.column if first is not None and first.line == log.line else 2
    mapping = 2
    waiting: list[Value] = list(log)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, MappingNode):
            for key, value in node.items():
                if isinstance(value, MappingNode) and value.line > key.line:
                    return Indents(value.column - key.column, offset + width, offset)
                waiting.append(value)
        elif isinstance(node, SequenceNode):
            waiting.extend(node)
    return Indents(mapping, offset + width, offset)


def reshaped(text: str, indents: Indents, change: Callable[[Any], None]) -> str:
    """``text`` with ``change`` done to its tree (plain mappings, lists and strings), laid out alike.

    Raises:
        Unshaped: when ruamel.yaml cannot do it.
    """
    yaml = YAML(typ="rt")
    yaml.Resolver = _RawResolver
    yaml.Emitter = _RawEmitter
    yaml.preserve_quotes = True
    yaml.allow_duplicate_keys = False
    yaml.width = _WIDEST
    yaml.brace_single_entry_mapping_in_flow_sequence = True
    mapping, sequence, offset = indents
    yaml.indent(mapping=mapping, sequence=sequence, offset=offset)
    newline = "\r\n" if "\r\n" in text else "\n"
    out = io.StringIO()
    try:
        data = yaml.load(text.replace("\r\n", "\n"))
        change(data)
        yaml.dump(data, out)
    except (YAMLError, ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        raise Unshaped(str(error).splitlines()[0] if str(error) else "no reason given") from None
    return out.getvalue().replace("\n", newline)


def literal(value: str) -> Any:
    """A text of several lines as a block after ``|``; of one line as it is."""
    from ruamel.yaml.scalarstring import LiteralScalarString

    return LiteralScalarString(value) if "\n" in value else value


def plain(value: Value) -> Any:
    """A value as read, as ruamel.yaml takes it: nothing resolved."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, SingleQuotedScalarString

    if isinstance(value, ScalarNode):
        if "\n" in value:
            return literal(str(value))
        if value.style == "'":
            return SingleQuotedScalarString(str(value))
        if value.style:
            return DoubleQuotedScalarString(str(value))
        return str(value) or None
    if isinstance(value, SequenceNode):
        return CommentedSeq([plain(item) for item in value])
    return CommentedMap([(str(key), plain(item)) for key, item in value.items()])
