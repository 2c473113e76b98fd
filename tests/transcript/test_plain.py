"""What is read at a glance reads the same by YAML, to the last column, whatever somebody types."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from chronicle.core.source import Entries
from chronicle.transcript import reader
from chronicle.transcript.plain import sketched
from tests.conftest import ROOT, SOAK
from tests.transcript.test_pure import FILES, slipped, told

HEADS = ["", "session: 1\nlog:\n", "session: 2\ntitle: A, b   # c\nlog: \n", "game: x\n"]
LINES = [
    *(
        "- tell: It rains",
        "  text: It rains: on",
        "- pass:",
        "  by: Ana",
        "- roll: {Ana: [1, 2], B: x y }",
    ),
    *(
        "  - tell: deep",
        "    by: deep",
        "- say: |",
        "    Ana: hm",
        "",
        "# aside",
        "  # aside",
        "- tell: a",
    ),
    *(
        "    and more",
        "  by:Ana",
        '  note: "quoted # too"',
        "  note: 'it''s'",
        "  note: 'its' # b",
        "-  a: b",
    ),
    *(
        "- {tell: a, by: Ana}",
        "- [a, b]",
        "- tell",
        "  of: [a, {b: c}, 'd e']",
        "  up : 3",
        "note: below",
    ),
    *(
        "  at: {new: Pump house, traits: [dripping, unmanned at night]}",
        "  to: {a: b, a: c}",
        "  x: [a,b ]",
    ),
    *(
        "- tell: {a}",
        "  is: 12:30",
        "  die: o+-",
        "  die: {d10: 9, d8: [4, 2]}",
        "  q: a ?b",
        "  r: {a: b?}",
    ),
    *(
        "- tell: a #b",
        "  by: Ana by: Bo",
        "- a: &b c",
        "  d: *b",
        "- !x a: b",
        "  - e: f",
        "  k: [a",
        "  b]",
    ),
    *(
        "- outcome: {Cleo: [{event: Somebody laughs}, {keep: 2}]}",
        "  w: {a: }",
        "  v: [a, ]",
        "- Ö ü: ß é",
    ),
    *(
        "- long: " + "word " * 300,
        "- tell: >-",
        "    folded",
        "",
        "    text",
        "  n: -1",
        "- ? a",
        "---",
        "...",
    ),
]


def read(text: str) -> Any:
    """What is found in a text, and its tree."""
    parsed = reader.read_text(text, "x")
    found = [(one.full_code, one.message, one.place, one.help) for one in parsed.problems]
    return found, told(parsed.tree)


def both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """The same, at a glance where that is possible, and by YAML alone."""
    quick = read(text)
    with monkeypatch.context() as patched:
        patched.setattr(reader, "sketched", lambda lines: None)
        return quick, read(text)


def test_every_log_reads_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in FILES:
        quick, slow = both(text, monkeypatch)
        assert quick == slow, text


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6 if SOAK else 2))
def test_any_lines_read_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    plain = 0
    for _ in range(700):
        lines = [random.choice(LINES) for _ in range(random.randrange(1, 9))]
        text = random.choice(HEADS) + random.choice(["\n", "\n", "\r\n"]).join(lines)
        text += random.choice(["", "\n", "\n\n"])
        quick, slow = both(text, monkeypatch)
        assert quick == slow, text
        plain += sketched(text.splitlines()) is not None
    assert plain > 100


@pytest.mark.parametrize("seed", range(4))
def test_every_slip_is_told_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    for _ in range(400):
        text = slipped(random)
        quick, slow = both(text, monkeypatch)
        assert quick == slow, text


def test_most_entries_are_plain() -> None:
    entries = plain = 0
    for file in (ROOT / "sessions").glob("*/[0-9]*.yaml"):
        sketch = sketched(file.read_text("utf-8").splitlines())
        assert sketch is not None, file
        entries += len(sketch.entries)
        plain += sum(isinstance(one.value, Entries) for one in sketch.entries)
    assert plain > 0.9 * entries
