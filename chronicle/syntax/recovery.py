"""Split a file that is no valid YAML into fragments that can be read separately. It is lenient: an entry may
lack its dash or be in the wrong column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chronicle.core.campaign import Header
from chronicle.core.declare import Action
from chronicle.core.diagnostic import plural
from chronicle.core.fix import Fix, ReplaceText, make_fix
from chronicle.core.source import Place
from chronicle.syntax.key_line import BLOCK_TEXT_OPENER, KEY_LINE, indent_of, split_key_line
from chronicle.syntax.problems import Problems
from chronicle.syntax.yaml_traps import second_document_problem, without_comment

HEAD_KEYS: Final = frozenset((*Header.fields, "log", "game", "players"))


class Fragment(NamedTuple):
    """A part of a file that can be read alone: one entry of the log, or one key of the header."""

    line: int
    lines: list[str]
    is_entry: bool


def words_in(fragment: Fragment) -> tuple[str, ...]:
    """The words of an unreadable entry: its verb, then its lines."""
    first_line, *other_lines = (line.strip() for line in fragment.lines)
    verb, _, value = first_line.removeprefix("-").strip().removeprefix("{").partition(":")
    return (verb.strip(), value.strip(), *(line for line in other_lines if line))


def _rows_outside_texts(lines: list[str]) -> Iterator[int]:
    """The lines with content outside of block texts."""
    block_key_indent = -1
    for row, line in enumerate(lines):
        if not line.strip() or (block_key_indent >= 0 and indent_of(line) > block_key_indent):
            continue
        block_key_indent = -1
        if line.lstrip().startswith("#"):
            continue
        yield row
        if line.rstrip()[-1] in "|>+-123456789" or "#" in line:
            key_line = split_key_line(line)
            if re.match(BLOCK_TEXT_OPENER, key_line.value):
                block_key_indent = key_line.indent


def without_tabs_and_directives(lines: list[str], path: str, problems: Problems) -> list[str]:
    """The lines of an invalid file without problems that may occur anywhere: tabs and directives."""
    tidy_lines = list(lines)
    tab_rows: list[int] = []
    for row in _rows_outside_texts(lines):
        line = lines[row]
        if re.match(r"[ ]*(?:-[ ]*)?\t", line):
            tab_rows.append(row)
            tidy_lines[row] = re.sub(
                r"^[ ]*(?:-[ ]*)?\t[ \t]*",
                lambda indent_match: _replace_tabs(indent_match.group()),
                line,
            )
        elif line.rstrip() == "..." and any(later_line.strip() for later_line in lines[row + 1 :]):
            tidy_lines[row] = ""
            problems.tell(
                "T4",
                "a line ... ends the file for YAML, and more follows",
                Place(path, row + 1, 1, row + 1, 4),
                "delete the line, or put it into quotes if somebody falls silent",
                fixes=[_delete_line_fix(path, row + 1)],
            )
        elif re.match(r"%[A-Z]+ ", line) and not any(
            earlier_line.strip() for earlier_line in tidy_lines[:row]
        ):
            tidy_lines[row] = ""
            problems.tell(
                "T7",
                "a directive for YAML stands here, and transcripts have none",
                Place(path, row + 1, 1, row + 1, len(line) + 1),
                "delete the line",
                fixes=[_delete_line_fix(path, row + 1)],
            )
    if tab_rows:
        first_row, other_count = tab_rows[0], len(tab_rows) - 1
        column = lines[first_row].index("\t") + 1
        other_tabs_text = f" (and {plural(other_count, 'other')})" if other_count else ""
        problems.tell(
            "T18",
            f"a tab indents this line{other_tabs_text}; YAML wants spaces",
            Place(path, first_row + 1, column, first_row + 1, column + 1),
            "use two spaces; most editors can turn tabs into spaces",
            fixes=[
                make_fix(
                    *(
                        _rewrite_line_edit(path, row + 1, lines[row], tidy_lines[row])
                        for row in tab_rows
                    ),
                    is_told=True,
                )
            ],
        )
    return tidy_lines


def _delete_line_fix(path: str, line_number: int) -> Fix:
    """The fix that deletes a line, as the help says."""
    return make_fix(ReplaceText("", Place(path, line_number, 1, line_number + 1, 1)), is_told=True)


def _rewrite_line_edit(path: str, line_number: int, old_line: str, new_line: str) -> ReplaceText:
    """The edit that writes other characters in place of a line."""
    return ReplaceText(new_line, Place(path, line_number, 1, line_number, len(old_line) + 1))


def _replace_tabs(indentation: str) -> str:
    if "-" in indentation:
        return (
            indentation.replace("\t", " ")
            if indentation.index("-") < indentation.index("\t")
            else indentation.replace("\t", "  ")
        )
    return indentation.replace("\t", "  ")


def _is_nested(lines: list[str], start_row: int, row: int, column: int) -> bool:
    """Whether a dash is possible in a column: under a key without a value, or below a dash of its own."""
    for line in reversed(lines[start_row:row]):
        key_match = re.match(KEY_LINE, line)
        if (
            key_match is not None
            and not without_comment(key_match["value"] or "")
            and len(key_match["lead"]) <= column
        ):
            return True
        if line.strip() == "-" and indent_of(line) < column:
            return True
        if (
            line is not lines[start_row]
            and indent_of(line) == column
            and line.lstrip().startswith("- ")
        ):
            return True
    return False


def split_fragments(lines: list[str], path: str, problems: Problems) -> list[Fragment]:
    """Split an invalid YAML file into fragments that can be read alone."""
    fragments: list[Fragment] = []
    start_row = 0
    is_entry = False
    is_in_log = False
    dash_column = stray_column = -1
    rows_outside_texts = set(_rows_outside_texts(lines))
    last_dash_row = max(
        (row for row, line in enumerate(lines) if line.startswith("- ")), default=-1
    )

    def close_fragment(end_row: int) -> None:
        body_lines = lines[start_row:end_row]
        if any(line.strip() and not line.lstrip().startswith("#") for line in body_lines):
            fragments.append(Fragment(start_row + 1, body_lines, is_entry))

    for row, line in enumerate(lines):
        text_after_indent = line.lstrip(" ")
        column = len(line) - len(text_after_indent)
        if row not in rows_outside_texts:
            continue
        if (line.rstrip() == "---" or line.startswith("--- ")) and not fragments and not is_entry:
            if row > start_row or is_in_log:
                pass
            else:
                start_row = row + 1
                continue
        if line.rstrip() == "---" or line.startswith("--- "):
            close_fragment(row)
            problems.append(second_document_problem(path, row + 1))
            return fragments
        is_dash_line = text_after_indent.startswith("- ") or text_after_indent.rstrip() == "-"
        if (
            is_dash_line
            and (is_in_log or not fragments)
            and (dash_column < 0 or column == dash_column)
        ):
            close_fragment(row)
            start_row, is_entry, is_in_log, dash_column = row, True, True, column
        elif is_dash_line and is_in_log and dash_column >= 0:
            if column != stray_column and _is_nested(lines, start_row, row, column):
                continue
            close_fragment(row)
            start_row, is_entry = row, True
            if column != stray_column:
                stray_column = column
                problems.tell(
                    "T18",
                    f"this entry is indented by {plural(column, 'space')}, the others by {dash_column}",
                    Place(path, row + 1, column + 1, row + 1, column + 2),
                    "start every dash of the log in the same column",
                )
        elif column == 0 and not is_dash_line:
            key_match = re.match(KEY_LINE, line)
            key_name = key_match["key"] if key_match is not None else ""
            if (
                key_match is None
                and (is_in_log or start_row < row)
                and not key_name.startswith("-")
            ):
                continue  # It belongs to the fragment above, which reports it.
            if (
                is_in_log
                and key_name in Action.fields
                and (key_name not in HEAD_KEYS or row < last_dash_row)
            ):
                continue
            if is_in_log and (
                key_name.startswith("-") or (row < last_dash_row and key_name not in HEAD_KEYS)
            ):
                close_fragment(row)
                start_row, is_entry = row, True
                continue
            if is_in_log and row < last_dash_row and key_match is not None and key_match["value"]:
                close_fragment(row)
                start_row, is_entry = row, False
                problems.tell(
                    "T18",
                    f"'{key_name}' stands in the middle of the log",
                    Place(path, row + 1, 1, row + 1, len(key_name) + 1),
                    "what belongs to the whole session stands above  log:",
                )
                continue
            close_fragment(row)
            start_row, is_entry = row, False
            is_in_log = key_name == "log"
            dash_column = stray_column = -1
    close_fragment(len(lines))
    return fragments
