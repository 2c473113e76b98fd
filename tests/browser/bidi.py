"""Firefox without a window, over WebDriver BiDi: the little of it that the main way through the desk needs."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

LISTENING: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
STARTING: Final = 60.0
PATIENCE: Final = 30.0
"""Seconds that something may take to stand on a page."""
PRESS: Final = 80
"""Milliseconds that a hand holds a button down."""
KEYS: Final = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "End": "\ue010"}
FIND: Final = """(css, text) => [...document.querySelectorAll(css)].find(
    (one) => one.checkVisibility() && one.textContent.includes(text)) ?? null"""
PREFERENCES: Final = """\
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("ui.prefersReducedMotion", 1);
"""


class Refused(Exception):
    """Firefox would not do it, in its words."""


class Firefox:
    """A tab, and what went wrong in it."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._last = 0
        self.problems: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        tree = self.send("browsingContext.getTree")
        self._tab = tree["contexts"][0]["context"]

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a command; events that come meanwhile are noted."""
        self._last += 1
        self._line.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            reply = json.loads(self._line.recv(timeout=STARTING))
            if reply.get("method") == "log.entryAdded" and reply["params"]["level"] == "error":
                self.problems.append(reply["params"]["text"])
            if reply.get("id") == self._last:
                if reply["type"] == "error":
                    raise Refused(f"{method}: {reply['message']}")
                answer: dict[str, Any] = reply["result"]
                return answer

    def goto(self, url: str) -> None:
        """Open an address."""
        self.send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def reload(self) -> None:
        """Open the same page again."""
        self.send("browsingContext.reload", context=self._tab, wait="complete")

    def size(self, width: int, height: int) -> None:
        """Make the page so large."""
        viewport = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self._tab, viewport=viewport)

    def call(self, function: str, *arguments: str) -> Any:
        """What a function of the page gives for some texts: a text, number or truth, or an element."""
        answer = self.send(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": argument} for argument in arguments],
            target={"context": self._tab},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise Refused(answer["exceptionDetails"]["text"])
        result: Mapping[str, Any] = answer["result"]
        if result["type"] == "node":
            return {"sharedId": result["sharedId"]}
        return result.get("value")

    def sees(self, css: str, text: str = "") -> Any:
        """An element that can be seen, and in which a text stands, as soon as there is one."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            element = self.call(FIND, css, text)
            if element is not None:
                return element
            sleep(0.05)
        page_text = self.call("(css) => document.querySelector(css)?.textContent ?? 'nothing'", css)
        raise AssertionError(f"no {css} with {text!r}, but {page_text!r}")

    def tap(self, css: str, text: str = "") -> None:
        """Press on an element, as a mouse does; on the one that stands there by then, if it was drawn
        anew meanwhile."""
        until = monotonic() + PATIENCE
        while True:
            try:
                return self._press(self.sees(css, text))
            except Refused:
                if monotonic() > until:
                    raise

    def _press(self, element: Mapping[str, str]) -> None:
        self.send(
            "script.callFunction",
            functionDeclaration="(one) => one.scrollIntoView({block: 'nearest', inline: 'nearest'})",
            arguments=[element],
            target={"context": self._tab},
            awaitPromise=False,
        )
        origin = {"type": "element", "element": element}
        at = {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
        down, up = ({"type": f"pointer{phase}", "button": 0} for phase in ("Down", "Up"))
        pause = {"type": "pause", "duration": PRESS}
        self._act({"type": "pointer", "id": "mouse", "actions": [at, down, pause, up]})

    def type(self, text: str) -> None:
        """Type letters, or one of the named keys."""
        letters = [KEYS[text]] if text in KEYS else [*text]
        keys = [
            {"type": f"key{phase}", "value": letter}
            for letter in letters
            for phase in ("Down", "Up")
        ]
        self._act({"type": "key", "id": "keys", "actions": keys})

    def _act(self, source: Mapping[str, Any]) -> None:
        self.send("input.performActions", context=self._tab, actions=[source])

    def picture(self, file: Path) -> None:
        """What is seen, as a file."""
        answer = self.send("browsingContext.captureScreenshot", context=self._tab)
        file.write_bytes(base64.b64decode(answer["data"]))


@contextmanager
def started(binary: str, profile: Path) -> Iterator[Firefox]:
    """A Firefox with a profile of its own, ended at the end."""
    profile.mkdir(parents=True)
    (profile / "user.js").write_text(PREFERENCES, encoding="utf-8")
    command = [binary, "--headless", "--no-remote", "--profile", str(profile)]
    running = subprocess.Popen(
        [*command, "--remote-debugging-port", "0"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert running.stderr is not None
        address = next(
            (LISTENING.search(line) for line in running.stderr if LISTENING.search(line)), None
        )
        assert address is not None, "Firefox did not start"
        with connect(f"{address[1]}/session", max_size=None) as line:
            yield Firefox(line)
    finally:
        running.kill()
        running.wait()
        if running.stderr is not None:
            running.stderr.close()
