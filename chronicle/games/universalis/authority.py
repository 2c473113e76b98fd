"""Chapters 3 and 4: who may alter which Component, and what damage needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from chronicle.core.fix import add_entry, set_key
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import table
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.state import Component

T = TypeVar("T")


def altered(
    play: Table, said: Mapping[ScalarNode, T], what: str, *, several: bool = False
) -> Iterator[tuple[ScalarNode, Component, T]]:
    """Each Component that an entry alters, by the word for it, with what is said of it; a word may mean
    ``several``."""
    for word, one in said.items():
        found = table.find_all(play, word) if several else [table.find_one(play, word)]
        for component in found:
            if component is not None:
                may_alter(play, component, what, word)
                yield word, component, one


def may_alter(play: Table, component: Component, what: str, word: ScalarNode | None = None) -> bool:
    """Only the Controller alters a Component, or Bonus Coins do (U3.26, U5.4)."""
    state = play.state
    if play.given or component.placeholder:
        return True
    player = play.step.player
    if not may_change(play, component, what, word):
        return False
    if state.purses or (state.scene is None and preparing(play)):
        return True
    if component.master:
        return True
    here = state.here
    if here is not None and table.is_here(play, here, component):
        holder = table.holder_of(play, here, component)
        if holder in (player, "") or not player:
            return True
        return play.illegal(
            "U3.26",
            f"{player} {what} a Component that {holder} Controls",
            at=word,
            label=f"{holder} Controls {component.name}",
            facts=[
                play.because(table.since(component, here), f"{holder} has Controlled it since then")
            ],
            fix=table.take_over_first(play, component),
            help="or make it a Complication:  - complication: ...",
        )
    reading = play.ruling("absent traits")
    mine = (
        component.creator == player or play.is_actor_unrecorded
    ) and component.creating_turn == state.turn_number
    if reading == "anyone" or (reading == "creator" and mine):
        return True
    return play.illegal(
        "U3.26",
        f"{player} {what} {component.name}, which is not in the scene, so nobody Controls it",
        at=word,
        facts=[play.because(component.step, "created here")],
        fix=add_entry(f"introduce: {component.name}"),
    )


def may_change(
    play: Table, component: Component, what: str, word: ScalarNode | None = None
) -> bool:
    """Whether a player may alter a Component at all, whoever Controls it."""
    player = play.step.player
    if not player:
        return True
    bar = play.state.points.bars_change(play, player, component, what)
    return table.nothing_bars(play, bar, word)


def damage_needs_event(play: Table, because: object) -> None:
    """Damage follows from a paid Event (U4.42); within an outcome none is needed (S47)."""
    state = play.state
    if play.given or because is not None or preparing(play):
        return
    purse = table.purse_of(play)
    if purse is not None:
        if play.ruling("damage event") != "always":
            return
        complication = state.complications[purse.complication - 1]
        rolled = complication.rolled
        missing = state.event_this_turn <= rolled
    else:
        missing = not state.event_this_turn and play.gap_since("turns") <= state.turn_step
    play.suspect(
        missing,
        "U4.42",
        "damage without an Event that causes it in this turn",
        fix=(add_entry("event: ..."), set_key("because")),
        help="say first what happens, for 1 Coin",
    )
