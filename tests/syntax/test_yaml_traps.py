"""Every trap of YAML is named once; every innocent neighbour of a trap is left alone."""

import pytest

from chronicle.core.source import MappingNode, SequenceNode
from chronicle.syntax.reader import read_bytes, read_text

HEAD = "session: 1\nlog:\n- tell: before\n"
TAIL = "- tell: after\n"

TRAPS = [
    ("- event: The scout says: ride", "T11", 'event: "The scout says: ride"'),
    ("- use: Wren: forgery", "T11", "in braces:  use: {Wren: forgery}"),
    ("- say: Queen: Rubbish!", "T11", '"Queen: Rubbish!"'),
    ("- a: {Ines: she says: go}", "T11", '"she says: go"'),
    ("- name: General #2", "T12", '"General #2"'),
    ("- name: [General #2, General]", "T12", '"General #2"'),
    ("- a: {Ines: half drowned, cold}", "T13", 'write  "half drowned, cold"'),
    ("- a: {Ines, Bao}", "T13", "[Ines, Bao]"),
    ("- a: 'twas the night", "T14", '"\'twas the night"'),
    ('- a: "Halt!" she cried', "T14", "'\"Halt!\" she cried'"),
    ('- a: "Halt', "T14", "'\"Halt'"),
    ("- a: @Ana waves", "T15", '"@Ana waves"'),
    ("- a: `code`", "T15", '"`code`"'),
    ("- a: *bold* words", "T15", '"*bold* words"'),
    ("- a: & sons", "T15", '"& sons"'),
    ("- a: !important news", "T7", '"!important news"'),
    ("- a: %5 of it", "T15", '"%5 of it"'),
    ("- a: |text", "T15", '"|text"'),
    ("- a: > 5 dice", "T15", '"> 5 dice"'),
    ("- a: [sic] he wrote", "T15", '"[sic] he wrote"'),
    ("- a: -", "T16", '"-"'),
    ("- a: ?", "T16", '"?"'),
    ("- a: {Ana: ?}", "T16", '"?"'),
    ("- a: {Ana:3, Bo: 2}", "T17", "write  Ana: 3"),
    ("- a: b\n  by:Ana", "T17", "by: Ana"),
    ("- a: b\n\tby: Ana", "T18", "spaces"),
    ("- a: b\n    by: Ana", "T18", "under"),
    ("tell: no dash\n- a: b", "T18", "- tell:"),
    ("- a: |\nThe lamp goes out.", "T18", "indent"),
    ("- a: [1, 2", "T19", "]"),
    ("- a: {b: 1", "T19", "}"),
    ("- a: [1, 2}", "T19", "]"),
    ("- a: 1\n  a: 2", "T6", "'- '"),
    ("- a: !!python/object:os.system x", "T7", ""),
    ("- a: {<<: b, c: d}", "T8", "keys"),
    ("- a: *nobody", "T8", '"*nobody"'),
    ("- a: &lost words", "T8", '"&lost words"'),
    ("- a: {[x]: y}", "T9", "Ana: 3"),
]

INNOCENT = [
    "- a: 1   # why",
    "- a: 1 # why",
    "- a: 1 #2 of them",
    "- a: {Ana: 3} #2",
    "- a: 'General #2'",
    "- a: General#2",
    "- a: b #> 3 : 1, Dov wins",
    "- a: |\n    General #2, {a, b}: 'twas\n    by:Ana",
    "- a: {Ana: 3, Bo:  }",
    "- a: http://example.org/x",
    "- a: 12:30",
    "- a: she's gone, isn't she",
    "- a: 'it''s'",
    '- a: "x: y"',
    "- a: {Jonas: +0-, Petra: -00}",
    "- a: [+, o, +]",
    "- a: &x [1, 2]\n  b: *x",
    "- a: -5",
    "- a: ?what",
    "- a: why? because",
    "- end turn:",
    "- {fine: Dave, by: Ed, up: 4}",
    "- a: one text\n    over two lines",
    "- a: {b: 1,\n      c: 2}",
    "- a: x *bold* & more ! 5% > | @ `",
]


@pytest.mark.parametrize(("entry", "code", "help"), TRAPS, ids=[t[0] for t in TRAPS])
def test_a_trap_is_named_once_and_costs_only_itself(entry: str, code: str, help: str) -> None:
    parsed = read_text(HEAD + entry + "\n" + TAIL, "x.yaml")
    assert [problem.code for problem in parsed.problems] == [code], parsed.problems
    first_problem = parsed.problems[0]
    assert help in " ".join([*first_problem.help, first_problem.message])
    last = 3 + len(entry.split("\n"))
    assert 4 <= first_problem.place.line <= last
    assert isinstance(parsed.tree, MappingNode)
    log = parsed.tree["log"]  # type: ignore[index]
    assert isinstance(log, SequenceNode)
    assert log[0] == {"tell": "before"}
    assert log[-1] == {"tell": "after"}


@pytest.mark.parametrize("entry", INNOCENT)
def test_what_is_no_trap_is_left_alone(entry: str) -> None:
    assert read_text(HEAD + entry + "\n" + TAIL, "x.yaml").problems == []


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "T3", 0),
        (b"# nothing\n", "T3", 0),
        (b"a: b\nc: caf\xe9\n", "T1", 2),
        (b"a: b\x00c\n", "T2", 1),
        (b'a: "\\0"\n', "T2", 1),
        (b"a: b\n---\nc: d\n", "T4", 2),
        (b"a: " + b"[" * 60 + b"]" * 60, "T5", 1),
        (b"a: " + b"x" * 300_000, "T5", 1),
        (b"a: &a [1,2,3,4,5,6,7,8,9]\n"
         + b"".join(b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % ((c, c, *[c - 1] * 9))
                    for c in b"bcdefgh"), "T5", 5),
    ],
)  # fmt: skip
def test_files_that_are_wrong_as_a_whole(data: bytes, code: str, line: int) -> None:
    problems = read_bytes(data, "x.yaml").problems
    assert [(problem.code, problem.place.line) for problem in problems] == [(code, line)]


@pytest.mark.parametrize("text", ["-0", "+1", "00", "-", "007", "422", "1e3", "12:30", "no", "~"])
def test_no_scalar_is_resolved(text: str) -> None:
    tree = read_text(f"a: {text!r}\nb: [{'x' if text == '-' else text}]\n", "x.yaml").tree
    assert isinstance(tree, MappingNode)
    assert tree["a"] == text  # type: ignore[index]
    assert text == "-" or tree["b"] == [text]  # type: ignore[index]


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\u2029"])
def test_breaks_of_another_yaml_move_no_place(sign: str) -> None:
    tree = read_text(f"a: x{sign}y\nb: z\n", "x.yaml").tree
    assert isinstance(tree, MappingNode)
    assert tree["a"] == f"x{sign}y"  # type: ignore[index]
    assert tree["b"].line == 2  # type: ignore[index]


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfa: b\r\nc: d\r\n", "a: b\nc: d\n".encode("utf-16")])
def test_marks_and_line_ends_of_other_editors(data: bytes) -> None:
    parsed = read_bytes(data, "x.yaml")
    assert parsed.problems == []
    assert parsed.tree == {"a": "b", "c": "d"}


def test_words_lost_to_an_anchor_are_an_error() -> None:
    parsed = read_text("session: 1\nlog:\n- tell: &then he left\n- tell: [&x a, b]\n", "x")
    assert [(problem.code, str(problem.severity)) for problem in parsed.problems] == [
        ("T8", "error")
    ] * 2


def test_a_value_named_for_nothing_is_only_doubted() -> None:
    problems = read_text("session: 1\nlog:\n- a: &many [x, y]\n- a: &one 'x'\n", "x").problems
    assert [(problem.code, str(problem.severity)) for problem in problems] == [("T8", "note")] * 2


@pytest.mark.parametrize(
    "entry",
    [
        '- a: "\\ud800"',
        '- a: "\\U00110000"',
        "- a: b\n  ? c",
        "- a: &",
        "- {a: b}}",
        "- [a: b]]",
        "- !<x y",
    ],
)
def test_no_word_of_the_machinery_reaches_anybody(entry: str) -> None:
    problems = read_text(HEAD + entry + "\n" + TAIL, "x").problems
    assert problems
    for problem in problems:
        assert not any(
            word in problem.message
            for word in (
                "did not find",
                "found ",
                "while ",
                "token",
                "codec",
                "expected",
                "YAML cannot",
            )
        ), problem.message
