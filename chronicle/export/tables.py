"""The ledger as a table: one line for each movement, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from chronicle.export.books import Day, single_line
from chronicle.export.data import ExportedRecord

COLUMN_TITLES = (
    "session",
    "date",
    "entry",
    "anchor",
    "what",
    "from",
    "to",
    "amount",
    "unit",
    "rule",
    "why",
)


def as_csv(exported_record: ExportedRecord) -> str:
    """Every movement as CSV. A text that a spreadsheet would read as a formula gets an apostrophe."""
    session_numbers = [session.session.number for session in exported_record.record.sessions] or [0]
    csv_parts = [_csv_text([COLUMN_TITLES])]
    csv_parts += map(_session_csv, session_numbers, exported_record.days)
    return "".join(csv_parts)


def _csv_text(rows: Iterable[Sequence[object]]) -> str:
    csv_stream = io.StringIO()
    csv.writer(csv_stream, lineterminator="\n").writerows(rows)
    return csv_stream.getvalue()


def _session_csv(session_number: int | None, day: Day) -> str:
    return _csv_text(
        (
            session_number,
            day.date,
            transaction.step_number,
            _safe_cell(transaction.anchor),
            _safe_cell(transaction.sentence),
            _safe_cell(posting.source),
            _safe_cell(posting.target),
            posting.amount,
            _safe_cell(posting.unit),
            _safe_cell(posting.rule),
            _safe_cell(posting.why),
        )
        for transaction in day.transactions
        for posting in transaction.postings
    )


def _safe_cell(text: str) -> str:
    cell_text = single_line(text)
    return f"'{cell_text}" if cell_text[:1] in ("=", "+", "-", "@") else cell_text
