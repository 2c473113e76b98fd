"""A desk as somebody opens it: the command, its link, a page."""

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from playwright.sync_api import Page, WebSocketRoute, expect

from chronicle.cli import main
from tests.heads import without_keepers_words


class HeldAnswers:
    """The answers of a desk to a page, which can be held back for a while.

    Args:
        page: a page that has not opened the desk yet.
    """

    def __init__(self, page: Page) -> None:
        self._sockets: list[WebSocketRoute] = []
        self._held: list[str | bytes] | None = None
        page.route_web_socket(re.compile("/desk$"), self._route)

    def _route(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)
        socket.connect_to_server().on_message(
            lambda message: (
                socket.send(message) if self._held is None else self._held.append(message)
            )
        )

    def hold(self) -> None:
        """Hold back what comes from now on."""
        self._held = []

    @property
    def held_count(self) -> int:
        """How many answers came since."""
        return len(self._held or ())

    def pass_on(self) -> None:
        """Send what was held back, and go on holding."""
        for message in self._held or ():
            self._sockets[-1].send(message)

    def release(self) -> None:
        """Let all answers through again."""
        self._held = None


LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/#(\S+)")


Begun = tuple[IO[str], Callable[[], object], Callable[[], object]]


class Opened:
    """``chronicle desk`` over a folder of campaigns; it can be killed and started again."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start the command, on the port it had before if there was one."""
        command = ["desk", str(self.folder), "--no-browser", *self.options]
        self._told, *self._end = self.begin([*command, "--port", str(self.port)])
        line = self._told.readline()
        link = LINK.search(line)
        assert link, line
        self.link, self.port = link[0], int(link[1])

    def begin(self, command: list[str]) -> Begun:
        """Begin a process; what it says, what kills it, and what waits for its end."""
        running = subprocess.Popen(
            [sys.executable, "-m", "chronicle", *command],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert running.stdout is not None
        return running.stdout, running.kill, running.wait

    def kill(self) -> None:
        """End it as a power cut would."""
        for end in self._end:
            end()
        self._told.close()

    def enter(self, page: Page, campaign: str = "") -> None:
        """Come in by the link that was printed last, and sit down at a campaign."""
        page.goto(self.link)
        expect(page.locator(".shelf h1, .game, html[data-campaign]").first).to_be_attached(
            timeout=20_000
        )
        if campaign:
            self.sit(page, campaign)

    @staticmethod
    def sit(page: Page, campaign: str, *, at: str = "table") -> None:
        """Open a campaign in one of the two views."""
        page.evaluate("view => localStorage.setItem('chronicle-desk:wish:view', view)", at)
        if page.evaluate("to => location.hash === `#${to}`", f"/{campaign}"):
            page.reload()
        else:
            page.evaluate("to => { location.hash = to }", f"/{campaign}")
        expect(page.locator(f'html[data-campaign="{campaign}"]')).to_be_attached(timeout=20_000)
        shown = ".editor-view .cm-content" if at == "editor" else ".table-view .moment h1"
        expect(page.locator(shown)).to_be_visible(timeout=20_000)


FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.browser.warmed"])


class Forked(Opened):
    """The same command, in a process that begins with everything imported and played once: by itself it takes most
    of its time for that."""

    def begin(self, command: list[str]) -> Begun:
        heard, says = FORKS.Pipe(duplex=False)
        running = FORKS.Process(target=_run, args=(says, command), daemon=True)
        running.start()
        says.close()
        return os.fdopen(os.dup(heard.fileno())), running.kill, running.join


def _run(says: Connection, command: list[str]) -> None:
    os.dup2(says.fileno(), 1)
    sys.stdout = os.fdopen(1, "w", buffering=1)
    sys.exit(main(command))


Desks = Callable[..., Opened]


@contextmanager
def desks(root: Path, folder: Path) -> Iterator[Desks]:
    """Open desks over copies of play examples: ``desk("six-names")``; ``cut`` ends a log early."""
    opened: list[Opened] = []

    def open_desk(
        *campaigns: str, cut: dict[str, tuple[str, str]] | None = None, lan: bool = False
    ) -> Opened:
        for name in campaigns:
            shutil.copytree(root / "sessions" / name, folder / name)
        for name, (file, line) in (cut or {}).items():
            cut_before(folder / name, file, line)
        opened.append(Opened(folder, "--lan") if lan else Forked(folder))
        return opened[-1]

    try:
        yield open_desk
    finally:
        for started_desk in opened:
            started_desk.kill()


def cut_before(campaign: Path, file: str, line: str) -> None:
    """Let a log end above the entry that a line belongs to, and no session follow it; its keepers have
    not told it yet."""
    sessions = sorted(campaign.glob("[0-9]*.yaml"))
    for later in sessions[sessions.index(campaign / file) + 1 :]:
        later.unlink()
    rows = (campaign / file).read_text(encoding="utf-8").split("\n")
    at = next(number for number, row in enumerate(rows) if line in row)
    while not rows[at].startswith("- "):
        at -= 1
    text = without_keepers_words("\n".join(rows[:at]) + "\n")
    (campaign / file).write_text(text, encoding="utf-8")
