"""Falls, the end of Encounters, truces and Episodes, and who judges (F16, F17, F52, F56, F58, F64, F65, F70)."""

from __future__ import annotations

from collections.abc import Sequence

from chronicle.core.diagnostic import Fact, plural
from chronicle.games.fight_sphere.bonds import bonds_unknown_since
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    Encounter,
    Episode,
    Fate,
    Gladiator,
    JudgmentPool,
    State,
    Truce,
    judgment_of,
    pair,
)
from chronicle.games.fight_sphere.table import Table, is_order_known

LEFT_ALONE = "only the two of them are left"
LEAST_STANDING = 3
"""F58: a truce needs a third Gladiator in the Episode."""


def fell(play: Table, g: Gladiator) -> None:
    """F52, F17, F65: a pool below zero. NPC Gladiators die; those played wait, or die in the Core."""
    state = play.state
    dies = g.npc or state.in_core
    g.fate = Fate.DEAD if dies else Fate.OUT
    g.fate_step = g.fate_known_from = play.step.number
    rule = "F17" if g.npc else "F69" if state.in_core else "F52"
    description = "is dead" if dies else "is knocked out of the Episode"
    play.event(f"{g.name} {description}", rule, "falls", g.id)
    for encounter in state.encounters:
        if g.id in encounter.members and not encounter.over:
            leave_encounter(play, encounter, g.id)
    for truce in state.truces:
        if g.id in truce.pair and not truce.ended:
            end_truce(play, truce, f"{g.name} fell")
    g.has_untold_truce = False
    for id, (npc, _, _) in list(state.resumptions.items()):
        if g.id in (id, npc):
            del state.resumptions[id]
    if not g.npc:
        judge(play, g)


def rose(play: Table, g: Gladiator) -> None:
    """F52: a corrected pool is not below zero: the Gladiator did not fall, and nothing ended."""
    state = play.state
    step = g.fate_step
    g.fate, g.fate_step, g.fate_known_from = Fate.STANDING, 0, play.step.number
    state.falls.pop(g.id, None)
    play.event(f"{g.name} did not fall", "F52", "rises", g.id)
    judges_no_more(play, g)
    episode = state.episode_of(g.id)
    for encounter in state.encounters:
        if not encounter.rounds:
            continue
        last = encounter.rounds[-1]
        fell_in_it = g.id in last.members and g.id not in (*last.away, *encounter.members)
        if not fell_in_it or episode is None or encounter.over not in (0, step):
            continue
        returned = [id for id in last.members if id not in last.away]
        encounter.members = [id for id in returned if state.gladiators[id].fate is not Fate.DEAD]
        encounter.over = 0
        last.fallen = [id for id in last.fallen if id != g.id]
    for truce in state.truces:
        if truce.ended == step and (g.id in truce.pair or truce.how == LEFT_ALONE):
            truce.ended, truce.how = 0, ""
    if episode is None:
        play.unrecorded(*(f"fate:{id}" for id in state.gladiators if id != g.id))
        play.unrecorded(*(f"judgment:{player}" for player in play.seats if player != g.player))
    if episode is None or episode.over < step:
        return
    episode.over, episode.needs_survivors = 0, False
    for id in episode.last:
        state.gladiators[id].fate = Fate.STANDING
        judges_no_more(play, state.gladiators[id])
    episode.last.clear()
    settle_episode(play, episode)


def judges_no_more(play: Table, g: Gladiator) -> None:
    """F65: a Gladiator takes part again, so the player does not judge."""
    judgment = play.state.judgment(g.player)
    if judgment is None or judgment.gladiator != g.id:
        return
    play.state.judgments.remove(judgment)
    remaining = judgment_of(play.ledger, g.player)
    play.move(f"judgment:{g.player}", BOX, remaining, DIE, "F65", f"{g.name} takes part")


def judge(play: Table, g: Gladiator) -> None:
    """F65: whose Gladiator cannot take part judges, with as many dice as the Threshold Value and
    the Gladiator's Relationships."""
    state = play.state
    if state.judgment(g.player) is not None:
        return
    layer = state.layer
    size = state.tv + len(g.living())
    remaining = judgment_of(play.ledger, g.player)
    state.judgments.append(
        JudgmentPool(
            g.player, g.id, size + remaining, play.step.number, layer.name if layer else ""
        )
    )
    if play.gap > min(state.tv_known_from, g.fate_known_from) or bonds_unknown_since(play, g):
        play.unrecorded(f"judgment:{g.player}")
    why = f"TV {state.tv} + {plural(len(g.living()), 'Relationship')}"
    play.move(BOX, f"judgment:{g.player}", size, DIE, "F65", why)
    play.event(
        f"{g.player or g.name} judges with {plural(size, 'die', 'dice')} ({why})",
        "F65",
        "judges",
        g.id,
    )


def new_encounter(play: Table, members: Sequence[str]) -> Encounter:
    """An Encounter of this Layer and of the Episode of its first member, in no state yet.

    Args:
        play: the state of play.
        members: the ids of the Gladiators in it.
    """
    state = play.state
    episode, layer = state.episode_of(members[0]), state.layer
    return Encounter(
        len(state.encounters) + 1,
        episode.title if episode is not None else "",
        layer.number if layer is not None else 1,
        play.step.number,
        [*members],
    )


def leave_encounter(play: Table, encounter: Encounter, id: str) -> None:
    """A Gladiator leaves an Encounter. It is over when a single Gladiator is left."""
    encounter.members.remove(id)
    _return_bonus(play, encounter, id)
    if len(encounter.members) < 2:
        close_encounter(play, encounter)


def close_encounter(play: Table, encounter: Encounter) -> None:
    """An Encounter is over."""
    encounter.over = encounter.over or play.step.number
    for id in encounter.members:
        _return_bonus(play, encounter, id)


def _return_bonus(play: Table, encounter: Encounter, id: str) -> None:
    granted = encounter.bonus_given.pop(id, 0)
    if not granted or play.ruling("bonus_lasting") != "encounter":
        return
    returned = min(granted, max(0, play.balance(f"pool:{id}", DIE)))
    play.move(f"pool:{id}", BOX, returned, DIE, "FA6", "the bonus was for the Encounter only")


def may_have_truce(play: Table, first: str, second: str) -> bool:
    """Whether two Gladiators may have a truce that a gap hides, because the log tells none."""
    state = play.state
    both = [state.gladiators[id] for id in (first, second)]
    ended = [truce.ended for truce in state.truces if truce.pair == pair(first, second)]
    since = max(state.layer_step, *(gladiator.step for gladiator in both), *ended)
    return state.truce(first, second) is None and all(
        gladiator.has_untold_truce or play.uncertain_since(f"truce:{gladiator.id}", "") > since
        for gladiator in both
    )


def end_untold_truce(play: Table, g: Gladiator) -> None:
    """A truce ends, and the log does not say whose: whether a Gladiator has another truce is unknown."""
    if g.has_untold_truce:
        g.has_untold_truce = False
        play.unrecorded(f"truce:{g.id}")


def end_truce(play: Table, truce: Truce, how: str) -> None:
    """A truce is over."""
    truce.ended, truce.how = play.step.number, how
    first, second = (play.names.all[id].name for id in truce.pair)
    play.event(f"The truce of {first} and {second} is over: {how}", "F58", "truce ends")


def settle_episode(play: Table, episode: Episode) -> None:
    """F16, F58: an Episode ends with one Gladiator standing; a truce ends with just two."""
    state = play.state
    survivors = state.standing(episode)
    for truce in state.truces:
        if not truce.ended and len(survivors) == 2 and set(truce.pair) == set(survivors):
            end_truce(play, truce, LEFT_ALONE)
    for id in survivors if len(survivors) == 2 else ():
        state.gladiators[id].has_untold_truce = False
    if episode.over or not survivors:
        return
    if len(survivors) == 1:
        last_standing(play, episode, state.gladiators[survivors[0]])
    elif all(state.gladiators[id].npc for id in survivors):
        episode.over = play.step.number
        episode.needs_survivors = True
        play.event(
            f"Only NPC Gladiators are left in {episode.title}: the GM names who lives",
            "FA23",
            "ends",
        )
        _close_all(play, episode)


def last_standing(play: Table, episode: Episode, g: Gladiator) -> None:
    """F16, F64, F70: the last one standing goes on with more; in the Core it is the survivor."""
    episode.over = episode.over or play.step.number
    episode.last.append(g.id)
    g.fate, g.fate_step = Fate.LAST, play.step.number
    others = (play.state.gladiators[id] for id in episode.cast)
    g.fate_known_from = min(
        (other.fate_known_from for other in others if other.fate_step and other is not g),
        default=play.step.number,
    )
    if not is_order_known(play):
        # A Gladiator hidden by a gap is possibly standing, too.
        g.fate_known_from = 0
    _close_all(play, episode)
    if play.state.in_core:
        play.event(f"{g.name} is the survivor", "F70", "survives", g.id)
        return
    play.event(f"{g.name} is the last one standing in {episode.title}", "F16", "stands", g.id)
    if g.npc:
        g.owed_tv = play.ruling("npc_lms") == "yes"
    else:
        judge(play, g)


def _close_all(play: Table, episode: Episode) -> None:
    for encounter in play.state.encounters:
        if not encounter.over and encounter.episode == episode.title:
            close_encounter(play, encounter)
    for id in [id for id in play.state.resumptions if id in episode.cast]:
        del play.state.resumptions[id]


def survivor(state: State) -> Gladiator | None:
    """Who came out of the Core, if that is decided."""
    if not state.in_core or not state.layers[-1].episodes[:1]:
        return None
    last = state.layers[-1].episodes[0].last
    return state.gladiators[last[0]] if last else None


def survived_from(play: Table) -> int:
    """The entry from which it is known who survived. A gap before that may hide others who are standing, too."""
    last = survivor(play.state)
    return min(last.fate_step, last.fate_known_from) if last is not None else 0


def is_survivor_known(play: Table) -> bool:
    """F70: whether one Gladiator is left, and no gap can hide another who is standing."""
    return survivor(play.state) is not None and play.gap <= survived_from(play)


def facts_of_fall(play: Table, g: Gladiator) -> list[Fact]:
    """Where a Gladiator fell, for a message."""
    return play.facts(g.fate_step, f"{g.name} fell here")
