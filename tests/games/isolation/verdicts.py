"""What came of a roll, by the words that the odds of the game use for it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from chronicle.core.replay import Replay
from chronicle.testkit.random_play import entry_text, read_entry
from chronicle.transcript.decode import Decoder
from tests.games.test_odds import falls, thrown

EACH_FACE = False
"""Whether each face is a way of its own for a die to fall."""
ONE_AFTER_THE_OTHER = False
"""Whether those whose dice are due roll in entries of their own."""


def judge(replay: Replay[Any]) -> Mapping[str, float]:
    """What the last roll came to, by the words of its odds."""
    play = replay.play
    conflict = play.state.conflicts[-1]
    if conflict.level is not None:
        return {"Partial Success or better": not conflict.level.failure}
    if not conflict.asked:
        return _alone(replay)
    return {
        f"{hand.who} {side}": str(hand.best) == side
        for hand in conflict.passives()
        for side in ("cooperative", "neutral", "hostile")
    }


def _alone(replay: Replay[Any]) -> Mapping[str, float]:
    """Who goes it alone rolls before the GM does: one throw of the GM's dice at random stands for all."""
    play = replay.play
    due = [one for one in play.rulebook.due(play) if one.verb == "roll"]
    pads = [play.rulebook.pad(play, one) for one in due]
    rng = Random(str(play.steps[-1].contest))
    ways = tuple(
        rng.choices(each, [fall.chance for fall in each])[0]
        for one, pad in zip(due, pads, strict=True)
        if pad is not None
        for each in [falls(pad)] * one.amount
    )
    entry = play.rulebook.thrown("roll", thrown(due, ways))
    replay.do(read_entry(entry_text(entry), Decoder(play.rulebook.by_verb)))
    level = play.state.conflicts[-1].level
    return {"Partial Success or better": not level.failure} if level is not None else {}
