"""Work on campaigns on the workers of a Dask cluster, with files on any storage that fsspec supports.

A campaign is small: it travels with its task, or a worker fetches it. So workers share no disk and need
only this package. If a worker is lost, another worker does its campaign again. The result is the same, byte
for byte, as that of a single process.
"""

from __future__ import annotations

import io
import os
import stat
import threading
import zipfile
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import chdir, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from chronicle import __version__
from chronicle.core.errors import Refused
from chronicle.core.installation import install_command
from chronicle.patience import TimedOut, run_within

T = TypeVar("T")

CONNECTION_TIMEOUT: Final = 30
"""Seconds to wait for the scheduler and its workers."""
TASKS_PER_THREAD: Final = 4
"""How many campaigns wait for each thread of a worker."""
MAX_PACKED_BYTES: Final = 512 * 1024 * 1024
"""How many bytes one campaign, or what is around it, may have to travel."""
_ZIP_TIMESTAMP: Final = (1980, 1, 1, 0, 0, 0)
_ONE_TASK_LOCK: Final = threading.Lock()
"""A process works on one campaign at a time, since the working directory belongs to the campaign."""


class NoCluster(Refused):
    """There is no worker, or no campaign to work on; the message says why."""


@dataclass(frozen=True)
class Parcel:
    """A campaign on its way. Its files lie at ``url`` to be fetched, or are in ``data``."""

    folder: str
    """Its folder, relative to the working directory."""
    packed_files: bytes = b""
    url: str = ""
    packed_project: bytes = b""
    """The other files of the project that the task needs."""
    refusal: str = ""
    """Why it does not go, if it does not."""


def pack_folder(folder: Path, leave_out: Callable[[Path], bool] = lambda path: False) -> bytes:
    """The files of a folder, hidden ones aside, in one piece. Of a link that leads out of it goes only that
    there is one.

    Raises:
        NoCluster: when it is too large.
        OSError: when a file cannot be read.
    """
    real_folder, zip_buffer, total_bytes = folder.resolve(), io.BytesIO(), 0
    with zipfile.ZipFile(zip_buffer, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for parent_path, subfolder_names, file_names in os.walk(folder):
            subfolder_names[:] = sorted(
                subfolder_name
                for subfolder_name in subfolder_names
                if not subfolder_name.startswith(".")
                and not leave_out(Path(parent_path, subfolder_name))
            )
            for file_name in sorted(file_names):
                file = Path(parent_path, file_name)
                if file_name.startswith("."):
                    continue
                zip_info = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _ZIP_TIMESTAMP)
                zip_info.compress_type = zipfile.ZIP_DEFLATED
                if file.is_file() and file.resolve().is_relative_to(real_folder):
                    total_bytes += file.stat().st_size
                    if total_bytes > MAX_PACKED_BYTES:
                        raise NoCluster(f"'{folder}' has more than {MAX_PACKED_BYTES // 2**20} MB")
                    zip_file.writestr(zip_info, file.read_bytes())
                elif file.is_symlink():
                    zip_info.external_attr = (stat.S_IFLNK | 0o777) << 16
                    zip_file.writestr(zip_info, b"")
    return zip_buffer.getvalue()


def parcel_of(folder: Path, remote_folder: Path, packed_project: bytes = b"") -> Parcel:
    """A campaign as it goes to a worker, or why it does not, which stops no other."""
    try:
        return Parcel(remote_folder.as_posix(), pack_folder(folder), packed_project=packed_project)
    except (NoCluster, OSError) as error:
        return Parcel(remote_folder.as_posix(), refusal=str(error))


def unpack(packed_files: bytes, target_folder: Path) -> None:
    """Put files that were packed into a folder."""
    target_folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(packed_files)) as zip_file:
        for zip_info in zip_file.infolist():
            if ".." in PurePosixPath(zip_info.filename).parts or zip_info.filename.startswith("/"):
                continue
            file = target_folder / zip_info.filename
            file.parent.mkdir(parents=True, exist_ok=True)
            if stat.S_ISLNK(zip_info.external_attr >> 16):
                file.symlink_to(os.sep)
            else:
                file.write_bytes(zip_file.read(zip_info))


def run_task(task: Callable[[Path], T], parcel: Parcel) -> T:
    """Do a task on a campaign in a folder of its own, which is gone afterwards."""
    with (
        _ONE_TASK_LOCK,
        TemporaryDirectory(prefix="chronicle-") as working_folder,
        chdir(working_folder),
    ):
        if parcel.packed_project:
            unpack(parcel.packed_project, Path())
        folder = Path(parcel.folder)
        if parcel.url:
            fetch_files(parcel.url, folder)
        else:
            unpack(parcel.packed_files, folder)
        return task(folder)


# -- the cluster -----------------------------------------------------------------------------------


@contextmanager
def connect(scheduler: str) -> Iterator[Any]:
    """The cluster at an address (``tcp://host:8786``), or in a scheduler's file.

    Raises:
        NoCluster: when the scheduler does not answer, or its workers have another version of Chronicle.
    """
    try:
        from dask import config
        from distributed import Client
    except ImportError:
        raise NoCluster(f"a cluster needs Dask:  {install_command('cluster')}") from None
    try:
        if Path(scheduler).is_file():
            client = Client(scheduler_file=scheduler, timeout=CONNECTION_TIMEOUT)
        else:
            client = Client(scheduler, timeout=CONNECTION_TIMEOUT)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoCluster(f"no scheduler answers at '{scheduler}': {_error_text(error)}") from None
    # The files around campaigns travel with each campaign, and have a limit of their own.
    dask_settings = config.set(
        {"distributed.admin.large-graph-warning-threshold": f"{MAX_PACKED_BYTES}B"}
    )
    with dask_settings, closing(client):
        try:
            client.wait_for_workers(1, timeout=CONNECTION_TIMEOUT)
        except TimeoutError:
            raise NoCluster(f"the scheduler at '{scheduler}' has no worker") from None
        version_by_worker = client.run(_chronicle_version, on_error="return")
        other_versions = sorted(
            {str(version) for version in version_by_worker.values()} - {__version__}
        )
        if other_versions:
            raise NoCluster(
                f"workers need Chronicle {__version__}, as here; some have: {', '.join(other_versions)[:200]}"
            )
        yield client


def _error_text(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:200]


def _chronicle_version() -> str:
    return __version__


def run_on_workers(
    client: Any,
    tasks: Iterable[tuple[Callable[[Path], T], Parcel]],
    time_limit: float,
    make_lost_result: Callable[[Parcel, str], T],
) -> Iterator[T]:
    """Yield the results of tasks in order. Only a few tasks run at a time, so that memory does not grow with
    their number.

    Args:
        client: the cluster.
        tasks: the task for a worker, and its campaign.
        time_limit: the most seconds of processor time for each campaign.
        make_lost_result: gives the result for a campaign that took too long, lost several workers, or failed.
    """
    from distributed import KilledWorker

    submitted_tasks: deque[tuple[Parcel, Any]] = deque()
    tasks_left = iter(tasks)
    try:
        while True:
            max_submitted = max(2, TASKS_PER_THREAD * sum(client.nthreads().values() or [1]))
            while (
                len(submitted_tasks) < max_submitted
                and (next_task := next(tasks_left, None)) is not None
            ):
                task, parcel = next_task
                limited_task = partial(run_within, task, time_limit)
                future = (
                    None
                    if parcel.refusal
                    else client.submit(run_task, limited_task, parcel, pure=False)
                )
                submitted_tasks.append((parcel, future))
            if not submitted_tasks:
                return
            parcel, future = submitted_tasks.popleft()
            if future is None:
                yield make_lost_result(parcel, parcel.refusal)
                continue
            try:
                task_result: T | TimedOut = future.result()
                result = (
                    make_lost_result(parcel, task_result.reason)
                    if isinstance(task_result, TimedOut)
                    else task_result
                )
            except KilledWorker:
                result = make_lost_result(parcel, "every worker that began it was lost")
            except Exception as error:
                result = make_lost_result(parcel, f"{type(error).__name__}: {_error_text(error)}")
            future.release()
            yield result
    finally:
        client.cancel([future for _, future in submitted_tasks if future is not None])


# -- from and to anywhere --------------------------------------------------------------------------


def open_file_system(url: str) -> tuple[Any, str]:
    """What a URL means: a file system, and the path on it.

    Raises:
        NoCluster: when fsspec, or what it needs for this URL, is not installed, or it is no URL.
    """
    try:
        import fsspec
    except ImportError:
        raise NoCluster(f"files elsewhere need fsspec:  {install_command('cluster')}") from None
    try:
        file_system: tuple[Any, str] = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise NoCluster(f"'{url}' cannot be used: {_error_text(error)}") from None
    return file_system


def find_campaigns_at(url: str) -> list[str]:
    """The campaigns below a URL, by their paths from there.

    Raises:
        NoCluster: when there is none, or it cannot be reached.
    """
    file_system, root_path = open_file_system(url)
    try:
        files = [str(file) for file in file_system.find(root_path)]
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be read: {_error_text(error)}") from None
    path_prefix = f"{root_path.rstrip('/')}/"
    relative_paths = (file[len(path_prefix) :] for file in files if file.startswith(path_prefix))
    candidate_folders = sorted(
        {
            relative_path.rpartition("/")[0]
            for relative_path in relative_paths
            if _is_settings_path(relative_path)
        }
    )
    # What lies within a campaign is its own.
    folders_found: list[str] = []
    for folder in candidate_folders:
        if not any(folder.startswith(f"{parent}/") for parent in folders_found):
            folders_found.append(folder)
    if not folders_found:
        raise NoCluster(f"there is no campaign in '{url}'")
    return folders_found


def _is_settings_path(relative_path: str) -> bool:
    parts = relative_path.split("/")
    return (
        len(parts) > 1
        and parts[-1] == "campaign.yaml"
        and not any(part.startswith(".") for part in parts)
    )


def fetch_files(url: str, target_folder: Path) -> None:
    """Bring the files below a URL into a folder, hidden ones aside.

    Raises:
        NoCluster: when they are too large.
        OSError: when they cannot be had.
    """
    file_system, root_path = open_file_system(url)
    path_prefix, total_bytes = f"{root_path.rstrip('/')}/", 0
    for remote_path, details in sorted(file_system.find(root_path, detail=True).items()):
        parts = PurePosixPath(str(remote_path)[len(path_prefix) :]).parts
        if not parts or ".." in parts or any(part.startswith(".") for part in parts):
            continue
        total_bytes += int(details.get("size") or 0)
        if total_bytes > MAX_PACKED_BYTES:
            raise NoCluster(f"'{url}' has more than {MAX_PACKED_BYTES // 2**20} MB")
        file = target_folder.joinpath(*parts)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(file_system.cat_file(remote_path))


def send_files(folder: Path, url: str) -> tuple[int, int]:
    """Have a URL hold the files of a folder that Chronicle filled: those that are the same there already stay,
    and those that are no more, go. How many were written and taken away.

    Raises:
        NoCluster: when it cannot be reached.
    """
    from chronicle.core.output import MARKER_FILE_NAME, read_marker

    file_system, root_path = open_file_system(url)
    base_path = root_path.rstrip("/")
    try:
        marker: bytes = b""
        if file_system.exists(f"{base_path}/{MARKER_FILE_NAME}"):
            marker = file_system.cat_file(f"{base_path}/{MARKER_FILE_NAME}")
        old_hashes, new_hashes = (
            read_marker(marker),
            read_marker((folder / MARKER_FILE_NAME).read_bytes()),
        )
        written_count = 0
        for file_name, content_hash in new_hashes.items():
            if old_hashes.get(file_name) != content_hash:
                target_path = f"{base_path}/{file_name}"
                file_system.makedirs(target_path.rpartition("/")[0], exist_ok=True)
                file_system.pipe_file(target_path, (folder / file_name).read_bytes())
                written_count += 1
        removed_names = sorted(old_hashes.keys() - new_hashes.keys())
        _remove_files(file_system, base_path, removed_names)
        # The list comes last: after an interruption, the next run sends the files that it does not list.
        file_system.makedirs(base_path, exist_ok=True)
        file_system.pipe_file(
            f"{base_path}/{MARKER_FILE_NAME}", (folder / MARKER_FILE_NAME).read_bytes()
        )
    except Refused:
        raise
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be written: {_error_text(error)}") from None
    return written_count, len(removed_names)


def remove_other_folders(url: str, kept_names: Container[str]) -> int:
    """Remove the folders below a URL that Chronicle filled, except those in ``kept_names``; give the number
    of removed files. Other files stay.

    Raises:
        NoCluster: when the URL cannot be reached.
    """
    from chronicle.core.output import MARKER_FILE_NAME, read_marker

    file_system, root_path = open_file_system(url)
    base_path, removed_file_count = root_path.rstrip("/"), 0
    try:
        for marker_path in sorted(map(str, file_system.glob(f"{base_path}/*/{MARKER_FILE_NAME}"))):
            folder = marker_path.rpartition("/")[0]
            if folder.rpartition("/")[2] not in kept_names:
                file_names = sorted(read_marker(file_system.cat_file(marker_path)))
                # The list is removed last, so that the next run can continue after an interruption.
                _remove_files(file_system, folder, [*file_names, MARKER_FILE_NAME])
                removed_file_count += len(file_names)
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be written: {_error_text(error)}") from None
    return removed_file_count


def _remove_files(file_system: Any, folder: str, file_names: Iterable[str]) -> None:
    for file_name in file_names:
        if file_system.exists(f"{folder}/{file_name}"):
            file_system.rm_file(f"{folder}/{file_name}")
