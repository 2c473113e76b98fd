"""The scenes in the order of play and in that of the story, and who is where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.core.book import Block, Item, Lanes, Listing, Ref, Section
from chronicle.core.timeline import Frame, Scene
from chronicle.site.navigation import NavPage
from chronicle.site.press import Draft, blocks_page
from chronicle.site.volume import Volume
from chronicle.words import word

MOST_ROWS = 40
MOST_COLUMNS = 60
"""Swim lanes of more people or scenes are unreadable."""


LEAST = 3
"""The fewest scenes that make a timeline."""


def nav_pages(volume: Volume) -> Iterator[NavPage]:
    """Its place in the navigation. Two scenes are no timeline."""
    if len(volume.record.timeline.scenes) >= LEAST:
        yield NavPage("Timeline", word("site.timeline"), "timeline")


def pages(volume: Volume) -> Iterator[Draft]:
    """The timeline."""
    if any(nav_pages(volume)):
        yield blocks_page("timeline", word("site.timeline"), _blocks(volume))


def _blocks(volume: Volume) -> Iterator[Block]:
    timeline = volume.record.timeline
    played = [scene for scene in timeline.scenes if scene.frame is not Frame.OUTSIDE]
    story = timeline.story_order()
    branches = list(dict.fromkeys(scene.branch for scene in story))
    orders = [
        (
            branch if len(branches) > 1 else "",
            [scene for scene in story if timeline.tells(branch, scene.number)],
        )
        for branch in branches
    ]
    if [scenes for _, scenes in orders] == [played]:
        yield _listing(volume, played, word("site.as_played_and_told"))
    else:
        yield Section(
            word("site.two_orders" if len(orders) < 2 else "site.all_orders"),
            (
                _listing(volume, played, word("site.as_played")),
                *(
                    _listing(
                        volume, scenes, _of_branch("site.as_told", "site.as_told_branch", branch)
                    )
                    for branch, scenes in orders
                ),
            ),
            "orders",
        )
    for branch, scenes in orders:
        names = list(dict.fromkeys(id for scene in scenes for id in scene.cast))
        if names and len(names) <= MOST_ROWS and len(scenes) <= MOST_COLUMNS:
            yield _lanes(
                volume,
                _of_branch("site.who_is_where", "site.who_is_where_branch", branch),
                names,
                scenes,
            )


def _of_branch(key: str, key_of_branch: str, branch: str) -> str:
    """A message; if there are several branches, the version of the message that names the branch."""
    return word(key_of_branch, branch=branch) if branch else word(key)


def _listing(volume: Volume, scenes: Sequence[Scene], title: str) -> Listing:
    branch_of = volume.record.timeline.branch_of
    items = (
        Item(
            Ref("scene", str(scene.number), scene.label),
            " · ".join(
                part
                for part in (
                    scene.when,
                    word("site.in_session", number=scene.session),
                    branch_of(scene),
                )
                if part
            ),
        )
        for scene in scenes
    )
    return Listing(tuple(items), title, ordered=True)


def _lanes(volume: Volume, title: str, names: Sequence[str], scenes: Sequence[Scene]) -> Lanes:
    return Lanes(
        title,
        tuple(volume.link(id) for id in names),
        tuple(Ref("scene", str(scene.number), scene.label) for scene in scenes),
        tuple(
            (row, column, volume.name(id), volume.player_of(id))
            for row, id in enumerate(names)
            for column, scene in enumerate(scenes)
            if id in scene.cast
        ),
    )
