"""What two pages of a story say of the same thing agrees."""

import re

import pytest

from chronicle.site.pages import loose_ends
from tests.site.made import example

STORIES = ["snowshed-nine", "the-dry-book", "gallery-nine", "the-boathouse", "the-weather-market"]


@pytest.mark.parametrize("story", STORIES)
def test_everything_holds_the_cast(story: str) -> None:
    cast = example(story).html("cast/index")
    names = re.findall(r"<h[23]>(.*?)</h[23]>", cast)
    people = {re.sub(r"<small>.*|<.*?>", "", name).strip() for name in names}
    headings = {
        re.sub(r"<.*?>", "", title)
        for title in re.findall(r'<section class="ch-section.*?<h2>(.*?)</h2>', cast)
    }
    everything = example(story).html("everything")
    for person in people - headings:
        assert person.casefold() in everything.casefold(), person


def test_a_map_counts_the_people_that_it_draws() -> None:
    page = example("snowshed-nine").html("relations")
    count = re.search(r"after session 3: (\d+) in all", page)
    assert count is not None and count[1] == "4"


def test_a_trait_that_is_held_is_not_struck_as_well() -> None:
    page = example("the-lantern-coast").html("characters/nim")
    # Traits wear the colour of their player, the moments of a life none.
    chips = re.findall(r'<span class="ch-slip([^"]* p\d+)">([^<]*)', page)
    for text in ("cannot keep a secret", "owns sounding pole"):
        looks = [look for look, words in chips if words.strip() == text]
        assert len(looks) == 1 and "removed" not in looks[0], (text, looks)


def test_players_control_in_one_game_and_play_in_others() -> None:
    assert "Controls at the end" in example("the-lantern-coast").html("players/index")
    assert "Plays" in example("snowshed-nine").html("players/index")


def test_the_check_page_says_what_was_checked() -> None:
    made_site = example("snowshed-nine")
    page = made_site.html("check")
    facts = dict(re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', page))
    record = made_site.campaign_site.record
    assert facts["Entries replayed by the rules"] == str(len(record.steps))
    assert int(facts["Rolls checked"]) > 5


@pytest.mark.parametrize(
    ("story", "words"),
    [
        ("the-weather-market", "Does his child get well?"),
        ("gallery-nine", "What becomes of Superintendent Voss?"),
        ("the-weighing-house", "Were the eleven weighed?"),
    ],
)
def test_what_the_keepers_call_open_is_left_open(story: str, words: str) -> None:
    page = example(story).html("loose-ends")
    assert words in re.sub(r"<.*?>", "", page)


def test_left_open_has_no_state_of_health_and_no_number_of_a_rule() -> None:
    snowshed = example("snowshed-nine")
    open_ends = [str(end.text) for end in loose_ends.open_ends_of(snowshed.campaign_site)]
    assert not [words for words in open_ends if "recover" in words]
    for session in (1, 2):
        for end in loose_ends.open_ends_of(snowshed.campaign_site, session):
            assert not re.search(r"\bI\d", end.note)


def test_what_is_left_open_says_in_which_scene_it_was() -> None:
    page = example("the-dry-book").html("loose-ends")
    asked = page.partition("Is Brandt the manager")[2].partition("</li>")[0]
    assert re.search(r"<a [^>]*>The shareholders’ ball at the Teatro Verdi</a> · Session 2", asked)
    # An account of a session says it anyway.
    assert (
        "The shareholders’ ball"
        not in example("the-dry-book")
        .html("changes/since-1")
        .partition("Is Brandt the manager")[2]
        .partition("</li>")[0]
    )


def test_the_page_of_a_player_says_first_who_that_is() -> None:
    def sub(page: str) -> str:
        """The words below the heading."""
        return re.sub(r"<[^>]*>", "", page.partition("</h1>")[2].partition("</p>")[0]).strip()

    rhea = example("the-dry-book").html("players/rhea")
    assert sub(rhea) == "Runs the game. Opened 3 scenes. Told 2 pieces of the story."
    assert "ch-stat" not in rhea
    # Each scene with its session.
    assert re.search(r"Room 12 of the Savoia Excelsior</a>.{0,40}Session 2", rhea, re.DOTALL)
    assert sub(example("the-dry-book").html("players/owen")).startswith("Plays ")


def test_when_a_scene_was_played_follows_a_comma_and_no_dot() -> None:
    page = example("gallery-nine").html("timeline")
    assert "three nights before the audit, session\xa01," in page
