"""Fines (chapter 3): thumbs up, thumbs down, and who pays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, TEXT, in_role
from chronicle.core.fix import set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins
from chronicle.games.universalis.actions import COUNT_OF, STATED, THUMBS_OR_UNRECORDED, Entry
from chronicle.games.universalis.moves import acting
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import BANK, COIN, FineRecord
from chronicle.games.universalis.table import names_players

Votes: TypeAlias = "int | tuple[ScalarNode, ...] | None"


class LevyFine(Entry):
    """Ask for a Fine against a player. Thumbs up, thumbs down; the losing side of the vote pays."""

    verb = "fine"
    synonyms = ("penalty", "vote")
    about_table = True
    decides = Decides("accuser")
    keeps_outcome = True
    example = "fine: Dave\n  by: Ed\n  up: 4"
    accused = main(in_role("is accused", NAME), "the player accused")
    up = option(THUMBS_OR_UNRECORDED, "thumbs up", default=0)
    down = option(THUMBS_OR_UNRECORDED, "thumbs down", default=0)
    for_ = option(TEXT, "what for")
    pays = option(COUNT_OF, "{player: Coins}; checked", computed=True)
    paid_to = option(STATED, "who got the Coins; they go to the Bank")
    offered = Offered("U3.55", "ask for a Fine")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, player, by in acting(play):
            for other_player in play.present:
                if other_player == player or other_player not in play.seats:
                    continue
                if len(play.state.points.fine_voters(play, player, other_player)) > 1:
                    yield {"fine": other_player, "up": 1, "down": 1, **by}

    @guard("U3.55")
    def is_against_another(self, play: Table) -> Violation | None:
        accused = play.look_up_player(self.accused)
        if not accused or accused != play.step.player:
            return None
        return Violation(
            f"{accused} asks for a Fine against {accused}",
            fix=set_key("by"),
            help="name the accuser",
        )

    def apply(self, play: Table) -> None:
        """Thumbs up, thumbs down; the side that is voted down pays as many Coins as there are thumbs (U3.56)."""
        state = play.state
        step = play.step
        accuser = step.player
        accused = play.player(self.accused)
        if not accused:
            return
        if isinstance(self.up, str) or isinstance(self.down, str):
            coins.unknown_amount(play, accuser, accused)
            state.fines.append(FineRecord(step.number, accuser, accused, 0, 0, "", 0))
            play.event("the thumbs are not recorded", "U3.56", "fine")
            step.headline = f"A Fine for {accused}?"
            return
        voters = state.points.fine_voters(play, accuser, accused)
        up, down, voted = count_votes(play, self.up, self.down, "U3.56", voters)
        play.suspect(
            up + down > len(voters),
            "U7.1",
            f"{up + down} thumbs, and {len(voters)} may vote: {listed(p for p in play.seats if p in voters)}",
        )
        payer, amount = (accused, up) if up > down else (accuser, down) if down > up else ("", 0)
        if self.paid_to is not None and self.paid_to.casefold() != "bank":
            play.illegal("U3.56", "a Fine is paid to the Bank", at="paid to")
        has = max(0, play.balance(f"wealth:{payer}", COIN)) if payer else 0
        capped = has < amount and not play.given and play.ruling("large fine") == "what there is"
        amount = has if capped else amount
        for word, player, stated in names_players(play, self.pays or {}):
            due = amount if player == payer else 0
            if stated != due:
                play.illegal(
                    "U3.56",
                    f"{player} pays {plural(due, 'Coin')}, not {stated}: "
                    + ("all that there is" if capped and due else "1 Coin for each winning thumb"),
                    at=self.place("pays", str(word)),
                )
        step.headline = f"A Fine for {accused}? {up} : {down}"
        for thumb in dict.fromkeys(voted.values()):
            named = listed(player for player, showed in voted.items() if showed == thumb)
            play.event(f"thumbs {thumb}: {named}", "U3.56", "thumbs")
        if not amount or play.given:
            play.event("no player pays" if not amount else f"{payer} paid", "U3.56", "fine")
            state.fines.append(FineRecord(step.number, accuser, accused, up, down, "", 0))
            return
        if capped:
            play.event(f"{payer} has only {has}", "U3.56")
        play.move(f"wealth:{payer}", BANK, amount, COIN, "U3.56", "a Fine")
        state.fines.append(FineRecord(step.number, accuser, accused, up, down, payer, amount))
        play.event(f"{payer} pays {plural(amount, 'Coin')}", "U3.56", "fine")


def count_votes(
    play: Table, up: Votes, down: Votes, rule: str, voters: set[str] | None = None
) -> tuple[int, int, dict[str, str]]:
    """How many are for and against, and which thumb each who is named showed: everybody counts once, and
    only at the table."""
    counts: list[int] = []
    voted: dict[str, str] = {}
    for votes, thumb in ((up, "up"), (down, "down")):
        if not isinstance(votes, tuple):
            counts.append(votes or 0)
            continue
        votes_before = len(voted)
        for word in votes:
            player = play.player(word)
            if not player:
                continue
            if player in voted:
                contradiction = "twice" if voted[player] == thumb else "up and down"
                play.illegal(
                    rule,
                    f"{player} votes {contradiction}; each player has one vote",
                    at=word,
                    help="take one of them out",
                )
                continue
            if player not in play.present and not play.given:
                play.check_presence(player, word)
                continue
            voted[player] = thumb
            play.suspect(
                voters is not None and player not in voters,
                "U7.1",
                f"{player} does not vote on this Fine",
                at=word,
                help=f"voters: {listed(p for p in play.seats if p in (voters or ()))}",
            )
        counts.append(len(voted) - votes_before)
    return counts[0], counts[1], voted
