"""The law of Playset Zero: who may be named where, who decides, and when (see ``chronicle.core.law``).

The text knows no turns and next to no order: what has to come first is the goal, then the dangers, then
the dice. Where a verb may stand anywhere, its handler says what it makes of the moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.declare import Action
from chronicle.core.law import TABLE, Decider, Law, Phase, Role
from chronicle.core.names import PLAYER
from chronicle.core.play import Play
from chronicle.games.playset_zero import making, marks, scenes
from chronicle.games.playset_zero.actions import FREE, GOAL, OVER, ROLLED, SETTLED
from chronicle.games.playset_zero.state import ANYBODY, Stage, State
from chronicle.games.playset_zero.table import only_one

# --- needs and roles ------------------------------------------------------------------------------


ROLES: Mapping[str, Role] = {
    **scenes.ROLES,
    "asked": Role("the character who is to roll", "roll", (), ANYBODY),
    "involved": Role("a character whom the conflict concerns", "", (), ANYBODY),
    "names a danger": Role("somebody at the table", "name a danger", of=PLAYER),
    "spends marks": Role("a character with marks", "spend marks", (), ANYBODY),
    **making.ROLES,
    **marks.ROLES,
}

# --- deciders -------------------------------------------------------------------------------------


def _gm(play: Play[State], action: Action) -> Sequence[str]:
    return (play.runner,)


def _roller(play: Play[State], action: Action) -> Sequence[str]:
    call = play.state.call
    return (call.asks,) if call is not None else ()


def _has_dice(play: Play[State], action: Action) -> Sequence[str]:
    roll = play.state.running()
    if roll is None:
        return ()
    effort = roll.waiting()
    return (effort.player if effort is not None else roll.player,)


def _has_hits(play: Play[State], action: Action) -> Sequence[str]:
    roll = play.state.running()
    if roll is None:
        return ()
    effort = roll.unspent() if roll.stage is Stage.GOAL else None
    return (effort.player if effort is not None else roll.player,)


_OWN = "name the character with by"

DECIDERS: Mapping[str, Decider] = {
    "gm": Decider("the GM", _gm, "{by} does this; only the GM does, {due}"),
    "table": TABLE,
    **making.ACTORS,
    **marks.ACTORS,
    **scenes.ACTORS,
    "caller": Decider("the GM for players' characters; a player for the GM's", _gm),
    "roller": Decider(f"the player of the character who rolls: {_OWN}", _roller),
    "others": TABLE._replace(words="each of the others: name the player with by"),
    "helper": TABLE._replace(words=f"the helper or hinderer: {_OWN}"),
    "dice": Decider("whoever has dice to roll: helpers and hinderers first", _has_dice),
    "hits": Decider("whoever has rolled", _has_hits),
}

# --- phases ---------------------------------------------------------------------------------------


def phase(play: Play[State]) -> str:
    """Where play is."""
    roll = play.state.running()
    if play.state.over:
        return OVER
    if roll is None:
        return SETTLED if play.state.rolls and play.state.call is None else FREE
    return GOAL if roll.stage is Stage.GOAL else ROLLED


def _stated(play: Play[State]) -> int:
    roll = play.state.running()
    return roll.step if roll is not None else 0


def _thrown(play: Play[State]) -> int:
    roll = play.state.running()
    return roll.rolled if roll is not None else 0


PHASES: Mapping[str, Phase] = {
    FREE: Phase("nobody has stated a goal yet"),
    GOAL: Phase("a goal waits for its dice", _stated, "stated here"),
    ROLLED: Phase("the dice have fallen", _thrown, "rolled here"),
    SETTLED: Phase(
        "the last roll is over",
        lambda play: play.state.rolls[-1].settled if play.state.rolls else 0,
        "settled here",
    ),
    # No rule says when a game is over (ZA27): an epilogue may go on as long as it likes.
    OVER: Phase("the scenario is over", lambda play: play.state.over, "ended here"),
}


def _embodied(play: Play[State], player: str) -> str:
    who = only_one(play, play.names.all[player].name)
    return who.id if who is not None else ""


LAW = Law(PHASES, phase, ROLES, DECIDERS, _embodied)
