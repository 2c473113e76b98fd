"""The effect of an entry: as a plain sentence with marked names, and as a list of changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chronicle.core.ledger import Ledger, Posting, kind_of, owner_of
from chronicle.core.ranges import Unknown


class Mention(NamedTuple):
    """A person in a sentence, by id."""

    id: str


Sentence = tuple[str | Mention, ...]
"""A plain sentence in parts: words, and names as :class:`Mention`."""


def said(template: str, *names: str | Unknown | Sequence[str]) -> Sentence:
    """A sentence from a template with ``{}`` for each name or list of names, in order. An unknown name
    becomes *somebody*."""
    words = template.split("{}")
    parts: list[str | Mention] = [words[0]]
    for name, after in zip(names, words[1:], strict=True):
        several = [name] if isinstance(name, str | Unknown) else [*name]
        for at, one in enumerate(several):
            if at:
                parts.append(" and " if at == len(several) - 1 else ", ")
            named = isinstance(one, str) and one
            parts.append(Mention(one) if named and isinstance(one, str) else "somebody")
        parts.append(after)
    return tuple(part for part in parts if part)


def plain(sentence: Sentence) -> str:
    """A sentence as text."""
    text = "".join(part.id if isinstance(part, Mention) else part for part in sentence)
    return f"{text[:1].upper()}{text[1:]}"


class Change(NamedTuple):
    """A figure that an entry changed: its owner (an id; empty: none), old value, new value, unit."""

    name: str
    of: str
    before: int | str
    after: int | str
    unit: str = ""

    def __str__(self) -> str:
        whose = f"{self.of}: " if self.of else ""
        return f"{whose}{self.name} {self.before or 'nobody'} → {self.after or 'nobody'}"


def booked(ledger: Ledger, first: int, last: int, step: int) -> list[Change]:
    """The changes of balances with an owner by an entry. Its postings are in the ledger from ``first`` up
    to, not including, ``last``, together with those of nested entries."""
    postings = [posting for posting in ledger.postings[first:last] if posting.step == step]
    accounts = dict.fromkeys(
        (account, posting.unit)
        for posting in postings
        for account in (posting.source, posting.target)
        if owner_of(account)
    )
    changes: list[Change] = []
    for account, unit in accounts:
        after = ledger.balance(account, unit) - _moved(ledger.postings[last:], account, unit)
        before = after - _moved(postings, account, unit)
        if before != after:
            changes.append(Change(kind_of(account), owner_of(account), before, after, unit))
    return changes


def _moved(postings: Sequence[Posting], account: str, unit: str) -> int:
    """The change of an account by some postings."""
    return sum(
        posting.amount * ((posting.target == account) - (posting.source == account))
        for posting in postings
        if posting.unit == unit
    )
