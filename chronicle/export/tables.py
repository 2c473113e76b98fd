"""The ledger as a table: one line for each movement, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from chronicle.export.books import Day, plain
from chronicle.export.data import ExportedRecord

HEAD = ("session", "date", "entry", "anchor", "what", "from", "to", "amount", "unit", "rule", "why")


def as_csv(exported: ExportedRecord) -> str:
    """Every movement as CSV. A text that a spreadsheet would read as a formula gets an apostrophe."""
    numbers = [session.session.number for session in exported.record.sessions] or [0]
    parts = [_csv_text([HEAD])]
    parts += map(_rows, numbers, exported.days)
    return "".join(parts)


def _csv_text(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _rows(session: int | None, day: Day) -> str:
    return _csv_text(
        (
            session,
            day.date,
            transaction.step,
            _cell(transaction.anchor),
            _cell(transaction.words),
            _cell(posting.source),
            _cell(posting.target),
            posting.amount,
            _cell(posting.unit),
            _cell(posting.rule),
            _cell(posting.why),
        )
        for transaction in day.transactions
        for posting in transaction.postings
    )


def _cell(text: str) -> str:
    cell = plain(text)
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell
