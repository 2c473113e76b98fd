"""The list of all scenes."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.campaign_view import Column, Inline, Ref, Table
from chronicle.core.timeline import Scene
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.links import shortened
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation."""
    yield NavPage(
        "Timeline", word("site.scenes"), "scenes", str(len(campaign_site.record.timeline.scenes))
    )


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """All scenes in one table."""
    rows = tuple(_row(campaign_site, scene) for scene in campaign_site.record.timeline.scenes)
    columns = (
        Column(word("site.scene")),
        Column(word("site.number"), True),
        Column(word("site.session"), True),
        Column(word("site.opened_by")),
        Column(word("site.time")),
        Column(word("site.in_it")),
        Column(word("site.how_closed")),
        Column(word("site.how_stood")),
    )
    yield blocks_page("scenes", word("site.scenes"), [Table(columns, rows)], spoiler_rule="rows")


def _row(campaign_site: CampaignSite, scene: Scene) -> tuple[Inline, ...]:
    number = str(scene.number)
    return (
        Ref("scene", number, scene.label),
        scene.number,
        scene.session,
        scene.opener,
        scene.when,
        ", ".join(campaign_site.name(id) for id in scene.cast),
        word("site.scene_open")
        if scene.is_open
        else shortened(scene.closing) or word("site.scene_closed"),
        Ref("after", number, word("site.then"))
        if scene.number in campaign_site.view.scene_panels
        else "",
    )
