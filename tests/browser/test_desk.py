"""The desk in a real browser: by tap, by key, with a screen reader's eyes, with the server gone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.desk import Desks, desks

pytestmark = pytest.mark.browser

GAMES = {
    "universalis": "the-lantern-coast",
    "isolation": "snowshed-nine",
    "positive": "the-boathouse",
    "slow-burn": "the-dry-book",
    "fight-sphere": "six-names",
    "playset-zero": "gallery-nine",
}
COAST = {"the-lantern-coast": ("02.yaml", "- draw: {Patience: tarred twice}")}


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    with desks(root, tmp_path) as opened:
        yield opened


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_every_game_opens_and_holds_an_entry(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(*GAMES.values())
    scheme = "dark" if width == 1024 else "light"
    with watched(width=width, scheme=scheme) as (page, watch):
        opened.enter(page)
        for campaign in GAMES.values():
            opened.sit(page, campaign)
            count = page.locator(".entry:not(.waiting)").last.get_attribute("data-step")
            page.locator("#line").fill("tell: The lamp is lit again.")
            page.locator(".box .write").click()
            after = page.locator(f'.entry[data-step="{int(count or 0) + 1}"]')
            expect(after).to_contain_text("The lamp is lit again.")
            assert overflow(page) <= 0, campaign
            assert axe(page) == [], campaign
            logs = sorted((opened.folder / campaign).glob("[0-9]*.yaml"))
            assert logs[-1].read_text(encoding="utf-8").endswith("- tell: The lamp is lit again.\n")
    assert watch.problems == []


def test_what_is_written_can_be_taken_back(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    before = log.read_bytes()
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        expect(page.locator(".moment h1")).to_contain_text("Joss")
        page.locator("#line").fill("end turn")
        page.keyboard.press("Enter")
        expect(page.locator(".moment h1")).to_contain_text("Pilar")
        assert log.read_bytes() == before + b"- end turn:\n"
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".moment h1")).to_contain_text("Joss")
        assert log.read_bytes() == before
        page.get_by_role("button", name="Redo").click()
        expect(page.locator(".moment h1")).to_contain_text("Pilar")
    assert log.read_bytes() == before + b"- end turn:\n"
    assert watch.problems == []


def test_what_is_written_while_the_server_is_gone_is_kept(
    desk: Desks, watched: WatchedPage
) -> None:
    opened = desk("the-lantern-coast", cut=COAST)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-lantern-coast")
        opened.kill()
        page.locator("#line").fill("tell: Nobody has heard this yet.")
        page.keyboard.press("Enter")
        expect(page.locator(".entry.waiting")).to_contain_text("Nobody has heard this yet.")
        assert "Nobody has heard" not in log.read_text(encoding="utf-8")
        opened.start()
        page.goto(opened.link)
        opened.sit(page, "the-lantern-coast")
        expect(page.locator(".entry").last).to_contain_text("Nobody has heard this yet.")
        expect(page.locator(".entry.waiting")).to_have_count(0)
    assert log.read_text(encoding="utf-8").count("Nobody has heard this yet.") == 1
    assert [one for one in watch.problems if "WebSocket" not in one and "ERR_" not in one] == []


def test_two_tabs_see_each_other(desk: Desks, watched: WatchedPage) -> None:
    opened = desk("the-boathouse")
    with watched(width=1024) as (page, watch):
        opened.enter(page, "the-boathouse")
        other = page.context.new_page()
        other.goto(f"http://127.0.0.1:{opened.port}/")
        opened.sit(other, "the-boathouse")
        page.locator("#line").fill("tell: From the first tab.")
        page.keyboard.press("Enter")
        expect(other.locator(".entry").last).to_contain_text("From the first tab.")
        other.locator("#line").fill("tell: From the second.")
        other.keyboard.press("Enter")
        expect(page.locator(".entry").last).to_contain_text("From the second.")
    log = sorted((opened.folder / "the-boathouse").glob("[0-9]*.yaml"))[-1]
    assert log.read_text(encoding="utf-8").endswith(
        "- tell: From the first tab.\n- tell: From the second.\n"
    )
    assert watch.problems == []
