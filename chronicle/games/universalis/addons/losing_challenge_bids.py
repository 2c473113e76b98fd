"""UA.12: a player who backs out of the Bidding of a Challenge gets the bid back."""

from __future__ import annotations

from chronicle.core.declare import Part, option
from chronicle.core.field_types import YES_NO, choice
from chronicle.core.fix import set_key
from chronicle.games.universalis.addons.base import AddOn, Table
from chronicle.games.universalis.answers import Answer
from chronicle.games.universalis.state import ChallengeRecord


class Conceding(Part):
    """Who may back out cheaply."""

    who = option(
        choice("either", "challenger", "challenged"),
        "which of the two gets the bid back by conceding",
        default="either",
    )
    supporters = option(
        YES_NO,
        "yes, if those who bid for the side that concedes get theirs back too",
        default=False,
    )


class LosingChallengeBids(AddOn):
    """Backing out of a Challenge."""

    summary = (
        "One party to a Challenge may concede and take the bid back, so that no player must bid on "
        "only to save a high bid."
    )
    changes = ("U3.45", "U3.48")
    chosen: Conceding
    rule_text = """
        UA.12 Losing Challenge Bids [checked]
          While the bids go round one of the two may back out: the other version prevails, the player who conceded
          gets the whole bid back, and all other Coins bid go to the Bank. Those who bid in support lose theirs
          unless the group lets them recover it. Nothing comes back to anybody who bid to the end.
        """

    def bid_comes_back(self, play: Table, record: ChallengeRecord, player: str) -> Answer:
        """Yes, to the party that concedes, and to its supporters if the group says so."""
        conceded = record.conceded
        for_it = any(p == player and option == conceded for p, _, option in record.bids)
        may = {"challenger": record.challenger, "challenged": record.challenged}
        if conceded and may.get(str(self.chosen.who), conceded) != conceded:
            words = f"at this table only the {self.chosen.who} recovers a bid by conceding"
            return Answer(False, self.code, words)
        if conceded and (player == conceded or (for_it and self.chosen.supporters)):
            return Answer(True, self.code)
        if for_it:
            return Answer(
                False,
                self.code,
                f"{conceded} concedes, and those who bid for {conceded} recover nothing",
            )
        party = player in (record.challenger, record.challenged)
        return Answer(
            False,
            self.code,
            "only the party that concedes recovers its bid",
            fixes=(set_key("concedes", player, when=f"if {player} backed out"),)
            if party and not conceded
            else (),
            help="" if party and not conceded else "Coins of all the others go to the Bank",
        )
