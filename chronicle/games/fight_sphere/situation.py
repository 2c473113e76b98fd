"""Where play is, in one sentence."""

from __future__ import annotations

from chronicle.core.diagnostic import listed, plural
from chronicle.games.fight_sphere.build import build_order
from chronicle.games.fight_sphere.cut_scenes import may_come_back
from chronicle.games.fight_sphere.falls import survivor
from chronicle.games.fight_sphere.gladiators import least_made
from chronicle.games.fight_sphere.state import Round, Stage
from chronicle.games.fight_sphere.table import Table, whose_scene

LAYER_NEXT = "the first Layer has not begun"


def _making(play: Table) -> str:
    """The next steps before the first Layer."""
    entry_made = {player: play.state.of_player(player) for player in play.seats}
    few = [
        player
        for player, own in entry_made.items()
        if len(own) < least_made(play.campaign.settings)
    ]
    if few:
        makes = "makes" if len(few) == 1 else "make"
        return f"{listed(few)} still {makes} some: {least_made(play.campaign.settings)} a player"
    torn = [player for player, own in entry_made.items() if sum(not g.npc for g in own) != 1]
    if torn:
        return f"{listed(torn)} still {'picks' if len(torn) == 1 else 'pick'} the one to play"
    return LAYER_NEXT


def situation(play: Table) -> str:
    """Where play is, in one sentence."""
    state = play.state
    if state.over:
        return "The game is over."
    if not state.layers:
        return f"Gladiators are made; {_making(play)}."
    last = survivor(state)
    if last is not None:
        return f"{last.name} is the survivor; {last.player} tells the epilogue."
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return _of_building(play, round_)
    for conflict in state.open_conflicts:
        if conflict.stage is Stage.BUILDING:
            name = state.gladiators[conflict.who].name
            description = "is about to roll" if conflict.built else "builds a roll"
            return f"{name} {description} against {plural(conflict.tv, 'die', 'dice')}."
    layer = state.layers[-1]
    if state.layer_done():
        return f"{layer.name[:1].upper()}{layer.name[1:]} is done; the next one may begin."
    return f"{_owed(play)}{_at_hand(play)}{_turn(play)}"


def asks(play: Table) -> tuple[str, ...]:
    """The verbs that play waits for, between rolls."""
    if not play.state.layers:
        return ("layer",) if _making(play) == LAYER_NEXT else ()
    return ("end scene",) if _at_hand(play) else ("scene", "encounter")


def _of_building(play: Table, round_: Round) -> str:
    names = play.state.gladiators
    waiting = [names[id].name for id in build_order(play, round_) if id not in round_.builds]
    if not waiting:
        return "All have built: betrayals and judges now, then the roll."
    if round_.initiative not in round_.builds:
        return f"Encounter: {waiting[0]} has the Initiative and builds first."
    return f"Encounter: {waiting[0]} builds next, gambling at most {round_.limit}."


def _owed(play: Table) -> str:
    state = play.state
    round_ = state.open_round
    if round_ is not None:
        owing = [d.who for d in round_.dues.values() if not d.settled]
        if owing:
            return f"{listed(state.gladiators[w].name for w in owing)} still owes points. "
    for conflict in state.open_conflicts:
        name = state.gladiators[conflict.who].name
        if conflict.success and not conflict.reward:
            return f"{name} may take a reward. "
        if conflict.success is False and not conflict.answer and state.npc_gladiators():
            returned = may_come_back(play, state.gladiators[conflict.who])
            choice = " or resume the Encounter" if returned else ""
            return f"{name} failed: {play.runner or 'the GM'} may show a cut-scene{choice}. "
    return ""


def _at_hand(play: Table) -> str:
    """Whose Scene is still to be closed: the turn has passed with its roll."""
    state = play.state
    id = whose_scene(play)
    if not id or not state.scene_step or state.scene_closed:
        return ""
    return f"{id}'s Scene is not closed{'; after it ' if state.turn else '. '}"


def _turn(play: Table) -> str:
    state = play.state
    if not state.turn:
        return "Any player may take the next turn."
    g = state.played_by(state.turn)
    if g is None:
        return f"{state.turn} is on turn."
    if g.id in state.resumptions:
        npc = state.gladiators[state.resumptions[g.id][0]].name
        return (
            f"{state.turn} is on turn, bound to the Encounter with {npc}, who has the Initiative."
        )
    if rivals := state.bound_with(g.id):
        return f"{state.turn} is on turn, bound to the Encounter with {rivals}."
    return f"{state.turn} is on turn with {g.name}."
