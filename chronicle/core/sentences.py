"""The effect of an entry: as a plain sentence with marked names, and as a list of changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from chronicle.core.gaps import SOMEBODY
from chronicle.core.ledger import ADJUSTMENT, UNEXPLAINED, Ledger, Posting, kind_of, owner_of
from chronicle.core.ranges import Unknown

_BOOKKEEPING_ACCOUNTS = frozenset({UNEXPLAINED, ADJUSTMENT, SOMEBODY})
"""The accounts that belong to no game."""


class Mention(NamedTuple):
    """A person in a sentence, by id."""

    id: str


Sentence = tuple[str | Mention, ...]
"""A plain sentence in parts: words, and names as :class:`Mention`."""


def said(template: str, *names: str | Unknown | Sequence[str]) -> Sentence:
    """Fill a template with names. It has ``{}`` for each name or list of names, in order; an unknown
    name becomes *somebody*."""
    template_parts = template.split("{}")
    if len(template_parts) - 1 != len(names):
        raise TypeError(
            f"said('{template}', ...) needs a name for each {{}}: {len(template_parts) - 1}, not {len(names)}"
        )
    sentence_parts: list[str | Mention] = [template_parts[0]]
    for name_or_names, words_after in zip(names, template_parts[1:], strict=True):
        name_group = (
            [name_or_names] if isinstance(name_or_names, str | Unknown) else [*name_or_names]
        )
        for name_index, single_name in enumerate(name_group):
            if name_index:
                sentence_parts.append(" and " if name_index == len(name_group) - 1 else ", ")
            is_named = isinstance(single_name, str) and single_name
            sentence_parts.append(
                Mention(single_name) if is_named and isinstance(single_name, str) else "somebody"
            )
        sentence_parts.append(words_after)
    return tuple(part for part in sentence_parts if part)


def with_capital(text: str) -> str:
    """A text with a capital at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def plain(sentence: Sentence) -> str:
    """A sentence as text."""
    sentence_text = "".join(part.id if isinstance(part, Mention) else part for part in sentence)
    return with_capital(sentence_text)


class FigureChange(NamedTuple):
    """A figure that an entry changed: its owner (an id; empty: none), old value, new value, unit."""

    name: str
    owner_id: str
    before: int | str
    after: int | str
    unit: str = ""

    def __str__(self) -> str:
        owner_prefix = f"{self.owner_id}: " if self.owner_id else ""
        old_value, new_value = self.in_words()
        return f"{owner_prefix}{self.name} {old_value} → {new_value}"

    def to_data(self) -> dict[str, int | str]:
        """The change as data for ``json.dumps``."""
        name, owner_id, before, after, unit = self
        return {"name": name, "of": owner_id, "before": before, "after": after, "unit": unit}

    @classmethod
    def from_data(cls, data: Mapping[str, int | str]) -> FigureChange:
        """The change that :meth:`to_data` gave as data."""
        name, owner_id, unit = (str(data[key]) for key in ("name", "of", "unit"))
        return cls(name, owner_id, data["before"], data["after"], unit)

    def in_words(self) -> tuple[str, str]:
        """Old and new value; *nobody* where there was no name."""
        return (str(self.before) or "nobody", str(self.after) or "nobody")


def is_counted(account: str, supplies: Set[str]) -> bool:
    """Whether an account shows in the changes of an entry: everybody's own, and those without owner but for the
    supplies of the game and the accounts of the bookkeeping."""
    account_kind = kind_of(account)
    return bool(owner_of(account)) or (
        account_kind not in supplies and account_kind not in _BOOKKEEPING_ACCOUNTS
    )


def balance_changes(
    ledger: Ledger,
    supplies: Set[str],
    first_posting_index: int,
    end_posting_index: int,
    step_number: int,
) -> list[FigureChange]:
    """The changes of balances by an entry, without those of ``supplies``
    (:attr:`chronicle.core.game_info.GameInfo.supplies`). Its postings are in the ledger from ``first_posting_index``
    up to, not including, ``end_posting_index``, together with those of nested entries."""
    postings = [
        posting
        for posting in ledger.postings[first_posting_index:end_posting_index]
        if posting.step_number == step_number
    ]
    accounts_and_units = dict.fromkeys(
        (account, posting.unit)
        for posting in postings
        for account in (posting.source, posting.target)
    )
    figure_changes: list[FigureChange] = []
    for account, unit in accounts_and_units:
        new_balance = ledger.balance(account, unit) - _net_movement(
            ledger.postings[end_posting_index:], account, unit
        )
        old_balance = new_balance - _net_movement(postings, account, unit)
        if old_balance != new_balance and is_counted(account, supplies):
            figure_changes.append(
                FigureChange(kind_of(account), owner_of(account), old_balance, new_balance, unit)
            )
    return figure_changes


def _net_movement(postings: Sequence[Posting], account: str, unit: str) -> int:
    """The change of an account by some postings."""
    return sum(
        posting.amount * ((posting.target == account) - (posting.source == account))
        for posting in postings
        if posting.unit == unit
    )


def split_sentence(sentence: str) -> tuple[str, str]:
    """The first part of a sentence, and the rest."""
    split_match = re.match(r"(.+?)(: |; |\. |\.$)(.*)", sentence)
    if split_match is None:
        return sentence, ""
    remainder = split_match[3].rstrip(".")
    return split_match[1], f"{with_capital(remainder)}." if remainder else ""
