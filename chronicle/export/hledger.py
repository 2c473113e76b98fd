"""The ledger as an hledger journal: ``hledger check --strict`` accepts it and checks our balances."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chronicle.export.books import Day, Transaction, single_line
from chronicle.export.data import ExportedRecord
from chronicle.export.journal import AccountingJournal

_NOT_IN_NAME = re.compile(r"[^\w .'’&-]")
_LEADING_SIGNS = re.compile(r"^[^\w]+")


def hledger(exported_record: ExportedRecord) -> str:
    """The journal. Units become commodities; every session ends with its balances asserted."""
    return _HledgerJournal(_account_alias).text_of(exported_record)


class _HledgerJournal(AccountingJournal):
    name = "hledger"

    def _header_lines(self, exported_record: ExportedRecord) -> Iterator[str]:
        yield f"; {single_line(exported_record.record.campaign.title)}"
        yield "; The ledger of the whole campaign, written by Chronicle. One unit of each commodity is"
        yield "; one coin, die or step of the game; the sum over all accounts is always zero."
        yield ""
        for unit in exported_record.units:
            yield f"commodity {self._commodity_name(unit)}"
        for account in exported_record.accounts:
            yield f"account {self._account_name(account)}"

    def _transaction_lines(self, transaction: Transaction) -> Iterator[str]:
        yield ""
        sentence = transaction.sentence.replace(";", ",") or "An entry that is not revealed"
        yield f"{transaction.date} ({transaction.anchor}) {sentence}"
        for posting in transaction.postings:
            amount_text = f"{posting.amount} {self._commodity_name(posting.unit)}"
            # In comments hledger reads tags and dates.
            reason = single_line(re.sub(r"[]:,[]", " ", f"{posting.rule} {posting.why}"))
            comment = f"  ; {reason}" if reason else ""
            yield f"    {self._account_name(posting.source)}  -{amount_text}{comment}"
            yield f"    {self._account_name(posting.target)}  {amount_text}"

    def _balance_lines(self, day: Day) -> Iterator[str]:
        if not day.balances:
            return
        yield ""
        yield f"{day.date} {day.session_title.replace(';', ',')} ends"
        for (account, unit), amount in day.balances.items():
            commodity = self._commodity_name(unit)
            yield f"    {self._account_name(account)}  0 {commodity} = {amount} {commodity}"

    def _account_name(self, ledger_account: str) -> str:
        kind_alias, owner_alias = self._account_aliases.kind_and_owner_aliases(ledger_account)
        return f"{kind_alias}:{owner_alias}" if owner_alias else kind_alias

    def _commodity_name(self, ledger_unit: str) -> str:
        preferred_name = re.sub(r'["\\;]', "", single_line(ledger_unit)) or "unit"
        return f'"{self._unit_aliases.alias_for(ledger_unit, preferred_name)}"'


def _account_alias(name_part: str) -> str:
    """One level of an account name: single spaces inside, none of hledger's own signs."""
    return (
        _LEADING_SIGNS.sub("", single_line(_NOT_IN_NAME.sub(" ", single_line(name_part))))
        or "nameless"
    )
