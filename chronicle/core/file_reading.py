"""Read files that users name: with a size limit, and regular files only."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 16 * 1024 * 1024
"""The largest file that is read, in bytes."""


def read_file(file: Path, max_bytes: int = MOST_BYTES) -> bytes:
    """The content of a regular file.

    Refuses devices, pipes, sockets and files larger than ``max_bytes`` bytes before it reads them: so it never
    waits, and never fills the memory.

    Raises:
        OSError: if it cannot be read; its ``strerror`` says why.
    """
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    file_descriptor = os.open(
        file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    with open(file_descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
        file_status = os.fstat(file_descriptor)
        if stat.S_ISDIR(file_status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
        if not stat.S_ISREG(file_status.st_mode):
            raise OSError(errno.EINVAL, "this is no ordinary file", str(file))
        content = stream.read(max_bytes + 1) if file_status.st_size <= max_bytes else b""
        if file_status.st_size > max_bytes or len(content) > max_bytes:
            raise OSError(errno.EFBIG, f"it is larger than {size_in_words(max_bytes)}", str(file))
        return content


def files_in(campaign_folder: Path, subfolder: str, *file_endings: str) -> list[Path]:
    """The files in a folder of a campaign (``""``: its own) with one of these endings, without links that
    lead out of the campaign."""
    real_campaign_path, folder = real_path(campaign_folder), campaign_folder / subfolder
    if not (folder.is_dir() and real_path(folder).is_relative_to(real_campaign_path)):
        return []
    files_with_ending = [
        file for file in sorted(folder.iterdir()) if file.suffix.casefold() in file_endings
    ]
    return [
        file
        for file in files_with_ending
        if real_path(file).is_relative_to(real_campaign_path) and not file.is_dir()
    ]


def real_path(file: Path) -> Path:
    """The real path of a file, with all links followed. Works for a link to itself, too."""
    return Path(os.path.realpath(file))


def size_in_words(byte_count: int) -> str:
    """A size in bytes as text: ``16 MB``, ``256 kB``."""
    return f"{byte_count // 1024**2} MB" if byte_count >= 1024**2 else f"{byte_count // 1024} kB"
