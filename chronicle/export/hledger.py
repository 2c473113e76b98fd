"""The ledger as an hledger journal: ``hledger check --strict`` accepts it and checks our balances."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain

from chronicle.export.books import Accounts, Aliases, Day, Transaction, ended, plain
from chronicle.export.data import Plain

_ODD = re.compile(r"[^\w .'’&-]")
_START = re.compile(r"^[^\w]+")


def hledger(record: Plain) -> str:
    """The journal. Units become commodities; every session ends with its balances asserted."""
    return "".join(_Journal().parts(record))


class _Journal:
    def __init__(self) -> None:
        self._accounts = Accounts(_part)
        self._units = Aliases()

    def parts(self, record: Plain) -> Iterator[str]:
        """What stands above all, then day by day."""
        yield ended(self._head(record))
        known = self._accounts.known(), self._units.known()
        for number, day in enumerate(record.days):
            # In the order in which they are written.
            made_from = (day, (*day.balances.items(),), known)
            yield record.once("hledger", number, made_from, partial(self._day, day))

    def _head(self, record: Plain) -> Iterator[str]:
        yield f"; {plain(record.record.campaign.title)}"
        yield "; The ledger of the whole campaign, written by Chronicle. One unit of each commodity is"
        yield "; one coin, die or step of the game; the sum over all accounts is always zero."
        yield ""
        for unit in record.units:
            yield f"commodity {self._unit(unit)}"
        for account in record.accounts:
            yield f"account {self._account(account)}"

    def _day(self, day: Day) -> str:
        moved = map(self._transaction, day.transactions)
        return ended(chain(chain.from_iterable(moved), self._balances(day)))

    def _transaction(self, one: Transaction) -> Iterator[str]:
        yield ""
        words = one.words.replace(";", ",") or "An entry that is not revealed"
        yield f"{one.date} ({one.anchor}) {words}"
        for posting in one.postings:
            amount = f"{posting.amount} {self._unit(posting.unit)}"
            # In comments hledger reads tags and dates.
            because = plain(re.sub(r"[]:,[]", " ", f"{posting.rule} {posting.why}"))
            comment = f"  ; {because}" if because else ""
            yield f"    {self._account(posting.source)}  -{amount}{comment}"
            yield f"    {self._account(posting.target)}  {amount}"

    def _balances(self, day: Day) -> Iterator[str]:
        if not day.balances:
            return
        yield ""
        yield f"{day.date} {day.title.replace(';', ',')} ends"
        for (account, unit), amount in day.balances.items():
            commodity = self._unit(unit)
            yield f"    {self._account(account)}  0 {commodity} = {amount} {commodity}"

    def _account(self, account: str) -> str:
        kind, owner = self._accounts.of(account)
        return f"{kind}:{owner}" if owner else kind

    def _unit(self, unit: str) -> str:
        wish = re.sub(r'["\\;]', "", plain(unit)) or "unit"
        return f'"{self._units.of(unit, wish)}"'


def _part(name: str) -> str:
    """One level of an account name: single spaces inside, none of hledger's own signs."""
    return _START.sub("", plain(_ODD.sub(" ", plain(name)))) or "nameless"
