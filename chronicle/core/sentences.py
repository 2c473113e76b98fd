"""The effect of an entry: as a plain sentence with marked names, and as a list of changes."""

from __future__ import annotations

import re
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
    """Fill a template with names. It has ``{}`` for each name or list of names, in order; an unknown
    name becomes *somebody*."""
    words = template.split("{}")
    parts: list[str | Mention] = [words[0]]
    for name, words_after in zip(names, words[1:], strict=True):
        several = [name] if isinstance(name, str | Unknown) else [*name]
        for index, item in enumerate(several):
            if index:
                parts.append(" and " if index == len(several) - 1 else ", ")
            named = isinstance(item, str) and item
            parts.append(Mention(item) if named and isinstance(item, str) else "somebody")
        parts.append(words_after)
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
        before, after = self.in_words()
        return f"{whose}{self.name} {before} → {after}"

    def in_words(self) -> tuple[str, str]:
        """Old and new value; *nobody* where there was no name."""
        return (str(self.before) or "nobody", str(self.after) or "nobody")


def balance_changes(ledger: Ledger, first: int, last: int, step: int) -> list[Change]:
    """The changes of balances by an entry, without those of accounts that others are filled from (a bank, a
    box of dice). Its postings are in the ledger from ``first`` up to, not including, ``last``, together with those
    of nested entries."""
    postings = [posting for posting in ledger.postings[first:last] if posting.step == step]
    accounts = dict.fromkeys(
        (account, posting.unit)
        for posting in postings
        for account in (posting.source, posting.target)
    )
    changes: list[Change] = []
    for account, unit in accounts:
        new_balance = ledger.balance(account, unit) - _moved(ledger.postings[last:], account, unit)
        old_balance = new_balance - _moved(postings, account, unit)
        is_counted = owner_of(account) or old_balance >= 0 <= new_balance
        if old_balance != new_balance and is_counted:
            changes.append(
                Change(kind_of(account), owner_of(account), old_balance, new_balance, unit)
            )
    return changes


def _moved(postings: Sequence[Posting], account: str, unit: str) -> int:
    """The change of an account by some postings."""
    return sum(
        posting.amount * ((posting.target == account) - (posting.source == account))
        for posting in postings
        if posting.unit == unit
    )


def split_sentence(sentence: str) -> tuple[str, str]:
    """The first part of a sentence, and the rest."""
    match = re.match(r"(.+?)(: |; |\. |\.$)(.*)", sentence)
    if match is None:
        return sentence, ""
    remainder = match[3].rstrip(".")
    return match[1], f"{remainder[:1].upper()}{remainder[1:]}." if remainder else ""
