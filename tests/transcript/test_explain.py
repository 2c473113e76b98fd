"""Every format id that the code can utter is explained, and the explanations hold."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from chronicle.core.source import Entries
from chronicle.transcript.explain import FORMAT_PROBLEMS, as_markdown, as_text, explain
from chronicle.transcript.reader import read_text

BY_READING = [f"T{n}" for n in (4, *range(6, 10), *range(11, 20))]


def test_every_id_in_the_code_has_a_row_and_every_row_an_id(root: Path) -> None:
    uttered = {
        code
        for file in (root / "chronicle").rglob("*.py")
        if file.name != "explain.py"
        for code in re.findall(r"\"(T\d+)\"", file.read_text(encoding="utf-8"))
    }
    assert uttered == set(FORMAT_PROBLEMS)
    numbers = [int(id[1:]) for id in FORMAT_PROBLEMS]
    assert all(one < other for one, other in pairwise(numbers))


@pytest.mark.parametrize("id", FORMAT_PROBLEMS)
def test_an_explanation_is_whole(id: str) -> None:
    one = FORMAT_PROBLEMS[id]
    assert one.title
    assert not one.title.endswith(".")
    assert one.meaning.endswith(".")
    assert one.remedy.endswith(".")
    text = as_text(one)
    assert text.startswith(f"{id}: {one.title}\n")
    assert all(len(line) <= 90 for line in text.splitlines())
    assert f"{{#{id.lower()}}}" in as_markdown([one])


def test_ids_are_found_as_people_type_them() -> None:
    assert explain("t11") is explain(" T11 ") is FORMAT_PROBLEMS["T11"]
    assert explain("T999") is None


@pytest.mark.parametrize("id", BY_READING)
def test_the_examples_show_what_they_say(id: str) -> None:
    one = FORMAT_PROBLEMS[id]
    wrong = read_text(f"session: 1\nlog:\n{one.wrong}\n", "x.yaml").problems
    assert [found.code for found in wrong] == [id]
    assert read_text(f"session: 1\nlog:\n{one.right}\n", "x.yaml").problems == []


@pytest.mark.parametrize(
    "id", [id for id, one in FORMAT_PROBLEMS.items() if one.right and id != "T45"]
)
def test_what_is_recommended_can_be_read(id: str) -> None:
    right = FORMAT_PROBLEMS[id].right
    head = "session: 1\nlog:\n" if right.startswith("- ") else ""
    parsed = read_text(head + right + "\n", "x.yaml")
    assert parsed.problems == []
    assert isinstance(parsed.tree, Entries)
