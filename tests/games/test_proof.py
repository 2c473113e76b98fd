"""No rule without proof: what each game's registry claims is backed by its case files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.core.rules import RuleClass, tidy
from chronicle.games import GAMES, rulebook
from tests.cases import Case, read_cases

HERE = Path(__file__).parent
_READING = re.compile(r"rulings:\s*\{(?P<inside>[^}]*)\}")


def folder_of(game: str) -> Path:
    """Where the cases of a game stand."""
    return HERE / game.replace("-", "_") / "cases"


def cases_of(game: str) -> list[Case]:
    """All cases of a game."""
    return [case for file in sorted(folder_of(game).glob("*.case")) for case in read_cases(file)]


@pytest.mark.parametrize("game", GAMES)
def test_every_checked_rule_is_broken_by_a_case(game: str) -> None:
    broken = {
        tidy(code)
        for case in cases_of(game)
        for wanted in case.expected.values()
        for code, _ in wanted
    }
    registry = rulebook(game).registry()
    unproven = [
        rule.id
        for rule in registry.rules
        if rule.kind is RuleClass.CHECKED and not ({tidy(rule.id), *map(tidy, rule.also)} & broken)
    ]
    assert not unproven


@pytest.mark.parametrize("game", GAMES)
def test_every_other_reading_is_played(game: str) -> None:
    played: set[tuple[str, str]] = set()
    for case in cases_of(game):
        for match in _READING.finditer(case.settings.replace("\n", " ")):
            for part in match["inside"].split(","):
                key, _, value = part.partition(":")
                played.add((key.strip(), value.strip().strip("\"'")))
        for line in case.settings.splitlines():
            if line.startswith("rulings:"):
                for part in line.removeprefix("rulings:").strip(" {}").split(","):
                    key, _, value = part.partition(":")
                    played.add((key.strip(), value.strip().strip("\"'")))
    missing = [
        f"{ruling.key}: {value}"
        for ruling in rulebook(game).registry().rulings
        for value in list(ruling.readings)[1:]
        if (ruling.key, value) not in played and (ruling.id, value) not in played
    ]
    assert not missing


@pytest.mark.parametrize("game", GAMES)
def test_recorded_rules_say_why(game: str) -> None:
    for rule in rulebook(game).registry().rules:
        assert rule.text, rule.id
        assert bool(rule.why) == (rule.kind is RuleClass.RECORDED), rule.id


@pytest.mark.parametrize("game", GAMES)
def test_ids_are_unique(game: str) -> None:
    registry = rulebook(game).registry()
    ids = [tidy(rule.id) for rule in registry.rules] + [tidy(r.id) for r in registry.rulings]
    assert len(ids) == len(set(ids))
    keys = [ruling.key for ruling in registry.rulings]
    assert len(keys) == len(set(keys))
