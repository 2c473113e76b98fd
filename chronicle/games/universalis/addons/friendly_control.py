"""UA.10: a Controller may give a Component away for free, or (UA.10a) let it be taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Action, Decides, Part, main, option, required
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import NAME, NAMES, choice, in_role
from chronicle.core.fix import drop_key, write_instead
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import IN_SCENE
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, in_force
from chronicle.games.universalis.control import TakeOver
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.presence import (
    bars_passing,
    gain_control,
    holder_of,
    is_committed,
    is_here,
    may_be_here,
)
from chronicle.games.universalis.state import ChallengeRecord, Component, SceneState
from chronicle.games.universalis.table import find_each, known_in_scene, unsure_turn


class Cede(AddOnEntry):
    """Hand Control of a Component over to another player, at any time, for nothing."""

    verb = "cede"
    about_table = True
    decides = Decides("controller")
    moment = IN_SCENE
    example = "cede: Ines Vale\n  by: Ana\n  to: Dov"
    what = main(in_role("ceded", NAMES), "the Component (or Components)")
    to = required(in_role("gets Control", NAME), "who Controls it from now on")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        """What each Controller can hand on, and to whom."""
        scene = play.state.current_scene
        if scene is None:
            return
        for id, holder in scene.control.items():
            takers = play.present if holder and id in scene.present else []
            name = play.state.components[id].name
            yield from ({"cede": name, "by": holder, "to": p} for p in takers if p != holder)

    @guard("UA.10", help="it is free on your own turn")
    def is_how_control_passes_here(self, play: Table) -> Violation | None:
        add_on, taker = in_force(play, FriendlyControl), play.look_up_player(self.to)
        if add_on is None or not add_on.taking or not taker or play.state.current_scene is None:
            return None
        return Violation(
            f"{play.step.player or 'its Controller'} hands Control over, and at this table Control "
            "is not ceded but taken",
            fix=write_instead(f"take over: {listed(self.what)}\nby: {taker}"),
        )

    @guard("UA.10")
    def may_be_ceded(self, play: Table) -> Iterator[Violation]:
        taker = play.look_up_player(self.to)
        for scene, word, component in known_in_scene(play, self.what) if taker else ():
            if not may_be_here(play, scene, component):
                message = f"{component.name} is not in the scene, so nobody Controls it"
                yield Violation(message, word)
                continue
            holder = holder_of(play, scene, component)
            giver = (self.by is not None and play.step.player) or holder
            if holder and giver != holder:
                yield Violation(
                    f"{holder} Controls {component.name}, so {giver} cannot hand it over",
                    word,
                    write_instead(f"take over: {component.name}\nby: {taker}"),
                    "it costs 1 Coin",
                )
            yield from _bars_ceding(play, scene, component, taker, word)

    def apply(self, play: Table) -> None:
        """Control passes without a Coin, but only its Controller can give it."""
        scene, taker = play.state.current_scene, play.player(self.to)
        if scene is None or not taker:
            return
        names: list[str] = []
        for word, component in find_each(play, self.what):
            names.append(component.name)
            holder = holder_of(play, scene, component)
            if not is_here(play, scene, component):
                continue
            if any(_bars_ceding(play, scene, component, taker, word)):
                continue
            play.step.player = play.step.player or holder
            how = f"ceded by {holder or SOMEBODY}"
            gain_control(play, scene, component, taker, how)
            words = f"{taker} Controls {component.name}, {how}"
            play.event(words, "UA.10", "control", component.id)
        play.step.headline = f"{listed(names)} ceded to {taker}"


def _bars_ceding(
    play: Table, scene: SceneState, component: Component, taker: str, word: ScalarNode
) -> Iterator[Violation]:
    """What keeps Control of a Component in the scene from passing."""
    step = is_committed(play, component)
    bars = [*bars_passing(play, scene, component, taker, word)]
    if step:
        yield Violation(
            f"{component.name} is committed to an open Complication and stays where it is",
            word,
            help="wait until it is resolved",
            facts=[play.because(step, "committed here")],
            rule="UA.10",
        )
    elif bars:
        yield from bars
    elif taker == holder_of(play, scene, component):
        yield Violation(f"{taker} Controls {component.name} already", rule="UA.10")


class Form(Part):
    """Which of the two rules under this heading the group plays."""

    form = option(
        choice("ceding", "taking"),
        "ceding: its Controller hands it over; taking: anyone takes it on their own turn",
        default="ceding",
    )


class FriendlyControl(AddOn):
    """Control that changes hands for nothing."""

    summary = (
        "A Controller may hand a Component to another player at any time, for nothing; or, as the "
        "group chooses, anyone may take one for nothing on their own turn."
    )
    changes = ("U3.29", "U3.32", "U3.51")
    chosen: Form
    rule_text = """
        UA.10 Friendly Control [checked]
          Control can be ceded: by its Controller, at any time, without a Coin. Components committed to an open
          Complication stay with their Controller.
        UA.10a Friendly Control: free taking [checked]
          On their own turn a player's Take Over costs nothing; off turn it costs 1 Coin as ever. A player who loses a
          Component in this way may Challenge it, and their Coins count double, as if a Fact supported them.
        """
    verbs = {Cede: carry_out}  # noqa: RUF012

    @property
    def taking(self) -> bool:
        """Whether Components are taken, not ceded."""
        return str(self.chosen.form) == "taking"

    def adopted(self, play: Table) -> None:
        """Without Challenges players cannot defend their Components."""
        play.suspect(
            self.taking and any(add_on.key == "judgment" for add_on in play.state.add_ons),
            "UA.10a",
            "Components are taken for free, and under 'judgment' players cannot Challenge it",
        )

    def before_entry(self, play: Table, action: Action) -> None:
        """Taking is free on a player's own turn only."""
        state = play.state
        if play.given or not self.taking or not isinstance(action, TakeOver) or action.coins != 0:
            return
        player = play.step.player
        play.require(
            player == state.turn or unsure_turn(play),
            "UA.10a",
            f"{player} takes {listed(action.what)} for nothing on {state.turn}'s turn",
            at="coins",
            facts=[play.because(state.turn_step, f"{state.turn}'s turn began here")],
            fix=drop_key("coins"),
            help="off turn a Take Over costs 1 Coin",
            since=state.turn_step,
            state_kind="turns",
        )

    def take_over_price(self, play: Table, player: str, component: Component) -> int:
        """Nothing on a player's own turn, or where the table says so."""
        if self.taking and (
            player == play.state.turn or getattr(play.step.action, "coins", None) == 0
        ):
            return 0
        return self.inner.take_over_price(play, player, component)

    def facts_behind(
        self, play: Table, record: ChallengeRecord, side: str
    ) -> tuple[tuple[str, str], ...]:
        """Control itself counts as a Fact against a player who takes it for free."""
        inner = self.inner.facts_behind(play, record, side)
        if not self.taking or not record.of:
            return inner
        taking = play.steps[record.of - 1]
        first, last = taking.posting_range
        if not isinstance(taking.action, TakeOver) or first != last:
            return inner
        lost = [
            component
            for component in play.state.components.values()
            if _lost_by(component, record.of) == side
        ]
        if not lost:
            return inner
        return (*inner, (f"having had Control of {listed(c.name for c in lost)}", "UA.10a"))

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """Every free Component can be handed on."""
        state = play.state
        scene = state.current_scene
        if scene is None or scene.framing or state.purses or self.taking or preparing(play):
            return
        for id, holder in scene.control.items():
            component = state.components[id]
            takers = [
                player
                for player in play.present
                if player != holder and state.points.bars_control(play, player, component) is None
            ]
            if id not in scene.present or not holder or not takers or is_committed(play, component):
                continue
            name = component.name
            yield self.offer("cede", holder, f"hand {name} over", [name], to=one_of(takers))


def _lost_by(component: Component, step: int) -> str:
    """Who lost Control of a Component when it was taken over at a step; empty: nobody did."""
    holder = ""
    for at_step, _, player, how in component.control:
        if at_step == step and how == "takes over":
            return holder
        holder = player
    return ""
