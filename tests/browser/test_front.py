"""The site's front page: it opens from a server and from the disk, and anyone can use it."""

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


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_front_page_is_accessible(
    site: Site, watched: WatchedPage, axe: Axe, width: int, scheme: str
) -> None:
    with watched(width=width, scheme=scheme) as (page, _):
        page.goto(site.url, wait_until="networkidle")
        assert axe(page) == []
