"""The journal: texts written after play, in a character's voice or the writer's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign_view import Inline
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.dates import long_date
from chronicle.site.draw import Renderer
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.words import word


class JournalText(NamedTuple):
    """One text of the journal."""

    slug: str
    title: str
    date: str
    author: Inline
    body: str


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.record.campaign.journal:
        yield NavPage(
            "Journal",
            word("site.journal"),
            "journal",
            str(len(campaign_site.record.campaign.journal)),
        )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All texts on one page."""
    journal_texts = tuple(
        JournalText(
            journal_entry.slug,
            journal_entry.title,
            long_date(journal_entry.date),
            campaign_site.works.byline(journal_entry),
            journal_entry.body,
        )
        for journal_entry in campaign_site.record.campaign.journal
    )
    if journal_texts:
        yield PageSpec("journal", word("site.journal"), journal_texts, _template_values)


def _template_values(renderer: Renderer, journal_texts: tuple[JournalText, ...]) -> dict[str, Any]:
    return {
        "texts": [
            {
                "slug": journal_text.slug,
                "title": journal_text.title,
                "date": journal_text.date,
                "by": renderer.text(journal_text.author),
                "body": renderer.prose(journal_text.body),
            }
            for journal_text in journal_texts
        ]
    }
