"""The scenes in the order of the story, each with its place in play, and who is where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.core.campaign_view import Block, Item, Lanes, Listing, Ref
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
        scenes_of_branches = _scenes_by_branch(campaign_site)
        is_told_in_order = [scenes for _, scenes in scenes_of_branches] == [
            _played_scenes(campaign_site)
        ]
        yield blocks_page(
            "timeline",
            word("site.timeline"),
            _blocks(campaign_site, scenes_of_branches, is_told_in_order),
            intro=word(
                "site.timeline_one_order" if is_told_in_order else "site.timeline_two_orders"
            ),
        )


def _played_scenes(campaign_site: CampaignSite) -> list[Scene]:
    """The scenes of the story in the order of play."""
    scenes = campaign_site.record.timeline.scenes
    return [scene for scene in scenes if scene.frame is not Frame.OUTSIDE]


def _scenes_by_branch(campaign_site: CampaignSite) -> list[tuple[str, list[Scene]]]:
    """The scenes in the order of the story: for each branch its name, empty if there is one alone."""
    timeline = campaign_site.record.timeline
    story_scenes = timeline.story_order()
    branches = list(dict.fromkeys(scene.branch for scene in story_scenes))
    return [
        (
            branch if len(branches) > 1 else "",
            [scene for scene in story_scenes if timeline.includes_scene(branch, scene.number)],
        )
        for branch in branches
    ]


def _blocks(
    campaign_site: CampaignSite,
    scenes_of_branches: Sequence[tuple[str, list[Scene]]],
    is_told_in_order: bool,
) -> Iterator[Block]:
    shape_by_sheet = {sheet.id: sheet.shape for sheet in campaign_site.view.sheets}
    for branch, scenes in scenes_of_branches:
        scene_notes = _scene_notes(campaign_site, scenes, is_told_in_order)
        cast_ids = dict.fromkeys(subject_id for scene in scenes for subject_id in scene.cast)
        # People first, then places. A thing is with its owner, whose lane shows where.
        subject_ids = [
            subject_id for subject_id in cast_ids if shape_by_sheet.get(subject_id) == "person"
        ]
        subject_ids += [
            subject_id
            for subject_id in cast_ids
            if shape_by_sheet.get(subject_id, "place") == "place"
        ]
        if subject_ids and len(subject_ids) <= MAX_ROWS and len(scenes) <= MAX_COLUMNS:
            lanes_title = _branch_message("site.who_is_where", "site.who_is_where_branch", branch)
            yield _lanes(campaign_site, lanes_title, subject_ids, scenes, scene_notes)
        else:
            listing_title = _branch_message("site.as_told", "site.as_told_branch", branch)
            scene_items = (
                Item(Ref("scene", str(scene.number), scene.label), scene_note)
                for scene, scene_note in zip(scenes, scene_notes, strict=True)
            )
            yield Listing(tuple(scene_items), listing_title, ordered=True)


def _branch_message(message_key: str, branch_message_key: str, branch: str) -> str:
    """A message; if there are several branches, the version of the message that names the branch."""
    return word(branch_message_key, branch=branch) if branch else word(message_key)


def _scene_notes(
    campaign_site: CampaignSite, scenes: Sequence[Scene], is_told_in_order: bool
) -> tuple[str, ...]:
    """When each scene is, in the story and in play. In one order, a session is said of its first scene alone."""
    branch_of = campaign_site.record.timeline.branch_of
    scene_notes: list[str] = []
    last_session = 0
    for scene in scenes:
        played_text = (
            word("site.in_session", number=scene.session) if scene.session != last_session else ""
        )
        if is_told_in_order:
            last_session = scene.session
        else:
            played_text = word("site.session_and_scene", number=scene.session, scene=scene.number)
        # "session" and its number stay on one line.
        note_parts = scene.when, played_text.replace(" ", "\u00a0"), branch_of(scene)
        scene_notes.append(", ".join(filter(None, note_parts)))
    return tuple(scene_notes)


def _lanes(
    campaign_site: CampaignSite,
    title: str,
    subject_ids: Sequence[str],
    scenes: Sequence[Scene],
    scene_notes: tuple[str, ...],
) -> Lanes:
    return Lanes(
        title,
        tuple(campaign_site.link_or_name(subject_id) for subject_id in subject_ids),
        tuple(Ref("scene", str(scene.number), scene.label) for scene in scenes),
        tuple(
            (
                row_index,
                column_index,
                campaign_site.name(subject_id),
                campaign_site.player_of(subject_id),
            )
            for row_index, subject_id in enumerate(subject_ids)
            for column_index, scene in enumerate(scenes)
            if subject_id in scene.cast
        ),
        scene_notes,
    )
