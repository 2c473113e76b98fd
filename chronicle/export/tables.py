"""The ledger as a table: one line a movement, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from chronicle.export.books import Day, plain
from chronicle.export.data import Plain

HEAD = ("session", "date", "entry", "anchor", "what", "from", "to", "amount", "unit", "rule", "why")


def as_csv(whole: Plain) -> str:
    """Every movement as CSV. Texts that a spreadsheet would take for a formula get an apostrophe."""
    numbers = [evening.session.number for evening in whole.record.sessions] or [0]
    parts = [_written([HEAD])]
    parts += map(_rows, numbers, whole.days)
    return "".join(parts)


def _written(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _rows(session: int | None, day: Day) -> str:
    return _written(
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
        for one in day.transactions
        for posting in one.postings
    )


def _cell(text: str) -> str:
    told = plain(text)
    return f"'{told}" if told[:1] in ("=", "+", "-", "@") else told
