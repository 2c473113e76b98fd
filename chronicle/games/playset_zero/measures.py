"""The figures of Playset Zero that ``assert:`` checks and ``correct:`` sets."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.play import Measure, Play
from chronicle.core.rulebook import NOT_BELOW_ZERO, account_measure
from chronicle.games.playset_zero.state import ADVANTAGE, CHARACTER, MARK, Advantage, State

UNNAMED = "an advantage that nobody wrote down"


def _hits(play: Play[State], id: str) -> int | None:
    roll = play.state.roll()
    if roll is None or not roll.rolled:
        return None
    return roll.brought


def _set_hits(play: Play[State], id: str, stated: str) -> bool:
    roll = play.state.roll()
    if roll is None or not roll.unrecorded:
        return False
    roll.hits_said = int(stated)
    return True


def _set_advantages(play: Play[State], id: str, stated: str) -> None:
    """So many are left: the oldest have come into play, or there are some of which nobody wrote what."""
    who = play.state.characters[id]
    left = who.held()
    for advantage in left[: max(0, len(left) - int(stated))]:
        advantage.used, advantage.used_for = play.step.index, "counted anew"
    more = int(stated) - len(left)
    who.advantages += [Advantage(UNNAMED, id, play.step.index, 0) for _ in range(more)]
    play.adjust(f"advantages:{id}", stated, ADVANTAGE)


MEASURES: Mapping[str, Measure] = {
    "marks": account_measure("earned advantage dice left", (CHARACTER,), "marks", MARK),
    "advantages": account_measure(
        "established advantages not erased yet", (CHARACTER,), "advantages", ADVANTAGE
    )._replace(write=_set_advantages),
    "hits": Measure(
        "hits of the last roll",
        (),
        _hits,
        _set_hits,
        lambda play, id: "Z24",
        lambda play, id: NOT_BELOW_ZERO,
        about="pools",
    ),
}
