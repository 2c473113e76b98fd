"""A ledger as text that a program reads, day by day."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import chain

from chronicle.export.books import Accounts, Aliases, Day, Transaction, ended
from chronicle.export.data import Plain


class Journal(ABC):
    """The text: what stands above all, then what moved on each day and what lay there at its end. ``part``
    makes a level of an account's name."""

    name: str
    """Of the format."""

    def __init__(self, part: Callable[[str], str]) -> None:
        self._accounts = Accounts(part)
        self._units = Aliases()

    def written(self, whole: Plain) -> str:
        """All of it."""
        return "".join(self._parts(whole))

    def _parts(self, whole: Plain) -> Iterator[str]:
        yield ended(self._head(whole))
        yield from map(self._day, whole.days)

    def _day(self, day: Day) -> str:
        moved = map(self._transaction, day.transactions)
        return ended(chain(chain.from_iterable(moved), self._balances(day)))

    @abstractmethod
    def _head(self, whole: Plain) -> Iterator[str]: ...

    @abstractmethod
    def _transaction(self, one: Transaction) -> Iterator[str]: ...

    @abstractmethod
    def _balances(self, day: Day) -> Iterator[str]: ...
