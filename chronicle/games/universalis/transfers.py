"""Coins that pass from one player to another, where a Gimmick allows it: loans and gifts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main
from chronicle.core.diagnostic import amount_in_units, plural
from chronicle.core.field_types import MapOf
from chronicle.core.fix import add_entry, write_word
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard, question
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins
from chronicle.games.universalis.actions import AMOUNT, GETS_COINS, ON_A_TURN, Entry
from chronicle.games.universalis.moves import acting
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import COIN, Debt
from chronicle.games.universalis.table import names_players


class Transfer(Entry):
    """An entry by which Coins pass from the player who acts to others."""

    allowed_by = ""
    """What a Gimmick has to allow for it, as its key in ``sets:``."""

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, player, by in acting(play):
            if play.balance(f"wealth:{player}", COIN) > 0:
                for other_player in play.present:
                    if other_player != player:
                        yield {cls.verb: {other_player: 1}, **by}

    def transfers(self) -> Mapping[ScalarNode, int | None]:
        """What each player gets; None where nobody wrote it down."""
        raise NotImplementedError

    def deed(self, giver: str, taker: str) -> str:
        """What it is, in words."""
        raise NotImplementedError

    @guard("U2.14")
    def is_allowed(self, play: Table) -> Iterator[Violation]:
        if self.allowed_by and not play.state.points.may_transfer(play, self.verb):
            for word in self.transfers():
                deed = self.deed(play.step.player, play.look_up_player(word) or str(word))
                yield Violation(
                    f"{deed}, and no Gimmick allows it",
                    word,
                    add_entry(f"gimmick: ...\nsets: {{{self.allowed_by}: yes}}"),
                )

    @question("U2.14", help="name another player, or leave the entry out")
    def is_to_another(self, play: Table) -> Iterator[str]:
        player = play.step.player
        for word in self.transfers():
            if player and play.look_up_player(word) == player:
                yield f"{player} hands Coins over to {player}"


class Lend(Transfer):
    """Lend Coins to another player; a Gimmick must allow it."""

    verb = "lend"
    synonyms = ("loan",)
    decides = Decides("turn", "U3.57", action_phrase="lends Coins")
    moment = ON_A_TURN
    example = "lend: {Cleo: 4}\n  by: Ana\n  under: loans"
    loans = main(MapOf(GETS_COINS, AMOUNT), "{borrower: Coins}")
    offered = Offered("UG.2", "lend Coins")
    allowed_by = "loans"

    def transfers(self) -> Mapping[ScalarNode, int | None]:
        return self.loans

    def deed(self, giver: str, taker: str) -> str:
        return f"{giver} lends Coins to {taker}"

    def apply(self, play: Table) -> None:
        """A loan under a Gimmick (UG.2); without one the rules know none (U2.14)."""
        state, lender = play.state, play.step.player
        gimmick = state.points.may_transfer(play, "lend")
        for _, borrower, amount in names_players(play, self.loans):
            transfer(play, lender, borrower, amount, "UG.2" if gimmick else "U2.14", "a loan")
            if amount is None:
                debt = Debt(play.step.number, lender, borrower, 0, 0, gimmick, is_open=True)
                state.debts.append(debt)
                play.step.headline = f"{lender} lends {borrower} Coins"
                continue
            owed = amount * (state.points.loan_factor(play) if gimmick else 1)
            state.debts.append(Debt(play.step.number, lender, borrower, amount, owed, gimmick))
            play.event(
                f"{borrower or 'Somebody'} owes {lender or 'somebody'} {plural(owed, 'Coin')}",
                "UG.2",
                "loan",
            )
            play.step.headline = f"{lender} lends {borrower} {amount}"


class Repay(Transfer):
    """Pay back a loan before it falls due by itself."""

    verb = "repay"
    decides = Decides("on turn")
    example = "repay: {Ana: 8}\n  by: Cleo"
    debts = main(MapOf(GETS_COINS, AMOUNT), "{lender: Coins}")
    offered = Offered("UG.2", "pay a loan back")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, player, by in acting(play):
            if play.balance(f"wealth:{player}", COIN) > 0:
                for debt in play.state.debts:
                    if debt.debtor == player and debt.lender:
                        yield {"repay": {debt.lender: 1}, **by}

    def transfers(self) -> Mapping[ScalarNode, int | None]:
        return self.debts

    def deed(self, giver: str, taker: str) -> str:
        return f"{giver} pays {taker} back"

    @guard("U2.14")
    def is_owed(self, play: Table) -> Iterator[Violation]:
        debtor = play.step.player
        for word, amount in self.debts.items():
            lender = play.look_up_player(word)
            debts = debts_of(play, debtor, lender) if lender else []
            total = sum(debt.owed for debt in debts)
            if not lender or amount is None or any(debt.is_open for debt in debts):
                continue
            if amount > total:
                by_itself = max((debt.paid_step for debt in debts), default=0)
                yield Violation(
                    f"{debtor or 'Somebody'} owes {lender} {plural(total, 'Coin')}, not {amount}",
                    word,
                    write_word(total),
                    "a loan is paid back by itself from the next Coins that come in; "
                    "'repay' is for earlier payments"
                    if by_itself
                    else (),
                    facts=play.facts(by_itself, "paid back here by itself, when Coins came in"),
                    # What came in between has been taken for the loan already.
                    after=(f"wealth:{debtor}",),
                )

    def apply(self, play: Table) -> None:
        """A loan paid back early."""
        debtor = play.step.player
        for _, lender, amount in names_players(play, self.debts):
            transfer(play, debtor, lender, amount, "UG.2", "loan paid back")
            debts = debts_of(play, debtor, lender)
            if amount is None or any(debt.is_open for debt in debts):
                continue
            unpaid = amount
            for debt in debts:
                part = min(unpaid, debt.owed)
                debt.owed -= part
                unpaid -= part
            play.step.headline = f"{debtor} pays {lender} {amount} back"


def debts_of(play: Table, debtor: str, lender: str) -> list[Debt]:
    """The loans of a player from another, also those paid back."""
    return [d for d in play.state.debts if d.debtor == debtor and d.lender == lender]


class Give(Transfer):
    """Give Coins away; a Gimmick must allow it."""

    verb = "give"
    synonyms = ("gift",)
    decides = Decides("turn", "U3.57", action_phrase="gives Coins")
    moment = ON_A_TURN
    example = "give: {Cleo: 2}\n  under: gifts"
    gifts = main(MapOf(GETS_COINS, AMOUNT), "{player: Coins}")
    offered = Offered("U2.14", "give Coins away")
    allowed_by = "gifts"

    def transfers(self) -> Mapping[ScalarNode, int | None]:
        return self.gifts

    def deed(self, giver: str, taker: str) -> str:
        return f"{giver} gives Coins to {taker}"

    def apply(self, play: Table) -> None:
        """A gift under a Gimmick; without one the rules know none (U2.14)."""
        giver = play.step.player
        for _, taker, amount in names_players(play, self.gifts):
            transfer(play, giver, taker, amount, "U2.14", "a gift")
            play.step.headline = (
                f"{giver} gives {taker} {amount if amount is not None else 'Coins'}"
            )


def transfer(
    play: Table, source: str, target: str, amount: int | None, rule: str, why: str
) -> None:
    """The gate of Coins that pass from one player to another."""
    if amount is None:
        coins.unknown_amount(play, source, target)
        return
    if not source and play.is_actor_unrecorded:
        play.move(SOMEBODY, f"wealth:{target}", amount, COIN, rule, why)
        play.unrecorded(f"{SOMEBODY}:{COIN}")
        return
    has = play.balance(f"wealth:{source}", COIN)
    play.pay(
        f"wealth:{source}",
        f"wealth:{target}",
        amount,
        COIN,
        rule,
        why,
        code="U1.2",
        message=f"{source or 'Somebody'} has {amount_in_units(has, COIN)} and hands over {amount}"
        if has < amount
        else "",
    )
