"""The ledger: curves, balances, movements."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.book import Block, Column, Inline, Note, Ref, Table
from chronicle.core.ledger import Posting, kind_of, owner_of
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume
from chronicle.words import word

MOVEMENTS = 500
"""How many movements are shown; the exports hold them all."""


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Coins", word("site.ledger"), "ledger")


def pages(volume: Volume) -> Iterator[Draft]:
    """The ledger of the campaign."""
    yield blocks_page("ledger", word("site.ledger"), blocks(volume), search={"exclude": True})


def blocks(volume: Volume, most: int = MOVEMENTS) -> Iterator[Block]:
    """Curves, balances, and the last ``most`` movements."""
    ledger = volume.record.ledger
    yield from volume.book.curves
    yield Table(
        (
            Column(word("site.account")),
            Column(word("site.unit")),
            Column(word("site.balance"), True),
        ),
        tuple(
            (account_name(volume, account), unit, _balance(volume, account, unit, amount))
            for account, unit, amount in sorted(ledger.balances())
            if amount
        ),
        word("site.balances"),
        word("site.balances_note"),
    )
    shown = ledger.postings[-most:]
    posting_count = len(ledger.postings)
    if len(shown) < posting_count:
        yield Note(word("site.last_movements", shown=len(shown), count=posting_count))
    columns = (
        Column(word("site.entry_head"), True),
        Column(word("site.from")),
        Column(word("site.to")),
        Column(word("site.amount"), True),
        Column(word("site.unit")),
        Column(word("site.what_for")),
        Column(word("site.rule")),
    )
    rows = (
        (
            volume.record.step(posting.step_number).session if posting.step_number else 0,
            _row(volume, posting),
        )
        for posting in shown
    )
    yield from volume.by_evening(
        rows, "site.movements", lambda rows_of_session: Table(columns, rows_of_session)
    )


def _balance(volume: Volume, account: str, unit: str, amount: int) -> int | str:
    return volume.tally.in_words(len(volume.record.steps), account, amount)


def _row(volume: Volume, posting: Posting) -> tuple[Inline, ...]:
    return (
        Ref("step", str(posting.step_number), str(posting.step_number))
        if posting.step_number
        else word("site.at_start"),
        account_name(volume, posting.source),
        account_name(volume, posting.target),
        posting.amount,
        posting.unit,
        posting.why,
        Ref("rule", posting.rule, posting.rule) if posting.rule else "",
    )


def account_name(volume: Volume, account: str) -> str:
    """An account in words: ``Ana: Coins in the purse``."""
    kind, owner = kind_of(account), owner_of(account)
    words = volume.book.accounts.get(kind, kind)
    return f"{volume.name(owner)}: {words}" if owner else words
