"""What goes with the pages of a campaign and is none of them: files that its pages load, or others ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.site.campaign_site import CampaignSite
from chronicle.site.enclosed import cards, feed, find, redirects
from chronicle.site.files import SiteFile
from chronicle.site.navigation import NavPage


def enclosed_files(campaign_site: CampaignSite, nav_pages: Sequence[NavPage]) -> Iterator[SiteFile]:
    """Every one of them, where its navigation has these ``nav_pages``."""
    yield from cards.card_files(campaign_site)
    yield from redirects.redirect_files(campaign_site)
    yield from feed.feed_and_share_files(campaign_site)
    yield from find.search_files(campaign_site, nav_pages)
