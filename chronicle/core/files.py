"""Safe operations on one file: write, compare and replace, move, read.

:mod:`chronicle.core.edits` builds edits of several files from them."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

EDIT_FOLDER: Final = ".chronicle-edit"
"""The folder, beside the files of an edit, in which the edit is prepared. It is deleted when the edit is
done."""
_FILE_IN_USE_CODES: Final = frozenset((5, 32, 33))
"""Windows error codes for a file that a program has open."""


class ContentChange(NamedTuple):
    """One file of an edit. ``old_data`` is its content when it was read (None: there was none), ``new_data`` its
    new content (None: delete it). ``is_private``: only its owner may read a new file."""

    file: Path
    old_data: bytes | None
    new_data: bytes | None
    is_private: bool = False


class EditConflict(OSError):
    """The edit would overwrite changes by another program; nothing was done."""

    def __init__(self, message: str, file: Path | str) -> None:
        super().__init__(errno.EBUSY, message, str(file))


class FileChanged(EditConflict):
    """The content of a file has changed since it was read. Read it again before you write."""


FileStamps = dict[str, tuple[int, int]]
"""Modification time (ns) and size of files, by their paths."""


def file_stamps(folders: Iterable[Path]) -> FileStamps:
    """Modification time (ns) and size of every file below some folders, without hidden ones. A file whose
    values differ from an earlier call has changed."""
    stamps_by_file: FileStamps = {}
    for folder in folders:
        for parent_folder, subfolders, file_names in os.walk(folder):
            subfolders[:] = [
                folder_name for folder_name in subfolders if not folder_name.startswith(".")
            ]
            for file_name in file_names:
                file = os.path.join(parent_folder, file_name)  # noqa: PTH118 - this is done all day
                try:
                    file_status = os.stat(file)  # noqa: PTH116
                except OSError:
                    continue
                stamps_by_file[file] = (file_status.st_mtime_ns, file_status.st_size)
    return stamps_by_file


def read_if_exists(file: Path) -> bytes | None:
    """The content of a file, for the ``old_data`` of a change; None if there is no file.

    Raises:
        OSError: if it cannot be read.
    """
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def replace_unchanged(
    source_file: Path, target_file: Path, old_digest: str | None, new_digest: str | None
) -> None:
    """Replace ``target_file`` by ``source_file`` if ``target_file`` has the content with the digest ``old_digest``.

    Args:
        source_file: the prepared file.
        target_file: the file to replace.
        old_digest: the expected digest; None: no file.
        new_digest: the new digest; None: delete the file.

    Raises:
        Overtaken: if it has other content; it is unchanged then.
    """
    current_digest = digest(regular_file_content(target_file))
    if current_digest != old_digest or target_file.is_symlink():
        raise changed_error(target_file, old_digest, current_digest)
    if new_digest is None:
        # A new file may still have both names. Renaming one onto the other would delete neither.
        source_file.unlink(missing_ok=True)
        move_into_place(target_file, source_file)
        if digest(regular_file_content(source_file)) != old_digest:
            _move_to_free_name(source_file, target_file)
            raise changed_error(target_file, old_digest, "")
    elif old_digest is None:
        _move_to_free_name(source_file, target_file)
    elif _exchange_files(source_file, target_file):
        if digest(regular_file_content(source_file)) != old_digest:
            # A program saved at this very moment. Its content goes back, the latest on top.
            _exchange_files(source_file, target_file)
            if digest(regular_file_content(source_file)) != new_digest:
                _exchange_files(source_file, target_file)
            raise changed_error(target_file, old_digest, "")
    else:
        move_into_place(source_file, target_file)


def changed_error(
    file: Path, expected_digest: str | None, current_digest: str | None
) -> FileChanged:
    """The error for a file whose content is not the expected one, by the two digests."""
    if expected_digest is None:
        return FileChanged("it is there already, and nothing is overwritten", file)
    change_words = "it is gone" if current_digest is None else "it was changed meanwhile"
    return FileChanged(f"{change_words}; nothing was written, run the command again", file)


def _move_to_free_name(source_file: Path, target_file: Path) -> None:
    """Move a file to a name that must be free."""
    try:
        target_file.hardlink_to(source_file)
    except FileExistsError:
        raise changed_error(target_file, None, "") from None
    except OSError:
        # A disk without hard links: between check and move another program could create the file.
        if os.path.lexists(target_file):
            raise
        move_into_place(source_file, target_file)
    else:
        source_file.unlink()


def move_into_place(source_file: Path, target_file: Path) -> None:
    """Replace a file by another. Windows refuses while a program, such as a virus scanner, has it open; so
    this tries several times."""
    for pause_seconds in (0.02, 0.05, 0.1, 0.2, 0.4, 0.0):
        try:
            source_file.replace(target_file)
        except PermissionError as error:
            if not pause_seconds or getattr(error, "winerror", None) not in _FILE_IN_USE_CODES:
                raise
            time.sleep(pause_seconds)
        else:
            return


def _exchange_files(first_file: Path, second_file: Path) -> bool:
    """Exchange two files atomically, if the system can do that. Returns whether it did."""
    if not sys.platform.startswith(("linux", "darwin")):
        return False
    import ctypes

    encoded_paths = os.fsencode(first_file), os.fsencode(second_file)
    try:
        c_library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return bool(c_library.renamex_np(*encoded_paths, 2) == 0)
        current_folder = ctypes.c_int(-100)
        return bool(
            c_library.renameat2(
                current_folder, encoded_paths[0], current_folder, encoded_paths[1], ctypes.c_uint(2)
            )
            == 0
        )
    except (OSError, AttributeError):
        return False


def write_new(
    file: Path, content: bytes, creation_mode: int, final_permissions: int | None
) -> None:
    """Write a new file and flush it to the disk.

    Args:
        file: the file; it must not exist.
        content: its content.
        creation_mode: the permissions for ``open``, which the umask reduces.
        final_permissions: permissions to set afterwards, or None.
    """
    open_flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    file_descriptor = os.open(file, open_flags, creation_mode)
    try:
        remaining_bytes = memoryview(content)
        while remaining_bytes:
            remaining_bytes = remaining_bytes[os.write(file_descriptor, remaining_bytes) :]
        os.fsync(file_descriptor)
    finally:
        os.close(file_descriptor)
    if final_permissions is not None:
        file.chmod(final_permissions)


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can do that."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        folder_descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(folder_descriptor)
        finally:
            os.close(folder_descriptor)


def regular_file_content(file: Path) -> bytes | None:
    """The content of an ordinary file; None if there is none."""
    try:
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None
    except (FileNotFoundError, NotADirectoryError):
        return None


def digest(content: bytes | None) -> str | None:
    """A digest of the content (SHA-256); None for no file."""
    import hashlib

    return None if content is None else hashlib.sha256(content).hexdigest()


def is_folder(path: Path) -> bool:
    """Whether a path is a folder, not a link to one."""
    return path.is_dir() and not path.is_symlink()


@contextlib.contextmanager
def errors_naming_file(file: Path) -> Iterator[None]:
    """Make errors inside the block name this file instead of the prepared copy."""
    try:
        yield
    except EditConflict:
        raise
    except OSError as error:
        if error.filename is not None and EDIT_FOLDER not in Path(str(error.filename)).parts:
            raise
        raise OSError(error.errno, error.strerror, str(file)) from error
