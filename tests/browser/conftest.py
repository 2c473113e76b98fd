"""A real browser, the site built once, and axe-core, for the tests that look at pages."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.harness import (
    CHROMIUM_ARGS,
    Site,
    Watch,
    axe_violations,
    served,
    watched_page,
)
from tests.needs import chromium, npm_package

# A machine that is busy answers late; what never comes is missed all the same.
expect.set_options(timeout=20_000)

WatchedPage = Callable[..., AbstractContextManager[tuple[Page, Watch]]]
Axe = Callable[..., list[str]]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    executable = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The project's own site, built once and served; the one in CHRONICLE_SITE, where it was just built."""
    if built := os.environ.get("CHRONICLE_SITE"):
        with served(Path(built)) as site:
            yield site
        return
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)],
        cwd=root,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )
    with served(folder) as site:
        yield site


@pytest.fixture
def watched(browser: Browser) -> WatchedPage:
    """Open a watched page: ``with watched(width=390, scheme="dark") as (page, watch):``."""
    return partial(watched_page, browser)


@pytest.fixture(scope="session")
def axe() -> Axe:
    """Run axe-core on a page."""
    file = npm_package("axe-core") / "axe.min.js"
    return partial(axe_violations, axe_source=file.read_text(encoding="utf-8"))
