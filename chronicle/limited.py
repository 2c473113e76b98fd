"""Work on files of strangers, done in a child process that may use so much time and memory.

What decodes pictures and zip files may be made to ask for all memory, or never to end, or to crash. In a child
process (:mod:`chronicle.worker`) that is the end of the child alone. One child is started when it is first
needed, does one task after the other, and is started anew after it died. It is handed JSON and bytes, and
gives back the same: nothing that comes from it is run here.

The limits on memory and processor time are those of the operating system; where it has none, as on Windows,
the limit on time by the clock is left.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Any, Final, NamedTuple
from weakref import finalize

SECONDS: Final = 30
"""How long a task may take, by the clock."""
MEGABYTES: Final = 2048
"""How much memory the child may use."""
GRACE: Final = 5
"""Seconds that the child has to end by itself when its time is up."""


class Failed(Exception):
    """A task was not done; the message says why, ``help`` what to do about it."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class Stopped(Failed):
    """The child used up its time or memory, or died."""


class Message(NamedTuple):
    """A task, or an answer to one: JSON values by name, and bytes."""

    fields: dict[str, Any]
    blobs: list[bytes]


def write_message(stream: IO[bytes], fields: Mapping[str, Any], blobs: Iterable[bytes]) -> None:
    """Write a message.

    Raises:
        OSError: when nobody reads.
    """
    blobs = list(blobs)
    head = json.dumps({"fields": fields, "sizes": [len(blob) for blob in blobs]})
    stream.write(head.encode() + b"\n")
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def read_message(stream: IO[bytes]) -> Message:
    """Read a message.

    Raises:
        EOFError: when the other side is gone.
    """
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    head = json.loads(line)
    blobs = [stream.read(size) for size in head["sizes"]]
    if [len(blob) for blob in blobs] != head["sizes"]:
        raise EOFError
    return Message(head["fields"], blobs)


class LimitedProcess:
    """A child process that does tasks within limits.

    Args:
        seconds: how long one task may take, by the clock.
        megabytes: how much memory it may use.
    """

    def __init__(self, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> None:
        self.seconds = seconds
        self.megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._close: finalize[Any, Any] | None = None
        self._lock = Lock()
        self._late = False

    def ask(self, task: str, fields: Mapping[str, Any], *blobs: bytes) -> Message:
        """Have a task done.

        Args:
            task: its name in :mod:`chronicle.worker`.
            fields: what it is told, as JSON can hold it.
            blobs: the files that it works on.

        Raises:
            Failed: when it cannot be done.
            Stopped: when it takes too long or needs too much memory.
        """
        with self._lock:
            try:
                process = self._started()
                assert process.stdin is not None and process.stdout is not None
                timer = Timer(self.seconds + GRACE, self._kill, (process,))
                timer.start()
                try:
                    write_message(process.stdin, {"task": task, **fields}, blobs)
                    answer = read_message(process.stdout)
                finally:
                    timer.cancel()
            except (OSError, EOFError):
                raise self._stopped() from None
            except BaseException:
                # Its answer would be taken for that to the next question.
                self.close()
                raise
        failed = answer.fields.get("failed")
        if failed is not None:
            raise Failed(failed, *answer.fields["help"])
        return answer

    def close(self) -> None:
        """End the child; it is started anew when it is needed again."""
        if self._close is not None:
            self._close()
        self._process = self._close = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        # Not from the folder where we are, which may hold anything of this name.
        command = [sys.executable, "-P", "-m", "chronicle.worker"]
        home = str(Path(__file__).resolve().parents[1])
        path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
        # Where it stands when its time is up, it writes down.
        self._late = False
        self._told = told = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = process = subprocess.Popen(
            [*command, str(self.seconds), str(self.megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._close = finalize(self, _end, process, told)
        return process

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        self._late = True
        process.kill()

    def _stopped(self) -> Stopped:
        """Why the child is gone."""
        process = self._process
        if process is None:
            return Stopped("no process can be started here that it could be read in")
        process.kill()
        process.wait()
        self._told.seek(0)
        last = self._told.read()[-100_000:]
        self.close()
        if b"Timeout (" in last or self._late:
            return Stopped(f"reading it takes longer than {self.seconds} seconds")
        if b"MemoryError" in last or b"memory allocation" in last:
            return Stopped(f"reading it needs more than {self.megabytes:,} MB of memory")
        return Stopped("what reads it breaks off: it is damaged, or asks for too much memory")


def _end(process: subprocess.Popen[bytes], told: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, told):
        if stream is not None:
            # What was still to be written to it has nobody who reads it.
            with suppress(OSError):
                stream.close()
