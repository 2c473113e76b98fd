"""UA.6: one open Component to begin with, brought to the table by an experienced player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Decides, Part, PartOf, main, option
from chronicle.core.field_types import NAME
from chronicle.core.fix import add_entry, set_key
from chronicle.games.universalis.actions import NewComponent
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, Table, in_force, memory
from chronicle.games.universalis.components import make
from chronicle.games.universalis.preparation import count_tenet, preparing

if TYPE_CHECKING:
    from random import Random

TRAITS = 2
"""A seed has a name or Role, and one Trait that calls for action."""


class BroughtBy(Part):
    """What the group may set."""

    by = option(NAME, "who brings the seed; without it, the player who presents it")


@dataclass(slots=True, eq=False)
class Planted:
    """The step at which the seed was presented, and whether that is going on just now."""

    step: int = 0
    presenting: bool = False


class Seed(AddOnEntry):
    """Present the seed of the game: one Component with an open Role or name, and one Trait that calls
    for action. It is the first Tenet, and free."""

    verb = "seed"
    decides = Decides("turn", "UA.6", action_phrase="presents the seed")
    example = "seed: {character: Orion, traits: [needs to be rescued]}"
    what = main(PartOf(NewComponent), "the Component: a Role (or a name) and one Trait")


def seed(play: Table, action: Seed) -> None:
    """The first Tenet of all."""
    planted = memory(play, Planted)
    add_on = in_force(play, SeedElement)
    state = play.state
    step = play.step
    play.require(
        preparing(play) or play.given,
        "UA.6",
        "a seed is presented in preparation, not later",
        fix=add_entry("create: ..."),
        help="create it as any other Component",
    )
    if planted.step:
        play.illegal(
            "UA.6",
            "there is a seed already, and a game grows from one",
            facts=[play.because(planted.step, "presented here")],
        )
    elif preparing(play) and not play.given:
        play.require(
            not state.tenets and not state.components and not state.passed,
            "UA.6",
            "the seed is the first Tenet of all, and preparation has begun without it",
            help="move it to the beginning of the log",
        )
    bringer = play.player(add_on.chosen.by) if add_on is not None and add_on.chosen.by else ""
    if bringer and step.player != bringer:
        play.illegal(
            "UA.6", f"{bringer} brings the seed, not {step.player}", fix=set_key("by", bringer)
        )
    planted.step, planted.presenting = planted.step or step.number, True
    components = make(play, action.what)
    planted.presenting = False
    state.charges.clear()
    if preparing(play) and not play.given:
        count_tenet(play)
    play.require(
        len(components) < 2,
        "UA.6",
        f"{len(components)} Components are presented, and a game grows from one seed",
        at="main",
        help="present one, and create the others later",
    )
    for component in components:
        copies = sum(trait.copies for trait in component.traits.values())
        play.require(
            copies == TRAITS,
            "UA.6",
            f"{component.name} has {copies} Traits; a seed has two: what it is (or is called), and "
            "one that calls for action",
            at="main",
        )
    step.headline = f"The seed: {components[0].name}" if components else "The seed"


class SeedElement(AddOn):
    """A Component to begin with."""

    summary = (
        "A player brings one Component with two open Traits to the table; it is the first Tenet, "
        "free, and the others find out together what it is."
    )
    changes = ("U2.2", "U2.3", "U2.9", "UE.7", "UE.8")
    chosen: BroughtBy
    rule_text = """
        UA.6 Seed Element [checked]
          One Component, ready when preparation begins: an open Role or name and one Trait that calls for action.
          There is one seed, it comes first, and it has exactly two Traits.
        """
    verbs = {Seed: seed}  # noqa: RUF012

    def builds_in_turns(self, play: Table) -> bool:
        """A seed comes whole."""
        return not memory(play, Planted).presenting and self.inner.builds_in_turns(play)

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """It comes before anything else."""
        state = play.state
        if not preparing(play) or state.tenets or state.components or state.passed:
            return

        def open_one(rng: Random) -> dict[str, object]:
            role = rng.choice(("Orion", "the last of them", "Number Nine"))
            trait = rng.choice(("needs to be rescued", "on a mission", "searching"))
            return {rng.choice(("character", "prop")): role, "traits": [trait]}

        presenter = play.player(self.chosen.by) if self.chosen.by else state.turn
        yield self.offer("seed", presenter, "present the seed, free", open_one)
