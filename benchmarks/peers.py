"""Write the postings of a campaign for bean-check and hledger: one transaction for each entry."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from chronicle.core.record import Record
from chronicle.export.books import FIRST_DATE

PER_DAY = 100


def journals(record: Record) -> Iterator[tuple[str, int, list[tuple[str, str, int, str]]]]:
    """Yield the day, the number and the postings of every entry.

    An entry without postings moves one unit from ``story`` to ``told``: Chronicle checks it too.
    """
    moved = {
        step: [(p.source, p.target, p.amount, p.unit) for p in postings]
        for step, postings in groupby(record.ledger.postings, key=lambda p: p.step_number)
    }
    for index in range(len(record.steps) + 1):
        date = FIRST_DATE + dt.timedelta(days=index // PER_DAY)
        if index or 0 in moved:
            yield str(date), index, moved.get(index, [("story", "told", 1, "entry")])


def write_beancount(record: Record, file: Path) -> None:
    """Write a journal that ends with an assertion of every balance."""
    accounts: dict[str, None] = {}
    lines: list[str] = []
    sums: dict[tuple[str, str], int] = {}
    date = ""
    for date, index, moves in journals(record):
        lines.append(f'{date} * "entry {index}"')
        for source, target, amount, unit in moves:
            for account, signed in ((source, -amount), (target, amount)):
                accounts[account] = None
                sums[account, unit] = sums.get((account, unit), 0) + signed
                lines.append(f"  {_account(account)}  {signed} {_unit(unit)}")
    opened = [f"1999-12-31 open {_account(account)}" for account in accounts]
    ends = [
        f"2999-01-01 balance {_account(account)} {amount} {_unit(unit)}"
        for (account, unit), amount in sums.items()
    ]
    file.write_text("\n".join([*opened, *lines, *ends]) + "\n", encoding="utf-8")


def write_hledger(record: Record, file: Path) -> None:
    """Write a journal that ends with an assertion of every balance."""
    lines: list[str] = []
    sums: dict[tuple[str, str], int] = {}
    for date, index, moves in journals(record):
        lines.append(f"{date} entry {index}")
        for source, target, amount, unit in moves:
            for account, signed in ((source, -amount), (target, amount)):
                sums[account, unit] = sums.get((account, unit), 0) + signed
                lines.append(f"    {_account(account)}  {signed} {_unit(unit)}")
    lines.append("2999-01-01 the end")
    for (account, unit), amount in sums.items():
        lines.append(f"    {_account(account)}  0 {_unit(unit)} = {amount} {_unit(unit)}")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _account(account: str) -> str:
    return "Assets:" + ":".join(part[:1].upper() + part[1:] for part in account.split(":")).replace(
        " ", "-"
    )


def _unit(unit: str) -> str:
    return "".join(c for c in unit.upper() if c.isalpha())
