"""What came of a roll, by the words that the odds of the game use for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.replay import Replay
from chronicle.games.playset_zero.purchases import need_of
from chronicle.syntax.decode import Decoder
from chronicle.testkit.random_play import entry_text, read_entry
from tests.games.test_odds import WRONG, fork

EACH_FACE = True
"""Whether each face is a way of its own for a die to fall."""
ONE_AFTER_THE_OTHER = True
"""Whether those whose dice are due roll in entries of their own."""


def judge(replay: Replay[Any]) -> Mapping[str, bool]:
    """What the last roll came to, by the words of its odds."""
    step = replay.play.steps[-1].number
    roll = next(candidate for candidate in reversed(replay.play.state.rolls))
    for effort in roll.efforts:
        if effort.rolled == step:
            return {f"{effort.name}: at least one hit": any(die.hit for die in effort.dice)}
    return {
        "at least one hit": roll.hits > 0,
        "questions": _bought(replay, goals_only=False),
        "goal": _bought(replay, goals_only=True),
    }


def _bought(replay: Replay[Any], *, goals_only: bool) -> bool:
    """Whether the best dice on the table buy all that waits, or the hardest of the goals, by the handlers."""
    play = replay.play
    roll = play.state.rolls[-1]
    waiting = [item for item in roll.items if item.paid is None]
    if roll.hits < (1 if goals_only else len(waiting)) or not roll.hits:
        return False
    waiting.sort(key=lambda item: need_of(play, roll, item))
    if goals_only:
        waiting = [item for item in waiting if item.goal][-1:]
    dice = sorted(roll.dice, key=lambda die: die.face)[max(0, len(roll.dice) - len(waiting)) :]
    if len(dice) < len(waiting):
        return False
    bought: dict[str, Any] = {}
    for item, die in zip(waiting, dice, strict=True):
        key = "goal" if item.goal else item.text
        bought.setdefault(key, []).append(f"{die.die} {die.face}")
    forked = fork(replay)
    entry = {"spend": bought}
    forked.do(read_entry(entry_text(entry), Decoder(play.rulebook.by_verb)))
    if any(diagnostic.kind in WRONG for diagnostic in forked.play.steps[-1].diagnostics):
        return False
    wells = [item.well for item in forked.play.state.rolls[-1].items if not goals_only or item.goal]
    return any(wells) if goals_only else all(wells)
