"""The law of Isolation: who may be named where, who decides, and when (see ``chronicle.core.law``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.declare import Action, Refusal
from chronicle.core.fix import set_key
from chronicle.core.law import TABLE, Decider, Law, Need, Phase, Role
from chronicle.core.names import PLAYER
from chronicle.core.play import Play
from chronicle.games.isolation.actions import (
    AFTER,
    DEATHS,
    DECISION,
    DICE,
    ENDING,
    MIDWAY,
    PROPOSED,
    SETUP,
    START,
    WOUNDS,
)
from chronicle.games.isolation.state import CHARACTER, OUTSIDER, Stage, State
from chronicle.games.isolation.table import embodied

# --- needs and roles ------------------------------------------------------------------------------


def _alive(rule: str, message: str) -> Need:
    return Need(
        "alive",
        rule,
        lambda play, who: who not in play.state.people or play.state.people[who].alive,
        message,
        since=lambda play, who: play.state.people[who].died,
        fact="died here",
        lasting=True,
    )


ALIVE = _alive("I64", "{who} is dead and cannot {doing}")
IN_IT = Need(
    "still in the scenario",
    "I42",
    lambda play, who: who not in play.state.people or not play.state.people[who].out,
    "{who} is out of the scenario and cannot {doing}",
    since=lambda play, who: play.state.people[who].out,
    fact="left here",
    lasting=True,
)


def _own(play: Play[State], who: str) -> bool:
    person = play.state.people.get(who)
    by = play.step.player
    return person is None or play.step.action.by is None or by in ("", person.player)


OWN = Need(
    "one's own",
    "I50",
    _own,
    "{by} says what {who} is about; that is {player}'s to say",
    fixes=(set_key("by", "{player}"),),
    own=True,
)
ANYBODY = (CHARACTER, OUTSIDER, PLAYER)


def _plays(words: str, doing: str = "", *needs: Need) -> Role:
    return Role(words, doing, (ALIVE, IN_IT, *needs), ANYBODY)


ROLES: Mapping[str, Role] = {
    "there": Role("a character who is in the scene", "be in a scene", (ALIVE, IN_IT), (CHARACTER,)),
    "active": _plays("the character who proposes", "propose anything"),
    "asked": _plays("a character whom the Active asks", "be asked"),
    "target": _plays("the character acted against", "be acted against"),
    "uses": Role("a character who takes part", "", (), ANYBODY),
    "rolls": _plays("a character who rolls", "roll"),
    "stands": _plays("a character who was asked", "take a stance", OWN),
    "tells why": Role("a character in the conflict", "", (OWN,), ANYBODY),
    "wounded": Role(
        "a character who takes wounds",
        "",
        (_alive("I64", "{who} is dead and takes no wounds"),),
        ANYBODY,
    ),
    "leaves": _plays("a character who leaves", "leave"),
    "pair": Role(
        "two characters who roll their links",
        "",
        (_alive("I58", "{who} is dead and keeps no links to roll"),),
        ANYBODY,
        twice="",
    ),
    "named": Role("a character", "", (), ANYBODY),
}


# --- deciders -------------------------------------------------------------------------------------


def _gm(play: Play[State], action: Action) -> Sequence[str]:
    return (play.runner,) if play.runner else ()


def _map_maker(play: Play[State], action: Action) -> Sequence[str]:
    gm = getattr(play.campaign.settings, "map_built_by", "anybody") == "gm"
    return _gm(play, action) if gm else ()


def _active(play: Play[State], action: Action) -> Sequence[str]:
    conflict = play.state.conflict
    return (conflict.active,) if conflict is not None else ()


DECIDERS: Mapping[str, Decider] = {
    "table": TABLE,
    "gm": Decider("the GM", _gm, "{by} does this; it is the GM's, {due}'s, to decide"),
    "owner": TABLE._replace(
        words="the player whose character it is: name the player with by",
    ),
    "map maker": Decider(
        "the GM, or the table where the map is built together",
        _map_maker,
        "{by} draws links; at this table the GM builds the map",
        acts=False,
    ),
    "speaker": TABLE._replace(words="the Active Player: name the character with by"),
    "active": Decider(
        "the Active Player",
        _active,
        "{by} takes back what {active} proposed; that is {due}'s to say",
    ),
    "each": TABLE._replace(words="the player of each character named"),
    "wound chooser": Decider(
        "the table, or the GM where the table reads it so",
        lambda play, action: _gm(play, action) if play.ruling("wound_chooser") == "gm" else (),
        "{by} shares out the wounds; at this table the GM does",
        acts=False,
    ),
    "pairs": TABLE._replace(words="the players of each pair"),
}


# --- phases ---------------------------------------------------------------------------------------


def phase(play: Play[State]) -> str:
    """Where play is."""
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


def _proposed(play: Play[State]) -> int:
    conflict = play.state.conflict
    return conflict.step if conflict is not None else 0


def _decided(play: Play[State]) -> int:
    last = play.state.last
    return last.result_step if last is not None else 0


PHASES: Mapping[str, Phase] = {
    SETUP: Phase("the first map is being drawn"),
    START: Phase("nothing has been proposed yet"),
    MIDWAY: Phase("the log begins in mid-play"),
    DECISION: Phase("nothing is proposed", _decided, "decided here"),
    PROPOSED: Phase("a proposal waits for its dice", _proposed, "proposed here"),
    DICE: Phase("the dice of a proposal lie", _proposed, "proposed here"),
    WOUNDS: Phase("wounds are to be shared out", _decided, "decided here"),
    DEATHS: Phase("the last green links of the dead are to be placed", _decided, "decided here"),
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


def terms(play: Play[State]) -> Mapping[str, str]:
    """What messages may say of the moment."""
    conflict = play.state.conflict
    return {"active": conflict.active if conflict is not None else "nobody"}


LAW = Law(PHASES, phase, ROLES, DECIDERS, embodied, terms)
