"""The harness itself: it must see what it is there to see."""

from pathlib import Path

import pytest

from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import served

pytestmark = pytest.mark.browser

GOOD_PAGE = "<!doctype html><html lang=en><title>Good</title><main><h1>Good</h1></main></html>"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<script>console.error('dropped a die')</script>", "console: dropped a die"),
        ("<script>throw new Error('no such scene')</script>", "uncaught: no such scene"),
        ("<img src=missing.png alt=''>", "console: Failed to load resource"),
        ("<img src=http://chronicle.invalid/a.png alt=''>", "leaves the machine: http://chronicle"),
    ],
)
def test_trouble_on_a_page_is_seen(
    tmp_path: Path, watched: WatchedPage, body: str, problem: str
) -> None:
    (tmp_path / "index.html").write_text(GOOD_PAGE + body, encoding="utf-8")
    with served(tmp_path) as site, watched() as (page, watch):
        page.goto(site.url, wait_until="networkidle")
    assert any(reported.startswith(problem) for reported in watch.problems), watch.problems


def test_a_good_page_raises_no_alarm(tmp_path: Path, watched: WatchedPage, axe: Axe) -> None:
    (tmp_path / "index.html").write_text(GOOD_PAGE, encoding="utf-8")
    (tmp_path / "favicon.ico").touch()
    with served(tmp_path) as site, watched() as (page, watch):
        for address in (site.url, site.file_url + "index.html"):
            page.goto(address, wait_until="networkidle")
            assert axe(page) == []
    assert watch.problems == []


def test_axe_names_the_violation_and_the_element(
    tmp_path: Path, watched: WatchedPage, axe: Axe
) -> None:
    (tmp_path / "index.html").write_text(GOOD_PAGE + "<img id=map src=data:,>", encoding="utf-8")
    with watched() as (page, _):
        page.goto((tmp_path / "index.html").as_uri())
        violations = axe(page)
    assert any(v.startswith("image-alt (critical)") and "#map" in v for v in violations)
