"""Chapters 3 and 4: who may alter which Component, and what damage needs."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.fix import add_entry, set_key
from chronicle.core.guards import Violation
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import gates, presence, table
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.state import CHARACTER, Component


def bars_alteration(
    play: Table,
    component: Component,
    deed: str,
    word: ScalarNode | None = None,
    *,
    wounds: bool = False,
) -> Iterator[Violation]:
    """What keeps a Component from being changed: only its Controller alters it, or Bonus Coins do (U3.26, U5.4),
    and Components out of the story cannot be altered. ``wounds``: the change is an injury."""
    state = play.state
    if play.given or component.placeholder:
        return
    player = play.step.player
    bar = _out_of_the_story(play, component, deed, wounds=wounds)
    if bar is None and player:
        bar = state.points.bars_change(play, player, component, deed)
    if bar is not None:
        yield from gates.violations_of(play, bar, word)
        return
    if state.purses or (state.scene is None and preparing(play)) or component.master:
        return
    scene = state.current_scene
    if scene is not None and presence.may_be_here(play, scene, component):
        holder = presence.holder_of(play, scene, component)
        if holder not in (player, "") and player:
            yield Violation(
                f"{player} {deed} a Component that {holder} Controls",
                word,
                table.take_over_first(play, component),
                "or make it a Complication:  - complication: ...",
                f"{holder} Controls {component.name}",
                [
                    play.because(
                        presence.since(component, scene), f"{holder} has Controlled it since then"
                    )
                ],
                rule="U3.26",
            )
        return
    reading = play.ruling("absent traits")
    is_own = (
        component.creator == player or play.is_actor_unrecorded
    ) and component.creating_turn == state.turn_number
    if reading == "anyone" or (reading == "creator" and is_own):
        return
    yield Violation(
        f"{player} {deed} {component.name}, which is not in the scene, so it has no Controller",
        word,
        add_entry(f"introduce: {component.name}"),
        facts=[play.because(component.step, "created here")],
        rule="U3.26",
    )


def _out_of_the_story(play: Table, component: Component, deed: str, *, wounds: bool) -> Bar | None:
    """A Component that was Eliminated before this moment of the story cannot be altered (U4.37); injuries told
    on the way are no Traits (U4.46)."""
    scene = play.state.current_scene
    last = component.turnings[-1] if component.turnings else None
    if (
        last is None
        or last.kind != "eliminated"
        or scene is None
        or play.gap > last.step
        or presence.available(play, component, scene)
        or (last.scene == scene.number and play.ruling("eliminated here") != "leaves")
    ):
        return None
    words = "; injuries told on the way are no Traits" if wounds else ""
    pronoun = "who" if component.kind == CHARACTER else "which"
    player = play.step.player or "Somebody"
    return Bar(
        "U4.46" if wounds and last.scene == scene.number else "U4.37",
        f"{player} {deed} {component.name}, {pronoun} was Eliminated{words}",
        last.step,
        "Eliminated here",
        fixes=() if wounds else (add_entry(f"return: {component.name}"),),
    )


def may_change(
    play: Table, component: Component, deed: str, word: ScalarNode | None = None
) -> bool:
    """Whether a player may alter a Component at all, apart from its Control."""
    player = play.step.player
    if not player:
        return True
    bar = play.state.points.bars_change(play, player, component, deed)
    return gates.nothing_bars(play, bar, word)


def bars_damage(play: Table, because: object) -> Iterator[Violation]:
    """Damage follows from a paid Event (U4.42); within an outcome none is needed (S47)."""
    state = play.state
    if play.given or because is not None or preparing(play):
        return
    purse = table.purse_of(play)
    if purse is not None:
        if play.ruling("damage event") != "always":
            return
        complication = state.complications[purse.complication - 1]
        missing = state.event_this_turn <= complication.rolled
    else:
        missing = not state.event_this_turn and play.gap_since("turns") <= state.turn_step
    if missing:
        yield Violation(
            "damage without an Event that causes it in this turn",
            fix=(add_entry("event: ..."), set_key("because")),
            help="say first what happens, for 1 Coin",
            rule="U4.42",
            kind=DiagnosticKind.SUSPICIOUS,
        )
