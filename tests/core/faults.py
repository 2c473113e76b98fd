"""A file system on which something goes wrong at the n-th thing that is asked of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from chronicle.core import files

CALLS = ("open", "write", "fsync", "replace", "link", "unlink", "rmdir", "mkdir", "chmod", "sync")


class Killed(BaseException):
    """The process is no more; a process that is no more tidies nothing up either."""


class Steps:
    """Counts what changes files, and lets ``fault`` decide about each, before or after it is done."""

    def __init__(self, fault: Callable[[int, str], None]) -> None:
        self.count = 0
        self.dead = False
        self.fault = fault

    def _at(self, name: str) -> None:
        if self.dead:
            raise Killed
        self.count += 1
        try:
            self.fault(self.count, name)
        except Killed:
            self.dead = True
            raise

    def around(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            # To open a file for reading changes nothing.
            if name == "open" and not arguments[1] & (os.O_WRONLY | os.O_RDWR):
                return real(*arguments, **keywords)
            self._at(f"before {name}")
            answer = real(*arguments, **keywords)
            try:
                self._at(f"after {name}")
            except BaseException:
                if name == "open":
                    # The system closes what a dead process had open.
                    os.close(answer)
                raise
            return answer

        return call


@contextmanager
def faulty(fault: Callable[[int, str], None]) -> Iterator[Steps]:
    """Let every call that changes a file be counted, and ``fault`` have its way with it."""
    steps = Steps(fault)
    with pytest.MonkeyPatch.context() as patched:
        for name in (name for name in CALLS if hasattr(os, name)):
            # Nothing loses its power here, and to wait for a disk hundreds of times takes a minute.
            real = getattr(os, name) if name not in ("fsync", "sync") else lambda *_: None
            patched.setattr(os, name, steps.around(name, real))
        patched.setattr(files, "_exchange_files", steps.around("exchange", files._exchange_files))
        yield steps


def counted(act: Callable[[], object]) -> int:
    """How many such steps there are."""
    with faulty(lambda number, name: None) as steps:
        act()
    return steps.count


def killing(at: int) -> Callable[[int, str], None]:
    """Kills the process at a step."""

    def fault(number: int, name: str) -> None:
        if number == at:
            raise Killed

    return fault


def failing(at: int, error: type[BaseException] | OSError) -> Callable[[int, str], None]:
    """Raises at one step, and only there."""

    def fault(number: int, name: str) -> None:
        if number == at:
            raise error

    return fault
