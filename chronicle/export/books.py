"""Dates, transactions and readable names of a ledger, for all bookkeeping programs."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from chronicle.core.ledger import Posting
from chronicle.core.record import Record, SessionRecord

AmountByAccountAndUnit = Mapping[tuple[str, str], int]
"""Movements or balances, by account and unit."""

FIRST_DATE = dt.date(2000, 1, 1)
"""The date of a first session without a date."""

_DATE = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})")


@dataclass(frozen=True, slots=True)
class Transaction:
    """All movements of one step. ``sentence`` is empty if the step may not be shown."""

    date: dt.date
    step_number: int
    anchor: str
    sentence: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """One session: its transactions, and every balance at its end as (account, unit)."""

    date: dt.date
    session_title: str
    transactions: tuple[Transaction, ...]
    balances: AmountByAccountAndUnit


def session_days(record: Record) -> Iterator[Day]:
    """The sessions as days in strictly rising order, so that programs that sort by date keep the order.

    Movements before the first entry (those that the game makes at the start) are on the first day. The balances
    of the last day are those of the ledger; earlier balances are sums.
    """
    session_date = FIRST_DATE - dt.timedelta(days=1)
    balances: dict[tuple[str, str], int] = {}
    postings_by_step: dict[int, list[Posting]] = {}
    for posting in record.ledger.postings:
        postings_by_step.setdefault(posting.step_number, []).append(posting)
    final_balances = {(account, unit): amount for account, unit, amount in record.ledger.balances()}
    sessions: list[SessionRecord | None] = [*record.sessions] or [None]
    for session_index, session in enumerate(sessions):
        is_first_session = not session_index
        session_date = _session_date(session, session_date, is_first_session)
        step_numbers = [0] if is_first_session else []
        if session is not None:
            step_numbers.extend(range(session.first_step, session.last_step + 1))
        numbers_and_postings = [
            (step_number, postings)
            for step_number in step_numbers
            if (postings := postings_by_step.pop(step_number, None))
        ]
        for _, postings in numbers_and_postings:
            _add_to_balances(balances, postings)
        transactions = tuple(
            _transaction_of_step(record, session_date, step_number, postings)
            for step_number, postings in numbers_and_postings
        )
        is_last_session = session is sessions[-1]
        yield Day(
            session_date,
            _session_title(session),
            transactions,
            final_balances if is_last_session else dict(balances),
        )


def _transaction_of_step(
    record: Record, date: dt.date, step_number: int, postings: list[Posting]
) -> Transaction:
    if not step_number:
        return Transaction(date, 0, "start", "The game begins", tuple(postings))
    step = record.step(step_number)
    if step.hidden:
        untold_postings = tuple(posting._replace(why="", rule="") for posting in postings)
        return Transaction(date, step_number, f"entry-{step_number}", "", untold_postings)
    player_text = f"{step.player}: " if step.player else ""
    sentence = single_line(f"{player_text}{step.headline or step.action.verb}")
    return Transaction(date, step_number, step.anchor, sentence, tuple(postings))


def _add_to_balances(balances: dict[tuple[str, str], int], postings: list[Posting]) -> None:
    for posting in postings:
        for account, balance_change in (
            (posting.source, -posting.amount),
            (posting.target, posting.amount),
        ):
            balances[account, posting.unit] = (
                balances.get((account, posting.unit), 0) + balance_change
            )


def _session_title(session: SessionRecord | None) -> str:
    if session is None:
        return ""
    header = session.session.header
    return single_line(f"Session {header.session}" + (f": {header.title}" if header.title else ""))


def _session_date(
    session: SessionRecord | None, previous_date: dt.date, is_first_session: bool
) -> dt.date:
    """The date of the session if it is later than the previous date; else the day after the previous date."""
    next_day = FIRST_DATE if is_first_session else previous_date + dt.timedelta(days=1)
    date_match = (
        _DATE.match(str(session.session.header.date or "")) if session is not None else None
    )
    if date_match is None:
        return next_day
    try:
        play_date = dt.date(*(int(number_text) for number_text in date_match.groups()))
    except ValueError:
        return next_day
    is_plausible = play_date.year > 1900 and play_date.year < 9000
    return (
        play_date if is_plausible and (is_first_session or play_date > previous_date) else next_day
    )


@lru_cache(maxsize=8192)
def single_line(text: str) -> str:
    """A text on one line, without control characters for a terminal or a parser."""
    if text.isprintable():
        return " ".join(text.split())
    return " ".join(
        "".join(
            " " if unicodedata.category(character)[0] in "CZ" else character for character in text
        ).split()
    )


def with_line_ends(lines: Iterable[str]) -> str:
    """Join lines to a text; each ends with a line break."""
    return "".join([f"{line}\n" for line in lines])


class Aliases:
    """Unique, stable names for a program. If two names would be the same, the second gets the number 2."""

    def __init__(self) -> None:
        self._alias_by_name: dict[str, str] = {}
        self._used_aliases: set[str] = set()

    def alias_for(self, name: str, preferred_alias: str) -> str:
        """The alias of ``name``. The first call makes it from ``preferred_alias``."""
        alias = self._alias_by_name.get(name)
        if alias is not None:
            return alias
        alias, use_count = preferred_alias, 1
        while alias.casefold() in self._used_aliases:
            use_count += 1
            alias = f"{preferred_alias}-{use_count}"
        self._used_aliases.add(alias.casefold())
        self._alias_by_name[name] = alias
        return alias


class AccountAliases:
    """The aliases of accounts. ``wealth:Ana`` has one alias for the kind, unique among kinds, and one for the
    owner, unique among the owners of that kind."""

    def __init__(self, preferred_alias_of_part: Callable[[str], str]) -> None:
        self._preferred_alias_of_part = preferred_alias_of_part
        self._kind_aliases = Aliases()
        self._owner_aliases_by_kind: dict[str, Aliases] = {}

    def kind_and_owner_aliases(self, account: str) -> tuple[str, str]:
        """The alias of the kind and that of the owner (empty: none)."""
        kind, colon, owner = account.partition(":")
        kind_alias = self._kind_aliases.alias_for(kind, self._preferred_alias_of_part(kind))
        if not colon:
            return kind_alias, ""
        return kind_alias, self._owner_aliases_by_kind.setdefault(kind, Aliases()).alias_for(
            owner, self._preferred_alias_of_part(owner)
        )
