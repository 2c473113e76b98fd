"""Work on many campaigns, each by itself, on several processes or several computers. The result is the
same, to the last byte, as with a single process."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from chronicle.patience import PATIENCE, Late, within
from chronicle.site.progress import Progress

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from chronicle.cluster import Parcel

T = TypeVar("T")

WORTH_IT: Final = 4
"""Fewest campaigns for each process without --jobs: starting a process takes as long as checking a few."""


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
    help="Number of campaigns to process at the same time. Default: the number of cores.",
)
TIME = click.option(
    "--patience",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Most processor time for each of several campaigns; one that takes longer is left out. "
    f"Default: {PATIENCE:g}. A single campaign has no limit.",
)
SHARD = click.option(
    "--shard",
    type=Shard(),
    help="Process one share of the campaigns, to divide the work between computers. 3/16 "
    "is the third of sixteen.",
)


SCHEDULER = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use a Dask cluster: its address, such as tcp://host:8786, or its scheduler file.",
)
FROM = click.option(
    "--from",
    "source",
    metavar="URL",
    help="Read the campaigns from this URL instead of PATH: s3://bucket/club, or any "
    "address that fsspec supports.",
)


TO = click.option(
    "--to",
    "target",
    metavar="URL",
    help="Copy the result to this URL too: s3://bucket/site, or any address that fsspec supports.",
)


def sent_to(folder: Path, url: str) -> None:
    """Have a URL hold what was written into a folder, and say how much went there."""
    from chronicle.cluster import send

    written, gone = send(folder, url)
    if written or gone:
        click.echo(f"sent {written} files to {url}" + (f", removed {gone}" if gone else ""))


class Source(NamedTuple):
    """Campaigns, and where they come from: from this disk, unless ``url`` says otherwise."""

    folders: list[Path]
    url: str = ""

    def parcel(self, folder: Path) -> Parcel:
        """A campaign as it travels.

        Raises:
            NoCluster: when it is outside of the current folder.
        """
        from chronicle.cluster import NoCluster, Parcel, parcel_of

        if self.url:
            inner = folder.relative_to(folder.parts[0]).as_posix()
            return Parcel(folder.as_posix(), url=f"{self.url.rstrip('/')}/{inner}")
        near = Path(os.path.relpath(folder))
        if ".." in near.parts:
            raise NoCluster(
                f"'{folder}' lies outside of the current folder; go to where all campaigns lie"
            )
        return parcel_of(folder, near)


def source_of(path: Path, url: str | None) -> Source:
    """The campaigns at a path, or below a URL.

    Raises:
        Cannot, NoCluster: when there is none.
    """
    from chronicle.cli.out import campaigns_at

    if url is None:
        return Source(campaigns_at(path))
    from chronicle.cluster import campaigns

    # They are named as if the last folder of the URL were here.
    name = url.rstrip("/").rpartition("/")[2] or "campaigns"
    return Source([Path(name, folder) for folder in campaigns(url)], url)


def share_of(folders: Sequence[Path], shard: tuple[int, int] | None) -> list[Path]:
    """The campaigns of a share. All shares together are all campaigns, each once."""
    return [*folders] if shard is None else [*folders[shard[0] - 1 :: shard[1]]]


def processes(campaigns: int, jobs: int | None) -> int:
    """How many processes work on this number of campaigns."""
    if jobs is None:
        jobs = min(os.cpu_count() or 1, campaigns // WORTH_IT)
    return max(1, min(jobs, campaigns))


class Together(NamedTuple):
    """How many campaigns are worked on."""

    jobs: int | None = None
    """So many at the same time; by default, as many as there are cores."""
    patience: float | None = None
    """How many seconds of a processor each may take, if not as many as by default."""
    scheduler: str | None = None
    """Where the cluster is that does it, if one does."""


def spread(
    task: Callable[[Path], T],
    folders: Sequence[Path],
    how: Together,
    done: str,
    lost: Callable[[Path, str], T],
) -> Iterator[T]:
    """What a task gives for each campaign, in their order; on a terminal it is shown how many are
    ``done``, and how long it will take.

    Whoever stops it with Ctrl-C waits for the campaigns at hand, and no more are begun.

    Args:
        task: what is done. It is handed to a process with each campaign: one that knows something of every
            campaign is better one for each (:func:`spread_each`).
        folders: the campaigns.
        how: with how many processes, and how long.
        done: what is said of those that are done.
        lost: what is to be said of a campaign that took too long, or that ended the process it was in.
    """
    return spread_each([(task, folder) for folder in folders], how, done, lost)


def spread_each(
    pairs: Sequence[tuple[Callable[[Path], T], Path]],
    how: Together,
    done: str,
    lost: Callable[[Path, str], T],
) -> Iterator[T]:
    """As :func:`spread`, with a task for each campaign."""
    count, seconds = processes(len(pairs), how.jobs), how.patience or PATIENCE
    calls = [partial(within, task, seconds, folder) for task, folder in pairs]
    each = _in_turn(calls) if count == 1 else _pooled(calls, count)
    made = (
        lost(folder, one.why) if isinstance(one, Late | Undone) else one
        for (_, folder), one in zip(pairs, each, strict=True)
    )
    return _shown(made, len(pairs), done)


def spread_far(
    task: Callable[[Path], T],
    source: Source,
    how: Together,
    done: str,
    lost: Callable[[Path, str], T],
) -> Iterator[T]:
    """As :func:`spread`, for campaigns that come from anywhere, by the workers of a cluster if there is one;
    the task finds each in a folder of the same name."""
    if how.scheduler is None:
        far: Any = partial(_fetched, task, Source([], source.url)) if source.url else task
        return spread(far, source.folders, how, done, lost)
    pairs = ((task, source.parcel(one)) for one in source.folders)
    return sent(pairs, len(source.folders), how, done, lost)


def sent(
    pairs: Iterable[tuple[Callable[[Path], T], Parcel]],
    count: int,
    how: Together,
    done: str,
    lost: Callable[[Path, str], T],
) -> Iterator[T]:
    """What tasks give for so many campaigns, each done by a worker of a cluster, in their order."""
    from chronicle.cluster import connected
    from chronicle.cluster import spread as over

    def said(parcel: Parcel, why: str) -> T:
        return lost(Path(parcel.folder), why)

    with connected(how.scheduler or "") as client:
        yield from _shown(over(client, pairs, how.patience or PATIENCE, said), count, done)


def _fetched(task: Callable[[Path], T], source: Source, folder: Path) -> T | Undone:
    from chronicle.cluster import NoCluster, work

    try:
        return work(task, source.parcel(folder))
    except (NoCluster, OSError) as error:
        return Undone(str(error))


def _shown(each: Iterable[T], count: int, done: str) -> Iterator[T]:
    progress = Progress()
    progress.begin()
    try:
        for made in each:
            progress.step(done, count)
            yield made
    finally:
        progress.end()


class Undone(NamedTuple):
    """What there is of a campaign that could not be had, or whose process was ended from outside, twice."""

    why: str = "every process that began it was ended, for lack of memory most often"


def _in_turn(calls: Iterable[Callable[[], T]]) -> Iterator[T]:
    """What each call gives, in order."""
    with _heeded(later=True) as heed:
        for call in calls:
            made = call()
            heed()
            yield made
            # It was perhaps pressed meanwhile.
            heed()


def _pooled(calls: Sequence[Callable[[], T]], count: int) -> Iterator[T | Undone]:
    """What each call gives, in order. Where a process is lost, what was begun then is begun again, each in
    a process of its own: one that is lost again was to blame for it."""
    from concurrent.futures.process import BrokenProcessPool

    left = deque(calls)
    with _heeded() as heed:
        while left:
            with _pool(min(count, len(left))) as pool:
                coming = deque(_submitted(pool, call) for call in left)
                alone = 0
                while coming:
                    try:
                        made: T | Undone = coming.popleft().result()
                    except BrokenProcessPool:
                        if alone > 2 * count:
                            break
                        alone += 1
                        made = _by_itself(left[0])
                    heed()
                    left.popleft()
                    yield made


@contextmanager
def _pool(count: int) -> Iterator[ProcessPoolExecutor]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    with ProcessPoolExecutor(count, initializer=_patient) as pool:
        try:
            yield pool
        finally:
            try:
                pool.shutdown(wait=True, cancel_futures=True)
            except KeyboardInterrupt:
                # A second Ctrl-C means: do not wait. The thread that watches the processes stays silent,
                # and its pipes can be closed.
                threading.excepthook = lambda said: None
                for one in active_children():
                    one.kill()
                raise


def _submitted(pool: ProcessPoolExecutor, call: Callable[[], T]) -> Future[T]:
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    try:
        return pool.submit(call)
    except BrokenProcessPool as error:
        none: Future[T] = Future()
        none.set_exception(error)
        return none


def _by_itself(call: Callable[[], T]) -> T | Undone:
    from concurrent.futures.process import BrokenProcessPool

    with _pool(1) as pool:
        try:
            return pool.submit(call).result()
        except BrokenProcessPool:
            return Undone()


@contextmanager
def _heeded(*, later: bool = False) -> Iterator[Callable[[], None]]:
    """See to it that Ctrl-C is heeded. Where Python calls back by itself, as after a fork, it says of an
    exception that it was ignored, and goes on; so it is raised again where this is asked. ``later``: it is raised
    nowhere else, unless somebody presses once more.

    Raises:
        KeyboardInterrupt: from what is given, once somebody has pressed Ctrl-C.
    """
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        first, pressed = not pressed, True
        if not (later and first):
            raise KeyboardInterrupt

    def heed() -> None:
        if pressed:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield heed
        return
    before = signal.signal(signal.SIGINT, press)
    try:
        yield heed
    finally:
        signal.signal(signal.SIGINT, before)


def _patient() -> None:
    """Leave Ctrl-C to the process that began this one: what is at hand is finished. Where that one is gone, go
    as well: nobody else would ever tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
