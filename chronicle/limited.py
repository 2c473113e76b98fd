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

MAX_SECONDS: Final = 30
"""Longest time for one task, in elapsed seconds."""
MAX_MEGABYTES: Final = 2048
"""Most memory for the child."""
KILL_DELAY: Final = 5
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
    header = json.dumps({"fields": fields, "sizes": [len(blob) for blob in blobs]})
    stream.write(header.encode() + b"\n")
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def read_message(stream: IO[bytes]) -> Message:
    """Read a message.

    Raises:
        EOFError: when the other process has closed the stream.
    """
    header_line = stream.readline()
    if not header_line.endswith(b"\n"):
        raise EOFError
    header = json.loads(header_line)
    blobs = [stream.read(size) for size in header["sizes"]]
    if [len(blob) for blob in blobs] != header["sizes"]:
        raise EOFError
    return Message(header["fields"], blobs)


class LimitedProcess:
    """A child process that does tasks within limits.

    Args:
        seconds: longest time for one task, elapsed.
        megabytes: most memory for the child.
    """

    def __init__(self, seconds: int = MAX_SECONDS, megabytes: int = MAX_MEGABYTES) -> None:
        self.seconds = seconds
        self.megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._end_process: finalize[Any, Any] | None = None
        self._lock = Lock()
        self._was_killed = False

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
                process = self._running_process()
                assert process.stdin is not None and process.stdout is not None
                timer = Timer(self.seconds + KILL_DELAY, self._kill, (process,))
                timer.start()
                try:
                    write_message(process.stdin, {"task": task, **fields}, blobs)
                    answer = read_message(process.stdout)
                finally:
                    timer.cancel()
            except (OSError, EOFError):
                raise self._stop_with_reason() from None
            except BaseException:
                # A late answer would be read as the answer to the next task.
                self.close()
                raise
        failure_message = answer.fields.get("failed")
        if failure_message is not None:
            raise Failed(failure_message, *answer.fields["help"])
        return answer

    def close(self) -> None:
        """End the child. The next task starts a new child."""
        if self._end_process is not None:
            self._end_process()
        self._process = self._end_process = None

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        # -P: the current folder may hold another package of this name.
        command = [sys.executable, "-P", "-m", "chronicle.worker"]
        package_folder = str(Path(__file__).resolve().parents[1])
        python_path = os.pathsep.join(
            filter(None, (package_folder, os.environ.get("PYTHONPATH", "")))
        )
        # The child writes its traceback here when its time is up.
        self._was_killed = False
        self._error_file = error_file = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = process = subprocess.Popen(
            [*command, str(self.seconds), str(self.megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=error_file,
            env={**os.environ, "PYTHONPATH": python_path},
        )
        self._end_process = finalize(self, _end_child, process, error_file)
        return process

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        self._was_killed = True
        process.kill()

    def _stop_with_reason(self) -> Stopped:
        """End the child and say why it stopped."""
        process = self._process
        if process is None:
            return Stopped("this system starts no process that could read it")
        process.kill()
        process.wait()
        self._error_file.seek(0)
        error_output = self._error_file.read()[-100_000:]
        self.close()
        if b"Timeout (" in error_output or self._was_killed:
            return Stopped(f"reading it takes longer than {self.seconds} seconds")
        if b"MemoryError" in error_output or b"memory allocation" in error_output:
            return Stopped(f"reading it needs more than {self.megabytes:,} MB of memory")
        return Stopped("what reads it breaks off: it is damaged, or asks for too much memory")


def _end_child(process: subprocess.Popen[bytes], error_file: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, error_file):
        if stream is not None:
            # Closing stdin writes its buffer to a process that has ended.
            with suppress(OSError):
                stream.close()
