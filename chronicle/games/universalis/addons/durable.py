"""UA.23: Traits and Importance of a durable Component cost twice the Coins to remove."""

from __future__ import annotations

from chronicle.core.declare import Part, option
from chronicle.core.diagnostic import amount_in_units
from chronicle.core.field_types import whole
from chronicle.core.names import fold
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.state import COIN, Component, Trait

TRAIT = fold("durable")


class DurableSettings(Part):
    """What the group sets about durable Components."""

    price = option(whole(1), "Coins for the Trait 'durable'", default=5)
    factor = option(whole(1), "how many times as much it costs to take from them", default=2)


def is_durable(component: Component | None) -> bool:
    """Whether a Component has the Trait."""
    trait = component.traits.get(TRAIT) if component is not None else None
    return trait is not None and trait.copies > 0


class Durable(AddOn):
    """Durable Components."""

    summary = (
        "A Component that is Created with the Trait 'durable', for 5 Coins, loses Traits and Importance "
        "for 2 Coins a point."
    )
    changes = ("U4.36", "U4.43")
    chosen: DurableSettings
    rule_text = """
        UA.23 Durable Components [checked; V139]
          As a Component is Created it may get the Trait 'durable', for 5 Coins; later it cannot, and it cannot be
          removed. From then on each Trait that is crossed off costs 2 Coins, a healed wound as well, and each point
          of Importance that an Elimination has to pay for.
        """

    def created(self, play: Table, component: Component) -> None:
        """The Trait has cost 1 Coin as one of the first; this is the rest."""
        if is_durable(component):
            self._charge(play, component)

    def trait_added(self, play: Table, component: Component, trait: Trait, copies: int) -> None:
        """Only at Creation."""
        if trait.key != TRAIT or component.step == play.step.number or play.given:
            return
        if component.open_list:
            return  # how it was Created is not on record
        play.illegal(
            "UA.23",
            f"{component.name} is made durable, and that is done only as a Component is Created",
            facts=[play.because(component.step, "created here")],
            help="write the Trait where it is Created:  {prop: ..., traits: [durable]}",
        )
        self._charge(play, component)

    def _charge(self, play: Table, component: Component) -> None:
        why, surcharge = f"{component.name} is durable", self.chosen.price - 1
        charge(play, "durable", "UA.23", why, amount=surcharge, component=component)

    def price(
        self, play: Table, what: str, player: str = "", component: Component | None = None
    ) -> int:
        """Crossing off a Trait."""
        factor = self.chosen.factor if what == "remove" and is_durable(component) else 1
        return factor * self.inner.price(play, what, player, component)

    def priced_by(self, play: Table, what: str, component: Component | None) -> str:
        """Losses of a durable Component."""
        if what in ("remove", "eliminate") and is_durable(component):
            return "UA.23"
        return self.inner.priced_by(play, what, component)

    def toughness(self, play: Table, component: Component) -> int:
        """Two; it does not add up with another doubling (S94)."""
        inner = self.inner.toughness(play, component)
        if not is_durable(component):
            return inner
        if inner > 1:
            play.ruling("both protections")
        return max(inner, self.chosen.factor)

    def bars_loss(self, play: Table, component: Component, trait: Trait) -> Bar | None:
        """It stays durable."""
        if trait.key != TRAIT:
            return self.inner.bars_loss(play, component, trait)
        return Bar(
            "UA.23",
            f"'{trait.text}' can never be taken from {component.name}",
            trait.step,
            "Created with it",
            help=f"{component.name} can be Eliminated, at {amount_in_units(self.chosen.factor, COIN)} a point",
        )
