"""Reading files that people name: bounded, and only what is a file."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 16 * 1024 * 1024
"""The largest transcript, and the largest text of any other kind, that is read."""


def read_file(file: Path, most: int = MOST_BYTES) -> bytes:
    """What a regular file holds.

    A device, a pipe or a socket is refused before anything is read of it, and so is what is larger
    than ``most``: nothing here waits, and nothing fills the memory.

    Raises:
        OSError: when it cannot be read; its ``strerror`` says why.
    """
    # Without O_NONBLOCK to open a pipe would wait for somebody who writes into it.
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
        about = os.fstat(handle)
        if stat.S_ISDIR(about.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "this is no ordinary file", str(file))
        data = stream.read(most + 1) if about.st_size <= most else b""
        if about.st_size > most or len(data) > most:
            raise OSError(errno.EFBIG, f"it is larger than {in_words(most)}", str(file))
        return data


def files_in(campaign: Path, part: str, *endings: str) -> list[Path]:
    """The files in a folder of a campaign (``""``: its own) with one of these endings. What a link leads
    to that leaves the campaign is none of them."""
    home, folder = lies_at(campaign), campaign / part
    if not (folder.is_dir() and lies_at(folder).is_relative_to(home)):
        return []
    named = [file for file in sorted(folder.iterdir()) if file.suffix.casefold() in endings]
    return [file for file in named if lies_at(file).is_relative_to(home) and not file.is_dir()]


def lies_at(file: Path) -> Path:
    """Where a file is when every link has been followed, also one that leads to itself."""
    return Path(os.path.realpath(file))


def in_words(size: int) -> str:
    """``16 MB``, ``256 kB``."""
    return f"{size // 1024**2} MB" if size >= 1024**2 else f"{size // 1024} kB"
