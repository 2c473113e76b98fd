"""UA.10: whoever Controls a Component may hand it over for nothing."""

from __future__ import annotations

from random import Random

from chronicle.core.declare import NAME, NAMES, main, required
from chronicle.core.diagnostic import listed
from chronicle.core.rulebook import Option
from chronicle.core.rules import CHECKED, Rule
from chronicle.games.universalis.addons.base import CHAPTER, AddOn, AddOnEntry
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import preparing
from chronicle.games.universalis.table import (
    at,
    find_all,
    gain_control,
    here_or_report,
    holder_of,
    is_committed,
    is_here,
)


class Cede(AddOnEntry):
    """Hand Control of a Component over to another player, at any time, for nothing."""

    verb = "cede"
    acts = "its Controller: name the player with by"
    example = "cede: Ines Vale\n  by: Ana\n  to: Dov"
    what = main(NAMES, "the Component (or Components)")
    to = required(NAME, "who Controls it from now on")


def cede(play: Table, action: Cede) -> None:
    """Control passes without a Coin, but only its Controller can give it."""
    here = here_or_report(play, "handing Control over")
    taker = play.player(action.to)
    if here is None or not taker:
        return
    names: list[str] = []
    for word in action.what:
        for component in find_all(play, word):
            holder = holder_of(play, here, component)
            giver = (action.by is not None and play.step.player) or holder
            names.append(component.name)
            if not play.require(
                is_here(play, here, component),
                "UA.10",
                f"{component.name} is not in the scene, so nobody Controls it",
                at=at(play, word),
            ):
                continue
            play.require(
                not holder or giver == holder,
                "UA.10",
                f"{holder} Controls {component.name}, so {giver} cannot hand it over",
                at=at(play, word),
                help=f"{taker} may take over for 1 Coin:  - take over: {component.name}",
            )
            step = is_committed(play, component)
            if not play.require(
                not step,
                "UA.10",
                f"{component.name} is committed to an open Complication and stays where it is",
                at=at(play, word),
                facts=[play.because(step, "committed here")] if step else (),
                help="wait until it is resolved",
            ):
                continue
            if not play.require(
                taker != holder, "UA.10", f"{taker} Controls {component.name} already"
            ):
                continue
            play.step.player = play.step.player or holder
            gain_control(play, here, component, taker, f"ceded by {holder or 'nobody'}")
            play.event(
                f"{taker} Controls {component.name}, ceded by {holder or 'nobody'}",
                "UA.10",
                "control",
                component.id,
            )
    play.step.headline = f"{listed(names)} ceded to {taker}"


class FriendlyControl(AddOn):
    """Ceding Control."""

    code = "UA.10"
    key = "friendly control"
    title = "Friendly Control"
    summary = "A Controller may hand a Component to another player at any time, for nothing."
    changes = ("U3.29", "U3.32")
    rules = (
        Rule(
            "UA.10",
            "Friendly Control",
            CHECKED,
            "Control can be ceded: by whoever has it, at any time, without a Coin. What is committed "
            "to an open Complication stays where it is.",
            chapter=CHAPTER,
        ),
    )
    verbs = {Cede: cede}  # noqa: RUF012

    def options(self, play: Table, found: list[Option]) -> list[Option]:
        """Every free Component can be handed on."""
        state = play.state
        here = state.here
        if here is None or here.framing or state.purses or preparing(play):
            return found
        for id, holder in here.control.items():
            component = state.components[id]
            others = [player for player in play.present if player != holder]
            if id not in here.present or not holder or not others or is_committed(play, component):
                continue

            def entry(
                rng: Random, name: str = component.name, to: list[str] = others
            ) -> dict[str, object]:
                return {"cede": [name], "to": rng.choice(to)}

            found.append(Option("cede", holder, f"hand {component.name} over", "UA.10", entry))
        return found
