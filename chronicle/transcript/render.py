"""Findings for people and for programs: terminal text, JSON, SARIF and CI annotations."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.diagnostic import Diagnostic, Finding, Severity, reported
from chronicle.core.fix import as_data as fix_as_data
from chronicle.core.safe import safe
from chronicle.core.source import Place
from chronicle.transcript.traps import BREAK

Lines = Callable[[str], Sequence[str]]
"""The lines of a file by its path; empty when there are none to show."""

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
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )


def _safe(text: str) -> str:
    """A text that cannot steer a terminal, a tab as wide as it is counted."""
    return safe(text.replace("\t", "    "))


class Told(NamedTuple):
    """A finding that is told, and the places further down of notes of its kind, which are not."""

    one: Diagnostic
    again: tuple[Place, ...] = ()


def told(found: Iterable[Diagnostic], folded: bool = True) -> list[Told]:
    """The findings that are told in their own right; where they are ``folded``, notes of one kind once,
    however often they come."""
    if not folded:
        return [Told(one) for one in reported(found, folded)]
    kinds: dict[tuple[str, Finding], list[tuple[Counter[str], list[Diagnostic]]]] = {}
    groups: list[list[Diagnostic]] = []
    for one in reported(found):
        if one.severity is not Severity.NOTE:
            groups.append([one])
            continue
        words = Counter(_VARIES.sub(" ", one.message).split())
        known = kinds.setdefault((one.full_code, one.finding), [])
        group = next((group for other, group in known[-MOST_PLACES:] if _alike(words, other)), None)
        if group is None:
            group = []
            groups.append(group)
            known.append((words, group))
        group.append(one)
    return [Told(group[0], tuple(one.place for one in group[1:])) for group in groups]


_VARIES = re.compile(r"'[^']*'|\d+")
"""What differs from one note of a kind to the next: words quoted, and numbers."""


def _alike(one: Counter[str], other: Counter[str]) -> bool:
    """Whether two messages are of one kind: they differ in a name or two."""
    return 2 * sum((one & other).values()) > max(sum(one.values()), sum(other.values()))


def terminal(
    found: Iterable[Diagnostic], lines: Lines, *, colour: bool = False, folded: bool = True
) -> str:
    """Findings as a reader at a terminal wants them; dependents are ``folded`` under their cause, and
    notes of one kind into one, or stand in their own right and name it."""
    blocks = [
        "\n".join([*_block(one, lines, colour, folded), *_again(again)])
        for one, again in told(found, folded)
    ]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _again(places: Sequence[Place]) -> list[str]:
    """A line that counts further notes of a kind, and says where the first of them are."""
    if not places:
        return []
    named = [
        _safe(f"{place.path}:{place.line}" if place.line else place.path)
        for place in places[:MOST_PLACES]
    ]
    more = ", ..." if len(places) > MOST_PLACES else ""
    return [f"      and {len(places)} more of this kind: {', '.join(named)}{more}"]


MOST_PLACES = 4
"""How many places of notes of one kind are named, and with how many kinds of a rule one is compared."""


def brief(found: Iterable[Diagnostic], *, folded: bool = True) -> str:
    """Findings a line each, as compilers print them: ``01.yaml:4:3: error[T50]: no player 'Anna'``."""
    return "".join(
        f"{one.place}: {one.severity}[{one.code}]: {_safe(one.message)}"
        + (f" (and {len(again)} more of this kind)\n" if again else "\n")
        for one, again in told(found, folded)
    )


def _block(one: Diagnostic, lines: Lines, colour: bool, folded: bool) -> list[str]:
    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text

    name = str(one.severity)
    shade = dict(_COLOURS)[name]
    shown = [paint(f"{name}[{one.code}]", f"1;{shade}") + paint(f": {_safe(one.message)}", "1")]
    gutter = len(
        str(max([one.place.line, *(f.place.line for f in one.facts if f.place)], default=1))
    )
    pad = " " * gutter
    bar = paint(f"{pad} |", "34")
    place = _pinned(one.place, lines)
    shown.append(f"{pad}{paint('-->', '34')} {_safe(str(place))}")
    excerpt = _excerpt(place, lines)
    if excerpt is not None:
        source, before, under = excerpt
        label = f" {_safe(one.label)}" if one.label else ""
        shown += [
            bar,
            f"{paint(f'{one.place.line:>{gutter}} |', '34')} {source}",
            f"{bar} {' ' * before}{paint('^' * under + label, shade)}",
        ]
    for fact in one.facts:
        if fact.place is None:
            shown.append(f"{pad} = {_safe(fact.text)}")
            continue
        shown.append(f"{pad} = {_safe(fact.text)} ({_safe(str(fact.place))})")
        excerpt = _excerpt(fact.place, lines)
        if excerpt is not None:
            shown.append(f"{paint(f'{fact.place.line:>{gutter}} |', '34')} {excerpt[0]}")
    if one.excused:
        shown.append(f"{pad} = excused: {_safe(one.excused)}")
    explain = f"chronicle explain {one.code}"
    helps = [*(_safe(text) for text in one.help), explain]
    shown.append(bar)
    shown += [
        f"{paint('help:', '1') if n == 0 else '     '} {text}" for n, text in enumerate(helps)
    ]
    if not folded:
        if one.cause is not None:
            shown.append(
                f"      follows from {one.cause.severity}[{one.cause.code}] ({one.cause.place})"
            )
    elif one.dependents:
        count = _followers(one)
        shown.append(f"      and {count} more that follow{'s' if count == 1 else ''} from this")
    return shown


def _followers(one: Diagnostic) -> int:
    return sum(1 + _followers(inner) for inner in one.dependents)


def _pinned(place: Place, lines: Lines) -> Place:
    """The place with its columns right. Words of a block text know their line, but not how far the
    block is indented: their stretch is as long as their line."""
    known = lines(place.path) if place.line and place.line == place.end_line else ()
    if place.line > len(known):
        return place
    line = known[place.line - 1].rstrip() if known else ""
    indent = len(line) - len(line.lstrip(" "))
    if not line or place.end_column - place.column != len(line) - indent:
        return place
    return place._replace(column=indent + 1, end_column=len(line) + 1)


def pin(found: Iterable[Diagnostic], lines: Lines) -> None:
    """Give findings inside block texts their columns, for programs that show places of their own."""
    for one in found:
        one.place = _pinned(one.place, lines)


def _excerpt(place: Place, lines: Lines) -> tuple[str, int, int] | None:
    """The line as shown, columns before the underline, columns under it."""
    known = lines(place.path) if place.line else ()
    if not 0 < place.line <= len(known):
        return None
    line = known[place.line - 1].rstrip("\r\n")
    start = min(max(place.column - 1, 0), len(line))
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    end = min(max(end, start), len(line))
    cut = 0
    # No more of the line than can matter: there may be as many findings in it as it has words.
    if len(line) > 1000 or width(line) > 140:
        # A line too long to show is cut around what is underlined.
        cut = max(0, start - 40)
        line, start, end = line[cut : cut + 140], start - cut, min(end - cut, 140)
    before = width(_safe(line[:start])) + (1 if cut else 0)
    return ("…" if cut else "") + _safe(line), before, max(width(_safe(line[start:end])), 1)


def _region(place: Place) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def as_data(one: Diagnostic) -> dict[str, Any]:
    """One finding as plain data, its dependents inside it."""
    return {
        "code": one.full_code,
        "severity": str(one.severity),
        "finding": str(one.finding),
        "message": one.message,
        "path": one.place.path,
        **_region(one.place),
        "label": one.label,
        "facts": [
            {"text": f.text, **({"path": f.place.path, **_region(f.place)} if f.place else {})}
            for f in one.facts
        ],
        "help": list(one.help),
        "fixes": [fix_as_data(fix) for fix in one.fixes],
        "excused": one.excused,
        "dependents": [as_data(inner) for inner in one.dependents],
    }


def as_json(found: Iterable[Diagnostic]) -> str:
    """Findings as JSON: ``{"version": 1, "diagnostics": [...]}``."""
    import json

    listed = [as_data(one) for one in reported(found)]
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


def sarif(found: Iterable[Diagnostic], *, version: str = "") -> str:
    """Findings as SARIF 2.1.0."""
    import json

    shown = [one for one in found if one.severity]
    levels = dict(_LEVELS)
    codes = sorted({one.full_code for one in shown})
    driver: dict[str, Any] = {"name": "chronicle", "rules": [{"id": code} for code in codes]}
    if version:
        driver["version"] = version
    results = []
    for one in shown:
        result: dict[str, Any] = {
            "ruleId": one.full_code,
            "ruleIndex": codes.index(one.full_code),
            "level": levels[one.severity],
            "message": {"text": "\n".join([one.message, *one.help])},
            "locations": [_location(one.place)],
        }
        related = [
            {"message": {"text": fact.text}, **_location(fact.place)}
            for fact in one.facts
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


def github(found: Iterable[Diagnostic]) -> str:
    """Findings as annotations of a GitHub workflow."""
    commands = (
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.NOTE, "notice"),
    )
    shown: list[str] = []
    for one in reported(found):
        place = one.place
        where = f"file={_escaped(place.path, value=True)}"
        if place.line:
            where += f",line={place.line},endLine={place.end_line}"
            if place.line == place.end_line:
                where += f",col={place.column},endColumn={place.end_column}"
        where += f",title={_escaped(one.full_code, value=True)}"
        words = _escaped("\n".join([one.message, *one.help]))
        shown.append(f"::{dict(commands)[one.severity]} {where}::{words}\n")
    return "".join(shown)
