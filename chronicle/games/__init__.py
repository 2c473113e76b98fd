"""The games Chronicle knows. A seventh is one line here and one folder beside this file."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from chronicle.core.rulebook import Rulebook

GAMES = MappingProxyType(
    {
        "fight-sphere": "chronicle.games.fight_sphere",
        "isolation": "chronicle.games.isolation",
        "playset-zero": "chronicle.games.playset_zero",
        "positive": "chronicle.games.positive",
        "slow-burn": "chronicle.games.slow_burn",
        "universalis": "chronicle.games.universalis",
    }
)
"""Name of the game (as ``campaign.yaml`` writes it) to the module with its ``RULEBOOK``."""

SMALLEST = "positive"
"""The game with the fewest rules: what somebody gets who names none."""


@cache
def rulebook(name: str) -> Rulebook[Any]:
    """The rulebook of a game, imported on demand.

    Raises:
        KeyError: when there is no such game.
    """
    made: Rulebook[Any] = import_module(GAMES[name]).RULEBOOK()
    return made
