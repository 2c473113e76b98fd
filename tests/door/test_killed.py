"""The desk is killed while it writes, again and again: what it answered stands in the file, and what it did not
answer stands there once, as soon as it is asked again."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets import Origin
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from chronicle.campaigns import load, run
from tests.browser.desk import Opened

pytestmark = pytest.mark.integration

CAMPAIGN = "the-boathouse"
KILLED = int(os.environ.get("CHRONICLE_KILLED", "5"))
"""How often the server is killed."""
WRITING_QUESTIONS = 0.08
"""Seconds within which it dies once it was asked."""


@contextmanager
def entered(opened: Opened) -> Iterator[ClientConnection]:
    """Come in by the link that was printed last."""
    page = f"http://127.0.0.1:{opened.port}"
    with connect(f"{page.replace('http', 'ws')}/desk", origin=Origin(page)) as connection:
        ask(connection, "enter", key=opened.link.partition("#")[2])
        yield connection


def ask(connection: ClientConnection, ask: str, **arguments: Any) -> Any:
    """The answer to a question; what is told meanwhile is left aside."""
    connection.send(json.dumps({"id": 1, "ask": ask, **arguments}))
    while "answer" not in (message := json.loads(connection.recv(timeout=60))):
        assert "tell" in message, message
    return message["answer"]


def test_nothing_is_lost_or_written_twice(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "sessions" / CAMPAIGN, tmp_path / CAMPAIGN)
    log = tmp_path / CAMPAIGN / "02.yaml"
    text_before = log.read_text(encoding="utf-8")
    chance = Random(9)
    opened = Opened(tmp_path)
    sent: list[str] = []
    waiting: dict[str, Any] = {}
    unanswered = 0

    def wave(connection: ClientConnection) -> dict[str, Any]:
        """One more entry, as a page asks for it to be written."""
        entry = f"- tell: Wave {len(sent)}."
        sent.append(entry)
        version = ask(connection, "table", campaign=CAMPAIGN)["version"]
        return {"campaign": CAMPAIGN, "entry": entry, "version": version, "once": entry}

    try:
        for _ in range(KILLED):
            with entered(opened) as connection:
                if waiting:
                    ask(connection, "write", **waiting)
                ask(connection, "write", **wave(connection))
                waiting = wave(connection)
                connection.send(json.dumps({"id": 2, "ask": "write", **waiting}))
                time.sleep(chance.uniform(0, WRITING_QUESTIONS))
                opened.kill()
                with suppress(ConnectionClosed):
                    while json.loads(connection.recv(timeout=5)).get("id") != 2:
                        pass
                    waiting = {}
            unanswered += bool(waiting)
            # A file is as it was, or has the whole entry.
            rows = log.read_text(encoding="utf-8").removeprefix(text_before).splitlines()
            assert rows in (sent, sent[:-1] if waiting else sent)
            opened.start()
        if waiting:
            with entered(opened) as connection:
                ask(connection, "write", **waiting)
    finally:
        opened.kill()
    assert unanswered
    assert log.read_text(encoding="utf-8").removeprefix(text_before).splitlines() == sent
    assert not run(load(tmp_path / CAMPAIGN)).diagnostics
