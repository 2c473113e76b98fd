"""What the accounts held after each entry."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Book
from chronicle.core.ledger import kind_of, owner_of

Held = dict[tuple[str, str], int]
"""Balances by account and unit."""


class Tally:
    """Balances after every step that moved something: the players' accounts, and what it touched."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._after: dict[int, Held] = {}
        players = set(book.players())
        balances: Held = {}
        theirs: Held = {}
        touched: Held = {}
        now = 0
        for p in book.record.ledger.postings:
            if p.step != now:
                if now:
                    self._after[now] = {**theirs, **touched}
                now, touched = p.step, {}
            for account, change in ((p.source, -p.amount), (p.target, p.amount)):
                key = (account, p.unit)
                balances[key] = balances.get(key, 0) + change
                owner = owner_of(account)
                if owner in players:
                    theirs[key] = balances[key]
                elif owner:
                    touched[key] = balances[key]
        if now:
            self._after[now] = {**theirs, **touched}

    def balance(self, step: int, account: str, unit: str) -> int | None:
        """What an account held after a step; None if the step did not move anything."""
        return self._after.get(step, {}).get((account, unit))

    def after(self, step: int) -> Iterator[tuple[str, str]]:
        """How the accounts stood after a step: (kind of account, who holds how much); nothing if it
        moved none."""
        lines: dict[str, list[str]] = {}
        accounts = self._book.accounts
        for (account, _), amount in self._after.get(step, {}).items():
            kind = accounts.get(kind_of(account), kind_of(account))
            name = name_of(self._book, owner_of(account))
            lines.setdefault(kind, []).append(f"{name} {amount}")
        for kind, who in lines.items():
            yield kind, " · ".join(who)


def name_of(book: Book, id: str) -> str:
    """The name of a thing by its id; the id itself if nobody registered it."""
    named = book.record.names.all.get(id)
    return named.name if named is not None else id
