"""Findings as terminals, programs and CI see them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Fact, Severity
from chronicle.core.source import Place, whole_file
from chronicle.syntax.render import (
    as_brief_lines,
    as_github_annotations,
    as_json,
    as_sarif,
    as_terminal_text,
    set_exact_columns,
    split_lines,
    terminal_width,
)

TEXT = """session: 1
log:
- tell: 東京 says: no
- say: |
    Marit: yes
      Bo: no
- tell:\tthey\x1b[31m argue, 50% of it
- name: e\u0301tude and \U0001f468\u200d\U0001f469 here
"""


def lines(path: str) -> Sequence[str]:
    return split_lines(TEXT) if path == "a.yaml" else ()


def at(line: int, column: int, end: int) -> Place:
    return Place("a.yaml", line, column, line, end)


def finding(place: Place, message: str = "something is wrong", **fields: Any) -> Diagnostic:
    all_fields: dict[str, Any] = {
        "kind": DiagnosticKind.ILLEGAL,
        "severity": Severity.ERROR,
        **fields,
    }
    return Diagnostic(code="P11", message=message, place=place, game="positive", **all_fields)


def underlined(shown: str) -> str:
    """The part of the source line that stands above the carets, column by column."""
    above, below = next(
        (line, next_line)
        for line, next_line in zip(shown.split("\n"), shown.split("\n")[1:], strict=False)
        if "^" in next_line
    )
    start = below.index("^")
    stop = start + below.count("^")
    columns = "".join(
        c + "\0" * (terminal_width(c) - 1) if terminal_width(c) else "" for c in above
    )
    return columns[start:stop].replace("\0", "")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (at(3, 9, 11), "東京"),
        (at(3, 12, 16), "says"),
        (at(1, 1, 8), "session"),
        (at(8, 9, 11), "etude and"[:1]),
        (at(8, 24, 28), "here"),
        (at(4, 8, 18), "Marit: yes"),
        (Place("a.yaml", 3, 1, 5, 4), "- tell: 東京 says: no"),
    ],
)
def test_what_is_meant_is_underlined(place: Place, words: str) -> None:
    place = place._replace(line=5, end_line=5) if words == "Marit: yes" else place
    assert underlined(as_terminal_text([finding(place)], lines)) == words


def test_a_speech_is_found_in_its_block() -> None:
    shown = as_terminal_text([finding(at(5, 8, 18))], lines)
    assert " --> a.yaml:5:5\n" in shown
    diagnostics = [finding(at(5, 8, 18)), finding(at(3, 9, 11)), finding(whole_file("b.yaml"))]
    set_exact_columns(diagnostics, lines)
    assert [(diagnostic.place.line, diagnostic.place.column) for diagnostic in diagnostics] == [
        (5, 5),
        (3, 9),
        (0, 0),
    ]


def test_the_whole_of_a_finding_is_told() -> None:
    cause = finding(
        at(3, 9, 11),
        place_label="here",
        facts=(Fact("Ana is away", at(1, 1, 8)), Fact("it is late")),
        free_help=("write this", "or that"),
        excuse="under kindness",
    )
    follows = finding(at(4, 1, 2), "this follows", cause=cause)
    cause.dependents.append(follows)
    shown = as_terminal_text([cause, follows], lines)
    assert shown == (
        "error[P11]: something is wrong\n"
        " --> a.yaml:3:9\n"
        "  |\n"
        "3 | - tell: 東京 says: no\n"
        "  |         ^^^^ here\n"
        "  = Ana is away (a.yaml:1:1)\n"
        "1 | session: 1\n"
        "  = it is late\n"
        "  = excused: under kindness\n"
        "  |\n"
        "help: write this\n"
        "      or that\n"
        "      chronicle explain P11\n"
        "      and 1 more that follows from this (--all shows it)\n"
    )


def test_notes_of_one_kind_are_told_once_with_their_count() -> None:
    template = "framing of '{}' ends and no Character is there"
    notes = [
        finding(at(line, 1, 2), template.format(name), severity=Severity.NOTE)
        for line, name in enumerate(["The jetty", "A boat, at last", "3", "4", "5", "6"], 1)
    ]
    note = finding(at(3, 1, 2), "nobody knows whose turn it is", severity=Severity.NOTE)
    wrong = [finding(at(line, 1, 2), template.format(line)) for line in (1, 2)]
    shown = as_terminal_text([*notes[:2], note, *notes[2:], *wrong], lines)
    assert shown.count("note[P11]") == 2
    assert shown.count("error[P11]") == 2, "what is wrong is told wherever it is"
    assert "      and 5 more of this kind: a.yaml:2, a.yaml:3, a.yaml:4, a.yaml:5, ...\n" in shown
    assert "of this kind" not in as_terminal_text(notes, lines, is_condensed=False)
    assert as_brief_lines(notes) == (
        "a.yaml:1:1: note[P11]: framing of 'The jetty' ends and no Character is there"
        " (and 5 more of this kind)\n"
    )
    assert len(json.loads(as_json(notes))["diagnostics"]) == 6


def test_colour_adds_nothing_but_colour() -> None:
    diagnostics = [finding(at(3, 9, 11)), finding(at(1, 1, 8), severity=Severity.WARNING)]
    plain, colourful = (
        as_terminal_text(diagnostics, lines),
        as_terminal_text(diagnostics, lines, use_colour=True),
    )
    assert "\x1b" not in plain
    assert "\x1b[1;31merror" in colourful
    assert "\x1b[1;33mwarning" in colourful
    assert re.sub(r"\x1b\[[0-9;]*m", "", colourful) == plain


def test_nothing_a_player_typed_steers_the_terminal() -> None:
    nasty = finding(at(7, 8, 12), "no \x1b]0;x\x07 \u202e here", free_help=("\x9b31m",))
    shown = as_terminal_text([nasty], lines)
    assert not set(shown) & set("\x1b\x07\x9b\u202e\t")


def test_what_is_off_is_not_shown_and_files_without_lines_are() -> None:
    assert as_terminal_text([finding(at(1, 1, 2), severity=Severity.OFF)], lines) == ""
    assert as_terminal_text([], lines) == ""
    shown = as_terminal_text(
        [finding(whole_file("b.yaml")), finding(Place("b.yaml", 4, 2, 4, 3))], lines
    )
    assert "--> b.yaml\n" in shown
    assert "--> b.yaml:4:2\n" in shown


def test_a_long_line_is_cut_around_the_spot() -> None:
    long = "x" * 500 + "HERE" + "y" * 500
    place = Place("a.yaml", 1, 501, 1, 505)
    shown = as_terminal_text([finding(place)], lambda path: [long])
    assert underlined(shown) == "HERE"
    assert max(map(len, shown.split("\n"))) < 160


def test_json_says_it_all() -> None:
    cause = finding(at(3, 9, 11), facts=(Fact("x", at(1, 1, 8)), Fact("y")), free_help=("h",))
    cause.dependents.append(finding(at(4, 1, 2), cause=cause))
    data = json.loads(
        as_json([cause, *cause.dependents, finding(at(1, 1, 2), severity=Severity.OFF)])
    )
    assert data["version"] == 1
    (diagnostic,) = data["diagnostics"]
    assert (diagnostic["code"], diagnostic["severity"], diagnostic["kind"]) == (
        "positive:P11",
        "error",
        "illegal",
    )
    assert (
        diagnostic["line"],
        diagnostic["column"],
        diagnostic["endLine"],
        diagnostic["endColumn"],
    ) == (3, 9, 3, 11)
    assert [fact.get("line") for fact in diagnostic["facts"]] == [1, None]
    assert len(diagnostic["dependents"]) == 1


def _sarif_shape(log: dict[str, Any]) -> None:
    """What SARIF 2.1.0 requires of the parts that we use."""
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    assert run["columnKind"] in ("unicodeCodePoints", "utf16CodeUnits")
    for result in run["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert ids[result["ruleIndex"]] == result["ruleId"]
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            physical = location["physicalLocation"]
            assert re.fullmatch(r"[^\s\\]+", physical["artifactLocation"]["uri"])
            region = physical.get("region")
            if region is not None:
                assert min(region.values()) >= 1
                start = region["startLine"], region["startColumn"]
                assert (region["endLine"], region["endColumn"]) >= start


def test_sarif_has_its_shape() -> None:
    diagnostics = [
        finding(at(3, 9, 11), facts=(Fact("x", at(1, 1, 8)), Fact("y"))),
        finding(whole_file("sessions/the lamps/ä%.yaml"), severity=Severity.NOTE),
        finding(at(1, 1, 2), severity=Severity.OFF),
    ]
    log = json.loads(as_sarif(diagnostics, chronicle_version="1.2"))
    _sarif_shape(log)
    results = log["runs"][0]["results"]
    assert [result["level"] for result in results] == ["error", "note"]
    uri = results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "sessions/the%20lamps/%C3%A4%25.yaml"
    assert log["runs"][0]["tool"]["driver"]["version"] == "1.2"
    _sarif_shape(json.loads(as_sarif([])))


def test_annotations_are_escaped() -> None:
    place = Place("a,b:c.yaml", 3, 9, 3, 11)
    shown = as_github_annotations(
        [finding(place, "50% of it\nis: wrong, so", free_help=("::error::x",))]
    )
    assert shown == (
        "::error file=a%2Cb%3Ac.yaml,line=3,endLine=3,col=9,endColumn=11,"
        "title=positive%3AP11::50%25 of it%0Ais: wrong, so%0A::error::x\n"
    )
    assert as_github_annotations(
        [finding(whole_file("a.yaml"), severity=Severity.NOTE)]
    ).startswith("::notice file=a.yaml,title=")
    over = as_github_annotations([finding(Place("a.yaml", 3, 1, 4, 2))])
    assert "line=3,endLine=4,title" in over


@pytest.mark.parametrize("render", [as_json, as_sarif, as_github_annotations])
def test_nothing_found_is_fine(render: Callable[[list[Diagnostic]], str]) -> None:
    assert isinstance(render([]), str)
