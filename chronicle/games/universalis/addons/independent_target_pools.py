"""UA.36: each Target Pool meets the Complication in a roll of its own."""

from __future__ import annotations

from chronicle.core.declare import Part, option
from chronicle.core.field_types import choice
from chronicle.games.universalis.addons.pool_methods import PoolMethod
from chronicle.games.universalis.answers import Singly
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import MOST_DICE_FIRST, Complication


class OrderSettings(Part):
    """In which order Pools are rolled one after the other."""

    order = option(
        choice("as chosen", MOST_DICE_FIRST),
        "most dice first: the players disagree, so the most dice roll first",
        default="as chosen",
    )


class IndependentSettings(OrderSettings):
    """What the group sets for independent Target Pools."""

    building = option(
        choice("all first", "in turn"),
        "in turn: Pools that wait may still grow when the first one is rolled",
        default="all first",
    )


class IndependentTargetPools(PoolMethod):
    """Everybody makes it or does not."""

    summary = (
        "Each Target Pool meets the Complication alone: the Complication's dice are rolled again for "
        "each, and each roll is narrated before the next. Players who roll early may buy dice with "
        "Bonus Coins for those who wait."
    )
    changes = ("U6.18", "U6.19", "U6.21", "U6.28", "U6.33")
    rule_text = """
        UA.36 Independent Target Pools [checked]
          One roll for each Target Pool, against the same dice of the Complication, save those bought 'against:'
          others only. Each roll has its own winner, and its Coins are spent or kept before the next. The players
          choose who goes first; where they disagree the most dice do, and among equals the player closest to the
          Originator's left.
        """
    ruling_text = """
        S93 match coins: All Coins of one roll are spent before the next Target Pool rolls. May they be kept?
          - kept: yes, keeping disposes of them
          because what is left over has always gone to Wealth (UA.36)
        """
    chosen: IndependentSettings

    def meets_singly(self, play: Table, complication: Complication) -> Singly:
        """Each does."""
        return Singly(
            self.code,
            self.chosen.building == "in turn",
            MOST_DICE_FIRST if self.chosen.order == MOST_DICE_FIRST else "",
        )

    def may_buy_dice(self, play: Table, complication: Complication) -> bool:
        """In the rolls that wait."""
        return complication.divided_by == self.code
