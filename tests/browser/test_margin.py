"""The margin of annotated play: no note far from what it is about, no hole in the text for its sake."""

import gzip
import threading
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import WatchedPage
from tests.browser.harness import Site, served, watched_page

pytestmark = pytest.mark.browser

DRIFT, GAP = 39, 16
"""Pixels, as they were measured on the drawing of the page."""
HEAVY = 300_000
"""Bytes of a session page, packed, with what it needs beside fonts and theme."""
STILL = 0.001
"""Less than this is a letter of a font that came late; a line that jumps is ten times as much."""
TIMES = 4
"""How often a page is loaded again: a font that comes late moves a word now and then, the page every time."""

SETTLED = """() => new Promise((done) =>
  setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))), 60))"""
"""Some time by the clock of the page, and what was drawn by then."""

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
    found = sorted(site.root.glob("*/sessions/[0-9]*.html"))
    return [page for page in found if page.stem.isdigit()]


COUNT = (
    "window.moved = 0; window.what = []; new PerformanceObserver((list) => list.getEntries()"
    ".forEach((one) => { window.moved += one.value; one.sources.forEach((source) =>"
    " window.what.push(source.node && (source.node.className || source.node.nodeName))); }))"
    ".observe({type: 'layout-shift', buffered: true});"
)


def warm(page: Page, address: str) -> None:
    """Fonts and theme are there already, as they are from the second page on."""
    page.add_init_script(COUNT)
    page.goto(address)
    page.evaluate("Promise.all([...document.fonts].map((face) => face.load()))")


def moves(page: Page, address: str) -> str:
    """How far a page moves while it is loaded, and what of it; empty if nothing does."""
    for _ in range(TIMES):
        page.goto(address, wait_until="load")
        page.evaluate(SETTLED)
        moved: float = page.evaluate("window.moved")
        if moved < STILL:
            return ""
    return f"{address}: {moved:.4f} {page.evaluate('window.what')}"


class Evening(NamedTuple):
    """What was seen of the page of an evening."""

    file: Path
    measured: dict[str, Any]
    moved: str


def looked(browser: Browser, site: Site, width: int) -> tuple[list[Evening], list[str]]:
    """Every evening at a width, and what went wrong on the way."""
    seen: list[Evening] = []
    with watched_page(browser, width=width) as (page, watch):
        for file in evenings(site):
            address = site.url + file.relative_to(site.root).as_posix()
            if not seen:
                warm(page, address)
            moved = moves(page, address)
            page.evaluate("document.fonts.ready")
            seen.append(Evening(file, page.evaluate(MEASURE), moved))
    return seen, watch.problems


@pytest.fixture(scope="module")
def wide(browser: Browser, site: Site) -> tuple[list[Evening], list[str]]:
    """Every evening on a wide screen, loaded once for all that is asked of it there."""
    return looked(browser, site, 1440)


def _notes_stand_by_their_words(seen: list[Evening], problems: list[str]) -> None:
    notes = 0
    for file, found, _ in seen:
        worst = max((one for one in found["drift"]), default=(0, "", 0))
        # A beat begins a little above its words.
        assert worst[0] - 4 <= DRIFT, (file, worst)
        gap = max(found["gaps"], default=(0, ""))
        assert gap[0] <= GAP, (file, gap)
        assert not found["over"], file
        notes += found["notes"]
    assert notes > 1000
    assert problems == []


def test_notes_stand_by_their_words_and_leave_no_hole(
    wide: tuple[list[Evening], list[str]],
) -> None:
    _notes_stand_by_their_words(*wide)


def test_notes_stand_by_their_words_where_there_is_less_room(browser: Browser, site: Site) -> None:
    _notes_stand_by_their_words(*looked(browser, site, 1024))


def test_a_session_page_is_light_and_nothing_of_it_moves(
    site: Site, wide: tuple[list[Evening], list[str]]
) -> None:
    assets = site.root / "assets"
    shared = [
        assets / "chronicle" / name for name in ("chronicle.css", "fonts.css", "chronicle.js")
    ]
    common = sum(len(gzip.compress(file.read_bytes())) for file in shared)
    for file, _, moved in wide[0]:
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


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("late", [0.0, 0.3])
def test_nothing_moves_for_somebody_who_was_never_here(
    site: Site, watched: WatchedPage, width: int, late: float
) -> None:
    """Nothing is kept of any page; the typeface comes at once, or when the page is long there."""
    # One evening of each story for those who wait.
    pages = evenings(site) if not late else [file for file in evenings(site) if file.stem == "1"]
    moved = []
    seen, sent = threading.Event(), list[str]()

    def before(path: str) -> None:
        if path.endswith(".woff2"):
            sent.append(path)
            assert seen.wait(60), path

    with served(site.root, before) as slow, watched(width=width) as (page, _):
        forgetful(page)
        for file in pages:
            sent.clear()
            if not late:
                seen.set()
            page.goto(slow.url + file.relative_to(site.root).as_posix(), wait_until="commit")
            page.wait_for_function(PAINTED)
            page.wait_for_timeout(1000 * late)
            seen.set()
            page.wait_for_load_state("load")
            page.evaluate("document.fonts.ready.then(() => null)")
            page.evaluate(SETTLED)
            assert sent, file
            if page.evaluate("window.moved"):
                moved.append((file, page.evaluate("window.moved"), page.evaluate("window.what")))
            seen.clear()
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
        found = moves(page, site.url + "moves.html")
    assert "moves.html: 0." in found
