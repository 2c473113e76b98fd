"""Why YAML refuses a piece of a transcript, in plain words, and how the piece reads once that is mended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chronicle.core.diagnostic import Diagnostic, either, plural
from chronicle.core.source import Place
from chronicle.transcript.brackets import bracket_trap
from chronicle.transcript.line import (
    ESCAPE,
    KEY,
    OPENER,
    Answer,
    Line,
    bad_escape,
    comment_at,
    indent_of,
    keyed,
    mended_at,
    parts_of,
    place_at,
    quote_end,
)
from chronicle.transcript.problems import problem
from chronicle.transcript.traps import CUT, quoted

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
"""How libyaml, or PyYAML's own parser, begins to say why it refuses a text, and what that means."""


def explain(
    lines: list[str], first: int, path: str, error: YAMLError | None
) -> tuple[Diagnostic, list[str] | None]:
    """Why a piece cannot be read, and the piece mended at that spot (None: it is beyond mending).

    ``first`` is the number of the piece's first line in the file.
    """
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
        if parts.value and re.match(OPENER, parts.value):
            after, answer = _block(lines, index, parts, first, path)
            if answer is None:
                index = after
                continue
        elif parts.value:
            after, answer = _value(lines, index, parts, first, path)
            if answer is None:
                answer = _odd_line(lines, index, parts, first, path)
            if answer is None:
                index = after
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
    message = _plainly(error)
    dashes = sorted({indent_of(line) for line in lines[:line_number] if line.lstrip()[:2] == "- "})
    here = lines[line_number]
    if dashes and here.lstrip()[:2] == "- " and indent_of(here) not in dashes:
        meant = min(dashes, key=lambda column: abs(column - indent_of(here)))
        return (
            problem(
                "T18",
                f"this dash is indented by {indent_of(here)} spaces; those above by "
                f"{either(map(str, dashes))}",
                place_at(path, first, line_number, indent_of(here), indent_of(here) + 1),
                f"put it right under the dash above, {meant} spaces in",
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


def _plainly(error: YAMLError | None) -> str:
    if error is None:
        return "a quote is not closed"
    problem = str(getattr(error, "problem", ""))
    said = (problem, f"{getattr(error, 'context', '')}: {problem}")
    meant = (
        plain for words, plain in _REFUSALS.items() if any(one.startswith(words) for one in said)
    )
    return next(meant, "this cannot be read as YAML")


def _block(
    lines: list[str], index: int, parts: Line, first: int, path: str
) -> tuple[int, Answer | None]:
    """Past a block text; an answer if its lines are not indented."""
    after = index + 1
    base = parts.indent
    while after < len(lines):
        line = lines[after]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= base:
            break
        after += 1
    body = [line for line in lines[index + 1 : after] if line.strip()]
    if body or after >= len(lines):
        if after < len(lines) and body:
            line = lines[after]
            if re.match(KEY, line) is None and not line.lstrip().startswith(("#", "- ")):
                return after, _unindented(lines, after, base, first, path, parts)
        return after, None
    line = lines[after]
    if line.lstrip().startswith(("#", "- ")) or (
        re.match(KEY, line) is not None and len(line) - len(line.lstrip(" ")) == base
    ):
        return after, None
    return after, _unindented(lines, after, base, first, path, parts)


def _unindented(
    lines: list[str], start: int, base: int, first: int, path: str, parts: Line
) -> Answer:
    end = start
    mended = list(lines)
    while end < len(lines):
        line = lines[end]
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and (
            line.lstrip().startswith("- ")
            or (re.match(KEY, line) is not None and indent == base and end > start)
        ):
            break
        mended[end] = " " * (base + 2) + line.lstrip(" ") if line.strip() else line
        end += 1
    named = f"'{parts.key}:'" if parts.key else "the dash"
    return (
        problem(
            "T18",
            f"this line belongs to the text after {named}, but is not indented under it",
            place_at(
                path,
                first,
                start,
                len(lines[start]) - len(lines[start].lstrip()),
                len(lines[start].rstrip()),
            ),
            f"indent every line of the text by {base + 2} spaces",
        ),
        mended,
    )


def _value(
    lines: list[str], index: int, parts: Line, first: int, path: str
) -> tuple[int, Answer | None]:
    """Past one value; an answer if it is a trap."""
    line = lines[index]
    value, at = parts.value, parts.at
    lead = value[0]
    if lead in "'\"":
        return _quote(lines, index, parts, first, path)
    if lead in "{[":
        return bracket_trap(lines, index, at, parts.indent, first, path)
    cut = comment_at(value)
    text = value[:cut].rstrip()
    tail = value[cut:]
    mended = mended_at(lines, index, line[:at] + quoted(text) + tail)
    sign = place_at(path, first, index, at, at + 1)
    help = f"put the text in quotes:  {keyed(parts.key)}{quoted(text)}"
    if lead in "@`%":
        return index + 1, (
            problem("T15", f"a text cannot start with {lead} in YAML", sign, help),
            mended,
        )
    if (
        lead in "*&!"
        and not re.fullmatch(r"[*&][\w-]+", text)
        and not re.match(r"[&!][\w-]+ +\S", text)
    ):
        what = {"*": "an alias", "&": "an anchor", "!": "a tag"}[lead]
        return index + 1, (
            problem(
                "T15", f"a text cannot start with {lead} in YAML, where it makes {what}", sign, help
            ),
            mended,
        )
    if lead in "|>":
        if index + 1 < len(lines) and indent_of(lines[index + 1]) > parts.indent:
            mended = mended_at(lines, index, line[:at] + lead)
        return index + 1, (
            problem(
                "T15",
                f"a text cannot start with {lead}: in YAML it announces lines below",
                sign,
                help,
                f"or write  {keyed(parts.key)}|  and the text on the next line, indented",
            ),
            mended,
        )
    if (text in ("-", "?") or text.startswith(("- ", "? "))) and parts.key:
        name = "dash" if lead == "-" else "question mark"
        return index + 1, (
            problem(
                "T16",
                f"a bare {name} means something else in YAML",
                sign,
                help.replace("the text", "it" if len(text) == 1 else "the text"),
            ),
            mended,
        )
    if text and lead in ",]}":
        return index + 1, (
            problem("T15", f"a text cannot start with {lead} in YAML", sign, help),
            mended,
        )
    colon = re.search(r":(?=\s|$)", text)
    if colon is not None and parts.key:
        where = at + colon.start()
        extra = ""
        if parts.key == "say":
            extra = f"or as a block:  say: |  and below it, indented:  {text}"
        return index + 1, (
            problem(
                "T11",
                "a colon inside a sentence: YAML takes what stands before it for a key",
                place_at(path, first, index, where, where + 1),
                help,
                extra,
            ),
            mended,
        )
    cut_at = re.compile(CUT).search(value)
    if cut_at is not None and _continues(lines, index, parts):
        return index + 1, (
            problem(
                "T12",
                "the comment here ends the text, and the next line cannot continue it",
                place_at(path, first, index, at + cut_at.start() + 1, at + len(value)),
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
    line, at = lines[index], parts.at
    mark = line[at]
    end = quote_end(line, at)
    after = index + 1
    joined = line
    while end < 0 and after < len(lines):
        below = lines[after]
        if below.strip() and len(below) - len(below.lstrip(" ")) <= parts.indent:
            break
        joined += "\n" + below
        after += 1
        end = quote_end(joined, at)
    cut = comment_at(line[at:])
    text = line[at : at + cut].rstrip()
    mended = mended_at(lines, index, line[:at] + quoted(text) + line[at + cut :])
    if end < 0:
        name = "an apostrophe" if mark == "'" else "a quotation mark"
        helps = [f"if it belongs to the text:  {keyed(parts.key)}{quoted(text)}"]
        if mark == '"':
            helps.append("if it is YAML's own, close it at the end of the text")
        return index + 1, (
            problem(
                "T14",
                f"the text starts with {name}, which opens a quotation that is never closed",
                place_at(path, first, index, at, at + 1),
                *helps,
                label="opened here",
            ),
            mended,
        )
    odd = re.compile(ESCAPE).search(joined, at, end) if mark == '"' else None
    if odd is not None:
        row = index + joined.count("\n", 0, odd.start(1))
        column = odd.start(1) - (joined.rfind("\n", 0, odd.start(1)) + 1)
        return after, (
            bad_escape(path, first, row, column, odd.group(1)),
            mended_at(lines, row, lines[row][:column] + "\\" + lines[row][column:]),
        )
    rest = joined[end:].split("\n")[0]
    if rest.strip() and not re.match(r"\s+#|\s*:(\s|$)", rest):
        if "\n" in joined[at:end]:
            return after, (
                problem(
                    "T14",
                    "the quotation ends here, and the line goes on",
                    place_at(
                        path,
                        first,
                        after - 1,
                        len(lines[after - 1]) - len(rest.rstrip()),
                        len(lines[after - 1].rstrip()),
                    ),
                    "put the whole text after  |  on lines of its own",
                ),
                None,
            )
        start = end + len(rest) - len(rest.lstrip())
        return index + 1, (
            problem(
                "T14",
                "the quotation ends here, and the text goes on",
                place_at(path, first, index, start, at + len(text)),
                f"quote the whole text:  {keyed(parts.key)}{quoted(text)}",
            ),
            mended,
        )
    return after, None


def _odd_line(lines: list[str], index: int, parts: Line, first: int, path: str) -> Answer | None:
    """A line that is at the wrong depth, or has no ``key: value``."""
    line = lines[index]
    glued = re.match(_GLUED, line)
    if glued is not None and re.match(KEY, line) is None:
        key, value = glued["key"], glued["value"]
        start = glued.start("key")
        return (
            problem(
                "T17",
                f"a space is missing after '{key}:'",
                place_at(path, first, index, start, start + len(key) + 1),
                f"write  {key}: {value.strip()}",
            ),
            mended_at(lines, index, f"{glued['lead']}{key}: {value}"),
        )
    if index == 0:
        return _colon_missing(lines, parts, first, path)
    entry = _entry_column(lines)
    lead = len(line) - len(line.lstrip(" "))
    if re.match(r"[ ]*:\s", line):
        return (
            problem(
                "T9",
                "there is no key before this colon",
                place_at(path, first, index, lead, lead + 1),
                "write the key, as in  by: Ana",
            ),
            [*lines[:index], *lines[index + 1 :]],
        )
    matched = re.match(KEY, line)
    if matched is not None and matched["lead"].strip() == "":
        above = _above(lines, index)
        if (
            above is not None
            and lead != entry
            and parts_of(above).value
            and not _nested(lines, index, lead)
        ):
            return (
                problem(
                    "T18",
                    f"'{parts.key}' is indented by {plural(lead, 'space')}; the other keys by {entry}",
                    place_at(path, first, index, lead, lead + len(parts.key)),
                    f"put '{parts.key}:' right under the other keys",
                ),
                mended_at(lines, index, " " * entry + line.lstrip(" ")),
            )
        return None
    if matched is None and not line.lstrip().startswith("- ") and lead <= entry:
        words = line.strip()
        return (
            problem(
                "T18",
                "this line is no 'key: value', and is not indented as part of a text",
                place_at(path, first, index, lead, lead + len(words)),
                "a colon is missing, or the text needs  |  and indented lines",
                f"an entry of its own starts with a dash:  - tell: {quoted(words)}",
            ),
            [*lines[:index], *lines[index + 1 :]],
        )
    return None


def _colon_missing(lines: list[str], parts: Line, first: int, path: str) -> Answer | None:
    """``- tell They argue`` with an option below it."""
    below = re.match(KEY, lines[1]) if len(lines) > 1 else None
    if parts.key or below is None or len(below["lead"]) != parts.indent:
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


def _above(lines: list[str], index: int) -> str | None:
    for line in reversed(lines[:index]):
        if line.strip() and not line.lstrip().startswith("#"):
            return line
    return None


def _nested(lines: list[str], index: int, lead: int) -> bool:
    """Whether a line's depth is that of a key above it inside the same entry."""
    for line in reversed(lines[:index]):
        if not line.strip():
            continue
        match = re.match(KEY, line)
        if match is None:
            continue
        if len(match["lead"]) == lead:
            return True
        if len(match["lead"]) < lead:
            return not match["value"]
    return False
