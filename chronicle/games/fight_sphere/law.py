"""The law of Fight Sphere: who can be named where, who decides, and when (see ``chronicle.core.law``).

What a Scene leaves open (its roll, its reward, its losses) is asked for when the next one begins; a verb
that may come at any time says itself what it makes of the moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chronicle.core.declare import Action
from chronicle.core.game_context import GameContext
from chronicle.core.law import TABLE, Decider, Law, Role
from chronicle.core.names import Named
from chronicle.games.fight_sphere import (
    build,
    closing,
    cut_scenes,
    declarations,
    encounters,
    gladiators,
    layers,
    rewards,
    roll,
    scenes,
    truces,
)
from chronicle.games.fight_sphere.phases import PHASES, phase, terms
from chronicle.games.fight_sphere.state import GLADIATOR, State
from chronicle.games.fight_sphere.table import is_order_known, upcoming, whose_scene

# --- needs and roles ------------------------------------------------------------------------------


ROLES: Mapping[str, Role] = {
    **build.ROLES,
    **scenes.ROLES,
    **encounters.ROLES,
    **gladiators.ROLES,
    **layers.ROLES,
    **truces.ROLES,
    **declarations.ROLES,
    **rewards.ROLES,
    **cut_scenes.ROLES,
    **closing.ROLES,
    **roll.ROLES,
}

# --- deciders -------------------------------------------------------------------------------------


def _turn(play: GameContext[State], action: Action) -> Sequence[str]:
    id = upcoming(play) if is_order_known(play) else ""
    return (id,) if id else ()


def _player_of(play: GameContext[State], action: Action) -> Sequence[str]:
    """The player of the Gladiator whom an entry names; of an NPC Gladiator the GM, or the maker."""
    assert action.main is not None
    named = play.names.find(getattr(action, action.main.attribute), (GLADIATOR,))
    return (named.id, play.state.gladiators[named.id].player) if isinstance(named, Named) else ()


def _of_scene(play: GameContext[State], action: Action) -> Sequence[str]:
    id = whose_scene(play)
    return (id,) if id else ()


DECIDERS: Mapping[str, Decider] = {
    "table": TABLE,
    "gm": Decider(
        "the GM", lambda play, action: (play.runner,), "{by} does this; only the GM does, {due}"
    ),
    "player": Decider("the Gladiator's player", _player_of),
    "turn": Decider("the player whose turn it is", _turn),
    "scene": Decider("the player whose Scene it is", _of_scene),
    **gladiators.ACTORS,
    **truces.ACTORS,
    **declarations.ACTORS,
    **rewards.ACTORS,
    **closing.ACTORS,
}


def _embodied(play: GameContext[State], player: str) -> str:
    own = play.state.played_by(player)
    return own.id if own is not None else ""


LAW = Law(PHASES, phase, ROLES, DECIDERS, _embodied, terms, facilitator_plays_nobody=True)
