"""What came of a roll, by the words that the odds of the game use for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.replay import Replay

EACH_FACE = False
"""Whether each face is a way of its own for a die to fall."""
ONE_AFTER_THE_OTHER = False
"""Whether those whose dice are due roll in entries of their own."""


def judge(replay: Replay[Any]) -> Mapping[str, bool]:
    """What the last roll came to, by the words of its odds."""
    play = replay.play
    step = play.steps[-1].number
    complication = next(
        c for c in play.state.complications if c.rounds and c.rounds[-1].step == step
    )
    won = {f"{player} wins": player in complication.winners for player in complication.pools}
    return won | {"tie": not complication.winners}
