"""Pages without what a browser usually gives them: without scripts, and on paper."""

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site

pytestmark = pytest.mark.browser


def test_pages_are_whole_without_scripts(site: Site, watched: WatchedPage) -> None:
    with watched(javascript=False) as (page, watch):
        page.goto(site.file_url + "the-boathouse/sessions/1.html")
        assert page.locator(".ch-beat").first.is_visible()
        assert page.locator(".ch-note--beside").first.is_visible()
        assert not page.locator(".ch-switch").is_visible()
        page.goto(site.file_url + "the-boathouse/ledger.html")
        page.locator(".ch-row > summary").last.click()
        assert page.locator(".ch-row table").last.is_visible()
        assert not page.locator(".ch-filter").first.is_visible()
    assert watch.problems == []


def test_print_shows_all_and_no_chrome(site: Site, watched: WatchedPage) -> None:
    with watched(scheme="dark") as (page, _):
        page.goto(site.url + "the-boathouse/sessions/1.html")
        page.emulate_media(media="print")
        for leads in (".md-header", ".ch-views", ".ch-crumbs"):
            assert [element.is_visible() for element in page.locator(leads).all()] == [False], leads
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
            assert not any(element.is_visible() for element in page.locator(leads).all()), leads


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
    "gallery-nine/contests.html",
    "gallery-nine/relations.html",
)
"""Pages with what fills half a sheet of paper and cannot be divided, or with long tables."""


def test_no_first_page_ends_early_and_every_page_of_a_table_has_its_heads(
    site: Site, watched: WatchedPage
) -> None:
    problems: list[str] = []
    with watched() as (page, _):
        for address in PRINTED:
            page.goto(site.url + address)
            sheets = PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True))).pages
            heights: list[float] = []

            def heard(text: str, page: list[float], line: list[float], *arguments: Any) -> None:
                if text.strip():
                    heights.append(line[4] * page[1] + line[5] * page[3] + page[5])  # noqa: B023

            sheets[0].extract_text(visitor_text=heard)
            lowest = min(heights) / float(sheets[0].mediabox.height)
            if len(sheets) > 1 and lowest > 0.35:
                problems.append(f"{address}: the first page ends {lowest:.0%} above its foot")
            if address.endswith("ledger.html"):
                assert len(sheets) > 10
                assert all("Amount" in sheet.extract_text() for sheet in sheets[3:])
    assert problems == []


def test_no_line_of_code_is_cut_on_a_phone(site: Site, watched: WatchedPage) -> None:
    with watched(width=390) as (page, _):
        for address in ("tutorial.html", "publish.html", "format/positive.html"):
            page.goto(site.url + address)
            cut = page.eval_on_selector_all(
                "pre > code",
                "all => all.filter(code => code.scrollWidth > code.clientWidth + 1).length",
            )
            assert cut == 0, address


def test_a_single_picture_is_shown_large(site: Site, watched: WatchedPage) -> None:
    with watched(width=1440) as (page, _):
        page.goto(site.url + "the-boathouse/gallery.html")
        box = page.locator(".ch-plate img").bounding_box()
        assert box is not None and box["width"] > 700
        caption = page.locator(".ch-plate figcaption").inner_text()
        assert caption.index("about Tomas") < caption.index("CC BY 4.0")


def test_what_came_of_a_contest_stands_near_its_title(site: Site, watched: WatchedPage) -> None:
    for width, apart in ((1440, 600), (390, 30)):
        with watched(width=width) as (page, _):
            page.goto(site.url + "the-dry-book/contests.html")
            row = page.locator(".ch-row > summary").first
            title, came_to = (row.locator(part).bounding_box() for part in ("h4", "span >> nth=0"))
            assert title is not None and came_to is not None
            assert came_to["x"] - title["x"] < apart
            assert came_to["y"] - title["y"] < 100


def test_no_line_runs_under_the_letters_in_the_bars_of_a_timeline(
    site: Site, watched: WatchedPage
) -> None:
    with watched(width=1440) as (page, _):
        page.goto(site.url + "gallery-nine/timeline.html")
        bar = page.locator(".ch-svg a:has(rect)").first
        assert bar.evaluate("bar => getComputedStyle(bar).textDecorationLine") == "none"
