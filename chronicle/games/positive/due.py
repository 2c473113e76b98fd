"""What is owed at the table: an answer, dice, a scene, an account of the end."""

from __future__ import annotations

from collections.abc import Sequence

from chronicle.core.dice import FUDGE
from chronicle.core.play import Due, Pad, Play
from chronicle.games.positive.conflict import dice_due, told_odds
from chronicle.games.positive.state import Stage, State


def due(play: Play[State]) -> list[Due]:
    """What is owed now."""
    fight = play.state.running()
    if fight is None:
        return []
    if fight.stage is Stage.CALLED:
        return [Due(fight.challenged, "an answer: match, or back down", "match", "P16")]
    sides = ((who, tuple(dice_due(play, fight, who))) for who in fight.principals)
    return [
        Due(who, "Fudge dice", "roll", "P19", sum(dice for _, dice in own), "fudge", own)
        for who, own in sides
    ]


def odds(play: Play[State], due: Sequence[Due]) -> list[str]:
    """How likely it is who wins."""
    sides = [one for one in due if one.kind == "fudge"]
    if len(sides) != 2:
        return []
    one, other = sides
    return [str(told_odds(play, one.who, one.amount, other.who, other.amount))]


def pad(play: Play[State], due: Due) -> Pad | None:
    """Fudge dice: plus, blank, minus."""
    return Pad(FUDGE.faces) if due.kind == "fudge" else None
