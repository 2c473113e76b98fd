"""Moments in which strangers did not know what to do, in a real browser: each has its answer on the page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WatchedPage
from tests.browser.desk import Desks, desks
from tests.browser.test_desk import COAST

pytestmark = pytest.mark.browser

SLOW = 20_000
COAST_ID = "the-lantern-coast"


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    """Open desks over copies of play examples."""
    with desks(root, tmp_path) as open_desk:
        yield open_desk


def test_a_line_with_an_unknown_action_offers_similar_ones_and_tell(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk(COAST_ID, cut=COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST_ID)
        line, choices = page.locator("#line"), page.locator("#choices .choice")
        line.fill("evennt The lamp goes out")
        expect(page.locator("#choices-title")).to_have_text("Which action is this?")
        expect(choices.first).to_have_text("event The lamp goes out")
        expect(choices.last).to_have_text("tell evennt The lamp goes out")
        line.fill("Joss laughs and lets go of the rope")
        expect(choices).to_have_text(["tell Joss laughs and lets go of the rope"])
        choices.first.click()
        expect(line).to_have_value("tell Joss laughs and lets go of the rope")
        # What is told stands in the draft as it will stand in the log.
        expect(page.locator(".draft .fiction")).to_have_text("Joss laughs and lets go of the rope")
        page.keyboard.press("Enter")
        expect(page.locator(".entry.current .fiction")).to_have_text(
            "Joss laughs and lets go of the rope", timeout=SLOW
        )
    assert watch.problems == []


def test_a_deletion_says_which_later_entries_change_hands(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk(COAST_ID, cut=COAST)
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST_ID)
        page.locator(".entry .head", has_text="ends the turn").nth(-2).click()
        page.get_by_role("button", name="Delete").click()
        toast = page.locator(".toast")
        expect(toast).to_contain_text(re.compile(r"Entry (\d+) deleted\. .*entry \1 is now"))
        toast.get_by_role("button", name="Undo").click()
        expect(toast).to_have_count(0)
    assert watch.problems == []


def test_a_changed_entry_warns_in_the_line_of_problems_elsewhere(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-boathouse")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-boathouse")
        roll = page.locator(".entry", has_text="The dice fall: ").last
        roll.scroll_into_view_if_needed()
        assert "wins" in roll.inner_text()
        match = page.locator(".entry", has_text="matches").last
        match.locator(".number").click()
        page.get_by_role("button", name="Edit entry").click()
        expect(page.locator(".editing-head")).to_be_visible()
        page.locator("#line").fill("tell They say nothing")
        expect(page.locator(".draft-finding")).to_contain_text(
            re.compile("This change causes problems? in .* other entr"), timeout=SLOW
        )
    assert watch.problems == []


def test_edit_entry_below_a_problem_opens_the_line(desk: Desks, watched: WatchedPage) -> None:
    opened = desk(COAST_ID, cut=COAST)
    log = opened.folder / COAST_ID / "02.yaml"
    full_text = log.read_text(encoding="utf-8").rstrip("\n")
    log.write_text(f"{full_text}\n- event: The lamp goes out\n  by: Marit\n", encoding="utf-8")
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST_ID)
        page.locator(".entry-finding").last.click()
        sheet = page.locator("dialog")
        expect(sheet.locator(".mend", has_text="Write it for Joss")).to_be_visible(timeout=SLOW)
        expect(sheet.locator(".mend", has_text="add interrupt Marit")).to_be_visible()
        sheet.get_by_role("button", name="Edit entry").click()
        expect(page.locator(".editing-head")).to_be_visible()
        expect(page.locator("#line")).to_have_value("event The lamp goes out")
        expect(page.locator("dialog")).to_have_count(0)
    assert watch.problems == []


def test_a_guest_waits_for_the_campaign_that_the_keeper_begins(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk(lan=True)
    with watched(width=1024) as (page, watch), watched(width=390) as (tab, tab_watch):
        opened.enter(page)
        page.get_by_role("button", name="Start the guide").click()
        page.locator("dialog .menu-row", has_text="Universalis").click()
        expect(page.locator(".guide")).to_be_visible(timeout=SLOW)
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Others at the table").click()
        code = page.locator(".invited .code").inner_text()
        page.get_by_role("button", name="Close", exact=True).click()
        id = page.evaluate("document.documentElement.dataset.campaign")
        (opened.folder / id).rename(opened.folder.parent / "elsewhere")
        tab.goto(f"http://127.0.0.1:{opened.port}/")
        tab.get_by_label("Code for guests").fill(code)
        tab.get_by_role("button", name="Watch").click()
        expect(tab.locator(".shelf-view h1")).to_have_text(
            "The keeper has not opened a campaign yet", timeout=SLOW
        )
        # It opens by itself, and no message for keepers lies over it.
        (opened.folder.parent / "elsewhere").rename(opened.folder / id)
        page.reload()
        page.get_by_role("button", name="Fill in for me").click()
        page.locator(".box .write").click()
        expect(tab.locator(".watching")).to_be_visible(timeout=SLOW)
        expect(tab.locator(".toast")).to_have_count(0)
        tab.get_by_role("button", name="Menu").click()
        expect(tab.get_by_role("button", name="What is still missing")).to_have_count(0)
    # The keeper's page had lost its campaign for a while.
    assert [problem for problem in watch.problems if "cannot be replayed" not in problem] == []
    assert [problem for problem in tab_watch.problems if "WebSocket" not in problem] == []


def test_the_editor_shows_the_problems_of_its_file_alone(desk: Desks, watched: WatchedPage) -> None:
    opened = desk(COAST_ID, cut=COAST)
    for name in ("01.yaml", "02.yaml"):
        log = opened.folder / COAST_ID / name
        log.write_text(f"{log.read_text(encoding='utf-8').rstrip()}\n- frobnicate: x\n", "utf-8")
    with watched(width=1440) as (page, watch):
        opened.enter(page)
        opened.sit(page, COAST_ID, at="editor")
        problems = page.locator(".problems")
        expect(problems.locator(".problem")).to_have_count(2, timeout=SLOW)
        problems.get_by_role("button", name="This file").click()
        expect(problems.locator(".problem")).to_have_count(1)
        problems.get_by_role("button", name="All files").click()
        expect(problems.locator(".problem")).to_have_count(2)
    assert watch.problems == []


def test_a_note_stands_below_the_problems_and_counts_as_none(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk(COAST_ID, cut=COAST)
    log = opened.folder / COAST_ID / "01.yaml"
    settings = opened.folder / COAST_ID / "campaign.yaml"
    words = settings.read_text(encoding="utf-8").replace("meticulous", "standard")
    settings.write_text(words, encoding="utf-8")
    extra_entries = "- tenet: Salt keeps\n- frobnicate: x\n"
    log.write_text(f"{log.read_text(encoding='utf-8').rstrip()}\n{extra_entries}", "utf-8")
    with watched(width=1024) as (page, watch):
        opened.enter(page)
        opened.sit(page, COAST_ID)
        status = page.locator(".status")
        expect(status).to_contain_text("1 problem", timeout=SLOW)
        status.click()
        sheet = page.get_by_role("dialog")
        expect(sheet.get_by_role("heading", name="Notes")).to_be_visible()
        rows = sheet.locator("li")
        expect(rows.first).to_contain_text("frobnicate")
        expect(rows.nth(1)).to_have_class("problem-kind")
        expect(sheet.locator(".problem.note").first).to_contain_text("Tenet has no kind")
    assert watch.problems == []
