"""All contests of a story on one page."""

import re

import pytest

from chronicle.core.campaign_view import Ref
from chronicle.site.pages.contests import WRITTEN_DICE_NOTE
from tests.site.made import example


@pytest.mark.parametrize(
    ("story", "parts"),
    [
        ("the-lantern-coast", ["complications", "challenges"]),
        ("snowshed-nine", ["in-words", "conflicts"]),
        ("gallery-nine", ["rolls", "chances"]),
        ("the-dry-book", ["in-words"]),
    ],
)
def test_one_page_has_all_contests_once(story: str, parts: list[str]) -> None:
    html = example(story).html("contests")
    assert re.findall(r'<section class="ch-section" id="([\w-]+)"', html)[: len(parts)] == parts
    assert WRITTEN_DICE_NOTE in html


@pytest.mark.parametrize(
    ("story", "sentence", "score"),
    [
        ("the-boathouse", "Ruth is believed, against Marek: “It was not love. It was March.”", "1 : 0"),
        ("the-boathouse", "Ruth against Marek: “She never asked him to keep anything quiet. He offered.”",
         "Marek backed down"),
        ("the-lantern-coast", "The Guest wins “A talk refused” against Aud Hallam", "3 : 2"),
        ("the-witness-orchard",
         "Mieke Sorrel and Ruben Tock win “The warrant or the pear” against Ansa Vane", "7 : 5"),
    ],
)  # fmt: skip
def test_a_row_says_who_won_with_the_winners_number_first(
    story: str, sentence: str, score: str
) -> None:
    html = example(story).html("contests")
    rows = re.findall(r"<summary><h\d>(.*?)</h\d><span>(.*?)</span></summary>", html)
    said = [
        tuple(re.sub(r"<[^>]+>", "", part).replace("\xa0", " ") for part in row) for row in rows
    ]
    assert any(words.endswith(sentence) and came_to == score for words, came_to in said), said


@pytest.mark.parametrize(
    ("title", "came_to"),
    [
        ("The staircase in the Via Torino", "Quill does well, 1\xa0:\xa00"),
        ("The room behind the switchboard",
         "Quill does well, 1\xa0:\xa00, and steps ahead to space 2 of the Path to Freedom"),
        ("The doors of the Exchange",
         "Quill, Marrow and Tern do well, and the Job is done, 3\xa0:\xa01"),
    ],
)  # fmt: skip
def test_a_scene_that_went_well_or_badly_is_a_row_with_what_it_came_to(
    title: str, came_to: str
) -> None:
    html = example("the-dry-book").html("contests")
    assert "The numbers are successes: first those of" in html
    assert "27 in all: 16 well, 6 badly and 5 a stand-off." in re.sub("<.*?>", "", html)
    row = re.search(
        rf"<h\d>{title}</h\d><span>(.*?)</span></summary>(.*?)</details>", html, re.DOTALL
    )
    assert row
    assert re.sub(r"<[^>]+>", "", row[1]) == came_to
    assert "ch-contest" in row[2]


@pytest.mark.parametrize(
    ("story", "sentence"),
    [
        ("snowshed-nine", "Hedda Brunn’s proposal “Everybody digs, and we have this open before it freezes”: "
         "partial success. 6\xa0:\xa06"),
    ],
)  # fmt: skip
def test_contests_that_have_no_row_are_listed_in_words(story: str, sentence: str) -> None:
    html = example(story).html("contests")
    assert "The numbers are successes: first those of" not in html
    listed = html.partition('id="in-words"')[2].partition("<section")[0]
    lines = [re.sub(r"<[^>]+>", "", line) for line in listed.split("<li")]
    assert any(sentence in line for line in lines), lines


def test_bars_stand_behind_the_contests_and_no_unknown_score_leaves_a_comma() -> None:
    coast = example("the-lantern-coast").html("contests")
    assert coast.index("A talk refused") < coast.index("What gave most dice")
    assert "Complications won" not in coast
    ferry = re.sub(r"<[^>]+>", "", example("the-ferry-house").html("contests"))
    assert "The current takes themInes won" in ferry


def test_about_says_what_the_story_is_and_who_played_it_when() -> None:
    html = example("the-lantern-coast").html("about")
    assert "Forty lighthouses stand on one coast" in html
    assert "Universalis" in html
    assert "11 April to 9 May 2026" in html
    assert "3 sessions, 24 minutes" in html
    listed = html.partition("More about this story")[2]
    for title in ("Tenets", "How to read this", "Rules used", "What was checked", "Downloads"):
        assert re.search(rf"<li><a [^>]*>{title}</a>", listed), title


def test_a_story_without_contests_has_no_page_of_them() -> None:
    assert (
        example("left-luggage").campaign_site.path_on_site("contests")
        not in example("left-luggage").files
    )


def test_links_of_the_game_lead_to_the_part() -> None:
    campaign_site = example("the-lantern-coast").campaign_site
    page, anchor = campaign_site.target_of(Ref("page", "challenges", "")) or ("", "")
    assert (page, anchor) == (campaign_site.path_on_site("contests"), "challenges")


def test_throws_are_listed_where_no_list_has_them() -> None:
    assert "rolls" in example("the-dry-book").html("contests")
    assert "rolls" not in example("the-boathouse").html("contests").partition('id="dice"')[2]


def test_the_registry_can_be_filtered_without_a_script() -> None:
    html = example("the-lantern-coast").html("everything")
    assert html.count('type="radio"') == 5
    assert "Places 5" in html


def test_players_are_found_with_what_they_hold() -> None:
    ferry = example("the-ferry-house")
    index = (ferry.files[ferry.campaign_site.path_on_site("find.js")].contents or b"").decode()
    assert '["Rolf","Coins: not known"' in index


@pytest.mark.parametrize("story", ["the-lantern-coast", "the-boathouse", "the-witness-orchard"])
def test_a_throw_has_the_winners_side_and_number_first_as_its_row(story: str) -> None:
    """The number in the row, the number in the card, and the sides of the card are in one order."""
    html = example(story).html("contests")
    rows = re.findall(r'<details class="ch-row">(.*?)(?=<details class="ch-row">|\Z)', html, re.S)
    compared = 0
    for row in rows:
        gist = re.search(r"</h\d><span>(\d+ : \d+)</span>", row.replace("\xa0", " "))
        scores = re.findall(r'ch-versus"><strong>(.*?)</strong>', row.replace("\xa0", " "))
        sides = re.findall(r'<div class="ch-side p\d+( won)?">', row)
        if gist is not None and scores:
            compared += 1
            assert gist[1] == scores[-1], row[:200]
            assert sides[-2:] != ["", " won"], row[:200]
    assert compared > 1


def test_what_was_objected_to_is_called_by_its_words_and_counts_are_words() -> None:
    html = example("the-lantern-coast").html("contests")
    titles = re.findall(r"<summary><h\d>(.*?)</h\d>", html)
    assert "A Tenet" not in titles
    assert any(title.startswith("A Tenet: ") for title in titles)
    assert "knows the shoals (twice)" in " ".join(titles)


@pytest.mark.parametrize("story", ["the-lantern-coast", "snowshed-nine", "the-boathouse"])
def test_no_page_counts_with_a_sign(story: str) -> None:
    """``x2`` is how a log writes it; pages say *twice*."""
    for path, file in example(story).files.items():
        shown = re.sub(r"<(code|pre|script)\b.*?</\1>|<[^>]+>", " ", file.html, flags=re.S)
        found = re.findall(r".{0,30}(?:×\s?\d|\bx[2-9]\b|\d×).{0,10}", shown)
        assert not found, (path, found)
