"""Every format id that the code can utter is explained, and the examples hold."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from chronicle.core.form import RULES
from chronicle.core.source import MappingNode
from chronicle.syntax.explain import EXAMPLES, as_markdown, explain
from chronicle.syntax.reader import read_text

IDS = [rule.id for rule in RULES]
BY_READING = [f"T{n}" for n in (4, *range(6, 10), *range(11, 20))]


def test_every_id_in_the_code_has_a_row_and_every_row_an_id(root: Path) -> None:
    uttered = {
        code
        for file in (root / "chronicle").rglob("*.py")
        if file.name not in ("explain.py", "form.py")
        for code in re.findall(r"\"(T\d+)\"", file.read_text(encoding="utf-8"))
    }
    assert uttered == set(IDS)
    numbers = [int(id[1:]) for id in IDS]
    assert all(number < next_number for number, next_number in pairwise(numbers))


def test_ids_are_found_as_people_type_them() -> None:
    explained = explain("t 11")
    assert explained is not None
    rule, example = explained
    assert rule.id == "T11"
    assert example is EXAMPLES["T11"]
    assert explain("T999") is None
    assert explain("T42") == (RULES[IDS.index("T42")], None)


def test_the_page_holds_them_all() -> None:
    page = as_markdown()
    for rule in RULES:
        assert rule.title
        assert rule.text.endswith(".")
        assert page.count(f"{{#{rule.id.lower()}}}") == 1
    for example in EXAMPLES.values():
        assert example.right_lines in page


def test_examples_belong_to_ids() -> None:
    assert set(EXAMPLES) <= set(IDS)
    assert set(BY_READING) <= set(EXAMPLES)


@pytest.mark.parametrize("id", BY_READING)
def test_the_examples_show_what_they_say(id: str) -> None:
    wrong = read_text(f"session: 1\nlog:\n{EXAMPLES[id].wrong_lines}\n", "x.yaml").problems
    assert [problem.code for problem in wrong] == [id]


@pytest.mark.parametrize("id", [id for id in EXAMPLES if id != "T45"])
def test_what_is_recommended_can_be_read(id: str) -> None:
    right = EXAMPLES[id].right_lines
    head = "session: 1\nlog:\n" if right.startswith("- ") else ""
    parsed = read_text(head + right + "\n", "x.yaml")
    assert parsed.problems == []
    assert isinstance(parsed.tree, MappingNode)
