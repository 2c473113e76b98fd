"""Fines (chapter 3): thumbs up, thumbs down, and who pays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import listed, plural
from chronicle.core.field_types import NAME, TEXT, in_role
from chronicle.core.fix import set_key
from chronicle.core.guards import Violation, away_violation, guard, question
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins
from chronicle.games.universalis.actions import COUNT_OF, STATED, THUMBS_OR_UNRECORDED, Entry
from chronicle.games.universalis.moves import acting
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import BANK, COIN, FineRecord
from chronicle.games.universalis.table import names_players

Votes: TypeAlias = "int | tuple[ScalarNode, ...] | None"


class Tally(NamedTuple):
    """How many thumbs are up and down; which thumb each who is named showed, and the word that names the player; and
    what is wrong with the votes."""

    up: int
    down: int
    voted: Mapping[str, str]
    words: Mapping[str, ScalarNode]
    violations: Sequence[Violation]


class Vote(NamedTuple):
    """A vote on a Fine: its thumbs, who may show one, and who pays how much. ``capped``: that is all there is."""

    tally: Tally
    voters: set[str]
    payer: str
    amount: int
    capped: bool


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

    def vote(self, play: Table, *, silently: bool = True) -> Vote | None:
        """The thumbs, and who pays how much; nothing where the log does not give them."""
        accused = play.look_up_player(self.accused)
        if not accused or isinstance(self.up, str) or isinstance(self.down, str):
            return None
        accuser = play.step.player
        tally = count_votes(play, self.up, self.down, "U3.56", silently=silently)
        up, down = tally.up, tally.down
        payer, amount = (accused, up) if up > down else (accuser, down) if down > up else ("", 0)
        has = max(0, play.balance(f"wealth:{payer}", COIN)) if payer else 0
        capped = has < amount and not play.given and play.ruling("large fine") == "what there is"
        voters = play.state.points.fine_voters(play, accuser, accused)
        return Vote(tally, voters, payer, has if capped else amount, capped)

    @guard("U3.56")
    def counts_each_voter_once(self, play: Table) -> Iterable[Violation]:
        vote = self.vote(play)
        return vote.tally.violations if vote is not None else ()

    @question("U7.1")
    def is_voted_by_those_who_may(self, play: Table) -> Iterator[Violation]:
        vote = self.vote(play)
        if vote is None:
            return
        tally, voters = vote.tally, vote.voters
        named = listed(player for player in play.seats if player in voters)
        for player, word in tally.words.items():
            if player not in voters:
                message = f"{player} does not vote on this Fine"
                yield Violation(message, word, help=f"voters: {named}")
        thumbs = tally.up + tally.down
        if thumbs > len(voters):
            yield Violation(f"{thumbs} thumbs, and {len(voters)} may vote: {named}")

    @guard("U3.56", at="paid to")
    def is_paid_to_the_bank(self, play: Table) -> str | None:
        is_elsewhere = self.paid_to is not None and self.paid_to.casefold() != "bank"
        is_paid = is_elsewhere and self.vote(play) is not None
        return "a Fine is paid to the Bank" if is_paid else None

    @guard("U3.56")
    def is_paid_as_voted(self, play: Table) -> Iterator[Violation]:
        vote = self.vote(play) if self.pays else None
        if vote is None:
            return
        for word, player, stated in names_players(play, self.pays or {}, silently=True):
            due = vote.amount if player == vote.payer else 0
            if stated != due:
                why = (
                    "all that there is" if vote.capped and due else "1 Coin for each winning thumb"
                )
                message = f"{player} pays {plural(due, 'Coin')}, not {stated}: {why}"
                yield Violation(message, self.place("pays", str(word)))

    def apply(self, play: Table) -> None:
        """Thumbs up, thumbs down; the side that is voted down pays as many Coins as there are thumbs (U3.56)."""
        state, step = play.state, play.step
        accuser, accused = step.player, play.player(self.accused)
        if not accused:
            return
        vote = self.vote(play, silently=False)
        if vote is None:
            coins.unknown_amount(play, accuser, accused)
            state.fines.append(FineRecord(step.number, accuser, accused, 0, 0, "", 0))
            play.event("the thumbs are not recorded", "U3.56", "fine")
            step.headline = f"A Fine for {accused}?"
            return
        for word in self.pays or {}:
            play.player(word)
        up, down, voted = vote.tally.up, vote.tally.down, vote.tally.voted
        payer, amount = vote.payer, vote.amount
        step.headline = f"A Fine for {accused}? {up} : {down}"
        for thumb in dict.fromkeys(voted.values()):
            named = listed(player for player, showed in voted.items() if showed == thumb)
            play.event(f"thumbs {thumb}: {named}", "U3.56", "thumbs")
        if not amount or play.given:
            play.event("no player pays" if not amount else f"{payer} paid", "U3.56", "fine")
            state.fines.append(FineRecord(step.number, accuser, accused, up, down, "", 0))
            return
        if vote.capped:
            play.event(f"{payer} has only {amount}", "U3.56")
        play.move(f"wealth:{payer}", BANK, amount, COIN, "U3.56", "a Fine")
        state.fines.append(FineRecord(step.number, accuser, accused, up, down, payer, amount))
        play.event(f"{payer} pays {plural(amount, 'Coin')}", "U3.56", "fine")


def count_votes(play: Table, up: Votes, down: Votes, rule: str, *, silently: bool = True) -> Tally:
    """How many are for and against: everybody counts once, and only at the table. An unknown name is reported and
    left out, for guards ``silently``."""
    counts: list[int] = []
    voted: dict[str, str] = {}
    words: dict[str, ScalarNode] = {}
    violations: list[Violation] = []
    for votes, thumb in ((up, "up"), (down, "down")):
        if not isinstance(votes, tuple):
            counts.append(votes or 0)
            continue
        votes_before = len(voted)
        for word in votes:
            player = play.look_up_player(word) if silently else play.player(word)
            if player in voted:
                contradiction = "twice" if voted[player] == thumb else "up and down"
                message = f"{player} votes {contradiction}; each player has one vote"
                fault = Violation(message, word, help="take one of them out", rule=rule)
                violations.append(fault)
            elif player in play.present or (player and play.given):
                voted[player], words[player] = thumb, word
            elif away := away_violation(play, player, word):
                violations.append(away)
        counts.append(len(voted) - votes_before)
    return Tally(counts[0], counts[1], voted, words, violations)
