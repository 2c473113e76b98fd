"""What may come next in Fight Sphere: for ``explain``, for editors, and for random play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from chronicle.core.answers import Offer, Option
from chronicle.core.law import broken
from chronicle.games.fight_sphere.actions import CONTINUED, CORE
from chronicle.games.fight_sphere.law import ROLES
from chronicle.games.fight_sphere.layers import next_number
from chronicle.games.fight_sphere.options_of_rolls import (
    Entry,
    benefits,
    building,
    built_from,
    is_owed,
    losses,
    ordinary,
)
from chronicle.games.fight_sphere.state import Episode, Gladiator, Stage, State
from chronicle.games.fight_sphere.table import Table, on_turn, survivor

_FOLK = ("Mina", "Old Tom", "Sister Wick", "The Cook", "Little Ann")
_TITLES = ("The pump fails", "A toll is asked", "The choir is hungry", "Rust rain")


def options(play: Table) -> Iterable[Option]:
    """Every kind of legal move of this moment, each with a way to write one."""
    state = play.state
    if state.over:
        return []
    if not state.layers:
        return []
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return building(play, round_)
    for conflict in state.open_conflicts:
        if conflict.stage is Stage.BUILDING and not (conflict.guest and not conflict.built):
            return ordinary(play, conflict)
    if is_owed(play) or survivor(state) is not None:
        return []
    return [] if state.layer_done() else _turns(play)


# --- turns ------------------------------------------------------------------------------------------


def _turns(play: Table) -> Iterator[Option]:
    state = play.state
    players = [state.turn] if state.turn else [p for p in play.seats if state.active(p)]
    for player in players:
        g = state.played_by(player)
        episode = state.episode_of(g.id) if g is not None else None
        if g is not None and episode is not None and state.active(player):
            yield from _of_player(play, player, g, episode)


def _of_player(play: Table, player: str, g: Gladiator, episode: Episode) -> Iterator[Option]:
    state = play.state
    if g.id in state.resumptions or state.bound_to(g.id) is not None:
        yield Option.plain(
            "encounter",
            player,
            f"{player} must go on with the Encounter",
            "F56",
            "continued",
            by=player,
        )
        return
    yield Option(
        "scene", player, f"{player} frames a Scene", "F21", _scene(play, player, g, episode)
    )
    for second in state.standing(episode):
        if second == g.id or state.truce(g.id, second) is not None:
            continue
        yield Option.plain(
            "encounter",
            player,
            f"{player} starts an Encounter with {state.gladiators[second].name}",
            "F47",
            [state.gladiators[second].name],
            by=player,
            at="the gallery",
            npcs=_folk(play)[:1],
        )
    rivals = [state.gladiators[w].name for w in state.standing(episode) if w != g.id]
    if len(rivals) > 1 and any(
        state.truce(g.id, w) is None for w in state.standing(episode) if w != g.id
    ):
        yield Option.plain(
            "encounter",
            player,
            f"{player} starts an Encounter with everybody here",
            "F55",
            rivals,
            by=player,
        )


def _folk(play: Table) -> list[str]:
    """Who can be in a Scene."""
    gone = {npc.name for npc in play.state.inhabitants.values() if npc.gone}
    return [name for name in _FOLK if name not in gone] or ["A passer-by"]


def _scene(play: Table, player: str, g: Gladiator, episode: Episode) -> Entry:
    state = play.state
    folk = _folk(play)
    partners = [
        state.gladiators[w].name
        for w in state.standing(episode)
        if w != g.id and state.truce(g.id, w) is not None and state.encounter_of(w) is None
    ]
    judges = [j.player for j in state.judgments if not j.closed]

    def entry(rng: Random) -> dict[str, Any]:
        entry_made: dict[str, Any] = {
            "scene": rng.choice(_TITLES),
            "by": player,
            "npcs": rng.sample(folk, min(len(folk), rng.randint(1, 2))),
        }
        if partners and rng.random() < 0.3:
            entry_made["with"] = [rng.choice(partners)]
        if judges and rng.random() < 0.3:
            entry_made["told by"] = rng.choice(judges)
        return entry_made

    return entry


def offers(play: Table, verb: str, by: str) -> Iterator[Offer]:
    """Whom a Gladiator can meet: who is standing in the same Episode, and where an Encounter has to go on,
    those who are in it (F47, F56); in a Scene of the own, truce partners (F45)."""
    state = play.state
    if verb == "layer":
        yield Offer(("layer", str(next_number(play))), "" if state.layers else "the surface")
        yield Offer(("layer", CORE), "the last one")
    if verb in ("stake", "scene", "encounter"):
        yield from built_from(play, verb, by)
    if verb in ("reward", "cut scene"):
        yield from benefits(play, verb)
    if verb == "lose":
        yield from losses(play)
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
        bound = state.bound_to(g.id)
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
    need = broken(play, ROLES["met"], second.id, entry=False)
    if need is not None:
        return need.message.format(who=second.name, doing=ROLES["met"].doing)
    own, opposing = play.state.episode_of(g.id), play.state.episode_of(second.id)
    if own is opposing:
        return ""
    return (
        f"{second.name} is in {opposing.title}"
        if opposing
        else f"{second.name} is in no Episode now"
    )
