"""About a story's log: the game, how strictly it is checked, and who wrote it down. It tells nothing of the story,
so it is open to who has not begun to read."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle import __version__
from chronicle.core.campaign_view import Facts, Inline
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word

PAGE = "about"
TITLE = word("site.about")


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage("About", TITLE, PAGE)


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The page."""
    yield blocks_page(
        PAGE,
        TITLE,
        [Facts(tuple(_facts(campaign_site)))],
        intro=campaign_site.record.rulebook.summary,
        spoiler_rule="itself",
        search={"exclude": True},
    )


def _facts(campaign_site: CampaignSite) -> Iterator[tuple[str, Inline]]:
    """What was agreed before play."""
    campaign = campaign_site.record.campaign
    settings = campaign.settings
    yield word("site.game"), campaign_site.record.rulebook.title
    yield word("site.what_was_checked"), word(f"site.checked_{campaign.strictness}")
    rulings = {ruling.key: ruling for ruling in campaign_site.rules.rulings}
    readings = campaign_site.record.rulings
    for key in readings.chosen_keys:
        ruling = rulings[key]
        yield word("site.reading"), f"{ruling.question} {ruling.readings[readings[key]]}"
    pinned_version = campaign.pinned_version
    key = "site.version" if pinned_version in ("", __version__) else "site.version_pinned"
    yield word("site.checked_with"), word(key, version=__version__, pinned=pinned_version)
    if settings.authors:
        yield word("site.written_by"), ", ".join(settings.authors)
    if settings.licence:
        yield word("site.licence"), str(settings.licence)
