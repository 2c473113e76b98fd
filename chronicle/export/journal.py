"""A ledger as text for a bookkeeping program, day by day."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import chain

from chronicle.export.books import AccountAliases, Aliases, Day, Transaction, with_line_ends
from chronicle.export.data import ExportedRecord


class AccountingJournal(ABC):
    """Writes the head, then for each day its movements and the balances at its end. ``preferred_alias_of_part`` makes
    one level of the name of an account."""

    name: str
    """The name of the format."""

    def __init__(self, preferred_alias_of_part: Callable[[str], str]) -> None:
        self._account_aliases = AccountAliases(preferred_alias_of_part)
        self._unit_aliases = Aliases()

    def text_of(self, exported_record: ExportedRecord) -> str:
        """The whole file."""
        return "".join(self._text_parts(exported_record))

    def _text_parts(self, exported_record: ExportedRecord) -> Iterator[str]:
        yield with_line_ends(self._header_lines(exported_record))
        yield from map(self._day_text, exported_record.days)

    def _day_text(self, day: Day) -> str:
        lines_of_transactions = map(self._transaction_lines, day.transactions)
        return with_line_ends(
            chain(chain.from_iterable(lines_of_transactions), self._balance_lines(day))
        )

    @abstractmethod
    def _header_lines(self, exported_record: ExportedRecord) -> Iterator[str]: ...

    @abstractmethod
    def _transaction_lines(self, transaction: Transaction) -> Iterator[str]: ...

    @abstractmethod
    def _balance_lines(self, day: Day) -> Iterator[str]: ...
