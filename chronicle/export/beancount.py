"""The ledger as a Beancount file: ``bean-check`` accepts it and checks our balances."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator

from chronicle.export.books import Day, Transaction, plain
from chronicle.export.data import Plain
from chronicle.export.journal import Journal


def beancount(whole: Plain) -> str:
    """The file. Accounts with an owner are Assets, the others (banks, boxes, piles) Equity; their true
    names stand beside them. Balances are asserted after every session."""
    return _File(_part).written(whole)


class _File(Journal):
    name = "beancount"

    def _head(self, whole: Plain) -> Iterator[str]:
        title, start = whole.record.campaign.title, whole.days[0].date
        yield f"; {plain(title)}"
        yield "; The ledger of the whole campaign, written by Chronicle."
        yield f'option "title" {_string(title)}'
        yield ""
        for unit in whole.units:
            yield f"{start} commodity {self._unit(unit)}"
            yield f"  name: {_string(unit)}"
        for account in whole.accounts:
            yield f"{start} open {self._account(account)}"
            yield f"  name: {_string(account)}"

    def _transaction(self, one: Transaction) -> Iterator[str]:
        yield ""
        words = one.words or "An entry that is not revealed"
        yield f"{one.date} * {_string(words)} ^{one.anchor}"
        for posting in one.postings:
            amount = f"{posting.amount} {self._unit(posting.unit)}"
            yield f"  {self._account(posting.source)}  -{amount}"
            because = plain(f"{posting.rule} {posting.why}")
            if because:
                yield f"    because: {_string(because)}"
            yield f"  {self._account(posting.target)}  {amount}"

    def _balances(self, day: Day) -> Iterator[str]:
        if day.balances:
            yield ""
        # Beancount looks at a balance as its day begins.
        after = day.date + dt.timedelta(days=1)
        for (account, unit), amount in day.balances.items():
            yield f"{after} balance {self._account(account)}  {amount} {self._unit(unit)}"

    def _account(self, account: str) -> str:
        kind, owner = self._accounts.of(account)
        return f"Assets:{kind}:{owner}" if owner else f"Equity:{kind}"

    def _unit(self, unit: str) -> str:
        wish = re.sub(r"[^A-Z0-9-]", "", _ascii(unit).upper().replace(" ", "-")).strip("-")
        wish = wish if wish[:1].isalpha() else f"X{wish}"
        return self._units.of(unit, wish[:16].strip("-") + ("X" if len(wish) < 2 else ""))


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _part(name: str) -> str:
    """One level of an account name: a capital or a digit, then letters, digits and hyphens."""
    words = re.findall(r"[A-Za-z0-9]+", _ascii(name))
    made = "-".join(words)
    return (made[:1].upper() + made[1:]) or "Nameless"


def _string(text: str) -> str:
    return '"' + plain(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
