"""Encounters begin and go on; truces hold or do not (F44, F47, F56, F58)."""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import drop_item, drop_key, set_key
from chronicle.core.law import barred
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere import scenes
from chronicle.games.fight_sphere.actions import CONTINUED, Meet
from chronicle.games.fight_sphere.build import stakes
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    Drive,
    Encounter,
    Fate,
    Gladiator,
    Pair,
    Round,
    pair,
)
from chronicle.games.fight_sphere.table import (
    Table,
    acting,
    check_turn,
    close_scene,
    gladiator,
    gladiators,
    is_gladiator,
    on_turn,
    unsure,
)


def meet(play: Table, action: Meet) -> None:
    """F47, F56: start an Encounter with Gladiators of the Episode, or go on with theirs."""
    close_scene(play)
    play.step.headline = "An Encounter"
    if not scenes.may_frame(play):
        return
    g = acting(play, action)
    g = _first_to_build(play, action, g)
    if g is not None or not scenes.nobodys(play, action, "An Encounter"):
        meet_as(play, action, g)


def meet_as(play: Table, action: Meet, g: Gladiator | None) -> None:
    """An Encounter that a Gladiator starts or goes on with."""
    g = _resumed_by_npc(play, g) or g
    if g is None or g.npc:
        _gm_starts(play, action, g)
        return
    scenes.can_play(play, g, action.place("by"))
    check_turn(play, g.player)
    _framer(play, action, g)
    encounter, initiative = _which(play, action, g)
    if encounter is None:
        play.taint("no scene")
        return
    _frame(play, action, encounter, initiative, g.player)


def _first_to_build(play: Table, action: Meet, due: Gladiator | None) -> Gladiator | None:
    """Where the log does not say who frames, the stakes do: the Initiative builds first."""
    named = [is_gladiator(play, word) for word in action.stake or {} if word]
    first = next((g for g in named if g is not None), None)
    if (
        (action.by is not None and not play.is_actor_unrecorded)
        or first is None
        or first.npc
        or due in named
    ):
        return due
    return first


def _resumed_by_npc(play: Table, g: Gladiator | None) -> Gladiator | None:
    """An NPC Gladiator whose Encounter was resumed can be named as its framer."""
    if g is None or not g.npc:
        return None
    for id, (npc, _, _) in play.state.resumptions.items():
        if npc == g.id and play.state.gladiators[id].player == on_turn(play):
            return play.state.gladiators[id]
    return None


def _gm_starts(play: Table, action: Meet, g: Gladiator | None) -> None:
    """F47: only players start Encounters. It happened all the same, so it is played on."""
    id = g.name if g is not None else play.step.player or "nobody"
    play.illegal(
        "F47",
        f"{id} starts an Encounter; only a player does, for the own Gladiator",
        at="by",
        fix=set_key("by"),
        help="after a failure the GM may resume one:  resume: NPC Gladiator",
    )
    play.taint("no scene")
    rivals = [] if _continues(action) else gladiators(play, action.others)
    members = [*([g] if g is not None else []), *rivals]
    members = list({m.id: m for m in members}.values())
    if len(members) == 1:
        turn = play.state.played_by(on_turn(play))
        episode = play.state.episode_of(members[0].id)
        if turn is None or episode is None or turn.id not in episode.cast or turn in members:
            return
        members.insert(0, turn)
    if len(members) < 2:
        return
    encounter = _joined(play, members)
    _frame(play, action, encounter, members[0].id, on_turn(play))


def _continues(action: Meet) -> bool:
    return len(action.others) == 1 and action.others[0].strip().casefold() == CONTINUED


def _framer(play: Table, action: Meet, g: Gladiator) -> None:
    if action.told_by is None:
        return
    id = play.player(action.told_by)
    play.suspect(
        bool(id) and id != g.player and play.ruling("framed_encounter") == "no",
        "FA29",
        f"{id} frames an Encounter for {g.player}; players frame their own",
        at="told by",
    )


def _which(play: Table, action: Meet, g: Gladiator) -> tuple[Encounter | None, str]:
    """The Encounter that is meant, and who has the Initiative. Who is in several goes on with any."""
    state = play.state
    bound = state.bound_to(g.id)
    running = bound or state.encounter_of(g.id)
    resumed = state.resumptions.pop(g.id, None)
    rivals = [] if _continues(action) else _met(play, action, g)
    if resumed is not None:
        npc, number, step = resumed
        named = {o.id for o in rivals}
        if play.require(
            not rivals or npc in named,
            "F39",
            f"{g.player or g.name}'s turn is the Encounter with {state.gladiators[npc].name}, which was resumed",
            at="main",
            facts=(play.because(step, "resumed here"),),
        ):
            return _resumed(play, number, g, npc), npc
    if _continues(action):
        play.require(
            running is not None,
            "F56",
            f"{g.name} is in no Encounter that could go on",
            at="main",
            fix=set_key("encounter"),
            after=("no scene", "dropped:encounter"),
            since=0,
        )
        return running, g.id
    if not rivals:
        return None, ""
    named = {o.id for o in rivals}
    intended = [e for e in state.encounters_of(g.id) if named <= set(e.members)]
    if intended:
        return min(intended, key=lambda e: len(e.members)), g.id
    existing = _gathered(play, [g, *rivals])
    if bound is not None and (existing is None or g.id not in existing.members) and not play.given:
        play.report(
            unsure(play, bound.step),
            "F56",
            f"{g.name} is in an Encounter with {state.opponents(bound, g.id)} and must go on with it",
            at="main",
            facts=(play.because(bound.step, "begun here"),),
            fix=set_key("encounter", CONTINUED),
            help="joins:  names those who come in",
        )
    return _joined(play, [g, *rivals]), g.id


def _resumed(play: Table, number: int, g: Gladiator, npc: str) -> Encounter:
    encounter = play.state.encounters[number - 1]
    encounter.over = 0
    # A Gladiator who was left in it can have fallen since.
    returned = dict.fromkeys((*encounter.members, g.id, npc))
    fallen = (Fate.OUT, Fate.DEAD)
    encounter.members = [id for id in returned if play.state.gladiators[id].fate not in fallen]
    return encounter


def _gathered(play: Table, members: list[Gladiator]) -> Encounter | None:
    """F55, F56: an Encounter at hand all of whose Gladiators are here, the framing one's own before
    others: it goes on with newcomers, too."""
    place = {m.id for m in members}
    encounters = [
        e
        for e in reversed(play.state.encounters)
        if not e.over and len(e.members) > 1 and place.issuperset(e.members)
    ]
    return max(encounters, key=lambda e: members[0].id in e.members, default=None)


def _joined(play: Table, members: list[Gladiator]) -> Encounter:
    """The Encounter that these are in from now on: one that goes on, or a new one."""
    encounter = _gathered(play, members)
    if encounter is None:
        return _new_encounter(play, members)
    encounter.members += [m.id for m in members if m.id not in encounter.members]
    return encounter


def _absorb(play: Table, encounter: Encounter) -> None:
    """F55: who fights here fights everybody here. Another Encounter of only these goes on here."""
    for second in play.state.encounters:
        if second is encounter or second.over or not set(second.members) <= set(encounter.members):
            continue
        second.over = play.step.index
        for id, dice in second.bonus_given.items():
            encounter.bonus_given[id] = encounter.bonus_given.get(id, 0) + dice
        second.bonus_given.clear()
        names = listed(play.state.gladiators[id].name for id in second.members)
        play.event(f"The Encounter of {names} goes on in this one", "F56", "encounter")


def _new_encounter(play: Table, members: list[Gladiator]) -> Encounter:
    state = play.state
    episode = state.episode_of(members[0].id)
    layer = state.layer
    encounter = Encounter(
        len(state.encounters) + 1,
        episode.title if episode is not None else "",
        layer.number if layer is not None else 1,
        play.step.index,
        [m.id for m in members],
    )
    state.encounters.append(encounter)
    return encounter


def _met(play: Table, action: Meet, g: Gladiator) -> list[Gladiator]:
    """F47: Gladiators of the same Episode who are still standing."""
    gladiators_met = [_one_met(play, action, g, word) for word in action.others]
    return list({second.id: second for second in gladiators_met if second is not None}.values())


def _one_met(play: Table, action: Meet, g: Gladiator, word: ScalarNode) -> Gladiator | None:
    second = gladiator(play, word)
    if second is None:
        return None
    at = place_of_word(action, word)
    if not play.require(second.id != g.id, "F47", f"{g.name} meets nobody but {g.name}", at=at):
        return None
    if not barred(play, word):
        scenes.shares_episode(play, g, second, at)
    return second


def _frame(play: Table, action: Meet, encounter: Encounter, initiative: str, player: str) -> None:
    """One Scene of an Encounter."""
    state = play.state
    first = state.gladiators[initiative]
    for word in action.joins:
        second = _one_met(play, action, first, word)
        if second is None:
            continue
        play.suspect(
            second.id in encounter.members,
            "F47",
            f"{second.name} is in this Encounter already",
            at=place_of_word(action, word),
            fix=drop_item(str(word)),
        )
        if second.id not in encounter.members:
            encounter.members.append(second.id)
    _absorb(play, encounter)
    members = [initiative, *(id for id in encounter.members if id != initiative)]
    names = [state.gladiators[id].name for id in members]
    number = len(encounter.rounds) + 1
    title = listed(names) if number == 1 else f"{listed(names)}, round {number}"
    scene = scenes.stage(play, action, title, first)
    scene.kind = "encounter"
    scene.cast = [*members]
    scene.continues = encounter.rounds[-1].scene if encounter.rounds else None
    npcs = scenes.present(play, action.npcs)
    scene.cast.extend(npc.id for npc in npcs)
    state.scene_npcs = [npc.id for npc in npcs]
    round_ = Round(number, scene.number, play.step.index, initiative, player, members)
    round_.truces = [p for p in (pair(*both) for both in round_.pairs()) if state.truce(*p)]
    encounter.rounds.append(round_)
    state.open_round = round_
    play.settle("gambles")
    play.event(
        f"{listed(names)}: {first.name} has the Initiative",
        "F48",
        "encounter",
        initiative,
    )
    scenes.disguised(play, action)
    _first_meetings(play, action, encounter, round_)
    if action.stake is not None:
        stakes(play, action, action.stake)


def _first_meetings(play: Table, action: Meet, encounter: Encounter, round_: Round) -> None:
    """F5, F6, F44: who meets for the first time in the Episode, and what that brings."""
    state = play.state
    episode = state.episode_of(round_.initiative)
    fresh: list[Pair] = []
    for both in (pair(*p) for p in round_.pairs()):
        existing = both in episode.met if episode is not None else both in encounter.met
        if play.ruling("meeting_bonus") == "every-encounter":
            existing = both in encounter.met
        if not existing:
            fresh.append(both)
        encounter.met.append(both)
        if episode is not None and both not in episode.met:
            episode.met.append(both)
    due: dict[str, list[tuple[int, str, str]]] = {}
    for first, second in fresh:
        for own, opposing in ((first, second), (second, first)):
            a, b = state.gladiators[own], state.gladiators[opposing]
            count = len(a.living())
            if a.drive is Drive.DEATH_WISH:
                due.setdefault(b.id, []).append((count, "F5", f"{a.name}'s Death wish"))
            elif a.drive is Drive.REASON:
                due.setdefault(a.id, []).append((count, "F6", f"Reason to Live, against {b.name}"))
    totals = {id: sum(dice for dice, _, _ in parts) for id, parts in due.items()}
    totals = {id: dice for id, dice in totals.items() if dice}
    granted = _stated_bonus(play, action, totals, round_)
    for id, dice in granted.items():
        round_.bonuses[id] = dice
        encounter.bonus_given[id] = encounter.bonus_given.get(id, 0) + dice
        name = state.gladiators[id].name
        if dice == totals.get(id):
            for part, rule, why in due[id]:
                play.move(BOX, f"pool:{id}", part, DIE, rule, why)
        else:
            play.move(BOX, f"pool:{id}", dice, DIE, "F44", "as the log has it")
        if dice:
            play.event(
                f"{name} gains {plural(dice, 'die', 'dice')} at the first meeting",
                "F44",
                "bonus",
                id,
            )


def _stated_bonus(play: Table, action: Meet, due: dict[str, int], round_: Round) -> dict[str, int]:
    """The bonuses the keeper wrote down, against those that are due. What the log says was taken."""
    if action.bonus is None:
        return due
    state = play.state
    named = [(gladiator(play, word), dice) for word, dice in action.bonus.items()]
    stated = {g.id: dice for g, dice in named if g is not None}
    wrong = [id for id in dict.fromkeys([*stated, *due]) if stated.get(id, 0) != due.get(id, 0)]
    if not wrong:
        play.settle("bonds")
        return due
    names = {id: state.gladiators[id].name for id in wrong}
    selfish = [
        id
        for id in wrong
        if state.gladiators[id].drive is Drive.DEATH_WISH
        and stated.get(id, 0) - due.get(id, 0) == len(state.gladiators[id].living()) > 0
    ]
    met = any(
        p in e.met
        for e in state.encounters
        for p in (pair(*both) for both in round_.pairs())
        if round_ not in e.rounds
    )
    is_repeated = len(state.encounter_with(round_).rounds) > 1 or met
    if selfish:
        message = f"{names[selfish[0]]} gains nothing by an own Death wish; the opponents do"
    else:
        message = "; ".join(
            f"{names[id]} gains {due.get(id, 0)}, not {stated.get(id, 0)}" for id in wrong
        )
        if is_repeated and not due:
            message += " (they have met in this Episode before)"
    play.illegal(
        "F5" if selfish else "F44",
        message,
        at="bonus",
        fix=drop_key("bonus"),
        help="the number of Relationships counts, at the first meeting in an Episode only",
        after=() if selfish else ("bonds",),
    )
    play.taint(*(f"pool:{id}" for id in wrong))
    return stated
