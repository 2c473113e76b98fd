"""Around the table: whose turn it is, and who and what a name means.

These are the helpers that the chapters share; each rule itself has its one place in a chapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from chronicle.core.diagnostic import Strictness
from chronicle.core.field_types import is_unrecorded
from chronicle.core.fix import Fix, add_entry, set_key
from chronicle.core.names import Named, NameMiss, fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.coins import income
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    CHARACTER,
    COIN,
    COMPONENT_KINDS,
    PLACE,
    PROP,
    Complication,
    Component,
    Purse,
    SceneState,
    Stage,
)

T = TypeVar("T")


BRINGS_IN = ("at", "introduce", "location")
"""Keys that take an existing Component or make a new one."""

# --- names --------------------------------------------------------------------------------------------


def find_all(play: Table, word: ScalarNode, *, how: str = "") -> list[Component]:
    """The Components that a name means: one, or all of a plural (General 1, General 2 ...). ``how`` says
    the entry that makes it, where that is not the introduction of a character."""
    state = play.state
    match = _components_or_miss(play, word)
    if isinstance(match, list):
        return match
    key = f"name:{fold(word)}"
    elsewhere = state.points.elsewhere(play, word)
    if elsewhere is not None:
        play.taint(key)
        return [elsewhere]
    if match.candidates or match.message or is_unrecorded(word):
        component_named = play.find(word, COMPONENT_KINDS, "Component")
        return [state.components[component_named.id]] if component_named is not None else []
    play.illegal(
        "U4.2",
        f"'{word}' is used, but no Trait was ever bought for it",
        at=word,
        fix=(
            *_made_here(play, word, (PLACE,) if how else (CHARACTER, PLACE, PROP)),
            add_entry(how or f"introduce: {{character: {word}}}"),
        ),
        after=(key,),
        since=0,
    )
    play.taint(key)
    return [placeholder(play, str(word))]


def _made_here(play: Table, word: ScalarNode, kinds: Iterable[str]) -> Iterator[Fix]:
    """The fixes that make a Component right in the entry that brings it in, by its Role."""
    for key, value in play.step.action.source.items():
        if str(key) in BRINGS_IN and value is word:
            yield from (set_key(str(key), f"{{{kind}: {word}}}") for kind in kinds)


def _components_or_miss(play: Table, word: ScalarNode) -> list[Component] | NameMiss:
    """The Components that a name means, or why it means none."""
    state = play.state
    group = state.groups.get(fold(word)) if state.groups else None
    named = play.names.ids_named_exactly(word) if group else ()
    if group and not any(id in state.components for id in named):
        alive = [state.components[id] for id in group if not state.components[id].struck]
        if alive:
            return alive
    match = play.names.find(word, COMPONENT_KINDS)
    return [state.components[match.id]] if isinstance(match, Named) else match


def known(play: Table, words: Iterable[ScalarNode]) -> Iterator[tuple[ScalarNode, Component]]:
    """Every Component that some names mean, each with its name, for guards: a name that means nothing is left out, and
    nothing is reported."""
    for word in words:
        match = _components_or_miss(play, word)
        for component in match if isinstance(match, list) else ():
            yield word, component


def known_in_scene(
    play: Table, words: Iterable[ScalarNode]
) -> Iterator[tuple[SceneState, ScalarNode, Component]]:
    """The same with the scene; nothing outside a scene."""
    scene = play.state.current_scene
    if scene is not None:
        for word, component in known(play, words):
            yield scene, word, component


def find_each(play: Table, words: Iterable[ScalarNode]) -> Iterator[tuple[ScalarNode, Component]]:
    """Every Component that some names mean, one after the other, each with its name."""
    for word in words:
        for component in find_all(play, word):
            yield word, component


def find_one(play: Table, word: ScalarNode, *, how: str = "") -> Component | None:
    """One Component; a plural that means several is an error."""
    components = find_all(play, word, how=how)
    if len(components) > 1:
        names = ", ".join(component.name for component in components)
        play.unreadable("T50", f"'{word}' means several: {names}", at=word, help="name one of them")
        return None
    return components[0] if components else None


def placeholder(play: Table, name: str) -> Component:
    """Something that was used before it existed, so that play can go on."""
    component = register(play, CHARACTER, name)
    component.placeholder = component.open_list = True
    return component


def register(play: Table, kind: str, name: str) -> Component:
    """A new Component under a name of its own (numbered if the name is taken)."""
    state = play.state
    label, count = name, 1
    while fold(label) in state.used_names:
        count += 1
        label = f"{name} {count}"
    state.used_names.add(fold(label))
    id = f"c{len(state.components) + 1}"
    scene = state.current_scene
    component = Component(
        id,
        kind,
        label,
        play.step.number,
        scene.number if scene is not None else 0,
        play.step.player,
        creating_turn=state.turn_number,
    )
    state.components[id] = component
    play.names.add(id, kind, label)
    return component


def players_in(play: Table, words: Iterable[ScalarNode]) -> list[str]:
    """The players that some names mean; what means nobody is reported and left out."""
    return [name for name in (play.player(word) for word in words) if name]


def names_players(
    play: Table, values: Mapping[ScalarNode, T], *, silently: bool = False
) -> Iterator[tuple[ScalarNode, str, T]]:
    """The value stated for each player, with the name used; an unknown name is reported and left out (for guards
    ``silently``)."""
    for word, value in values.items():
        player = play.look_up_player(word) if silently else play.player(word)
        if player:
            yield word, player, value


# --- turns --------------------------------------------------------------------------------------------


def begin_turn(play: Table, player: str, how: str) -> None:
    """A player's turn starts; the allowances of a turn start again."""
    state = play.state
    play.step.note_change("turn", "", state.turn, player)
    state.turn = player
    state.turn_number += 1
    state.turn_step = play.step.number
    state.turn_how = how
    state.turn_sure = True
    state.tenets_this_turn = 0
    state.event_this_turn = 0
    for key in [k for k in play.tainted if k.startswith("turn:")]:
        play.settle(key)
    if state.scene is not None:
        state.scene.turns.append((state.turn_step, player, how))


def unsure_turn(play: Table) -> bool:
    """Whether the computed turn is doubtful, so that no player can be accused of it."""
    return not play.state.turn_sure or play.gap_since("turns") > play.state.turn_step


def lost_turn(play: Table) -> bool:
    """Whether the log does not say whose turn it is: since a hole began, no entry has named anybody's."""
    return not play.state.turn_sure or play.gaps.latest_step_number("turns") > play.state.turn_step


def purse_of(play: Table) -> Purse | None:
    """The purse that pays within the current outcome, if there is one."""
    purses = play.state.purses
    return purses[-1] if purses else None


def in_outcome(play: Table) -> Complication | None:
    """The Complication whose outcome is being told, if one is."""
    purse = purse_of(play)
    return play.state.complications[purse.complication - 1] if purse is not None else None


def relaxed(play: Table) -> bool:
    """Whether this log is kept relaxed."""
    return play.campaign.strictness is Strictness.RELAXED


def turns_over(play: Table, player: str, current: str = "") -> str:
    """The entry that ends the turns before a player's turn: the current turn and those between."""
    over = [current or play.state.turn]
    while play.left_of(over[-1]) not in (player, *over):
        over.append(play.left_of(over[-1]))
    return "end turn:" if len(over) == 1 else f"end turn: [{', '.join(over)}]"


def take_over_first(play: Table, component: Component) -> Fix:
    """The fix that adds a Take Over by the acting player."""
    player = play.step.player
    by = f"\nby: {player}" if player not in ("", play.state.turn) else ""
    return add_entry(f"take over: {component.name}{by}")


def off_turn(play: Table, code: str, deed: str, fix: Fix | Sequence[Fix] = ()) -> bool:
    """Report an act on another player's turn; False if it was one. Follow-ups are folded under it."""
    state = play.state
    player = play.step.player
    if player == state.turn or not player:
        return True
    key = f"turn:{player}"
    facts = play.facts(state.turn_step, f"{state.turn}'s turn began here")
    play.illegal(
        code,
        f"{player} {deed}, but it is {state.turn}'s turn",
        facts=facts,
        fix=fix or add_entry(f"interrupt: {player}"),
        after=(key,),
        since=state.turn_step,
        state_kind="turns",
    )
    play.taint(key)
    return False


def finish_pending(play: Table) -> list[Complication]:
    """A rolled Complication whose players tell no more: what they did not spend they keep (U6.34).
    Returns what is over by that."""
    state = play.state
    over: list[Complication] = []
    for number in list(state.running):
        complication = state.complications[number - 1]
        if complication.stage is Stage.ROLLED and not state.purses:
            close_outcome(play, complication)
            state.lapsed = (number, play.step.number)
            over.append(complication)
    return over


def close_outcome(play: Table, complication: Complication) -> None:
    """All Coins left become Wealth, Components are free again (U6.34, U6.37)."""
    state = play.state
    for player in complication.order or tuple(complication.pools):
        keep_rest(play, complication, player)
    complication.stage = Stage.RESOLVED
    if complication.number in state.running:
        state.running.remove(complication.number)


def keep_rest(play: Table, complication: Complication, player: str) -> None:
    """What a player has left of the Bonus Coins is added to Wealth."""
    account = f"bonus:{player}"
    coins_left = play.balance(account, COIN)
    if coins_left > 0:
        pool = complication.pools.get(player)
        if pool is not None:
            pool.kept += coins_left
        income(play, account, player, coins_left, "U6.34", "Bonus Coins kept")
