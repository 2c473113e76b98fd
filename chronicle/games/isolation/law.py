"""The law of Isolation: who may be named where, who decides, and when (see ``chronicle.core.law``)."""

from __future__ import annotations

from collections.abc import Mapping

from chronicle.core.law import TABLE, Decider, Law, Role
from chronicle.core.play import Play
from chronicle.games.isolation import evenings, harm, linkmap, proposals, rolls, scenes, stances
from chronicle.games.isolation.people import ANYBODY, GM
from chronicle.games.isolation.phases import PHASES, phase
from chronicle.games.isolation.state import State
from chronicle.games.isolation.table import embodied

# --- roles ---------------------------------------------------------------------------------------

ROLES: Mapping[str, Role] = {
    **proposals.ROLES,
    **rolls.ROLES,
    **stances.ROLES,
    **scenes.ROLES,
    **harm.ROLES,
    **evenings.ROLES,
    "named": Role("a character", "", (), ANYBODY),
}


# --- deciders -------------------------------------------------------------------------------------


DECIDERS: Mapping[str, Decider] = {
    "table": TABLE,
    "gm": GM,
    "owner": TABLE._replace(
        words="the player whose character it is: name the player with by",
    ),
    **linkmap.ACTORS,
    **proposals.ACTORS,
    **stances.ACTORS,
    **harm.ACTORS,
    **evenings.ACTORS,
}


def terms(play: Play[State]) -> Mapping[str, str]:
    """What messages may say of the moment."""
    conflict = play.state.conflict
    return {"active": conflict.active if conflict is not None else "nobody"}


LAW = Law(PHASES, phase, ROLES, DECIDERS, embodied, terms)
