"""A browser that tells on a page: console errors, requests that leave the machine, axe findings."""

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A request that slips out anyway finds no address.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

SCHEMES_THAT_STAY = frozenset({"file", "data", "blob", "about"})


@dataclass(frozen=True)
class Site:
    """A built site, reachable over HTTP and as plain files."""

    root: Path
    url: str

    @property
    def file_url(self) -> str:
        """The address of the site's folder when it is opened from the disk."""
        return self.root.as_uri() + "/"


@dataclass
class Watch:
    """What went wrong on the pages of one browser window so far."""

    problems: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        """Take note of everything the page does from now on."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            where = message.location.get("url", "")
            self.problems.append(f"console: {message.text} ({where})")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in SCHEMES_THAT_STAY and address.hostname != "127.0.0.1":
            self.problems.append(f"leaves the machine: {request.url}")


HAS_READ = """try {
    if (!localStorage.getItem("chronicle:told:/")) localStorage.setItem("chronicle:told:/", "end");
} catch (error) { /* A page that may keep nothing hides nothing. */ }"""
"""Says for all stories of a site that the reader knows their ends."""


@contextmanager
def watched_page(
    browser: Browser,
    *,
    width: int = 1280,
    scheme: str = "light",
    javascript: bool = True,
    has_read: bool = True,
) -> Iterator[tuple[Page, Watch]]:
    """Open an empty page of a given width and colour scheme, and watch it. ``has_read``: its reader has read
    every story to the end."""
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=javascript,
        reduced_motion="reduce",
    )
    try:
        if has_read:
            context.add_init_script(HAS_READ)
        page = context.new_page()
        watch = Watch()
        watch.follow(page)
        yield page, watch
    finally:
        context.close()


def _at_once(path: str) -> None:
    """Nothing to wait for."""


@contextmanager
def served(folder: Path, before: Callable[[str], None] = _at_once) -> Iterator[Site]:
    """Serve a folder on a free port of this machine; ``before`` a file is sent, wait as long as that takes for
    its path."""
    handler = functools.partial(_Quiet, before, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield Site(folder, f"http://127.0.0.1:{server.server_port}/")
        finally:
            server.shutdown()
            thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def __init__(self, before_answer: Callable[[str], None], *args: Any, **kwargs: Any) -> None:
        self._before = before_answer
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        self._before(self.path)
        # Whoever leaves a page no longer wants what was still to come.
        with suppress(ConnectionError):
            super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests speak."""


def axe_violations(page: Page, axe_source: str, rules: list[str] | None = None) -> list[str]:
    """Run axe-core on the page (all its rules, or those named); one line for each violation, with the
    elements at fault."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_source)
    # Only these are told in full: to word what is in order as well takes axe a tenth longer. Style sheets are fetched
    # once more for rules that are not asked about.
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
    if rules:
        options["runOnly"] = rules
    violations = page.evaluate(
        "async (chosen) => (await axe.run(document, chosen)).violations", options
    )
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: "
        + "; ".join(" ".join(map(str, node["target"])) for node in violation["nodes"])
        for violation in violations
    ]
