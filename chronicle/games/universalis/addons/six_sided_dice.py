"""UA.42: six-sided dice, on which odd faces are Successes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronicle.core.dice import D6
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.answers import DieRule

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView


class SixSidedDice(AddOn):
    """Other dice, the same odds."""

    key = "six-sided dice"
    summary = (
        "Pools are rolled with six-sided dice; odd faces are Successes and are added up as usual. "
        "A die is worth 1.5 Coins to its side on average, as before."
    )
    changes = ("U6.5", "U6.20", "U6.26", "U6.27")
    rule_text = """
        UA.42 Six-Sided Dice [checked; V148 X35]
          d6 instead of d10: 1, 3 and 5 are Successes, 2, 4 and 6 are not. One die in two succeeds, and a Success
          shows 3 on average: exactly what ten-sided dice do.
        """

    def die(self, play: Table) -> DieRule:
        """Ordinary dice."""
        return DieRule("d6", 6, "an odd face is a Success", self.code)

    def success(self, play: Table, face: int) -> bool:
        """1, 3 and 5."""
        return face % 2 == 1

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """The luck report counts them."""
        view.dice["d6"] = D6
