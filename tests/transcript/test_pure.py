"""Reading without libyaml: the same events, places and refusals, and so the same findings."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import yaml

from chronicle.core.source import Entries, Items, Value, Word
from chronicle.transcript import reader
from chronicle.transcript.pure import Events
from tests.conftest import ROOT

SIGNS = [*"ab 'ab'\"-?:,[]{}#&*!|>%@`\\\t\n\n\n~1  \r", "- ", "- ", ": ", ": ", "\n  ", "\n- "]
SIGNS += ["\n    ", "...", "---", "\n...\n", "\n--- ", "\\x4", "\\u00e9", "\\U00110000", "\\\n"]
SIGNS += ["|\n", "|+\n", "|2-\n", "|1", ">\n", ">-\n", "? ", "&a ", "*a ", "!!s ", "!<a> ", "!t!x "]
SIGNS += ["%TAG ! a\n", "%TAG !t! b\n", "%YAML 1.1\n", "#c\n", " #c", "{a: b", "[a, b", "''", "]"]
FILES = [
    text
    for folder in ("sessions", "tests/fixtures/broken", "tests/fixtures/malformed")
    for file in sorted((ROOT / folder).rglob("*.yaml"))
    if (text := file.read_bytes().decode("utf-8", "ignore"))
]

libyaml = pytest.mark.skipif(not yaml.__with_libyaml__, reason="no libyaml to compare with")
"""There is nothing to be compared without libyaml."""


def events(text: str, make: Any) -> list[tuple[Any, ...]]:
    """Everything that is made of a text, down to where it is refused, and why."""
    made: list[tuple[Any, ...]] = []
    source = make(text)
    try:
        while not made or made[-1][0] != "StreamEndEvent":
            event = source.get_event()
            marks = event.start_mark, event.end_mark
            told = [getattr(event, name, None) for name in ("anchor", "tag", "value")]
            style = getattr(event, "style", "") or "", bool(getattr(event, "flow_style", False))
            if made or type(event) is not yaml.StreamStartEvent:
                places = [(mark.line, mark.column) for mark in marks]
                made.append((type(event).__name__, *told, *style, *places))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        assert mark is not None
        made.append(("refused", error.problem, (mark.line, mark.column)))
    return made


def told(value: Value | None) -> Any:
    """A tree with every place in it."""
    if value is None:
        return None
    where = value.line, value.column, value.end_line, value.end_column
    match value:
        case Entries():
            return where, [(told(key), told(one)) for key, one in value.items()]
        case Items():
            return where, [told(one) for one in value]
        case Word():
            return where, str(value), value.style


def read(text: str, make: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is found in a text, and its tree, when all of it is made of events."""
    monkeypatch.setattr(reader, "maker", lambda: make)
    monkeypatch.setattr(reader, "sketched", lambda lines: None)
    parsed = reader.read_text(text, "x")
    monkeypatch.undo()
    found = [(one.full_code, one.message, one.place, one.help) for one in parsed.problems]
    return found, told(parsed.tree)


def slipped(random: Random) -> str:
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


@libyaml
@pytest.mark.parametrize("seed", range(4))
def test_any_signs_make_the_events_of_libyaml(seed: int) -> None:
    random = Random(seed)
    for _ in range(1500):
        length = random.randrange(1, random.choice([6, 12, 30]))
        text = "".join(random.choice(SIGNS) for _ in range(length))
        assert events(text, Events) == events(text, yaml.CLoader), text


@libyaml
def test_every_log_reads_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in FILES:
        assert read(text, Events, monkeypatch) == read(text, yaml.CLoader, monkeypatch), text


@libyaml
@pytest.mark.parametrize("seed", range(4))
def test_every_slip_is_told_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    for _ in range(250):
        text = slipped(random)
        assert read(text, Events, monkeypatch) == read(text, yaml.CLoader, monkeypatch), text


@pytest.mark.parametrize("opened", ["[", "{a: ", "- ", "? ", "- [{a: [", "&a ", "!!s "])
def test_what_lies_in_each_other_without_end_is_told(
    opened: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _ = read(opened * 50_000, Events, monkeypatch)
    assert found
