"""Chapter 3, bids: who frames the next scene."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, amount_in_units, listed, plural
from chronicle.core.field_types import NAME, UNRECORDED, EitherOf, MapOf, choice, in_role, whole
from chronicle.core.fix import add_entry, replace_with, set_key, set_pair, write_word
from chronicle.core.guards import Violation, guard
from chronicle.core.ledger import UNEXPLAINED
from chronicle.core.record import BidRanking, RankedBid
from chronicle.core.secrets import Proof, Secret
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import BID, OUTSIDE_OUTCOMES, STATED, Bid, Entry
from chronicle.games.universalis.moves import MOST, by_chance
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import bars_play_proper, preparation_over
from chronicle.games.universalis.refreshment import bidders, first_refreshment, wealth_before_bid
from chronicle.games.universalis.scenes import close_scene
from chronicle.games.universalis.sealed_bids import close_bids
from chronicle.games.universalis.state import COIN
from chronicle.games.universalis.table import names_players


class BidForScene(Entry):
    """All players bid together for the right to frame the next scene."""

    verb = "bid"
    synonyms = ("auction", "offer")
    decides = Decides("table")
    moment = OUTSIDE_OUTCOMES
    example = "bid: {Ana: 3, Bao: 0, Cleo: 3, Dov: 1}"
    bids = main(
        EitherOf(
            MapOf(in_role("bids", NAME), BID),
            choice(UNRECORDED),
            words="{player: Coins}, or unrecorded",
        ),
        "{player: Coins}; '9+' for nine or more, unrecorded where nobody wrote it down",
    )
    forced = option(whole(1), "what the winner puts down when there are no bids", default=1)
    winner = option(
        STATED, "who won; checked, and taken as said where bids are not recorded", computed=True
    )
    offered = Offered("U3.2", "everybody bids for the next scene")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        if state.scene is not None or state.bid_winner or not state.points.needs_bid(play):
            return
        wealth = {p: play.balance(f"wealth:{p}", COIN) for p in bidders(play)}
        sealed = {player: int(number) for player, (_, number) in _sealed_bids(play).items()}
        rng = by_chance(play)
        for _ in range(MOST if any(wealth.values()) else 0):
            bids = {p: rng.randint(0, min(4, max(0, coins))) for p, coins in wealth.items()}
            yield {"bid": {**bids, **sealed}}

    @property
    def by_name(self) -> Mapping[ScalarNode, Bid]:
        """The bids as they are written; none where they are unrecorded."""
        return self.bids if isinstance(self.bids, dict) else {}

    @guard("U2.5")
    def comes_after_preparation(self, play: Table) -> Iterator[Violation]:
        yield from bars_play_proper(play)

    @guard("U3.1")
    def comes_between_scenes(self, play: Table) -> Violation | None:
        """A bid comes between scenes only (U3.1, U3.23)."""
        state = play.state
        scene = state.scene
        if scene is None or play.gap > scene.step:
            return None
        if _in_mini_scene(play):
            return Violation(
                f"a bid after a Mini Scene: it ends with the turn, and '{scene.title}' goes on",
                facts=[play.because(scene.step, "the scene began here")],
                rule="U3.23",
            )
        return Violation(
            f"a bid while the scene '{scene.title}' is open",
            facts=[play.because(scene.step, "it began here and has not ended")],
            fix=add_entry("end scene:"),
            after=("bid",),
        )

    @guard("T74", DiagnosticKind.BOOKKEEPING)
    def is_as_sealed(self, play: Table) -> Iterator[Violation]:
        """A bid is what its seal proves it to be (U3.2)."""
        sealed = _sealed_bids(play)
        for word, player, stated in names_players(play, self.by_name, silently=True):
            bid, number = sealed.get(player, (None, ""))
            if bid is not None and stated != Bid(int(number)) and not stated.open:
                yield Violation(
                    f"{player} bids {stated}, and sealed {number}",
                    self.place("main", str(word)),
                    write_word(number),
                    facts=(play.because(bid.revealed_by, "opened here"),),
                )

    @guard("U3.2")
    def is_a_bid_of_each(self, play: Table) -> Iterator[Violation]:
        """Everybody at the table bids, and has the Coins."""
        if _in_mini_scene(play) or isinstance(self.bids, str):
            return
        at_table = bidders(play)
        named = [*names_players(play, self.by_name, silently=True)]
        for word, player, bid in named:
            place = self.place("main", str(word))
            if bid.coins < 0:
                yield Violation(
                    f"a bid of {amount_in_units(bid.coins, COIN)}",
                    place,
                    help="bids are whole Coins; 0 is a bid",
                    rule="U1.2",
                    kind=DiagnosticKind.UNREADABLE,
                )
                continue
            if player not in at_table:
                came = add_entry(f"arrive: {player}", when="if they came")
                yield Violation(f"{player} is not at the table and cannot bid", word, came)
                if not play.given and not play.is_excused("U3.2"):
                    continue
            wealth = wealth_before_bid(play, player)
            if bid.coins > wealth and not play.given:
                yield Violation(
                    f"{player} bids {bid} and has {wealth}",
                    place,
                    replace_with([str(wealth)]),
                    after=(f"wealth:{player}",),
                    since=play.unknown_until.get(f"wealth:{player}", 0),
                    state_kind="purses",
                )
        bidding = {player for _, player, _ in named}
        missing = [player for player in at_table if player not in bidding]
        if missing:
            yield Violation(
                f"no bid of {' and '.join(missing)} is recorded",
                "main",
                [set_pair("bid", player, "unrecorded") for player in missing],
                help="everybody at the table bids; 0 is a bid",
                kind=DiagnosticKind.UNKNOWN,
            )

    def apply(self, play: Table) -> None:
        """Everybody bids; the highest frames the next scene (U3.2 to U3.6)."""
        state = play.state
        preparation_over(play, asked=True)
        first_refreshment(play)
        if state.scene is not None:
            if _in_mini_scene(play):
                return
            close_scene(play, refreshes=play.gap <= state.scene.step)
        step = play.step
        step.headline = "Bids for the next scene"
        state.bid_step = step.number
        state.refreshment_open = False
        state.bids, state.bid_words = {}, {}
        state.tie_break = ""
        close_bids(play)
        if isinstance(self.bids, str):
            _unrecorded_bid(play, self)
            return
        at_table = None if play.given or play.is_excused("U3.2") else bidders(play)
        bids_read = {
            player: bid if bid.coins >= 0 else Bid(0)
            for _, player, bid in names_players(play, self.by_name)
            if at_table is None or player in at_table or bid.coins < 0
        }
        bids = state.bids = {player: bid.coins for player, bid in bids_read.items()}
        state.bid_words = {player: str(bid) for player, bid in bids_read.items() if bid.open}
        if bids_read:
            step.headline = f"Bids: {', '.join(f'{p} {bid}' for p, bid in bids_read.items())}"
        if _undecided(play, self, bids_read):
            return
        winner, why = _highest(play, bids)
        amount = bids.get(winner, 0)
        if not winner:
            play.illegal(
                "U3.5",
                "there are no bids, and no player has a Coin to put down",
                help="the rules stop here: agree on a Gimmick that brings Coins in",
            )
            return
        if amount == 0:
            amount = self.forced
        if self.winner is not None:
            stated = play.player(self.winner)
            play.check_presence(stated, self.place("winner"))
            if (
                stated
                and stated != winner
                and not (why == "lot" and bids.get(stated) == bids[winner])
            ):
                code = "U3.5" if not any(bids.values()) else "U3.4" if state.tie_break else "U3.3"
                play.illegal(
                    code,
                    f"{winner} wins the bid, not {stated}"
                    + (f": {state.tie_break}" if state.tie_break else ""),
                    at="winner",
                )
                winner = stated
                amount = bids.get(winner, 0) or self.forced
            elif stated:
                winner = stated
        if not any(bids.values()):
            wealth = play.balance(f"wealth:{winner}", COIN)
            play.require(
                amount <= wealth or play.given,
                "U3.5",
                f"{winner} puts {plural(amount, 'Coin')} down and has {wealth}",
                at=self.place("forced") if self.forced > 1 else None,
                after=(f"wealth:{winner}",),
            )
        _put_down(play, winner, amount)
        result = f"{winner} wins the bid with {plural(amount, 'Coin')}"
        order = sorted(bids, key=lambda name: (-bids[name], name != winner, play.seats.index(name)))
        play.step.bid_ranking = BidRanking(
            "Bids",
            tuple(
                RankedBid(name, bids[name], name == winner) for name in order if name in play.seats
            ),
            f"{state.tie_break[:1].upper()}{state.tie_break[1:]}." if state.tie_break else "",
            COIN,
            why if why != "lot" else "U3.4",
        )
        play.event(
            f"{result}: {state.tie_break}" if state.tie_break else result,
            why if why != "lot" else "U3.4",
        )


def _sealed_bids(play: Table) -> Mapping[str, tuple[Secret, str]]:
    """What the opened seals of this round prove: the number of each player."""
    round_ = play.state.sealed_bids.get("")
    opened = round_.opened() if round_ is not None else []
    sealed = ((bid, re.findall(r"[0-9]{1,9}", bid.value)) for bid in opened)
    return {
        bid.player: (bid, numbers[0])
        for bid, numbers in sealed
        if bid.proof is Proof.SEALED and len(numbers) == 1
    }


def _in_mini_scene(play: Table) -> bool:
    """Whether a Mini Scene is open, or ended just now, and the scene around it goes on."""
    state = play.state
    scene = state.scene
    if scene is None or play.gap > scene.step:
        return False
    return state.mini is not None or state.mini_step == play.step.number - 1


def _undecided(play: Table, action: BidForScene, bids: Mapping[str, Bid]) -> bool:
    """Who won where the record does not have all bids: the named player, else it is unknown."""
    known_coins = [bid.coins for bid in bids.values() if not bid.open]
    best = max(known_coins, default=0)
    could = [
        player
        for player, bid in bids.items()
        if bid.open and max(bid.coins, play.balance(f"wealth:{player}", COIN)) >= best
    ]
    if not could and not play.state.starter_sure and not play.state.last_framer:
        # The seats next to the first player decide a tie.
        tied = [player for player, bid in bids.items() if bid.coins == best]
        could = tied if len(tied) > 1 else []
    if not could:
        return False
    winner = play.player(action.winner)
    play.check_presence(winner, action.place("winner"))
    if not winner:
        play.unknown(
            "U3.2",
            f"not all bids are recorded, and {listed(could, 'or')} may have won",
            at="main",
            fix=[set_key("winner", player, when=f"if {player} won") for player in could],
        )
        play.state.bids = {}
        return True
    if winner not in could and bids.get(winner, Bid(0)).coins < best:
        return False
    bid = bids.get(winner, Bid(0, open=True))
    _put_down(play, winner, bid.coins)
    if bid.open:
        _unrecorded_payment(play, winner)
    play.event(f"{winner} wins the bid with {bid} {'Coin' if str(bid) == '1' else 'Coins'}", "U3.3")
    return True


def _highest(play: Table, bids: dict[str, int]) -> tuple[str, str]:
    """The winner of a bid and the rule that decided."""
    state = play.state
    if not bids:
        return "", "U3.5"
    circle = _circle(play, list(bids))
    best = max(bids.values())
    if best == 0:
        circle = _circle(play, list(bids), tied=False)
        rich = [p for p in circle if play.balance(f"wealth:{p}", COIN) > 0]
        if not rich:
            return "", "U3.5"
        state.tie_break = "there were no bids, so it is the next player clockwise who has a Coin"
        return rich[0], "U3.5"
    tied = [p for p in circle if bids[p] == best]
    if len(tied) == 1:
        return tied[0], "U3.3"
    framer = state.last_framer
    without = ""
    if framer in tied and play.ruling("framer ties") == "excluded":
        tied.remove(framer)
        without = f", without {framer}, who framed last"
    if not framer and play.ruling("first tie") == "lot":
        state.tie_break = "a tie, decided by lot"
        return tied[0], "lot"
    last_framer = framer or state.starter
    state.tie_break = f"a tie{without}; {tied[0]} sits closest to {last_framer}'s left"
    return tied[0], "U3.4"


def _circle(play: Table, players: list[str], *, tied: bool = True) -> list[str]:
    """Players clockwise from the last framer's left; before scene one from the starting player (S9).
    A table may let the last framer come first among those who are ``tied``."""
    state = play.state
    seats = play.seats
    framer = state.last_framer
    first = framer or state.starter or seats[0]
    start = seats.index(first) if first in seats else 0
    leads = (
        tied and play.rulings["framer ties"] == "first"
        if framer
        else play.rulings["first tie"] == "starter"
    )
    shift = 0 if leads else 1
    return sorted(
        (p for p in players if p in seats),
        key=lambda p: (seats.index(p) - start - shift) % len(seats),
    )


def _put_down(play: Table, winner: str, amount: int) -> None:
    wealth = f"wealth:{winner}"
    short = amount - play.balance(wealth, COIN)
    if short > 0:
        play.move(UNEXPLAINED, wealth, short, COIN, "U3.2", "met so that play can go on")
        play.taint(wealth)
    play.move(wealth, f"bid:{winner}", amount, COIN, "U3.3", "the winning bid, on the table")
    play.state.bid_winner = winner


def _unrecorded_payment(play: Table, winner: str) -> None:
    """The winner puts down a number of Coins that nobody wrote down: at most the rest is left."""
    play.unrecorded(f"wealth:{winner}", can_only_lower=True)
    play.unrecorded(f"bid:{winner}")


def _unrecorded_bid(play: Table, action: BidForScene) -> None:
    winner = play.player(action.winner)
    play.check_presence(winner, action.place("winner"))
    play.unknown("U3.2", "the bids are not recorded", fix=() if winner else set_key("winner"))
    if winner:
        play.state.bid_winner = winner
        _unrecorded_payment(play, winner)
