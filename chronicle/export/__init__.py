"""Records to files for other programs.

``data`` writes the whole record as JSON, ``sqlite`` as a database, ``hledger`` and ``beancount`` the
ledger as journals whose balances those programs check, ``tables`` the movements as CSV, ``log`` the
sessions as YAML again. None of them contains what has not been revealed: they are made from the steps
that may be shown, never from the files the table wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import NamedTuple

from chronicle.core.record import Record
from chronicle.export.beancount import beancount
from chronicle.export.data import Plain, as_json
from chronicle.export.hledger import hledger
from chronicle.export.log import logs
from chronicle.export.sqlite import as_sqlite
from chronicle.export.tables import as_csv


class Format(NamedTuple):
    """A way to write a record: the file it is kept in, what that is in words, and what writes it."""

    file: str
    words: str
    write: Callable[[Plain], str | bytes]

    def bytes_of(self, plain: Plain) -> bytes:
        """The file of a record."""
        made = self.write(plain)
        return made if isinstance(made, bytes) else made.encode("utf-8")


FORMATS: MappingProxyType[str, Format] = MappingProxyType(
    {
        "json": Format("record.json", "The whole record, for programs", as_json),
        "sqlite": Format("record.sqlite", "The whole record as a database", as_sqlite),
        "hledger": Format("ledger.journal", "The ledger, for hledger", hledger),
        "beancount": Format("ledger.beancount", "The ledger, for Beancount", beancount),
        "csv": Format("postings.csv", "Every movement, for a spreadsheet", as_csv),
    }
)
"""The formats by their names."""


def exports(record: Record) -> Iterator[tuple[str, str, bytes]]:
    """Files a reader may take away: (file name, what it is, bytes).

    What has not been revealed is in none of them.
    """
    plain = Plain(record)
    for one in FORMATS.values():
        yield one.file, one.words, one.bytes_of(plain)
    for name, words, text in logs(record):
        yield name, words, text.encode("utf-8")
