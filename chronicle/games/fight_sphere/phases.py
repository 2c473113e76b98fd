"""Phases of play: when a verb is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from chronicle.core.declare import Moment, Refusal
from chronicle.core.diagnostic import listed
from chronicle.core.fix import add_entry
from chronicle.core.law import Phase
from chronicle.games.fight_sphere.falls import is_survivor_known, survived_from, survivor
from chronicle.games.fight_sphere.state import Fate, Stage
from chronicle.games.fight_sphere.table import Table

SETUP, FREE, BUILDING, CLASH, ROLLED, CLASHED = (
    "setup",
    "free",
    "building",
    "clash",
    "rolled",
    "clashed",
)
BETWEEN, ALONE, ENDED, OVER = "between", "alone", "ended", "over"

_AFTER_THE_END: Final = Refusal(
    "F70",
    "the game ended when {survivor} alone was left",
    help="epilogue: the story afterwards  (by the survivor's player)",
    doubts=("no scene",),
)
WHILE_PLAYED: Final = Moment(
    (FREE, BUILDING, CLASH, ROLLED, CLASHED, BETWEEN, ALONE),
    Refusal(
        "F12",
        "no Layer has begun, so nobody is in an Episode",
        fixes=(add_entry("layer: 1\nepisodes: {{...: [...]}}"),),
        after=("no layer", "dropped:layer"),
    ),
    {ENDED: _AFTER_THE_END, OVER: _AFTER_THE_END},
)


def phase(play: Table) -> str:
    """The phase of play at the moment."""
    state = play.state
    if state.over:
        return OVER
    if not state.layers:
        return SETUP
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return CLASH
    waiting = [conflict for conflict in state.open_conflicts if conflict.stage is Stage.BUILDING]
    if any(conflict.built or not conflict.guest for conflict in waiting):
        return BUILDING
    if survivor(state) is not None:
        return ENDED if is_survivor_known(play) else ALONE
    if round_ is not None or state.open_conflicts:
        return CLASHED if round_ is not None else ROLLED
    return BETWEEN if state.layer_done() else FREE


def _framed(play: Table) -> int:
    return play.state.scene_step


def _rolled(play: Table) -> int:
    state = play.state
    if state.open_round is not None:
        return state.open_round.result_step
    return state.open_conflicts[-1].result_step if state.open_conflicts else 0


PHASES: Final[Mapping[str, Phase]] = {
    SETUP: Phase("no Layer has begun"),
    FREE: Phase("no Scene is open"),
    BUILDING: Phase("a Conflict waits for its dice", _framed, "framed here"),
    CLASH: Phase("an Encounter waits for its dice", _framed, "framed here"),
    ROLLED: Phase("the dice have fallen", _rolled, "rolled here"),
    CLASHED: Phase("the dice of an Encounter have fallen", _rolled, "rolled here"),
    BETWEEN: Phase(
        "the Layer is over",
        lambda play: max((episode.over for episode in play.state.layer_now()), default=0),
        "its last Episode ended here",
    ),
    ALONE: Phase("one Gladiator is left, as far as the log tells"),
    ENDED: Phase("one Gladiator alone is left", survived_from, "{survivor} survived here"),
    OVER: Phase("the game is over", survived_from, "{survivor} survived here"),
}


def terms(play: Table) -> Mapping[str, str]:
    """The words of the moment that messages can name."""
    state = play.state
    last = survivor(state)
    living = [gladiator.name for gladiator in state.played() if gladiator.fate is not Fate.DEAD]
    return {
        "survivor": last.name if last is not None else "nobody",
        "living": listed(living) or "all",
    }
