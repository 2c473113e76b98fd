"""A walk past every kind of page: each is loaded once for all that is asked of it at a width."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, Page

from tests.browser.harness import Site, watched_page
from tests.browser.kinds import OWN

Scheme = Literal["light", "dark"]

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
    "the-boathouse/everything.html",
    "the-boathouse/about.html",
    "the-boathouse/characters/wanda.html",
    "the-boathouse/players/index.html",
    "the-boathouse/players/ana.html",
    "the-boathouse/relations.html",
    "the-boathouse/track.html",
    "the-boathouse/ledger.html",
    "the-boathouse/contests.html",
    "the-boathouse/rules-used.html",
    "the-boathouse/check.html",
    "the-ferry-house/loose-ends.html",
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
    "the-witness-orchard/contests.html",
)
"""One page of each kind that axe looks at."""

STILL = 0.001
"""Less than this is a letter of a font that came late; a line that jumps is ten times as much."""
TIMES = 4
"""How often a page is loaded again: a font that comes late moves a word now and then, the page every time."""

SETTLED = """() => new Promise((done) =>
  setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))), 60))"""
"""Some time by the clock of the page, and what was drawn by then."""

COUNT = (
    "window.moved = 0; window.what = []; new PerformanceObserver((list) => list.getEntries()"
    ".forEach((one) => { window.moved += one.value; one.sources.forEach((source) =>"
    " window.what.push(source.node && (source.node.className || source.node.nodeName))); }))"
    ".observe({type: 'layout-shift', buffered: true});"
)

LATIN = """Promise.all([...document.fonts].filter((face) => /^U\\+(0|100)-/.test(face.unicodeRange))
  .map((face) => face.load())).then(() => null)"""


def warm(page: Page, address: str) -> None:
    """Theme and Latin letters are there already, as they are from the second page on. (Each page would look again
    for every face that is: those of other scripts would cost it an eighth of its time.)"""
    page.add_init_script(COUNT)
    page.goto(address)
    page.evaluate(LATIN)


def moves(page: Page, address: str) -> str:
    """How far a page moves while it is loaded, and what of it; empty if nothing does."""
    for _ in range(TIMES):
        page.goto(address, wait_until="load")
        page.evaluate(SETTLED)
        moved: float = page.evaluate("window.moved")
        if moved < STILL:
            return ""
    return f"{address}: {moved:.4f} {page.evaluate('window.what')}"


LEAST = 13
"""Pixels; smaller letters are not read on a phone."""
AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")


def audited(page: Page, address: str, widths: Iterable[int]) -> list[str]:
    """What of a page cannot be read on narrow screens."""
    if not _unread(page, address, widths):
        return []
    # Letters that a busy machine brings late stay away from the page, and others are wider.
    page.reload()
    return _unread(page, address, widths)


def _unread(page: Page, address: str, widths: Iterable[int]) -> list[str]:
    size_before, problems = page.viewport_size, list[str]()
    assert size_before is not None
    for width in widths:
        if width != size_before["width"]:
            page.set_viewport_size({**size_before, "width": width})
        problems += [f"{address} at {width}: {problem}" for problem in page.evaluate(AUDIT, LEAST)]
    page.set_viewport_size(size_before)
    return problems


PAINT = {"light": "default", "dark": "slate"}
"""What the theme calls its schemes."""
SHOWN = "scheme => (document.body.dataset.mdColorScheme ?? scheme) === scheme"
"""Whether a page is in a scheme; those without the theme follow the system at once."""


class Visited(NamedTuple):
    """What was seen on a walk."""

    moved: list[str]
    unread: list[str]
    barred: dict[Scheme, list[str]]
    """What axe found, in each colour scheme."""
    problems: list[str]


def walked(
    browser: Browser,
    site: Site,
    axe: Callable[..., list[str]],
    addresses: Iterable[str],
    axed: Collection[str],
    *,
    width: int,
    read: Collection[int] = (),
    used: int,
    both: bool = True,
) -> Visited:
    """Go past the pages as somebody who has read a chapter: what remembers that has its place as well. Each is
    loaded at ``width``, with what can be read at the widths of ``read`` looked at, and those of ``axed`` shown to
    axe at the width ``used``: every other one in the dark, and, if it is to see ``both`` schemes, in the other
    then, as every colour comes from the scheme."""
    visited = Visited([], [], {"light": [], "dark": []}, [])
    schemes: list[Scheme] = ["light", "dark"]
    with watched_page(browser, width=width) as (page, watch):
        warm(page, site.url + OWN[0])
        page.goto(site.url + "the-boathouse/story.html")
        for address in addresses:
            page.emulate_media(color_scheme=schemes[0])
            visited.moved.extend(filter(None, [moves(page, site.url + address)]))
            if read:
                visited.unread.extend(audited(page, address, read))
            if address not in axed:
                continue
            size = page.viewport_size
            assert size is not None
            page.set_viewport_size({**size, "width": used})
            for scheme in schemes if both else schemes[:1]:
                page.emulate_media(color_scheme=scheme)
                page.wait_for_function(SHOWN, arg=PAINT[scheme])
                # What differs between the schemes is their colours.
                rules = ["color-contrast"] if both and scheme == "dark" else None
                problems = visited.barred[scheme]
                problems += [f"{address}: {problem}" for problem in axe(page, rules=rules)]
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if wide > 0:
                    problems.append(f"{address}: scrolls sideways by {wide} px")
            page.set_viewport_size(size)
            schemes.reverse()
        visited.problems.extend(watch.problems)
    return visited
