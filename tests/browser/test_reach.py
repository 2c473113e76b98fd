"""What readers take along, and where they end up when nothing is there."""

import pytest

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser

CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", {
  value: { writeText: function (text) { window.taken = text; return Promise.resolve(); } },
});
"""


def test_words_are_copied_with_their_address_and_it_is_said(
    site: Site, watched: WatchedPage, axe: Axe
) -> None:
    with watched(width=1280) as (page, watch):
        page.add_init_script(CLIPBOARD)
        page.goto(site.url + "the-boathouse/story.html")
        page.evaluate(
            "getSelection().selectAllChildren(document.querySelectorAll('.ch-part p.ch-first, .ch-part p')[4])"
        )
        words = page.evaluate("getSelection().toString().trim()")
        page.get_by_role("button", name="Copy with its address").click()
        copied = page.evaluate("window.taken")
        assert copied.startswith(f"“{words}”\n")
        address = copied.rpartition("\n")[2]
        assert address.startswith(site.url + "the-boathouse/story.html#")
        assert page.locator(f"[id='{address.rpartition('#')[2]}']").count() == 1
        assert page.get_by_role("status").inner_text().startswith("Copied")
        assert axe(page) == []
        page.goto(site.url + "the-boathouse/sessions/1.html")
        number = page.locator("a.ch-beat__no").nth(3)
        number.click()
        assert page.evaluate("window.taken") == page.url
        assert "address of entry" in page.get_by_role("status").inner_text()
        assert watch.problems == []


def test_a_long_page_says_where_one_is(site: Site, watched: WatchedPage) -> None:
    with watched(width=1280) as (page, _):
        page.goto(site.url + "the-boathouse/sessions/1.html")
        heads = page.locator(".ch-evening h2")
        heads.nth(1).evaluate("head => head.scrollIntoView()")
        page.wait_for_function("document.querySelector('.ch-spot').textContent.startsWith('2 of')")
        assert heads.nth(1).inner_text() in page.locator(".ch-spot").inner_text()


def test_nothing_is_found_in_any_folder_and_from_a_disk(
    site: Site, watched: WatchedPage, axe: Axe
) -> None:
    lost = (site.root / "404.html").read_text("utf-8")
    places = {
        site.url + "none.html": ("", False),
        site.url + "sub/none.html": ("sub/", False),
        site.url + "sub/the-boathouse/characters/none.html": ("sub/", True),
        site.url + "the-boathouse/none": ("", True),
    }
    with watched(width=390) as (page, watch):
        for url, (folder, links_campaign) in places.items():
            page.route(url, lambda route: route.fulfill(body=lost, content_type="text/html"))
            page.route("**/sub/assets/**", lambda route: route.fulfill(body=""))
            page.goto(url)
            links = page.eval_on_selector_all("main a:visible", "all => all.map(a => a.href)")
            assert links[-1] == f"{site.url}{folder}index.html"
            assert (f"{site.url}{folder}the-boathouse/cast/index.html" in links) is links_campaign
        assert axe(page) == []
        page.goto(site.file_url + "404.html")
        assert page.locator("header a").get_attribute("href") == "/" + str(
            site.root / "index.html"
        ).lstrip("/")
        page.locator("main a").last.click()
        assert page.locator("h1").first.inner_text().startswith("Logs of tabletop story games")
        assert watch.problems == []
