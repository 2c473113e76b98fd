"""The desk of a published site plays a game of an installed package: Python in the browser finds the package."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WatchedPage
from tests.browser.harness import served
from tests.browser.test_device import STARTING, shelf, sit
from tests.needs import desk_on
from tests.plugins.installing import LANTERNS, chronicle, install

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The desk of the site of a campaign of Lanterns."""
    folder = tmp_path_factory.mktemp("lanterns")
    install(LANTERNS, folder / "site-packages")
    chronicle(folder / "site-packages", "new", "night", "--game", "lanterns", cwd=folder)
    chronicle(folder / "site-packages", "build", cwd=folder / "night")
    root = folder / "night" / "site"
    desk_on(root)
    assert json.loads((root / "desk" / "parts.json").read_text("utf-8"))["files"]["games"]
    with served(root) as site:
        yield f"{site.url}desk/"


@pytest.mark.parametrize("memory", ["", "?memory=no"])
def test_a_campaign_of_the_site_is_played_on(desk: str, watched: WatchedPage, memory: str) -> None:
    with watched(width=1024) as (page, watch):
        sit(page, f"{desk}{memory}", "@night")
        page.locator("#line").fill("storm 1, by: Cy")
        page.keyboard.press("Enter")
        expect(page.locator(".entry:not(.waiting)").last).to_contain_text("The landing goes out")
    assert watch.problems == []


def test_a_new_campaign_is_begun(desk: str, watched: WatchedPage, tmp_path: Path) -> None:
    with watched(width=1024) as (page, watch):
        shelf(page, desk)
        page.get_by_role("button", name="New campaign").click()
        page.locator(".game", has=page.get_by_text("Lanterns", exact=True)).click(timeout=STARTING)
        page.get_by_label("Player 1").fill("Ada")
        page.get_by_label("Player 2").fill("Ben")
        page.get_by_label("What is it called?").fill("Fog")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator('html[data-campaign="fog"]')).to_be_attached()
        page.locator("#line").fill("light The pier, by: Ada")
        page.keyboard.press("Enter")
        expect(page.locator(".entry:not(.waiting)").last).to_contain_text("The pier burns")
    assert watch.problems == []
