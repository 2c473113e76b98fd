"""Our reading of YAML against two others: ruamel.yaml here, and the parser that editors use."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ruamel.yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml.nodes import MappingNode, Node
from ruamel.yaml.nodes import ScalarNode as YamlScalarNode
from ruamel.yaml.nodes import SequenceNode as YamlSequenceNode

from chronicle.core.source import ScalarNode, SequenceNode, Value
from chronicle.syntax.reader import read_text
from tests.needs import npm_package, program

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "games"

Scalar = tuple[str, int, int, str]
"""Text, line, column, quoting. Where nothing is written, nothing has a place."""


def our_scalars(value: Value) -> Iterator[Scalar]:
    if isinstance(value, ScalarNode):
        written = bool(value or value.style)
        yield str(value), value.line * written, value.column * written, value.style
    elif isinstance(value, SequenceNode):
        for item in value:
            yield from our_scalars(item)
    else:
        for key, item in value.items():
            yield from our_scalars(key)
            yield from our_scalars(item)


def their_scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case YamlScalarNode():
            mark, style = node.start_mark, node.style or ""
            written = bool(node.value or style)
            yield node.value, (mark.line + 1) * written, (mark.column + 1) * written, style
        case YamlSequenceNode():
            for item in node.value:
                yield from their_scalars(item)
        case MappingNode():
            for key, item in node.value:
                yield from their_scalars(key)
                yield from their_scalars(item)


def by_ruamel(text: str) -> list[Scalar]:
    """The scalars of a text, unresolved: ruamel.yaml's pure parser, composed and not constructed."""
    yaml = ruamel.yaml.YAML(typ="safe", pure=True)
    return list(their_scalars(yaml.compose(text)))


# --- what hypothesis writes -------------------------------------------------------------------

PLAIN = [
    "-0",
    "+1",
    "00",
    "007",
    "422",
    "1e3",
    "12:30",
    "no",
    "~",
    "null",
    "0x1f",
    ".5",
    "2026-10-03",
]
WORDS = st.sampled_from(
    [*PLAIN, "Ana", "a b", "x2", "Ruth & Basil", "Dr. Okafor", "über", "東京", "x#y"]
)
TEXTS = st.text(
    st.characters(
        codec="utf-8",
        exclude_categories=["Cc", "Cs", "Co", "Zl", "Zp"],
        exclude_characters="\ufeff\ufffe\uffff",
    ),
    min_size=1,
    max_size=20,
)


def single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def double(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


SCALARS = st.one_of(WORDS, TEXTS.map(single), TEXTS.map(double))
KEYS = st.sampled_from(["by", "with", "no", "on", "12", "007", "Ines Vale", '"a: b"', "'it''s'"])
FLOW = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda items: "{" + ", ".join(f"{k}: {v}" for k, v in items.items()) + "}"
        ),
    ),
    max_leaves=6,
)
BLOCK_TEXTS = st.lists(
    st.sampled_from(["Ana: no", "- x", "# not a comment", "", "  deeper", "a: [b", "'twas", "end"]),
    min_size=1,
    max_size=4,
).filter(lambda lines: bool(lines[0].strip()) and not lines[0].startswith(" "))


def block(lines: list[str], sign: str) -> str:
    return sign + "\n" + "\n".join(f"    {line}" if line else "" for line in lines)


VALUES = st.one_of(
    FLOW,
    st.builds(block, BLOCK_TEXTS, st.sampled_from(["|", ">", "|-", "|+", ">-"])),
    st.just(""),
)
ENTRIES = st.builds(
    lambda verb, value, options, comment: "\n".join(
        [
            f"- {verb}: {value}{comment if '|' not in value and '>' not in value else ''}",
            *(f"  {name}: {inner}" for name, inner in options.items()),
        ]
    ),
    st.sampled_from(["tell", "roll", "scene"]),
    VALUES,
    st.dictionaries(st.sampled_from(["by", "at", "12", "on"]), VALUES, max_size=3),
    st.sampled_from(["", "  # why", " #> 3 : 1"]),
)
LOGS = st.lists(ENTRIES, min_size=1, max_size=5).map(
    lambda entries: "session: 007\nlog:\n" + "\n\n".join(entries) + "\n"
)


@given(LOGS)
@settings(max_examples=150, deadline=None)
def test_every_scalar_is_what_ruamel_reads_where_ruamel_reads_it(text: str) -> None:
    parsed = read_text(text, "x")
    if any(problem.code in ("T12", "T13") for problem in parsed.problems):
        return  # From there on we read what was meant, and no YAML parser does.
    assert parsed.problems == []
    assert parsed.tree is not None
    assert list(our_scalars(parsed.tree)) == by_ruamel(text)


def readable(file: Path) -> bool:
    return not read_text(file.read_text(encoding="utf-8"), "x").problems


# The broken copies hold traps on purpose, which no parser takes.
SPECIMENS = [
    *sorted((ROOT / "sessions").rglob("*.yaml")),
    *filter(readable, sorted((ROOT / "tests" / "fixtures" / "broken").rglob("*.yaml"))),
]


@pytest.mark.parametrize("file", SPECIMENS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_specimens_are_read_as_ruamel_reads_them(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    tree = read_text(text, "x").tree
    assert tree is not None
    assert list(our_scalars(tree)) == by_ruamel(text)


# --- the editors' parser ----------------------------------------------------------------------

SCRIPT = """
const { parseDocument, isScalar, isSeq, isMap, LineCounter } = require(process.argv[2]);
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
const styles = { PLAIN: "", QUOTE_SINGLE: "'", QUOTE_DOUBLE: '"', BLOCK_LITERAL: "|", BLOCK_FOLDED: ">" };
const read = (text) => {
  const document = parseDocument(text, { version: "1.2", schema: "failsafe", strict: true });
  if (document.errors.length) return { error: document.errors[0].message };
  const found = [];
  const walk = (node) => {
    if (node === null) found.push(["", ""]);
    else if (isScalar(node)) found.push([node.value === null ? "" : String(node.value), styles[node.type] ?? ""]);
    else if (isSeq(node)) node.items.forEach(walk);
    else if (isMap(node)) node.items.forEach((pair) => { walk(pair.key); walk(pair.value); });
    else found.push(["?", String(node)]);
  };
  walk(document.contents);
  return { found };
};
process.stdout.write(JSON.stringify(texts.map(read)));
"""


@pytest.fixture(scope="module")
def editors_parser() -> str:
    """The folder of the npm package ``yaml``."""
    return str(npm_package("yaml"))


def by_editor(folder: str, texts: list[str]) -> list[dict[str, Any]]:
    run = subprocess.run(
        [program("node"), "-e", SCRIPT.replace("process.argv[2]", "process.argv[1]"), folder],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "NODE_NO_WARNINGS": "1"},
    )
    read: list[dict[str, Any]] = json.loads(run.stdout)
    return read


def test_specimens_are_strict_yaml_for_editors(editors_parser: str) -> None:
    texts = [file.read_text(encoding="utf-8") for file in SPECIMENS]
    assert texts
    for file, text, read in zip(SPECIMENS, texts, by_editor(editors_parser, texts), strict=True):
        assert "error" not in read, (file, read)
        tree = read_text(text, "x").tree
        assert tree is not None
        assert [[word, style] for word, _, _, style in our_scalars(tree)] == read["found"], file


def test_cases_of_every_game_are_strict_yaml_for_editors(editors_parser: str) -> None:
    """Every line of every case that we read without complaint, editors read alike."""
    texts = [
        f"log:\n{line}\n"
        for file in sorted(CASES.glob("*/cases/*.case"))
        for line in {row.split("#!")[0].rstrip() for row in file.read_text("utf-8").split("\n")}
        if line.startswith("- ") and read_text(f"log:\n{line}\n", "x").problems == []
    ]
    assert len(texts) > 100
    for text, read in zip(texts, by_editor(editors_parser, texts), strict=True):
        assert "error" not in read, (text, read)
        tree = read_text(text, "x").tree
        assert tree is not None
        assert [[word, style] for word, _, _, style in our_scalars(tree)] == read["found"], text


def test_dice_survive_the_editors_parser(editors_parser: str) -> None:
    text = "".join(f"- {word}\n" for word in PLAIN)
    (read,) = by_editor(editors_parser, [text])
    assert [word for word, _ in read["found"]] == PLAIN
