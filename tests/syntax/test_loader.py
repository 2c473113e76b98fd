"""A text means the same by libyaml and by PyYAML's pure parser, which reads it in a browser."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import yaml

from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.syntax import reader
from chronicle.syntax.loader import PureParser
from chronicle.syntax.reader import Parsed, read_bytes, read_text
from tests.conftest import ROOT, SOAK
from tests.syntax.test_malformed import HUGE

SIGNS = [*"ab 'ab'\"-?:,[]{}#&*!|>%@`\\\t\n\n\n~1  \r", "- ", "- ", ": ", ": ", "\n  ", "\n- "]
SIGNS += ["\n    ", "...", "---", "\n...\n", "\n--- ", "\\x4", "\\u00e9", "\\U00110000", "\\\n"]
SIGNS += ["|\n", "|+\n", "|2-\n", "|1", ">\n", ">-\n", "? ", "&a ", "*a ", "!!s ", "!<a> ", "!t!x "]
SIGNS += ["%TAG ! a\n", "%TAG !t! b\n", "%YAML 1.1\n", "#c\n", " #c", "{a: b", "[a, b", "''", "]"]
OPENED = ["", "", "", "[", "{", "- [", "a: {", "{a: ", "[[", '"', "|\n ", "- |2\n  "]
"""How a text begins: inside brackets and texts, where the two parsers differed most."""
FILES = [
    text
    for folder in ("sessions", "tests/fixtures/broken", "tests/fixtures/malformed")
    for file in sorted((ROOT / folder).rglob("*.yaml"))
    if (text := file.read_bytes().decode("utf-8", "ignore"))
]

libyaml = pytest.mark.skipif(not yaml.__with_libyaml__, reason="no libyaml to compare with")
"""There is nothing to be compared without libyaml."""


def any_signs(random: Random) -> str:
    """Signs that mean something to YAML, in any order."""
    length = random.randrange(1, random.choice([6, 12, 30]))
    return random.choice(OPENED) + "".join(random.choice(SIGNS) for _ in range(length))


def some_lines(random: Random) -> str:
    """Some lines of a log with up to three slips in them."""
    lines = random.choice(FILES).split("\n")
    start = random.randrange(len(lines))
    text = "session: 1\nlog:\n" * random.randrange(2) + "\n".join(lines[start : start + 12])
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        at = random.randrange(len(text) + 1)
        if random.random() < 0.3:
            text = text[:at] + text[at + random.choice([1, 1, 2, 5]) :]
        else:
            text = text[:at] + random.choice(SIGNS) + text[at:]
    return text


def events(text: str, parser: Any) -> list[tuple[Any, ...]] | None:
    """Everything that a parser makes of a text; None if it refuses it."""
    rows: list[tuple[Any, ...]] = []
    source = parser(text)
    try:
        while not rows or rows[-1][0] is not yaml.StreamEndEvent:
            event = source.get_event()
            attributes = [getattr(event, name, None) for name in ("anchor", "tag", "value")]
            flow = bool(getattr(event, "flow_style", False))
            rows.append((type(event), *attributes, getattr(event, "style", None) or "", flow))
    except yaml.MarkedYAMLError:
        return None
    return rows


def with_places(value: Value | None) -> Any:
    """A tree with every place in it."""
    if value is None:
        return None
    where = value.line, value.column, value.end_line, value.end_column
    match value:
        case MappingNode():
            return where, [(with_places(key), with_places(item)) for key, item in value.items()]
        case SequenceNode():
            return where, [with_places(item) for item in value]
        case ScalarNode():
            return where, str(value), value.style


def meaning(text: str) -> Any:
    """What a text is read as; only that it is refused, if it is."""
    parsed = read_text(text, "x")
    refused = any(problem.kind is DiagnosticKind.UNREADABLE for problem in parsed.problems)
    return "refused" if refused else with_places(parsed.tree)


def problem_rows(parsed: Parsed) -> Any:
    """What is said of a text."""
    return [
        (problem.full_code, problem.message, problem.place, problem.help)
        for problem in parsed.problems
    ]


def reading(text: str) -> Any:
    """What a log is read as, and what is said of it."""
    parsed = read_text(text, "x")
    return problem_rows(parsed), with_places(parsed.tree)


@pytest.fixture
def by_both(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a function makes of a text with the parser that is there, and with the pure one."""

    def results_of_both(function: Any, text: str) -> tuple[Any, Any]:
        first = function(text)
        with monkeypatch.context() as patched:
            patched.setattr(reader, "event_parser", lambda: PureParser)
            return first, function(text)

    return results_of_both


@libyaml
@pytest.mark.parametrize("seed", range(20 if SOAK else 2))
def test_both_parsers_make_the_same_events(seed: int) -> None:
    random = Random(seed)
    for _ in range(1500):
        text = any_signs(random)
        # No transcript has tags, or declares anything: that is told, whatever a parser makes of it.
        if "!" not in text and "%" not in text:
            assert events(text, PureParser) == events(text, yaml.CLoader), text


@libyaml
@pytest.mark.parametrize("seed", range(20 if SOAK else 2))
def test_any_signs_mean_the_same(seed: int, by_both: Any) -> None:
    random = Random(seed)
    for _ in range(700):
        text = "log:\n- " + any_signs(random)
        compiled, pure = by_both(meaning, text)
        assert compiled == pure, text


@libyaml
def test_every_log_is_told_alike(by_both: Any) -> None:
    for text in FILES:
        compiled, pure = by_both(reading, text)
        assert compiled == pure, text


@libyaml
@pytest.mark.parametrize("seed", range(20 if SOAK else 2))
def test_every_slip_means_the_same(seed: int, by_both: Any) -> None:
    random = Random(seed)
    accepted = 0
    for _ in range(600):
        text = some_lines(random)
        compiled, pure = by_both(meaning, text)
        assert compiled == pure, text
        accepted += compiled != "refused"
    assert accepted > 60


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\t{a: b}", {"a": "b"}),
        ("{a:\tb,\tc: d}", {"a": "b", "c": "d"}),
        ("{who: Ana?, why: so? yes}", {"who": "Ana?", "why": "so? yes"}),
        ("a\tb", "a\tb"),
        ("|\t# c\n    text", "text\n"),
        ("'a'\t# b", "a"),
    ],
)
def test_the_pure_parser_reads_what_only_libyaml_did(
    text: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "event_parser", lambda: PureParser)
    parsed = read_text(f"log:\n- tell: {text}\n", "x")
    assert parsed.problems == []
    assert parsed.tree == {"log": [{"tell": value}]}


@pytest.mark.parametrize("opened", ["[", "{a: ", "- ", "? ", "- [{a: [", "&a ", "!!s "])
def test_what_lies_in_each_other_without_end_is_told(
    opened: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "event_parser", lambda: PureParser)
    assert read_text(opened * 50_000, "x").problems


@pytest.mark.parametrize("name", HUGE)
def test_what_is_too_much_is_refused_in_a_browser_too(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "event_parser", lambda: PureParser)
    parsed = read_bytes(HUGE[name], "x.yaml")
    assert [problem.code for problem in parsed.problems] == ["T5"]
    assert parsed.tree is None
