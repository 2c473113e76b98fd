"""The margin of annotated play: no note far from what it is about, no hole in the text for its sake."""

import gzip
import threading
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site, served, watched_page
from tests.browser.kinds import GAMES
from tests.browser.walk import COUNT, SETTLED, moves, warm
from tests.conftest import SOAK

pytestmark = pytest.mark.browser

WIDTHS = (1440, 1024)
DRIFT, GAP = 39, 16
"""Pixels, as they were measured on the drawing of the page."""
HEAVY = 300_000
"""Bytes of a session page, packed, with what it needs beside fonts and theme."""
MEASURE = """() => {
  const evening = document.querySelector(".ch-evening");
  const top = (one) => one.getBoundingClientRect().top;
  const drift = [...evening.querySelectorAll(".ch-note--beside")].map((note) => {
    const beat = note.closest(".ch-beat");
    const first = beat.querySelector(".ch-note--beside");
    const alone = parseFloat(getComputedStyle(first).marginTop);
    const text = beat.querySelector(".ch-beat__told") || beat.querySelector(".ch-talk") || beat;
    return [Math.round(top(note) - top(beat) - alone), note.innerText.slice(0, 60), top(text) - top(beat)];
  });
  const shown = [...evening.children].filter((one) => one.getBoundingClientRect().height);
  const gaps = shown.slice(1).map((one, n) => {
    const before = shown[n].getBoundingClientRect();
    const style = getComputedStyle(one), above = getComputedStyle(shown[n]);
    const margin = Math.max(parseFloat(style.marginTop), parseFloat(above.marginBottom));
    return [Math.round(top(one) - before.bottom - margin), one.innerText.slice(0, 60)];
  });
  const over = [...evening.querySelectorAll(".ch-note--beside")].filter(
    (note) => note.getBoundingClientRect().right > document.documentElement.clientWidth
  );
  return { drift, gaps, over: over.length, notes: drift.length };
}"""


def evenings(site: Site) -> list[Path]:
    """The pages of all evenings of all play examples."""
    session_pages = sorted(site.root.glob("*/sessions/[0-9]*.html"))
    return [page for page in session_pages if page.stem.isdigit()]


class Evening(NamedTuple):
    """What was seen of the page of an evening."""

    file: Path
    measured: dict[int, dict[str, Any]]
    """By the width of the screen."""
    moved: str


Looked = tuple[list[Evening], list[str]]


@pytest.fixture(scope="module")
def looked(browser: Browser, site: Site) -> Looked:
    """Every evening, loaded once on a wide screen and measured there and where there is less room; and what
    went wrong on the way."""
    visited: list[Evening] = []
    with watched_page(browser, width=WIDTHS[0]) as (page, watch):
        size = page.viewport_size
        assert size is not None
        for file in evenings(site):
            address = site.url + file.relative_to(site.root).as_posix()
            if not visited:
                warm(page, address)
            moved = moves(page, address)
            page.evaluate("document.fonts.ready")
            visited.append(Evening(file, {}, moved))
            for width in (*WIDTHS[1:], WIDTHS[0]):
                page.set_viewport_size({**size, "width": width})
                visited[-1].measured[width] = page.evaluate(MEASURE)
    return visited, watch.problems


@pytest.mark.parametrize("width", WIDTHS)
def test_notes_stand_by_their_words_and_leave_no_hole(looked: Looked, width: int) -> None:
    visited, problems = looked
    notes = 0
    for file, measured, _ in visited:
        measures = measured[width]
        worst = max((drift for drift in measures["drift"]), default=(0, "", 0))
        # A beat begins a little above its words.
        assert worst[0] - 4 <= DRIFT, (file, worst)
        gap = max(measures["gaps"], default=(0, ""))
        assert gap[0] <= GAP, (file, gap)
        assert not measures["over"], file
        notes += measures["notes"]
    assert notes > 1000
    assert problems == []


def test_a_session_page_is_light_and_nothing_of_it_moves(site: Site, looked: Looked) -> None:
    assets = site.root / "assets"
    shared = [
        assets / "chronicle" / name for name in ("chronicle.css", "fonts.css", "chronicle.js")
    ]
    common = sum(len(gzip.compress(file.read_bytes())) for file in shared)
    for file, _, moved in looked[0]:
        packed = len(gzip.compress(file.read_bytes())) + common
        assert packed <= HEAVY, (file, packed)
        assert moved == ""


FORGET = "localStorage.clear(); sessionStorage.clear();"
PAINTED = "() => performance.getEntriesByType('paint').length"


def forgetful(page: Page) -> None:
    """Let the tab keep nothing of any page: each is the first that it sees."""
    page.add_init_script(FORGET + COUNT)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})


@pytest.mark.soak
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("late", [0.0, 0.3])
def test_nothing_moves_for_somebody_who_was_never_here(
    site: Site, watched: WatchedPage, width: int, late: float
) -> None:
    """Nothing is kept of any page; the typeface comes at once, or when the page is long there. What such a page is
    made with differs from game to game at most: ``make soak`` looks at all evenings, and at the first of each
    story where the typeface is late."""
    pages = [file for file in evenings(site) if file.stem == "1" or (SOAK and not late)]
    if not SOAK:
        pages = [file for file in pages if file.parent.parent.name in GAMES]
    assert len(pages) >= len(GAMES)
    moved = []
    arrived, sent = threading.Event(), list[str]()

    def before_answer(path: str) -> None:
        if path.endswith(".woff2"):
            sent.append(path)
            assert arrived.wait(60), path

    with served(site.root, before_answer) as slow, watched(width=width) as (page, _):
        forgetful(page)
        for file in pages:
            sent.clear()
            if not late:
                arrived.set()
            page.goto(slow.url + file.relative_to(site.root).as_posix(), wait_until="commit")
            page.wait_for_function(PAINTED)
            page.wait_for_timeout(1000 * late)
            arrived.set()
            page.wait_for_load_state("load")
            page.evaluate("document.fonts.ready.then(() => null)")
            page.evaluate(SETTLED)
            assert sent, file
            if page.evaluate("window.moved"):
                moved.append((file, page.evaluate("window.moved"), page.evaluate("window.what")))
            arrived.clear()
    assert moved == []


def test_the_measure_sees_what_moves(watched: WatchedPage, tmp_path: Path) -> None:
    (tmp_path / "moves.html").write_text(
        # Once it was seen: what moves before the first picture moves for nobody.
        "<!doctype html><p id=a></p><h1>Moved</h1><script>requestAnimationFrame(() => "
        "requestAnimationFrame(() => { a.style.height = '300px' }))</script>",
        encoding="utf-8",
    )
    with served(tmp_path) as site, watched(width=1440) as (page, _):
        warm(page, site.url)
        movements = moves(page, site.url + "moves.html")
    assert "moves.html: 0." in movements
