"""Scenes: whose turn it is, who frames, who is there (F20 to F22, F45, F46, F54, F66)."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import plural
from chronicle.core.fix import set_key, write_instead
from chronicle.core.law import barred
from chronicle.core.source import Place, ScalarNode
from chronicle.core.timeline import Scene
from chronicle.games.fight_sphere import table
from chronicle.games.fight_sphere.actions import Meet, OpenScene
from chronicle.games.fight_sphere.build import new_conflict, stakes
from chronicle.games.fight_sphere.state import Fate, Gladiator, Inhabitant
from chronicle.games.fight_sphere.table import Table


def open_scene(play: Table, action: OpenScene) -> None:
    """F20, F21, F22, F45: a turn, a Gladiator, and a Conflict to come."""
    table.close_scene(play)
    play.step.headline = "Frames a Scene"
    if may_frame(play) and not nobodys(play, action, str(action.title)):
        frame(play, action)


def nobodys(play: Table, action: OpenScene | Meet, title: str) -> bool:
    """Begin a Scene whose framer is not on record; the dice will tell whose it is. Returns whether it is one."""
    if play.is_actor_unrecorded:
        stage(play, action, title)
        play.state.scene_nobodys = True
    return play.is_actor_unrecorded


def frame(play: Table, action: OpenScene) -> None:
    """Begin a Scene of the actor's Gladiator."""
    state = play.state
    g = own_gladiator(play, action)
    if g is None:
        return
    table.check_turn(play, g.player)
    _bound(play, g)
    state.resumptions.pop(g.id, None)
    scene = stage(play, action, str(action.title), g)
    npcs = present(play, action.npcs)
    guests = _guests(play, action, g)
    state.scene_npcs = [npc.id for npc in npcs]
    state.scene_guests = [guest.id for guest in guests]
    scene.cast += [*state.scene_guests, *state.scene_npcs]
    framer = _framer(play, action, g)
    if framer != g.player:
        scene.marks["framed by"] = framer
    conflict = new_conflict(play, g, scene.number, framer)
    conflict.named = action.by is not None
    disguised(play, action)
    play.event(
        f"{g.name} is in a Scene of {conflict.episode or 'no Episode'}, against "
        f"{plural(conflict.tv, 'die', 'dice')}",
        "F21",
        "frames",
        g.id,
    )
    if action.stake is not None:
        stakes(play, action, action.stake)


def may_frame(play: Table) -> bool:
    """Whether there is anything to play: a Layer has begun, the game is not over."""
    state = play.state
    if not state.layers:
        play.taint("no layer", "no scene")
        return False
    return (not state.over and table.survivor(state) is None) or play.excused("F70")


def own_gladiator(play: Table, action: OpenScene | Meet) -> Gladiator | None:
    """F21: the Gladiator of the framer, who must be able to take part."""
    g = table.acting(play, action)
    id = play.step.player
    if g is None:
        play.illegal(
            "F21",
            f"{id or 'somebody'} has no Gladiator to frame into a Scene",
            at="by",
            fix=set_key("by"),
        )
        return None
    if g.npc:
        play.illegal(
            "F21", f"{g.name} is an NPC Gladiator; players frame their own into Scenes", at="by"
        )
        return None
    can_play(play, g, action.place("by"))
    return g


def can_play(play: Table, g: Gladiator, at: Place) -> None:
    """F16, F52: check that a Gladiator has neither fallen nor won the Episode."""
    if play.given:
        return
    last = g.fate is Fate.LAST
    if last or g.fate in (Fate.OUT, Fate.DEAD):
        play.report(
            table.unsure(play, g.fate_step),
            "F16" if last else "F52",
            f"{g.name} is the last one standing; the Episode is over"
            if last
            else f"{g.name} is {g.fate} and plays no further Scene here",
            at=at,
            facts=table.facts_of_fall(play, g),
        )


def stage(play: Table, action: OpenScene | Meet, title: str, g: Gladiator | None = None) -> Scene:
    """The Scene in the timeline: a new Scene, or the open Scene without a framer."""
    state = play.state
    begun = play.timeline.current if state.scene_nobodys else None
    scene = begun or Scene(
        title,
        time=str(action.time or ""),
        place=str(action.at or ""),
        opener=play.step.player,
    )
    episode = None
    if g is not None:
        scene.opener = play.step.player
        scene.cast.append(g.id)
        episode = state.episode_of(g.id)
    if state.layer is not None:
        scene.marks["Layer"] = "the Core" if state.layer.core else str(state.layer.number)
    if episode is not None:
        scene.marks["Episode"] = episode.title
    if begun is None:
        play.open_scene(scene)
        state.scene_step = play.step.index
    state.scene_nobodys = False
    return scene


def present(play: Table, words: Iterable[ScalarNode]) -> list[Inhabitant]:
    """The inhabitants who are there. Who is gone stays gone (F54)."""
    inhabitants: dict[str, Inhabitant] = {}
    for word in words:
        if table.is_gladiator(play, word) is not None:
            continue
        npc = table.inhabitant(play, word)
        inhabitants[npc.id] = npc
    return list(inhabitants.values())


def _bound(play: Table, g: Gladiator) -> None:
    """F56, F39: who is in an Encounter goes on with it."""
    state = play.state
    if play.given:
        return
    resumed = state.resumptions.get(g.id)
    encounter = state.bound_to(g.id)
    if resumed is not None:
        npc = state.gladiators[resumed[0]]
        play.report(
            table.unsure(play, resumed[2]),
            "F39",
            f"{g.player or g.name}'s turn is the Encounter with {npc.name}, which was resumed",
            facts=(play.because(resumed[2], "resumed here"),),
            fix=write_instead("encounter: continued"),
        )
    elif encounter is not None:
        rivals = state.opponents(encounter, g.id)
        play.report(
            table.unsure(play, encounter.step),
            "F56",
            f"{g.name} is in an Encounter with {rivals} and must go on with it",
            facts=(play.because(encounter.step, "begun here"),),
            fix=write_instead("encounter: continued"),
            help="disengaging is the way out",
        )


def _framer(play: Table, action: OpenScene, g: Gladiator) -> str:
    """F21, F66: the player, the GM, or a judge who was asked."""
    if action.told_by is None:
        return g.player
    id = play.player(action.told_by)
    if not id or not g.player or id in (g.player, play.runner):
        return id or g.player
    at = action.place("told by")
    if play.require(
        play.state.judgment(id) is not None,
        "F21",
        f"{id} frames a Scene for {g.player}; only the player, the GM or a player with a "
        "Judgment Pool does",
        at=at,
    ):
        play.require(
            action.asked,
            "F66",
            f"{id} frames a Scene that {g.player} did not ask for",
            at=at,
        )
    return id


def _guests(play: Table, action: OpenScene, g: Gladiator) -> list[Gladiator]:
    """F45, F58, F59: only truce partners share a Scene in peace."""
    state = play.state
    named = [word for word in action.npcs if table.is_gladiator(play, word) is not None]
    guests: list[Gladiator] = []
    for word in (*action.with_, *named):
        guest = table.is_gladiator(play, word)
        if guest is None and word not in action.npcs:
            guest = table.gladiator(play, word)
        if guest is None or guest.id == g.id or barred(play, word):
            continue
        at = place_of_word(action, word)
        if not shares_episode(play, g, guest, at):
            continue
        guests.append(guest)
        play.require(
            state.truce(g.id, guest.id) is not None,
            "F45",
            f"{g.name} and {guest.name} meet without a truce; their Conflict is an Encounter",
            at=at,
            facts=tuple(
                play.because(t.ended, f"their truce ended: {t.how}")
                for t in state.truces
                if set(t.pair) == {g.id, guest.id} and t.ended
            ),
            fix=write_instead(f"encounter: {guest.name}"),
            after=("cast", "dropped:truce"),
            finding=table.unsure(play, state.layers[-1].step),
        )
        play.suspect(
            state.encounter_of(guest.id) is not None
            and play.ruling("encounter_guest") == "suspect",
            "FA37",
            f"{guest.name} is in an Encounter and guests in another Scene",
            at=at,
        )
    return guests


def shares_episode(play: Table, g: Gladiator, second: Gladiator, at: Place) -> bool:
    """F15, F47: only Gladiators of the same Episode meet, and all of them are known."""
    state = play.state
    own, opposing = state.episode_of(g.id), state.episode_of(second.id)
    if play.given or own is None or own is opposing:
        return True
    if opposing is None:
        play.illegal(
            "F15",
            f"{second.name} appears unannounced: nobody cast {second.name} in an Episode of this Layer",
            at=at,
            facts=(play.because(own.step, "the Layer began here"),),
            after=("cast",),
        )
        return True
    return play.illegal(
        "F47",
        f"{second.name} is in {opposing.title}, not in {own.title} with {g.name}",
        at=at,
        facts=(play.because(own.step, "cast here"),),
    )


def disguised(play: Table, action: OpenScene | Meet) -> None:
    """F46: Gladiators know each other on sight."""
    play.require(
        action.disguise != "works",
        "F46",
        "a Gladiator's disguise never works on another; they recognise each other on sight",
        at="disguise",
        fix=set_key("disguise", "fails"),
    )
