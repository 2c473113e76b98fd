"""The ledger as a Beancount file: ``bean-check`` accepts it and checks our balances."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator

from chronicle.export.books import Day, Transaction, single_line
from chronicle.export.data import ExportedRecord
from chronicle.export.journal import AccountingJournal


def beancount(exported_record: ExportedRecord) -> str:
    """The file. Accounts with an owner are Assets, the others (banks, boxes, piles) Equity; each has its
    full name as metadata. Balances are asserted after every session."""
    return _BeancountFile(_account_alias).text_of(exported_record)


class _BeancountFile(AccountingJournal):
    name = "beancount"

    def _header_lines(self, exported_record: ExportedRecord) -> Iterator[str]:
        title, start_date = exported_record.record.campaign.title, exported_record.days[0].date
        yield f"; {single_line(title)}"
        yield "; The ledger of the whole campaign, written by Chronicle."
        yield f'option "title" {_quoted_string(title)}'
        yield ""
        for unit in exported_record.units:
            yield f"{start_date} commodity {self._commodity_name(unit)}"
            yield f"  name: {_quoted_string(unit)}"
        for account in exported_record.accounts:
            yield f"{start_date} open {self._account_name(account)}"
            yield f"  name: {_quoted_string(account)}"

    def _transaction_lines(self, transaction: Transaction) -> Iterator[str]:
        yield ""
        sentence = transaction.sentence or "An entry that is not revealed"
        yield f"{transaction.date} * {_quoted_string(sentence)} ^{transaction.anchor}"
        for posting in transaction.postings:
            amount_text = f"{posting.amount} {self._commodity_name(posting.unit)}"
            yield f"  {self._account_name(posting.source)}  -{amount_text}"
            reason = single_line(f"{posting.rule} {posting.why}")
            if reason:
                yield f"    because: {_quoted_string(reason)}"
            yield f"  {self._account_name(posting.target)}  {amount_text}"

    def _balance_lines(self, day: Day) -> Iterator[str]:
        if day.balances:
            yield ""
        # Beancount checks a balance at the beginning of its day.
        next_day = day.date + dt.timedelta(days=1)
        for (account, unit), amount in day.balances.items():
            yield f"{next_day} balance {self._account_name(account)}  {amount} {self._commodity_name(unit)}"

    def _account_name(self, ledger_account: str) -> str:
        kind_alias, owner_alias = self._account_aliases.kind_and_owner_aliases(ledger_account)
        return f"Assets:{kind_alias}:{owner_alias}" if owner_alias else f"Equity:{kind_alias}"

    def _commodity_name(self, ledger_unit: str) -> str:
        preferred_name = re.sub(
            r"[^A-Z0-9-]", "", _to_ascii(ledger_unit).upper().replace(" ", "-")
        ).strip("-")
        preferred_name = preferred_name if preferred_name[:1].isalpha() else f"X{preferred_name}"
        return self._unit_aliases.alias_for(
            ledger_unit, preferred_name[:16].strip("-") + ("X" if len(preferred_name) < 2 else "")
        )


def _to_ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _account_alias(name_part: str) -> str:
    """One level of an account name: a capital or a digit, then letters, digits and hyphens."""
    alphanumeric_words = re.findall(r"[A-Za-z0-9]+", _to_ascii(name_part))
    alias = "-".join(alphanumeric_words)
    return (alias[:1].upper() + alias[1:]) or "Nameless"


def _quoted_string(text: str) -> str:
    return '"' + single_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
