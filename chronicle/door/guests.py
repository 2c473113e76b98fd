"""Answers for guests, computed in a separate process, so that the keeper never waits for a guest.

The process runs at a low priority, reads the campaigns from the disk and shares nothing with the keeper's desk.
It reads one question a line, as JSON. For each it writes a line with the length of the answer, then the answer.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from chronicle.core.files import ContentChange
from chronicle.door.guest_files import files_for_guests
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom, Unanswerable
from chronicle.words import word

QUESTION_TIMEOUT: Final = 60.0
"""The seconds that one question of a guest can take."""
ADDED_NICENESS: Final = 10
"""The difference in priority (Unix niceness) to the keeper's desk."""


class GuestProcess:
    """The process that answers guests, started with the first question. Guests take turns."""

    def __init__(self, folder: Path, *, timeout: float = QUESTION_TIMEOUT) -> None:
        self._folder = folder.resolve()
        self._timeout = timeout
        self._process: Process | None = None
        # The lock serves in order of arrival, and each guest asks one question at a time.
        self._turn = asyncio.Lock()

    async def answer(self, question: dict[str, Any]) -> str:
        """Answer one question, as JSON. A refusal takes the place of an answer that takes too long."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._timeout):
                    return await self._ask(question)
            except TimeoutError:
                await self.close()
                refusal_reason = "this took too long"
            except (OSError, ValueError, asyncio.IncompleteReadError):
                await self.close()
                refusal_reason = "Chronicle cannot answer guests at the moment"
            except asyncio.CancelledError:
                # The rest of this answer would be read as the answer to the next question.
                await self.close()
                raise
        refusal = {"message": refusal_reason, "help": ["try again in a moment"]}
        return json.dumps({"id": question.get("id"), "refused": refusal})

    async def close(self) -> None:
        """End the process. The next question starts a new process."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _ask(self, question: dict[str, Any]) -> str:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", __name__, str(self._folder)),
                stdin=PIPE,
                stdout=PIPE,
                stderr=None if os.environ.get("CHRONICLE_DEBUG") else DEVNULL,
            )
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(question).encode() + b"\n")
        await process.stdin.drain()
        answer_length = int(await process.stdout.readline())
        return (await process.stdout.readexactly(answer_length)).decode()


def main(folder: Path) -> None:
    """Answer the questions on standard input until it ends."""
    # Ctrl-C is for the desk, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(ADDED_NICENESS)
    desk = Desk(CampaignRoom(folder, _write_nothing, files_for_guests), guest=True)
    output = sys.stdout.buffer
    for line in sys.stdin.buffer:
        question = json.loads(line)
        try:
            answer = desk.ask(question)
        except Exception:
            if os.environ.get("CHRONICLE_DEBUG"):
                raise
            # Only the keeper's desk gives details: the text of an error can contain a secret.
            refusal = {"message": "a fault in Chronicle, not in the log", "help": []}
            answer = {"id": question.get("id"), "refused": refusal}
        encoded_answer = json.dumps(answer, separators=(",", ":")).encode()
        output.write(b"%d\n%b" % (len(encoded_answer), encoded_answer))
        output.flush()


def _write_nothing(campaign_folder: Path, changes: list[ContentChange]) -> None:
    raise Unanswerable(word("server.guest_may_not_edit"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
