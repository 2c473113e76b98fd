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
from chronicle.patience import Late, within

T = TypeVar("T")

PATIENCE: Final = 30
"""Seconds to wait for the scheduler and its workers."""
AHEAD: Final = 4
"""How many campaigns wait for each thread of a worker."""
MOST: Final = 512 * 1024 * 1024
"""How many bytes one campaign, or what is around it, may have to travel."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_ALONE: Final = threading.Lock()
"""A process works on one campaign at a time, since the working directory belongs to the campaign."""


class NoCluster(Refused):
    """There is no worker, or no campaign to work on; the message says why."""


@dataclass(frozen=True)
class Parcel:
    """A campaign on its way. Its files lie at ``url`` to be fetched, or are in ``data``."""

    folder: str
    """Its folder, relative to the working directory."""
    data: bytes = b""
    url: str = ""
    around: bytes = b""
    """The other files of the project that the task needs."""
    refusal: str = ""
    """Why it does not go, if it does not."""


def packed(folder: Path, leave_out: Callable[[Path], bool] = lambda path: False) -> bytes:
    """The files of a folder, hidden ones aside, in one piece. Of a link that leads out of it goes only that
    there is one.

    Raises:
        NoCluster: when it is too large.
        OSError: when a file cannot be read.
    """
    home, buffer, size = folder.resolve(), io.BytesIO(), 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as pack:
        for top, inner, names in os.walk(folder):
            inner[:] = sorted(
                name
                for name in inner
                if not name.startswith(".") and not leave_out(Path(top, name))
            )
            for name in sorted(names):
                file = Path(top, name)
                if name.startswith("."):
                    continue
                info = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _TIME)
                info.compress_type = zipfile.ZIP_DEFLATED
                if file.is_file() and file.resolve().is_relative_to(home):
                    size += file.stat().st_size
                    if size > MOST:
                        raise NoCluster(f"'{folder}' has more than {MOST // 2**20} MB")
                    pack.writestr(info, file.read_bytes())
                elif file.is_symlink():
                    info.external_attr = (stat.S_IFLNK | 0o777) << 16
                    pack.writestr(info, b"")
    return buffer.getvalue()


def parcel_of(folder: Path, remote_folder: Path, around: bytes = b"") -> Parcel:
    """A campaign as it goes to a worker, or why it does not, which stops no other."""
    try:
        return Parcel(remote_folder.as_posix(), packed(folder), around=around)
    except (NoCluster, OSError) as error:
        return Parcel(remote_folder.as_posix(), refusal=str(error))


def unpack(data: bytes, into: Path) -> None:
    """Put files that were packed into a folder."""
    into.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(data)) as pack:
        for info in pack.infolist():
            if ".." in PurePosixPath(info.filename).parts or info.filename.startswith("/"):
                continue
            file = into / info.filename
            file.parent.mkdir(parents=True, exist_ok=True)
            if stat.S_ISLNK(info.external_attr >> 16):
                file.symlink_to(os.sep)
            else:
                file.write_bytes(pack.read(info))


def work(task: Callable[[Path], T], parcel: Parcel) -> T:
    """Do a task on a campaign in a folder of its own, which is gone afterwards."""
    with _ALONE, TemporaryDirectory(prefix="chronicle-") as home, chdir(home):
        if parcel.around:
            unpack(parcel.around, Path())
        folder = Path(parcel.folder)
        if parcel.url:
            fetch(parcel.url, folder)
        else:
            unpack(parcel.data, folder)
        return task(folder)


# -- the cluster -----------------------------------------------------------------------------------


@contextmanager
def connected(scheduler: str) -> Iterator[Any]:
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
            client = Client(scheduler_file=scheduler, timeout=PATIENCE)
        else:
            client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoCluster(f"no scheduler answers at '{scheduler}': {_error_text(error)}") from None
    # The files around campaigns travel with each campaign, and have a limit of their own.
    travels = config.set({"distributed.admin.large-graph-warning-threshold": f"{MOST}B"})
    with travels, closing(client):
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise NoCluster(f"the scheduler at '{scheduler}' has no worker") from None
        versions = client.run(_version, on_error="return")
        other_versions = sorted({str(version) for version in versions.values()} - {__version__})
        if other_versions:
            raise NoCluster(
                f"workers need Chronicle {__version__}, as here; some have: {', '.join(other_versions)[:200]}"
            )
        yield client


def _error_text(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:200]


def _version() -> str:
    return __version__


def spread(
    client: Any,
    pairs: Iterable[tuple[Callable[[Path], T], Parcel]],
    patience: float,
    lost: Callable[[Parcel, str], T],
) -> Iterator[T]:
    """Yield the results of tasks in order. Only a few tasks run at a time, so that memory does not grow with
    their number.

    Args:
        client: the cluster.
        pairs: the task for a worker, and its campaign.
        patience: the most seconds of processor time for each campaign.
        lost: gives the result for a campaign that took too long, lost several workers, or failed.
    """
    from distributed import KilledWorker

    waiting: deque[tuple[Parcel, Any]] = deque()
    coming = iter(pairs)
    try:
        while True:
            most = max(2, AHEAD * sum(client.nthreads().values() or [1]))
            while len(waiting) < most and (pair := next(coming, None)) is not None:
                task, parcel = pair
                timed = partial(within, task, patience)
                future = None if parcel.refusal else client.submit(work, timed, parcel, pure=False)
                waiting.append((parcel, future))
            if not waiting:
                return
            parcel, future = waiting.popleft()
            if future is None:
                yield lost(parcel, parcel.refusal)
                continue
            try:
                answer: T | Late = future.result()
                result = lost(parcel, answer.reason) if isinstance(answer, Late) else answer
            except KilledWorker:
                result = lost(parcel, "every worker that began it was lost")
            except Exception as error:
                result = lost(parcel, f"{type(error).__name__}: {_error_text(error)}")
            future.release()
            yield result
    finally:
        client.cancel([future for _, future in waiting if future is not None])


# -- from and to anywhere --------------------------------------------------------------------------


def place(url: str) -> tuple[Any, str]:
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


def campaigns(url: str) -> list[str]:
    """The campaigns below a URL, by their paths from there.

    Raises:
        NoCluster: when there is none, or it cannot be reached.
    """
    system, root = place(url)
    try:
        files = [str(file) for file in system.find(root)]
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be read: {_error_text(error)}") from None
    start = f"{root.rstrip('/')}/"
    inner = (file[len(start) :] for file in files if file.startswith(start))
    folders = sorted({name.rpartition("/")[0] for name in inner if _settings(name)})
    # What lies within a campaign is its own.
    folders_found: list[str] = []
    for folder in folders:
        if not any(folder.startswith(f"{parent}/") for parent in folders_found):
            folders_found.append(folder)
    if not folders_found:
        raise NoCluster(f"there is no campaign in '{url}'")
    return folders_found


def _settings(name: str) -> bool:
    parts = name.split("/")
    return (
        len(parts) > 1
        and parts[-1] == "campaign.yaml"
        and not any(part.startswith(".") for part in parts)
    )


def fetch(url: str, into: Path) -> None:
    """Bring the files below a URL into a folder, hidden ones aside.

    Raises:
        NoCluster: when they are too large.
        OSError: when they cannot be had.
    """
    system, root = place(url)
    start, size = f"{root.rstrip('/')}/", 0
    for name, details in sorted(system.find(root, detail=True).items()):
        parts = PurePosixPath(str(name)[len(start) :]).parts
        if not parts or ".." in parts or any(part.startswith(".") for part in parts):
            continue
        size += int(details.get("size") or 0)
        if size > MOST:
            raise NoCluster(f"'{url}' has more than {MOST // 2**20} MB")
        file = into.joinpath(*parts)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(system.cat_file(name))


def send(folder: Path, url: str) -> tuple[int, int]:
    """Have a URL hold the files of a folder that Chronicle filled: those that are the same there already stay,
    and those that are no more, go. How many were written and taken away.

    Raises:
        NoCluster: when it cannot be reached.
    """
    from chronicle.core.output import MARKER, read_marker

    system, root = place(url)
    base = root.rstrip("/")
    try:
        marker: bytes = b""
        if system.exists(f"{base}/{MARKER}"):
            marker = system.cat_file(f"{base}/{MARKER}")
        old_hashes, new_hashes = read_marker(marker), read_marker((folder / MARKER).read_bytes())
        written = 0
        for name, sums in new_hashes.items():
            if old_hashes.get(name) != sums:
                target = f"{base}/{name}"
                system.makedirs(target.rpartition("/")[0], exist_ok=True)
                system.pipe_file(target, (folder / name).read_bytes())
                written += 1
        removed_names = sorted(old_hashes.keys() - new_hashes.keys())
        _remove_files(system, base, removed_names)
        # The list comes last: after an interruption, the next run sends the files that it does not list.
        system.makedirs(base, exist_ok=True)
        system.pipe_file(f"{base}/{MARKER}", (folder / MARKER).read_bytes())
    except Refused:
        raise
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be written: {_error_text(error)}") from None
    return written, len(removed_names)


def withdraw(url: str, kept_names: Container[str]) -> int:
    """Remove the folders below a URL that Chronicle filled, except those in ``kept_names``; give the number
    of removed files. Other files stay.

    Raises:
        NoCluster: when the URL cannot be reached.
    """
    from chronicle.core.output import MARKER, read_marker

    system, root = place(url)
    base, removed = root.rstrip("/"), 0
    try:
        for marker in sorted(map(str, system.glob(f"{base}/*/{MARKER}"))):
            folder = marker.rpartition("/")[0]
            if folder.rpartition("/")[2] not in kept_names:
                names = sorted(read_marker(system.cat_file(marker)))
                # The list is removed last, so that the next run can continue after an interruption.
                _remove_files(system, folder, [*names, MARKER])
                removed += len(names)
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be written: {_error_text(error)}") from None
    return removed


def _remove_files(file_system: Any, folder: str, file_names: Iterable[str]) -> None:
    for file_name in file_names:
        if file_system.exists(f"{folder}/{file_name}"):
            file_system.rm_file(f"{folder}/{file_name}")
