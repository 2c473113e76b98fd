"""Explain why YAML refuses a piece of a transcript, and correct the piece."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chronicle.core.diagnostic import Diagnostic, either, plural
from chronicle.core.source import Place
from chronicle.syntax.brackets import bracket_trap
from chronicle.syntax.line import (
    BLOCK_OPENER,
    ESCAPE,
    KEY,
    Answer,
    Line,
    bad_escape,
    comment_at,
    indent_of,
    parts_of,
    place_at,
    quote_end,
    replaced_at,
    text_before_value,
)
from chronicle.syntax.problems import problem
from chronicle.syntax.yaml_traps import CUT, quoted

if TYPE_CHECKING:
    from yaml import YAMLError

_GLUED = r"(?P<lead>[ ]*(?:-[ ]+)*)(?P<key>[A-Za-z][\w ]{0,30}?):(?P<value>[^\s/].*)"

_REFUSALS: Final = {
    "did not find expected key": "this line fits neither the entry above nor a new one",
    "while parsing a block mapping: expected <block end>": "this line fits neither the entry above nor a new one",
    "did not find expected '-' indicator": "an entry must start with '- ' here",
    "while parsing a block collection: expected <block end>": "an entry must start with '- ' here",
    "could not find expected ':'": "this line has no 'key: value'",
    "mapping values are not allowed": "a second ': ' is not possible here",
    "found unexpected end of stream": "a quote or bracket is still open at the end",
    "found invalid Unicode character escape code": "this escape stands for no character",
    "found character": "no text can start with this sign in YAML",
    "found a tab character that violates indentation": "a tab stands here; YAML wants spaces",
    "block sequence entries are not allowed": "no entry can start here",
    "sequence entries are not allowed": "no entry can start here",
    "mapping keys are not allowed": "no key can start here",
    "did not find expected ',' or ']'": "a comma is missing here, or the list is not closed",
    "expected ',' or ']'": "a comma is missing here, or the list is not closed",
    "did not find expected ',' or '}'": "a comma is missing here, or the brace is not closed",
    "expected ',' or '}'": "a comma is missing here, or the brace is not closed",
    "did not find expected node content": "a value is missing here",
    "expected the node content": "a value is missing here",
    "did not find expected alphabetic or numeric character": "a name must follow this sign",
    "expected alphabetic or numeric character": "a name must follow this sign",
    "did not find expected <document start>": "this line belongs to nothing above it",
    "expected '<document start>'": "this line belongs to nothing above it",
}
"""The beginnings of error messages of libyaml and PyYAML, with explanations."""


def explain(
    lines: list[str], first: int, path: str, error: YAMLError | None
) -> tuple[Diagnostic, list[str] | None]:
    """Explain why a piece cannot be read, and return it with that spot corrected (None: it cannot be
    corrected).

    ``first`` is the number of the piece's first line in the file."""
    mark = getattr(error, "problem_mark", None)
    stop = mark.line if mark is not None else len(lines) - 1
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip() or line.lstrip().startswith("#"):
            index += 1
            continue
        answer: Answer | None = None
        parts = parts_of(line)
        if parts.value and re.match(BLOCK_OPENER, parts.value):
            next_index, answer = _block(lines, index, parts, first, path)
            if answer is None:
                index = next_index
                continue
        elif parts.value:
            next_index, answer = _value(lines, index, parts, first, path)
            if answer is None:
                answer = _odd_line(lines, index, parts, first, path)
            if answer is None:
                index = next_index
                continue
        if answer is not None:
            return answer
        index += 1
    line_number = min(stop, len(lines) - 1)
    column = mark.column + 1 if mark is not None and mark.line == line_number else 1
    if error is None and not any(mark in "".join(lines) for mark in "'\""):
        words = lines[0].strip()
        start = indent_of(lines[0])
        return (
            problem(
                "T18",
                "this line is no 'key: value'",
                place_at(path, first, 0, start, start + len(words)),
                "a colon is missing, or the line belongs into a text further down",
            ),
            None,
        )
    message = _explain_error(error)
    dashes = sorted({indent_of(line) for line in lines[:line_number] if line.lstrip()[:2] == "- "})
    stop_line = lines[line_number]
    if dashes and stop_line.lstrip()[:2] == "- " and indent_of(stop_line) not in dashes:
        nearest_dash = min(dashes, key=lambda column: abs(column - indent_of(stop_line)))
        return (
            problem(
                "T18",
                f"this dash is indented by {indent_of(stop_line)} spaces; those above by "
                f"{either(map(str, dashes))}",
                place_at(path, first, line_number, indent_of(stop_line), indent_of(stop_line) + 1),
                f"put it right under the dash above, {nearest_dash} spaces in",
            ),
            None,
        )
    return (
        problem(
            "T10",
            message,
            Place(path, first + line_number, column, first + line_number, column + 1),
            "check indentation, quotes and brackets here; text with odd signs goes in quotes",
        ),
        None,
    )


def _explain_error(error: YAMLError | None) -> str:
    if error is None:
        return "a quote is not closed"
    problem = str(getattr(error, "problem", ""))
    error_texts = (problem, f"{getattr(error, 'context', '')}: {problem}")
    explanations = (
        plain
        for words, plain in _REFUSALS.items()
        if any(error_text.startswith(words) for error_text in error_texts)
    )
    return next(explanations, "this cannot be read as YAML")


def _block(
    lines: list[str], index: int, parts: Line, first: int, path: str
) -> tuple[int, Answer | None]:
    """Skip a block text; an answer if its lines are not indented."""
    next_index = index + 1
    base = parts.indent
    while next_index < len(lines):
        line = lines[next_index]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= base:
            break
        next_index += 1
    body = [line for line in lines[index + 1 : next_index] if line.strip()]
    if body or next_index >= len(lines):
        if next_index < len(lines) and body:
            line = lines[next_index]
            if re.match(KEY, line) is None and not line.lstrip().startswith(("#", "- ")):
                return next_index, _unindented(lines, next_index, base, first, path, parts)
        return next_index, None
    line = lines[next_index]
    if line.lstrip().startswith(("#", "- ")) or (
        re.match(KEY, line) is not None and len(line) - len(line.lstrip(" ")) == base
    ):
        return next_index, None
    return next_index, _unindented(lines, next_index, base, first, path, parts)


def _unindented(
    lines: list[str], start: int, base: int, first: int, path: str, parts: Line
) -> Answer:
    end = start
    corrected = list(lines)
    while end < len(lines):
        line = lines[end]
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and (
            line.lstrip().startswith("- ")
            or (re.match(KEY, line) is not None and indent == base and end > start)
        ):
            break
        corrected[end] = " " * (base + 2) + line.lstrip(" ") if line.strip() else line
        end += 1
    owner = f"'{parts.key}:'" if parts.key else "the dash"
    return (
        problem(
            "T18",
            f"this line belongs to the text after {owner}, but is not indented under it",
            place_at(
                path,
                first,
                start,
                len(lines[start]) - len(lines[start].lstrip()),
                len(lines[start].rstrip()),
            ),
            f"indent every line of the text by {base + 2} spaces",
        ),
        corrected,
    )


def _value(
    lines: list[str], index: int, parts: Line, first: int, path: str
) -> tuple[int, Answer | None]:
    """Skip one value; an answer if it is a trap."""
    line = lines[index]
    value, column = parts.value, parts.at
    first_letter = value[0]
    if first_letter in "'\"":
        return _quote(lines, index, parts, first, path)
    if first_letter in "{[":
        return bracket_trap(lines, index, column, parts.indent, first, path)
    cut = comment_at(value)
    text = value[:cut].rstrip()
    tail = value[cut:]
    corrected = replaced_at(lines, index, line[:column] + quoted(text) + tail)
    sign = place_at(path, first, index, column, column + 1)
    help = f"put the text in quotes:  {text_before_value(parts.key)}{quoted(text)}"
    if first_letter in "@`%":
        return index + 1, (
            problem("T15", f"a text cannot start with {first_letter} in YAML", sign, help),
            corrected,
        )
    if (
        first_letter in "*&!"
        and not re.fullmatch(r"[*&][\w-]+", text)
        and not re.match(r"[&!][\w-]+ +\S", text)
    ):
        meaning = {"*": "an alias", "&": "an anchor", "!": "a tag"}[first_letter]
        return index + 1, (
            problem(
                "T15",
                f"a text cannot start with {first_letter} in YAML, where it makes {meaning}",
                sign,
                help,
            ),
            corrected,
        )
    if first_letter in "|>":
        if index + 1 < len(lines) and indent_of(lines[index + 1]) > parts.indent:
            corrected = replaced_at(lines, index, line[:column] + first_letter)
        return index + 1, (
            problem(
                "T15",
                f"a text cannot start with {first_letter}: in YAML it announces lines below",
                sign,
                help,
                f"or write  {text_before_value(parts.key)}|  and the text on the next line, indented",
            ),
            corrected,
        )
    if (text in ("-", "?") or text.startswith(("- ", "? "))) and parts.key:
        name = "dash" if first_letter == "-" else "question mark"
        return index + 1, (
            problem(
                "T16",
                f"a bare {name} means something else in YAML",
                sign,
                help.replace("the text", "it" if len(text) == 1 else "the text"),
            ),
            corrected,
        )
    if text and first_letter in ",]}":
        return index + 1, (
            problem("T15", f"a text cannot start with {first_letter} in YAML", sign, help),
            corrected,
        )
    colon = re.search(r":(?=\s|$)", text)
    if colon is not None and parts.key:
        colon_column = column + colon.start()
        extra = ""
        if parts.key == "say":
            extra = f"or as a block:  say: |  and below it, indented:  {text}"
        return index + 1, (
            problem(
                "T11",
                "a colon inside a sentence: YAML takes what stands before it for a key",
                place_at(path, first, index, colon_column, colon_column + 1),
                help,
                extra,
            ),
            corrected,
        )
    cut_at = re.compile(CUT).search(value)
    if cut_at is not None and _continues(lines, index, parts):
        return index + 1, (
            problem(
                "T12",
                "the comment here ends the text, and the next line cannot continue it",
                place_at(path, first, index, column + cut_at.start() + 1, column + len(value)),
                help,
            ),
            None,
        )
    return index + 1, None


def _continues(lines: list[str], index: int, parts: Line) -> bool:
    if index + 1 >= len(lines):
        return False
    line = lines[index + 1]
    return len(line) - len(line.lstrip(" ")) > parts.indent and re.match(KEY, line) is None


def _quote(
    lines: list[str], index: int, parts: Line, first: int, path: str
) -> tuple[int, Answer | None]:
    line, quote_start = lines[index], parts.at
    mark = line[quote_start]
    end = quote_end(line, quote_start)
    next_index = index + 1
    joined = line
    while end < 0 and next_index < len(lines):
        next_line = lines[next_index]
        if next_line.strip() and len(next_line) - len(next_line.lstrip(" ")) <= parts.indent:
            break
        joined += "\n" + next_line
        next_index += 1
        end = quote_end(joined, quote_start)
    comment_start = comment_at(line[quote_start:])
    text = line[quote_start : quote_start + comment_start].rstrip()
    corrected = replaced_at(
        lines, index, line[:quote_start] + quoted(text) + line[quote_start + comment_start :]
    )
    if end < 0:
        name = "an apostrophe" if mark == "'" else "a quotation mark"
        helps = [f"if it belongs to the text:  {text_before_value(parts.key)}{quoted(text)}"]
        if mark == '"':
            helps.append("if it is YAML's own, close it at the end of the text")
        return index + 1, (
            problem(
                "T14",
                f"the text starts with {name}, which opens a quotation that is never closed",
                place_at(path, first, index, quote_start, quote_start + 1),
                *helps,
                label="opened here",
            ),
            corrected,
        )
    bad_escape_match = re.compile(ESCAPE).search(joined, quote_start, end) if mark == '"' else None
    if bad_escape_match is not None:
        row = index + joined.count("\n", 0, bad_escape_match.start(1))
        column = bad_escape_match.start(1) - (joined.rfind("\n", 0, bad_escape_match.start(1)) + 1)
        return next_index, (
            bad_escape(path, first, row, column, bad_escape_match.group(1)),
            replaced_at(lines, row, lines[row][:column] + "\\" + lines[row][column:]),
        )
    remainder = joined[end:].split("\n")[0]
    if remainder.strip() and not re.match(r"\s+#|\s*:(\s|$)", remainder):
        if "\n" in joined[quote_start:end]:
            return next_index, (
                problem(
                    "T14",
                    "the quotation ends here, and the line goes on",
                    place_at(
                        path,
                        first,
                        next_index - 1,
                        len(lines[next_index - 1]) - len(remainder.rstrip()),
                        len(lines[next_index - 1].rstrip()),
                    ),
                    "put the whole text after  |  on lines of its own",
                ),
                None,
            )
        start = end + len(remainder) - len(remainder.lstrip())
        return index + 1, (
            problem(
                "T14",
                "the quotation ends here, and the text goes on",
                place_at(path, first, index, start, quote_start + len(text)),
                f"quote the whole text:  {text_before_value(parts.key)}{quoted(text)}",
            ),
            corrected,
        )
    return next_index, None


def _odd_line(lines: list[str], index: int, parts: Line, first: int, path: str) -> Answer | None:
    """A line at the wrong depth, or without ``key: value``."""
    line = lines[index]
    joined = re.match(_GLUED, line)
    if joined is not None and re.match(KEY, line) is None:
        key, value = joined["key"], joined["value"]
        start = joined.start("key")
        return (
            problem(
                "T17",
                f"a space is missing after '{key}:'",
                place_at(path, first, index, start, start + len(key) + 1),
                f"write  {key}: {value.strip()}",
            ),
            replaced_at(lines, index, f"{joined['lead']}{key}: {value}"),
        )
    if index == 0:
        return _colon_missing(lines, parts, first, path)
    entry = _entry_column(lines)
    indent = len(line) - len(line.lstrip(" "))
    if re.match(r"[ ]*:\s", line):
        return (
            problem(
                "T9",
                "there is no key before this colon",
                place_at(path, first, index, indent, indent + 1),
                "write the key, as in  by: Ana",
            ),
            [*lines[:index], *lines[index + 1 :]],
        )
    matched = re.match(KEY, line)
    if matched is not None and matched["lead"].strip() == "":
        line_above = _previous_line(lines, index)
        if (
            line_above is not None
            and indent != entry
            and parts_of(line_above).value
            and not _nested(lines, index, indent)
        ):
            return (
                problem(
                    "T18",
                    f"'{parts.key}' is indented by {plural(indent, 'space')}; the other keys by {entry}",
                    place_at(path, first, index, indent, indent + len(parts.key)),
                    f"put '{parts.key}:' right under the other keys",
                ),
                replaced_at(lines, index, " " * entry + line.lstrip(" ")),
            )
        return None
    if matched is None and not line.lstrip().startswith("- ") and indent <= entry:
        words = line.strip()
        return (
            problem(
                "T18",
                "this line is no 'key: value', and is not indented as part of a text",
                place_at(path, first, index, indent, indent + len(words)),
                "a colon is missing, or the text needs  |  and indented lines",
                f"an entry of its own starts with a dash:  - tell: {quoted(words)}",
            ),
            [*lines[:index], *lines[index + 1 :]],
        )
    return None


def _colon_missing(lines: list[str], parts: Line, first: int, path: str) -> Answer | None:
    """``- tell They argue`` with an option below it."""
    next_key = re.match(KEY, lines[1]) if len(lines) > 1 else None
    if parts.key or next_key is None or len(next_key["lead"]) != parts.indent:
        return None
    words = parts.value.strip()
    return (
        problem(
            "T25",
            "a colon is missing in this line: options follow, but there is no 'verb: value'",
            place_at(path, first, 0, parts.at, parts.at + len(words)),
            "write a colon and a space after the verb, as in  - tell: They argue",
        ),
        None,
    )


def _entry_column(lines: list[str]) -> int:
    match = re.match(r"[ ]*(?:-[ ]+)?", lines[0])
    return match.end() if match else 0


def _previous_line(lines: list[str], index: int) -> str | None:
    for line in reversed(lines[:index]):
        if line.strip() and not line.lstrip().startswith("#"):
            return line
    return None


def _nested(lines: list[str], index: int, indent: int) -> bool:
    """Whether a key above in the same entry has this indentation."""
    for line in reversed(lines[:index]):
        if not line.strip():
            continue
        match = re.match(KEY, line)
        if match is None:
            continue
        if len(match["lead"]) == indent:
            return True
        if len(match["lead"]) < indent:
            return not match["value"]
    return False
