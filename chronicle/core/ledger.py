"""Double-entry bookkeeping for everything a game counts: Coins, dice, tokens, links, steps on a track."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

UNEXPLAINED = "unexplained"
"""The account that covers overdrafts, so that play can continue."""
ADJUSTMENT = "adjustment"
"""The account for corrections and stated figures."""


class Posting(NamedTuple):
    """One movement: ``amount`` units leave ``source`` and arrive in ``target``.

    An account is written ``kind`` or ``kind:owner`` (``wealth:Ana``, ``bank``). Amounts are whole and
    positive. ``step_number`` is the number of the action that caused it, ``rule`` the rule that asks for it.
    """

    step_number: int
    source: str
    target: str
    amount: int
    unit: str
    rule: str
    why: str = ""


class Ledger:
    """All postings so far, and the balance of every account. The balances of a unit always add up to zero:
    accounts that create units (a bank, a box of dice) are negative."""

    __slots__ = ("_balances", "postings")

    def __init__(
        self,
        postings: Iterable[Posting] = (),
        balances: Mapping[tuple[str, str], int] | None = None,
    ) -> None:
        self.postings: list[Posting] = [*postings]
        self._balances: dict[tuple[str, str], int] = {**(balances or {})}

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        """The state that a snapshot copies: postings are stored separately
        (:mod:`chronicle.core.snapshots`)."""
        return None, {"_balances": self._balances, "postings": []}

    def post(self, posting: Posting) -> None:
        """Record a movement. A negative amount is reversed, and zero is ignored."""
        if posting.amount == 0:
            return
        if posting.amount < 0:
            step_number, source, target, amount, *unit_rule_and_reason = posting
            posting = Posting(step_number, target, source, -amount, *unit_rule_and_reason)
        self.postings.append(posting)
        balances = self._balances
        source_key = (posting.source, posting.unit)
        target_key = (posting.target, posting.unit)
        balances[source_key] = balances.get(source_key, 0) - posting.amount
        balances[target_key] = balances.get(target_key, 0) + posting.amount

    def balance(self, account: str, unit: str) -> int:
        """The balance of an account in a unit; 0 if it was never used."""
        return self._balances.get((account, unit), 0)

    def balances(self) -> Iterator[tuple[str, str, int]]:
        """Every account ever used: (account, unit, balance)."""
        for (account, unit), amount in self._balances.items():
            yield account, unit, amount

    def last(self, unit: str, *accounts: str) -> Posting | None:
        """The last posting of a unit from or to any of some accounts."""
        for posting in reversed(self.postings):
            if posting.unit == unit and (posting.source in accounts or posting.target in accounts):
                return posting
        return None

    def last_rule(self, unit: str, *accounts: str) -> str:
        """The rule of that posting; empty if there is none."""
        posting = self.last(unit, *accounts)
        return posting.rule if posting is not None else ""

    def moves(self, unit: str, *accounts: str) -> Iterator[tuple[Posting, int, int]]:
        """The postings of a unit that change the total of some accounts: each with the change, and the total
        after it."""
        running_total = 0
        for posting in self.postings:
            balance_change = posting.amount * (
                (posting.target in accounts) - (posting.source in accounts)
            )
            if balance_change and posting.unit == unit:
                running_total += balance_change
                yield posting, balance_change, running_total

    def totals(self) -> dict[str, int]:
        """Sum over all accounts per unit. Always zero; tests check it."""
        total_by_unit: dict[str, int] = {}
        for _, unit, amount in self.balances():
            total_by_unit[unit] = total_by_unit.get(unit, 0) + amount
        return total_by_unit


def owner_of(account: str) -> str:
    """``Ana`` of ``wealth:Ana``; empty for an account without owner."""
    return account.partition(":")[2]


def kind_of(account: str) -> str:
    """``wealth`` of ``wealth:Ana``."""
    return account.partition(":")[0]
