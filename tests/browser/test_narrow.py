"""Phones and tablets: every kind of page of every game can be read there whole. Nothing is cut, nothing is
smaller than 13 pixels, and no page scrolls sideways. And no kind of page moves while it is loaded."""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site, watched_page
from tests.browser.kinds import OWN, one_of_each_kind
from tests.browser.test_margin import moves, warm

pytestmark = pytest.mark.browser

LEAST = 13
"""Pixels; smaller letters are not read on a phone."""
WIDTHS = (390, 820)
AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")


class Visited(NamedTuple):
    """What was seen on a walk past every kind of page."""

    moved: list[str]
    unread: list[str]
    problems: list[str]


def audited(page: Page, address: str) -> list[str]:
    """What of a page cannot be read on narrow screens."""
    if not _unread(page, address):
        return []
    # Letters that a busy machine brings late stay away from the page, and others are wider.
    page.reload()
    return _unread(page, address)


def _unread(page: Page, address: str) -> list[str]:
    before, found = page.viewport_size, list[str]()
    assert before is not None
    for width in WIDTHS:
        if width != before["width"]:
            page.set_viewport_size({**before, "width": width})
        found += [f"{address} at {width}: {one}" for one in page.evaluate(AUDIT, LEAST)]
    page.set_viewport_size(before)
    return found


def walked(browser: Browser, site: Site, width: int) -> Visited:
    """Go to every kind of page, as somebody who has read a chapter: what remembers that has its place as
    well."""
    seen = Visited([], [], [])
    with watched_page(browser, width=width) as (page, watch):
        warm(page, site.url + OWN[0])
        page.goto(site.url + "the-boathouse/story.html")
        for address in (*OWN, *one_of_each_kind(site)):
            seen.moved.extend(filter(None, [moves(page, site.url + address)]))
            if width == WIDTHS[0]:
                seen.unread.extend(audited(page, address))
        seen.problems.extend(watch.problems)
    return seen


@pytest.fixture(scope="module")
def narrow(browser: Browser, site: Site) -> Visited:
    """Every kind of page on a phone, loaded once for all that is asked of it there."""
    return walked(browser, site, WIDTHS[0])


def test_every_kind_of_page_can_be_read_whole(narrow: Visited) -> None:
    assert narrow.unread == []
    assert narrow.problems == []


def test_no_kind_of_page_moves_while_it_is_loaded_on_a_phone(narrow: Visited) -> None:
    assert narrow.moved == []


def test_no_kind_of_page_moves_while_it_is_loaded(browser: Browser, site: Site) -> None:
    assert walked(browser, site, 1440).moved == []


def test_the_audit_sees_what_it_is_there_to_see(watched: WatchedPage) -> None:
    bad = (
        "<main><p style='font-size:12px'>small</p><p style='width:999px'>"
        + "wide " * 60
        + "</p><div style='overflow:auto;width:80px'><p style='width:300px'>cut</p></div>"
        "<svg width=100 viewBox='0 0 400 40'><text y=20 style='font-size:20px'>shrunk</text></svg></main>"
    )
    with watched(width=390) as (page, _):
        page.set_content(bad)
        found = "\n".join(page.evaluate(AUDIT, LEAST))
    for one in ("12.0 px: p", "5.0 px: text", "outside: p", "cut: div", "scrolls sideways"):
        assert one in found
