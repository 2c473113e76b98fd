"""The ledger as a Beancount file: ``bean-check`` accepts it and checks our balances."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator

from chronicle.export.books import Day, Transaction, plain
from chronicle.export.data import ExportedRecord
from chronicle.export.journal import Journal


def beancount(exported: ExportedRecord) -> str:
    """The file. Accounts with an owner are Assets, the others (banks, boxes, piles) Equity; each has its
    full name as metadata. Balances are asserted after every session."""
    return _BeancountFile(_account_part).text_of(exported)


class _BeancountFile(Journal):
    name = "beancount"

    def _head(self, exported: ExportedRecord) -> Iterator[str]:
        title, start = exported.record.campaign.title, exported.days[0].date
        yield f"; {plain(title)}"
        yield "; The ledger of the whole campaign, written by Chronicle."
        yield f'option "title" {_quoted_string(title)}'
        yield ""
        for unit in exported.units:
            yield f"{start} commodity {self._unit(unit)}"
            yield f"  name: {_quoted_string(unit)}"
        for account in exported.accounts:
            yield f"{start} open {self._account(account)}"
            yield f"  name: {_quoted_string(account)}"

    def _transaction(self, transaction: Transaction) -> Iterator[str]:
        yield ""
        words = transaction.words or "An entry that is not revealed"
        yield f"{transaction.date} * {_quoted_string(words)} ^{transaction.anchor}"
        for posting in transaction.postings:
            amount = f"{posting.amount} {self._unit(posting.unit)}"
            yield f"  {self._account(posting.source)}  -{amount}"
            reason = plain(f"{posting.rule} {posting.why}")
            if reason:
                yield f"    because: {_quoted_string(reason)}"
            yield f"  {self._account(posting.target)}  {amount}"

    def _balances(self, day: Day) -> Iterator[str]:
        if day.balances:
            yield ""
        # Beancount checks a balance at the beginning of its day.
        next_day = day.date + dt.timedelta(days=1)
        for (account, unit), amount in day.balances.items():
            yield f"{next_day} balance {self._account(account)}  {amount} {self._unit(unit)}"

    def _account(self, account: str) -> str:
        kind, owner = self._accounts.of(account)
        return f"Assets:{kind}:{owner}" if owner else f"Equity:{kind}"

    def _unit(self, unit: str) -> str:
        preferred_name = re.sub(r"[^A-Z0-9-]", "", _ascii(unit).upper().replace(" ", "-")).strip(
            "-"
        )
        preferred_name = preferred_name if preferred_name[:1].isalpha() else f"X{preferred_name}"
        return self._units.of(
            unit, preferred_name[:16].strip("-") + ("X" if len(preferred_name) < 2 else "")
        )


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _account_part(name: str) -> str:
    """One level of an account name: a capital or a digit, then letters, digits and hyphens."""
    words = re.findall(r"[A-Za-z0-9]+", _ascii(name))
    alias = "-".join(words)
    return (alias[:1].upper() + alias[1:]) or "Nameless"


def _quoted_string(text: str) -> str:
    return '"' + plain(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
