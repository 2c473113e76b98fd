"""Phones and tablets: every kind of page of every game can be read there whole. Nothing is cut, nothing is
smaller than 13 pixels, and no page scrolls sideways. No kind of page moves while it is loaded, and nobody is
locked out of any. Where there is room, axe sees every colour of a page, so that it looks here at every other page
in the dark; with ``make soak`` in both schemes, and at the front and an evening of every story."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import Site
from tests.browser.kinds import GAMES, OWN, one_of_each_kind
from tests.browser.walk import AUDIT, LEAST, PAGES, Scheme, Visited, walked
from tests.conftest import SOAK

pytestmark = [pytest.mark.browser, pytest.mark.soak]

WIDTHS = (390, 820)


@pytest.fixture(scope="module")
def narrow(browser: Browser, site: Site, axe: Axe) -> Visited:
    """Every kind of page on a phone, loaded once for all that is asked of it there."""
    every = sorted(page.parent.parent.name for page in site.root.glob("*/sessions/1.html"))
    evenings = [
        f"{folder}/{page}"
        for folder in (every if SOAK else GAMES)
        for page in ("index.html", "sessions/1.html")
    ]
    addresses = dict.fromkeys((*OWN, *PAGES, *one_of_each_kind(site), *evenings))
    axed = {*PAGES, *evenings}
    phone = WIDTHS[0]
    return walked(
        browser, site, axe, addresses, axed, width=phone, read=WIDTHS, used=phone, both=SOAK
    )


def test_every_kind_of_page_can_be_read_whole(narrow: Visited) -> None:
    assert narrow.unread == []
    assert narrow.problems == []


def test_no_kind_of_page_moves_while_it_is_loaded_on_a_phone(narrow: Visited) -> None:
    assert narrow.moved == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_page_is_accessible_on_a_phone(narrow: Visited, scheme: Scheme) -> None:
    assert narrow.barred[scheme] == []


def test_the_audit_sees_what_it_is_there_to_see(watched: WatchedPage) -> None:
    bad_page = (
        "<main><p style='font-size:12px'>small</p><p style='width:999px'>"
        + "wide " * 60
        + "</p><div style='overflow:auto;width:80px'><p style='width:300px'>cut</p></div>"
        "<svg width=100 viewBox='0 0 400 40'><text y=20 style='font-size:20px'>shrunk</text></svg></main>"
    )
    with watched(width=390) as (page, _):
        page.set_content(bad_page)
        report = "\n".join(page.evaluate(AUDIT, LEAST))
    for fault in ("12.0 px: p", "5.0 px: text", "outside: p", "cut: div", "scrolls sideways"):
        assert fault in report
