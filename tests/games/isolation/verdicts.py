"""What came of a roll, by the words that the odds of the game use for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.replay import Replay
from chronicle.syntax.decode import Decoder
from chronicle.testkit.random_play import entry_text, read_entry
from tests.games.test_odds import Fall, falls, fork, thrown

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
        f"{hand.character} {side}": str(hand.best) == side
        for hand in conflict.passives()
        for side in ("cooperative", "neutral", "hostile")
    }


def _alone(replay: Replay[Any]) -> Mapping[str, float]:
    """Who goes it alone rolls before the GM does: every number of odds that the GM's dice can show, with its
    chance."""
    rules = replay.play.rulebook
    due = [obligation for obligation in rules.due(replay.play) if obligation.verb == "roll"]
    throws: dict[int, tuple[tuple[Fall, ...], float]] = {0: ((), 1.0)}
    for pad in (
        pad
        for obligation in due
        if (pad := rules.pad(replay.play, obligation))
        for _ in range(obligation.amount)
    ):
        longer: dict[int, tuple[tuple[Fall, ...], float]] = {}
        for odds, (count, chance) in throws.items():
            for fall in falls(pad):
                total = odds + sum(face in pad.hits for face in fall.faces)
                earlier = longer[total][1] if total in longer else 0.0
                longer[total] = ((*count, fall), earlier + chance * fall.chance)
        throws = longer
    success = 0.0
    for count, chance in throws.values():
        forked = fork(replay)
        entry = rules.thrown("roll", thrown(due, count))
        forked.do(read_entry(entry_text(entry), Decoder(rules.by_verb)))
        level = forked.play.state.conflicts[-1].level
        if level is None:
            return {}
        success += chance * (not level.failure)
    return {
        "Partial Success or better if no character turns Hostile": success
        / sum(chance for _, chance in throws.values())
    }
