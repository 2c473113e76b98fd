"""Taking an entry back: what a Challenge strikes never happened, and its Coins come back.

While an entry is replayed, each change notes its inverse (:func:`table.note`). Striking applies the
inverses in reverse order, as far as what follows has left them a meaning.
"""

from __future__ import annotations

from chronicle.core.diagnostic import plural
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.points import RulePoints, Table
from chronicle.games.universalis.state import BANK, COIN, Stage, Undo
from chronicle.games.universalis.traits import (
    count_towards,
    own_thing,
    part,
    raise_importance,
    set_eliminated,
)


def strike(play: Table, index: int, *, refund: bool) -> int:
    """Strike the entry with this step number (and what was nested in it).

    Returns the Coins that came back (U3.49).
    """
    state = play.state
    if index in state.struck:
        return 0
    state.struck.add(index)
    step = play.steps[index - 1]
    back = 0
    for other in play.steps[index : play.step.index - 1]:
        if other.parent == index:
            back += strike(play, other.index, refund=refund)
    for op in reversed(state.undo.pop(index, [])):
        _invert(play, op)
    # Undoing notes inverses of its own; they belong to nobody.
    state.undo.pop(play.step.index, None)
    if refund:
        first, last = step.posting_range
        for posting in play.ledger.postings[first:last]:
            if posting.step == index and posting.target == BANK and posting.unit == COIN:
                home = _purse_now(play, posting.source)
                if home:
                    play.move(BANK, home, posting.amount, COIN, "U3.49", "price recalculated")
                    back += posting.amount
    for one, elsewhere in ((step, play.step.index), (play.step, index)):
        if elsewhere not in one.links:
            one.links.append(elsewhere)
    step.event("struck by a Challenge", "U3.46", "struck")
    if back:
        play.event(
            f"{plural(back, 'Coin')} come back" if back > 1 else "1 Coin comes back", "U3.49"
        )
    return back


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


def _invert(play: Table, op: Undo) -> None:
    state = play.state
    match op:
        case ("created", str(id)):
            component = state.components[id]
            component.struck = True
            for other in (state.scene, state.mini):
                if other is not None:
                    other.present.pop(id, None)
                    other.control.pop(id, None)
            play.names.forget(id)
        case ("added", str(id), str(key), int(copies)):
            component = state.components[id]
            trait = component.traits[key]
            before = state.points.weight(play, component, trait)
            trait.copies = max(0, trait.copies - copies)
            raise_importance(play, component, state.points.weight(play, component, trait) - before)
            if not trait.copies and not trait.removed:
                del component.traits[key]
        case ("removed", str(id), str(key), int(copies)):
            _give_back(play, id, key, copies)
        case ("restored", str(id), str(key), int(copies)):
            _give_back(play, id, key, -copies)
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
        case ("dice", int(number), str(player), int(dice)):
            pool = state.complications[number - 1].pools[player]
            pool.dice = max(0, pool.dice - dice)
            pool.entries = [entry for entry in pool.entries if entry.step not in state.struck]
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
        case ("absent", int(number), str(id)):
            state.scenes[number].absent.pop(id, None)
        case ("add-on", type() as add_on, *change) if issubclass(add_on, AddOn):
            add_on.invert(play, *change)
        case _:
            raise AssertionError(f"an inverse that nobody knows: {op!r}")


def _give_back(play: Table, id: str, key: str, copies: int) -> None:
    component = play.state.components[id]
    trait = component.traits[key]
    before = play.state.points.weight(play, component, trait)
    trait.copies += copies
    trait.removed -= copies
    raise_importance(play, component, play.state.points.weight(play, component, trait) - before)


def drop_gimmick(play: Table, id: str) -> None:
    """Take a Gimmick's layer off; what it allowed is allowed no longer."""
    state = play.state
    layers: list[RulePoints] = []
    layer = state.points
    while layer.below is not None:
        layers.append(layer)
        layer = layer.below
    state.points = layer
    for one in reversed(layers):
        if one.id != id:
            one.below = state.points
            state.points = one
    for add_on in [one for one in state.add_ons if one.id == id]:
        state.add_ons.remove(add_on)
        for adoption in state.adoptions:
            if adoption.id == id and not adoption.ended:
                adoption.ended = play.step.index
        add_on.dropped(play)
