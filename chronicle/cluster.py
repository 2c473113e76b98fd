"""Work on campaigns elsewhere: by the workers of a Dask cluster, from and to wherever fsspec reaches.

A campaign is small: it travels with its task, or a worker fetches it by itself, so that workers share no disk
with anybody and need nothing but this package. A campaign whose worker is lost is done again by another one.
What comes of it is the same, to the last byte, as of one process.
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
from chronicle.patience import Late, within

T = TypeVar("T")

PATIENCE: Final = 30
"""Seconds until somebody has to answer."""
AHEAD: Final = 4
"""How many campaigns wait for each thread of a worker."""
MOST: Final = 512 * 1024 * 1024
"""How many bytes one campaign, or what is around it, may have to travel."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_ALONE: Final = threading.Lock()
"""A process works on one campaign at a time: it stands in a folder of its own meanwhile."""


class NoCluster(Refused):
    """There is nobody to work on it, or nothing to work on; the message says why."""


@dataclass(frozen=True)
class Parcel:
    """A campaign on its way. Its files lie at ``url`` to be fetched, or are in ``data``."""

    folder: str
    """Where it lies, as seen from the folder that one works in."""
    data: bytes = b""
    url: str = ""
    around: bytes = b""
    """What else has to lie there: the files of the project."""
    kept: str = ""
    """Why it does not go, if it does not."""


def packed(folder: Path, leave_out: Callable[[Path], bool] = lambda path: False) -> bytes:
    """The files of a folder, hidden ones aside, in one piece. Of a link that leads out of it goes only that
    there is one.

    Raises:
        NoCluster: when it is too large.
        OSError: when a file cannot be read.
    """
    home, whole, size = folder.resolve(), io.BytesIO(), 0
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as pack:
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
    return whole.getvalue()


def parcel_of(folder: Path, there: Path, around: bytes = b"") -> Parcel:
    """A campaign as it goes to a worker, or why it does not, which stops no other."""
    try:
        return Parcel(there.as_posix(), packed(folder), around=around)
    except (NoCluster, OSError) as error:
        return Parcel(there.as_posix(), kept=str(error))


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
def connected(given: str) -> Iterator[Any]:
    """The cluster at an address (``tcp://host:8786``), or that a scheduler's file names.

    Raises:
        NoCluster: when nobody answers there, or its workers have another version of Chronicle.
    """
    try:
        from dask import config
        from distributed import Client
    except ImportError:
        raise NoCluster("a cluster needs Dask: pip install 'chronicle-tabletop[cluster]'") from None
    try:
        if Path(given).is_file():
            client = Client(scheduler_file=given, timeout=PATIENCE)
        else:
            client = Client(given, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoCluster(f"no scheduler answers at '{given}': {_said(error)}") from None
    # What is around campaigns travels with each, and has a bound of its own.
    travels = config.set({"distributed.admin.large-graph-warning-threshold": f"{MOST}B"})
    with travels, closing(client):
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise NoCluster(f"the scheduler at '{given}' has no worker") from None
        found = client.run(_version, on_error="return")
        others = sorted({str(one) for one in found.values()} - {__version__})
        if others:
            raise NoCluster(
                f"workers need Chronicle {__version__}, as here; some have: {', '.join(others)[:200]}"
            )
        yield client


def _said(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:200]


def _version() -> str:
    return __version__


def spread(
    client: Any,
    pairs: Iterable[tuple[Callable[[Path], T], Parcel]],
    patience: float,
    lost: Callable[[Parcel, str], T],
) -> Iterator[T]:
    """What tasks give for their campaigns, in order. A few are on their way at a time, so that memory
    does not grow with their number.

    Args:
        client: the cluster.
        pairs: what is done on a worker, and the campaign that it is done with.
        patience: how many seconds of a worker's processor each may take.
        lost: what is to be said of one that took too long, or several workers with it, or could not be done.
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
                future = None if parcel.kept else client.submit(work, timed, parcel, pure=False)
                waiting.append((parcel, future))
            if not waiting:
                return
            parcel, future = waiting.popleft()
            if future is None:
                yield lost(parcel, parcel.kept)
                continue
            try:
                answer: T | Late = future.result()
                made = lost(parcel, answer.why) if isinstance(answer, Late) else answer
            except KilledWorker:
                made = lost(parcel, "every worker that began it was lost")
            except Exception as error:
                made = lost(parcel, f"{type(error).__name__}: {_said(error)}")
            future.release()
            yield made
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
        raise NoCluster(
            "files elsewhere need fsspec: pip install 'chronicle-tabletop[cluster]'"
        ) from None
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise NoCluster(f"'{url}' cannot be used: {_said(error)}") from None
    return found


def campaigns(url: str) -> list[str]:
    """The campaigns below a URL, by their paths from there.

    Raises:
        NoCluster: when there is none, or it cannot be reached.
    """
    system, root = place(url)
    try:
        files = [str(file) for file in system.find(root)]
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be read: {_said(error)}") from None
    start = f"{root.rstrip('/')}/"
    inner = (file[len(start) :] for file in files if file.startswith(start))
    folders = sorted({name.rpartition("/")[0] for name in inner if _settings(name)})
    # What lies within a campaign is its own.
    found: list[str] = []
    for folder in folders:
        if not any(folder.startswith(f"{other}/") for other in found):
            found.append(folder)
    if not found:
        raise NoCluster(f"there is no campaign in '{url}'")
    return found


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
    for name, about in sorted(system.find(root, detail=True).items()):
        parts = PurePosixPath(str(name)[len(start) :]).parts
        if not parts or ".." in parts or any(part.startswith(".") for part in parts):
            continue
        size += int(about.get("size") or 0)
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
        there: bytes = b""
        if system.exists(f"{base}/{MARKER}"):
            there = system.cat_file(f"{base}/{MARKER}")
        before, now = read_marker(there), read_marker((folder / MARKER).read_bytes())
        written = 0
        for name, sums in now.items():
            if before.get(name) != sums:
                target = f"{base}/{name}"
                system.makedirs(target.rpartition("/")[0], exist_ok=True)
                system.pipe_file(target, (folder / name).read_bytes())
                written += 1
        gone = sorted(before.keys() - now.keys())
        _remove(system, base, gone)
        # Last: whoever is stopped before sends again what is not listed there.
        system.makedirs(base, exist_ok=True)
        system.pipe_file(f"{base}/{MARKER}", (folder / MARKER).read_bytes())
    except Refused:
        raise
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be written: {_said(error)}") from None
    return written, len(gone)


def withdraw(url: str, kept: Container[str]) -> int:
    """Take from below a URL the folders that Chronicle filled there, but for those that are ``kept``. How many
    files were taken away; nobody else's is.

    Raises:
        NoCluster: when it cannot be reached.
    """
    from chronicle.core.output import MARKER, read_marker

    system, root = place(url)
    base, removed = root.rstrip("/"), 0
    try:
        for marker in sorted(map(str, system.glob(f"{base}/*/{MARKER}"))):
            folder = marker.rpartition("/")[0]
            if folder.rpartition("/")[2] not in kept:
                names = sorted(read_marker(system.cat_file(marker)))
                # The list goes last: whoever is stopped before goes on with it.
                _remove(system, folder, [*names, MARKER])
                removed += len(names)
    except Exception as error:
        raise NoCluster(f"'{url}' cannot be written: {_said(error)}") from None
    return removed


def _remove(system: Any, base: str, names: Iterable[str]) -> None:
    for name in names:
        if system.exists(f"{base}/{name}"):
            system.rm_file(f"{base}/{name}")
