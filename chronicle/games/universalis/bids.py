"""Chapter 3, bids: who frames the next scene."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, amount_in_units, listed, plural
from chronicle.core.field_types import NAME, UNRECORDED, EitherOf, MapOf, choice, in_role, whole
from chronicle.core.fix import add_entry, replace_with, set_key, set_pair, write_word
from chronicle.core.guards import Violation, away_violation, guard
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


class Result(NamedTuple):
    """What the bids of a round come to: who wins, the rule that decides, and how a tie was broken. ``could_win``: who
    may have won, where not all bids are recorded."""

    bids: Mapping[str, Bid]
    winner: str
    rule: str = "U3.3"
    tie_break: str = ""
    could_win: Sequence[str] = ()

    @property
    def is_bid(self) -> bool:
        """Whether anybody bid a Coin."""
        return any(bid.coins for bid in self.bids.values())


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

    @guard("U3.3")
    def is_won_as_bid(self, play: Table) -> Iterator[Violation]:
        """The highest bid wins; a tie and a round without bids have rules of their own (U3.3 to U3.5)."""
        if _in_mini_scene(play):
            return
        stated, place = self.stated_winner(play), self.place("winner")
        if away := away_violation(play, stated, place):
            yield away
        if isinstance(self.bids, str):
            fix = () if stated else set_key("winner")
            unknown = DiagnosticKind.UNKNOWN
            yield Violation("the bids are not recorded", fix=fix, rule="U3.2", kind=unknown)
        elif all(map(play.look_up_player, self.by_name)):
            yield from self._bars_winner(play, stated, self.result(play))

    def _bars_winner(self, play: Table, stated: str, result: Result) -> Iterator[Violation]:
        winner = result.winner
        if result.could_win:
            if not winner:
                yield Violation(
                    f"not all bids are recorded, and {listed(result.could_win, 'or')} may have won",
                    "main",
                    [set_key("winner", p, when=f"if {p} won") for p in result.could_win],
                    rule="U3.2",
                    kind=DiagnosticKind.UNKNOWN,
                )
            return
        if not winner:
            yield Violation(
                "there are no bids, and no player has a Coin to put down",
                help="the rules stop here: agree on a Gimmick that brings Coins in",
                rule="U3.5",
            )
            return
        if stated and stated != winner:
            why = f": {result.tie_break}" if result.tie_break else ""
            message = f"{winner} wins the bid, not {stated}{why}"
            yield Violation(message, self.place("winner"), rule=result.rule)
        winner = stated or winner
        wealth = wealth_before_bid(play, winner)
        if not result.is_bid and self.forced > wealth and not play.given:
            yield Violation(
                f"{winner} puts {plural(self.forced, 'Coin')} down and has {wealth}",
                self.place("forced") if self.forced > 1 else None,
                after=(f"wealth:{winner}",),
                rule="U3.5",
            )

    def stated_winner(self, play: Table) -> str:
        """Who won, as the log says; empty where it does not."""
        return play.look_up_player(self.winner) if self.winner is not None else ""

    def result(self, play: Table) -> Result:
        """What the bids come to by the rules."""
        at_table = None if play.given or play.is_excused("U3.2") else bidders(play)
        bids = {
            player: bid if bid.coins >= 0 else Bid(0)
            for _, player, bid in names_players(play, self.by_name, silently=True)
            if at_table is None or player in at_table or bid.coins < 0
        }
        stated = self.stated_winner(play)
        return _undecided(play, bids, stated) or _highest(play, bids, stated)

    def apply(self, play: Table) -> None:
        """Everybody bids; the highest frames the next scene (U3.2 to U3.6)."""
        state, step = play.state, play.step
        preparation_over(play)
        first_refreshment(play)
        if state.scene is not None:
            if _in_mini_scene(play):
                return
            close_scene(play, refreshes=play.gap <= state.scene.step)
        step.headline = "Bids for the next scene"
        state.bid_step = step.number
        state.refreshment_open = False
        close_bids(play)
        for word in (*self.by_name, *((self.winner,) if self.winner is not None else ())):
            play.player(word)
        stated, result = self.stated_winner(play), self.result(play)
        winner = (
            stated if isinstance(self.bids, str) else result.winner and (stated or result.winner)
        )
        bid = result.bids.get(winner, Bid(0, open=True))
        state.bids = {player: bid.coins for player, bid in result.bids.items()}
        state.bid_words = {player: str(bid) for player, bid in result.bids.items() if bid.open}
        state.tie_break = result.tie_break
        if result.bids:
            bids = (f"{player} {bid}" for player, bid in result.bids.items())
            step.headline = f"Bids: {', '.join(bids)}"
        if result.could_win and not winner:
            state.bids = {}
        if not winner:
            return
        if isinstance(self.bids, str):
            state.bid_winner = winner
        elif result.could_win:
            _put_down(play, winner, bid.coins)
            coins = "Coin" if str(bid) == "1" else "Coins"
            play.event(f"{winner} wins the bid with {bid} {coins}", "U3.3")
        else:
            _win(play, result, winner, bid.coins or self.forced)
            return
        if bid.open:
            # At most the rest is left.
            play.unrecorded(f"wealth:{winner}", can_only_lower=True)
            play.unrecorded(f"bid:{winner}")


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


def _undecided(play: Table, bids: Mapping[str, Bid], stated: str) -> Result | None:
    """The result where the record does not have all bids: the winner is the player whom the log names, else unknown.
    Nothing where the known bids decide."""
    known_coins = [bid.coins for bid in bids.values() if not bid.open]
    best = max(known_coins, default=0)
    could_win = [
        player
        for player, bid in bids.items()
        if bid.open and max(bid.coins, wealth_before_bid(play, player)) >= best
    ]
    if not could_win and not play.state.starter_sure and not _last_framer(play):
        # The seats next to the first player decide a tie.
        tied = [player for player, bid in bids.items() if bid.coins == best]
        could_win = tied if len(tied) > 1 else []
    is_outbid = stated and stated not in could_win and bids.get(stated, Bid(0)).coins < best
    return Result(bids, stated, could_win=could_win) if could_win and not is_outbid else None


def _highest(play: Table, bids: Mapping[str, Bid], stated: str) -> Result:
    """The winner of the highest bid. Where a lot decides, that is the player ``stated``, if it is one of those tied."""
    circle = _circle(play, list(bids))
    best = max((bid.coins for bid in bids.values()), default=0)
    if best == 0:
        circle = _circle(play, list(bids), tied=False)
        rich = [p for p in circle if wealth_before_bid(play, p) > 0]
        next_one = "there were no bids, so it is the next player clockwise who has a Coin"
        return Result(bids, rich[0], "U3.5", next_one) if rich else Result(bids, "", "U3.5")
    tied = [player for player in circle if bids[player].coins == best]
    if len(tied) == 1:
        return Result(bids, tied[0])
    framer = _last_framer(play)
    without = ""
    if framer in tied and play.ruling("framer ties") == "excluded":
        tied.remove(framer)
        without = f", without {framer}, who framed last"
    if not framer and play.ruling("first tie") == "lot":
        winner = stated if stated in tied else tied[0]
        return Result(bids, winner, "U3.4", "a tie, decided by lot")
    seat = f"{tied[0]} sits closest to {framer or play.state.starter}'s left"
    return Result(bids, tied[0], "U3.4", f"a tie{without}; {seat}")


def _last_framer(play: Table) -> str:
    """Who framed the last scene, which may end with the bid only."""
    scene = play.state.scene
    return (scene.framer if scene is not None else "") or play.state.last_framer


def _circle(play: Table, players: list[str], *, tied: bool = True) -> list[str]:
    """Players clockwise from the last framer's left; before scene one from the starting player (S9).
    A table may let the last framer come first among those who are ``tied``."""
    seats, framer = play.seats, _last_framer(play)
    first = framer or play.state.starter or seats[0]
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


def _win(play: Table, result: Result, winner: str, amount: int) -> None:
    """The winner puts the Coins on the table; everybody's bids stand in a list."""
    bids, reason = play.state.bids, result.tie_break
    _put_down(play, winner, amount)
    order = sorted(
        filter(play.seats.__contains__, bids),
        key=lambda name: (-bids[name], name != winner, play.seats.index(name)),
    )
    play.step.bid_ranking = BidRanking(
        "Bids",
        tuple(RankedBid(name, bids[name], name == winner) for name in order),
        f"{reason[:1].upper()}{reason[1:]}." if reason else "",
        COIN,
        result.rule,
    )
    words = f"{winner} wins the bid with {plural(amount, 'Coin')}"
    play.event(f"{words}: {reason}" if reason else words, result.rule)


def _put_down(play: Table, winner: str, amount: int) -> None:
    wealth = f"wealth:{winner}"
    short = amount - play.balance(wealth, COIN)
    if short > 0:
        play.move(UNEXPLAINED, wealth, short, COIN, "U3.2", "met so that play can go on")
        play.taint(wealth)
    play.move(wealth, f"bid:{winner}", amount, COIN, "U3.3", "the winning bid, on the table")
    play.state.bid_winner = winner
