"""Records to files for other programs.

``data`` writes the whole record as JSON, ``hledger`` and ``beancount`` the ledger as journals whose
balances those programs check, ``tables`` the movements as CSV, ``log`` the sessions as YAML again.
None of them contains what has not been revealed: they are made from the steps that may be shown, never
from the files the table wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType

from chronicle.core.record import Record
from chronicle.export.beancount import beancount
from chronicle.export.data import as_json
from chronicle.export.hledger import hledger
from chronicle.export.log import logs
from chronicle.export.tables import as_csv

FORMATS: MappingProxyType[str, Callable[[Record], str]] = MappingProxyType(
    {"json": as_json, "hledger": hledger, "beancount": beancount, "csv": as_csv}
)
"""Name of a format to what writes a record in it."""


def exports(record: Record) -> Iterator[tuple[str, str, bytes]]:
    """Files a reader may take away: (file name, what it is, bytes).

    What has not been revealed is in none of them.
    """
    yield from (
        (name, words, text.encode("utf-8"))
        for name, words, text in (
            ("record.json", "The whole record, for programs", as_json(record)),
            ("ledger.journal", "The ledger, for hledger", hledger(record)),
            ("ledger.beancount", "The ledger, for Beancount", beancount(record)),
            ("postings.csv", "Every movement, for a spreadsheet", as_csv(record)),
        )
    )
    for name, words, text in logs(record):
        yield name, words, text.encode("utf-8")
