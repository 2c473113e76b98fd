"""What readers see of alternate realities: the branches, and both truths about one Component."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run, view_of
from chronicle.core.campaign_view import CampaignView, Graph, Section, Table

SPECIMEN = (
    Path(__file__).parents[3] / "chronicle/games/universalis/addons/specimens/alternate-reality"
)


@pytest.fixture(scope="module")
def view() -> CampaignView:
    return view_of(run(load(SPECIMEN)))


def test_branches_are_drawn_with_what_a_fork_cost(view: CampaignView) -> None:
    page = next(page for page in view.pages if page.slug == "realities")
    graph = next(block for block in page.blocks if isinstance(block, Graph))
    title = {node.id: node.label for node in graph.nodes}
    assert {(title[e.start], title[e.end], e.label) for e in graph.edges} == {
        ("The toll house", "The bridge", ""),
        ("The bridge", "The far side", ""),
        ("The toll house", "The bridge (it broke)", "it broke: 1 Coin"),
    }
    branches = next(block for block in page.blocks if isinstance(block, Table))
    assert [(row[0], row[2], row[4]) for row in branches.rows] == [
        ("it held", "the table", 3),
        ("it broke", "Cleo", 1),
    ]


def test_a_sheet_shows_both_truths_side_by_side(view: CampaignView) -> None:
    sheet = next(sheet for sheet in view.sheets if sheet.name == "carter")
    assert sheet.status == ("in the story on 'it held'; out of the story on 'it broke'")
    truths = next(b for b in sheet.blocks if isinstance(b, Section) and b.title == "Two truths")
    table = next(block for block in truths.blocks if isinstance(block, Table))
    assert [column.title for column in table.columns] == ["What", "it held", "it broke"]
    assert [tuple(str(getattr(c, "label", c)) for c in row) for row in table.rows] == [
        ("Importance", "3", "2"),
        ("Now", "in the story", "out of the story"),
        ("trusts rope", "yes", "-"),
    ]
    assert any(isinstance(b, Section) and b.title == "As it is on 'it broke'" for b in sheet.blocks)


def test_what_exists_on_one_branch_says_so(view: CampaignView) -> None:
    inn = next(sheet for sheet in view.sheets if sheet.name == "inn")
    assert inn.status.endswith("on 'it held' only")


def test_scenes_say_which_branch_they_are_on(view: CampaignView) -> None:
    marks = [scene.marks.get("branch", "") for scene in view.record.timeline.scenes]
    assert marks == ["", "it held", "it broke", "it held"]
    assert view.record.timeline.get(3).marks["mirror of"] == "The bridge"
