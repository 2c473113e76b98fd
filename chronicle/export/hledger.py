"""The ledger as an hledger journal: ``hledger check --strict`` accepts it and checks our balances."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chronicle.export.books import Day, Transaction, plain
from chronicle.export.data import Plain
from chronicle.export.journal import Journal

_ODD = re.compile(r"[^\w .'’&-]")
_START = re.compile(r"^[^\w]+")


def hledger(whole: Plain) -> str:
    """The journal. Units become commodities; every session ends with its balances asserted."""
    return _Journal(_part).written(whole)


class _Journal(Journal):
    name = "hledger"

    def _head(self, whole: Plain) -> Iterator[str]:
        yield f"; {plain(whole.record.campaign.title)}"
        yield "; The ledger of the whole campaign, written by Chronicle. One unit of each commodity is"
        yield "; one coin, die or step of the game; the sum over all accounts is always zero."
        yield ""
        for unit in whole.units:
            yield f"commodity {self._unit(unit)}"
        for account in whole.accounts:
            yield f"account {self._account(account)}"

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
