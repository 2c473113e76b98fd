"""The ledger as a table: one line a movement, for a spreadsheet."""

from __future__ import annotations

import csv
import io

from chronicle.core.record import Record
from chronicle.export.books import days, plain

HEAD = ("session", "date", "entry", "anchor", "what", "from", "to", "amount", "unit", "rule", "why")


def as_csv(record: Record) -> str:
    """Every movement as CSV. Texts that a spreadsheet would take for a formula get an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    numbers = [evening.session.number for evening in record.sessions] or [0]
    for session, day in zip(numbers, days(record), strict=True):
        for one in day.transactions:
            for posting in one.postings:
                writer.writerow(
                    (
                        session,
                        day.date,
                        one.step,
                        _cell(one.anchor),
                        _cell(one.words),
                        _cell(posting.source),
                        _cell(posting.target),
                        posting.amount,
                        _cell(posting.unit),
                        _cell(posting.rule),
                        _cell(posting.why),
                    )
                )
    return out.getvalue()


def _cell(text: str) -> str:
    told = plain(text)
    return f"'{told}" if told[:1] in ("=", "+", "-", "@") else told
