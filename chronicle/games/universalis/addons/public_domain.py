"""UA.16: Components in the public domain are taken over for free."""

from __future__ import annotations

from chronicle.core.names import fold
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.state import Component

TRAIT = fold("public domain")


class PublicDomain(AddOn):
    """The public domain."""

    summary = "Anybody takes over a Component with the Trait 'public domain' for nothing."
    changes = ("U3.29",)
    rule_text = """
        UA.16 Public Domain [computed]
          A Component with the Trait 'public domain', bought for 1 Coin like any other, is taken over without a
          Coin. Such a Take Over can be Challenged like every other.
        """

    def take_over_price(self, play: Table, player: str, component: Component) -> int:
        """Nothing, while the Trait stands."""
        trait = component.traits.get(TRAIT)
        if trait is not None and trait.copies:
            return 0
        return self.inner.take_over_price(play, player, component)
