"""What came of a roll, by the words that the odds of the game use for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.game_context import GameContext
from chronicle.core.replay import Replay

EACH_FACE = False
"""Whether each face is a way of its own for a die to fall."""
ONE_AFTER_THE_OTHER = False
"""Whether those whose dice are due roll in entries of their own."""


def judge(replay: Replay[Any]) -> Mapping[str, bool]:
    """What the last roll came to, by the words of its odds."""
    play = replay.play
    state = play.state
    step = play.steps[-1].number
    rounds = [
        fight_round
        for fight in state.encounters
        for fight_round in fight.rounds
        if fight_round.result_step == step
    ]
    if not rounds:
        conflict = next(
            candidate
            for candidate in reversed(state.conflicts)
            if step in _rolled_at(candidate, play)
        )
        return {"success": conflict.success is True, "tie": conflict.success is None}
    names = {member: state.gladiators[member].name for member in rounds[-1].members}
    won = {name: rounds[-1].won_against_all(fighter) for fighter, name in names.items()}
    return won | {"tie": not any(won.values())}


def _rolled_at(conflict: Any, play: GameContext[Any]) -> tuple[int, ...]:
    tied = play.steps[-1].contest is not None and conflict.stage.name == "BUILDING"
    return (conflict.result_step, play.steps[-1].number if tied else 0)
