"""Gladiators, the world they came from, and who meets whom on which Layer (F1 to F19, F63, F64, F69)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import Fix, add_entry, drop_item, drop_key, set_key, set_pair, write_word
from chronicle.core.house_rules import answer
from chronicle.core.source import Place, ScalarNode
from chronicle.games.fight_sphere import actions, computed
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    GLADIATOR,
    POINT,
    START_POOL,
    Drive,
    Episode,
    Fate,
    Gladiator,
    Layer,
    bond_id,
    judgment_of,
    threshold,
)
from chronicle.games.fight_sphere.table import (
    Table,
    close_encounter,
    close_scene,
    end_truce,
    facts_of_fall,
    gladiator,
    inhabitant,
    is_gladiator,
    pool,
    relate,
    settle_episode,
    unsure,
    value,
)

STORY_LEAST, STORY_MOST = 50, 100

_WORDS = re.compile(r"\w+(?:[-'’.]\w+)*")


def words_in(text: str) -> int:
    """How many words a back story has."""
    return len(_WORDS.findall(text))


def world(play: Table, action: actions.World) -> None:
    """F72: the one world that everybody comes from."""
    play.state.world = str(action.words)
    play.step.headline = "The world they came from"
    play.event("The table agrees on the world that everybody was taken from", "F72", "world")


# --- Gladiators -------------------------------------------------------------------------------------


def make_gladiator(play: Table, action: actions.MakeGladiator) -> None:
    """F1, F2, F4, F8, F9: a back story, one drive, a weapon, five dice."""
    state = play.state
    name = str(action.gladiator).strip()
    owner = play.step.player
    play.step.headline = f"A Gladiator: {name}"
    if not play.require(
        bool(owner) and owner != play.runner,
        "F1",
        f"{owner} runs the game; a player makes {name}"
        if owner
        else f"nobody is named as the maker of {name}",
        at="by",
        fix=set_key("by"),
    ):
        owner = ""
    id = play.names.mint(name, GLADIATOR)
    if not play.require(
        id not in state.gladiators,
        "F1",
        f"{name} is a Gladiator already",
        at="main",
        facts=(play.because(state.gladiators[id].step, "made here"),)
        if id in state.gladiators
        else (),
        help="give one of them another name",
    ):
        return
    drive, driven_by = _drive(play, action.death_wish, action.reason_to_live)
    g = Gladiator(
        id,
        name,
        owner,
        action.npc,
        drive,
        driven_by,
        str(action.weapon or ""),
        str(action.looks or ""),
        play.step.fiction,
        play.step.index,
    )
    play.names.add(id, GLADIATOR, name)
    state.gladiators[id] = g
    told = words_in(g.story)
    play.suspect(
        bool(told) and not STORY_LEAST <= told <= STORY_MOST,
        "F2",
        f"{name}'s back story has {plural(told, 'word')}; it should have "
        f"{STORY_LEAST} to {STORY_MOST}",
        at="text",
    )
    dice = start = answer(play, computed.START, START_POOL, id)
    if action.pool is not None:
        stated = action.pool.to if action.pool.to is not None else start + (action.pool.by or 0)
        if not play.given:
            play.require(
                stated == start,
                "F9",
                f"{name} starts with {plural(start, 'die', 'dice')} in the Conflict Pool, not {stated}",
                at="pool",
                fix=write_word(start),
            )
        dice = stated
    play.move(BOX, f"pool:{id}", dice, DIE, "F9", "the start")
    who = f"{owner} makes {name}" if owner else f"{name} is made"
    play.event(f"{who}, with {plural(dice, 'die', 'dice')}", "F1", "makes", id)
    if action.relationships:
        play.require(
            play.given,
            "F32",
            f"{name} starts with Relationships; they are made in play",
            at="relationships",
            fix=drop_key("relationships"),
            help="if the log begins in mid-game:  play starts:  below",
        )
        for word, worth in action.relationships.items():
            start = worth if worth is not None else drive.start_value if drive else 0
            relate(play, g, inhabitant(play, word), start, "F32", "given")


def _drive(
    play: Table, wish: ScalarNode | None, reason: ScalarNode | None
) -> tuple[Drive | None, str]:
    """F4: exactly one of the two. With both, the first one typed counts."""
    if wish is not None and reason is not None:
        play.illegal(
            "F4", "a Death wish and a Reason to Live at once; choose one", at="reason to live"
        )
    elif wish is None and reason is None:
        play.illegal(
            "F4",
            "neither a Death wish nor a Reason to Live",
            fix=(set_key("death wish"), set_key("reason to live")),
        )
    if wish is not None:
        return Drive.DEATH_WISH, str(wish)
    return (Drive.REASON, str(reason)) if reason is not None else (None, "")


def choose(play: Table, action: actions.Choose) -> None:
    """F1: one is played, the others are NPC Gladiators."""
    chosen = gladiator(play, action.gladiator)
    if chosen is None:
        return
    play.step.headline = f"{chosen.player or 'Somebody'} plays {chosen.name}"
    for g in play.state.of_player(chosen.player):
        g.npc = g.id != chosen.id
    play.event(f"{chosen.player or 'Somebody'} plays {chosen.name}", "F1", "plays", chosen.id)


def inhabit(play: Table, action: actions.Inhabit) -> None:
    """F42, F72: somebody who lives here, with a community, from the same world as everybody."""
    if is_gladiator(play, action.name) is not None:
        play.illegal("F40", f"{action.name} is a Gladiator, no inhabitant", at="main")
        return
    npc = inhabitant(play, action.name)
    play.step.headline = f"An inhabitant: {npc.name}"
    npc.community = str(action.community or npc.community)
    npc.origin = str(action.from_ or npc.origin)
    play.require(
        action.value is None,
        "F42",
        f"a value is no property of {npc.name}; each Gladiator keeps an own one",
        at="value",
        fix=drop_key("value"),
        help="a value belongs to a Relationship:  assert: {relationship: {Gladiator & inhabitant: 2}}",
    )
    foreign = re.search(r"\banother (world|era|planet|time|century)\b", npc.origin, re.IGNORECASE)
    play.suspect(
        foreign is not None,
        "F72",
        f"{npc.name} is said to come from {foreign[0] if foreign else ''}; "
        "everybody in the Sphere comes from the same one",
        at="from",
    )


def trade(play: Table, action: actions.Trade) -> None:
    """F7: once a game, not during an Episode, for a reason that lies in play."""
    g = gladiator(play, action.gladiator)
    if g is None:
        return
    name = g.name
    episode = play.state.episode_of(g.id)
    playing = episode is not None and not episode.over and g.fate is Fate.STANDING
    play.require(
        g.fate is not Fate.DEAD or play.given,
        "F17",
        f"{name} is dead and cannot trade",
        at="main",
        facts=facts_of_fall(play, g),
    )
    play.require(
        not playing or play.given,
        "F7",
        f"{name} is in the middle of {episode.title if episode else 'an Episode'}; "
        "a drive is traded between Episodes",
        at="main",
        facts=(play.because(episode.step, "the Episode began here"),) if episode else (),
    )
    play.require(
        not g.traded,
        "F7",
        f"{name} has traded once already",
        at="main",
        facts=play.facts(g.traded, "traded here"),
    )
    drive, driven_by = _drive(play, action.death_wish, action.reason_to_live)
    if drive is None:
        return
    if not play.require(
        drive is not g.drive,
        "F7",
        f"{name} has a {drive} already; a trade brings the other one",
        at=action.place(str(drive).casefold()),
    ):
        return
    play.suspect(
        action.because is None and not play.step.fiction,
        "F7",
        f"nothing is told of why {name} trades",
        fix=set_key("because"),
    )
    g.drive, g.driven_by, g.traded = drive, driven_by, play.step.index
    play.step.headline = f"{name} now has a {drive}"
    play.event(f"{name} trades for a {drive}: {driven_by}", "F7", "trades", g.id)
    if play.ruling("switch_shift") == "none":
        return
    shift = 2 if drive is Drive.DEATH_WISH else -2
    for bond in g.living():
        change = max(shift, -value(play, g.id, bond.npc))
        play.move(
            BOX, f"relationship:{bond_id(g.id, bond.npc)}", change, POINT, "F7", f"now a {drive}"
        )


# --- Layers -----------------------------------------------------------------------------------------


def start_layer(play: Table, action: actions.StartLayer) -> None:
    """F10 to F14, F18, F19, F63, F64, F69: the next level inwards, and who is where."""
    state = play.state
    close_scene(play)
    first = not state.layers
    if not play.given:
        if first:
            _everybody_is_made(play)
        else:
            _last_layer_is_done(play)
    # What hung on the rolls of the last Layer is counted anew.
    play.settle("layer", "bonds", "turn", *(f"bars:{id}" for id in state.gladiators))
    layer = _new_layer(play, action)
    state.layers.append(layer)
    play.step.headline = f"{layer.name[:1].upper()}{layer.name[1:]} begins"
    play.event(f"{play.step.headline}, with a Threshold Value of {layer.tv}", "F23", "layer")
    _wind_up(play)
    cast = _cast(play, action, layer)
    if not play.given:
        _who_is_where(play, action, layer)
        _pools(play, action, layer, cast)
    _without_players(play, action, layer)
    state.turn, state.turn_step = "", play.step.index
    state.skipped, state.catching_up = [], False


def _everybody_is_made(play: Table) -> None:
    settings = play.campaign.settings
    least = settings.gladiators if isinstance(settings, actions.FightSphereSettings) else 2
    for name in play.seats:
        made = play.state.of_player(name)
        played = [g for g in made if not g.npc]
        if play.require(
            len(made) >= max(2, least),
            "F1",
            f"{name} has made {plural(len(made), 'Gladiator')}; everybody makes {max(2, least)}"
            + (" or more" if least <= 2 else ""),
            fix=add_entry(f"gladiator: ...\nby: {name}\nnpc: yes"),
        ):
            play.require(
                len(played) == 1,
                "F1",
                f"{name} plays {listed(g.name for g in played) or 'none of the Gladiators made'}; "
                "everybody plays exactly one",
                fix=add_entry("choose: ..."),
            )


def _last_layer_is_done(play: Table) -> None:
    state = play.state
    # A snapshot may leave one standing: nothing runs there any more (F16).
    episodes = state.layers[-1].episodes
    running = [e for e in episodes if not e.over and len(state.standing(e)) != 1]
    unsure = Finding.UNKNOWN if play.gap > state.layers[-1].step else Finding.ILLEGAL
    play.require(
        not running,
        "F18",
        f"{listed(e.title for e in running)} still "
        f"{'runs' if len(running) == 1 else 'run'}; nobody goes on before everybody is done",
        at="main",
        facts=tuple(
            play.because(e.step, f"{listed(_names(play, state.standing(e)))} still stand")
            for e in running
        ),
        help="an Episode ends when one Gladiator is left standing",
        finding=unsure,
    )
    for episode in state.layers[-1].episodes:
        if episode.needs_survivors:
            play.unknown(
                "FA23",
                f"nobody says who of {listed(_names(play, state.standing(episode)))} "
                f"comes out of {episode.title}",
                at="main",
                fix=add_entry(f"survivors: [{', '.join(_names(play, state.standing(episode)))}]"),
                help="or who of them",
            )
    play.require(
        not state.in_core,
        "F19",
        "the Core was the last Episode; there is no further Layer",
        at="main",
    )


def _names(play: Table, ids: Iterable[str]) -> list[str]:
    return [play.names.all[id].name for id in ids]


def _new_layer(play: Table, action: actions.StartLayer) -> Layer:
    state = play.state
    number = len(state.layers) + 1 if not state.layers else state.layers[-1].number + 1
    core = action.number == actions.CORE
    if isinstance(action.number, int):
        right = play.given or play.require(
            action.number == number,
            "F10",
            f"this is Layer {number}, not {action.number}; nobody skips one",
            at="main",
            since=0,
            fix=write_word(number),
        )
        if right or play.gap or play.excused("F10"):
            number = max(1, action.number)
        else:
            play.taint("layer")
    alive = state.npc_gladiators()
    if not play.given:
        if core:
            play.require(
                not alive,
                "F19",
                f"{listed(g.name for g in alive)} still "
                f"{'lives' if len(alive) == 1 else 'live'}; the Core comes when the last NPC "
                "Gladiator is dead",
                at="main",
                fix=write_word(number),
                finding=unsure(play, state.layers[-1].step if state.layers else 0),
            )
        else:
            play.require(
                bool(alive) or not state.layers or state.in_core,
                "F19",
                "no NPC Gladiator is left; the next Episode takes place in the Core",
                at="main",
                fix=write_word("core"),
            )
    tv = threshold(number)
    if core and play.ruling("core_tv") == "same" and state.layers:
        tv = state.layers[-1].tv
    tv = answer(play, computed.THRESHOLD, tv, number)
    if action.tv is not None:
        play.require(
            action.tv == tv,
            "F23",
            f"the Threshold Value is {tv} here, not {action.tv}: five on the surface, one more "
            "with every Layer",
            at="tv",
            after=("layer",),
            fix=write_word(tv),
        )
    return Layer(number, tv, play.step.index, core)


def _wind_up(play: Table) -> None:
    """What does not outlive a Layer: Judgment Pools, truces, Encounters."""
    state = play.state
    for truce in state.truces:
        if not truce.ended:
            end_truce(play, truce, "the Layer is over")
    for encounter in state.encounters:
        if not encounter.over:
            close_encounter(play, encounter)
    state.resumptions.clear()
    lasts = play.ruling("judgment_lasts") == "yes"
    for judgment in state.judgments:
        if judgment.closed:
            continue
        judgment.closed = play.step.index
        if not lasts:
            left = judgment_of(play.ledger, judgment.player)
            play.move(f"judgment:{judgment.player}", BOX, left, DIE, "F65", "back in play")


def _cast(play: Table, action: actions.StartLayer, layer: Layer) -> list[Gladiator]:
    """F10, F13, F17: who is in which Episode; nobody in two, nobody dead."""
    cast: dict[str, Gladiator] = {}
    for title, words in action.episodes.items():
        episode = Episode(str(title), layer.number, play.step.index, [])
        layer.episodes.append(episode)
        for word in _everybody(play, words):
            g = gladiator(play, word)
            if g is None:
                play.taint("cast")
                continue
            if g.id in episode.cast:
                continue
            if g.id in cast:
                play.illegal(
                    "F10",
                    f"{g.name} is cast in two Episodes of {layer.name}; everybody has one",
                    at=word,
                )
                continue
            if layer.core and g.npc and g.fate is Fate.DEAD:
                continue
            cast[g.id] = g
            episode.cast.append(g.id)
        names = listed(_names(play, episode.cast))
        play.event(f"{episode.title}: {names or 'nobody'}", "F12", "casts")
    if layer.core and not play.given:
        play.require(
            len(layer.episodes) == 1, "F69", "the Core is one single Episode", at="episodes"
        )
    return list(cast.values())


def _everybody(play: Table, words: tuple[ScalarNode, ...]) -> list[ScalarNode]:
    """The names of an Episode; ``everybody`` means all who are played."""
    if len(words) == 1 and words[0].strip().casefold() == "everybody":
        return [words[0].like(g.name) for g in play.state.played()]
    return list(words)


def _with_them(play: Table, layer: Layer, added: Episode, names: Sequence[str]) -> Fix:
    """The fix that adds some to one of the Episodes of a Layer."""
    cast = [*_names(play, added.cast), *names]
    return set_pair("episodes", added.title, f"[{', '.join(cast)}]")


def _who_is_where(play: Table, action: actions.StartLayer, layer: Layer) -> None:
    """F11, F12, F14: nobody who is played is left out, nobody is alone."""
    state = play.state
    missing = [g.name for g in state.played() if layer.episode_of(g.id) is None]
    play.require(
        not missing,
        "F69" if layer.core else "F12",
        f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} in no Episode of {layer.name}",
        at="episodes",
        fix=[_with_them(play, layer, one, missing) for one in layer.episodes],
        after=("cast",),
    )
    free = [g for g in state.npc_gladiators() if layer.episode_of(g.id) is None]
    for title, episode in zip(action.episodes, layer.episodes, strict=True):
        if len(episode.cast) > 1:
            continue
        who = listed(_names(play, episode.cast)) or "nobody"
        at: Place = place_of_word(action, title)
        if free:
            play.illegal(
                "F11",
                f"{episode.title} has {who} alone; an Episode holds two Gladiators or more",
                at=at,
                fix=[_with_them(play, layer, episode, [g.name]) for g in free],
                after=("cast",),
            )
        else:
            play.illegal(
                "F14",
                f"{episode.title} has {who} alone, and no NPC Gladiator is free: merge Episodes",
                at=at,
                after=("cast",),
            )


def _without_players(play: Table, action: actions.StartLayer, layer: Layer) -> None:
    """F13, FA23: where nobody is played there are no turns; who comes out is for the GM to say."""
    for title, episode in zip(action.episodes, layer.episodes, strict=True):
        standing = play.state.standing(episode)
        if len(standing) < 2 or not all(play.state.gladiators[who].npc for who in standing):
            continue
        play.suspect(
            not play.given,
            "F13",
            f"nobody is played in {episode.title}; NPC Gladiators fill the Episodes of players",
            at=title,
            fix=drop_item(str(title)),
            help=f"or tell who lives:  survivors: [{', '.join(_names(play, standing))}]",
        )
        settle_episode(play, episode)


def _pools(play: Table, action: actions.StartLayer, layer: Layer, cast: list[Gladiator]) -> None:
    """F63, F64: the knocked-out come back with the new Threshold Value, the last standing add it."""
    stated = {}
    for word, dice in (action.pools or {}).items():
        g = gladiator(play, word)
        if g is not None and play.require(
            g in cast or dice == pool(play, g.id),
            "F9",
            f"{g.name} is in no Episode of {layer.name} and keeps "
            f"{plural(pool(play, g.id), 'die', 'dice')}, not {dice}",
            at=action.place_of_key("pools", str(word)),
            after=("layer", f"pool:{g.id}"),
            fix=write_word(pool(play, g.id)),
        ):
            stated[g.id] = (word, dice)
    why = {
        "F63": f"after a knock-out the Conflict Pool is the Threshold Value, {layer.tv}",
        "F64": f"who stood last adds the Threshold Value, {layer.tv}, to what was left",
    }
    for g in cast:
        rule = "F9"
        if g.fate is Fate.OUT:
            rule = "F63"
            change = layer.tv - pool(play, g.id)
            play.move(BOX, f"pool:{g.id}", change, DIE, "F63", f"comes back with TV {layer.tv}")
            play.event(
                f"{g.name} comes back with {plural(layer.tv, 'die', 'dice')}",
                "F63",
                "returns",
                g.id,
            )
        elif g.fate is Fate.LAST and (not g.npc or g.owed_tv):
            rule = "F64"
            play.move(BOX, f"pool:{g.id}", layer.tv, DIE, "F64", f"stood last: + TV {layer.tv}")
            play.event(
                f"{g.name} goes on with {plural(pool(play, g.id), 'die', 'dice')}, {layer.tv} more",
                "F64",
                "returns",
                g.id,
            )
        g.owed_tv = False
        if g.fate is not Fate.DEAD:
            g.fate = Fate.STANDING
        if g.id in stated:
            word, dice = stated[g.id]
            have = pool(play, g.id)
            if not play.require(
                dice == have,
                rule,
                f"{g.name} begins with {plural(have, 'die', 'dice')}, not {dice}",
                at=action.place_of_key("pools", str(word)),
                fix=write_word(have),
                help=why.get(rule, "nothing has changed since the last Layer"),
                after=("layer", f"pool:{g.id}"),
            ):
                play.move(BOX, f"pool:{g.id}", dice - have, DIE, rule, "as the log has it")
                play.taint(f"pool:{g.id}")
