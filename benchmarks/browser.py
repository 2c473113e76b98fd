"""Measure how long a browser takes to open a campaign at the desk of a built site."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from tests.needs import CHROMIUMS, installed
from tests.site.project import build, make_project

if TYPE_CHECKING:
    from playwright.sync_api import Page

WARM_OPENINGS = 3
TIMEOUT = 120_000
_SHOWN = "() => document.documentElement.dataset.campaign ? performance.now() : 0"
"""When the desk shows the campaign."""
_READY = """() => {
    const status = document.querySelector(".status");
    return status && !status.textContent.includes("Starting") ? performance.now() : 0;
}"""
"""When Chronicle itself answers, and an entry can be checked."""


class Opening(NamedTuple):
    """Seconds until a page shows the campaign, and until Chronicle answers."""

    shown: float
    ready: float


class NoBrowser(Exception):
    """The browser or the desk for browsers is missing; the message says which."""


def measure_opening(folder: Path, scratch: Path) -> tuple[Opening, Opening]:
    """Build a site with one campaign, and open it with empty caches and again with full ones.

    Args:
        folder: the campaign.
        scratch: an empty folder for the site.

    Returns:
        The first (cold) opening, and the median of those after it (warm).

    Raises:
        NoBrowser: Chromium or the desk for browsers is missing.
    """
    paths = [os.environ.get("CHRONICLE_CHROMIUM", ""), *map(_path_of, CHROMIUMS)]
    chromium = next(filter(None, paths), None)
    if chromium is None:
        raise NoBrowser("Chromium is not installed")
    site, _ = build(make_project(scratch, folder))
    if not (site / "desk" / "parts.json").is_file():
        raise NoBrowser("the desk for browsers is not built (make device)")
    # Playwright is one of the test tools; the other benchmarks do without it.
    from playwright.sync_api import sync_playwright

    from tests.browser.harness import CHROMIUM_ARGS, served, watched_page

    with sync_playwright() as playwright, served(site) as server:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*CHROMIUM_ARGS])
        address = f"{server.url}desk/?opening={{}}#/@{folder.name}"
        with watched_page(browser) as (page, watch):
            cold = _opened(page, address.format(0))
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
            openings = []
            for number in range(1, WARM_OPENINGS + 1):
                tab = page.context.new_page()
                openings.append(_opened(tab, address.format(number)))
                tab.close()
        browser.close()
    if watch.problems:
        raise RuntimeError("\n".join(watch.problems))
    return cold, Opening(*map(median, zip(*openings, strict=True)))


def _path_of(name: str) -> str:
    return next(iter(installed(name)), "")


def _opened(page: Page, address: str) -> Opening:
    page.goto(address)
    times = [
        page.wait_for_function(moment, timeout=TIMEOUT).json_value() for moment in (_SHOWN, _READY)
    ]
    return Opening(*(milliseconds / 1000 for milliseconds in times))
