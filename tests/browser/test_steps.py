"""An evening step by step: with keys, with a finger, with neither, each step under its own address."""

import re

import pytest

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser

STEPS = "the-lantern-coast/sessions/1-steps.html"
SHOWN = ".ch-step__told:visible"
BOARD = ".ch-take__board:visible"
GAMES = (
    "the-boathouse/sessions/2",
    "the-lantern-coast/sessions/2",
    "snowshed-nine/sessions/2",
    "six-names/sessions/3",
    "the-dry-book/sessions/1",
    "gallery-nine/sessions/2",
)


@pytest.fixture(params=["url", "file_url"], ids=["served", "from disk"])
def home(site: Site, request: pytest.FixtureRequest) -> str:
    return str(getattr(site, request.param))


def test_keys_lead_through_an_evening(home: str, watched: WatchedPage) -> None:
    with watched(width=1280) as (page, watch):
        page.goto("about:blank")
        page.goto(home + STEPS)
        assert page.locator(SHOWN).count() == page.locator(BOARD).count() == 1
        first = page.locator(SHOWN).inner_text()
        page.keyboard.press("j")
        second, address = page.locator(SHOWN).inner_text(), page.url
        assert second != first and re.search(r"#.+", address)
        page.keyboard.press("k")
        assert page.locator(SHOWN).inner_text() == first
        page.keyboard.press("d")
        assert page.locator(f"{SHOWN} .ch-contest").count() == 1
        page.keyboard.press("n")
        assert (
            page.locator(".ch-take__head:visible h2").inner_text() == "The night of the Constance"
        )
        assert page.locator(BOARD).count() == 1
        # No step is a visit of its own; each can be shared.
        page.go_back()
        assert page.url == "about:blank"
        page.goto(address)
        assert page.locator(SHOWN).inner_text() == second
    assert watch.problems == []


@pytest.mark.parametrize("javascript", [True, False])
def test_every_step_shows_its_own_board(home: str, watched: WatchedPage, javascript: bool) -> None:
    with watched(width=1280, javascript=javascript) as (page, watch):
        page.goto(home + STEPS)
        for _ in range(6):
            shown = page.locator(".ch-step:has(> .ch-step__told:visible)")
            assert shown.count() == 1
            (board,) = page.locator(BOARD).all()
            step_after = int((board.get_attribute("aria-label") or "").rpartition(" ")[2])
            number = int(shown.locator(".ch-step__row span").inner_text())
            later = page.locator(f"[aria-label='The table after entry {number}']").count()
            assert step_after == number if later else step_after < number
            page.locator(".ch-step__go:visible [data-go=next]").click()
    assert watch.problems == []


def test_a_finger_leads_on_and_back(site: Site, watched: WatchedPage) -> None:
    swipe = """([from, to]) => {
      const main = document.querySelector("main");
      const touch = (x) => new Touch({ identifier: 1, target: main, clientX: x, clientY: 300 });
      const send = (type, x, more) => main.dispatchEvent(
        new TouchEvent(type, { changedTouches: [touch(x)], touches: more, bubbles: true }));
      send("touchstart", from, [touch(from)]);
      send("touchend", to, []);
    }"""
    with watched(width=390) as (page, watch):
        page.goto(site.url + STEPS)
        first = page.locator(SHOWN).inner_text()
        page.evaluate(swipe, [300, 100])
        assert page.locator(SHOWN).inner_text() != first
        page.evaluate(swipe, [100, 300])
        assert page.locator(SHOWN).inner_text() == first
        page.evaluate(swipe, [100, 130])
        assert page.locator(SHOWN).inner_text() == first
    assert watch.problems == []


def test_the_steps_of_every_game_are_accessible(site: Site, watched: WatchedPage, axe: Axe) -> None:
    violations: list[str] = []
    with watched(width=1280) as (page, watch):
        for game in GAMES:
            page.goto(f"{site.url}{game}-steps.html")
            page.keyboard.press("d")
            assert page.locator(f"{SHOWN} .ch-contest").count() == 1, game
            violations += [f"{game}: {violation}" for violation in axe(page)]
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, game
    assert violations == []
    assert watch.problems == []
