"""The site's front page: it opens from a server and from the disk, and anyone can use it."""

from pathlib import Path

import pytest

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("address", ["url", "file_url"])
def test_the_front_page_opens(site: Site, watched: WatchedPage, address: str) -> None:
    with watched() as (page, watch):
        page.goto(getattr(site, address) + "index.html", wait_until="networkidle")
        assert page.locator("h1").count() == 1
    assert watch.problems == []


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_front_page_leads_from_a_log_to_the_stories(
    site: Site, watched: WatchedPage, width: int
) -> None:
    with watched(width=width) as (page, _):
        page.goto(site.url, wait_until="networkidle")
        order = ["h1", ".ch-front__command", ".ch-step__log", ".ch-step__problem", ".ch-step__page"]
        tops = [page.locator(css).bounding_box() for css in [*order, ".ch-covers--few"]]
        boxes = [box for box in tops if box is not None]
        assert len(boxes) == len(tops)
        assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
        # Nothing is cut off, and nothing makes the page wider than the window.
        for css in (".ch-step__log", ".ch-step__problem", "html"):
            assert page.locator(css).evaluate("e => e.scrollWidth <= e.clientWidth"), css
        assert "error[P20]" in page.locator(".ch-step__problem").inner_text()
        assert page.locator(".ch-covers--few > li").count() == 3


def test_the_front_page_counts_its_stories(site: Site, watched: WatchedPage, root: Path) -> None:
    with watched() as (page, _):
        page.goto(site.url)
        heading = page.locator("h2#stories").inner_text()
        page.get_by_role("link", name="All of them").click()
        page.wait_for_selector(".ch-covers")
        shown = page.locator(".ch-begin, .ch-cover, .ch-spines li").count()
    assert heading.startswith("Sixteen")
    assert shown == len([*(root / "sessions").glob("*/campaign.yaml")]) == 16


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_front_page_is_accessible(
    site: Site, watched: WatchedPage, axe: Axe, width: int, scheme: str
) -> None:
    with watched(width=width, scheme=scheme) as (page, _):
        page.goto(site.url, wait_until="networkidle")
        assert axe(page) == []


@pytest.mark.parametrize("address", ["index.html", "stories.html", "which-game.html"])
def test_the_menu_button_opens_the_menu(site: Site, watched: WatchedPage, address: str) -> None:
    with watched(width=390) as (page, _):
        page.goto(site.url + address, wait_until="networkidle")
        page.locator("label.md-header__button[for=__drawer]").click()
        link = page.locator(".md-sidebar--primary").get_by_role("link", name="Stories", exact=True)
        link.wait_for(state="visible")
        page.wait_for_timeout(400)
        box = link.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    with watched(width=1440) as (page, _):
        page.goto(site.url + address, wait_until="networkidle")
        hidden = address != "which-game.html"
        assert page.locator(".md-sidebar--primary").is_hidden() == hidden
