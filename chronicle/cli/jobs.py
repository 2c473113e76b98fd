"""Work on many campaigns, each by itself: on as many processes as wanted, or one share of them here and
the others elsewhere. What comes of it is the same, to the last byte, as of one process after the other."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from chronicle.site.progress import Progress

T = TypeVar("T")

WORTH_IT: Final = 4
"""How many campaigns there are for each process at least, unless somebody says how many he wants: it takes
as long to start one as to check a few."""


class Shard(click.ParamType):  # type: ignore[type-arg]
    """``3/16``: the third of sixteen shares."""

    name = "K/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The share and how many there are, both counted from 1."""
        if isinstance(value, tuple):
            return value
        share, _, of = str(value).partition("/")
        if not (share.isascii() and share.isdecimal() and of.isascii() and of.isdecimal()):
            self.fail(f"'{value}' is no share; write it as in  --shard 3/16", param, ctx)
        if not 1 <= int(share) <= int(of):
            self.fail(f"there is no share {share} of {of}", param, ctx)
        return int(share), int(of)


JOBS = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="How many campaigns at the same time; by default, as many as there are cores.",
)
SHARD = click.option(
    "--shard",
    type=Shard(),
    help="Only this share of the campaigns (3/16: the third of sixteen), for machines that share the work.",
)


def share_of(folders: Sequence[Path], shard: tuple[int, int] | None) -> list[Path]:
    """The campaigns of a share. All shares together are all campaigns, each once."""
    return [*folders] if shard is None else [*folders[shard[0] - 1 :: shard[1]]]


def processes(campaigns: int, jobs: int | None) -> int:
    """How many processes work on so many campaigns."""
    if jobs is None:
        jobs = min(os.cpu_count() or 1, campaigns // WORTH_IT)
    return max(1, min(jobs, campaigns))


def spread(
    task: Callable[[Path], T], folders: Sequence[Path], jobs: int | None, done: str
) -> Iterator[T]:
    """What a task gives for each campaign, in their order; on a terminal it is shown how many are
    ``done``, and how long it will take.

    Whoever stops it with Ctrl-C waits for the campaigns at hand, and no more are begun.
    """
    count = processes(len(folders), jobs)
    progress = Progress()
    progress.begin()
    try:
        for made in map(task, folders) if count == 1 else _pooled(task, folders, count):
            progress.step(done, len(folders))
            yield made
    finally:
        progress.end()


def _pooled(task: Callable[[Path], T], folders: Sequence[Path], count: int) -> Iterator[T]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    from chronicle.cli.out import Cannot

    with ProcessPoolExecutor(count, initializer=_patient) as pool:
        try:
            yield from pool.map(task, folders)
        except BrokenProcessPool:
            raise Cannot(
                "a process was ended from outside, for lack of memory most often",
                "with fewer at the same time it may go:  --jobs 1",
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _patient() -> None:
    """Leave Ctrl-C to the process that began this one: what is at hand is finished."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
