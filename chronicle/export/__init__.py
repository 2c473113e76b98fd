"""Records to files for other programs.

``data`` writes the whole record as JSON, ``sqlite`` as a database, ``hledger`` and ``beancount`` the
ledger as journals whose balances those programs check, ``tables`` the movements as CSV, ``log`` the
sessions as YAML again. None of them contains anything unrevealed: they are made from the steps that may be
shown, never from the original files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import NamedTuple

from chronicle.core.record import Record
from chronicle.export.beancount import beancount
from chronicle.export.data import ExportedRecord, as_json
from chronicle.export.hledger import hledger
from chronicle.export.log import logs
from chronicle.export.sqlite import as_sqlite
from chronicle.export.tables import as_csv


class ExportFormat(NamedTuple):
    """An export format: the name of its file, its description, and the function that writes it."""

    file: str
    description: str
    write: Callable[[ExportedRecord], str | bytes]

    def bytes_of(self, exported_record: ExportedRecord) -> bytes:
        """The file of a record."""
        content = self.write(exported_record)
        return content if isinstance(content, bytes) else content.encode("utf-8")


FORMATS: MappingProxyType[str, ExportFormat] = MappingProxyType(
    {
        "json": ExportFormat("record.json", "The whole record, for programs", as_json),
        "sqlite": ExportFormat("record.sqlite", "The whole record as a database", as_sqlite),
        "hledger": ExportFormat("ledger.journal", "The ledger, for hledger", hledger),
        "beancount": ExportFormat("ledger.beancount", "The ledger, for Beancount", beancount),
        "csv": ExportFormat("postings.csv", "Every movement, for a spreadsheet", as_csv),
    }
)
"""The formats by name."""


def exports(record: Record) -> Iterator[tuple[str, str, bytes]]:
    """The files that readers may download: name, description, bytes.

    Nothing unrevealed is in them.
    """
    exported_record = ExportedRecord(record)
    for export_format in FORMATS.values():
        yield export_format.file, export_format.description, export_format.bytes_of(exported_record)
    for file_name, description, log_text in logs(record):
        yield file_name, description, log_text.encode("utf-8")
