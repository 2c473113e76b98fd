"""A browser that tells on a page: console errors, requests that leave the machine, axe findings."""

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
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


@contextmanager
def watched_page(
    browser: Browser, *, width: int = 1280, scheme: str = "light", javascript: bool = True
) -> Iterator[tuple[Page, Watch]]:
    """Open an empty page of a given width and colour scheme, and watch it."""
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=javascript,
        reduced_motion="reduce",
    )
    try:
        page = context.new_page()
        watch = Watch()
        watch.follow(page)
        yield page, watch
    finally:
        context.close()


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    """Serve a folder on a free port of this machine."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield Site(folder, f"http://127.0.0.1:{server.server_port}/")
        finally:
            server.shutdown()
            thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the tests speak."""


def axe_violations(page: Page, axe_source: str, rules: list[str] | None = None) -> list[str]:
    """Run axe-core on the page (all its rules, or those named); one line for each violation, with the
    elements at fault."""
    page.evaluate(axe_source)
    options = {"runOnly": rules} if rules else {}
    found = page.evaluate("async (chosen) => (await axe.run(document, chosen)).violations", options)
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: "
        + "; ".join(" ".join(map(str, node["target"])) for node in violation["nodes"])
        for violation in found
    ]
