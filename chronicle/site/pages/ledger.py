"""The ledger: curves, balances, movements."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import Block, Column, Inline, Note, Ref, Section, Table
from chronicle.core.ledger import Posting, kind_of, owner_of
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word

MAX_MOVEMENTS = 500
"""How many movements are shown; the exports hold them all."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("Coins", word("site.ledger"), "ledger")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The ledger of the campaign."""
    yield blocks_page(
        "ledger",
        word("site.ledger"),
        ledger_blocks(campaign_site),
        intro=word("site.ledger_intro") if campaign_site.view.curves else "",
        search={"exclude": True},
    )


def ledger_blocks(
    campaign_site: CampaignSite, max_postings: int = MAX_MOVEMENTS
) -> Iterator[Block]:
    """Curves, balances, and the last ``max_postings`` movements."""
    ledger = campaign_site.record.ledger
    yield from campaign_site.view.curves
    balance_table = Table(
        (
            Column(word("site.account")),
            Column(word("site.unit")),
            Column(word("site.balance"), True),
        ),
        tuple(
            (
                account_name(campaign_site, account),
                unit,
                _balance_in_words(campaign_site, account, unit, amount),
            )
            for account, unit, amount in sorted(ledger.balances())
            if amount
        ),
    )
    yield Section(word("site.balances"), (balance_table,), gist=word("site.balances_note"))
    shown_postings = ledger.postings[-max_postings:]
    posting_count = len(ledger.postings)
    if len(shown_postings) < posting_count:
        yield Note(word("site.last_movements", shown=len(shown_postings), count=posting_count))
    columns = (
        Column(word("site.entry_head"), True),
        Column(word("site.from")),
        Column(word("site.to")),
        Column(word("site.amount"), True),
        Column(word("site.unit")),
        Column(word("site.what_for")),
        Column(word("site.rule")),
    )
    numbered_rows = (
        (
            campaign_site.record.step(posting.step_number).session if posting.step_number else 0,
            _posting_row(campaign_site, posting),
        )
        for posting in shown_postings
    )
    yield from campaign_site.sections_by_session(
        numbered_rows, "site.movements", lambda rows_of_session: Table(columns, rows_of_session)
    )


def _balance_in_words(
    campaign_site: CampaignSite, account: str, unit: str, amount: int
) -> int | str:
    return campaign_site.balance_history.balance_in_words(
        len(campaign_site.record.steps), account, amount
    )


def _posting_row(campaign_site: CampaignSite, posting: Posting) -> tuple[Inline, ...]:
    return (
        Ref("step", str(posting.step_number), str(posting.step_number))
        if posting.step_number
        else word("site.at_start"),
        account_name(campaign_site, posting.source),
        account_name(campaign_site, posting.target),
        posting.amount,
        posting.unit,
        posting.why,
        Ref("rule", posting.rule, posting.rule) if posting.rule else "",
    )


def account_name(campaign_site: CampaignSite, account: str) -> str:
    """An account in words: ``Ana: Coins in the purse``."""
    account_kind, owner = kind_of(account), owner_of(account)
    kind_name = campaign_site.view.accounts.get(account_kind, account_kind)
    return f"{campaign_site.name(owner)}: {kind_name}" if owner else kind_name
