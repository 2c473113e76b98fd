"""All contests of a story on one page."""

import re

import pytest

from chronicle.core.campaign_view import Ref
from tests.site.made import example


@pytest.mark.parametrize(
    ("story", "parts"),
    [
        ("the-lantern-coast", ["in-words", "complications", "challenges", "dice"]),
        ("snowshed-nine", ["in-words", "conflicts", "dice"]),
        ("gallery-nine", ["in-words", "rolls", "chances", "dice"]),
        ("the-dry-book", ["in-words", "dice"]),
    ],
)
def test_one_page_has_all_contests(story: str, parts: list[str]) -> None:
    html = example(story).html("contests")
    section_ids = re.findall(r'<section class="ch-section" id="([\w-]+)"', html)
    assert section_ids[: len(parts)] == parts


@pytest.mark.parametrize(
    ("story", "sentence"),
    [
        ("the-dry-book", "Marrow and Quill do well in “The counter hall of the Adriatica Mutual, at noon”. 3 : 1"),
        ("the-boathouse", "Ruth is believed, against Marek: “It was not love. It was March.” 1 : 0"),
        ("the-lantern-coast", "The Guest wins “A talk refused” against Aud Hallam. 2 : 3"),
        ("the-ferry-house", "“The current takes them”: Ines against Beate; Ines won."),
        ("the-witness-orchard", "Mieke Sorrel and Ruben Tock win “The warrant or the pear” against Ansa Vane. 5 : 7"),
        ("snowshed-nine", "Hedda Brunn’s proposal “Everybody digs, and we have this open before it freezes”: "
         "partial success. 6 : 6"),
    ],
)  # fmt: skip
def test_contests_are_listed_in_words_before_anything_else(story: str, sentence: str) -> None:
    html = example(story).html("contests")
    listed = html.partition('id="in-words"')[2].partition("<section")[0]
    lines = [" ".join(re.sub(r"<[^>]+>", "", line).split()) for line in listed.split("<li")]
    assert any(sentence in line for line in lines)
    assert "ch-bars" not in html.partition('id="in-words"')[0]


def test_bars_stand_behind_the_contests_and_no_unknown_score_leaves_a_comma() -> None:
    coast = example("the-lantern-coast").html("contests")
    assert coast.index("A talk refused") < coast.index("Complications won")
    assert coast.index('id="complication-1"') < coast.index("Complications won")
    ferry = example("the-ferry-house").html("contests")
    assert "Ines won" in ferry
    assert ", Ines won" not in ferry.replace("; Ines won", "")


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
