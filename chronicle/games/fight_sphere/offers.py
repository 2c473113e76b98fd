"""Values that fit the keys of an entry now and that no role gives: numbers, inhabitants, whom a Gladiator can meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from chronicle.core.answers import Offer
from chronicle.core.declare import Action
from chronicle.core.law import first_unmet_need
from chronicle.games.fight_sphere.actions import CONTINUED
from chronicle.games.fight_sphere.bonds import barred_for
from chronicle.games.fight_sphere.build import bond_dice, waiting_to_build
from chronicle.games.fight_sphere.closing import Lose
from chronicle.games.fight_sphere.cut_scenes import CutScene
from chronicle.games.fight_sphere.law import ROLES
from chronicle.games.fight_sphere.layers import StartLayer
from chronicle.games.fight_sphere.rewards import Reward
from chronicle.games.fight_sphere.state import DIE, Gladiator, State
from chronicle.games.fight_sphere.table import Table, bound_to, on_turn

_FROM_CANDIDATES: Final[Sequence[tuple[type[Action], str]]] = (
    (StartLayer, "layer"),
    (Reward, "reward"),
    (CutScene, "gain"),
    (Lose, "lose"),
)
"""Verbs whose candidates have all values of a key."""


def offers(play: Table, verb: str, by: str) -> Iterator[Offer]:
    """Whom a Gladiator can meet: who is standing in the same Episode, and where an Encounter has to go on,
    those who are in it (F47, F56); in a Scene of their own, truce partners (F45)."""
    state = play.state
    if verb in ("stake", "scene", "encounter"):
        yield from built_from(play, verb, by)
    for kind, key in _FROM_CANDIDATES:
        for typed in (kind.candidates(play) or ()) if kind.verb == verb else ():
            yield from (Offer((key, *path)) for path in _paths(typed.get(key, {})))
    g = state.played_by(by or on_turn(play))
    episode = state.episode_of(g.id) if g is not None else None
    if g is None or episode is None:
        return
    if verb in ("scene", "encounter"):
        yield Offer(("at", episode.title), "the Episode")
    if verb == "scene":
        for second in _others(state, g):
            held = state.truce(g.id, second.id)
            why = "" if held is not None else f"{g.name} and {second.name} have no truce"
            yield Offer(("with", second.name), _played_by(second), _apart(play, g, second) or why)
    if verb == "encounter":
        bound = bound_to(play, g.id)
        if state.encounter_of(g.id) is not None:
            yield Offer(("encounter", CONTINUED))
        for second in _others(state, g):
            why = _apart(play, g, second)
            within = bound is not None and second.id in bound.members
            if bound is None or within or why:
                yield Offer(("encounter", second.name), _played_by(second), why)
            if not within:
                yield Offer(("joins", second.name), _played_by(second), why)


def _others(state: State, g: Gladiator) -> list[Gladiator]:
    return [second for second in state.gladiators.values() if second is not g]


def _played_by(g: Gladiator) -> str:
    return "NPC" if g.npc else g.player


def _apart(play: Table, g: Gladiator, second: Gladiator) -> str:
    """Why two Gladiators do not meet, if they do not."""
    need = first_unmet_need(play, ROLES["met"], second.id, includes_actor_needs=False)
    if need is not None:
        return need.message.format(who=second.name, doing=ROLES["met"].action_phrase)
    own, opposing = play.state.episode_of(g.id), play.state.episode_of(second.id)
    if own is opposing:
        return ""
    return (
        f"{second.name} is in {opposing.title}"
        if opposing
        else f"{second.name} is in no Episode now"
    )


def _usable(play: Table, g: Gladiator) -> list[str]:
    """Whom a Gladiator may bring into a roll."""
    round_ = play.state.open_round
    paid = {npc for b in round_.builds.values() for npc in b.paid} if round_ else set()
    return [
        bond.npc
        for bond in g.living()
        if not barred_for(play, g, bond) and bond_dice(play, g, bond) > 0 and bond.npc not in paid
    ]


def built_from(play: Table, verb: str, by: str) -> Iterator[Offer]:
    """What those who build next can build their rolls from."""
    state, own = play.state, play.state.played_by(by or on_turn(play))
    builders = [(own.id, None)] if own is not None else []
    for number, (id, most) in enumerate(waiting_to_build(play) if verb == "stake" else builders):
        gladiator, have = state.gladiators[id], play.balance(f"pool:{id}", DIE)
        paths = [("stake", gladiator.name), *([("stake",)] if not number else [])]
        for dice in range(max(0, have if most is None else min(have, most)) + 1):
            for path in paths:
                yield Offer((*path, "gamble", str(dice)), f"of {have}")
        usable = _usable(play, gladiator)
        for npc, inhabitant in state.inhabitants.items():
            why = "" if npc in usable else f"no die of a Relationship with {gladiator.name}"
            for path in paths if not inhabitant.gone else ():
                yield Offer((*path, "use", inhabitant.name), "", why)


def _paths(value: Any) -> Iterator[tuple[str, ...]]:
    """The keys and values of a typed entry, each as a path from the outermost key."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from ((str(key), *path) for path in _paths(inner))
    else:
        yield (str(value),)
