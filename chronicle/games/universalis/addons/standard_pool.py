"""UA.35: all Pools of a side together, as the core rules have it."""

from __future__ import annotations

from chronicle.games.universalis.addons.pool_methods import PoolMethod, core_rules
from chronicle.games.universalis.answers import Sides, Verdict
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Complication, RollRound


class StandardPool(PoolMethod):
    """Two sides of Pools."""

    summary = (
        "All Pools of a side count together and win or lose together; every player gets and spends "
        "the Coins of a player's own Pool. That is the core rule, chosen by name."
    )
    changes = ("U6.19", "U6.28")
    rule_text = """
        UA.35 Standard Pool [computed]
          Two sides meet, however many Pools each has. The winning players tell first, then the losing ones, each
          group from most Coins to fewest; equal ones clockwise from the Originator.
        """

    def verdict(self, play: Table, complication: Complication, roll: RollRound) -> Verdict:
        """As the core rules decide."""
        return core_rules(self).verdict(play, complication, roll)

    def counted(self, play: Table, complication: Complication, roll: RollRound) -> Sides:
        """All Pools of a side."""
        return core_rules(self).counted(play, complication, roll)
