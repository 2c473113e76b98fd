"""A mistake gets one message, at its place, and nobody has to be glad of a second one."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.core.source import MappingNode, SequenceNode
from chronicle.syntax.reader import MOST_BYTES, MOST_DEPTH, MOST_SCALAR, read_bytes
from tests.malformed import MALFORMED, findings, specimens

ALL = list(specimens())

MISTAKES = {
    "broken-entry-and-what-follows": 2,
    "captions": 3,
    "colon-in-two-options": 2,
    "crlf-and-mistake": 2,
    "four-mistakes-in-four-entries": 4,
    "journal": 3,
    "pictures": 4,
}
"""Specimens with more than one mistake, and how many."""


def test_there_are_many_and_no_stray_expectation() -> None:
    assert len(ALL) >= 200
    expected = {specimen.with_suffix(".expected") for specimen in ALL}
    assert set(MALFORMED.glob("*/*.expected")) == expected


@pytest.mark.parametrize("specimen", ALL, ids=[f"{path.parent.name}/{path.stem}" for path in ALL])
def test_one_mistake_gets_one_message_where_it_is(specimen: Path, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    diagnostics = [
        finding
        for finding in findings(specimen, folder)
        if finding.cause is None and finding.severity
    ]
    assert len(diagnostics) == MISTAKES.get(specimen.stem, 1), [
        diagnostic.message for diagnostic in diagnostics
    ]
    for diagnostic in diagnostics:
        assert diagnostic.message
        assert diagnostic.message[0].isalnum() or diagnostic.message[0] in "'&", diagnostic.message
        assert not diagnostic.message.endswith("."), diagnostic.message
        if diagnostic.place.line:
            assert diagnostic.place.column > 0
            assert (diagnostic.place.end_line, diagnostic.place.end_column) > (
                diagnostic.place.line,
                diagnostic.place.column,
            )


# What is too large to lie in a repository is made here.

HUGE = {
    "a file of 17 MB": b"session: 1\nlog:\n" + b"- gap:\n" * (MOST_BYTES // 7 + 1),
    "a text of 300 kB": b"session: 1\nlog:\n- tell: " + b"x" * (MOST_SCALAR + 1) + b"\n",
    "a quoted text of 300 kB": b'session: 1\nlog:\n- tell: "' + b"x" * (MOST_SCALAR + 1) + b'"\n',
    "a block of 300 kB": b"session: 1\nlog:\n- tell: |\n" + b"    xyz\n" * (MOST_SCALAR // 4 + 1),
    "brackets": b"session: 1\nlog:\n- tell: " + b"[" * 5000 + b"]" * 5000 + b"\n",
    "brackets never closed": b"session: 1\nlog:\n- tell: " + b"[" * 5000 + b"\n",
    "braces": b"session: 1\nlog:\n- tell: " + b"{a: " * 5000 + b"}" * 5000 + b"\n",
    "dashes": b"session: 1\nlog:\n" + b"- " * 5000 + b"tell: x\n",
    "nested by indentation": b"session: 1\nlog:\n"
    + b"".join(b" " * n + b"a:\n" for n in range(5000)),
    "a billion laughs": b"a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
    + b"".join(
        b"%c: &%c [%s]\n" % (c, c, b", ".join([b"*%c" % (c - 1)] * 9)) for c in b"bcdefghij"
    ),
    "a quadratic bomb": b"a: &a [" + b"x, " * 3000 + b"x]\nb: [" + b"*a, " * 3000 + b"*a]\n",
}


@pytest.mark.parametrize("name", HUGE)
def test_what_is_too_much_is_refused_at_once_with_one_message(name: str) -> None:
    parsed = read_bytes(HUGE[name], "x.yaml")
    assert [problem.code for problem in parsed.problems] == ["T5"]
    assert parsed.tree is None


def test_depth_up_to_the_bound_is_read() -> None:
    depth = MOST_DEPTH - 1
    assert read_bytes(b"a: " + b"[" * depth + b"]" * depth + b"\n", "x.yaml").problems == []


def test_a_cut_name_is_whole_again_and_nothing_follows_from_it() -> None:
    parsed = read_bytes(b"log:\n- cast: General #2\n  with: [Ana, General #3\n  ]\n", "x.yaml")
    assert [problem.code for problem in parsed.problems] == ["T12", "T12"]
    assert isinstance(parsed.tree, MappingNode)
    log = parsed.tree["log"]  # type: ignore[index]
    assert isinstance(log, SequenceNode)
    assert log == [{"cast": "General #2", "with": ["Ana", "General #3"]}]


def test_what_an_unreadable_entry_would_have_said_is_remembered(tmp_path: Path) -> None:
    specimen = tmp_path / "positive" / "x.yaml"
    specimen.parent.mkdir()
    specimen.write_text(
        "session: 1\nlog:\n"
        '- cast: {Ana: Marit, Bo: Jonas, Cy: "Petra" the sister, Dee: Sunny}}}\n'
        "  guests: |9\n   - ?\n"
        "- host: Marit\n- accuser: Jonas\n",
        encoding="utf-8",
    )
    diagnostics = findings(specimen, tmp_path / "campaign")
    assert all(
        diagnostic.code.startswith("T") for diagnostic in diagnostics if diagnostic.cause is None
    ), [
        (diagnostic.code, diagnostic.message)
        for diagnostic in diagnostics
        if diagnostic.cause is None
    ]


@pytest.mark.parametrize(
    "broken", ["cast {Ana: Marit, Bo: Jonas}\n  by: Ana", 'cast: "a\n     b" c']
)
def test_an_entry_refused_by_yaml_takes_its_names_with_it(broken: str, tmp_path: Path) -> None:
    specimen = tmp_path / "positive" / "x.yaml"
    specimen.parent.mkdir()
    broken = broken.replace(" c", " c Marit Jonas")
    specimen.write_text(
        f"session: 1\nlog:\n- {broken}\n- tell: They argue\n  by: Marit\n- host: Jonas\n",
        encoding="utf-8",
    )
    diagnostics = findings(specimen, tmp_path / "campaign")
    names = [diagnostic for diagnostic in diagnostics if diagnostic.code == "T50"]
    assert names
    assert all(name.cause is not None for name in names)
    causes = [diagnostic for diagnostic in diagnostics if diagnostic.dropped_words]
    assert [cause.dropped_words[0].split()[0] for cause in causes] == ["cast"]
