"""Campaigns in somebody else's site, in a browser: the owner's look stays, and ours comes and goes with our pages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.harness import HAS_READ, served
from tests.site.test_guest import CAMPAIGN, Wiki, built, run, written

pytestmark = pytest.mark.browser

HEADER = 'getComputedStyle(document.querySelector(".md-header")).backgroundColor'
STYLES = (
    '[...document.querySelectorAll("link[rel=stylesheet]")].map(one => one.href.split("/").pop())'
)


def test_pages_of_a_campaign_come_and_go_without_a_reload(browser: Browser, tmp_path: Path) -> None:
    theme = {"name": "material", "font": False, "features": ["navigation.instant"]}
    with (
        served(tmp_path / "site") as home,
        browser.new_context(viewport={"width": 1440, "height": 900}) as context,
    ):
        # The theme loads pages by itself where the site is at the address that its settings name.
        settings: dict[str, Any] = {"site_url": home.url, "repo_url": None}
        built(tmp_path, Wiki(theme=theme, settings=settings), chronicle=True)
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(home.url)
        page.evaluate("window.mark = 1")
        header = page.evaluate(HEADER)
        page.locator(f'.md-nav a[href*="{CAMPAIGN}/"]').click()
        expect(page.locator(".ch-guest-bar .ch-brand")).to_be_visible()
        assert page.evaluate("window.mark") == 1
        assert page.evaluate(HEADER) == header
        assert "guest.css" in page.evaluate(STYLES)
        font = 'getComputedStyle(document.querySelector(".ch-body h1")).fontFamily'
        assert "Literata" in page.evaluate(font)
        # A sentence with links in it stays one paragraph. It is open to those who have read to the end.
        page.locator(".ch-told-to button").last.click()
        situation = 'getComputedStyle(document.querySelector("p.ch-situation")).display'
        assert page.evaluate(situation) == "block"
        expect(page.locator("#ch-entries")).to_be_visible()
        page.locator(".ch-seek-open").click()
        expect(page.locator("dialog.ch-seek")).to_be_visible()
        page.keyboard.press("Escape")
        page.locator(".md-nav a", has_text="Home").first.click()
        expect(page.locator(".ch-guest-bar")).to_have_count(0)
        assert page.evaluate("window.mark") == 1
        assert "guest.css" not in page.evaluate(STYLES)
        assert errors == []


COMPUTED = """names => [...document.querySelectorAll('.ch-guest :is([class^="ch-"], li, dt)')]
    .filter(one => !one.closest("svg"))
    .map(one => {
        const style = getComputedStyle(one);
        const values = names.map(name => style[name].replace("flow-root", "block"));
        return [one.tagName, one.className.split(" ")[0], ...values];
    })"""
HELD = ["display", "position", "fontWeight", "textTransform"]
"""What a theme may change for the elements of its pages, and would show at a glance in ours."""


@pytest.mark.parametrize("theme", ["material", "mkdocs", "readthedocs"])
def test_a_theme_changes_nothing_within_our_part(
    theme: str, browser: Browser, tmp_path: Path
) -> None:
    wiki = Wiki(theme={"name": theme}, override=False)
    guest = built(tmp_path / "guest", wiki, chronicle=True)
    project = written(tmp_path / "project", wiki, chronicle=True)
    plain = tmp_path / "plain"
    chronicle_command = (sys.executable, "-m", "chronicle", "build", str(project), "--plain")
    run(*chronicle_command, "--out", str(plain), at=tmp_path)
    for width in (1440, 390):
        with browser.new_context(viewport={"width": width, "height": 900}) as context:
            context.add_init_script(HAS_READ)
            page = context.new_page()
            for name in ("", "story"):
                page.goto((guest / CAMPAIGN / name / "index.html").as_uri())
                among_others = page.evaluate(COMPUTED, HELD)
                page.goto((plain / CAMPAIGN / f"{name or 'index'}.html").as_uri())
                assert among_others == page.evaluate(COMPUTED, HELD), (width, name)
