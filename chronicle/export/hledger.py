"""The ledger as an hledger journal: ``hledger check --strict`` accepts it and checks our balances."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chronicle.export.books import Day, Transaction, plain
from chronicle.export.data import ExportedRecord
from chronicle.export.journal import Journal

_NOT_IN_NAME = re.compile(r"[^\w .'’&-]")
_LEADING_SIGNS = re.compile(r"^[^\w]+")


def hledger(exported: ExportedRecord) -> str:
    """The journal. Units become commodities; every session ends with its balances asserted."""
    return _HledgerJournal(_account_part).text_of(exported)


class _HledgerJournal(Journal):
    name = "hledger"

    def _head(self, exported: ExportedRecord) -> Iterator[str]:
        yield f"; {plain(exported.record.campaign.title)}"
        yield "; The ledger of the whole campaign, written by Chronicle. One unit of each commodity is"
        yield "; one coin, die or step of the game; the sum over all accounts is always zero."
        yield ""
        for unit in exported.units:
            yield f"commodity {self._unit(unit)}"
        for account in exported.accounts:
            yield f"account {self._account(account)}"

    def _transaction(self, transaction: Transaction) -> Iterator[str]:
        yield ""
        words = transaction.words.replace(";", ",") or "An entry that is not revealed"
        yield f"{transaction.date} ({transaction.anchor}) {words}"
        for posting in transaction.postings:
            amount = f"{posting.amount} {self._unit(posting.unit)}"
            # In comments hledger reads tags and dates.
            reason = plain(re.sub(r"[]:,[]", " ", f"{posting.rule} {posting.why}"))
            comment = f"  ; {reason}" if reason else ""
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
        preferred_name = re.sub(r'["\\;]', "", plain(unit)) or "unit"
        return f'"{self._units.of(unit, preferred_name)}"'


def _account_part(name: str) -> str:
    """One level of an account name: single spaces inside, none of hledger's own signs."""
    return _LEADING_SIGNS.sub("", plain(_NOT_IN_NAME.sub(" ", plain(name)))) or "nameless"
