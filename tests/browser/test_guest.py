"""Campaigns in somebody else's site, in a browser: the owner's look stays, and ours comes and goes with our pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.harness import served
from tests.site.test_guest import CAMPAIGN, Wiki, built

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
        # A sentence with links in it stays one paragraph.
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
