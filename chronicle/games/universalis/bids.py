"""Chapter 3, bids: who frames the next scene."""

from __future__ import annotations

import re
from collections.abc import Mapping

from chronicle.core.diagnostic import DiagnosticKind, amount_in_units, listed, plural
from chronicle.core.fix import add_entry, replace_with, set_key, set_pair, write_word
from chronicle.core.ledger import UNEXPLAINED
from chronicle.core.names import PLAYER, Named
from chronicle.core.record import Ladder, Rung
from chronicle.core.secrets import Proof, Secret
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import Bid, BidForScene
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import preparation_over
from chronicle.games.universalis.refreshment import bidders, first_refreshment
from chronicle.games.universalis.scenes import close_scene
from chronicle.games.universalis.sealed_bids import close_bids
from chronicle.games.universalis.state import COIN
from chronicle.games.universalis.table import names_players


def bid(play: Table, action: BidForScene) -> None:
    """Everybody bids; the highest frames the next scene (U3.2 to U3.6)."""
    state = play.state
    preparation_over(play)
    first_refreshment(play)
    if not _between_scenes(play, "a bid"):
        return
    step = play.step
    step.headline = "Bids for the next scene"
    state.bid_step = step.number
    state.refreshment_open = False
    state.bids, state.bid_words = {}, {}
    state.tie_break = ""
    round_ = state.sealed_bids.get("")
    opened = round_.opened() if round_ is not None else []
    sealed = {bid.player: bid for bid in opened if bid.proof is Proof.SEALED}
    close_bids(play)
    if isinstance(action.bids, str):
        _unrecorded_bid(play, action)
        return
    for word in action.bids if isinstance(action.bids, dict) else ():
        _as_sealed(play, action, word, sealed)
    bids_read = _read_bids(play, action)
    bids = state.bids = {player: bid.coins for player, bid in bids_read.items()}
    state.bid_words = {player: str(bid) for player, bid in bids_read.items() if bid.open}
    missing = [p for p in bidders(play) if p not in bids]
    play.require(
        not missing,
        "U3.2",
        f"no bid of {' and '.join(missing)} is recorded",
        at="main",
        fix=[set_pair("bid", player, "unrecorded") for player in missing],
        help="everybody at the table bids; 0 is a bid",
        kind=DiagnosticKind.UNKNOWN,
    )
    if _undecided(play, action, bids_read):
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
        amount = action.forced
    if action.winner is not None:
        stated = play.player(action.winner)
        play.check_presence(stated, action.place("winner"))
        if stated and stated != winner and not (why == "lot" and bids.get(stated) == bids[winner]):
            code = "U3.5" if not any(bids.values()) else "U3.4" if state.tie_break else "U3.3"
            play.illegal(
                code,
                f"{winner} wins the bid, not {stated}"
                + (f": {state.tie_break}" if state.tie_break else ""),
                at="winner",
            )
            winner = stated
            amount = bids.get(winner, 0) or action.forced
        elif stated:
            winner = stated
    if not any(bids.values()):
        wealth = play.balance(f"wealth:{winner}", COIN)
        play.require(
            amount <= wealth or play.given,
            "U3.5",
            f"{winner} puts {plural(amount, 'Coin')} down and has {wealth}",
            at=action.place("forced") if action.forced > 1 else None,
            after=(f"wealth:{winner}",),
        )
    _put_down(play, winner, amount)
    result = f"{winner} wins the bid with {plural(amount, 'Coin')}"
    order = sorted(bids, key=lambda name: (-bids[name], name != winner, play.seats.index(name)))
    play.step.ladder = Ladder(
        "Bids",
        tuple(Rung(name, bids[name], name == winner) for name in order if name in play.seats),
        f"{state.tie_break[:1].upper()}{state.tie_break[1:]}." if state.tie_break else "",
        COIN,
        why if why != "lot" else "U3.4",
    )
    play.event(
        f"{result}: {state.tie_break}" if state.tie_break else result,
        why if why != "lot" else "U3.4",
    )


def _as_sealed(
    play: Table, action: BidForScene, word: ScalarNode, sealed: Mapping[str, Secret]
) -> None:
    """A bid is what its seal proves it to be (U3.2)."""
    match = play.names.find(word, (PLAYER,))
    bid = sealed.get(match.id) if isinstance(match, Named) else None
    numbers = re.findall(r"[0-9]{1,9}", bid.value) if bid is not None else []
    if bid is None or len(numbers) != 1 or not isinstance(action.bids, dict):
        return
    stated = action.bids[word]
    play.require(
        stated.coins == int(numbers[0]) or stated.open,
        "T74",
        f"{bid.player} bids {stated}, and sealed {numbers[0]}",
        at=action.place("main", str(word)),
        fix=write_word(numbers[0]),
        facts=(play.because(bid.revealed_by, "opened here"),),
        kind=DiagnosticKind.BOOKKEEPING,
    )


def _between_scenes(play: Table, doing: str) -> bool:
    """A bid or a Refreshment comes between scenes only (U3.1, U3.23)."""
    state = play.state
    scene = state.scene
    if scene is None:
        return True
    if play.gap > scene.step:
        close_scene(play, refreshes=False)
        return True
    if state.mini_step == play.step.number - 1 or state.mini is not None:
        return play.illegal(
            "U3.23",
            f"{doing} after a Mini Scene: it ends with the turn, and '{scene.title}' goes on",
            facts=[play.because(scene.step, "the scene began here")],
        )
    play.illegal(
        "U3.1",
        f"{doing} while the scene '{scene.title}' is open",
        facts=[play.because(scene.step, "it began here and has not ended")],
        fix=add_entry("end scene:"),
        after=("bid",),
    )
    close_scene(play, refreshes=True)
    return True


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


def _read_bids(play: Table, action: BidForScene) -> dict[str, Bid]:
    bids: dict[str, Bid] = {}
    if not isinstance(action.bids, dict):
        return bids
    for word, player, bid in names_players(play, action.bids):
        place, amount = action.place("main", str(word)), bid.coins
        if not play.require(
            amount >= 0,
            "U1.2",
            f"a bid of {amount_in_units(amount, COIN)}",
            at=place,
            help="bids are whole Coins; 0 is a bid",
            kind=DiagnosticKind.UNREADABLE,
        ):
            bids[player] = Bid(0)
            continue
        if (
            not play.require(
                player in bidders(play),
                "U3.2",
                f"{player} is not at the table and cannot bid",
                at=word,
                fix=add_entry(f"arrive: {player}", when="if they came"),
            )
            and not play.given
            and not play.is_excused("U3.2")
        ):
            continue
        wealth = play.balance(f"wealth:{player}", COIN)
        play.require(
            amount <= wealth or play.given,
            "U3.2",
            f"{player} bids {bid} and has {wealth}",
            at=place,
            fix=replace_with([str(wealth)]),
            after=(f"wealth:{player}",),
            since=play.unknown_until.get(f"wealth:{player}", 0),
            state_kind="purses",
        )
        bids[player] = bid
    return bids


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
