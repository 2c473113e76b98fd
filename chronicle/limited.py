"""Run work on untrusted files in a child process with limits on time and memory.

A picture or a zip file can make its decoder ask for all memory, run forever or crash. In a child process
(:mod:`chronicle.worker`) only the child ends. Chronicle starts the child with the first task, gives it one
task after the other, and restarts it after a crash. Parent and child exchange JSON and bytes; the parent
runs nothing that it receives.

The operating system enforces the limits on memory and processor time. Windows has none; there the limit on
elapsed time stays.
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
"""Longest time for one task, in elapsed seconds."""
MEGABYTES: Final = 2048
"""Most memory for the child."""
GRACE: Final = 5
"""Seconds after the limit until the parent kills a child that has not stopped itself."""


class Failed(Exception):
    """A task that the child could not do. The message gives the reason, ``help`` the remedy."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


class Stopped(Failed):
    """A task that used up its time or memory, or crashed the child."""


class Message(NamedTuple):
    """A task or its answer: JSON values by name, and files as bytes."""

    fields: dict[str, Any]
    blobs: list[bytes]


def write_message(stream: IO[bytes], fields: Mapping[str, Any], blobs: Iterable[bytes]) -> None:
    """Write a message.

    Raises:
        OSError: when the other process has closed the stream.
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
        EOFError: when the other process has closed the stream.
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
        seconds: longest time for one task, elapsed.
        megabytes: most memory for the child.
    """

    def __init__(self, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> None:
        self.seconds = seconds
        self.megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._close: finalize[Any, Any] | None = None
        self._lock = Lock()
        self._late = False

    def ask(self, task: str, fields: Mapping[str, Any], *blobs: bytes) -> Message:
        """Run a task in the child and return its answer.

        Args:
            task: name of the task in :mod:`chronicle.worker`.
            fields: its arguments, as JSON values.
            blobs: its input files.

        Raises:
            Failed: when the task refuses its input.
            Stopped: when it takes too long, needs too much memory or crashes.
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
                # A late answer would be read as the answer to the next task.
                self.close()
                raise
        failed = answer.fields.get("failed")
        if failed is not None:
            raise Failed(failed, *answer.fields["help"])
        return answer

    def close(self) -> None:
        """End the child. The next task starts a new child."""
        if self._close is not None:
            self._close()
        self._process = self._close = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        # -P: the current folder may hold another package of this name.
        command = [sys.executable, "-P", "-m", "chronicle.worker"]
        home = str(Path(__file__).resolve().parents[1])
        path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
        # The child writes its traceback here when its time is up.
        self._late = False
        self._errors = errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = process = subprocess.Popen(
            [*command, str(self.seconds), str(self.megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._close = finalize(self, _end, process, errors)
        return process

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        self._late = True
        process.kill()

    def _stopped(self) -> Stopped:
        """End the child and say why it stopped."""
        process = self._process
        if process is None:
            return Stopped("this system starts no process that could read it")
        process.kill()
        process.wait()
        self._errors.seek(0)
        errors = self._errors.read()[-100_000:]
        self.close()
        if b"Timeout (" in errors or self._late:
            return Stopped(f"reading it takes longer than {self.seconds} seconds")
        if b"MemoryError" in errors or b"memory allocation" in errors:
            return Stopped(f"reading it needs more than {self.megabytes:,} MB of memory")
        return Stopped("what reads it breaks off: it is damaged, or asks for too much memory")


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, errors):
        if stream is not None:
            # Closing stdin writes its buffer to a process that has ended.
            with suppress(OSError):
                stream.close()
