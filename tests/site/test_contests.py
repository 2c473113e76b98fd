"""All contests of a story on one page."""

import re

import pytest

from chronicle.core.campaign_view import Ref
from tests.site.made import example


@pytest.mark.parametrize(
    ("story", "parts"),
    [
        ("the-lantern-coast", ["complications", "challenges", "dice"]),
        ("snowshed-nine", ["conflicts", "dice"]),
        ("gallery-nine", ["rolls", "chances", "dice"]),
        ("the-dry-book", ["dice"]),
    ],
)
def test_one_page_has_all_contests(story: str, parts: list[str]) -> None:
    html = example(story).html("contests")
    section_ids = re.findall(r'<section class="ch-section" id="([\w-]+)"', html)
    assert section_ids[: len(parts)] == parts


def test_a_story_without_contests_has_no_page_of_them() -> None:
    assert (
        example("left-luggage").campaign_site.path("contests") not in example("left-luggage").files
    )


def test_links_of_the_game_lead_to_the_part() -> None:
    campaign_site = example("the-lantern-coast").campaign_site
    page, anchor = campaign_site.page_of(Ref("page", "challenges", "")) or ("", "")
    assert (page, anchor) == (campaign_site.path("contests"), "challenges")


def test_throws_are_listed_where_no_list_has_them() -> None:
    assert "rolls" in example("the-dry-book").html("contests")
    assert "rolls" not in example("the-boathouse").html("contests").partition('id="dice"')[2]


def test_the_registry_can_be_filtered_without_a_script() -> None:
    html = example("the-lantern-coast").html("everything")
    assert html.count('type="radio"') == 5
    assert "Places 5" in html


def test_players_are_found_with_what_they_hold() -> None:
    ferry = example("the-ferry-house")
    index = (ferry.files[ferry.campaign_site.path("find.js")].data or b"").decode()
    assert '["Rolf","Coins: not known"' in index
