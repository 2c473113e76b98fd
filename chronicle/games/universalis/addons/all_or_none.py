"""UA.39: the worst of the Target Pools decides for all of them."""

from __future__ import annotations

from chronicle.games.universalis.addons.pool_methods import PoolMethod, least_or_most
from chronicle.games.universalis.answers import Sides
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Complication, RollRound


class AllOrNone(PoolMethod):
    """One slip gives everybody away."""

    summary = (
        "All Target Pools roll, and only the worst result meets the Complication: all Targets win or "
        "lose by it. Coins come from each player's own dice."
    )
    changes = ("U6.19", "U6.21")
    rule_text = """
        UA.39 All or None [computed]
          The Target Pool with fewest Successes is compared with the Complication's side; every Target Pool wins or
          loses with it and counts its Coins from its own dice.
        """
    ruling_text = """
        S92 tied target pools: Which of two Target Pools is the worst (or best) when both have as many Successes?
          - sums: the one with the lower (higher) sum of Successes, then the one closest to the Originator's left
          because the Edge goes by the same yardstick (UA.39, UA.40)
        """

    def counted(self, play: Table, complication: Complication, roll: RollRound) -> Sides:
        """The worst Target Pool alone."""
        originators, targets = self.inner.counted(play, complication, roll)
        return originators, least_or_most(play, complication, roll, targets, most=False)
