"""``chronicle fmt``: a standard layout for logs that does not change their meaning.

An entry begins with its verb and its actor and ends with its text; values in brackets stay on one line if
they fit; long texts are folded; comments stay in place. Every part of a file is formatted separately, and then
parsed: a part that would read differently stays as typed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

from chronicle.core.source import MappingNode, SequenceNode
from chronicle.syntax.edit import last_line_of_entry
from chronicle.syntax.reader import read_text
from chronicle.syntax.reshape import CannotReshape, Indents, block_scalar, reshape
from chronicle.syntax.text_edit import EditRefused, comments_in, last_line_of_value, tree_of

MAX_LINE_WIDTH: Final = 120
"""Maximum width of a line that can be broken."""

KEYS_AFTER_VERB: Final = ("by",)
KEYS_AT_END: Final = ("under", "allow", "text", "note")
"""Keys that come right after the verb of an entry, and keys that come last."""

_INDENTS: Final = Indents(2, 2, 0)
_LINE_BREAK: Final = re.compile("\r\n|\r|\n")
_FOLDED_INDENT: Final = 6
"""Typical indentation of a folded text."""
_PLAIN_PAIR: Final = re.compile(
    r"([a-z]+(?: [a-z]+)*): [A-Za-z][A-Za-z0-9.,;!?'()-]*(?: [A-Za-z0-9.,;!?'()-]+)*"
)
"""A key with words that can be written in only one way."""
_CHARACTER_TO_ESCAPE: Final = re.compile(
    r"^\s|\s\Z|[^\S \n]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]"
)


class _Section(NamedTuple):
    """A pair of the head, the line ``log:``, or an entry, with its first and its last line."""

    first_line: int
    last_line: int
    section_kind: str


def format_layout(session_text: str, path: str, verbs: Collection[str] = ()) -> str:
    """The text of a session (or of settings) in the standard layout. ``verbs`` are those of its game.

    Raises:
        EditRefused: if it has problems, or would read differently.
    """
    tree = tree_of(session_text, path)
    first_break_match = _LINE_BREAK.search(session_text)
    lines = _LINE_BREAK.split(session_text)
    sections = list(_split_sections(tree, len(lines)))
    if any(
        section.last_line >= next_section.first_line for section, next_section in pairwise(sections)
    ):
        raise EditRefused(f"{path} is written in brackets; give every entry lines of its own first")
    formatted_lines: list[str] = []
    formatted_line_count = 0
    for section in sections:
        _add_lines_between(lines[formatted_line_count : section.first_line - 1], formatted_lines)
        section_lines = lines[section.first_line - 1 : section.last_line]
        formatted_lines += (
            ["log:"]
            if section.section_kind == "log"
            else _format_section(section_lines, section.section_kind == "entry", verbs, path)
        )
        formatted_line_count = section.last_line
    _add_lines_between(lines[formatted_line_count:], formatted_lines)
    while formatted_lines and not formatted_lines[-1]:
        formatted_lines.pop()
    new_text = (first_break_match.group() if first_break_match else "\n").join(
        [*formatted_lines, ""]
    )
    if tree_of(new_text, path) != tree or comments_in(new_text, path) != comments_in(
        session_text, path
    ):
        raise EditRefused(f"{path} was left alone: laid out anew, it would read differently")
    return new_text


def _split_sections(tree: MappingNode, line_count: int) -> Iterator[_Section]:
    pairs = list(tree.items())
    for key, value in pairs:
        if key != "log" or not isinstance(value, SequenceNode):
            yield _Section(key.line, last_line_of_value(value, key.line), "pair")
            continue
        yield _Section(key.line, key.line, "log")
        for entry_node in value:
            yield _Section(entry_node.line, last_line_of_entry(entry_node), "entry")


def _add_lines_between(lines: list[str], formatted_lines: list[str]) -> None:
    """Add the lines between two parts: comments, and one empty line if there was any."""
    for line in map(str.strip, lines):
        if line or (formatted_lines and formatted_lines[-1] and formatted_lines[-1] != "log:"):
            formatted_lines.append(line)


def _format_section(
    section_lines: list[str], is_entry: bool, verbs: Collection[str], path: str
) -> list[str]:
    """A part in the standard layout; as typed, if it would read differently."""
    lines_as_typed = [*section_lines]
    if is_entry:
        dash_column = section_lines[0].index("-")
        value_column = (
            dash_column
            + 1
            + len(section_lines[0][dash_column + 1 :])
            - len(section_lines[0][dash_column + 1 :].lstrip())
        )
        section_lines = [" " * value_column + section_lines[0][value_column:], *section_lines[1:]]
        if any(line.strip() and line[:value_column].strip() for line in section_lines):
            return _move_to_margin(lines_as_typed, is_entry)
        section_lines = [line[value_column:] for line in section_lines]
    if _is_standard_layout(section_lines, verbs if is_entry else ()):
        return (
            [("  " if line_index else "- ") + line for line_index, line in enumerate(section_lines)]
            if is_entry
            else section_lines
        )
    section_text = "\n".join([*section_lines, ""])
    formatted_text = next(
        (
            reshaped_text
            for verbs_for_order in (verbs if is_entry else None, None)
            for reshaped_text in [_reshape_section(section_text, verbs_for_order)]
            if reshaped_text is not None and _has_same_meaning(section_text, reshaped_text, path)
        ),
        None,
    )
    if formatted_text is None:
        return _move_to_margin(lines_as_typed, is_entry)
    formatted_rows = formatted_text.removesuffix("\n").split("\n")
    return (
        [
            ("- " if line_index == 0 else "  " if row else "") + row
            for line_index, row in enumerate(formatted_rows)
        ]
        if is_entry
        else formatted_rows
    )


def _is_standard_layout(section_lines: list[str], verbs: Collection[str]) -> bool:
    """Whether the lines have only plain words that fit, in the standard order. Most of a long log is in this
    form and stays unchanged."""
    keys = [pair_match[1] for line in section_lines if (pair_match := _PLAIN_PAIR.fullmatch(line))]
    if len(set(keys)) < len(section_lines) or max(map(len, section_lines)) > MAX_LINE_WIDTH - 2:
        return False
    return not verbs or _order_keys(keys, verbs) == keys


def _move_to_margin(section_lines: list[str], is_entry: bool) -> list[str]:
    """Move an entry to the left if its dash was indented, to match the others."""
    if is_entry and not section_lines[0].startswith("-"):
        dash_column = section_lines[0].index("-")
        return [
            line[dash_column:] if not line[:dash_column].strip() else line for line in section_lines
        ]
    return section_lines


def _reshape_section(section_text: str, verbs: Collection[str] | None) -> str | None:
    def restyle(entry_data: Any) -> None:
        if not isinstance(entry_data, dict):
            raise CannotReshape("no mapping")
        if verbs is not None:
            _reorder_keys(entry_data, verbs)
        _apply_style(entry_data, MAX_LINE_WIDTH - 2)

    try:
        formatted_text = reshape(section_text, _INDENTS, restyle)
        # Quotes that were added in the first pass get the standard form in a second.
        return (
            formatted_text
            if formatted_text == section_text
            else reshape(formatted_text, _INDENTS, restyle)
        )
    except CannotReshape:
        return None


def _has_same_meaning(section_text: str, formatted_text: str, path: str) -> bool:
    old_parsed, new_parsed = read_text(section_text, path), read_text(formatted_text, path)
    return (
        old_parsed.tree == new_parsed.tree
        and len(new_parsed.problems) <= len(old_parsed.problems)
        and comments_in(section_text, path) == comments_in(formatted_text, path)
    )


def _order_keys(keys: list[str], verbs: Collection[str]) -> list[str]:
    """The standard order of keys: verb, actor, others as typed, texts."""
    verb_keys = [key for key in keys if key in verbs][:1] or keys[:1]
    other_keys = [key for key in keys if key not in verb_keys]
    return [
        *verb_keys,
        *(key for key in KEYS_AFTER_VERB if key in other_keys),
        *(key for key in other_keys if key not in KEYS_AFTER_VERB and key not in KEYS_AT_END),
        *(key for key in KEYS_AT_END if key in other_keys),
    ]


def _reorder_keys(entry_data: Any, verbs: Collection[str]) -> None:
    """Put the pairs of an entry into the standard order."""
    keys = list(entry_data)
    ordered_keys = _order_keys(keys, verbs)
    if ordered_keys != keys:
        for key in ordered_keys:
            entry_data.move_to_end(key)


def _apply_style(value: Any, available_width: int) -> Any:
    """A value with standard brackets and quotes. ``available_width`` is what is left of its line."""
    if isinstance(value, dict | list):
        _open_long_brackets(value, available_width)
    if isinstance(value, dict):
        for key, inner_value in value.items():
            value[key] = _apply_style(
                inner_value,
                available_width - 2
                if isinstance(inner_value, dict | list)
                else available_width - len(key) - 2,
            )
    elif isinstance(value, list):
        for item_index, inner_value in enumerate(value):
            value[item_index] = _apply_style(inner_value, available_width - 2)
    elif isinstance(value, str):
        return _style_text(value, available_width)
    return value


def _open_long_brackets(mapping_or_list: Any, available_width: int) -> None:
    """Turn brackets that do not fit on a line into lines.

    Raises:
        CannotReshape: if they contain a key without a value, which would look like something else.
    """
    if not mapping_or_list.fa.flow_style():
        return
    if isinstance(mapping_or_list, dict) and None in mapping_or_list.values():
        raise CannotReshape("a key without a value stands in brackets")
    if mapping_or_list and len(_inline_text(mapping_or_list)) > available_width:
        mapping_or_list.fa.set_block_style()


def _inline_text(value: Any) -> str:
    """The approximate text of a value on one line."""
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{key}: {_inline_text(inner_value)}" for key, inner_value in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline_text, value)) + "]"
    return str(value)


def _style_text(scalar: Any, available_width: int) -> Any:
    """A text with standard quotes; a paragraph that is too long for its line is folded."""
    from ruamel.yaml.scalarstring import (
        DoubleQuotedScalarString,
        FoldedScalarString,
        ScalarString,
        SingleQuotedScalarString,
    )

    if isinstance(scalar, DoubleQuotedScalarString | SingleQuotedScalarString):
        if "\n" in scalar and not _CHARACTER_TO_ESCAPE.search(scalar.removesuffix("\n")):
            return block_scalar(str(scalar))
        takes_single_quotes = '"' in scalar and "'" not in scalar and scalar.isprintable()
        return (SingleQuotedScalarString if takes_single_quotes else DoubleQuotedScalarString)(
            scalar
        )
    if isinstance(scalar, FoldedScalarString):
        paragraphs = _LINE_BREAK.split(str(scalar).removesuffix("\n"))
        fold_positions = [0, *getattr(scalar, "fold_pos", ()), len(scalar)]
        longest_line_width = max(
            line_end - line_start for line_start, line_end in pairwise(fold_positions)
        )
        return (
            scalar
            if len(paragraphs) > 1 or longest_line_width <= MAX_LINE_WIDTH
            else _as_folded_scalar(scalar)
        )
    if isinstance(scalar, ScalarString) or len(scalar) <= available_width:
        return scalar
    return _as_folded_scalar(scalar)


def _as_folded_scalar(value: str) -> Any:
    """A text of one paragraph, folded to the line width."""
    from ruamel.yaml.scalarstring import FoldedScalarString

    paragraph = value.removesuffix("\n")
    if _CHARACTER_TO_ESCAPE.search(paragraph) or "\n" in paragraph or "  " in paragraph:
        return value
    folded_scalar = FoldedScalarString(value)
    folded_scalar.fold_pos = _fold_positions_of(paragraph.split(" "))
    return folded_scalar


def _fold_positions_of(words: list[str]) -> list[int]:
    """The positions in a paragraph where lines end."""
    fold_positions: list[int] = []
    text_position = line_width = 0
    for word in words:
        if line_width and line_width + 1 + len(word) > MAX_LINE_WIDTH - _FOLDED_INDENT:
            fold_positions.append(text_position - 1)
            line_width = 0
        line_width += len(word) + bool(line_width)
        text_position += len(word) + 1
    return fold_positions
