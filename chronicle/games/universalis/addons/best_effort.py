"""UA.40: the best of the Target Pools decides for all of them."""

from __future__ import annotations

from chronicle.games.universalis.addons.pool_methods import PoolMethod, least_or_most
from chronicle.games.universalis.answers import Sides
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Complication, RollRound


class BestEffort(PoolMethod):
    """Many hands, and the luckiest of them."""

    summary = (
        "All Target Pools roll, and only the best result meets the Complication: all Targets win or "
        "lose by it. Coins come from each player's own dice."
    )
    changes = ("U6.19", "U6.21")
    rule_text = """
        UA.40 Best Effort [computed]
          The Target Pool with most Successes is compared with the Complication's side, so that many Targets do not
          swamp it; every Target Pool wins or loses with the best one and counts its Coins from its own dice.
        """

    def counted(self, play: Table, complication: Complication, roll: RollRound) -> Sides:
        """The best Target Pool alone."""
        originators, targets = self.inner.counted(play, complication, roll)
        return originators, least_or_most(play, complication, roll, targets, most=True)
