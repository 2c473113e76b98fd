"""Games whose verbs carry their guards and effects: what is tried here is generated from their declarations.

A new game of this kind needs nothing of its own here.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from chronicle.games import GAMES, rulebook
from chronicle.testkit.guards import GUARD_CHECKS, Moments
from tests.games.places import ROOT
from tests.games.test_proof import cases_of
from tests.sample import some

MODELS = sorted(
    (game for game in GAMES if rulebook(game).verbs), key=lambda game: len(rulebook(game).verbs)
)
"""The games whose verbs have guards, those with few verbs first."""
OPEN = {
    tuple(line.split(" | ")[:2])
    for line in (Path(__file__).parent / "open_checks.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
}
"""Checks that a game does not hold yet, each with what is open. One that holds by now has to leave the list."""


@cache
def moments(game: str) -> Moments:
    """Every legal entry of every case of a game whose verb carries its guards and its effect."""
    of_cases = Moments(rulebook(game), cases_of(game))
    assert len(of_cases.all) > 3 * len(of_cases.rules.verbs)
    return of_cases


@pytest.mark.integration
@pytest.mark.parametrize("check", GUARD_CHECKS)
@pytest.mark.parametrize("game", some(MODELS, 2))
def test_declarations_hold(game: str, check: str) -> None:
    breaches = [*GUARD_CHECKS[check](moments(game))]
    if (game, check) in OPEN:
        assert breaches, "it holds: take it out of OPEN"
    else:
        assert not breaches


def gates(game: str) -> dict[str, set[str]]:
    """The functions of a game that book a movement, by the account that they book."""
    collected: dict[str, set[str]] = {}
    for file in (ROOT / "chronicle" / "games" / game.replace("-", "_")).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for call in ast.walk(node):
                if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                    continue
                for text in (
                    ast.walk(call) if call.func.attr in ("move", "pay", "empty", "spend") else ()
                ):
                    if isinstance(text, ast.Constant) and str(text.value).endswith(":"):
                        collected.setdefault(str(text.value), set()).add(node.name)
    return collected
