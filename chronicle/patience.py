"""A time limit for each of many campaigns. Chronicle stops work that exceeds it, and reports it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread, get_ident
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

DEFAULT_TIME_LIMIT: Final = 600.0
"""The default limit for each campaign, in seconds of processor time."""
KILL_DELAY: Final = 60.0
"""Seconds by the clock after which what does not even hear that its time is up is ended with its process."""
_CHECK_INTERVAL: Final = 0.25
"""Seconds between two looks at the time."""


class TimedOut(NamedTuple):
    """What there is of a campaign whose time was up before it was done."""

    seconds: float

    @property
    def reason(self) -> str:
        """What is said of it."""
        return (
            f"{self.seconds:g} s of the processor were not enough (--patience SECONDS gives more)"
        )


class _TimeIsUp(BaseException):
    """The time is up. Nothing that catches mere errors stops it."""


def run_within(task: Callable[[Path], T], seconds: float, folder: Path) -> T | TimedOut:
    """Run a task for a campaign with a time limit.

    The limit counts the processor time of this process, so that a busy machine causes no false alarm. The
    process must do nothing else meanwhile. If a child process does not react to the limit, it ends as a whole.
    """
    try:
        with _interrupt_after(seconds):
            return task(folder)
    except _TimeIsUp:
        return TimedOut(seconds)


@contextmanager
def _interrupt_after(seconds: float) -> Iterator[None]:
    import ctypes
    import faulthandler
    from multiprocessing import parent_process

    is_done, decision_lock, thread_id, start_seconds = (
        Event(),
        Lock(),
        get_ident(),
        time.process_time(),
    )

    def watch() -> None:
        nonlocal start_seconds
        while not is_done.wait(min(_CHECK_INTERVAL, seconds)):
            if time.process_time() - start_seconds < seconds:
                continue
            with decision_lock:
                if not is_done.is_set():
                    exception_class = ctypes.py_object(_TimeIsUp)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(thread_id), exception_class
                    )
            # A task that ignores the limit gets the same time again, to clean up.
            start_seconds = time.process_time()

    Thread(target=watch, daemon=True).start()
    with Path(os.devnull).open("wb") as null_file:
        is_child = parent_process() is not None
        if is_child:
            faulthandler.dump_traceback_later(4 * seconds + KILL_DELAY, exit=True, file=null_file)
        try:
            try:
                yield
            finally:
                with decision_lock:
                    is_done.set()
        finally:
            # An exception raised during the decision must not leave it half done.
            if is_child:
                faulthandler.cancel_dump_traceback_later()
