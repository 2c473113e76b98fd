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
    check = play.state.checks[-1] if play.state.checks else None
    step = play.steps[-1]
    if check is not None and check.step == step.number:
        return {"that the Agency interferes": check.triggered}
    scene = next(candidate for candidate in play.state.scenes if candidate.resolved == step.number)
    verdict = str(scene.verdict)
    return {"chance to win": verdict == "favourable", "stand-off": verdict == "stand-off"}
