"""What fits the keys of an entry now, down to a single Trait with whom it helps; and what a verb costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Concatenate, ParamSpec

from chronicle.core.answers import Move, Offer
from chronicle.core.declare import Action
from chronicle.core.diagnostic import plural
from chronicle.core.names import fold
from chronicle.games.universalis.addons.catalogue import ON_DEMAND
from chronicle.games.universalis.answers import PRICES
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.pools import side_of
from chronicle.games.universalis.presence import available, is_committed
from chronicle.games.universalis.refreshment import not_due
from chronicle.games.universalis.state import (
    CHARACTER,
    COIN,
    PLACE,
    Complication,
    Component,
    SceneState,
    Sort,
    Trait,
)
from chronicle.games.universalis.traits import importance_of, negated

_FREE = frozenset(
    {"end turn", "pass", "close", "declare", "draw", "abandon", "keep", "bid", "roll", "challenge"}
)
_AS_A: Mapping[str, str] = {
    **dict.fromkeys(("wound", "group", "name", "tie", "possess", "sub"), "trait"),
    "adopt": "gimmick",
    "end gimmick": "end gimmick",
}
"""Verbs that are priced like another."""
_NO_SCENE = SceneState(0, "", "", 0)

P = ParamSpec("P")
_On = Callable[[Table, SceneState, str], Iterable[Offer]]
_Which = Callable[[Table, SceneState, str, Component], str | None]
"""A test of a Component: empty if it fits, else the reason against it; None if it is not offered at all."""


def _with_arguments(
    rule: Callable[Concatenate[Table, SceneState, str, P], Iterator[Offer]],
) -> Callable[P, _On]:
    """Let a rule of offers be declared with its own arguments first; those of the moment follow when it is used."""

    def with_arguments(*arguments: P.args, **named: P.kwargs) -> _On:
        return lambda play, scene, by: rule(play, scene, by, *arguments, **named)

    return with_arguments


def priced(play: Table, options: list[Move]) -> list[Move]:
    """Options with their price where that is always the same."""
    return [
        option if option.price is not None else option._replace(price=_price(play, option))
        for option in options
    ]


_ON_DICE = frozenset(
    {"draw", "buy", "close", "declare", "roll", "outcome", "keep", "cancel", "abandon"}
)


def why_not(play: Table, verb: type[Action]) -> str:
    """Why a verb may not come now; empty where that depends on what is written."""
    state = play.state
    if verb.verb == "refreshment" and not play.gap:
        return not_due(play)[1]
    if verb.verb == "repay" and not any(debt.owed for debt in state.debts):
        return "nobody owes anything"
    if verb.verb in ON_DEMAND.extension_by_verb:
        return ""
    scene = state.current_scene
    if verb.verb == "bid" and scene is not None and not state.points.turn_goes_on(play):
        return f'the scene "{scene.title}" is open'
    is_unknown = scene is None and play.gap
    no_dice = verb.verb in _ON_DICE and not state.running and not is_unknown
    return "no Complication is open" if no_dice else ""


def _price(play: Table, option: Move) -> tuple[int, str] | None:
    if option.verb in _FREE:
        return 0, COIN
    word = _AS_A.get(option.verb, option.verb)
    return (play.state.points.price(play, word, option.by), COIN) if word in PRICES else None


def offers(play: Table, verb: str, by: str) -> Iterator[Offer]:
    """What fits the keys of a verb."""
    scene = play.state.current_scene
    for on in _OFFERS.get(verb, ()):
        yield from on(play, scene or _NO_SCENE, by)
    purses = play.state.points.named_purses(play, by)
    for name in purses if len(purses) > 1 else ():
        yield Offer(("purse", name))


# -- Components ------------------------------------------------------------------------------------


@_with_arguments
def _components(
    play: Table,
    scene: SceneState,
    by: str,
    key: str,
    which: _Which,
    note: Callable[[Table, SceneState, Component], str] = lambda play, scene, component: "",
) -> Iterator[Offer]:
    """Components under a key."""
    for component in play.state.components.values():
        if component.struck or component.placeholder:
            continue
        why = which(play, scene, by, component)
        if why is not None:
            yield Offer((key, component.name), note(play, scene, component), why)


def _holder(play: Table, scene: SceneState, component: Component) -> str:
    return scene.control.get(component.id, "")


def _present(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    return "" if component.id in scene.present else None


def _controlled(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    if component.id not in scene.present:
        return None
    holder = scene.control.get(component.id, "")
    # Coins of an outcome can alter all Components in the scene (U5.4).
    if not holder or holder == by or play.state.purses:
        return ""
    return f"{holder} Controls it"


def _of_others(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    if component.id not in scene.present:
        return None
    return "" if scene.control.get(component.id, "") != by else "it is your own"


def _leaves(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    why = _controlled(play, scene, by, component)
    if why or why is None:
        return why
    if component.kind == PLACE:
        return None
    locked = is_committed(play, component) and not play.state.purses
    return "it takes part in the Complication" if locked else ""


def _comes(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    if component.id in scene.present or component.master:
        return None
    if component.eliminated:
        return "it is out of the story"
    bar = play.state.points.bars_entry(play, by, component, ())
    if bar is not None:
        return bar.message
    return "" if available(play, component, scene) else "it is out of the story by then"


def _place(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    if component.kind != PLACE or component.master:
        return None
    return "it is out of the story" if component.eliminated else ""


def _to_take_over(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    if component.id not in scene.present or scene.control.get(component.id) == by:
        return None
    if is_committed(play, component):
        return "it takes part in the Complication"
    bar = play.state.points.bars_control(play, by, component)
    return bar.message if bar is not None else ""


def _weak(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    if component.id not in scene.present or component.kind == PLACE:
        return None
    coins = play.balance(f"wealth:{by}", COIN)
    price = play.state.points.elimination_price(play, component)
    return "" if price <= coins else f"it takes {price}, and {by} has {coins}"


def _payments(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    """The amounts that the player can pay of the Importance of each Component in the scene."""
    coins = play.balance(f"wealth:{by}", COIN)
    for component in play.state.components.values():
        if (
            component.struck
            or component.placeholder
            or component.id not in scene.present
            or component.kind == PLACE
        ):
            continue
        worth = importance_of(play.state, component)
        # If the Importance is unknown, the player can offer every Coin in their Wealth.
        note = "" if worth is None else f"of {worth}"
        for paid in range(1, (coins if worth is None else worth) + 1):
            why = "" if paid <= coins else f"{by} has {coins}"
            yield Offer(("reduce", component.name, str(paid)), note, why)


def _worth(play: Table, scene: SceneState, component: Component) -> str:
    return f"Importance {importance_of(play.state, component)}"


def _person(play: Table, scene: SceneState, by: str, component: Component) -> str | None:
    return _controlled(play, scene, by, component) if component.kind == CHARACTER else None


def _masters(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    """Masters below those who may become members of their class."""
    for id in scene.present:
        for master in _classes(play):
            yield Offer(("sub", play.state.components[id].name, master.name))


def _classes(play: Table) -> Iterator[Component]:
    """The Masters in play, the last one first."""
    for component in reversed([*play.state.components.values()]):
        if component.master and not (component.eliminated or component.struck):
            yield component


# -- Traits ----------------------------------------------------------------------------------------


@_with_arguments
def _traits(
    play: Table,
    scene: SceneState,
    by: str,
    key: str,
    which: Callable[[Table, Component, Trait], str | None],
) -> Iterator[Offer]:
    """Traits below their Components, of Components that are the player's own."""
    for component in play.state.components.values():
        why = None if component.struck else _controlled(play, scene, by, component)
        if why is None:
            continue
        for trait in component.traits.values():
            bar = which(play, component, trait)
            if bar is not None:
                copies_label = f"x{trait.copies}" if trait.copies > 1 else ""
                yield Offer((key, component.name, trait.text), copies_label, bar or why)


def _to_remove(play: Table, component: Component, trait: Trait) -> str | None:
    if not trait.copies or trait.sort not in (Sort.PLAIN, Sort.WOUND, Sort.GROUP):
        return None
    bar = play.state.points.bars_loss(play, component, trait)
    return bar.message if bar is not None else ""


@_with_arguments
def _inherited(play: Table, scene: SceneState, by: str, key: str, own_too: bool) -> Iterator[Offer]:
    """What those who are here have of their Masters; of what they have themselves as well only where that is
    ``own_too``."""
    for id in scene.present:
        component = play.state.components[id]
        for master in component.masters:
            for trait in play.state.components[master].traits.values():
                own = trait.key in component.traits and not own_too
                if trait.copies and trait.sort is Sort.PLAIN and not own:
                    yield Offer((key, component.name, trait.text))


def _drawn(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    """Every Trait in the scene with whose Pool it would bring to how many dice; those that were drawn
    already with where."""
    running = play.state.current_complication()
    if running is None:
        return
    for id in scene.present:
        component = play.state.components[id]
        if component.struck:
            continue
        player = side_of(play, running, component, by)
        pool = running.pools.get(player)
        have = pool.dice if pool is not None else 0
        for trait, copies in _all(play, component):
            if trait.sort is Sort.OWNED or trait.sort is Sort.MASTER:
                continue
            label = "name" if trait.sort is Sort.NAME else trait.text
            why = ""
            if (
                trait.sort is Sort.NAME
                and play.state.points.name_gives_die(play, component) is None
            ):
                why = f"the name of a {component.kind} gives no die"
            copies_left = copies - running.used.get(f"{id}/{trait.key}", 0)
            if copies_left <= 0:
                why = _drawn_at(running, f"{id}/{trait.key}")
            note = f"{player}: {plural(have + 1, 'die', 'dice')}" if player else ""
            yield Offer(("draw", component.name, label), note, why)
    yield from _facts_drawn(play, scene, running)


def _facts_drawn(play: Table, scene: SceneState, running: Complication) -> Iterator[Offer]:
    """Events and details of the scene and of the world, and Tenets, where they give dice."""
    state = play.state
    barred = "" if play.ruling("fact dice") == "yes" else "only Traits of Components give dice here"
    texts_by_scope = {
        "scene": [fact.text for fact in scene.facts if not fact.struck],
        "world": [f.text for f in state.facts.values() if f.scope == "world" and not f.struck],
        "tenets": [fact.text for fact in state.tenets.values() if fact.status == "accepted"],
    }
    for scope, texts in texts_by_scope.items():
        for text in texts:
            key = f"{scope}/{fold(text)}"
            why = _drawn_at(running, key) if running.used.get(key) else ""
            yield Offer(("draw", scope, text), "", barred or why)


def _supporting(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    """Facts that can support a side of a Challenge: Facts of the scene, of the world, Tenets, Traits."""
    state = play.state
    for fact in reversed(scene.facts):
        if not fact.struck:
            yield Offer(("facts", "fact", fact.text), "of this scene")
    for world_fact in reversed(state.facts.values()):
        if world_fact.scope == "world" and not world_fact.struck:
            yield Offer(("facts", "fact", world_fact.text), "of the world")
    for tenet in state.tenets.values():
        if tenet.status == "accepted":
            yield Offer(("facts", "fact", tenet.text), "a Tenet")
    for key in ("up", "down"):
        yield from (Offer(("facts", key, player)) for player in play.present)
    for id in scene.present:
        component = state.components[id]
        for trait, _ in () if component.struck else _all(play, component):
            if trait.sort in (Sort.PLAIN, Sort.WOUND, Sort.GROUP):
                yield Offer(("facts", "fact", f"{component.name}: {trait.text}"))


def _all(play: Table, component: Component) -> Iterator[tuple[Trait, int]]:
    """The Traits of a Component, and those that it has through its Masters."""
    seen_keys = set()
    for trait in component.traits.values():
        if trait.copies and not trait.negates:
            seen_keys.add(trait.key)
            yield trait, trait.copies
    for id in component.masters:
        for trait in play.state.components[id].traits.values():
            gives = trait.key not in seen_keys and trait.sort is not Sort.NAME
            if trait.copies and gives and not negated(component, trait.text):
                yield trait, trait.copies


def _drawn_at(running: Complication, key: str) -> str:
    steps = [e.step for pool in running.pools.values() for e in pool.entries if e.trait == key]
    return f"drawn at {steps[0]}" if steps else "drawn already"


@_with_arguments
def _pools(play: Table, scene: SceneState, by: str, key: str) -> Iterator[Offer]:
    running = play.state.current_complication()
    for pool in running.pools.values() if running is not None else ():
        yield Offer((key, pool.player), plural(pool.dice, "die", "dice"))


def _sides(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    running = play.state.current_complication()
    if running is None:
        return
    declared = [p.player for p in running.pools.values() if p.side] or [running.originator]
    for pool in running.pools.values():
        if not pool.side:
            for side in declared:
                yield Offer(("declare", pool.player, side))


@_with_arguments
def _winners(play: Table, scene: SceneState, by: str, key: str) -> Iterator[Offer]:
    running = play.state.current_complication()
    for player in running.order if running is not None else ():
        yield Offer((key, player))


def _bonus_coins(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    """The Bonus Coins left to the player who narrates an outcome."""
    running = play.state.current_complication()
    if running is not None and by in running.order:
        yield Offer(("keep", str(play.balance(f"bonus:{by}", COIN))), "all that is left")


# -- players ---------------------------------------------------------------------------------------


def _words(key: str, *words: str) -> _On:
    return lambda play, scene, by: (Offer((key, word)) for word in words)


@_with_arguments
def _players(
    play: Table, scene: SceneState, by: str, key: str, others_only: bool = True, rich: bool = False
) -> Iterator[Offer]:
    for player in play.seats:
        if player in play.present and not (others_only and player == by):
            coins = play.balance(f"wealth:{player}", COIN)
            yield Offer((key, player), str(coins), "no Coin left" if rich and not coins else "")


def _lenders(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    for debt in play.state.debts:
        if debt.debtor == by and debt.owed:
            yield Offer(("repay", debt.lender), str(debt.owed))


def _gimmicks(play: Table, scene: SceneState, by: str) -> Iterator[Offer]:
    for tenet in play.state.tenets.values():
        if tenet.kind == "gimmick" and not tenet.ended and tenet.status == "accepted":
            yield Offer(("end gimmick", tenet.id), tenet.text)


_KINDS: Mapping[str, str] = {
    CHARACTER: "somebody new",
    "prop": "a new prop: anything but a person or a place",
    PLACE: "somewhere new",
    "master": "a template of a new class",
}


@_with_arguments
def _kinds(play: Table, scene: SceneState, by: str, key: str, *kinds: str) -> Iterator[Offer]:
    """How a new Component begins; where there are classes, as one of them, by its Master."""
    for kind, words in _KINDS.items():
        if not kinds or kind in kinds:
            yield Offer((key, kind), words, needs_value=True)
    masters = [master for master in _classes(play) if not kinds or master.kind in kinds]
    if masters:
        words = "one of a class, or a Group of it: what its Master has is free"
        yield Offer((key, "sub"), words, needs_value=True)
    for master in masters:
        yield Offer((key, "sub", master.name), f"Master, a {master.kind}")


_OFFERS: Mapping[str, tuple[_On, ...]] = {
    "draw": (_drawn, _pools("to"), _pools("from")),
    "buy": (_pools("to"),),
    "declare": (_sides,),
    "cancel": (_winners("cancel"),),
    "keep": (_bonus_coins,),
    "outcome": (_winners("outcome"),),
    "complication": (
        _components("complication", _controlled, _holder),
        _components("source", _controlled, _holder),
        _components("target", _of_others, _holder),
    ),
    "exit": (_components("exit", _leaves),),
    "absent": (
        _components(
            "absent",
            lambda play, scene, by, component: (
                None
                if component.id in scene.present or component.master or component.eliminated
                else ""
            ),
        ),
    ),
    "introduce": (_components("introduce", _comes, _worth), _kinds("introduce")),
    "create": (_kinds("create"),),
    "location": (_components("location", _place), _kinds("location", PLACE)),
    **dict.fromkeys(
        ("scene", "mini scene"),
        (
            *(_components("at", _place), _kinds("at", PLACE)),
            *(_components("with", _comes), _kinds("with", CHARACTER, "prop")),
        ),
    ),
    "dialog": (_components("dialog", _present, _holder),),
    "take over": (_components("take over", _to_take_over, _holder),),
    "trait": (_components("trait", _controlled, _worth),),
    "wound": (_components("wound", _controlled, _worth),),
    **{
        verb: (_components(verb, _controlled),)
        for verb in ("group", "name", "role", "separate", "master")
    },
    "tie": (_components("tie", _controlled), _components("with", _present)),
    "possess": (_components("possess", _person),),
    "sub": (_masters,),
    "remove": (_traits("remove", _to_remove),),
    "restore": (_traits("restore", lambda play, component, trait: "" if trait.removed else None),),
    "use": (_traits("use", _to_remove),),
    "negate": (_inherited("negate", own_too=True),),
    "inherit": (_inherited("inherit", own_too=False),),
    "eliminate": (_components("eliminate", _weak, _worth),),
    "reduce": (_payments,),
    "return": (
        _components(
            "return",
            lambda play, scene, by, component: "" if component.eliminated else None,
            _worth,
        ),
    ),
    "event": (_components("performer", _present, _holder),),
    "fact": (_words("of", "scene", "world"), _components("of", _present)),
    "roll": (_winners("winner"), _winners("edge to")),
    "interrupt": (_players("interrupt", others_only=False, rich=True),),
    "challenge": (
        *(_players(key, others_only=False) for key in ("challenge", "winner", "totals")),
        _supporting,
    ),
    "fine": (_players("fine"), *(_players(key, others_only=False) for key in ("up", "down"))),
    "lend": (_players("lend"),),
    "give": (_players("give"),),
    "repay": (_lenders,),
    "pass": (_players("pass", others_only=False),),
    "bid": (_players("bid", others_only=False), _players("winner", others_only=False)),
    "refreshment": (_players("refreshment", others_only=False),),
    "end gimmick": (_gimmicks,),
}
"""What fits the keys of a verb."""
