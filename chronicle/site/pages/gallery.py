"""The gallery: every picture that readers can see, with all known facts about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chronicle.site import pictures
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.files import SiteFile
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.words import word


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    if campaign_site.pictures:
        yield NavPage("Story", word("site.pictures"), "gallery")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec | SiteFile]:
    """The page of the pictures, and the pictures."""
    if campaign_site.pictures:
        plates = campaign_site.pictures.gallery(
            campaign_site.record.campaign.art, campaign_site.works
        )
        yield PageSpec("gallery", word("site.pictures"), tuple(plates), _template_values)
        for file_path, contents in campaign_site.pictures.paths_and_contents():
            yield SiteFile(campaign_site.path_on_site(file_path), contents=contents)


def _template_values(renderer: Renderer, plates: tuple[pictures.Plate, ...]) -> dict[str, Any]:
    return {"plates": [pictures.draw_plate(renderer, plate) for plate in plates]}
