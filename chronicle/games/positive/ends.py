"""What a token means where it has come to stand: the end of the game, a scene with everybody (P24, P25)."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.diagnostic import listed
from chronicle.core.play import Limits
from chronicle.games.positive.state import FULL_POOL
from chronicle.games.positive.table import Table, ends, position


def thresholds(play: Table, before: Mapping[str, int]) -> None:
    """Look again at the ends of the track for everybody whose token moved, from where it was. Whoever
    has come back from beyond Expelled, or from an end square, is as if they had never been there."""
    state = play.state
    low, high = ends(play)
    moved = {who: position(play, who) for who, was in before.items() if was != position(play, who)}
    out = [who for who, here in moved.items() if here < low and who not in state.ejected]
    back = [who for who, here in moved.items() if here >= low and who in state.ejected]
    if out:
        state.ejected.extend(out)
        state.ejected_step = play.step.index
    for who in back:
        state.ejected.remove(who)
    state.ejected_step = state.ejected_step if state.ejected or state.over else 0
    state.owed = [who for who in state.owed if who not in moved or moved[who] in (low, high)]
    arrived = [
        who
        for who, here in moved.items()
        if here in (low, high) and who not in out and who not in state.owed
    ]
    if arrived and not state.ejected:
        state.owed.extend(arrived)
        state.owed_step = play.step.index
        play.event(
            f"{listed(arrived)} stands on an end square: the next scene holds all characters",
            "P24",
            "arrives at the end",
        )


def set_there(play: Table, who: str, was: int | str | None) -> None:
    """A token was put somewhere: what that means follows as in play."""
    thresholds(play, {who: int(was or 0)})


def squares(play: Table, who: str) -> Limits:
    """How far the track goes, with the step beyond Expelled (P4)."""
    low, high = ends(play)
    return Limits(low - 1, None if play.ruling("beyond_inclusion") == "leave" else high, "P4")


def pool(play: Table, who: str) -> Limits:
    """How many commitment dice somebody can have (P3)."""
    return Limits(0, FULL_POOL if play.ruling("regain_cap") == "3" else None, "P3")
