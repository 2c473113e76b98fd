"""Taking an entry back: what a Challenge strikes never happened, and its Coins come back.

While an entry is replayed, each change notes its inverse (:func:`table.note`). Striking applies the
inverses in reverse order, as far as what follows has left them a meaning.
"""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.diagnostic import plural
from chronicle.core.ledger import Posting
from chronicle.core.names import fold
from chronicle.core.record import Step
from chronicle.games.universalis.actions import Give, Lend, Repay
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.divisions import divide_again, parts_of, reunite
from chronicle.games.universalis.points import RulePoints, Table
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    Phase,
    SceneState,
    Stage,
    Tenet,
    Trait,
    Undo,
)
from chronicle.games.universalis.traits import (
    count_towards,
    own_thing,
    part,
    raise_importance,
    set_eliminated,
)


def strike(
    play: Table, index: int, *, refund: bool, by: str = "a Challenge", rule: str = "U3.46"
) -> int:
    """Strike the entry with this step number (and what was nested in it).

    ``by`` and ``rule`` say what strikes it. Returns the Coins that came back (U3.49).
    """
    state = play.state
    if index in state.struck:
        return 0
    state.struck.add(index)
    step = play.steps[index - 1]
    back = 0
    for other in play.steps[index : play.step.index - 1]:
        if other.parent == index:
            back += strike(play, other.index, refund=refund, by=by, rule=rule)
    for op in reversed(state.undo.pop(index, [])):
        _invert(play, op, index)
    # Undoing notes inverses of its own; they belong to nobody.
    state.undo.pop(play.step.index, None)
    _forget(play, index)
    first, last = step.posting_range
    for posting in play.ledger.postings[first:last]:
        if posting.step != index or posting.unit != COIN:
            continue
        if posting.target == BANK:
            home = _purse_now(play, posting.source) if refund else ""
            if home:
                play.move(BANK, home, posting.amount, COIN, "U3.49", "price recalculated")
                back += posting.amount
                _unspend(play, step, posting)
        elif _handed_over(step, posting):
            has = max(0, play.balance(posting.target, COIN))
            amount = min(posting.amount, has)
            play.move(posting.target, posting.source, amount, COIN, "U3.49", "taken back")
    for one, elsewhere in ((step, play.step.index), (play.step, index)):
        if elsewhere not in one.links:
            one.links.append(elsewhere)
    step.event(f"struck by {by}", rule, "undone")
    if back:
        play.event(
            f"{plural(back, 'Coin')} come back" if back > 1 else "1 Coin comes back", "U3.49"
        )
    return back


def _handed_over(step: Step, posting: Posting) -> bool:
    """Whether an entry itself brought Coins to a player: another start, a future frame, a loan."""
    return posting.rule in ("U1.3", "U5.14") or isinstance(step.action, Lend | Give | Repay)


def _unspend(play: Table, step: Step, posting: Posting) -> None:
    """A scene did not cost what came back."""
    scene = play.state.scenes.get(step.scene or 0)
    player = posting.source.partition(":")[2]
    if scene is None or posting.amount > scene.spent.get(player, 0):
        return
    scene.spent[player] -= posting.amount
    scene.cost -= posting.amount
    if scene.framing:
        scene.framing_cost -= posting.amount


def _forget(play: Table, index: int) -> None:
    """What an entry that never was has left in the histories."""
    state = play.state
    here = state.here
    if here is not None:
        here.entries = [entry for entry in here.entries if entry[0] != index]
        for id in here.present:
            component = state.components[id]
            component.control = [entry for entry in component.control if entry[0] != index]
    state.debts = [debt for debt in state.debts if debt.step != index]
    if state.event_this_turn == index:
        state.event_this_turn = 0
    if state.dialog is not None and state.dialog.step == index:
        state.dialog = None


def _purse_now(play: Table, account: str) -> str:
    """Where Coins go that come back to a purse. One that has been cleared is there no longer: what is
    left of Bonus Coins has become Wealth (U6.34), what is left of a bid has been lost (U3.7)."""
    state = play.state
    purse, _, player = account.partition(":")
    match purse:
        case "bonus":
            telling = any(state.complications[n - 1].stage is Stage.ROLLED for n in state.running)
            return account if telling else f"wealth:{player}"
        case "bid":
            return account if state.scene is not None and state.scene.framer == player else ""
        case _:
            return account


def _invert(play: Table, op: Undo, index: int) -> None:
    state = play.state
    match op:
        case ("created", str(id)):
            component = state.components[id]
            component.struck = True
            named = play.names.all.get(id)
            for name in (component.name, *(named.aliases if named is not None else ())):
                state.taken.discard(fold(name))
                state.labels.discard(fold(name))
            for other in state.scenes.values():
                if other.open:
                    other.present.pop(id, None)
                    other.control.pop(id, None)
            play.names.forget(id)
        case ("added", str(id), str(key), int(copies)):
            component = state.components[id]
            trait = component.traits[key]
            before = state.points.weight(play, component, trait)
            trait.copies = max(0, trait.copies - copies)
            _unwrite(trait, index)
            raise_importance(play, component, state.points.weight(play, component, trait) - before)
            if not trait.copies and not trait.removed:
                del component.traits[key]
        case ("removed", str(id), str(key), int(copies)):
            _give_back(play, id, key, copies, index)
        case ("restored", str(id), str(key), int(copies)):
            _give_back(play, id, key, -copies, index)
        case ("control", int(number), str(id), str(player)):
            scene = state.scenes[number]
            if player:
                scene.control[id] = player
            else:
                scene.control.pop(id, None)
        case ("entered", int(number), str(id)):
            state.scenes[number].present.pop(id, None)
            state.scenes[number].control.pop(id, None)
        case ("left", int(number), str(id), int(step), str(player)):
            scene = state.scenes[number]
            scene.present[id] = step
            scene.left_places.pop(id, None)
            if player:
                scene.control[id] = player
        case ("located", int(number), str(id)):
            state.scenes[number].location = id
        case ("owned", str(_), str(item)):
            part(play, state.components[item])
        case ("parted", str(owner), str(item)):
            own_thing(play, state.components[owner], state.components[item])
            if state.components[item].separations:
                state.components[item].separations.pop()
        case ("joined", str(sub), str(master)):
            one, other_one = state.components[sub], state.components[master]
            one.masters.remove(master)
            other_one.subs.remove(sub)
            if not one.eliminated:
                count_towards(play, other_one, -one.total)
        case ("master", str(id)):
            state.components[id].master = False
        case ("gone", str(id)):
            component = state.components[id]
            set_eliminated(play, component, False)
            component.turnings.pop()
        case ("back", str(id)):
            component = state.components[id]
            set_eliminated(play, component, True)
            component.turnings.pop()
        case ("towards", str(id), int(coins)):
            state.components[id].towards -= coins
        case ("fact", str(id)):
            state.facts[id].struck = True
        case ("tenet", str(id)):
            state.tenets[id].status = "withdrawn"
            drop_gimmick(play, id)
        case ("changed", Tenet() as old):
            state.tenets[old.id] = old
            old.status, old.changed_by = "accepted", 0
        case ("ended", str(id), tuple() as layers, tuple() as bends):
            state.tenets[id].status, state.tenets[id].ended = "accepted", 0
            _restore(play, id, layers, index)
            play.house_rules[id] = bends
        case ("rules", str(id), tuple() as layers):
            _restore(play, id, layers, index)
        case ("counted", int(turn), int(number)):
            if state.turn_number == turn:
                state.tenets_this_turn -= number
                state.withdrawn_turn = turn
        case ("named", str(id), str(name)):
            component = state.components[id]
            state.taken.discard(fold(component.name))
            state.labels.discard(fold(component.name))
            component.name = name
            play.names.rename(id, name)
        case ("worded", str(id), str(key), str(text)):
            component = state.components[id]
            role = component.traits.pop(key)
            role.text = text
            role.history.pop()
            component.traits[role.key] = role
            component.open_role = True
        case ("turn", str(player), int(begun), str(how), str(interrupted)):
            state.turn, state.turn_step, state.turn_how = player, begun, how
            state.interrupted = interrupted
            if state.scene is not None and state.scene.turns:
                state.scene.turns.pop()
        case ("framed", int(number)):
            _unframe(play, number)
        case ("over", int(number), str(framer)):
            _reopen(play, number, framer)
        case ("dice", int(number), str(player), int(dice)):
            pool = state.complications[number - 1].pools[player]
            pool.dice = max(0, pool.dice - dice)
            pool.entries = [entry for entry in pool.entries if entry.step not in state.struck]
            _strike_from_parts(play, number, player)
            divide_again(play, state.complications[number - 1])
        case ("drawn", int(number), str(key), int(copies)):
            used = state.complications[number - 1].used
            used[key] = max(0, used.get(key, 0) - copies)
        case ("committed", int(number), str(id)):
            state.complications[number - 1].committed.pop(id, None)
        case ("complication", int(number)):
            complication = state.complications[number - 1]
            complication.stage = Stage.STRUCK
            if number in state.running:
                state.running.remove(number)
            for section in state.complications:
                if section.part_of == number:
                    _invert(play, ("complication", section.number), index)
        case ("divided", int(number)):
            reunite(play, state.complications[number - 1], Stage.OPEN)
        case ("absent", int(number), str(id)):
            state.scenes[number].absent.pop(id, None)
        case ("add-on", type() as add_on, *change) if issubclass(add_on, AddOn):
            add_on.invert(play, *change)
        case _:
            raise AssertionError(f"an inverse that nobody knows: {op!r}")


def _strike_from_parts(play: Table, number: int, player: str) -> None:
    """Take struck dice out of the parts that a Complication has been divided into since."""
    struck = play.state.struck
    for one in parts_of(play, number):
        pool = one.pools.get(player)
        if pool is not None:
            pool.dice = max(0, pool.dice - sum(e.dice for e in pool.entries if e.step in struck))
            pool.entries = [entry for entry in pool.entries if entry.step not in struck]
            _strike_from_parts(play, one.number, player)


def _unframe(play: Table, number: int) -> None:
    """A frame is struck. A Mini Scene was never cut to; a scene stands open for the new version."""
    state = play.state
    here = state.scenes[number]
    if not here.mini:
        here.struck = True
    elif state.mini is here and number == len(play.timeline.scenes):
        state.mini = None
        drop_scene(play, here)
        parent = state.scene
        for step in play.steps[here.step - 1 :]:
            if step.scene == number and parent is not None:
                step.scene = parent.number


def drop_scene(play: Table, here: SceneState) -> None:
    """Take the scene opened last off the record; its number is free for the new version."""
    state = play.state
    play.timeline.take_back()
    del state.scenes[here.number]


def _reopen(play: Table, number: int, framer: str) -> None:
    """The end of a scene is struck. If it was to fade, it ends without; else it goes on."""
    state = play.state
    here = state.scenes[number]
    scene = play.timeline.get(number)
    scene.closing = ""
    if here.faded:
        here.faded = 0
        state.unfaded_step = here.ended
        return
    if here.mini:
        return
    play.timeline.reopen(number)
    here.open, here.ended, here.lost = True, 0, 0
    state.scene, state.phase = here, Phase.SCENE
    state.last_framer = framer
    for player, amount in state.refreshed.items():
        play.move(f"wealth:{player}", BANK, amount, COIN, "U3.14", "the scene is not over")
    state.refreshed = {}


def _unwrite(trait: Trait, index: int) -> None:
    trait.history = [entry for entry in trait.history if entry[0] != index]


def _give_back(play: Table, id: str, key: str, copies: int, index: int) -> None:
    component = play.state.components[id]
    trait = component.traits[key]
    before = play.state.points.weight(play, component, trait)
    trait.copies += copies
    trait.removed -= copies
    _unwrite(trait, index)
    raise_importance(play, component, play.state.points.weight(play, component, trait) - before)


def _restore(play: Table, id: str, layers: tuple[RulePoints, ...], index: int) -> None:
    """Put a Gimmick that was dropped at a step back in force where it stood."""
    lay(play, layers)
    for adoption in play.state.adoptions:
        if adoption.id == id and adoption.ended == index:
            adoption.ended = 0


def layers_of(play: Table) -> tuple[RulePoints, ...]:
    """The layers on the core rules, the lowest first."""
    layers: list[RulePoints] = []
    layer = play.state.points
    while layer.below is not None:
        layers.append(layer)
        layer = layer.below
    return tuple(reversed(layers))


def lay(play: Table, layers: Iterable[RulePoints]) -> None:
    """Put exactly these layers on the core rules, the lowest first."""
    state = play.state
    while state.points.below is not None:
        state.points = state.points.below
    state.add_ons = []
    moved = False
    for layer in layers:
        moved = moved or layer.below is not state.points
        if moved:
            layer.below = state.points
            layer.link()
        state.points = layer
        if isinstance(layer, AddOn):
            state.add_ons.append(layer)


def drop_gimmick(play: Table, id: str) -> None:
    """Take a Gimmick's layer off; what it allowed is allowed no longer."""
    dropped = [one for one in play.state.add_ons if one.id == id]
    lay(play, [layer for layer in layers_of(play) if layer.id != id])
    for adoption in play.state.adoptions:
        if adoption.id == id and not adoption.ended:
            adoption.ended = play.step.index
    for add_on in dropped:
        add_on.dropped(play)
