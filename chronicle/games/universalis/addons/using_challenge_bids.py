"""UA.13: who loses a Challenge pays with the Coins bid for the changes that it forces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chronicle.core.declare import Action
from chronicle.core.diagnostic import plural
from chronicle.core.fix import drop_key
from chronicle.core.names import fold
from chronicle.games.universalis.actions import (
    Entry,
)
from chronicle.games.universalis.addons.base import AddOn, Table, memory
from chronicle.games.universalis.answers import Answer
from chronicle.games.universalis.disputes import RaiseChallenge
from chronicle.games.universalis.fines import LevyFine
from chronicle.games.universalis.flow import BreakIn, EndTurn, PassTurn
from chronicle.games.universalis.scenes import EndScene
from chronicle.games.universalis.state import BANK, COIN, ChallengeRecord

if TYPE_CHECKING:
    from chronicle.core.campaign import Session

PURSE = "challenge"
"""What a log calls the purse, and the kind of its account."""
NO_CHANGE = (RaiseChallenge, LevyFine, BreakIn, EndScene)
"""Entries that are no new version of anything."""
MOVES_ON = (BreakIn, EndScene, EndTurn, PassTurn)
"""Entries that end the turn, or the scene, of the change."""


@dataclass(slots=True, eq=False)
class LostBid:
    """The bid of the loser of the last Challenge, as long as it may still pay."""

    player: str = ""
    lost: int = 0
    """The step of the Challenge."""
    closed: int = 0
    """The step at which the rest went to the Bank."""
    open: bool = False
    """Whether it may pay."""


class UsingChallengeBids(AddOn):
    """Paying for the new version with the bid that was lost."""

    summary = (
        "An acting player who loses a Challenge may pay for the changes it forces with the Coins "
        "that were bid on it; the rest is lost."
    )
    changes = ("U3.48", "U3.49")
    rule_text = """
        UA.13 Using Challenge Bids [checked]
          The Challenged player's own bid, if lost, lies ready for the new version that the Challenger wanted:
          entries that follow immediately and say 'purse: challenge' are paid from it first. With the player's next
          entry that does not, and with the end of the turn, the rest goes to the Bank. Supporters and the
          Challenger lose their bids as always.
        """

    def named_purses(self, play: Table, player: str) -> dict[str, str]:
        """The bid that was lost, too."""
        return {**self.inner.named_purses(play, player), PURSE: f"{PURSE}:{player}"}

    def bid_comes_back(self, play: Table, record: ChallengeRecord, player: str) -> Answer:
        """A lost bid pays for changes and for nothing else."""
        answer = self.inner.bid_comes_back(play, record, player)
        if answer.yes or player != record.challenged or player == record.winner:
            return answer
        return Answer(
            False,
            self.code,
            "a lost bid pays for the new version, and the rest of it goes to the Bank",
            fixes=(drop_key("returned"),),
            help="what must change is paid with  purse: challenge",
        )

    def before_entry(self, play: Table, action: Action) -> None:
        """Hold who uses the bid and for what; anything else ends its use."""
        if not isinstance(action, Entry) or play.given:
            return
        bid = memory(play, LostBid)
        if action.purse is None or fold(action.purse) != PURSE:
            if play.step.player == bid.player or isinstance(action, MOVES_ON):
                self._close(play, bid)
            return
        where = action.place("purse")
        player = play.step.player or bid.player
        if bid.player and bid.open:
            play.require(
                player == bid.player,
                self.code,
                f"{player} pays with the bid that {bid.player} lost",
                at=where,
                facts=[play.because(bid.lost, "the Challenge")],
                help=f"it pays only for what {bid.player} has to change",
            )
            play.require(
                not isinstance(action, NO_CHANGE),
                self.code,
                f"'{action.verb}' is no change that the Challenger required",
                at=where,
                facts=[play.because(bid.lost, "the Challenge")],
                fix=drop_key("purse"),
                help="it is paid from the Wealth",
            )
            return
        play.illegal(
            self.code,
            f"no lost bid lies ready for {player or 'anybody'}",
            at=where,
            facts=play.facts(bid.closed, "the rest went to the Bank here"),
            fix=drop_key("purse"),
            help="it pays for the new version only, in the entries right after the Challenge",
        )

    def after_entry(self, play: Table, action: Action) -> None:
        """A lost bid lies ready."""
        if not isinstance(action, RaiseChallenge) or play.given or not play.state.challenges:
            return
        record = play.state.challenges[-1]
        coins = self._lost(record)
        if record.step != play.step.number or not coins:
            return
        bid = memory(play, LostBid)
        self._close(play, bid)
        bid.player, bid.lost, bid.open = record.challenged, record.step, True
        play.move(
            BANK, f"{PURSE}:{bid.player}", coins, COIN, self.code, "may pay for what must change"
        )
        play.event(
            f"{bid.player} may pay for the new version with {plural(coins, 'Coin')} of the bid",
            self.code,
            "purse",
        )

    def dropped(self, play: Table) -> None:
        """Nothing pays any more."""
        self._close(play, memory(play, LostBid))

    def session_closed(self, play: Table, session: Session) -> None:
        """The session ends before it was used."""
        self._close(play, memory(play, LostBid))

    @staticmethod
    def _lost(record: ChallengeRecord) -> int:
        """What the player Challenged bid and lost; 0 if the Challenge went another way."""
        loser = record.challenged
        if record.ending != "bidding" or not loser or loser in (record.winner, *record.recovered):
            return 0
        return sum(coins for player, coins, option in record.bids if player == option == loser)

    def _close(self, play: Table, bid: LostBid) -> None:
        if not bid.open:
            return
        bid.open = False
        bid.closed = play.current.number if play.current is not None else bid.lost
        account = f"{PURSE}:{bid.player}"
        rest = play.balance(account, COIN)
        if rest > 0:
            play.move(account, BANK, rest, COIN, self.code, "the rest of a lost bid")
