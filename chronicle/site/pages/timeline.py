"""The scenes in the order of play and in that of the story, and who is where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.core.campaign_view import Block, Item, Lanes, Listing, Ref, Section
from chronicle.core.timeline import Frame, Scene
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec, blocks_page
from chronicle.words import word

MAX_ROWS = 40
MAX_COLUMNS = 60
"""Swim lanes of more people or scenes are unreadable."""


MIN_SCENES = 3
"""The fewest scenes that make a timeline."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation. Two scenes are no timeline."""
    if len(campaign_site.record.timeline.scenes) >= MIN_SCENES:
        yield NavPage("Timeline", word("site.timeline"), "timeline")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The timeline."""
    if any(nav_pages(campaign_site)):
        yield blocks_page("timeline", word("site.timeline"), _blocks(campaign_site))


def _blocks(campaign_site: CampaignSite) -> Iterator[Block]:
    timeline = campaign_site.record.timeline
    played_scenes = [scene for scene in timeline.scenes if scene.frame is not Frame.OUTSIDE]
    story_scenes = timeline.story_order()
    branches = list(dict.fromkeys(scene.branch for scene in story_scenes))
    orders = [
        (
            branch if len(branches) > 1 else "",
            [scene for scene in story_scenes if timeline.tells(branch, scene.number)],
        )
        for branch in branches
    ]
    if [scenes for _, scenes in orders] == [played_scenes]:
        yield _listing(campaign_site, played_scenes, word("site.as_played_and_told"))
    else:
        yield Section(
            word("site.two_orders" if len(orders) < 2 else "site.all_orders"),
            (
                _listing(campaign_site, played_scenes, word("site.as_played")),
                *(
                    _listing(
                        campaign_site,
                        scenes,
                        _branch_message("site.as_told", "site.as_told_branch", branch),
                    )
                    for branch, scenes in orders
                ),
            ),
            "orders",
        )
    people = {sheet.id for sheet in campaign_site.view.sheets if sheet.shape == "person"}
    for branch, scenes in orders:
        names = list(dict.fromkeys(id for scene in scenes for id in scene.cast))
        # People first, then places and things.
        names.sort(key=lambda id: id not in people)
        if names and len(names) <= MAX_ROWS and len(scenes) <= MAX_COLUMNS:
            yield _lanes(
                campaign_site,
                _branch_message("site.who_is_where", "site.who_is_where_branch", branch),
                names,
                scenes,
            )


def _branch_message(key: str, key_of_branch: str, branch: str) -> str:
    """A message; if there are several branches, the version of the message that names the branch."""
    return word(key_of_branch, branch=branch) if branch else word(key)


def _listing(campaign_site: CampaignSite, scenes: Sequence[Scene], title: str) -> Listing:
    branch_of = campaign_site.record.timeline.branch_of
    items = (
        Item(
            Ref("scene", str(scene.number), scene.label),
            " · ".join(
                part
                for part in (
                    scene.when,
                    # "session" and its number stay on one line.
                    word("site.in_session", number=scene.session).replace(" ", "\u00a0"),
                    branch_of(scene),
                )
                if part
            ),
        )
        for scene in scenes
    )
    return Listing(tuple(items), title, ordered=True)


def _lanes(
    campaign_site: CampaignSite, title: str, names: Sequence[str], scenes: Sequence[Scene]
) -> Lanes:
    return Lanes(
        title,
        tuple(campaign_site.link(id) for id in names),
        tuple(Ref("scene", str(scene.number), scene.label) for scene in scenes),
        tuple(
            (row, column, campaign_site.name(id), campaign_site.player_of(id))
            for row, id in enumerate(names)
            for column, scene in enumerate(scenes)
            if id in scene.cast
        ),
    )
