"""Checks of what the table says by itself: stated fates, pools and turns that no rule allows, narration, the start
(F16, F17, F20, F52, F65, F70, F71, FA40)."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.fix import choose_reading
from chronicle.core.guards import Violation, report_violation
from chronicle.core.house_rules import expected
from chronicle.games.fight_sphere import computed
from chronicle.games.fight_sphere.falls import (
    fell,
    judges_no_more,
    last_standing,
    settle_episode,
    survivor,
)
from chronicle.games.fight_sphere.state import LONE, Fate, Gladiator, JudgmentPool, threshold
from chronicle.games.fight_sphere.table import Table, pool, resting_on


def settle_snapshot(play: Table) -> None:
    """F16, F52: what follows from the pools and fates that a snapshot has set: falls, and the end of Episodes."""
    state, step = play.state, play.step.number
    for gladiator in state.gladiators.values():
        is_new = gladiator.fate_step == step
        if gladiator.fate is Fate.STANDING and not is_new and pool(play, gladiator.id) < 0:
            fell(play, gladiator)
    for episode in state.layer_now():
        if episode.over or all(state.gladiators[id].fate_step != step for id in episode.cast):
            continue
        last = [id for id in episode.cast if state.gladiators[id].fate is Fate.LAST]
        if len(last) == 1 and state.standing(episode) == last:
            last_standing(play, episode, state.gladiators[last[0]])
        else:
            settle_episode(play, episode)


def check_stated(play: Table, *, first_step: int) -> None:
    """Report what contradicts the rules in the state that the table has set.

    Args:
        play: the state of play.
        first_step: the first entry whose statements are checked.
    """
    breaches = (
        *_fates(play, first_step),
        *_truces(play, first_step),
        *_encounters(play, first_step),
        *_turn(play, first_step),
    )
    for violation in resting_on(play, play.state.layer_step, breaches):
        report_violation(play, violation)
    check_threshold_value(play, first_step=first_step)


def check_threshold_value(play: Table, *, first_step: int) -> None:
    """F23: report a Threshold Value that is not that of the Layer, and take the right one."""
    layer = play.state.layer
    if layer is None or layer.known_from < max(first_step, layer.step + (not first_step)):
        return
    is_same = layer.core and play.ruling("core_tv") == "same" and len(play.state.layers) > 1
    rated = play.state.layers[-2].tv if is_same else threshold(layer.number)
    tv = expected(play, computed.THRESHOLD, rated, layer.number)
    if layer.tv == tv:
        return
    violation = Violation(
        f"the Threshold Value of {layer.name} is {tv}, not {layer.tv}",
        help="five on the surface, one more with every Layer",
        rule="F23",
        after=["layer"],
        doubts=["layer"],
    )
    for dated in resting_on(play, play.state.layer_step, [violation]):
        report_violation(play, dated)
    if play.gap <= play.state.layer_step:
        layer.tv = tv


def check_judges(play: Table, *, first_step: int) -> None:
    """F65: report Judgment Pools that the table gives to players who take part, and take them away."""
    for violation in _judges(play, first_step):
        report_violation(play, violation)
    for judgment in _of_active_players(play, first_step):
        judges_no_more(play, play.state.gladiators[judgment.gladiator])


def _fates(play: Table, first_step: int) -> Iterator[Violation]:
    state = play.state
    for gladiator in state.gladiators.values():
        stands = gladiator.fate in (Fate.STANDING, Fate.LAST)
        if first_step and stands and pool(play, gladiator.id) < 0:
            message = f"{gladiator.name}'s pool is below zero, so {gladiator.name} has fallen"
            since = play.before_gap("", gladiator.fate_known_from or gladiator.step)
            yield Violation(message, rule="F52", since=since, after=[f"pool:{gladiator.id}"])
        if gladiator.fate_step < first_step:
            continue
        if gladiator.npc and gladiator.fate is Fate.OUT:
            message = f"{gladiator.name} is an NPC Gladiator; a defeated one is dead for good"
            yield Violation(message, rule="F17")
        elif not gladiator.npc and gladiator.fate is Fate.DEAD and not state.in_core:
            message = f"{gladiator.name} is played and dies in the Core only"
            yield Violation(message, rule="F17")
        elif gladiator.fate is Fate.LAST:
            yield from _not_alone(play, gladiator)


def _not_alone(play: Table, gladiator: Gladiator) -> Iterator[Violation]:
    episode = play.state.episode_of(gladiator.id)
    if episode is None or (gladiator.npc and len(episode.last) > 1):
        return
    rivals = [id for id in play.state.standing(episode) if id != gladiator.id]
    if rivals:
        names = listed(play.names.all[id].name for id in rivals)
        remain_verb = "stands" if len(rivals) == 1 else "stand"
        message = f"{gladiator.name} is not the last one standing: {names} still {remain_verb}"
        yield Violation(message, rule="F16")


def _truces(play: Table, first_step: int) -> Iterator[Violation]:
    """F58: a truce that is stated is one of two Gladiators of an Episode with a third. One from above ``play starts:``
    stands."""
    state = play.state
    for truce in state.truces if first_step else ():
        if truce.ended or truce.step < first_step:
            continue
        first, second = (state.gladiators[id] for id in truce.pair)
        own, opposing = state.episode_of(first.id), state.episode_of(second.id)
        if own is None or opposing is None:
            continue
        if own is not opposing:
            message = f"{first.name} and {second.name} are in different Episodes"
            yield Violation(message, rule="F58", kind=DiagnosticKind.SUSPICIOUS, after=["cast"])
        elif not {*state.standing(own)} - {*truce.pair}:
            yield Violation(
                f"{first.name} and {second.name} are the only two Gladiators in {own.title} and have no truce",
                help="a truce needs a third Gladiator in the Episode",
                rule="F58",
                after=["cast"],
            )


def _encounters(play: Table, first_step: int) -> Iterator[Violation]:
    """F47: an Encounter that is stated is one of two Gladiators of an Episode, or more."""
    state = play.state
    lone = [
        state.gladiators[encounter.members[0]]
        for encounter in state.encounters
        if not encounter.over and encounter.step >= first_step and len(encounter.members) == 1
    ]
    if not lone:
        return
    names = listed(gladiator.name for gladiator in lone)
    yield Violation(
        f"{names} is in an Encounter alone; it takes two Gladiators"
        if len(lone) == 1
        else f"{names} are in different Episodes, and in no Encounter with each other",
        help="name all who are in it:  encounter: {one: yes, other: yes}",
        rule="F47",
        after=["cast"],
        doubts=[LONE],
    )


def _judges(play: Table, first_step: int) -> Iterator[Violation]:
    for judgment in _of_active_players(play, first_step):
        name = play.state.gladiators[judgment.gladiator].name
        message = f"{judgment.player} has no Judgment Pool: {name} takes part in an Episode"
        yield Violation(message, rule="F65")


def _of_active_players(play: Table, first_step: int) -> list[JudgmentPool]:
    """The Judgment Pools of players whose Gladiators take part."""
    return [
        judgment
        for judgment in play.state.judgments
        if not judgment.closed
        and judgment.step >= first_step
        and play.state.active(judgment.player)
        and not play.uncertain_since(f"fate:{judgment.gladiator}", "tracks")
    ]


def _turn(play: Table, first_step: int) -> Iterator[Violation]:
    state = play.state
    if not state.layers or not state.turn or state.turn_step < first_step:
        return
    gladiator = state.played_by(state.turn)
    if gladiator is None or state.active(state.turn) or state.layer_done():
        return
    message = f"{state.turn} has no turn: {gladiator.name} is {gladiator.fate}"
    yield Violation(message, rule="F20")


def hold_narration(play: Table) -> None:
    """FA40, F70, F71: who tells what happens, and when."""
    state, player = play.state, play.step.player
    if play.given or play.step.action.by is None or not player:
        return
    last = survivor(state)
    if state.over:
        play.suspect(True, "F70", "the game is over; its epilogue has been told")
        return
    if last is not None and (state.scene_closed or not state.scene_step):
        play.suspect(
            player != last.player,
            "F71",
            f"{player} tells what comes after; {last.name} survived, so {last.player} does",
            at="by",
        )
        return
    players = _players_of_scene(play)
    play.suspect(
        bool(players) and player not in players and play.ruling("outside_tell") == "in-scene",
        "FA40",
        f"{player} tells in a Scene of {listed(players)}; at this table the others listen",
        at="by",
        fix=choose_reading("outside_tell", "may"),
    )


def _players_of_scene(play: Table) -> list[str]:
    """The players with a part in the Scene at hand, with the GM and the player who framed it."""
    state = play.state
    ids = [conflict.who for conflict in state.open_conflicts] + state.scene_guests
    framers = [conflict.framer for conflict in state.open_conflicts]
    if state.open_round is not None:
        ids += state.open_round.members
    if not ids:
        return []
    players = [state.gladiators[id].player for id in ids if not state.gladiators[id].npc]
    return [*dict.fromkeys((*players, *framers, play.runner))]
