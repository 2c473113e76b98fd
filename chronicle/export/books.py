"""What every bookkeeping program needs of a ledger: dates, transactions, names it can read."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from chronicle.core.ledger import Posting
from chronicle.core.record import Record, SessionRecord

Sums = Mapping[tuple[str, str], int]
"""What moved, or lies there, by account and unit."""

EPOCH = dt.date(2000, 1, 1)
"""The day of a first session that has no date."""

_DATE = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})")


@dataclass(frozen=True, slots=True)
class Transaction:
    """All movements of one step. ``words`` is empty where the step may not be shown."""

    date: dt.date
    step: int
    anchor: str
    words: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """One session: its transactions, and every balance at its end as (account, unit)."""

    date: dt.date
    title: str
    transactions: tuple[Transaction, ...]
    balances: Sums


def days(record: Record) -> Iterator[Day]:
    """The sessions as days in strictly rising order, so that a program which sorts by date keeps ours.

    Movements before the first entry (what the game hands out) stand on the first day. The balances of
    the last day are the ledger's own; those before are summed up on the way.
    """
    date = EPOCH - dt.timedelta(days=1)
    sums: dict[tuple[str, str], int] = {}
    by_step: dict[int, list[Posting]] = {}
    for posting in record.ledger.postings:
        by_step.setdefault(posting.step, []).append(posting)
    own = {(account, unit): amount for account, unit, amount in record.ledger.balances()}
    sessions: list[SessionRecord | None] = [*record.sessions] or [None]
    for number, evening in enumerate(sessions):
        first = not number
        date = _date(evening, date, first)
        steps = [0] if first else []
        if evening is not None:
            steps.extend(range(evening.first_step, evening.last_step + 1))
        moved = [(step, postings) for step in steps if (postings := by_step.pop(step, None))]
        made, came = _transactions(record, date, moved)
        for where, amount in came.items():
            sums[where] = sums.get(where, 0) + amount
        last = evening is sessions[-1]
        yield Day(date, _title(evening), made, own if last else dict(sums))


def _transactions(
    record: Record, date: dt.date, moved: list[tuple[int, list[Posting]]]
) -> tuple[tuple[Transaction, ...], Sums]:
    """The transactions of a day, and what all of them come to."""
    sums: dict[tuple[str, str], int] = {}
    made = []
    for step, postings in moved:
        made.append(_transaction(record, date, step, postings))
        _add(sums, postings)
    return tuple(made), sums


def _transaction(record: Record, date: dt.date, step: int, postings: list[Posting]) -> Transaction:
    if not step:
        return Transaction(date, 0, "start", "The game begins", tuple(postings))
    at = record.step(step)
    if at.hidden:
        bare = tuple(posting._replace(why="", rule="") for posting in postings)
        return Transaction(date, step, f"entry-{step}", "", bare)
    who = f"{at.player}: " if at.player else ""
    words = plain(f"{who}{at.headline or at.action.verb}")
    return Transaction(date, step, at.anchor, words, tuple(postings))


def _add(sums: dict[tuple[str, str], int], postings: list[Posting]) -> None:
    for posting in postings:
        for account, amount in (
            (posting.source, -posting.amount),
            (posting.target, posting.amount),
        ):
            sums[account, posting.unit] = sums.get((account, posting.unit), 0) + amount


def _title(evening: SessionRecord | None) -> str:
    if evening is None:
        return ""
    header = evening.session.header
    return plain(f"Session {header.session}" + (f": {header.title}" if header.title else ""))


def _date(evening: SessionRecord | None, before: dt.date, first: bool) -> dt.date:
    """The day it was played, if that is a date after the one before; else the day after that."""
    next_day = EPOCH if first else before + dt.timedelta(days=1)
    found = _DATE.match(str(evening.session.header.date or "")) if evening is not None else None
    if found is None:
        return next_day
    try:
        played = dt.date(*(int(part) for part in found.groups()))
    except ValueError:
        return next_day
    usable = played.year > 1900 and played.year < 9000
    return played if usable and (first or played > before) else next_day


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """A text on one line, without what could steer a terminal or a parser."""
    if text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text).split())


def ended(lines: Iterable[str]) -> str:
    """Lines as a text, each with its end."""
    return "".join([f"{line}\n" for line in lines])


class Aliases:
    """Names that a program can read, unique and stable: the n-th name that would look like another
    gets the number n."""

    def __init__(self) -> None:
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()

    def known(self) -> object:
        """All aliases, as a value to compare."""
        return [*self._made.items()]

    def of(self, name: str, wish: str) -> str:
        """The alias of ``name``, made from ``wish`` when it is asked for first."""
        known = self._made.get(name)
        if known is not None:
            return known
        alias, count = wish, 1
        while alias.casefold() in self._taken:
            count += 1
            alias = f"{wish}-{count}"
        self._taken.add(alias.casefold())
        self._made[name] = alias
        return alias


class Accounts:
    """The aliases of accounts, level by level: ``wealth:Ana`` is a part for the kind and one for the
    owner, each unique beside its likes."""

    def __init__(self, part: Callable[[str], str]) -> None:
        self._part = part
        self._kinds = Aliases()
        self._owners: dict[str, Aliases] = {}

    def known(self) -> object:
        """All aliases, as a value to compare."""
        return self._kinds.known(), [(kind, one.known()) for kind, one in self._owners.items()]

    def of(self, account: str) -> tuple[str, str]:
        """(alias of the kind, alias of the owner or nothing)."""
        kind, colon, owner = account.partition(":")
        made = self._kinds.of(kind, self._part(kind))
        if not colon:
            return made, ""
        return made, self._owners.setdefault(kind, Aliases()).of(owner, self._part(owner))
