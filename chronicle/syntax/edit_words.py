"""Replace single scalars of a file: names, numbers, sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping

from chronicle.core.source import (
    MappingNode,
    ScalarNode,
    SequenceNode,
    Value,
    count_equal_ends,
    scalars,
)
from chronicle.syntax.reader import read_text
from chronicle.syntax.text_edit import (
    EditRefused,
    Splice,
    apply_splices,
    line_starts_of,
    split_rows,
)
from chronicle.syntax.yaml_text import write_scalar
from chronicle.syntax.yaml_traps import quote_text


def replace_words(
    file_text: str, path: str, new_text_by_position: Mapping[tuple[int, int], str]
) -> str:
    """Replace some of the scalars of a text.

    Args:
        file_text: The text of the file.
        path: Its name.
        new_text_by_position: The new text for the line and column of a scalar.

    Raises:
        EditRefused: if there is no scalar at a place, or something else would change.
    """
    if not new_text_by_position:
        return file_text
    parsed = read_text(file_text, path)
    first_error = next((problem for problem in parsed.problems if problem.severity > 2), None)
    if first_error is not None:
        raise EditRefused(f"{first_error.place}: {first_error.message}; fix that first")
    tree = parsed.tree if parsed.tree is not None else SequenceNode()
    scalar_by_position = {(scalar.line, scalar.column): scalar for scalar in scalars(tree)}
    line_starts = line_starts_of(file_text)
    splices: list[Splice] = []
    for line_and_column, new_word_text in new_text_by_position.items():
        scalar = scalar_by_position.get(line_and_column)
        if scalar is None:
            raise EditRefused(
                f"{path}:{line_and_column[0]}: the file has changed since it was read"
            )
        splices.append(_word_splice(file_text, line_starts, path, scalar, new_word_text))
    new_text = apply_splices(file_text, splices)
    expected_tree = _change_words(tree, new_text_by_position, path)
    reparsed = read_text(new_text, path)
    if reparsed.tree != expected_tree or any(problem.severity > 2 for problem in reparsed.problems):
        raise EditRefused(f"{path} was left alone: the edit would have changed something else")
    return new_text


def _change_words(
    value: Value, new_text_by_position: Mapping[tuple[int, int], str], path: str
) -> Value:
    if isinstance(value, ScalarNode):
        return ScalarNode(new_text_by_position.get((value.line, value.column), value))
    if isinstance(value, SequenceNode):
        return SequenceNode(
            _change_words(inner_value, new_text_by_position, path) for inner_value in value
        )
    new_mapping = MappingNode()
    for key, inner_value in value.items():
        new_key = ScalarNode(new_text_by_position.get((key.line, key.column), key))
        if new_key in new_mapping:
            raise EditRefused(
                f"{path}:{key.line}: '{new_key}' would stand here twice; fix this entry first"
            )
        new_mapping[new_key] = _change_words(inner_value, new_text_by_position, path)
    return new_mapping


def _word_splice(
    file_text: str, line_starts: list[int], path: str, scalar: ScalarNode, new_text: str
) -> Splice:
    """How a scalar gets another text, quoted as before if possible."""
    start_position = line_starts[scalar.line - 1] + scalar.column - 1
    end_position = line_starts[scalar.end_line - 1] + scalar.end_column - 1
    raw_text = file_text[start_position:end_position]
    if scalar.style == "|":
        return Splice(start_position, end_position, _block_text(raw_text, path, scalar, new_text))
    if (
        scalar.line != scalar.end_line
        and not scalar.style
        and "\n" not in scalar
        and "\n" not in new_text
    ):
        return Splice(start_position, end_position, _wrapped_text(raw_text, new_text))
    if scalar.line != scalar.end_line or scalar.style == ">" or "\n" in new_text:
        raise EditRefused(
            f"{path}:{scalar.line}: this text runs over several lines; change it by hand"
        )
    if scalar.style == "'":
        return Splice(start_position, end_position, "'" + new_text.replace("'", "''") + "'")
    if scalar.style == '"':
        needs_no_escape = '"' not in new_text and "\\" not in new_text
        return Splice(
            start_position,
            end_position,
            f'"{new_text}"' if needs_no_escape else quote_text(new_text),
        )
    return Splice(
        start_position,
        end_position,
        new_text if _needs_no_quotes(scalar, new_text) else quote_text(new_text),
    )


def _wrapped_text(raw_text: str, new_text: str) -> str:
    """An unquoted text over several lines with other words, broken at the same words. A text with more or
    fewer words gets one line."""
    words_and_breaks = re.split(r"(\s+)", raw_text)
    new_words = new_text.split(" ")
    if len(new_words) != len(words_and_breaks[::2]):
        return write_scalar(new_text, in_flow=True)
    words_and_breaks[::2] = new_words
    return "".join(words_and_breaks)


def _needs_no_quotes(old_text: str, new_text: str) -> bool:
    """Whether a text needs no quotes in place of a text without quotes."""
    if write_scalar(new_text, in_flow=True) == new_text:
        return True
    same_prefix_length, same_suffix_length = count_equal_ends(old_text, new_text)
    changed_part = new_text[same_prefix_length : len(new_text) - same_suffix_length]
    starts_with_letter = re.match(r"\w", new_text) is not None
    return (
        bool(re.fullmatch(r"[\w .+-]*", changed_part))
        and starts_with_letter
        and new_text == new_text.strip()
    )


def _block_text(raw_text: str, path: str, scalar: ScalarNode, new_text: str) -> str:
    """A block text with some of its lines replaced."""
    old_lines, new_lines = scalar.split("\n"), new_text.split("\n")
    rows, line_breaks = map(list, zip(*split_rows(raw_text), strict=True))
    for row_number, (old_line, new_line) in enumerate(zip(old_lines, new_lines, strict=False), 1):
        if old_line == new_line:
            continue
        is_same_size = len(old_lines) == len(new_lines) and row_number < len(rows)
        if not is_same_size or not rows[row_number].endswith(old_line):
            raise EditRefused(f"{path}:{scalar.line + row_number}: change this line by hand")
        rows[row_number] = rows[row_number][: len(rows[row_number]) - len(old_line)] + new_line
    return "".join(row + line_break for row, line_break in zip(rows, line_breaks, strict=True))
