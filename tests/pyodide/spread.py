"""What is tried in full outside is tried in Pyodide for a spread: few cases that have, together, every key that a
case has and every rule that one breaks, and one example of each game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.testkit.cases import Case
from tests import test_workspace
from tests.games import test_cases

_KEY = re.compile(r"(?<![\w'])([a-z][a-z ]*[a-z]):(?= |$)", re.MULTILINE)
_GAME = re.compile(r"^game: (\S+)", re.MULTILINE)


def words(case: Case) -> set[tuple[Path, str]]:
    """What a case has of its game: keys, and the codes of what is found."""
    text = "\n".join([case.settings, *(line for lines in case.sessions for line in lines)])
    codes = [code for expected in case.expected.values() for code, _ in expected]
    return {(case.file.parent, word) for word in (*_KEY.findall(text), *codes)}


def spread() -> list[Case]:
    """Cases that have all words, those with most of them first."""
    chosen: list[Case] = []
    words_seen: set[tuple[Path, str]] = set()
    for case in sorted(test_cases.CASES, key=lambda case: -len(words(case))):
        if not words(case) <= words_seen:
            chosen.append(case)
            words_seen |= words(case)
    return chosen


def smallest() -> list[Path]:
    """The smallest example of each game."""

    def size(folder: Path) -> int:
        return sum(file.stat().st_size for file in folder.glob("*.yaml"))

    of_game: dict[str, Path] = {}
    for folder in sorted(test_workspace.EXAMPLES, key=size, reverse=True):
        game = _GAME.search((folder / "campaign.yaml").read_text("utf-8"))
        assert game is not None
        of_game[game[1]] = folder
    return list(of_game.values())


@pytest.mark.parametrize("case", spread(), ids=lambda case: case.id)
def test_a_case(case: Case, tmp_path: Path) -> None:
    test_cases.test_case(case, tmp_path)


@pytest.mark.parametrize("folder", smallest(), ids=lambda folder: folder.name)
def test_an_example_whatever_is_typed(folder: Path, tmp_path: Path) -> None:
    test_workspace.test_equal_to_a_cold_check_whatever_is_typed(folder, tmp_path)
