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
    yield blocks_page("rules-used", word("site.rules_used"), _blocks(campaign_site))


def _blocks(campaign_site: CampaignSite) -> Iterator[Block]:
    columns = (
        Column(word("site.rule")),
        Column(word("site.what_it_says")),
        Column(word("site.times"), True),
        Column(word("site.first")),
    )
    yield Table(columns, tuple(_rules(campaign_site)), word("site.rules_mattered"))
    points = {ruling.key: ruling for ruling in campaign_site.rules.rulings}
    mattered = [points[key] for key in campaign_site.record.rulings_used if key in points]
    title = word("site.readings_mattered")
    yield readings_table(campaign_site.record, mattered, title)


def _rules(campaign_site: CampaignSite) -> Iterator[tuple[Inline, ...]]:
    used = campaign_site.rules_used
    for id, steps in sorted(used.items(), key=lambda item: -len(item[1])):
        rule = campaign_site.rules.get(id)
        title = getattr(rule, "title", "") or getattr(rule, "question", "") if rule else ""
        first: Inline = (
            Ref("step", str(steps[0]), word("site.entry_link", number=steps[0]))
            if steps[0]
            else word("site.at_start")
        )
        yield Ref("rule", id, id), title, len(steps), first
