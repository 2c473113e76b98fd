"""Takes the pictures of the README: a page and the desk, light and dark, of the play example *The Boathouse*.

    python -m tests.pictures

Run it when pages or the desk look different, and look at the pictures before you commit them. It needs Chromium.
"""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.desk import desks
from tests.browser.harness import CHROMIUM_ARGS, served
from tests.conftest import ROOT
from tests.needs import chromium
from tests.site.project import build, make_project

FOLDER = ROOT / ".github" / "images"
CAMPAIGN = "the-boathouse"
SIZE = (1280, 720)
"""Width and height of a picture, in pixels."""
COLOURS = 128
"""How many colours a picture keeps: a page has few, and the file is a third of the size."""
LED_TO = 318
"""How many pixels above the dice begins what led to them."""
ROLL_BEFORE = "- roll: {Iben: o+-, Tomas: o-}"
"""The line of the log before which the desk is shown."""


def main() -> None:
    """Write all pictures."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGS)

        page = browser.new_page(
            viewport={"width": SIZE[0], "height": SIZE[1]}, reduced_motion="reduce"
        )
        page.add_init_script("localStorage.setItem('chronicle-desk:wish:view', 'table')")
        site, _ = build(make_project(Path(folder) / "site", ROOT / "sessions" / CAMPAIGN))
        with served(site) as pages:
            page.goto(f"{pages.url}{CAMPAIGN}/sessions/1.html", wait_until="networkidle")
            throw = page.locator(".ch-throw").first
            top = throw.evaluate("e => e.getBoundingClientRect().top + scrollY")
            page.evaluate("y => scrollTo(0, y)", top - LED_TO)
            take(page, "page")
        with desks(ROOT, Path(folder)) as open_desk:
            desk = open_desk(CAMPAIGN, cut={CAMPAIGN: ("01.yaml", ROLL_BEFORE)})
            desk.enter(page, CAMPAIGN)
            expect(page.locator(".table-view .moment h1")).to_be_visible()
            take(page, "desk")
        browser.close()


def take(page: Page, name: str) -> None:
    """Write what a window shows as ``NAME-light.png`` and ``NAME-dark.png``."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.wait_for_timeout(1000)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        file = FOLDER / f"{name}-{scheme}.png"
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
