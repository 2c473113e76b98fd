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

from chronicle.patience import DEFAULT_TIME_LIMIT, TimedOut, run_within
from chronicle.site.progress import Progress

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from chronicle.cluster import Parcel

T = TypeVar("T")

MIN_CAMPAIGNS_PER_PROCESS: Final = 4
"""Fewest campaigns for each process without --jobs: starting a process takes as long as checking a few."""


class Shard(click.ParamType):  # type: ignore[type-arg]
    """``3/16``: the third of sixteen shares."""

    name = "K/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The share and how many there are, both counted from 1."""
        if isinstance(value, tuple):
            return value
        share_number, _, share_count = str(value).partition("/")
        if not (
            share_number.isascii()
            and share_number.isdecimal()
            and share_count.isascii()
            and share_count.isdecimal()
        ):
            self.fail(f"'{value}' is no share; write it as in  --shard 3/16", param, ctx)
        if not 1 <= int(share_number) <= int(share_count):
            self.fail(f"there is no share {share_number} of {share_count}", param, ctx)
        return int(share_number), int(share_count)


class ManyOption(click.Option):
    """An option that only people with many campaigns need."""


class SectionedCommand(click.Command):
    """A command whose help lists the options for many campaigns under a heading of their own, at the end."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in two sections."""
        for heading, is_many in (("Options", False), ("For many campaigns", True)):
            help_records = [
                help_record
                for parameter in self.get_params(ctx)
                if isinstance(parameter, click.Option)
                and isinstance(parameter, ManyOption) == is_many
                and (help_record := parameter.get_help_record(ctx)) is not None
            ]
            if help_records:
                with formatter.section(heading):
                    formatter.write_dl(help_records)


JOBS_OPTION = click.option(
    "--jobs",
    cls=ManyOption,
    type=click.IntRange(1),
    metavar="N",
    help="Number of campaigns to process at the same time. Default: the number of cores.",
)
TIME_LIMIT_OPTION = click.option(
    "--patience",
    "time_limit",
    cls=ManyOption,
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Most processor time for each of several campaigns; one that takes longer is left out. "
    f"Default: {DEFAULT_TIME_LIMIT:g}. A single campaign has no limit.",
)
SHARD_OPTION = click.option(
    "--shard",
    cls=ManyOption,
    type=Shard(),
    help="Process one share of the campaigns, to divide the work between computers. 3/16 "
    "is the third of sixteen.",
)


SCHEDULER_OPTION = click.option(
    "--scheduler",
    cls=ManyOption,
    metavar="ADDRESS",
    help="Use a Dask cluster: its address, such as tcp://host:8786, or its scheduler file.",
)
SOURCE_URL_OPTION = click.option(
    "--from",
    "source_url",
    cls=ManyOption,
    metavar="URL",
    help="Read the campaigns from this URL instead of PATH: s3://bucket/club, or any "
    "address that fsspec supports.",
)


TARGET_URL_OPTION = click.option(
    "--to",
    "upload_url",
    cls=ManyOption,
    metavar="URL",
    help="Copy the result to this URL too: s3://bucket/site, or any address that fsspec supports.",
)


def send_folder(folder: Path, url: str) -> None:
    """Have a URL hold what was written into a folder, and say how much went there."""
    from chronicle.cluster import send_files

    sent_count, removed_file_count = send_files(folder, url)
    if sent_count or removed_file_count:
        click.echo(
            f"sent {sent_count} files to {url}"
            + (f", removed {removed_file_count}" if removed_file_count else "")
        )


class CampaignSource(NamedTuple):
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
            path_below_url = folder.relative_to(folder.parts[0]).as_posix()
            return Parcel(folder.as_posix(), url=f"{self.url.rstrip('/')}/{path_below_url}")
        relative_folder = Path(os.path.relpath(folder))
        if ".." in relative_folder.parts:
            raise NoCluster(
                f"'{folder}' lies outside of the current folder; go to where all campaigns lie"
            )
        return parcel_of(folder, relative_folder)


def campaign_source(path: Path, url: str | None) -> CampaignSource:
    """The campaigns at a path, or below a URL.

    Raises:
        Cannot, NoCluster: when there is none.
    """
    from chronicle.cli.out import campaigns_at

    if url is None:
        return CampaignSource(campaigns_at(path))
    from chronicle.cluster import find_campaigns_at

    # They are named as if the last folder of the URL were here.
    folder_name = url.rstrip("/").rpartition("/")[2] or "campaigns"
    return CampaignSource([Path(folder_name, folder) for folder in find_campaigns_at(url)], url)


def campaigns_of_share(folders: Sequence[Path], shard: tuple[int, int] | None) -> list[Path]:
    """The campaigns of a share. All shares together are all campaigns, each once."""
    return [*folders] if shard is None else [*folders[shard[0] - 1 :: shard[1]]]


def process_count(campaign_count: int, jobs: int | None) -> int:
    """How many processes work on this number of campaigns."""
    if jobs is None:
        jobs = min(os.cpu_count() or 1, campaign_count // MIN_CAMPAIGNS_PER_PROCESS)
    return max(1, min(jobs, campaign_count))


class JobOptions(NamedTuple):
    """How Chronicle works on several campaigns: in parallel, with a time limit, on a cluster."""

    jobs: int | None = None
    """The number of campaigns worked on at the same time. Default: the number of cores."""
    time_limit: float | None = None
    """The most seconds of processor time for each campaign. Default: ``DEFAULT_TIME_LIMIT``."""
    scheduler: str | None = None
    """The address of the cluster that does the work; None to work on this computer."""


def run_for_each_campaign(
    task: Callable[[Path], T],
    folders: Sequence[Path],
    job_options: JobOptions,
    progress_label: str,
    make_lost_result: Callable[[Path, str], T],
) -> Iterator[T]:
    """Run a task for each campaign and yield the results in the order of the campaigns.

    A terminal shows the progress and the time left. After Ctrl-C, running campaigns finish and no
    others start.

    Args:
        task: the function to call with each folder. It is pickled for each campaign. If it needs data
            about all campaigns, use :func:`run_each` with a task for each.
        folders: the campaigns.
        job_options: the number of processes, and the time limit.
        progress_label: the words after the number of finished campaigns, as in "3 campaigns built".
        make_lost_result: gives the result for a campaign that took too long or ended its process.
    """
    return run_each(
        [(task, folder) for folder in folders], job_options, progress_label, make_lost_result
    )


def run_each(
    tasks: Sequence[tuple[Callable[[Path], T], Path]],
    job_options: JobOptions,
    progress_label: str,
    make_lost_result: Callable[[Path, str], T],
) -> Iterator[T]:
    """As :func:`run_for_each_campaign`, with a task for each campaign."""
    worker_count, max_seconds = (
        process_count(len(tasks), job_options.jobs),
        job_options.time_limit or DEFAULT_TIME_LIMIT,
    )
    bound_tasks = [partial(run_within, task, max_seconds, folder) for task, folder in tasks]
    results_in_order = (
        _results_in_turn(bound_tasks)
        if worker_count == 1
        else _results_of_pool(bound_tasks, worker_count)
    )
    results = (
        make_lost_result(folder, result.reason)
        if isinstance(result, TimedOut | Unfinished)
        else result
        for (_, folder), result in zip(tasks, results_in_order, strict=True)
    )
    return _with_progress(results, len(tasks), progress_label)


def run_anywhere(
    task: Callable[[Path], T],
    source: CampaignSource,
    job_options: JobOptions,
    progress_label: str,
    make_lost_result: Callable[[Path, str], T],
) -> Iterator[T]:
    """As :func:`run_for_each_campaign`, for campaigns on this disk or below a URL, on a cluster if there is one.
    The task finds each campaign in a folder of the same name."""
    if job_options.scheduler is None:
        fetching_task: Any = (
            partial(_fetch_and_run, task, CampaignSource([], source.url)) if source.url else task
        )
        return run_for_each_campaign(
            fetching_task, source.folders, job_options, progress_label, make_lost_result
        )
    tasks = ((task, source.parcel(folder)) for folder in source.folders)
    return run_on_cluster(tasks, len(source.folders), job_options, progress_label, make_lost_result)


def run_on_cluster(
    tasks: Iterable[tuple[Callable[[Path], T], Parcel]],
    task_count: int,
    job_options: JobOptions,
    progress_label: str,
    make_lost_result: Callable[[Path, str], T],
) -> Iterator[T]:
    """Run ``task_count`` tasks on the workers of a cluster and yield the results in order."""
    from chronicle.cluster import connect, run_on_workers

    def result_of_lost_parcel(parcel: Parcel, reason: str) -> T:
        return make_lost_result(Path(parcel.folder), reason)

    with connect(job_options.scheduler or "") as cluster_client:
        yield from _with_progress(
            run_on_workers(
                cluster_client,
                tasks,
                job_options.time_limit or DEFAULT_TIME_LIMIT,
                result_of_lost_parcel,
            ),
            task_count,
            progress_label,
        )


def _fetch_and_run(
    task: Callable[[Path], T], source: CampaignSource, folder: Path
) -> T | Unfinished:
    from chronicle.cluster import NoCluster, run_task

    try:
        return run_task(task, source.parcel(folder))
    except (NoCluster, OSError) as error:
        return Unfinished(str(error))


def _with_progress(results: Iterable[T], task_count: int, progress_label: str) -> Iterator[T]:
    progress = Progress()
    progress.begin()
    try:
        for result in results:
            progress.count_item(progress_label, task_count)
            yield result
    finally:
        progress.end()


class Unfinished(NamedTuple):
    """The result for a campaign that could not be fetched, or whose process was killed twice."""

    reason: str = "every process that began it was ended, for lack of memory most often"


def _results_in_turn(tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """Yield the result of each call, in order."""
    with _interruptible(is_deferred=True) as raise_if_interrupted:
        for task in tasks:
            result = task()
            raise_if_interrupted()
            yield result
            # It was perhaps pressed meanwhile.
            raise_if_interrupted()


def _results_of_pool(
    tasks: Sequence[Callable[[], T]], worker_count: int
) -> Iterator[T | Unfinished]:
    """What each call gives, in order. Where a process is lost, what was begun then is begun again, each in
    a process of its own: one that is lost again was to blame for it."""
    from concurrent.futures.process import BrokenProcessPool

    waiting_tasks = deque(tasks)
    with _interruptible() as raise_if_interrupted:
        while waiting_tasks:
            with _process_pool(min(worker_count, len(waiting_tasks))) as pool:
                futures = deque(_submit(pool, task) for task in waiting_tasks)
                retry_count = 0
                while futures:
                    try:
                        result: T | Unfinished = futures.popleft().result()
                    except BrokenProcessPool:
                        if retry_count > 2 * worker_count:
                            break
                        retry_count += 1
                        result = _run_in_own_process(waiting_tasks[0])
                    raise_if_interrupted()
                    waiting_tasks.popleft()
                    yield result


@contextmanager
def _process_pool(worker_count: int) -> Iterator[ProcessPoolExecutor]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    with ProcessPoolExecutor(worker_count, initializer=_prepare_process) as pool:
        try:
            yield pool
        finally:
            try:
                pool.shutdown(wait=True, cancel_futures=True)
            except KeyboardInterrupt:
                # A second Ctrl-C means: do not wait. The thread that watches the processes stays silent,
                # and its pipes can be closed.
                threading.excepthook = lambda arguments: None
                for process in active_children():
                    process.kill()
                raise


def _submit(pool: ProcessPoolExecutor, task: Callable[[], T]) -> Future[T]:
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    try:
        return pool.submit(task)
    except BrokenProcessPool as error:
        failed_future: Future[T] = Future()
        failed_future.set_exception(error)
        return failed_future


def _run_in_own_process(task: Callable[[], T]) -> T | Unfinished:
    from concurrent.futures.process import BrokenProcessPool

    with _process_pool(1) as pool:
        try:
            return pool.submit(task).result()
        except BrokenProcessPool:
            return Unfinished()


@contextmanager
def _interruptible(*, is_deferred: bool = False) -> Iterator[Callable[[], None]]:
    """Make sure that Ctrl-C stops the work. Python ignores exceptions in its own callbacks, as after a fork.
    The function that this yields raises the interrupt again. With ``is_deferred``, only that function raises
    it, unless the user presses Ctrl-C a second time.

    Raises:
        KeyboardInterrupt: from the yielded function, after Ctrl-C.
    """
    is_interrupted = False

    def note_interrupt(*_: object) -> None:
        nonlocal is_interrupted
        is_first_interrupt, is_interrupted = not is_interrupted, True
        if not (is_deferred and is_first_interrupt):
            raise KeyboardInterrupt

    def raise_if_interrupted() -> None:
        if is_interrupted:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield raise_if_interrupted
        return
    old_handler = signal.signal(signal.SIGINT, note_interrupt)
    try:
        yield raise_if_interrupted
    finally:
        signal.signal(signal.SIGINT, old_handler)


def _prepare_process() -> None:
    """Leave Ctrl-C to the parent process, so that running work finishes. If the parent process ends,
    end this process too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
