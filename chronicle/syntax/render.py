"""Show diagnostics: as terminal text, JSON, SARIF and CI annotations."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.control_characters import safe
from chronicle.core.diagnostic import Diagnostic, Finding, Severity, reported
from chronicle.core.fix import as_data as fix_as_data
from chronicle.core.record import StatedFigure
from chronicle.core.source import Place
from chronicle.syntax.yaml_traps import BREAK

Lines = Callable[[str], Sequence[str]]
"""The lines of a file by its path; empty if there are none to show."""

_COLOURS: Final = (("error", "31"), ("warning", "33"), ("note", "36"), ("off", "2"))
_LEVELS: Final = (
    (Severity.ERROR, "error"),
    (Severity.WARNING, "warning"),
    (Severity.NOTE, "note"),
    (Severity.OFF, "none"),
)


def lines_of(text: str) -> list[str]:
    """The lines of a text, split where YAML splits them."""
    return BREAK.split(text)


def width(text: str) -> int:
    """The number of terminal columns a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _safe(text: str) -> str:
    """A text without control characters, with tabs expanded."""
    return safe(text.replace("\t", "    "))


class Report(NamedTuple):
    """A diagnostic to report, and the places of similar notes further down that are not shown."""

    diagnostic: Diagnostic
    similar_at: tuple[Place, ...] = ()


def told(diagnostics: Iterable[Diagnostic], folded: bool = True) -> list[Report]:
    """The diagnostics to report. If they are ``folded``, dependents are hidden under their cause, and
    similar notes are reported once."""
    if not folded:
        return [Report(diagnostic) for diagnostic in reported(diagnostics, folded)]
    kinds: dict[tuple[str, Finding], list[tuple[Counter[str], list[Diagnostic]]]] = {}
    groups: list[list[Diagnostic]] = []
    for diagnostic in reported(diagnostics):
        if diagnostic.severity is not Severity.NOTE:
            groups.append([diagnostic])
            continue
        words = Counter(_VARIABLE_PARTS.sub(" ", diagnostic.message).split())
        note_groups = kinds.setdefault((diagnostic.full_code, diagnostic.finding), [])
        group = next(
            (
                group
                for group_words, group in note_groups[-MOST_PLACES:]
                if _is_similar(words, group_words)
            ),
            None,
        )
        if group is None:
            group = []
            groups.append(group)
            note_groups.append((words, group))
        group.append(diagnostic)
    return [Report(group[0], tuple(similar.place for similar in group[1:])) for group in groups]


_VARIABLE_PARTS = re.compile(r"'[^']*'|\d+")
"""The parts that differ between similar notes: quoted words, and numbers."""


def _is_similar(words: Counter[str], other_words: Counter[str]) -> bool:
    """Whether two messages are similar: they differ in a name or two."""
    return 2 * sum((words & other_words).values()) > max(
        sum(words.values()), sum(other_words.values())
    )


def terminal(
    diagnostics: Iterable[Diagnostic], lines: Lines, *, colour: bool = False, folded: bool = True
) -> str:
    """Diagnostics as text for a terminal. If ``folded``, dependents are counted under their cause and
    similar notes are merged; else each is shown with its cause."""
    blocks = [
        "\n".join([*_block(diagnostic, lines, colour, folded), *_similar_line(similar_at)])
        for diagnostic, similar_at in told(diagnostics, folded)
    ]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _similar_line(places: Sequence[Place]) -> list[str]:
    """A line that counts similar notes and lists the first places."""
    if not places:
        return []
    named = [
        _safe(f"{place.path}:{place.line}" if place.line else place.path)
        for place in places[:MOST_PLACES]
    ]
    dots = ", ..." if len(places) > MOST_PLACES else ""
    return [f"      and {len(places)} more of this kind: {', '.join(named)}{dots}"]


MOST_PLACES = 4
"""Maximum number of places listed for similar notes, and of note groups compared for each rule."""


def brief(diagnostics: Iterable[Diagnostic], *, folded: bool = True) -> str:
    """Diagnostics in one line each, as compilers print them: ``01.yaml:4:3: error[T50]: no player 'Anna'``."""
    return "".join(
        f"{diagnostic.place}: {diagnostic.severity}[{diagnostic.code}]: {_safe(diagnostic.message)}"
        + (f" (and {len(similar_at)} more of this kind)\n" if similar_at else "\n")
        for diagnostic, similar_at in told(diagnostics, folded)
    )


def list_not_compared(figures: Iterable[StatedFigure]) -> str:
    """Stated figures that could not be compared in a line each, with place and reason; empty if there are
    none."""
    lines = [f"  {_safe(_figure_line(figure))}\n" for figure in figures]
    return "".join(["Not compared:\n", *lines]) if lines else ""


def _figure_line(figure: StatedFigure) -> str:
    """``01.yaml:40: Ana's wealth: a gap at 01.yaml:12 lies between``."""
    cause = figure.cause
    where = f"{cause.path.rpartition('/')[2]}:{cause.line}" if cause is not None else ""
    reason = figure.unknown.replace("{place}", where)
    return f"{figure.place.path}:{figure.place.line}: {figure.figure}: {reason}"


def _block(diagnostic: Diagnostic, lines: Lines, colour: bool, folded: bool) -> list[str]:
    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text

    name = str(diagnostic.severity)
    shade = dict(_COLOURS)[name]
    shown = [
        paint(f"{name}[{diagnostic.code}]", f"1;{shade}")
        + paint(f": {_safe(diagnostic.message)}", "1")
    ]
    gutter = len(
        str(
            max(
                [
                    diagnostic.place.line,
                    *(fact.place.line for fact in diagnostic.facts if fact.place),
                ],
                default=1,
            )
        )
    )
    pad = " " * gutter
    bar = paint(f"{pad} |", "34")
    place = _exact_place(diagnostic.place, lines)
    shown.append(f"{pad}{paint('-->', '34')} {_safe(str(place))}")
    excerpt = _excerpt(place, lines)
    if excerpt is not None:
        source, offset, underline_width = excerpt
        label = f" {_safe(diagnostic.label)}" if diagnostic.label else ""
        shown += [
            bar,
            f"{paint(f'{diagnostic.place.line:>{gutter}} |', '34')} {source}",
            f"{bar} {' ' * offset}{paint('^' * underline_width + label, shade)}",
        ]
    for fact in diagnostic.facts:
        if fact.place is None:
            shown.append(f"{pad} = {_safe(fact.text)}")
            continue
        shown.append(f"{pad} = {_safe(fact.text)} ({_safe(str(fact.place))})")
        excerpt = _excerpt(fact.place, lines)
        if excerpt is not None:
            shown.append(f"{paint(f'{fact.place.line:>{gutter}} |', '34')} {excerpt[0]}")
    if diagnostic.excused:
        shown.append(f"{pad} = excused: {_safe(diagnostic.excused)}")
    explain = f"chronicle explain {diagnostic.code}"
    helps = [*(_safe(text) for text in diagnostic.help), explain]
    shown.append(bar)
    shown += [
        f"{paint('help:', '1') if number == 0 else '     '} {text}"
        for number, text in enumerate(helps)
    ]
    if not folded:
        if diagnostic.cause is not None:
            shown.append(
                f"      follows from {diagnostic.cause.severity}[{diagnostic.cause.code}] ({diagnostic.cause.place})"
            )
    elif diagnostic.dependents:
        count = _count_dependents(diagnostic)
        shown.append(f"      and {count} more that follow{'s' if count == 1 else ''} from this")
    return shown


def _count_dependents(diagnostic: Diagnostic) -> int:
    return sum(1 + _count_dependents(inner) for inner in diagnostic.dependents)


def _exact_place(place: Place, lines: Lines) -> Place:
    """The place with exact columns. For words in a block text only the line is known, because the
    indentation of the block is not stored: such a place spans the whole line."""
    file_lines = lines(place.path) if place.line and place.line == place.end_line else ()
    if place.line > len(file_lines):
        return place
    line = file_lines[place.line - 1].rstrip() if file_lines else ""
    indent = len(line) - len(line.lstrip(" "))
    if not line or place.end_column - place.column != len(line) - indent:
        return place
    return place._replace(column=indent + 1, end_column=len(line) + 1)


def pin(diagnostics: Iterable[Diagnostic], lines: Lines) -> None:
    """Give diagnostics inside block texts exact columns, for programs that show places themselves."""
    for diagnostic in diagnostics:
        diagnostic.place = _exact_place(diagnostic.place, lines)


def _excerpt(place: Place, lines: Lines) -> tuple[str, int, int] | None:
    """The line to show, the columns before the underline, and the columns under it."""
    file_lines = lines(place.path) if place.line else ()
    if not 0 < place.line <= len(file_lines):
        return None
    line = file_lines[place.line - 1].rstrip("\r\n")
    start = min(max(place.column - 1, 0), len(line))
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    end = min(max(end, start), len(line))
    hidden = 0
    # Cut long lines before measuring: a line may have as many problems as words.
    if len(line) > 1000 or width(line) > 140:
        # A line that is too long is cut around the underlined part.
        hidden = max(0, start - 40)
        line, start, end = line[hidden : hidden + 140], start - hidden, min(end - hidden, 140)
    offset = width(_safe(line[:start])) + (1 if hidden else 0)
    return ("…" if hidden else "") + _safe(line), offset, max(width(_safe(line[start:end])), 1)


def _region(place: Place) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def as_data(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data, with its dependents."""
    return {
        "code": diagnostic.full_code,
        "severity": str(diagnostic.severity),
        "finding": str(diagnostic.finding),
        "message": diagnostic.message,
        "path": diagnostic.place.path,
        **_region(diagnostic.place),
        "label": diagnostic.label,
        "facts": [
            {
                "text": fact.text,
                **({"path": fact.place.path, **_region(fact.place)} if fact.place else {}),
            }
            for fact in diagnostic.facts
        ],
        "help": list(diagnostic.help),
        "fixes": [fix_as_data(fix) for fix in diagnostic.fixes],
        "excused": diagnostic.excused,
        "dependents": [as_data(inner) for inner in diagnostic.dependents],
    }


def as_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics as JSON: ``{"version": 1, "diagnostics": [...]}``."""
    import json

    listed = [as_data(diagnostic) for diagnostic in reported(diagnostics)]
    return json.dumps({"version": 1, "diagnostics": listed}, ensure_ascii=False, indent=2) + "\n"


def _location(place: Place) -> dict[str, Any]:
    from urllib.parse import quote

    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(place.path)}}
    if place.line:
        physical["region"] = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
    return {"physicalLocation": physical}


def sarif(diagnostics: Iterable[Diagnostic], *, version: str = "") -> str:
    """Diagnostics as SARIF 2.1.0."""
    import json

    shown = [diagnostic for diagnostic in diagnostics if diagnostic.severity]
    levels = dict(_LEVELS)
    codes = sorted({diagnostic.full_code for diagnostic in shown})
    driver: dict[str, Any] = {"name": "chronicle", "rules": [{"id": code} for code in codes]}
    if version:
        driver["version"] = version
    results = []
    for diagnostic in shown:
        result: dict[str, Any] = {
            "ruleId": diagnostic.full_code,
            "ruleIndex": codes.index(diagnostic.full_code),
            "level": levels[diagnostic.severity],
            "message": {"text": "\n".join([diagnostic.message, *diagnostic.help])},
            "locations": [_location(diagnostic.place)],
        }
        related = [
            {"message": {"text": fact.text}, **_location(fact.place)}
            for fact in diagnostic.facts
            if fact.place is not None
        ]
        if related:
            result["relatedLocations"] = related
        results.append(result)
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _escaped(text: str, *, value: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if value else text


def github(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics as annotations of a GitHub workflow."""
    commands = (
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.NOTE, "notice"),
    )
    shown: list[str] = []
    for diagnostic in reported(diagnostics):
        place = diagnostic.place
        location = f"file={_escaped(place.path, value=True)}"
        if place.line:
            location += f",line={place.line},endLine={place.end_line}"
            if place.line == place.end_line:
                location += f",col={place.column},endColumn={place.end_column}"
        location += f",title={_escaped(diagnostic.full_code, value=True)}"
        words = _escaped("\n".join([diagnostic.message, *diagnostic.help]))
        shown.append(f"::{dict(commands)[diagnostic.severity]} {location}::{words}\n")
    return "".join(shown)
