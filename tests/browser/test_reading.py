"""What a reader does: walk about, switch, sort, search, share a link to a moment."""

import pytest

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser


@pytest.fixture(params=["url", "file_url"], ids=["served", "from disk"])
def home(site: Site, request: pytest.FixtureRequest) -> str:
    return str(getattr(site, request.param))


def test_from_the_front_to_a_moment_and_back(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "index.html")
        page.get_by_role("link", name="The Boathouse").click()
        page.get_by_role("link", name="Follow the play").click()
        assert page.locator("h1").inner_text() == "The letter"
        page.get_by_role("link", name="Before the ferry").last.click()
        assert page.locator("h1").inner_text() == "Before the ferry"
        page.get_by_role("button", name="People", exact=True).click()
        page.locator(".ch-doors").get_by_role("link", name="Characters").click()
        page.get_by_role("link", name="Wanda").first.click()
        assert page.locator("h1").inner_text() == "Wanda"
        page.locator(".ch-go").first.click()
        page.locator(".ch-row:target").wait_for()
        page.locator(".ch-rule").first.click()
        page.locator(".ch-rule-entry:target").wait_for()
    assert watch.problems == []


def test_a_permalink_leads_to_its_action(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/sessions/1.html")
        anchor = page.locator(".ch-row").nth(11).get_attribute("id")
        page.locator(".ch-row").nth(11).locator(".ch-row__no").click()
        assert page.url.endswith(f"#{anchor}")
        page.goto("about:blank")
        page.goto(f"{home}the-boathouse/sessions/1.html#{anchor}")
        page.locator(".ch-row:target").wait_for()
        assert page.locator(".ch-row:target").get_attribute("id") == anchor
        assert page.locator(".ch-row:target").is_visible()
    assert watch.problems == []


def test_the_three_tracks(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/sessions/1.html")
        margin, talk = page.locator(".ch-note__head").first, page.locator(".ch-talk").first
        assert margin.is_visible()
        assert not talk.is_visible()
        page.get_by_role("button", name="Table talk").click()
        assert talk.is_visible()
        page.get_by_role("button", name="Story").click()
        assert not margin.is_visible()
        page.reload()
        assert page.get_by_role("button", name="Story").get_attribute("aria-pressed") == "true"
        assert not page.locator(".ch-note__head").first.is_visible()
    assert watch.problems == []


def test_balances_are_one_click_away(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/sessions/1.html")
        after = page.locator("details.ch-after").first
        assert "Ana" not in after.inner_text()
        after.locator("summary").click()
        assert "Ana 2" in after.inner_text()
    assert watch.problems == []


def test_moments_can_be_gone_through_one_by_one(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "snowshed-nine/map-session-2.html")
        bar = page.locator(".ch-frames").first
        frames = page.locator(".ch-frames ~ details.ch-fold, .ch-frames ~ .ch-section")
        assert "moments" in bar.inner_text()
        bar.get_by_role("button", name="Later").click()
        bar.get_by_role("button", name="Later").click()
        assert "2 of" in bar.inner_text()
        assert not frames.nth(0).is_visible()
        assert frames.nth(1).locator("svg").first.is_visible()
        bar.get_by_role("button", name="Play").click()
        page.wait_for_function("document.querySelector('.ch-frames output').textContent[0] === '3'")
        bar.get_by_role("button", name="Stop").click()
        bar.get_by_role("button", name="All").click()
        assert frames.nth(0).is_visible()
    assert watch.problems == []


def test_the_theme_can_be_chosen_and_stays(home: str, watched: WatchedPage) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    with watched(scheme="light") as (page, watch):
        page.goto(home + "the-boathouse/index.html")
        light = paper()
        for _ in range(2):  # from automatic to light to dark
            page.locator("form[data-md-component=palette] label:not([hidden])").click()
        dark = paper()
        assert dark != light
        page.goto(home + "the-boathouse/state.html")
        assert paper() == dark
    assert watch.problems == []


def test_tables_sort_and_filter(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/ledger.html")
        table = page.locator(".ch-filter + .ch-wide table").first
        head = table.get_by_role("columnheader", name="Amount")
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == "ascending"
        column = head.evaluate("cell => cell.cellIndex + 1")
        shown = table.locator(f"tbody tr td:nth-child({column})").all_inner_texts()
        assert [int(text) for text in shown] == sorted(int(text) for text in shown)
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == "descending"
        rows = table.locator("tbody tr:visible")
        before = rows.count()
        page.get_by_label("Filter").first.fill("Wanda")
        assert 0 < rows.count() < before
        assert all("Wanda" in text for text in rows.all_inner_texts())
    assert watch.problems == []


def test_search_finds_a_moment(home: str, watched: WatchedPage) -> None:
    with watched() as (page, watch):
        page.goto(home + "the-boathouse/index.html")
        page.locator("input.md-search__input").click()
        page.keyboard.type("corkscrew")
        result = page.locator(".md-search-result__link").first
        result.wait_for(timeout=10_000)
        result.click()
        page.wait_for_url("**/the-boathouse/**")
        assert page.get_by_text("corkscrew").first.is_visible()
    assert watch.problems == []


def test_notes_fold_on_a_phone(home: str, watched: WatchedPage) -> None:
    with watched(width=390) as (page, watch):
        page.goto(home + "the-boathouse/sessions/1.html")
        note = page.locator("details.ch-note").first
        assert not note.locator(".ch-note__body").is_visible()
        note.locator("summary").first.click()
        assert note.locator(".ch-note__body").is_visible()
    assert watch.problems == []
