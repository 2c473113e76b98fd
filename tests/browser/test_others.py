"""Several at one table: guests who look on, one more keeper, an editor that has the file open as well."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.desk import Desks, Opened, desks

pytestmark = pytest.mark.browser

BOAT = "the-boathouse"
SLOW = 20_000


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    with desks(root, tmp_path) as opened:
        yield opened


def open_others(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Others at the table").click()
    expect(page.get_by_role("heading", name="Watching")).to_be_visible()


def close(page: Page) -> None:
    page.get_by_role("button", name="Close").click()


def write(page: Page, text: str) -> None:
    page.locator("#line").fill(f"tell: {text}")
    page.keyboard.press("Enter")
    expect(page.locator(".entry").last).to_contain_text(text, timeout=SLOW)


def log_of(opened: Opened) -> Path:
    return sorted((opened.folder / BOAT).glob("[0-9]*.yaml"))[-1]


@pytest.mark.parametrize("width", [390, 1440])
def test_a_guest_comes_in_by_a_code_and_looks_on(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(BOAT, lan=True)
    with (
        watched(width=1024, scheme="dark") as (page, watch),
        watched(width=width) as (tab, tab_watch),
    ):
        opened.enter(page, BOAT)
        open_others(page)
        assert axe(page) == []
        expect(page.get_by_role("img", name="The link for guests, as a QR code")).to_be_visible()
        # Test browsers ask this computer alone.
        expect(page.locator(".invited b").first).to_have_text(
            re.compile(rf"http://.+:{opened.port}/")
        )
        code = page.locator(".invited .code").inner_text()
        close(page)
        tab.goto(f"http://127.0.0.1:{opened.port}/")
        tab.get_by_label("Code for guests").fill("1234 5678")
        tab.get_by_role("button", name="Watch").click()
        expect(tab.locator(".gate")).to_contain_text("wrong or no longer valid", timeout=SLOW)
        tab.get_by_label("Code for guests").fill(code)
        tab.get_by_role("button", name="Watch").click()
        expect(tab.locator(".gate")).to_be_hidden(timeout=SLOW)
        opened.sit(tab, BOAT)
        log_before = log_of(opened).read_bytes()
        # A guest sees no control that is not theirs.
        bar = tab.locator(".watching")
        expect(bar).to_contain_text("You are watching")
        expect(tab.locator(".composer")).to_be_hidden()
        expect(tab.get_by_role("button", name="Undo")).to_have_count(0)
        shown = tab.locator(".entry .sentence:visible")
        shown.last.click(position={"x": 3, "y": 3})
        expect(tab.locator(".editing-head")).to_be_hidden()
        bar.get_by_role("button", name="Who are you?").click()
        tab.locator("dialog").get_by_role("button", name="Ana").click()
        expect(bar).to_contain_text("You are watching as Ana")
        tab.get_by_role("button", name="Menu").click()
        expect(tab.get_by_role("button", name="Others at the table")).to_have_count(0)
        expect(tab.get_by_role("button", name="Start next session")).to_have_count(0)
        assert axe(tab) == []
        close(tab)
        assert log_of(opened).read_bytes() == log_before
        write(page, "The lamp is lit again.")
        expect(tab.locator(".entry:visible", has_text="The lamp is lit again.")).to_have_count(1)
        assert axe(tab) == []
    assert watch.problems == []
    assert [problem for problem in tab_watch.problems if "WebSocket" not in problem] == []


def test_a_second_keeper_writes_into_the_same_log(desk: Desks, watched: WatchedPage) -> None:
    opened = desk(BOAT)
    with watched(width=1024) as (page, watch), watched(width=390) as (tab, tab_watch):
        opened.enter(page, BOAT)
        open_others(page)
        expect(page.locator(".sheet")).to_contain_text("chronicle desk --lan")
        page.get_by_role("button", name="Link for one more keeper").click()
        link = page.get_by_label("Link for one more keeper").input_value()
        close(page)
        tab.goto(link)
        opened.sit(tab, BOAT)
        # Both at once: each has what the other wrote, and the file has both.
        page.locator("#line").fill("tell: From the one.")
        tab.locator("#line").fill("tell: From the other.")
        page.keyboard.press("Enter")
        tab.keyboard.press("Enter")
        for window in (page, tab):
            for words in ("From the one.", "From the other."):
                expect(window.locator(".entry", has_text=words)).to_have_count(1, timeout=SLOW)
        # What one takes back is their own.
        tab.get_by_role("button", name="Undo").click()
        expect(page.locator(".entry", has_text="From the other.")).to_have_count(0, timeout=SLOW)
        expect(page.locator(".entry", has_text="From the one.")).to_have_count(1)
    text = log_of(opened).read_text(encoding="utf-8")
    assert text.count("From the one.") == 1
    assert "From the other." not in text
    assert watch.problems == tab_watch.problems == []


def test_what_an_editor_saves_meanwhile_is_merged_or_asked_about(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk(BOAT)
    log = log_of(opened)
    with watched(width=1024) as (page, watch):
        opened.enter(page, BOAT)
        # Half a line is typed at the desk when an editor saves a comment and an entry.
        page.locator("#line").fill("tell: From the desk.")
        text = log.read_text(encoding="utf-8")
        saved = text.replace("log:\n", "log:\n# Ada was late.\n", 1) + "- tell: From the editor.\n"
        log.write_text(saved, encoding="utf-8")
        expect(page.locator(".entry").last).to_contain_text("From the editor.", timeout=SLOW)
        expect(page.locator("#line")).to_have_value("tell: From the desk.")
        page.locator("#line").press("Enter")
        expect(page.locator(".entry").last).to_contain_text("From the desk.", timeout=SLOW)
        assert log.read_text(encoding="utf-8") == f"{saved}- tell: From the desk.\n"
        # An entry that is being changed here was changed there: nobody's words go.
        page.locator(".entry").last.locator(".number").click()
        page.get_by_role("button", name="Edit entry").click()
        expect(page.locator("#line")).to_have_value("tell From the desk.")
        page.locator("#line").fill("tell Said otherwise here.")
        edited_text = log.read_text(encoding="utf-8").replace(
            "From the desk.", "Said otherwise there."
        )
        log.write_text(edited_text, encoding="utf-8")
        expect(page.locator(".entry").last).to_contain_text("otherwise there", timeout=SLOW)
        page.get_by_role("button", name="Save change").click()
        expect(page.locator(".toast.bad")).to_be_visible(timeout=SLOW)
        expect(page.locator("#line")).to_have_value("tell Said otherwise here.")
        assert log.read_text(encoding="utf-8") == edited_text
    assert watch.problems == []
