"""Every kind of page in a real browser: nobody is locked out, nothing is asked of the network."""

from collections.abc import Callable
from functools import cache, partial
from io import BytesIO
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import Site, watched_page

pytestmark = pytest.mark.browser

PAGES = (
    "index.html",
    "404.html",
    "tutorial.html",
    "at-the-table.html",
    "other-programs.html",
    "format.html",
    "rules/index.html",
    "rules/positive.html",
    "rules/errata.html",
    "the-boathouse/index.html",
    "the-boathouse/state.html",
    "the-boathouse/story.html",
    "the-boathouse/sessions/index.html",
    "the-boathouse/sessions/1.html",
    "the-boathouse/sessions/1-steps.html",
    "the-boathouse/scenes.html",
    "the-boathouse/timeline.html",
    "the-boathouse/cast/index.html",
    "the-boathouse/threads/ruth.html",
    "the-boathouse/characters/index.html",
    "the-boathouse/characters/wanda.html",
    "the-boathouse/players/index.html",
    "the-boathouse/players/ana.html",
    "the-boathouse/relations.html",
    "the-boathouse/track.html",
    "the-boathouse/ledger.html",
    "the-boathouse/dice.html",
    "the-boathouse/rules-used.html",
    "the-boathouse/check.html",
    "the-boathouse/loose-ends.html",
    "the-boathouse/names.html",
    "the-boathouse/changes/index.html",
    "the-boathouse/changes/since-1.html",
    "the-boathouse/journal.html",
    "the-boathouse/gallery.html",
    "the-boathouse/downloads.html",
    "the-boathouse/notes/index.html",
    "rules/universalis-add-ons.html",
    "the-valley-twice/realities.html",
    "the-valley-twice/player-characters.html",
    "one-piece-a-house/jobs.html",
    "one-piece-a-house/enigmas.html",
    "one-piece-a-house/gallery.html",
    "the-witness-orchard/cards.html",
    "the-witness-orchard/complications.html",
)
"""One page of each kind."""


Looked = dict[str, list[str]]
PAINT = {"light": "default", "dark": "slate"}
"""What the theme calls its schemes."""
SHOWN = "scheme => (document.body.dataset.mdColorScheme ?? scheme) === scheme"
"""Whether a page is in a scheme; those without the theme follow the system at once."""


def looked(browser: Browser, site: Site, axe: Axe, width: int) -> Looked:
    """What is wrong with every kind of page at a width, by colour scheme. Each is loaded once, every other one
    in the dark, and shown in the other scheme then: every colour comes from the scheme."""
    found: Looked = {"light": [], "dark": []}
    schemes: list[Literal["light", "dark"]] = ["light", "dark"]
    with watched_page(browser, width=width) as (page, watch):
        for address in PAGES:
            page.goto(site.url + address)
            for scheme in schemes:
                page.emulate_media(color_scheme=scheme)
                page.wait_for_function(SHOWN, arg=PAINT[scheme])
                # What differs between the schemes is their colours.
                rules = ["color-contrast"] if scheme == "dark" else None
                found[scheme] += [f"{address}: {one}" for one in axe(page, rules=rules)]
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if wide > 0:
                    found[scheme].append(f"{address}: scrolls sideways by {wide} px")
            schemes.reverse()
        for problems in found.values():
            problems += watch.problems
    return found


@pytest.fixture(scope="module")
def at(browser: Browser, site: Site, axe: Axe) -> Callable[[int], Looked]:
    """What is wrong at a width; looked at once for all that is asked of it."""
    return cache(partial(looked, browser, site, axe))


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_page_is_accessible_and_stays_on_the_machine(
    at: Callable[[int], Looked], width: int, scheme: str
) -> None:
    assert at(width)[scheme] == []


def test_the_sessions_of_every_game_are_accessible(
    site: Site, watched: WatchedPage, axe: Axe
) -> None:
    found: list[str] = []
    with watched(width=390) as (page, watch):
        for folder in sorted(p.parent.parent for p in site.root.glob("*/sessions/1.html")):
            for address in ("index.html", "sessions/1.html"):
                page.goto(f"{site.url}{folder.name}/{address}")
                found += [f"{folder.name}/{address}: {violation}" for violation in axe(page)]
    assert found == []
    assert watch.problems == []


def test_pages_are_whole_without_scripts(site: Site, watched: WatchedPage) -> None:
    with watched(javascript=False) as (page, watch):
        page.goto(site.file_url + "the-boathouse/sessions/1.html")
        assert page.locator(".ch-beat").first.is_visible()
        assert page.locator(".ch-note--beside").first.is_visible()
        assert not page.locator(".ch-switch").is_visible()
        page.goto(site.file_url + "the-boathouse/ledger.html")
        assert page.locator(".ch-card > .ch-wide table").last.is_visible()
        assert not page.locator(".ch-filter").first.is_visible()
    assert watch.problems == []


def test_print_shows_all_and_no_chrome(site: Site, watched: WatchedPage) -> None:
    with watched(scheme="dark") as (page, _):
        page.goto(site.url + "the-boathouse/sessions/1.html")
        page.emulate_media(media="print")
        for leads in (".md-header", ".ch-views", ".ch-crumbs"):
            assert [one.is_visible() for one in page.locator(leads).all()] == [False], leads
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") in (
            "rgb(255, 255, 255)",
            "rgba(0, 0, 0, 0)",
        )
        assert page.locator(".ch-note--beside").first.is_visible()
        page.goto(site.url + "the-boathouse/sessions/1-steps.html")
        steps = page.locator(".ch-step__told")
        assert steps.count() > 20
        assert all(step.is_visible() for step in steps.all())
        shown = steps.nth(9).bounding_box()
        assert shown is not None
        assert shown["width"] > 500
        for leads in (".ch-step__go", ".ch-take__board", ".ch-through__foot"):
            assert not any(one.is_visible() for one in page.locator(leads).all()), leads


PRINTED = (
    "six-names/layers.html",
    "six-names/state.html",
    "six-names/relationships.html",
    "six-names/changes/since-1-to-1.html",
    "snowshed-nine/health.html",
    "snowshed-nine/session-ends.html",
    "snowshed-nine/conflicts-session-2.html",
    "the-ferry-house/props/boat.html",
    "one-piece-a-house/places/bell-tower.html",
    "the-weather-market/timeline.html",
    "the-dry-book/tracks.html",
    "the-lantern-coast/timeline.html",
    "the-lantern-coast/ledger.html",
    "the-lantern-coast/control.html",
    "the-boathouse/track.html",
    "gallery-nine/rolls.html",
    "gallery-nine/relations.html",
)
"""Pages with what fills half a sheet of paper and cannot be divided, or with long tables."""


def test_no_first_page_ends_early_and_every_page_of_a_table_has_its_heads(
    site: Site, watched: WatchedPage
) -> None:
    found: list[str] = []
    with watched() as (page, _):
        for address in PRINTED:
            page.goto(site.url + address)
            sheets = PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True))).pages
            heights: list[float] = []

            def heard(text: str, page: list[float], line: list[float], *more: Any) -> None:
                if text.strip():
                    heights.append(line[4] * page[1] + line[5] * page[3] + page[5])  # noqa: B023

            sheets[0].extract_text(visitor_text=heard)
            lowest = min(heights) / float(sheets[0].mediabox.height)
            if len(sheets) > 1 and lowest > 0.35:
                found.append(f"{address}: the first page ends {lowest:.0%} above its foot")
            if address.endswith("ledger.html"):
                assert len(sheets) > 10
                assert all("Amount" in sheet.extract_text() for sheet in sheets[3:])
    assert found == []
