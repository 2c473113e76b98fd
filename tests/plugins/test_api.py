"""A game plug-in needs nothing of Chronicle but ``chronicle.api``, and its tests nothing but ``chronicle.testkit``."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from chronicle import api
from chronicle.testkit.sources import foreign_imports
from tests.conftest import ROOT
from tests.plugins import reference
from tests.plugins.installing import LANTERNS

LONGEST = 170
"""Most lines of the game of six rules."""


def foreign(source: str) -> list[str]:
    """The modules of Chronicle that a source imports beside the public ones."""
    return [name for name, _ in foreign_imports(ast.parse(source))]


@pytest.mark.parametrize("file", sorted(LANTERNS.rglob("*.py")), ids=lambda file: file.name)
def test_the_example_imports_the_api_alone(file: Path) -> None:
    assert [*foreign(file.read_text(encoding="utf-8"))] == []


def test_another_import_is_noticed() -> None:
    source = "import chronicle.core.game_context\nfrom chronicle import api, games\nfrom chronicle.core import x"
    assert [*foreign(source)] == [
        "chronicle.core.game_context",
        "chronicle.games",
        "chronicle.core",
    ]


def test_the_example_is_small() -> None:
    files = [file for file in LANTERNS.rglob("*.py") if file.parent.name != "tests"]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= LONGEST


def test_every_name_of_the_api_is_there_and_described() -> None:
    page = (ROOT / "docs" / "game-api.md").read_text(encoding="utf-8")
    assert len(api.__all__) == len({*api.__all__})
    for name in api.__all__:
        value = getattr(api, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name
        assert f"`{name}`" in page, name


def test_the_reference_says_what_the_code_says() -> None:
    written = reference.PAGE.read_text(encoding="utf-8")
    assert written == reference.page(), "run  python -m tests.plugins.reference"
    for name in api.__all__:
        anchors = (f'- <a id="{name}"></a>`{name}', f"### {name} {{ #{name} }}", f"`{{ #{name} }}")
        assert sum(anchor in written for anchor in anchors) == 1, name


def test_the_reference_tells_methods_from_attributes() -> None:
    """Properties are attributes; each sort has a table of its own."""
    node = reference.page().split("### ScalarNode ")[1].split("### ")[0]
    attributes, _, methods = node.partition("| method |")
    assert "| `end_column` |" in attributes and "| `like(text)` |" in methods


@pytest.mark.parametrize(
    "line",
    [
        "| `since` | the number of the entry that made it so.",  # Attributes: of a docstring
        "| `at` | the key of the entry at which it reports it",  # Args: of a function
        "| `shape` | `person`, `thing`, `place`, or `kind`",  # below an attribute
        "`Handler`{ #Handler } | The effect of a verb",  # a value
        "`D6`{ #D6 } | a d6",
        "`UNRECORDED`{ #UNRECORDED } | Stands for",
    ],
)
def test_the_reference_has_what_stands_below_the_first_sentence(line: str) -> None:
    assert line in reference.page()


def test_no_name_of_the_reference_is_described_by_its_class_alone() -> None:
    assert not re.search(r"` \| [A-Z]\w+(Alias|Type|Union) \|$", reference.page(), re.MULTILINE)


def test_a_class_has_one_name_inside_and_outside() -> None:
    classes = {name: value for name in api.__all__ if inspect.isclass(value := getattr(api, name))}
    assert classes and all(value.__name__ == name for name, value in classes.items())
