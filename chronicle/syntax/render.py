"""Show diagnostics: as terminal text, JSON, SARIF and CI annotations."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from chronicle.core.control_characters import safe
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Severity, reported_diagnostics
from chronicle.core.fix import fix_as_data
from chronicle.core.record import StatedFigure
from chronicle.core.source import Place
from chronicle.syntax.yaml_traps import LINE_BREAK

LinesOf = Callable[[str], Sequence[str]]
"""The lines of a file by its path; empty if there are none to show."""

_COLOUR_CODES: Final = (("error", "31"), ("warning", "33"), ("note", "36"), ("off", "2"))
_SARIF_LEVELS: Final = (
    (Severity.ERROR, "error"),
    (Severity.WARNING, "warning"),
    (Severity.NOTE, "note"),
    (Severity.OFF, "none"),
)


def split_lines(text: str) -> list[str]:
    """The lines of a text, split where YAML splits them."""
    return LINE_BREAK.split(text)


def terminal_width(text: str) -> int:
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


def _safe_text(text: str) -> str:
    """A text without control characters, with tabs expanded."""
    return safe(text.replace("\t", "    "))


class Report(NamedTuple):
    """A diagnostic to report, and the places of similar notes further down that are not shown."""

    diagnostic: Diagnostic
    similar_places: tuple[Place, ...] = ()


def reports_of(diagnostics: Iterable[Diagnostic], is_condensed: bool = True) -> list[Report]:
    """The diagnostics to report. If ``is_condensed``, dependents are hidden under their cause, and
    similar notes are reported once."""
    if not is_condensed:
        return [
            Report(diagnostic) for diagnostic in reported_diagnostics(diagnostics, is_condensed)
        ]
    note_groups_by_kind: dict[
        tuple[str, DiagnosticKind], list[tuple[Counter[str], list[Diagnostic]]]
    ] = {}
    all_groups: list[list[Diagnostic]] = []
    for diagnostic in reported_diagnostics(diagnostics):
        if diagnostic.severity is not Severity.NOTE:
            all_groups.append([diagnostic])
            continue
        message_words = Counter(_VARIABLE_PARTS.sub(" ", diagnostic.message).split())
        groups_of_kind = note_groups_by_kind.setdefault((diagnostic.full_code, diagnostic.kind), [])
        similar_diagnostics = next(
            (
                similar_diagnostics
                for group_words, similar_diagnostics in groups_of_kind[-MAX_SIMILAR_PLACES:]
                if _is_similar(message_words, group_words)
            ),
            None,
        )
        if similar_diagnostics is None:
            similar_diagnostics = []
            all_groups.append(similar_diagnostics)
            groups_of_kind.append((message_words, similar_diagnostics))
        similar_diagnostics.append(diagnostic)
    return [
        Report(
            similar_diagnostics[0],
            tuple(similar_diagnostic.place for similar_diagnostic in similar_diagnostics[1:]),
        )
        for similar_diagnostics in all_groups
    ]


_VARIABLE_PARTS = re.compile(r"'[^']*'|\d+")
"""The parts that differ between similar notes: quoted words, and numbers."""


def _is_similar(message_words: Counter[str], other_message_words: Counter[str]) -> bool:
    """Whether two messages are similar: they differ in a name or two."""
    return 2 * sum((message_words & other_message_words).values()) > max(
        sum(message_words.values()), sum(other_message_words.values())
    )


def as_terminal_text(
    diagnostics: Iterable[Diagnostic],
    lines_of: LinesOf,
    *,
    use_colour: bool = False,
    is_condensed: bool = True,
) -> str:
    """Diagnostics as text for a terminal. If ``is_condensed``, dependents are counted under their cause and
    similar notes are merged; else each is shown with its cause."""
    report_texts = [
        "\n".join(
            [
                *_report_lines(diagnostic, lines_of, use_colour, is_condensed),
                *_similar_places_lines(similar_places),
            ]
        )
        for diagnostic, similar_places in reports_of(diagnostics, is_condensed)
    ]
    return "\n\n".join(report_texts) + "\n" if report_texts else ""


def _similar_places_lines(places: Sequence[Place]) -> list[str]:
    """A line that counts similar notes and lists the first places."""
    if not places:
        return []
    place_texts = [
        _safe_text(f"{place.path}:{place.line}" if place.line else place.path)
        for place in places[:MAX_SIMILAR_PLACES]
    ]
    ellipsis = ", ..." if len(places) > MAX_SIMILAR_PLACES else ""
    return [f"      and {len(places)} more of this kind: {', '.join(place_texts)}{ellipsis}"]


MAX_SIMILAR_PLACES = 4
"""Maximum number of places listed for similar notes, and of note groups compared for each rule."""


def as_brief_lines(diagnostics: Iterable[Diagnostic], *, is_condensed: bool = True) -> str:
    """Diagnostics in one line each, as compilers print them: ``01.yaml:4:3: error[T50]: no player 'Anna'``."""
    return "".join(
        f"{diagnostic.place}: {diagnostic.severity}[{diagnostic.code}]: {_safe_text(diagnostic.message)}"
        + (f" (and {len(similar_places)} more of this kind)\n" if similar_places else "\n")
        for diagnostic, similar_places in reports_of(diagnostics, is_condensed)
    )


def list_not_compared(figures: Iterable[StatedFigure]) -> str:
    """Stated figures that could not be compared in a line each, with place and reason; empty if there are
    none."""
    figure_lines = [f"  {_safe_text(_figure_line(figure))}\n" for figure in figures]
    return "".join(["Not compared:\n", *figure_lines]) if figure_lines else ""


def _figure_line(figure: StatedFigure) -> str:
    """``01.yaml:40: Ana's wealth: a gap at 01.yaml:12 lies between``."""
    cause = figure.cause_place
    cause_place_text = f"{cause.path.rpartition('/')[2]}:{cause.line}" if cause is not None else ""
    reason = figure.reason_unknown.replace("{place}", cause_place_text)
    return f"{figure.place.path}:{figure.place.line}: {figure.figure_text}: {reason}"


def _report_lines(
    diagnostic: Diagnostic, lines_of: LinesOf, use_colour: bool, is_condensed: bool
) -> list[str]:
    def with_colour(text: str, escape_code: str) -> str:
        return f"\x1b[{escape_code}m{text}\x1b[0m" if use_colour and text else text

    severity_name = str(diagnostic.severity)
    colour_code = dict(_COLOUR_CODES)[severity_name]
    report_lines = [
        with_colour(f"{severity_name}[{diagnostic.code}]", f"1;{colour_code}")
        + with_colour(f": {_safe_text(diagnostic.message)}", "1")
    ]
    gutter_width = len(
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
    gutter_padding = " " * gutter_width
    empty_gutter = with_colour(f"{gutter_padding} |", "34")
    place = _exact_place(diagnostic.place, lines_of)
    report_lines.append(f"{gutter_padding}{with_colour('-->', '34')} {_safe_text(str(place))}")
    excerpt = _excerpt(place, lines_of)
    if excerpt is not None:
        source_text, underline_offset, underline_width = excerpt
        label = f" {_safe_text(diagnostic.place_label)}" if diagnostic.place_label else ""
        report_lines += [
            empty_gutter,
            f"{with_colour(f'{diagnostic.place.line:>{gutter_width}} |', '34')} {source_text}",
            f"{empty_gutter} {' ' * underline_offset}{with_colour('^' * underline_width + label, colour_code)}",
        ]
    for fact in diagnostic.facts:
        if fact.place is None:
            report_lines.append(f"{gutter_padding} = {_safe_text(fact.text)}")
            continue
        report_lines.append(
            f"{gutter_padding} = {_safe_text(fact.text)} ({_safe_text(str(fact.place))})"
        )
        excerpt = _excerpt(fact.place, lines_of)
        if excerpt is not None:
            report_lines.append(
                f"{with_colour(f'{fact.place.line:>{gutter_width}} |', '34')} {excerpt[0]}"
            )
    if diagnostic.excuse:
        report_lines.append(f"{gutter_padding} = excused: {_safe_text(diagnostic.excuse)}")
    explain_command = f"chronicle explain {diagnostic.code}"
    help_texts = [*(_safe_text(text) for text in diagnostic.help), explain_command]
    report_lines.append(empty_gutter)
    report_lines += [
        f"{with_colour('help:', '1') if index == 0 else '     '} {text}"
        for index, text in enumerate(help_texts)
    ]
    if not is_condensed:
        if diagnostic.cause is not None:
            report_lines.append(
                f"      follows from {diagnostic.cause.severity}[{diagnostic.cause.code}] ({diagnostic.cause.place})"
            )
    elif diagnostic.dependents:
        dependent_count = count_dependents(diagnostic)
        verb_form, it_or_them = ("follows", "it") if dependent_count == 1 else ("follow", "them")
        report_lines.append(
            f"      and {dependent_count} more that {verb_form} from this (--all shows {it_or_them})"
        )
    return report_lines


def count_dependents(diagnostic: Diagnostic) -> int:
    """The number of problems that follow from a problem, directly or not."""
    return sum(1 + count_dependents(dependent) for dependent in diagnostic.dependents)


def _exact_place(place: Place, lines_of: LinesOf) -> Place:
    """The place with exact columns. For words in a block text only the line is known, because the
    indentation of the block is not stored: such a place spans the whole line."""
    file_lines = lines_of(place.path) if place.line and place.line == place.end_line else ()
    if place.line > len(file_lines):
        return place
    line = file_lines[place.line - 1].rstrip() if file_lines else ""
    indent_width = len(line) - len(line.lstrip(" "))
    if not line or place.end_column - place.column != len(line) - indent_width:
        return place
    return place._replace(column=indent_width + 1, end_column=len(line) + 1)


def set_exact_columns(diagnostics: Iterable[Diagnostic], lines_of: LinesOf) -> None:
    """Give diagnostics inside block texts exact columns, for programs that show places themselves."""
    for diagnostic in diagnostics:
        diagnostic.place = _exact_place(diagnostic.place, lines_of)


def _excerpt(place: Place, lines_of: LinesOf) -> tuple[str, int, int] | None:
    """The line to show, the columns before the underline, and the columns under it."""
    file_lines = lines_of(place.path) if place.line else ()
    if not 0 < place.line <= len(file_lines):
        return None
    line = file_lines[place.line - 1].rstrip("\r\n")
    start_index = min(max(place.column - 1, 0), len(line))
    end_index = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    end_index = min(max(end_index, start_index), len(line))
    cut_character_count = 0
    # Cut long lines before measuring: a line may have as many problems as words.
    if len(line) > 1000 or terminal_width(line) > 140:
        # A line that is too long is cut around the underlined part.
        cut_character_count = max(0, start_index - 40)
        line, start_index, end_index = (
            line[cut_character_count : cut_character_count + 140],
            start_index - cut_character_count,
            min(end_index - cut_character_count, 140),
        )
    underline_offset = terminal_width(_safe_text(line[:start_index])) + (
        1 if cut_character_count else 0
    )
    return (
        ("…" if cut_character_count else "") + _safe_text(line),
        underline_offset,
        max(terminal_width(_safe_text(line[start_index:end_index])), 1),
    )


def _span_as_data(place: Place) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def diagnostic_as_data(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data, with its dependents."""
    return {
        "code": diagnostic.full_code,
        "severity": str(diagnostic.severity),
        "kind": str(diagnostic.kind),
        "message": diagnostic.message,
        "path": diagnostic.place.path,
        **_span_as_data(diagnostic.place),
        "label": diagnostic.place_label,
        "facts": [
            {
                "text": fact.text,
                **({"path": fact.place.path, **_span_as_data(fact.place)} if fact.place else {}),
            }
            for fact in diagnostic.facts
        ],
        "help": list(diagnostic.help),
        "fixes": [fix_as_data(fix) for fix in diagnostic.fixes],
        "excused": diagnostic.excuse,
        "dependents": [diagnostic_as_data(dependent) for dependent in diagnostic.dependents],
    }


def as_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics as JSON: ``{"version": 1, "diagnostics": [...]}``."""
    import json

    diagnostics_data = [
        diagnostic_as_data(diagnostic) for diagnostic in reported_diagnostics(diagnostics)
    ]
    return (
        json.dumps({"version": 1, "diagnostics": diagnostics_data}, ensure_ascii=False, indent=2)
        + "\n"
    )


def _sarif_location(place: Place) -> dict[str, Any]:
    from urllib.parse import quote

    physical_location: dict[str, Any] = {"artifactLocation": {"uri": quote(place.path)}}
    if place.line:
        physical_location["region"] = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
    return {"physicalLocation": physical_location}


def as_sarif(diagnostics: Iterable[Diagnostic], *, chronicle_version: str = "") -> str:
    """Diagnostics as SARIF 2.1.0."""
    import json

    shown_diagnostics = [diagnostic for diagnostic in diagnostics if diagnostic.severity]
    level_by_severity = dict(_SARIF_LEVELS)
    diagnostic_codes = sorted({diagnostic.full_code for diagnostic in shown_diagnostics})
    tool_driver: dict[str, Any] = {
        "name": "chronicle",
        "rules": [{"id": code} for code in diagnostic_codes],
    }
    if chronicle_version:
        tool_driver["version"] = chronicle_version
    sarif_results = []
    for diagnostic in shown_diagnostics:
        sarif_result: dict[str, Any] = {
            "ruleId": diagnostic.full_code,
            "ruleIndex": diagnostic_codes.index(diagnostic.full_code),
            "level": level_by_severity[diagnostic.severity],
            "message": {"text": "\n".join([diagnostic.message, *diagnostic.help])},
            "locations": [_sarif_location(diagnostic.place)],
        }
        related_locations = [
            {"message": {"text": fact.text}, **_sarif_location(fact.place)}
            for fact in diagnostic.facts
            if fact.place is not None
        ]
        if related_locations:
            sarif_result["relatedLocations"] = related_locations
        sarif_results.append(sarif_result)
    sarif_run = {
        "tool": {"driver": tool_driver},
        "columnKind": "unicodeCodePoints",
        "results": sarif_results,
    }
    sarif_log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [sarif_run],
    }
    return json.dumps(sarif_log, ensure_ascii=False, indent=2) + "\n"


def _escape_for_github(text: str, *, is_property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if is_property else text


def as_github_annotations(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics as annotations of a GitHub workflow."""
    command_by_severity = (
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.NOTE, "notice"),
    )
    annotations: list[str] = []
    for diagnostic in reported_diagnostics(diagnostics):
        place = diagnostic.place
        annotation_properties = f"file={_escape_for_github(place.path, is_property=True)}"
        if place.line:
            annotation_properties += f",line={place.line},endLine={place.end_line}"
            if place.line == place.end_line:
                annotation_properties += f",col={place.column},endColumn={place.end_column}"
        annotation_properties += (
            f",title={_escape_for_github(diagnostic.full_code, is_property=True)}"
        )
        annotation_text = _escape_for_github("\n".join([diagnostic.message, *diagnostic.help]))
        annotations.append(
            f"::{dict(command_by_severity)[diagnostic.severity]} {annotation_properties}::{annotation_text}\n"
        )
    return "".join(annotations)
