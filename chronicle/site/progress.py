"""The progress of a build, shown at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import IO

SILENT_SECONDS = 2.0
"""Seconds after which a build says how far it is."""
SECONDS_BETWEEN_UPDATES = 0.1
"""Seconds between two sayings."""

MIN_SECONDS_LEFT = 10.0
"""Seconds that are left, from which on it is said how many."""


class Progress:
    """A line that is rewritten during the work and removed at the end. Without a terminal it writes nothing.

    Args:
        stream: the output stream; standard error, by default.
        clock: gives the time in seconds.
    """

    def __init__(
        self, stream: IO[str] | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._next_update = self._start_time = 0.0
        self._written_length = 0
        self._item_count = 0

    @property
    def _output(self) -> IO[str]:
        return sys.stderr if self._stream is None else self._stream

    def begin(self) -> None:
        """A build begins."""
        self._start_time = self._clock()
        self._next_update = self._start_time + SILENT_SECONDS
        self._written_length = self._item_count = 0

    def begin_stage(self) -> None:
        """Another kind of work begins, counted from nothing."""
        self._start_time, self._item_count = self._clock(), 0

    def count_item(self, description: str, total_count: int = 0) -> None:
        """Count one more item (``pages written``), out of ``total_count`` if that is known."""
        self._item_count += 1
        time_now = self._clock()
        if time_now >= self._next_update and self._output.isatty():
            self._next_update = time_now + SECONDS_BETWEEN_UPDATES
            total_text = f" of {total_count:,}" if total_count else ""
            seconds_left = (
                (time_now - self._start_time) / self._item_count * (total_count - self._item_count)
            )
            self._write(
                f"  {self._item_count:,}{total_text} {description}{_time_left(seconds_left)}"
            )

    def end(self) -> None:
        """The build is over."""
        if self._written_length:
            self._write("")
            self._written_length = 0

    def _write(self, line_text: str) -> None:
        stream = self._output
        stream.write(line_text.ljust(self._written_length))
        # The cursor goes back to the left, so that a warning is written over it. A screen lets nothing through
        # that would move it.
        move_to_start = getattr(stream, "move_to_line_start", None)
        if move_to_start is None:
            stream.write("\r")
        else:
            move_to_start()
        stream.flush()
        self._written_length = len(line_text)


def _time_left(seconds: float) -> str:
    """How long it goes on, in words; nothing where that is no time to speak of."""
    if seconds < MIN_SECONDS_LEFT:
        return ""
    minutes = round(seconds / 60)
    if minutes < 2:
        return f", {10 * round(seconds / 10)} s left"
    hours, minutes_over = divmod(minutes, 60)
    return f", {hours} h {minutes_over} min left" if hours else f", {minutes} min left"
