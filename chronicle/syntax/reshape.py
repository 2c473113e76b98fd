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

_NO_LINE_LIMIT: Final = 1 << 20


class Indents(NamedTuple):
    """How far a file indents a mapping, a sequence, and the dash in it."""

    mapping_indent: int
    sequence_indent: int
    dash_indent: int


class CannotReshape(Exception):
    """ruamel.yaml cannot read or write this text."""


class _RawResolver(VersionedResolver):
    """Every plain scalar is the text as typed; only nothing at all is nothing."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """The tag of a node: never a number, a truth or a date."""
        if kind is not YamlScalarNode:
            return super().resolve(kind, value, implicit)
        is_empty = implicit[0] and value == ""
        return Tag(suffix="tag:yaml.org,2002:null") if is_empty else self.DEFAULT_SCALAR_TAG


class _RawEmitter(RoundTripEmitter):
    """Nothing is written as nothing, in braces too, where ruamel.yaml would say ``null``: a word here."""

    def choose_scalar_style(self) -> Any:
        """The style of a scalar: plain, where it is empty and the value of a key."""
        is_empty = self.event.value == "" and self.event.tag == "tag:yaml.org,2002:null"
        if is_empty and self.mapping_context and not self.simple_key_context:
            return ""
        return super().choose_scalar_style()

    def write_plain(self, text: Any, split: Any = True) -> None:
        """A plain scalar; nothing in braces as a blank, since ``goal:}`` would be all one word."""
        if not text and self.flow_level:
            self.write_indicator("", True, whitespace=True)
        else:
            super().write_plain(text, split)


def find_indents(log: SequenceNode) -> Indents:
    """How a file indents, seen at its list of entries."""
    dash_indent = log.column - 1
    first_mapping = next(
        (inner_value for inner_value in log if isinstance(inner_value, MappingNode)), None
    )
    dash_width = (
        first_mapping.column - log.column
        if first_mapping is not None and first_mapping.line == log.line
        else 2
    )
    default_indent = 2
    nodes_left: list[Value] = list(log)
    while nodes_left:
        node = nodes_left.pop(0)
        if isinstance(node, MappingNode):
            for key, value in node.items():
                if isinstance(value, MappingNode) and value.line > key.line:
                    return Indents(value.column - key.column, dash_indent + dash_width, dash_indent)
                nodes_left.append(value)
        elif isinstance(node, SequenceNode):
            nodes_left.extend(node)
    return Indents(default_indent, dash_indent + dash_width, dash_indent)


def reshape(yaml_text: str, indents: Indents, change_data: Callable[[Any], None]) -> str:
    """``yaml_text`` with ``change_data`` done to its tree (plain mappings, lists and strings), laid out alike.

    Raises:
        CannotReshape: when ruamel.yaml cannot do it.
    """
    yaml = YAML(typ="rt")
    yaml.Resolver = _RawResolver
    yaml.Emitter = _RawEmitter
    yaml.preserve_quotes = True
    yaml.allow_duplicate_keys = False
    yaml.width = _NO_LINE_LIMIT
    yaml.brace_single_entry_mapping_in_flow_sequence = True
    mapping_indent, sequence_indent, dash_indent = indents
    yaml.indent(mapping=mapping_indent, sequence=sequence_indent, offset=dash_indent)
    newline = "\r\n" if "\r\n" in yaml_text else "\n"
    output = io.StringIO()
    try:
        data = yaml.load(yaml_text.replace("\r\n", "\n"))
        change_data(data)
        yaml.dump(data, output)
    except (YAMLError, ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        raise CannotReshape(
            str(error).splitlines()[0] if str(error) else "no reason given"
        ) from None
    return output.getvalue().replace("\n", newline)


def block_scalar(value: str) -> Any:
    """A text of several lines as a block after ``|``; of one line as it is."""
    from ruamel.yaml.scalarstring import LiteralScalarString

    return LiteralScalarString(value) if "\n" in value else value


def ruamel_data(value: Value) -> Any:
    """A value as read, as ruamel.yaml takes it: nothing resolved."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, SingleQuotedScalarString

    if isinstance(value, ScalarNode):
        if "\n" in value:
            return block_scalar(str(value))
        if value.style == "'":
            return SingleQuotedScalarString(str(value))
        if value.style:
            return DoubleQuotedScalarString(str(value))
        return str(value) or None
    if isinstance(value, SequenceNode):
        return CommentedSeq([ruamel_data(inner_value) for inner_value in value])
    return CommentedMap(
        [(str(key), ruamel_data(inner_value)) for key, inner_value in value.items()]
    )
