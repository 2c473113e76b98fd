"""The rules and readings that mattered in play."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import Block, Column, Inline, Ref, Table
from chronicle.core.make_view import readings_table
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", word("site.rules_used"), "rules-used")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The rules used."""
    yield blocks_page(
        "rules-used",
        word("site.rules_used"),
        _blocks(campaign_site),
        intro=word("site.rules_used_help"),
    )


def _blocks(campaign_site: CampaignSite) -> Iterator[Block]:
    columns = (
        Column(word("site.rule")),
        Column(word("site.times"), True),
        Column(word("site.first_entry"), True),
    )
    yield Table(columns, tuple(_rule_rows(campaign_site)), word("site.rules"))
    ruling_by_key = {ruling.key: ruling for ruling in campaign_site.rule_registry.rulings}
    used_rulings = [
        ruling_by_key[ruling_key]
        for ruling_key in campaign_site.record.rulings_used
        if ruling_key in ruling_by_key
    ]
    yield readings_table(campaign_site.record, used_rulings, word("site.book_silent"))


def _rule_rows(campaign_site: CampaignSite) -> Iterator[tuple[Inline, ...]]:
    step_numbers_by_rule = campaign_site.step_numbers_by_rule
    for rule_id, step_numbers in sorted(
        step_numbers_by_rule.items(), key=lambda rule_and_steps: -len(rule_and_steps[1])
    ):
        rule = campaign_site.rule_registry.get(rule_id)
        rule_title = getattr(rule, "title", "") or getattr(rule, "question", "") if rule else ""
        first_entry: Inline = (
            Ref("step", str(step_numbers[0]), str(step_numbers[0]))
            if step_numbers[0]
            else word("site.at_start")
        )
        yield (rule_title, " ", Ref("rule", rule_id, rule_id)), len(step_numbers), first_entry
