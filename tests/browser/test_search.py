"""The search: what readers ask is found, from a server and from a disk, and nothing that they have not read yet."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser


@pytest.fixture(params=["url", "file_url"])
def home(site: Site, request: pytest.FixtureRequest) -> str:
    return str(getattr(site, request.param))


def search(page: Page, words: str) -> Locator:
    """Search for words; returns the place where the results stand."""
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search for").fill(words)
    results = page.locator(".ch-seek__out")
    results.get_by_role("link").first.wait_for(timeout=60_000)
    return results


QUESTIONS = [
    ("index.html", "mailbag", "snowshed-nine/index.html"),
    ("index.html", "who keeps the lighthouse", "the-lantern-coast/characters/corin-pask.html"),
    ("index.html", "start a new campaign", "commands.html#chronicle-new"),
    (
        "the-lantern-coast/index.html",
        "keeper of the ninth",
        "the-lantern-coast/characters/corin-pask.html",
    ),
    ("the-lantern-coast/index.html", "who is gone?", "the-lantern-coast/cast/index.html"),
    (
        "the-lantern-coast/index.html",
        "how does it end?",
        "the-lantern-coast/characters/corin-pask.html",
    ),
    (
        "the-lantern-coast/index.html",
        "how did the Guest end up?",
        "the-lantern-coast/characters/the-guest.html",
    ),
    ("snowshed-nine/index.html", "who died?", "snowshed-nine/characters/oskar-blum.html"),
    ("snowshed-nine/index.html", "who was injured?", "snowshed-nine/sessions/1.html#ladder"),
    ("six-names/index.html", "who survived?", "six-names/cast/index.html"),
    ("six-names/index.html", "how did Osei die?", "six-names/gladiators/osei-adom.html"),
    ("the-boathouse/index.html", "who won?", "the-boathouse/contests.html"),
    (
        "the-weather-market/index.html",
        "who stole spring",
        "the-weather-market/characters/corvin-ade.html",
    ),
    (
        "snowshed-nine/index.html",
        "whose operaton did the surgeon miss",
        "snowshed-nine/sessions/3.html#own",
    ),
    # What only a verb's own sentence tells, and an agreement by the id that the table cites.
    ("the-dry-book/index.html", "harbourmaster", "the-dry-book/sessions/1.html#s1-connections"),
    (
        "the-lantern-coast/index.html",
        "what does the brandy do?",
        "the-lantern-coast/sessions/3.html#brandy",
    ),
    ("the-boathouse/index.html", "who was thrown out?", "the-boathouse/characters/tomas.html"),
    # Words that only join others, and what people call a thing that the docs call otherwise.
    (
        "index.html",
        "keep something secret",
        "at-the-table.html#how-do-i-keep-a-secret-from-readers",
    ),
    ("index.html", "which game should I play", "which-game.html#which-game-is-for-us"),
    ("index.html", "print a book", "book.html#the-story-as-a-book"),
    ("index.html", "log dice rolls", "at-the-table.html#how-do-i-write-dice"),
    ("index.html", "how do I undo", "at-the-table.html#i-logged-something-wrong"),
    ("the-lantern-coast/index.html", "who plays Aud", "the-lantern-coast/players/index.html"),
]


def test_what_readers_ask_is_found(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        for place, question, answer in QUESTIONS:
            page.goto(home + place)
            results = search(page, question)
            # An answer stands among the first three of its group.
            link = results.locator("li:nth-child(-n + 3) a").and_(
                page.locator(f"[href='{home}{answer}']")
            )
            expect(link.first, question).to_be_visible(timeout=60_000)
    assert watch.problems == []


def test_what_several_pages_say_alike_is_found_once(site: Site, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(site.url + "index.html")
        results = search(page, "correct a mistake")
        # The verb is in the reference of each game; the guide has a chapter on it.
        reference = results.locator("a[href$='.html#correct']:not([href$='holes.html#correct'])")
        expect(reference).to_have_count(1)
    assert watch.problems == []


def test_a_reader_finds_no_session_that_is_still_unread(home: str, watched: WatchedPage) -> None:
    with watched(has_read=False) as (page, watch):
        page.goto(home + "the-lantern-coast/index.html")
        assert not search(page, "keeper").locator("a[href*='characters']").count()
        page.evaluate(
            "localStorage.setItem('chronicle:told:' + location.pathname.replace(/[^/]*$/, ''), 1)"
        )
        for place in ("the-lantern-coast/index.html", "index.html"):
            page.goto(home + place)
            results = search(page, "keeper")
            expect(results.get_by_text("Later sessions were not searched.")).to_be_visible()
            expect(results.locator("a", has_text="Aud Hallam").first).to_be_visible()
            for later in (
                "keeper of the Ninth",
                # A result from a session, not a person who was "apprentice until session 2".
                re.compile("(^|, )session 2 · The Lantern", re.IGNORECASE),
                re.compile("(^|, )session 3 · The Lantern", re.IGNORECASE),
            ):
                expect(results.get_by_text(later)).to_have_count(0)
            assert not results.locator("a[href*='lantern-coast/sessions/3']").count()
        results.get_by_role("button", name="Search them too").click()
        expect(results.get_by_text("keeper of the Ninth").first).to_be_visible()
    assert watch.problems == []


def test_the_rest_of_the_site_is_one_click_away(home: str, watched: WatchedPage) -> None:
    with watched(width=390) as (page, watch):
        page.goto(home + "the-boathouse/index.html")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("searchbox", name="Search for").fill("mailbag")
        expect(page.locator(".ch-seek [role=status]")).to_have_text("No page has this word.")
        page.get_by_role("button", name="Search the whole site").click()
        expect(page.locator(".ch-seek a", has_text="Wim").first).to_be_visible(timeout=60_000)
    assert watch.problems == []
