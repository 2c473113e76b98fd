"""The nodes of a transcript: typed text with positions, before any meaning is assigned.

The reader in ``syntax/`` builds these three classes. Other code may use them as ``str``, ``list`` and
``dict``, and read their positions for messages. Scalars are never resolved: ``no``, ``007``, ``12:30`` and
``-`` stay as typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple


class Place(NamedTuple):
    """A stretch of a file. Lines and columns count from 1; the end column is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


class ScalarNode(str):
    """A scalar: its text as typed, its position, and its quoting. A plain scalar ends at its last letter;
    any other scalar is a :class:`StyledScalarNode`."""

    __slots__ = ("column", "line")

    line: int
    column: int

    def __new__(
        cls,
        text: str,
        line: int = 0,
        column: int = 0,
        end_line: int = 0,
        end_column: int = 0,
        style: str = "",
    ) -> ScalarNode:
        if style or end_line != line or end_column != column + len(text):
            styled_scalar = super().__new__(StyledScalarNode, text)
            styled_scalar.end_line, styled_scalar.end_column, styled_scalar.style = (
                end_line,
                end_column,
                style,
            )
            scalar: ScalarNode = styled_scalar
        else:
            scalar = super().__new__(cls, text)
        scalar.line, scalar.column = line, column
        return scalar

    @property
    def end_line(self) -> int:
        """The line it ends in."""
        return self.line

    @property
    def end_column(self) -> int:
        """The column after its last letter."""
        return self.column + len(self)

    @property
    def style(self) -> str:
        """The YAML indicator (``'``, ``"``, ``|``, ``>``); empty for plain text."""
        return ""

    def __reduce__(self) -> tuple[type[ScalarNode], tuple[str, int, int, int, int, str]]:
        # str subclasses with slots need this for pickling, which snapshots use.
        return (
            ScalarNode,
            (str(self), self.line, self.column, self.end_line, self.end_column, self.style),
        )

    def like(self, text: str) -> ScalarNode:
        """Another text at the same place, such as a name inside a longer scalar."""
        return ScalarNode(text, self.line, self.column, self.end_line, self.end_column, self.style)


class StyledScalarNode(ScalarNode):
    """A scalar that is quoted, or whose end does not follow from its text."""

    __slots__ = ("end_column", "end_line", "style")

    end_line: int
    end_column: int
    style: str


class SequenceNode(list["Value"]):
    """A sequence with its position."""

    __slots__ = ("column", "end_column", "end_line", "line")

    line: int
    column: int
    end_line: int
    end_column: int


class MappingNode(dict[ScalarNode, "Value"]):
    """A mapping with its position, in the order typed. Keys are unique; the reader reports repeats."""

    __slots__ = ("column", "end_column", "end_line", "line")

    line: int
    column: int
    end_line: int
    end_column: int

    def key(self, name: str) -> ScalarNode | None:
        """The key as typed, with its position, or None."""
        for key in self:
            if key == name:
                return key
        return None

    def without(self, keys: Iterable[ScalarNode]) -> MappingNode:
        """The same mapping without some of its keys."""
        removed_positions = {(key.line, key.column) for key in keys}
        remaining_pairs = (
            pair for pair in self.items() if (pair[0].line, pair[0].column) not in removed_positions
        )
        copied_node = MappingNode(remaining_pairs)
        copied_node.line, copied_node.column = self.line, self.column
        copied_node.end_line, copied_node.end_column = self.end_line, self.end_column
        return copied_node

    def renamed(self, key: ScalarNode, new_name: str) -> MappingNode:
        """The same mapping with another name for a key, at the same position."""
        copied_node = MappingNode(
            (key.like(new_name) if old_key is key else old_key, value)
            for old_key, value in self.items()
        )
        copied_node.line, copied_node.column = self.line, self.column
        copied_node.end_line, copied_node.end_column = self.end_line, self.end_column
        return copied_node


Value = ScalarNode | SequenceNode | MappingNode
"""A value as it was typed, with its place: a word, a list or a mapping."""


def scalars(
    value: Value, is_excluded: Callable[[str], bool] = lambda key: False
) -> Iterator[ScalarNode]:
    """Every scalar in a value, keys included, except mappings with a key that ``is_excluded`` accepts."""
    if isinstance(value, ScalarNode):
        yield value
    elif isinstance(value, SequenceNode):
        for nested_value in value:
            yield from scalars(nested_value, is_excluded)
    elif not any(map(is_excluded, value)):
        for key_node, nested_value in value.items():
            yield key_node
            yield from scalars(nested_value, is_excluded)


def place_of(value: Value, path: str) -> Place:
    """The position of a value in the file ``path``."""
    return Place(path, value.line, value.column, value.end_line, value.end_column)


def whole_file(path: str) -> Place:
    """A place for a problem that concerns a file as a whole."""
    return Place(path, 0, 0, 0, 0)


def deep_copy(mapping: MappingNode) -> MappingNode:
    """A deep copy of the mapping."""
    copied_mapping = shift_lines(mapping, 0)
    assert isinstance(copied_mapping, MappingNode)
    return copied_mapping


def shift_lines(value: Value, line_count: int) -> Value:
    """The same value, moved down by ``line_count`` lines."""
    if isinstance(value, ScalarNode):
        line, end_line = value.line + line_count, value.end_line + line_count
        return ScalarNode(str(value), line, value.column, end_line, value.end_column, value.style)
    copied_node: SequenceNode | MappingNode
    if isinstance(value, SequenceNode):
        copied_node = SequenceNode(
            [shift_lines(nested_value, line_count) for nested_value in value]
        )
    else:
        copied_node = MappingNode()
        for key_node, nested_value in value.items():
            shifted_key_node = shift_lines(key_node, line_count)
            assert isinstance(shifted_key_node, ScalarNode)
            copied_node[shifted_key_node] = shift_lines(nested_value, line_count)
    copied_node.line, copied_node.column = value.line + line_count, value.column
    copied_node.end_line, copied_node.end_column = value.end_line + line_count, value.end_column
    return copied_node


def are_same_nodes(first_node: Value, second_node: Value) -> bool:
    """Whether two values have equal texts at equal positions."""
    if type(first_node) is not type(second_node) or first_node != second_node:
        return False
    remaining_pairs: list[tuple[Value, Value]] = [(first_node, second_node)]
    while remaining_pairs:
        first_node, second_node = remaining_pairs.pop()
        if first_node is second_node:
            continue
        if place_of(first_node, "") != place_of(second_node, ""):
            return False
        if isinstance(first_node, ScalarNode) and isinstance(second_node, ScalarNode):
            if first_node.style != second_node.style:
                return False
        elif isinstance(first_node, SequenceNode) and isinstance(second_node, SequenceNode):
            remaining_pairs += zip(first_node, second_node, strict=True)
        elif isinstance(first_node, MappingNode) and isinstance(second_node, MappingNode):
            remaining_pairs += zip(first_node, second_node, strict=True)
            remaining_pairs += zip(first_node.values(), second_node.values(), strict=True)
    return True


def count_equal_ends(
    first_sequence: Sequence[object], second_sequence: Sequence[object]
) -> tuple[int, int]:
    """The number of equal items (lines, letters) at the beginning of two sequences, and at the end of the
    rest."""
    max_common_length = min(len(first_sequence), len(second_sequence))
    equal_start_count = next(
        (
            position
            for position in range(max_common_length)
            if first_sequence[position] != second_sequence[position]
        ),
        max_common_length,
    )
    max_common_length -= equal_start_count
    return equal_start_count, next(
        (
            position
            for position in range(max_common_length)
            if first_sequence[-1 - position] != second_sequence[-1 - position]
        ),
        max_common_length,
    )


def is_empty(value: Value) -> bool:
    """Whether a value is a scalar without any text or quotes."""
    return isinstance(value, ScalarNode) and not value and not value.style


def count_values(node: Value, limit: int) -> int:
    """Count the values in a value, itself included; counting stops at ``limit``."""
    value_count = 0
    remaining_values: list[Value] = [node]
    while remaining_values and value_count < limit:
        value = remaining_values.pop()
        value_count += 1
        if isinstance(value, SequenceNode):
            remaining_values.extend(value)
        elif isinstance(value, MappingNode):
            remaining_values.extend(value.values())
    return value_count
