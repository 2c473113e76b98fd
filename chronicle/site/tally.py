"""What the accounts held after each entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from chronicle.core.campaign_view import CampaignView
from chronicle.core.doubts import Doubt, doubt_after, doubts_of
from chronicle.core.gaps import at_most
from chronicle.core.ledger import kind_of, owner_of
from chronicle.words import word

Balances = dict[tuple[str, str], int]
"""Balances by account and unit."""


class BalanceHistory:
    """Balances after every step that moved something: the players' accounts, and what it touched."""

    def __init__(self, view: CampaignView) -> None:
        self._view = view
        self._balances_after_step: dict[int, Balances] = {}
        self._start_balances: Balances = {}
        """What the players held before the first entry."""
        self.usual_purse = next(iter(view.accounts), "")
        """The kind of account that a game counts first."""
        self._purse_curves: dict[str, list[tuple[int, int, int]]] = {}
        """By owner: (step, balance after it, income from outside)."""
        self._first_step_by_account: dict[str, int] = {}
        """The first step that moved something in an account."""
        self._doubts_by_account: dict[str, tuple[Doubt, ...]] = {}
        players = set(view.players())
        balances: Balances = {}
        player_balances: Balances = {}
        other_balances: Balances = {}
        step_number = 0
        for posting in view.record.ledger.postings:
            if posting.step_number != step_number:
                if step_number:
                    self._balances_after_step[step_number] = {**player_balances, **other_balances}
                else:
                    self._start_balances = dict(player_balances)
                step_number, other_balances = posting.step_number, {}
            for account, balance_change in (
                (posting.source, -posting.amount),
                (posting.target, posting.amount),
            ):
                account_and_unit = (account, posting.unit)
                self._first_step_by_account.setdefault(account, posting.step_number)
                balances[account_and_unit] = balances.get(account_and_unit, 0) + balance_change
                owner = owner_of(account)
                if owner and kind_of(account) == self.usual_purse:
                    gain_from_nobody = (
                        balance_change if balance_change > 0 and not owner_of(posting.source) else 0
                    )
                    curve = self._purse_curves.setdefault(owner, [])
                    if curve and curve[-1][0] == posting.step_number:
                        gain_from_nobody += curve.pop()[2]
                    curve.append(
                        (posting.step_number, balances[account_and_unit], gain_from_nobody)
                    )
                if owner in players:
                    player_balances[account_and_unit] = balances[account_and_unit]
                elif owner:
                    other_balances[account_and_unit] = balances[account_and_unit]
        if step_number:
            self._balances_after_step[step_number] = {**player_balances, **other_balances}
        else:
            self._start_balances = dict(player_balances)

    def balance_if_moved(self, step_number: int, account: str, unit: str) -> int | None:
        """What an account held after a step; None if the step did not move anything."""
        return self._balances_after_step.get(step_number, {}).get((account, unit))

    def is_known(self, step_number: int, account: str) -> bool:
        """Whether the balance of an account after a step is known, or at least an upper bound of it."""
        doubt = self._doubt_after(step_number, account)
        return doubt is None or doubt.is_bound

    def is_exact(self, step_number: int, account: str) -> bool:
        """Whether the balance of an account after a step is known."""
        return self._doubt_after(step_number, account) is None

    def balance_in_words(self, step_number: int, account: str, amount: int | str) -> int | str:
        """The balance of an account after a step in words: ``12``, ``at most 12`` or ``not known``."""
        doubt = self._doubt_after(step_number, account)
        return amount if doubt is None else amount_in_doubt(amount, doubt)

    def _doubt_after(self, step_number: int, account: str) -> Doubt | None:
        if account not in self._doubts_by_account:
            doubts = doubts_of(
                self._view.record, account, self._first_step_by_account.get(account, 0)
            )
            self._doubts_by_account[account] = doubts
        return doubt_after(self._doubts_by_account[account], step_number)

    def purse_changes(
        self, first_step: int, last_step: int
    ) -> Iterator[tuple[str, tuple[int, int, int]]]:
        """How the purses changed from the first to the last of some steps: by owner, what was in it before
        them, before what came in with the last of them, and after it."""
        seat_by_player = {
            player: seat_number for seat_number, player in enumerate(self._view.players())
        }
        for owner in sorted(
            self._purse_curves, key=lambda player: seat_by_player.get(player, len(seat_by_player))
        ):
            curve = self._purse_curves[owner]
            opening_balance = next(
                (
                    balance_if_moved
                    for step_number, balance_if_moved, _ in reversed(curve)
                    if step_number < first_step
                ),
                0,
            )
            closing_balance, income = next(
                (
                    (balance_if_moved, income if step_number == last_step else 0)
                    for step_number, balance_if_moved, income in reversed(curve)
                    if step_number <= last_step
                ),
                (opening_balance, 0),
            )
            if curve[0][0] <= last_step:
                yield owner, (opening_balance, closing_balance - income, closing_balance)

    def player_balances_after(self, step_numbers: Iterable[int]) -> Iterator[Balances]:
        """What the players' accounts held after each of some steps, which rise. After step 0: what the
        game gave them to begin with."""
        balances_after_steps = iter(self._balances_after_step.items())
        next_step_number, next_balances = next(balances_after_steps, (inf, {}))
        current_balances: Balances = self._start_balances
        players = set(self._view.players())
        for step_number in step_numbers:
            while next_step_number <= step_number:
                current_balances = next_balances
                next_step_number, next_balances = next(balances_after_steps, (inf, {}))
            yield {
                account_and_unit: amount
                for account_and_unit, amount in current_balances.items()
                if owner_of(account_and_unit[0]) in players
            }


def amount_in_doubt(amount: int | str, doubt: Doubt) -> str:
    """An amount about which there is a doubt, in words: ``at most 12`` or ``not known``."""
    return at_most(amount, True) if doubt.is_bound else word("site.value_not_known")
