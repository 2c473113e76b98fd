"""One file at a time: written safely, compared and replaced at once, moved, looked at.

Nothing here waits for a second file; :mod:`chronicle.core.edits` makes an edit of several out of it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

EDITING: Final = ".chronicle-edit"
"""The folder, beside the files of an edit, in which it is prepared. It is gone when the edit is done."""
_IN_USE: Final = frozenset((5, 32, 33))
"""What Windows says of a file that somebody has open."""


class Change(NamedTuple):
    """One file of an edit. ``before`` is what it held when it was read (None: there was none), ``after``
    what it is to hold (None: it goes away). ``private``: a new one is for its owner's eyes only."""

    file: Path
    before: bytes | None
    after: bytes | None
    private: bool = False


class Overtaken(OSError):
    """The edit would lose what somebody else wrote; nothing of it was done."""

    def __init__(self, message: str, file: Path | str) -> None:
        super().__init__(errno.EBUSY, message, str(file))


class Changed(Overtaken):
    """A file no longer holds what was read from it. Read it again before you write."""


def stamps(folders: Iterable[Path]) -> dict[str, tuple[int, int]]:
    """When every file below some folders was changed last, and how large it is; what is hidden is
    left out. What differs from an earlier look has changed."""
    found: dict[str, tuple[int, int]] = {}
    for folder in folders:
        for top, inner, files in os.walk(folder):
            inner[:] = [name for name in inner if not name.startswith(".")]
            for name in files:
                file = os.path.join(top, name)  # noqa: PTH118 - this is done all day
                try:
                    stat = os.stat(file)  # noqa: PTH116
                except OSError:
                    continue
                found[file] = (stat.st_mtime_ns, stat.st_size)
    return found


def read(file: Path) -> bytes | None:
    """What a file holds, to be the ``before`` of a change; None if there is none.

    Raises:
        OSError: when it cannot be read.
    """
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def put(source: Path, target: Path, before: str | None, after: str | None) -> None:
    """Let ``source`` take the place of ``target`` if that holds ``before``.

    Raises:
        Overtaken: when it holds something else; it stays as it is.
    """
    now = digest(content(target))
    if now != before or target.is_symlink():
        raise changed(target, before, now)
    if after is None:
        # Of two names of one file, as a file has that was just made, neither would go.
        source.unlink(missing_ok=True)
        take_place(target, source)
        if digest(content(source)) != before:
            _create(source, target)
            raise changed(target, before, "")
    elif before is None:
        _create(source, target)
    elif _exchange(source, target):
        if digest(content(source)) != before:
            # Somebody saved in this very moment. What they saved goes back, the last of it on top.
            _exchange(source, target)
            if digest(content(source)) != after:
                _exchange(source, target)
            raise changed(target, before, "")
    else:
        take_place(source, target)


def changed(file: Path, before: str | None, now: str | None) -> Changed:
    """Why a file is not written: it held this when it was read, and holds that."""
    if before is None:
        return Changed("it is there already, and nothing is overwritten", file)
    how = "it is gone" if now is None else "it was changed meanwhile"
    return Changed(f"{how}; nothing was written, run the command again", file)


def _create(source: Path, target: Path) -> None:
    """Move a file to where none may be."""
    try:
        target.hardlink_to(source)
    except FileExistsError:
        raise changed(target, None, "") from None
    except OSError:
        # A disk without links: there is a moment in which somebody else could make the file.
        if os.path.lexists(target):
            raise
        take_place(source, target)
    else:
        source.unlink()


def take_place(source: Path, target: Path) -> None:
    """Let a file take the place of another. Windows refuses while somebody, a virus scanner for one,
    has it open: that passes."""
    for pause in (0.02, 0.05, 0.1, 0.2, 0.4, 0.0):
        try:
            source.replace(target)
        except PermissionError as error:
            if not pause or getattr(error, "winerror", None) not in _IN_USE:
                raise
            time.sleep(pause)
        else:
            return


def _exchange(one: Path, other: Path) -> bool:
    """Let two files change places at once, where the system can do that."""
    if not sys.platform.startswith(("linux", "darwin")):
        return False
    import ctypes

    names = os.fsencode(one), os.fsencode(other)
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return bool(libc.renamex_np(*names, 2) == 0)
        here = ctypes.c_int(-100)
        return bool(libc.renameat2(here, names[0], here, names[1], ctypes.c_uint(2)) == 0)
    except (OSError, AttributeError):
        return False


def write_new(file: Path, data: bytes, mode: int, kept: int | None) -> None:
    """A new file, safely on the disk, with the permissions ``kept`` or those that ``mode`` leaves."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(file, flags, mode)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    if kept is not None:
        file.chmod(kept)


def sync(folder: Path) -> None:
    """Have the names in a folder safely on the disk, where that can be asked for."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def content(file: Path) -> bytes | None:
    """What an ordinary file holds; None where there is none."""
    try:
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None
    except (FileNotFoundError, NotADirectoryError):
        return None


def digest(data: bytes | None) -> str | None:
    """What tells one content from another; None for no file."""
    import hashlib

    return None if data is None else hashlib.sha256(data).hexdigest()


def is_folder(path: Path) -> bool:
    """Whether this is a folder itself, and no link to one."""
    return path.is_dir() and not path.is_symlink()


@contextlib.contextmanager
def about(file: Path) -> Iterator[None]:
    """Errors in here speak of the file that is meant, not of the one that lies ready."""
    try:
        yield
    except Overtaken:
        raise
    except OSError as error:
        if error.filename is not None and EDITING not in Path(str(error.filename)).parts:
            raise
        raise OSError(error.errno, error.strerror, str(file)) from error
