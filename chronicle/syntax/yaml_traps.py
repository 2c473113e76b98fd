"""Traps of YAML for people who write sentences: text that YAML accepts with another meaning is detected and
reported. Text that YAML refuses is handled in :mod:`chronicle.syntax.yaml_errors`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.field_types import LONG_DASHES
from chronicle.core.fix import Fix, ReplaceText, make_fix
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, place_of
from chronicle.syntax.problems import Problems, problem

LINE_BREAK: Final = re.compile("\r\n|\r|\n")
"""Line breaks of YAML 1.2."""

MERGE_MARKER: Final = re.compile(r"(?m)^(?:<{7} .*|={7}\r?$|>{7} .*|\|{7} .*)")
"""The markers that a version control system leaves after a merge conflict."""

COMMENT_IN_TEXT: Final = r"(?<=[^\s#]) #(?=[^\s#>])"
"""A comment in the sense of YAML that was most likely meant as text."""
CAPITALISED_WORDS: Final = r"[^\W\d_a-z]\S*?(?: [^\W\d_a-z]\S*?)*"
"""Words that each begin with a capital: more likely a name than a sentence."""
_KEY_QUESTION_MARK = r"\?(?!\S)(?<![^\s\[{,-]\?)"
"""A question mark that YAML reads as the sign of a key."""


class EmptyKey(NamedTuple):
    """A key of a mapping in braces whose value is empty."""

    container: MappingNode
    key: ScalarNode


def colon_in_sentence(before_colon: str) -> str:
    """The message about a colon in a sentence that lacks its quotes."""
    sentence_start = " ".join(before_colon.split())
    shown_start = f"{sentence_start[:37]}..." if len(sentence_start) > 40 else sentence_start
    return f"a colon inside a sentence: YAML thinks that '{shown_start}' is a key"


def quote_text(text: str) -> str:
    """The text in quotes, so that YAML reads it unchanged."""
    if not text.isprintable():
        return '"' + "".join(map(_escape_character, text)) + '"'
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def _escape_character(character: str) -> str:
    """A letter inside double quotes, on one line."""
    if character.isprintable():
        return f"\\{character}" if character in '"\\' else character
    short_escape = {"\n": "\\n", "\t": "\\t"}.get(character)
    return short_escape or (
        f"\\u{ord(character):04x}" if character <= "\uffff" else f"\\U{ord(character):08x}"
    )


def without_comment(rest_of_line: str) -> str:
    """The value at the start of a part of a line, without a comment after it."""
    return re.split(r"(?<!\s)\s+#\s", rest_of_line, maxsplit=1)[0].strip()


def second_document_problem(path: str, line_number: int) -> Diagnostic:
    """The problem of a line ``---`` in the middle of a file."""
    return problem(
        "T4",
        "a line --- starts a second document here; what follows is not read",
        Place(path, line_number, 1, line_number, 4),
        "a file is one session",
        fixes=[
            make_fix(ReplaceText("", Place(path, line_number, 1, line_number + 1, 1))),
            make_fix(ReplaceText("# ---")),
        ],
    )


def missing_dash_problem(path: str, key: ScalarNode) -> Diagnostic:
    """The problem of an entry of the log that is a key of the file: the dash is missing, or is a longer
    dash."""
    verb = key.lstrip(LONG_DASHES).strip()
    message = (
        f"'{key}' seems to start an entry, but the dash is missing"
        if verb == key
        else f"an entry starts with a hyphen; '{key[:1]}' is a dash"
    )
    return problem(
        "T18",
        message,
        place_of(key, path),
        fixes=[make_fix(ReplaceText(f"- {verb}:", with_colon(place_of(key, path))), safe=True)],
    )


def with_colon(key_place: Place) -> Place:
    """The place of a key together with its colon."""
    return key_place._replace(end_column=key_place.end_column + 1)


class _ScalarLocation(NamedTuple):
    """A scalar with its container, so that it can be replaced; ``key_or_index`` is None for a key."""

    scalar: ScalarNode
    container: SequenceNode | MappingNode | None
    key_or_index: ScalarNode | int | None


def _scalar_locations(tree: Value) -> Iterator[_ScalarLocation]:
    if isinstance(tree, ScalarNode):
        yield _ScalarLocation(tree, None, None)
    nodes_left = [tree]
    visited_ids: set[int] = set()
    while nodes_left:
        container = nodes_left.pop()
        if isinstance(container, ScalarNode) or id(container) in visited_ids:
            continue
        visited_ids.add(id(container))
        keyed_values: list[tuple[ScalarNode | int, Value]]
        if isinstance(container, SequenceNode):
            keyed_values = list(enumerate(container))
        else:
            keyed_values = list(container.items())
            for member_key in container:
                yield _ScalarLocation(member_key, container, None)
        for key_or_index, value in keyed_values:
            if isinstance(value, ScalarNode):
                yield _ScalarLocation(value, container, key_or_index)
            else:
                nodes_left.append(value)


def find_traps(
    tree: Value,
    text: str,
    first_line_number: int,
    lines: list[str],
    path: str,
    empty_keys: list[EmptyKey],
) -> list[Diagnostic]:
    """The problems in ``text`` that YAML accepts silently. ``text`` starts in line ``first_line_number``; ``lines`` are
    those of the whole file."""
    problems = Problems()
    line_by_comment_position: dict[tuple[int, int], str] = {}
    if " #" in text and re.compile(COMMENT_IN_TEXT).search(text):
        last_line_number = first_line_number + text.count("\n")
        for line_number, line in enumerate(
            lines[first_line_number - 1 : last_line_number], first_line_number
        ):
            for comment_match in re.compile(COMMENT_IN_TEXT).finditer(line):
                line_by_comment_position[line_number, comment_match.start() + 1] = line
    if line_by_comment_position:
        problems.extend(_comment_problems(tree, line_by_comment_position, path))
    if line_by_comment_position or ("?" in text and re.search(_KEY_QUESTION_MARK, text)):
        problems.extend(_question_mark_problems(tree, lines, path))
    problems.extend(_missing_space_problems(tree, lines, path, text))
    problems.extend(_comma_problems(empty_keys, lines, path))
    return problems


def _comment_problems(
    tree: Value, line_by_comment_position: dict[tuple[int, int], str], path: str
) -> Iterator[Diagnostic]:
    for scalar, container, key_or_index in _scalar_locations(tree):
        comment_line = line_by_comment_position.get((scalar.end_line, scalar.end_column))
        if (
            comment_line is None
            or scalar.style
            or not any(character.isalpha() for character in scalar)
        ):
            continue
        rest_of_line = comment_line[scalar.end_column :]
        lost_text = re.split(r"[\],}]|\s{2,}", rest_of_line, maxsplit=1)[0].strip()
        looks_like_number = rest_of_line[1:2].isdigit()
        if looks_like_number:
            # From here on the text is whole, so that the cut causes no further problems.
            whole_scalar = scalar.like(f"{scalar} {lost_text}")
            match container, key_or_index:
                case SequenceNode(), int():
                    container[key_or_index] = whole_scalar
                case MappingNode(), ScalarNode():
                    container[key_or_index] = whole_scalar
        place = Place(
            path,
            scalar.end_line,
            scalar.end_column + 1,
            scalar.end_line,
            scalar.end_column + 1 + len(lost_text),
        )
        whole_text_place = Place(path, scalar.line, scalar.column, place.end_line, place.end_column)
        yield problem(
            "T12",
            f"'{lost_text}' is read as a comment: only '{_shorten(scalar)}' is left",
            place,
            fixes=[
                make_fix(
                    ReplaceText(quote_text(f"{scalar} {lost_text}"), whole_text_place),
                    when="if it belongs to the text",
                ),
                make_fix(ReplaceText(f"# {lost_text.lstrip('#')}"), when="if it is a comment"),
            ],
            kind=DiagnosticKind.UNREADABLE if looks_like_number else DiagnosticKind.SUSPICIOUS,
        )


def _question_mark_problems(tree: Value, lines: list[str], path: str) -> Iterator[Diagnostic]:
    nodes_left: list[Value] = [tree]
    while nodes_left:
        container = nodes_left.pop()
        if isinstance(container, SequenceNode):
            nodes_left.extend(container)
        elif isinstance(container, MappingNode):
            for key, value in container.items():
                text_before = (
                    lines[key.line - 1][: key.column - 1] if key.line <= len(lines) else ""
                )
                if re.search(r"(?:^|[\s\[{,-])\?\s+$", text_before):
                    column = text_before.rindex("?") + 1
                    yield problem(
                        "T16",
                        "a bare ? starts a complex key in YAML",
                        Place(path, key.line, column, key.line, column + 1),
                        fixes=[
                            make_fix(
                                ReplaceText(
                                    quote_text(f"? {key}"),
                                    Place(path, key.line, column, key.end_line, key.end_column),
                                )
                            )
                        ],
                    )
                nodes_left.append(value)


def _missing_space_problems(
    tree: Value, lines: list[str], path: str, text: str
) -> Iterator[Diagnostic]:
    """``by:Ana`` on its own line below a value counts as a continuation of that value."""
    if not re.search(r"(?m)^[ ]+[a-z][a-z ]{0,20}:[^\s/:]", text):
        return
    for scalar, _, _ in _scalar_locations(tree):
        if scalar.style or scalar.end_line <= scalar.line:
            continue
        for line_index in range(scalar.line, scalar.end_line):
            glued_match = re.match(r"[ ]+([a-z][a-z ]{0,20}):([^\s/:].*)", lines[line_index])
            if glued_match is not None:
                column = glued_match.start(1) + 1
                yield problem(
                    "T17",
                    f"a space is missing after '{glued_match[1]}:', so the line counts as more of the text above",
                    Place(
                        path,
                        line_index + 1,
                        column,
                        line_index + 1,
                        column + len(glued_match[1]) + 1,
                    ),
                    f"write  {glued_match[1]}: {glued_match[2].strip()}  at the depth of the entry's other keys",
                    kind=DiagnosticKind.SUSPICIOUS,
                )


def _comma_problems(
    empty_keys: list[EmptyKey], lines: list[str], path: str
) -> Iterator[Diagnostic]:
    reported_mapping_ids: set[int] = set()
    keys_and_positions_by_mapping_id: dict[int, tuple[list[ScalarNode], dict[int, int]]] = {}
    for mapping_with_empty_key, key in empty_keys:
        text_after = lines[key.end_line - 1][key.end_column - 1 :] if key.end_line else ""
        if text_after.lstrip().startswith(":"):
            continue
        if id(mapping_with_empty_key) not in keys_and_positions_by_mapping_id:
            keys_of_mapping = list(mapping_with_empty_key)
            keys_and_positions_by_mapping_id[id(mapping_with_empty_key)] = (
                keys_of_mapping,
                {
                    id(other_key): key_position
                    for key_position, other_key in enumerate(keys_of_mapping)
                },
            )
        keys_of_mapping, position_by_key_id = keys_and_positions_by_mapping_id[
            id(mapping_with_empty_key)
        ]
        key_position = position_by_key_id.get(id(key), 0)
        glued_match = re.match(r"([^:]+):(\S.*)$", key) if not key.style else None
        if glued_match is not None and "//" not in key:
            yield problem(
                "T17",
                f"a space is missing after '{glued_match[1]}:', so the whole is read as one key",
                place_of(key, path),
                fixes=[make_fix(ReplaceText(f"{glued_match[1]}: {glued_match[2]}"))],
            )
            continue
        if key_position == 0:
            keys_without_colon = [
                other_key for other_key in keys_of_mapping if not _has_colon(other_key, lines)
            ]
            if len(keys_of_mapping) > 1 and len(keys_without_colon) == len(keys_of_mapping):
                reported_mapping_ids.add(id(mapping_with_empty_key))
                yield problem(
                    "T13",
                    "braces hold pairs; here are names alone",
                    place_of(mapping_with_empty_key, path),
                    "a list has brackets",
                    fixes=[make_fix(ReplaceText(f"[{', '.join(keys_of_mapping)}]"))],
                )
            continue
        if id(mapping_with_empty_key) in reported_mapping_ids:
            continue
        previous_key = keys_of_mapping[key_position - 1]
        value = mapping_with_empty_key[previous_key]
        # A sentence that is cut by several commas is one mistake.
        keys_of_sentence = [key]
        for next_key in keys_of_mapping[key_position + 1 :]:
            if mapping_with_empty_key[next_key] == "" and not _has_colon(next_key, lines):
                keys_of_sentence.append(next_key)
            else:
                break
        reported_mapping_ids.add(id(mapping_with_empty_key))
        if isinstance(value, ScalarNode) and value:
            sentence = ", ".join([value, *keys_of_sentence])
            last_key = keys_of_sentence[-1]
            sentence_place = Place(
                path, value.line, value.column, last_key.end_line, last_key.end_column
            )
            # From here on the text is whole, so that the comma causes no further problems.
            mapping_with_empty_key[previous_key] = value.like(sentence)
            for sentence_key in keys_of_sentence:
                del mapping_with_empty_key[sentence_key]
            yield problem(
                "T13",
                f"the comma ends the text: '{_shorten(key)}' is read as a key of its own",
                place_of(key, path),
                fixes=[
                    make_fix(
                        ReplaceText(quote_text(sentence), sentence_place),
                        when="if this is one text",
                    ),
                    make_fix(
                        ReplaceText(f"[{sentence}]", sentence_place), when="if these are several"
                    ),
                ],
            )
        else:
            yield problem(
                "T13",
                f"'{_shorten(key)}' stands in braces without a value",
                place_of(key, path),
                f"write  {key}: ...  or take it out",
            )


def _has_colon(key: ScalarNode, lines: list[str]) -> bool:
    return lines[key.end_line - 1][key.end_column - 1 :].lstrip().startswith(":")


def _shorten(text: str) -> str:
    text_on_one_line = " ".join(text.split())
    return text_on_one_line if len(text_on_one_line) <= 40 else text_on_one_line[:37] + "..."


def quote_fix(place: Place, text_from_value: str) -> list[Fix]:
    """The fix that quotes the value that starts at a place; ``text_from_value`` is its line from there."""
    value = without_comment(text_from_value)
    value_place = place._replace(end_column=place.column + len(value))
    return [make_fix(ReplaceText(quote_text(value), value_place), when="if it belongs to the text")]
