"""The page of the state of play: what it begins with, and what it leaves out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.site.made import EXAMPLES, Made, example, made


def _cards(site: Made) -> list[str]:
    return re.findall(r'<div class="ch-card" id="([^"]*)"', site.html("state"))


@pytest.mark.parametrize(
    "folder", EXAMPLES, ids=[example_folder.name for example_folder in EXAMPLES]
)
def test_a_story_that_is_over_begins_with_what_was_settled(folder: Path) -> None:
    site = made(folder)
    cards = _cards(site)
    is_first = cards[0] == "what-was-settled-last"
    assert is_first == site.campaign_site.record.is_over


def test_what_was_settled_last_has_the_newest_first() -> None:
    page = example("gallery-nine").html("state")
    settled = page[page.index("what-was-settled-last") :]
    entry_numbers = [int(number) for number in re.findall(r"</span>(\d+)</a>", settled)]
    assert len(entry_numbers) == 4
    assert entry_numbers == sorted(entry_numbers, reverse=True)


def test_empty_counters_are_one_line_and_the_premise_is_left_out() -> None:
    page = example("gallery-nine").html("state")
    assert "0 of 5" not in page and ">none<" not in page
    text = re.sub("<.*?>", "", page)
    assert "There are none of these now: Marks, Advantages on the board." in text
    assert "It has begun to send again" not in text
    assert "dangers came true" in text
    # A counter that somebody has stays, with the empty ones beside it.
    assert "0 of 5" in example("the-pressing-room").html("state")
