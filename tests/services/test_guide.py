"""A first evening, led: what is to be typed is legal where it stands, and another try is told kindly."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from chronicle.games import GAMES
from tests.services.conftest import AtDesk


def words(spans: list[Any]) -> str:
    return "".join(span if isinstance(span, str) else span["t"] for span in spans)


@pytest.mark.parametrize("game", GAMES)
def test_each_step_has_a_sentence_of_its_own_and_is_written_without_a_problem(
    sit: Callable[..., AtDesk], game: str
) -> None:
    at = sit()
    campaign = at.ask("lead", game=game)["id"]
    total = at.ask("led", campaign=campaign)["of"]
    assert total >= 10
    lines = 0
    for count in range(total):
        led = at.ask("led", campaign=campaign)
        step = led["step"]
        assert led["done"] == count
        assert words(led["told"]), step
        assert re.fullmatch(r"[A-Z].{12,}[.?!]", step["about"]), step
        assert "chronicle" not in step["about"]
        content = {"said": step["line"]} if step["line"] else {"entry": step["entry"]}
        if step["line"]:
            lines += 1
            fit = at.ask("fit", campaign=campaign, said=step["line"])
            tried = at.ask("led", campaign=campaign, by=fit["by"], **content)
            assert tried["differs"] == [], step
        written = at.ask("write", campaign=campaign, text=step["text"], **content)
        assert written["findings"]["findings"] == [], step
    assert at.ask("led", campaign=campaign)["step"] is None
    assert lines == total


def test_what_is_otherwise_is_said_in_words(sit: Callable[..., AtDesk]) -> None:
    at = sit()
    campaign = at.ask("lead", game="universalis")["id"]

    def differs(typed_line: str, by: str = "Ana") -> list[str]:
        return [*map(words, at.ask("led", campaign=campaign, said=typed_line, by=by)["differs"])]

    line = at.ask("led", campaign=campaign)["step"]["line"]
    assert differs(line.replace(", by: Ana", "")) == []
    assert differs(line.replace("A river", "a RIVER")) == []
    assert differs(line.partition(", kind")[0]) == [
        "kind: story is missing.",
        "about: setting is missing.",
    ]
    assert differs("pass") == ["This step is tenet, but you typed pass."]
    assert "In the example, kind is story. You wrote social." in differs(
        line.replace("kind: story", "kind: social")
    )
    value = line.partition(",")[0]
    without_comma = differs(line.replace(", by: Ana, kind:", " kind", 1))[0]
    assert without_comma.endswith(f": put a comma after {value.removeprefix('tenet ')}.")
    assert differs(line.replace("Ana", "Bao")) == ["In the example, by is Ana. You wrote Bao."]
    assert differs(line.replace(", by: Ana", ""), by="Bao") == ["by: Ana is missing."]
    # Half a line is not wrong yet, and nothing to be compared.
    assert differs("ten") == []


def test_whoever_takes_one_back_comes_to_the_same_step_again(sit: Callable[..., AtDesk]) -> None:
    at = sit()
    campaign = at.ask("lead", game="positive")["id"]
    first = at.ask("led", campaign=campaign)["step"]
    at.ask("write", campaign=campaign, said=first["line"])
    assert at.ask("led", campaign=campaign)["done"] == 1
    # What is told besides is no step.
    at.ask("write", campaign=campaign, said="tell: The cat is on the coats")
    assert at.ask("led", campaign=campaign)["done"] == 1
    at.ask("undo", campaign=campaign)
    at.ask("undo", campaign=campaign)
    assert at.ask("led", campaign=campaign)["step"] == first


def test_another_first_evening_lies_beside_the_first(sit: Callable[..., AtDesk]) -> None:
    at = sit()
    assert at.ask("lead", game="positive")["id"] != at.ask("lead", game="positive")["id"]
    assert "no game" in at.refused("lead", game="chess")
