"""A long line at the desk: its parts, its drafts, and the keys that stay where they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.desk import Desks, desks
from tests.browser.test_desk import overflow

pytestmark = pytest.mark.browser

COAST = "the-lantern-coast"


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    with desks(root, tmp_path) as opened:
        yield opened


def thought(page: Page) -> None:
    """Wait until the line has been thought about."""
    page.wait_for_function(
        "() => document.querySelector('.choices').dataset.of === document.querySelector('#line').value"
    )


@pytest.mark.parametrize("width", [390, 1024])
def test_a_part_of_a_long_line_is_gone_to_and_taken_out(
    desk: Desks, watched: WatchedPage, axe: Axe, width: int
) -> None:
    opened = desk(COAST)
    with watched(width=width) as (page, watch):
        opened.enter(page, COAST)
        first, last = "character: ferryman, traits: old", "prop: boat, traits: leaks"
        page.locator("#line").fill(f"introduce {first}, {last}")
        parts = page.locator(".part")
        expect(parts).to_have_count(2)
        expect(page.locator(".part.here")).to_contain_text("prop: boat")
        assert axe(page) == []
        assert overflow(page) <= 0
        parts.first.locator(".part-words").click()
        expect(page.locator(".part.here")).to_contain_text("ferryman")
        page.locator("#line").press_sequentially(", deaf")
        thought(page)
        assert page.locator("#line").input_value() == f"introduce {first}, deaf, {last}"
        expect(parts).to_have_count(2)
        parts.first.get_by_role("button", name="Take out part 1").click()
        assert page.locator("#line").input_value() == f"introduce {last}"
        expect(parts).to_have_count(0)
    assert watch.problems == []


def test_a_part_of_an_outcome_is_edited_by_itself(
    desk: Desks, watched: WatchedPage, axe: Axe
) -> None:
    opened = desk(COAST)
    log = opened.folder / COAST / "03.yaml"
    before = log.read_text(encoding="utf-8")
    words = "The lamp is dark, then, as it must be"
    with watched(width=1024) as (page, watch):
        opened.enter(page, COAST)
        part = page.locator(".entry.nested", has_text=words)
        part.locator(".number").click()
        expect(page.get_by_role("button", name="Edit all of entry")).to_be_visible()
        page.get_by_role("button", name="Edit this part").click()
        area = page.locator(".entry-text")
        expect(area).to_be_visible()
        text = area.input_value()
        assert text.startswith(f"fact: {words}\n") and "outcome" not in text
        area.fill(text.replace(words, "The lamp is out"))
        assert axe(page) == []
        page.get_by_role("button", name="Write it so").click()
        expect(page.locator(".entry.nested", has_text="The lamp is out")).to_be_visible()
    assert log.read_text(encoding="utf-8") == before.replace(
        f"fact: {words}", "fact: The lamp is out"
    )
    assert watch.problems == []
