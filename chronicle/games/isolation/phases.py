"""The phases of play, and the moments that several verbs share."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.declare import Moment, Refusal
from chronicle.core.game_context import GameContext
from chronicle.core.law import Phase
from chronicle.games.isolation.state import Stage, State

SETUP, START, MIDWAY, DECISION = "setup", "start", "midway", "decision"
PROPOSED, DICE, WOUNDS, DEATHS = "proposed", "dice", "wounds", "deaths"
ENDING, AFTER = "ending", "after"
RUNNING = (SETUP, START, MIDWAY, DECISION, PROPOSED, DICE, WOUNDS, DEATHS, ENDING)
UNDECIDED = (PROPOSED, DICE)
"""The phases of a proposal that has no result yet."""

_IS_OVER = Refusal("I79", "the scenario is over")
WHILE_RUNNING = Moment(RUNNING, _IS_OVER)
ALWAYS = Moment((*RUNNING, AFTER), _IS_OVER)
STANCES_DOUBTED = "stances:"
"""The key for doubt about the stances of the last proposal: one that comes too late is said once."""
UNDECIDED_DOUBTED = "undecided:"
"""The key for doubt about a proposal with a character whom the record does not have: its result can be missing too."""
NOT_DECIDED = "{active}'s proposal is not decided; "
"""The beginning of a refusal while a proposal waits for its result."""


def phase(play: GameContext[State]) -> str:
    """The phase of this moment."""
    state = play.state
    conflict = state.conflict
    if state.over:
        return AFTER
    if conflict is not None and conflict.stage is Stage.RESULT:
        return WOUNDS
    if conflict is not None and conflict.stage is Stage.DEATHS:
        return DEATHS
    if conflict is not None and conflict.level is None:
        return DICE if conflict.rolled_step else PROPOSED
    if state.ending:
        return ENDING
    if state.conflicts:
        return DECISION
    if state.given:
        return MIDWAY
    return START if state.map_step else SETUP


def _proposed(play: GameContext[State]) -> int:
    conflict = play.state.conflict
    return conflict.step if conflict is not None else 0


def _decided(play: GameContext[State]) -> int:
    last = play.state.last
    return last.result_step if last is not None else 0


PHASES: Mapping[str, Phase] = {
    SETUP: Phase("the first map is being drawn"),
    START: Phase("nothing has been proposed yet"),
    MIDWAY: Phase("the log begins in mid-play"),
    DECISION: Phase("nothing is proposed", _decided, "decided here"),
    PROPOSED: Phase("a proposal waits for its dice", _proposed, "proposed here"),
    DICE: Phase("the dice of a proposal are rolled", _proposed, "proposed here"),
    WOUNDS: Phase("the wounds are not shared out yet", _decided, "decided here"),
    DEATHS: Phase("the last green links of the dead are not placed yet", _decided, "decided here"),
    ENDING: Phase(
        "the pairs have rolled for the end of this session",
        lambda play: play.state.ending,
        "rolled here",
    ),
    AFTER: Phase(
        "the scenario is over",
        lambda play: play.state.over,
        "ended here",
        Refusal("I79", "the scenario is over", help="a new scenario is a campaign of its own"),
    ),
}
