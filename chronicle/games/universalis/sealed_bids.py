"""Bids that players seal separately and open together, so that no player chooses after seeing another bid."""

from __future__ import annotations

from typing import Final

from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.fix import add_entry
from chronicle.core.names import fold
from chronicle.core.secrets import Secret
from chronicle.core.shared_verbs import COMMON_HANDLERS, Reveal, Sealed
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import BidRound

BID: Final = "bid"
"""The kind of a seal that takes part."""


def seal(play: Table, action: Sealed) -> None:
    """Seal something; a bid joins its round."""
    COMMON_HANDLERS[Sealed](play, action)
    secret = max(play.vault.secrets.values(), key=lambda secret_: secret_.step_number)
    if fold(secret.kind) == BID:
        _seal_bid(play, secret)


def reveal(play: Table, action: Reveal) -> None:
    """Open a secret; a bid only when all are sealed."""
    secret = play.vault.secrets.get(action.secret)
    if secret is not None and secret.seal and fold(secret.kind) == BID and not secret.revealed_by:
        _open_bid(play, secret)
    COMMON_HANDLERS[Reveal](play, action)


def _seal_bid(play: Table, bid: Secret) -> None:
    """A bid is sealed while all the others are shut; a player's next bid begins the next round."""
    rounds = play.state.sealed_bids
    round_ = rounds.get(bid.subject)
    opened = round_.opened() if round_ is not None else []
    scene = len(play.timeline.scenes)
    if round_ is None or round_.scene != scene or (opened and round_.of(bid.player) is not None):
        if round_ is not None:
            close_bids(play, bid.subject)
        rounds[bid.subject] = BidRound(scene, [bid])
        return
    if opened and bid.player:
        first = opened[0]
        key = f"bids:{bid.subject}"
        late = play.report(
            DiagnosticKind.ILLEGAL,
            "T78",
            f"{bid.player} seals a bid after {first.player}'s was opened",
            facts=(play.because(first.revealed_by, f"{first.player}'s bid is opened here"),),
            help="bid again: everybody seals, and only then is the first seal opened",
            after=(key,),
        )
        play.taint(key)
        for doubt in play.steps[first.revealed_by - 1].diagnostics:
            # The doubt at the opening of the first bid is now a fact.
            if doubt.code == "T78" and doubt.cause is None and late.cause is None:
                doubt.cause = late
                late.dependents.append(doubt)
    round_.bids.append(bid)


def _open_bid(play: Table, bid: Secret) -> None:
    """No bid is opened before all bidders have sealed theirs."""
    round_ = play.state.sealed_bids.get(bid.subject)
    if round_ is None or bid not in round_.bids or round_.opened():
        return
    bidders = [name for name in play.seats if name in play.present]
    missing = [name for name in bidders if name != bid.player and round_.of(name) is None]
    if missing:
        play.unknown(
            "T78",
            f"{_whose(bid)} bid is opened, and {listed(missing)} sealed none before: "
            "nothing shows that no player waited for it",
            facts=(play.because(bid.step_number, "sealed here"),),
            help="wait until everybody has sealed, and open the bids then",
        )


def _whose(bid: Secret) -> str:
    """Whose bid it is, as a possessive; possibly it was not written down."""
    return f"{bid.player}'s" if bid.player else "somebody's"


def close_bids(play: Table, subject: str = "") -> None:
    """End a round of bids, because they are put to use or the next ones are sealed. Unopened bids are then
    reported."""
    round_ = play.state.sealed_bids.pop(subject, None)
    shut = round_.shut() if round_ is not None else []
    play.settle(f"bids:{subject}")
    if shut:
        whose = listed(map(_whose, shut))
        play.unknown(
            "T79",
            f"{whose} sealed bid was never opened"
            if len(shut) == 1
            else f"the sealed bids were never opened: {whose}",
            facts=tuple(
                play.because(bid.step_number, f"{_whose(bid)} was sealed here") for bid in shut
            ),
            fix=add_entry(f"reveal: {shut[0].secret_id}\nopening: ..."),
        )
