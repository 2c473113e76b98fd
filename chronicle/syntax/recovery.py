"""Split a file that is no valid YAML into pieces that can be read separately. It is lenient: an entry may
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
from chronicle.syntax.line import BLOCK_OPENER, KEY, indent_of, parts_of
from chronicle.syntax.problems import Problems
from chronicle.syntax.yaml_traps import second_document, value_text

HEADER: Final = frozenset((*Header.fields, "log", "game", "players"))


class Piece(NamedTuple):
    """A part of a file that can be read alone: one entry of the log, or one key of the header."""

    line: int
    lines: list[str]
    is_item: bool


def words_in(piece: Piece) -> tuple[str, ...]:
    """The words of an unreadable entry: its verb, then its lines."""
    first, *other_lines = (line.strip() for line in piece.lines)
    verb, _, value = first.removeprefix("-").strip().removeprefix("{").partition(":")
    return (verb.strip(), value.strip(), *(line for line in other_lines if line))


def _outside_texts(lines: list[str]) -> Iterator[int]:
    """The lines with content outside of block texts."""
    base = -1
    for number, line in enumerate(lines):
        if not line.strip() or (base >= 0 and indent_of(line) > base):
            continue
        base = -1
        if line.lstrip().startswith("#"):
            continue
        yield number
        if line.rstrip()[-1] in "|>+-123456789" or "#" in line:
            parts = parts_of(line)
            if re.match(BLOCK_OPENER, parts.value):
                base = parts.indent


def tidied(lines: list[str], path: str, problems: Problems) -> list[str]:
    """The lines of an invalid file without problems that may occur anywhere: tabs and directives."""
    tidy_lines = list(lines)
    tabs: list[int] = []
    for number in _outside_texts(lines):
        line = lines[number]
        if re.match(r"[ ]*(?:-[ ]*)?\t", line):
            tabs.append(number)
            tidy_lines[number] = re.sub(
                r"^[ ]*(?:-[ ]*)?\t[ \t]*", lambda match: _untabbed(match.group()), line
            )
        elif line.rstrip() == "..." and any(
            later_line.strip() for later_line in lines[number + 1 :]
        ):
            tidy_lines[number] = ""
            problems.tell(
                "T4",
                "a line ... ends the file for YAML, and more follows",
                Place(path, number + 1, 1, number + 1, 4),
                "delete the line, or put it into quotes if somebody falls silent",
                fixes=[_without_line(path, number + 1)],
            )
        elif re.match(r"%[A-Z]+ ", line) and not any(
            earlier_line.strip() for earlier_line in tidy_lines[:number]
        ):
            tidy_lines[number] = ""
            problems.tell(
                "T7",
                "a directive for YAML stands here, and transcripts have none",
                Place(path, number + 1, 1, number + 1, len(line) + 1),
                "delete the line",
                fixes=[_without_line(path, number + 1)],
            )
    if tabs:
        first_row, other_count = tabs[0], len(tabs) - 1
        column = lines[first_row].index("\t") + 1
        others_text = f" (and {plural(other_count, 'other')})" if other_count else ""
        problems.tell(
            "T18",
            f"a tab indents this line{others_text}; YAML wants spaces",
            Place(path, first_row + 1, column, first_row + 1, column + 1),
            "use two spaces; most editors can turn tabs into spaces",
            fixes=[
                make_fix(
                    *(_rewrite_line(path, row + 1, lines[row], tidy_lines[row]) for row in tabs),
                    is_told=True,
                )
            ],
        )
    return tidy_lines


def _without_line(path: str, number: int) -> Fix:
    """The fix that deletes a line, as the help says."""
    return make_fix(ReplaceText("", Place(path, number, 1, number + 1, 1)), is_told=True)


def _rewrite_line(path: str, number: int, old: str, new: str) -> ReplaceText:
    """The edit that writes other characters in place of a line."""
    return ReplaceText(new, Place(path, number, 1, number, len(old) + 1))


def _untabbed(indentation: str) -> str:
    if "-" in indentation:
        return (
            indentation.replace("\t", " ")
            if indentation.index("-") < indentation.index("\t")
            else indentation.replace("\t", "  ")
        )
    return indentation.replace("\t", "  ")


def _is_nested(lines: list[str], start: int, number: int, column: int) -> bool:
    """Whether a dash is possible in a column: under a key without a value, or below a dash of its own."""
    for line in reversed(lines[start:number]):
        key = re.match(KEY, line)
        if key is not None and not value_text(key["value"] or "") and len(key["lead"]) <= column:
            return True
        if line.strip() == "-" and indent_of(line) < column:
            return True
        if (
            line is not lines[start]
            and indent_of(line) == column
            and line.lstrip().startswith("- ")
        ):
            return True
    return False


def pieces(lines: list[str], path: str, problems: Problems) -> list[Piece]:
    """Split an invalid YAML file into pieces that can be read alone."""
    result: list[Piece] = []
    start = 0
    is_item = False
    in_log = False
    depth = stray_column = -1
    outside = set(_outside_texts(lines))
    last_dash = max(
        (number for number, line in enumerate(lines) if line.startswith("- ")), default=-1
    )

    def close(end: int) -> None:
        body = lines[start:end]
        if any(line.strip() and not line.lstrip().startswith("#") for line in body):
            result.append(Piece(start + 1, body, is_item))

    for number, line in enumerate(lines):
        stripped = line.lstrip(" ")
        column = len(line) - len(stripped)
        if number not in outside:
            continue
        if (line.rstrip() == "---" or line.startswith("--- ")) and not result and not is_item:
            if number > start or in_log:
                pass
            else:
                start = number + 1
                continue
        if line.rstrip() == "---" or line.startswith("--- "):
            close(number)
            problems.append(second_document(path, number + 1))
            return result
        dash = stripped.startswith("- ") or stripped.rstrip() == "-"
        if dash and (in_log or not result) and (depth < 0 or column == depth):
            close(number)
            start, is_item, in_log, depth = number, True, True, column
        elif dash and in_log and depth >= 0:
            if column != stray_column and _is_nested(lines, start, number, column):
                continue
            close(number)
            start, is_item = number, True
            if column != stray_column:
                stray_column = column
                problems.tell(
                    "T18",
                    f"this entry is indented by {plural(column, 'space')}, the others by {depth}",
                    Place(path, number + 1, column + 1, number + 1, column + 2),
                    "start every dash of the log in the same column",
                )
        elif column == 0 and not dash:
            key = re.match(KEY, line)
            name = key["key"] if key is not None else ""
            if key is None and (in_log or start < number) and not name.startswith("-"):
                continue  # It belongs to the piece above, which reports it.
            if in_log and name in Action.fields and (name not in HEADER or number < last_dash):
                continue
            if in_log and (name.startswith("-") or (number < last_dash and name not in HEADER)):
                close(number)
                start, is_item = number, True
                continue
            if in_log and number < last_dash and key is not None and key["value"]:
                close(number)
                start, is_item = number, False
                problems.tell(
                    "T18",
                    f"'{name}' stands in the middle of the log",
                    Place(path, number + 1, 1, number + 1, len(name) + 1),
                    "what belongs to the whole session stands above  log:",
                )
                continue
            close(number)
            start, is_item = number, False
            in_log = name == "log"
            depth = stray_column = -1
    close(len(lines))
    return result
