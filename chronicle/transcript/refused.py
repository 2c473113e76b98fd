"""What YAML refuses of a transcript: told apart, explained, and read all the same as far as it goes.

:func:`pieces` splits a file into what can be read alone; :func:`explain` says why YAML refused a piece, and
how the piece reads once that is mended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from chronicle.core.campaign import Header
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, either, plural
from chronicle.core.source import Place
from chronicle.transcript.problems import Problems, problem
from chronicle.transcript.traps import CUT, quoted, second_document, value_text

if TYPE_CHECKING:
    from yaml import YAMLError

HEADER: Final = frozenset((*Header.fields, "log", "game", "players"))

_KEY = (
    r"(?P<lead>[ ]*(?:-[ ]+)*)"
    r"(?P<key>\"[^\"]*\"|'[^']*'|[^\s'\"\[\]{}#&*!|>%@`,?:-][^:#\[\]{}]*?|[?:-][^\s:#\[\]{}][^:#\[\]{}]*?)"
    r"[ ]*:(?:[ \t]+(?P<value>.*)|$)"
)
_DASH = r"[ ]*(?:-[ ]+)+(?P<value>.*)"
_GLUED = r"(?P<lead>[ ]*(?:-[ ]+)*)(?P<key>[A-Za-z][\w ]{0,30}?):(?P<value>[^\s/].*)"
_OPENER = r"[|>][+-]?[1-9]?[+-]?\s*(?:[ ]#.*)?$"
_ESCAPE = r"(?<!\\)(?:\\\\)*(\\(?![0abtnvfre \t\n\"/\\N_LP]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}).?)"


class Piece(NamedTuple):
    """A stretch of a file that can be read alone: one entry of the log, or one key of the header."""

    line: int
    lines: list[str]
    is_item: bool


def _comment_at(text: str) -> int:
    """Where a comment that nobody can doubt starts: a hash with space on both sides."""
    found = re.search(r"(?<!\s)(?:\s+#(?=\s|$|>)|\s{2,}#)", text)
    return found.start() if found else len(text)


def said_in(piece: Piece) -> tuple[str, ...]:
    """What an entry that cannot be read would have said: its verb, then its lines."""
    first, *rest = (line.strip() for line in piece.lines)
    verb, _, value = first.removeprefix("-").strip().removeprefix("{").partition(":")
    return (verb.strip(), value.strip(), *(line for line in rest if line))


def _lead(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _outside_texts(lines: list[str]) -> Iterator[int]:
    """The lines that hold something and lie in no block text."""
    base = -1
    for number, line in enumerate(lines):
        if not line.strip() or (base >= 0 and _lead(line) > base):
            continue
        base = -1
        if line.lstrip().startswith("#"):
            continue
        yield number
        if line.rstrip()[-1] in "|>+-123456789" or "#" in line:
            parts = _parts(line)
            if re.match(_OPENER, parts.value):
                base = parts.indent


def tidied(lines: list[str], path: str, found: Problems) -> list[str]:
    """The lines of a refused file without what is wrong all over it: tabs, and directives."""
    made = list(lines)
    tabs: list[int] = []
    for number in _outside_texts(lines):
        line = lines[number]
        if re.match(r"[ ]*(?:-[ ]*)?\t", line):
            tabs.append(number)
            made[number] = re.sub(
                r"^[ ]*(?:-[ ]*)?\t[ \t]*", lambda match: _untabbed(match.group()), line
            )
        elif line.rstrip() == "..." and any(one.strip() for one in lines[number + 1 :]):
            made[number] = ""
            found.tell(
                "T4",
                "a line ... ends the file for YAML, and more follows",
                Place(path, number + 1, 1, number + 1, 4),
                "delete the line, or put it into quotes if somebody falls silent",
            )
        elif re.match(r"%[A-Z]+ ", line) and not any(one.strip() for one in made[:number]):
            made[number] = ""
            found.tell(
                "T7",
                "a directive for YAML stands here, and transcripts have none",
                Place(path, number + 1, 1, number + 1, len(line) + 1),
                "delete the line",
            )
    if tabs:
        at, more = tabs[0], len(tabs) - 1
        column = lines[at].index("\t") + 1
        others = f" (and {plural(more, 'other')})" if more else ""
        found.tell(
            "T18",
            f"a tab indents this line{others}; YAML wants spaces",
            Place(path, at + 1, column, at + 1, column + 1),
            "use two spaces; most editors can turn tabs into spaces",
        )
    return made


def _is_nested(lines: list[str], start: int, number: int, column: int) -> bool:
    """Whether a dash may stand in a column: under a key without a value, or below a dash of its own."""
    for line in reversed(lines[start:number]):
        key = re.match(_KEY, line)
        if key is not None and not value_text(key["value"] or "") and len(key["lead"]) <= column:
            return True
        if line.strip() == "-" and _lead(line) < column:
            return True
        if line is not lines[start] and _lead(line) == column and line.lstrip().startswith("- "):
            return True
    return False


def pieces(lines: list[str], path: str, found: Problems) -> list[Piece]:
    """Split a file that YAML refuses into pieces that can be read alone."""
    made: list[Piece] = []
    start = 0
    is_item = False
    in_log = False
    depth = strayed = -1
    outside = set(_outside_texts(lines))
    last_dash = max((n for n, line in enumerate(lines) if line.startswith("- ")), default=-1)

    def close(end: int) -> None:
        body = lines[start:end]
        if any(line.strip() and not line.lstrip().startswith("#") for line in body):
            made.append(Piece(start + 1, body, is_item))

    for number, line in enumerate(lines):
        bare = line.lstrip(" ")
        column = len(line) - len(bare)
        if number not in outside:
            continue
        if (line.rstrip() == "---" or line.startswith("--- ")) and not made and not is_item:
            if number > start or in_log:
                pass
            else:
                start = number + 1
                continue
        if line.rstrip() == "---" or line.startswith("--- "):
            close(number)
            found.append(second_document(path, number + 1))
            return made
        dash = bare.startswith("- ") or bare.rstrip() == "-"
        if dash and (in_log or not made) and (depth < 0 or column == depth):
            close(number)
            start, is_item, in_log, depth = number, True, True, column
        elif dash and in_log and depth >= 0:
            if column != strayed and _is_nested(lines, start, number, column):
                continue
            close(number)
            start, is_item = number, True
            if column != strayed:
                strayed = column
                found.tell(
                    "T18",
                    f"this entry is indented by {plural(column, 'space')}, the others by {depth}",
                    Place(path, number + 1, column + 1, number + 1, column + 2),
                    "start every dash of the log in the same column",
                )
        elif column == 0 and not dash:
            key = re.match(_KEY, line)
            name = key["key"] if key is not None else ""
            if key is None and (in_log or start < number) and not name.startswith("-"):
                continue  # It belongs to what stands above, which is where it is explained.
            if in_log and name in Action.fields and (name not in HEADER or number < last_dash):
                continue
            if in_log and (name.startswith("-") or (number < last_dash and name not in HEADER)):
                close(number)
                start, is_item = number, True
                continue
            if in_log and number < last_dash and key is not None and key["value"]:
                close(number)
                start, is_item = number, False
                found.tell(
                    "T18",
                    f"'{name}' stands in the middle of the log",
                    Place(path, number + 1, 1, number + 1, len(name) + 1),
                    "what belongs to the whole session stands above  log:",
                )
                continue
            close(number)
            start, is_item = number, False
            in_log = name == "log"
            depth = strayed = -1
    close(len(lines))
    return made


# --- refused by YAML -----------------------------------------------------------------------------


class _Line(NamedTuple):
    """One line as a person reads it: a key, a value, where the value starts (from 0)."""

    key: str
    value: str
    at: int
    indent: int


def _parts(line: str) -> _Line:
    match = re.match(_KEY, line)
    if match is not None:
        value = match["value"]
        at = match.start("value") if value is not None else len(line)
        return _Line(match["key"], value or "", at, len(match["lead"]))
    dash = re.match(_DASH, line)
    if dash is not None:
        return _Line("", dash["value"], dash.start("value"), dash.start("value"))
    bare = line.lstrip(" ")
    return _Line("", bare, len(line) - len(bare), len(line) - len(bare))


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
        parts = _parts(line)
        if parts.value and re.match(_OPENER, parts.value):
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
        start = _lead(lines[0])
        return (
            problem(
                "T18",
                "this line is no 'key: value'",
                _at(path, first, 0, start, start + len(words)),
                "a colon is missing, or the line belongs into a text further down",
            ),
            None,
        )
    message = _plainly(error)
    dashes = sorted({_lead(line) for line in lines[:line_number] if line.lstrip()[:2] == "- "})
    here = lines[line_number]
    if dashes and here.lstrip()[:2] == "- " and _lead(here) not in dashes:
        meant = min(dashes, key=lambda column: abs(column - _lead(here)))
        return (
            problem(
                "T18",
                f"this dash is indented by {_lead(here)} spaces; those above by "
                f"{either(map(str, dashes))}",
                _at(path, first, line_number, _lead(here), _lead(here) + 1),
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


def _plainly(error: YAMLError | None) -> str:
    if error is None:
        return "a quote is not closed"
    problem = str(getattr(error, "problem", ""))
    said = (problem, f"{getattr(error, 'context', '')}: {problem}")
    meant = (
        plain for words, plain in _REFUSALS.items() if any(one.startswith(words) for one in said)
    )
    return next(meant, "this cannot be read as YAML")


Answer = tuple[Diagnostic, list[str] | None]


def _mended(lines: list[str], index: int, line: str) -> list[str]:
    return [*lines[:index], line, *lines[index + 1 :]]


def _at(path: str, first: int, index: int, start: int, end: int) -> Place:
    """A place in line ``index`` of a piece, from and to a position counted from 0."""
    return Place(path, first + index, start + 1, first + index, max(end, start + 1) + 1)


def _untabbed(lead: str) -> str:
    if "-" in lead:
        return (
            lead.replace("\t", " ")
            if lead.index("-") < lead.index("\t")
            else lead.replace("\t", "  ")
        )
    return lead.replace("\t", "  ")


def _block(
    lines: list[str], index: int, parts: _Line, first: int, path: str
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
            if re.match(_KEY, line) is None and not line.lstrip().startswith(("#", "- ")):
                return after, _unindented(lines, after, base, first, path, parts)
        return after, None
    line = lines[after]
    if line.lstrip().startswith(("#", "- ")) or (
        re.match(_KEY, line) is not None and len(line) - len(line.lstrip(" ")) == base
    ):
        return after, None
    return after, _unindented(lines, after, base, first, path, parts)


def _unindented(
    lines: list[str], start: int, base: int, first: int, path: str, parts: _Line
) -> Answer:
    end = start
    mended = list(lines)
    while end < len(lines):
        line = lines[end]
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and (
            line.lstrip().startswith("- ")
            or (re.match(_KEY, line) is not None and indent == base and end > start)
        ):
            break
        mended[end] = " " * (base + 2) + line.lstrip(" ") if line.strip() else line
        end += 1
    named = f"'{parts.key}:'" if parts.key else "the dash"
    return (
        problem(
            "T18",
            f"this line belongs to the text after {named}, but is not indented under it",
            _at(
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
    lines: list[str], index: int, parts: _Line, first: int, path: str
) -> tuple[int, Answer | None]:
    """Past one value; an answer if it is a trap."""
    line = lines[index]
    value, at = parts.value, parts.at
    lead = value[0]
    if lead in "'\"":
        return _quote(lines, index, parts, first, path)
    if lead in "{[":
        return _flow(lines, index, at, parts.indent, first, path)
    cut = _comment_at(value)
    text = value[:cut].rstrip()
    tail = value[cut:]
    mended = _mended(lines, index, line[:at] + quoted(text) + tail)
    sign = _at(path, first, index, at, at + 1)
    help = f"put the text in quotes:  {_keyed(parts.key)}{quoted(text)}"
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
        if index + 1 < len(lines) and _lead(lines[index + 1]) > parts.indent:
            mended = _mended(lines, index, line[:at] + lead)
        return index + 1, (
            problem(
                "T15",
                f"a text cannot start with {lead}: in YAML it announces lines below",
                sign,
                help,
                f"or write  {_keyed(parts.key)}|  and the text on the next line, indented",
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
                _at(path, first, index, where, where + 1),
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
                _at(path, first, index, at + cut_at.start() + 1, at + len(value)),
                help,
            ),
            None,
        )
    return index + 1, None


def _keyed(key: str) -> str:
    return f"{key}: " if key else "- "


def _continues(lines: list[str], index: int, parts: _Line) -> bool:
    if index + 1 >= len(lines):
        return False
    line = lines[index + 1]
    return len(line) - len(line.lstrip(" ")) > parts.indent and re.match(_KEY, line) is None


def _quote_end(text: str, start: int) -> int:
    """The index after the quote that closes the one at ``start``; -1 if none does."""
    mark = text[start]
    index = start + 1
    while index < len(text):
        if text[index] == "\\" and mark == '"':
            index += 2
            continue
        if text[index] == mark:
            if mark == "'" and text[index + 1 : index + 2] == "'":
                index += 2
                continue
            return index + 1
        index += 1
    return -1


def _escape(path: str, first: int, row: int, column: int, typed: str) -> Diagnostic:
    return problem(
        "T14",
        f"in double quotes a backslash starts an escape, and {typed} is none",
        _at(path, first, row, column, column + len(typed)),
        "write the text in single quotes, or every backslash twice",
    )


def _stop(line: str, at: int) -> int:
    """Where the next comma or bracket that closes stands, or what is written in the line ends."""
    sign = re.search(r"[,\]}]", line[at:])
    return at + sign.start() if sign else len(line.rstrip())


def _quote(
    lines: list[str], index: int, parts: _Line, first: int, path: str
) -> tuple[int, Answer | None]:
    line, at = lines[index], parts.at
    mark = line[at]
    end = _quote_end(line, at)
    after = index + 1
    joined = line
    while end < 0 and after < len(lines):
        below = lines[after]
        if below.strip() and len(below) - len(below.lstrip(" ")) <= parts.indent:
            break
        joined += "\n" + below
        after += 1
        end = _quote_end(joined, at)
    cut = _comment_at(line[at:])
    text = line[at : at + cut].rstrip()
    mended = _mended(lines, index, line[:at] + quoted(text) + line[at + cut :])
    if end < 0:
        name = "an apostrophe" if mark == "'" else "a quotation mark"
        helps = [f"if it belongs to the text:  {_keyed(parts.key)}{quoted(text)}"]
        if mark == '"':
            helps.append("if it is YAML's own, close it at the end of the text")
        return index + 1, (
            problem(
                "T14",
                f"the text starts with {name}, which opens a quotation that is never closed",
                _at(path, first, index, at, at + 1),
                *helps,
                label="opened here",
            ),
            mended,
        )
    odd = re.compile(_ESCAPE).search(joined, at, end) if mark == '"' else None
    if odd is not None:
        row = index + joined.count("\n", 0, odd.start(1))
        column = odd.start(1) - (joined.rfind("\n", 0, odd.start(1)) + 1)
        return after, (
            _escape(path, first, row, column, odd.group(1)),
            _mended(lines, row, lines[row][:column] + "\\" + lines[row][column:]),
        )
    rest = joined[end:].split("\n")[0]
    if rest.strip() and not re.match(r"\s+#|\s*:(\s|$)", rest):
        if "\n" in joined[at:end]:
            return after, (
                problem(
                    "T14",
                    "the quotation ends here, and the line goes on",
                    _at(
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
                _at(path, first, index, start, at + len(text)),
                f"quote the whole text:  {_keyed(parts.key)}{quoted(text)}",
            ),
            mended,
        )
    return after, None


def _flow(
    lines: list[str], index: int, at: int, indent: int, first: int, path: str
) -> tuple[int, Answer | None]:
    """Past brackets; an answer to the first trap inside them."""
    opened: list[tuple[str, int, int]] = []
    row, column = index, at
    fresh = True  # Whether a value or key may start here.
    word_at = word_row = -1
    had_colon = False
    comments: dict[int, int] = {}  # Where the comment of a line starts.
    while row < len(lines):
        line = lines[row]
        if row > index and line.strip():
            lead = len(line) - len(line.lstrip(" "))
            if lead <= indent and line.lstrip()[:1] not in "]}" and re.match(_KEY, line):
                break
        while column < len(line):
            c = line[column]
            if c == "#" and (column == 0 or line[column - 1] in " \t[{,"):
                lost = re.split(r"[,\]}]", line[column:], maxsplit=1)[0].strip()
                end = column + len(lost)
                starts = -1
                if fresh and re.match(r"[^\s#>]", lost[1:]) and line[end:]:
                    starts = column
                elif word_row == row and word_at >= 0 and re.compile(CUT).match(line, column - 1):
                    starts = word_at
                if opened and starts >= 0:
                    text = f"{line[starts:column].strip()} {lost}".strip()
                    return row + 1, (
                        problem(
                            "T12",
                            f"'{lost}' starts a comment, and the rest of the line is lost",
                            _at(path, first, row, column, end),
                            f"if it belongs to the text:  {quoted(text)}",
                        ),
                        _mended(lines, row, line[:starts] + quoted(text) + line[end:]),
                    )
                comments[row] = column
                break
            if c in "'\"" and fresh:
                end = _quote_end(line, column)
                rest = line[end:].lstrip() if end > 0 else ""
                if end < 0:
                    stop = _stop(line, column)
                    text = line[column:stop].rstrip()
                    joined = "\n".join(lines[row:])
                    if _quote_end(joined, column) > 0 and c == '"' and stop == len(line.rstrip()):
                        return row + 1, None
                    return row + 1, (
                        problem(
                            "T14",
                            "this quotation is never closed",
                            _at(path, first, row, column, column + 1),
                            f"if it belongs to the text:  {quoted(text)}",
                            label="opened here",
                        ),
                        _mended(lines, row, line[:column] + quoted(text) + line[stop:]),
                    )
                if rest and rest[0] not in ",:]}#":
                    stop = _stop(line, end)
                    text = line[column:stop].rstrip()
                    return row + 1, (
                        problem(
                            "T14",
                            "the quotation ends here, and the text goes on",
                            _at(path, first, row, line.index(rest, end), stop),
                            f"quote the whole text:  {quoted(text)}",
                        ),
                        _mended(lines, row, line[:column] + quoted(text) + line[stop:]),
                    )
                bad = re.compile(_ESCAPE).search(line, column, end) if c == '"' else None
                if bad is not None:
                    mended = _mended(lines, row, line[: bad.start(1)] + "\\" + line[bad.start(1) :])
                    return row + 1, (_escape(path, first, row, bad.start(1), bad.group(1)), mended)
                column = end
                fresh = False
                continue
            if c in "{[" and fresh:
                opened.append((c, row, column))
                fresh, word_at, had_colon = True, -1, False
            elif c in "]}":
                if not opened or (opened[-1][0] == "{") != (c == "}"):
                    if not opened:
                        return row + 1, None
                    mark, r, k = opened[-1]
                    wanted = "}" if mark == "{" else "]"
                    # Either this bracket is the wrong one, or the right one is missing before it.
                    outer = any((one == "{") == (c == "}") for one, _, _ in opened)
                    skip = 0 if outer else 1
                    return row + 1, (
                        problem(
                            "T19",
                            f"'{c}' closes what '{mark}' opened; '{wanted}' is missing",
                            _at(path, first, row, column, column + 1),
                            f"close every {mark} with {wanted}",
                            label=f"opened in line {first + r}, column {k + 1}",
                        ),
                        _mended(lines, row, line[:column] + wanted + line[column + skip :]),
                    )
                opened.pop()
                fresh, word_at, had_colon = False, -1, False
                if not opened:
                    rest = line[column + 1 :]
                    extra = re.match(r"[\s\]}]*[\]}]", rest)
                    if extra is not None:
                        return row + 1, (
                            problem(
                                "T19",
                                f"'{rest.strip()[0]}' closes nothing: a bracket too many",
                                _at(path, first, row, column + 1, column + 1 + extra.end()),
                                "take it out",
                            ),
                            _mended(lines, row, line[: column + 1] + rest[extra.end() :]),
                        )
                    if rest.strip() and not re.match(r"\s+#|\s*:(\s|$)", rest):
                        text = value_text(line[at:]) if row == index else ""
                        what = "bracket" if c == "]" else "brace"
                        return row + 1, (
                            problem(
                                "T15",
                                f"the {what} ends the value here, and the text goes on",
                                _at(
                                    path,
                                    first,
                                    row,
                                    column + 1 + len(rest) - len(rest.lstrip()),
                                    len(line.rstrip()),
                                ),
                                f"a text that starts with {line[at]} goes in quotes:  {quoted(text)}"
                                if text
                                else "take it out, or put the whole text in quotes",
                            ),
                            _mended(lines, row, line[:at] + quoted(text)) if text else None,
                        )
                    return row + 1, None
            elif c == ",":
                fresh, word_at, had_colon = True, -1, False
            elif c == ":" and line[column + 1 : column + 2] in ("", " ", "\t", ",", "]", "}"):
                if had_colon and word_at >= 0 and word_row < row:
                    end = comments.get(word_row, len(lines[word_row]))
                    return row + 1, _line_run_on(lines, word_row, end, opened[-1], first, path)
                if had_colon and word_at >= 0:
                    stop = _stop(line, column)
                    text = line[word_at:stop].rstrip()
                    return row + 1, (
                        problem(
                            "T11",
                            "a colon inside a sentence: YAML takes what stands before it for a key",
                            _at(path, first, row, column, column + 1),
                            f"put the text in quotes:  {quoted(text)}",
                        ),
                        _mended(lines, row, line[:word_at] + quoted(text) + line[stop:]),
                    )
                had_colon, fresh, word_at = True, True, -1
            elif not c.isspace():
                if fresh:
                    odd = _odd_start(lines, row, column, first, path)
                    if odd is not None:
                        return row + 1, odd
                    word_at, word_row = column, row
                fresh = False
            column += 1
        row, column = row + 1, 0
    if not opened:
        return row, None
    mark, r, k = opened[-1]
    wanted = "}" if mark == "{" else "]"
    last = row - 1
    while last > r and not lines[last].strip():
        last -= 1
    closing = "".join("}" if m == "{" else "]" for m, _, _ in reversed(opened))
    cut_at = comments.get(last, len(lines[last]))
    return row, (
        problem(
            "T19",
            f"'{mark}' is opened here and never closed",
            _at(path, first, r, k, k + 1),
            f"close it with {wanted}",
            label="opened here",
        ),
        _mended(lines, last, f"{lines[last][:cut_at].rstrip()}{closing} {lines[last][cut_at:]}"),
    )


def _line_run_on(
    lines: list[str], row: int, end: int, opener: tuple[str, int, int], first: int, path: str
) -> Answer:
    """Inside brackets, a value that ends in ``row`` at ``end`` runs on into the key below it."""
    mark, r, k = opener
    closes = "}" if mark == "{" else "]"
    if any(closes in line for line in lines[r:]):
        text = lines[row][:end].rstrip()
        return (
            problem(
                "T19",
                "a comma is missing at the end of this line",
                _at(path, first, row, len(text) - 1, len(text)),
                f"what '{mark}' opened goes on below: write  {text.strip()},",
            ),
            _mended(lines, row, f"{text},{lines[row][len(text) :]}"),
        )
    return (
        problem(
            "T19",
            f"'{mark}' is opened here and never closed",
            _at(path, first, r, k, k + 1),
            f"close it with {closes}, or take it out: indented lines need no brackets",
            label="opened here",
        ),
        None,
    )


def _odd_start(lines: list[str], row: int, column: int, first: int, path: str) -> Answer | None:
    """A word in brackets that starts with a sign YAML keeps for itself."""
    line = lines[row]
    c = line[column]
    stop = _stop(line, column)
    text = line[column:stop].rstrip()
    bare = text in ("-", "?") or text.startswith(("- ", "? "))
    odd = c in "@`%|>" or (c == "*" and not re.fullmatch(r"\*[\w-]+", text))
    odd = odd or (c in "&!" and not re.match(r"[&!][\w-]+( |$)", text))
    if not (bare or odd) or (
        text == "-" and stop < len(line.rstrip()) and not line[column + 1].isspace()
    ):
        return None
    return (
        problem(
            "T16" if bare else "T15",
            f"a bare {c} means something else in YAML"
            if bare
            else f"a text cannot start with {c} in YAML",
            _at(path, first, row, column, column + 1),
            f"put it in quotes:  {quoted(text)}",
        ),
        _mended(lines, row, line[:column] + quoted(text) + line[stop:]),
    )


def _odd_line(lines: list[str], index: int, parts: _Line, first: int, path: str) -> Answer | None:
    """A line that is at the wrong depth, or has no ``key: value``."""
    line = lines[index]
    glued = re.match(_GLUED, line)
    if glued is not None and re.match(_KEY, line) is None:
        key, value = glued["key"], glued["value"]
        start = glued.start("key")
        return (
            problem(
                "T17",
                f"a space is missing after '{key}:'",
                _at(path, first, index, start, start + len(key) + 1),
                f"write  {key}: {value.strip()}",
            ),
            _mended(lines, index, f"{glued['lead']}{key}: {value}"),
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
                _at(path, first, index, lead, lead + 1),
                "write the key, as in  by: Ana",
            ),
            [*lines[:index], *lines[index + 1 :]],
        )
    matched = re.match(_KEY, line)
    if matched is not None and matched["lead"].strip() == "":
        above = _above(lines, index)
        if (
            above is not None
            and lead != entry
            and _parts(above).value
            and not _nested(lines, index, lead)
        ):
            return (
                problem(
                    "T18",
                    f"'{parts.key}' is indented by {plural(lead, 'space')}; the other keys by {entry}",
                    _at(path, first, index, lead, lead + len(parts.key)),
                    f"put '{parts.key}:' right under the other keys",
                ),
                _mended(lines, index, " " * entry + line.lstrip(" ")),
            )
        return None
    if matched is None and not line.lstrip().startswith("- ") and lead <= entry:
        words = line.strip()
        return (
            problem(
                "T18",
                "this line is no 'key: value', and is not indented as part of a text",
                _at(path, first, index, lead, lead + len(words)),
                "a colon is missing, or the text needs  |  and indented lines",
                f"an entry of its own starts with a dash:  - tell: {quoted(words)}",
            ),
            [*lines[:index], *lines[index + 1 :]],
        )
    return None


def _colon_missing(lines: list[str], parts: _Line, first: int, path: str) -> Answer | None:
    """``- tell They argue`` with an option below it."""
    below = re.match(_KEY, lines[1]) if len(lines) > 1 else None
    if parts.key or below is None or len(below["lead"]) != parts.indent:
        return None
    words = parts.value.strip()
    return (
        problem(
            "T25",
            "a colon is missing in this line: options follow, but there is no 'verb: value'",
            _at(path, first, 0, parts.at, parts.at + len(words)),
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
        match = re.match(_KEY, line)
        if match is None:
            continue
        if len(match["lead"]) == lead:
            return True
        if len(match["lead"]) < lead:
            return not match["value"]
    return False
