"""Atomic edits of several files: afterwards all of them are changed, or none.

An edit names its files, the content each had when it was read, and the new content. Chronicle writes the new
contents into a hidden folder beside the files, ``.chronicle-edit``, with a journal of the planned steps, and
then replaces one file after the other. If a step fails, it undoes the earlier ones. If the process is
killed, the next edit in that folder finishes the work (:func:`finish_interrupted_edit`). Until then
:func:`pending_contents` gives readers the final contents.

A file is replaced only if its content has not changed since it was read. Where the system can exchange two
files, the old content is compared again after the exchange, and once more before it is deleted, because an
editor may have the file open."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from chronicle.core.file_reading import read_file
from chronicle.core.files import (
    EDIT_FOLDER,
    ContentChange,
    EditConflict,
    changed_error,
    digest,
    errors_naming_file,
    is_folder,
    regular_file_content,
    replace_unchanged,
    sync_folder,
    write_new,
)
from chronicle.core.untrusted_json import read_json

JOURNAL_NAME: Final = "journal"
_UNDO_JOURNAL_NAME: Final = "journal.back"
"""The journal of an edit that is being undone."""
_PARTIAL_JOURNAL_NAME: Final = "journal.part"
_LOCK_FILE_NAME: Final = "lock"
_WORKING_FILE_PATTERN: Final = r"\d+\.(?:old|new)|journal(?:\.part|\.back)?|out|marker"
_MAX_JOURNAL_BYTES: Final = 64 * 1024 * 1024
"""The largest journal that is read, in bytes."""
LOCK_TIMEOUT: Final = 5.0
"""Seconds to wait for another command that edits in the same folder."""


def write_bytes(file: Path, new_data: bytes, expected_data: bytes | None = None) -> None:
    """Write ``new_data`` into ``file`` atomically.

    Follows a link, and keeps the permissions of the file.

    Args:
        file: the file to write.
        new_data: its new content.
        expected_data: its expected content; None if it must not exist yet.

    Raises:
        Overtaken: if the file has other content.
        OSError: if the folder cannot be written to; the file is unchanged then.
    """
    real_file = Path(os.path.realpath(file))
    if not real_file.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
    edit(real_file.parent, [ContentChange(real_file, expected_data, new_data)])


def edit(edited_folder: Path, changes: Iterable[ContentChange]) -> None:
    """Change several files of one folder, or none of them.

    Args:
        edited_folder: the folder that contains all of them, at any depth; it is created if needed.
        changes: the changes; a file whose content stays the same is left alone.

    Raises:
        Overtaken: if a file no longer has the expected content, or another command is editing here.
        OSError: if a file cannot be written. No file is changed then.
    """
    real_changes = [change for change in changes if change.old_data != change.new_data]
    if not real_changes:
        return
    with errors_naming_file(real_changes[0].file), _open_work_folder(edited_folder) as work_folder:
        file_edits = [
            _FileEdit.of(work_folder, file_number, change)
            for file_number, change in enumerate(real_changes)
        ]
        _carry_out(work_folder, file_edits)


@contextlib.contextmanager
def working_folder(edited_folder: Path) -> Iterator[Path]:
    """A hidden folder in ``edited_folder``, which is created if needed, for preparing files. Only one process uses
    the folder at a time; it is deleted afterwards, with the remains of killed processes.

    Raises:
        OSError: if it cannot be created, or another command is editing here.
    """
    with _open_work_folder(edited_folder) as work_folder:
        try:
            yield work_folder.folder
        finally:
            _delete_working_files(work_folder)


@contextlib.contextmanager
def _open_work_folder(edited_folder: Path) -> Iterator[_WorkFolder]:
    created_folders = [
        folder for folder in (edited_folder, *edited_folder.parents) if not folder.exists()
    ]
    edited_folder.mkdir(parents=True, exist_ok=True)
    try:
        with _locked_folder(edited_folder) as work_folder:
            _finish_or_undo(work_folder)
            yield work_folder
    except BaseException:
        for folder in created_folders:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def finish_interrupted_edit(edited_folder: Path) -> str | None:
    """Finish or undo an interrupted edit in this folder.

    Returns:
        A line that says what was done; None if there was nothing to do.

    Raises:
        OSError: if it fails, or another command is editing here.
    """
    if not os.path.lexists(edited_folder / EDIT_FOLDER):
        return None
    with _locked_folder(edited_folder) as work_folder:
        return _finish_or_undo(work_folder)


def is_interrupted(edited_folder: Path) -> bool:
    """Whether an edit in this folder was started and no process is working on it. Writes nothing."""
    work_path = edited_folder / EDIT_FOLDER
    if not any(
        os.path.lexists(work_path / journal_name)
        for journal_name in (JOURNAL_NAME, _UNDO_JOURNAL_NAME)
    ):
        return False
    try:
        lock_descriptor = os.open(
            work_path / _LOCK_FILE_NAME, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
        )
    except OSError:
        return True
    try:
        return _try_lock(lock_descriptor)
    finally:
        os.close(lock_descriptor)


def pending_contents(edited_folder: Path) -> dict[Path, bytes | None]:
    """The contents that files will have once an interrupted edit in this folder is finished; None for a
    deleted file.

    Writes nothing. A file that changed in the meantime is left out."""
    if not os.path.lexists(edited_folder / EDIT_FOLDER):
        return {}
    try:
        file_edits, is_undoing = _WorkFolder(Path(os.path.realpath(edited_folder))).read_journal()
        digest_by_file = {file_edit.target: file_edit.current_digest() for file_edit in file_edits}
        is_undoing = is_undoing or _must_be_undone(file_edits, digest_by_file)
        content_by_file: dict[Path, bytes | None] = {}
        for file_edit in file_edits:
            expected_digest, target_digest = (
                (file_edit.new_digest, file_edit.old_digest)
                if is_undoing
                else (file_edit.old_digest, file_edit.new_digest)
            )
            if digest_by_file[file_edit.target] == expected_digest:
                # A deleted file was moved to the place of the new content.
                source_file = (
                    file_edit.old_copy
                    if is_undoing and file_edit.new_digest is not None
                    else file_edit.new_copy
                )
                pending_data = (
                    regular_file_content(source_file) if target_digest is not None else None
                )
                # Another process may have moved the file to its place just now.
                if digest(pending_data) == target_digest:
                    content_by_file[file_edit.target] = pending_data
        return content_by_file
    except OSError:
        return {}


def read_as_finished(file: Path) -> bytes:
    """The content of a file of a campaign, or the content it will have once an interrupted edit is finished.

    Raises:
        OSError: if it cannot be read.
    """
    for folder in (file.parent, file.parent.parent):
        if os.path.lexists(folder / EDIT_FOLDER):
            pending_data = pending_contents(folder).get(Path(os.path.realpath(file)))
            if pending_data is not None:
                return pending_data
    return read_file(file)


# -- the folder of an edit -------------------------------------------------------------------------


class _WorkFolder(NamedTuple):
    """The folder an edit works in, inside the real folder of its files."""

    edited_folder: Path

    @property
    def folder(self) -> Path:
        return self.edited_folder / EDIT_FOLDER

    def read_journal(self) -> tuple[list[_FileEdit], bool]:
        """The steps in the journal, and whether the edit is being undone; no steps if there is no journal.

        Raises:
            Overtaken: if the journal was changed since an edit wrote it.
        """
        if not is_folder(self.folder):
            raise EditConflict("this is no folder of Chronicle's; move it away", self.folder)

        is_undoing = os.path.lexists(self.folder / _UNDO_JOURNAL_NAME)
        journal_file = self.folder / (_UNDO_JOURNAL_NAME if is_undoing else JOURNAL_NAME)
        if not os.path.lexists(journal_file):
            return [], False
        try:
            if journal_file.stat().st_size > _MAX_JOURNAL_BYTES:
                raise ValueError
            journal_data = read_json(regular_file_content(journal_file) or b"")
            file_edits = [
                _FileEdit(
                    self._resolve_inside(str(file_record["name"])),
                    self.folder / f"{file_number}.old",
                    self.folder / f"{file_number}.new",
                    file_record["before"],
                    file_record["after"],
                    tuple(
                        self._resolve_inside(str(folder_name))
                        for folder_name in file_record["folders"]
                    ),
                )
                for file_number, file_record in enumerate(journal_data["files"])
            ]
            return file_edits, is_undoing
        except (ValueError, KeyError, TypeError):
            raise EditConflict(
                "it is not as Chronicle left it; look into it, then delete it", self.folder
            ) from None

    def _resolve_inside(self, relative_name: str) -> Path:
        """A file below the folder, not behind a link.

        Raises:
            ValueError: if the name leads elsewhere.
        """
        path_parts = PurePosixPath(relative_name).parts
        if not path_parts or any(
            path_part in ("..", ".", EDIT_FOLDER) or "\\" in path_part for path_part in path_parts
        ):
            raise ValueError(relative_name)
        if PurePosixPath(relative_name).is_absolute() or ":" in path_parts[0]:
            raise ValueError(relative_name)
        file = self.edited_folder.joinpath(*path_parts)
        if Path(os.path.realpath(file)) != file:
            raise ValueError(relative_name)
        return file


class _FileEdit(NamedTuple):
    """One prepared file of an edit. Contents are given by their digests."""

    target: Path
    old_copy: Path
    new_copy: Path
    old_digest: str | None
    new_digest: str | None
    folders_to_create: tuple[Path, ...]
    """The folders to create for it."""
    change: ContentChange | None = None

    @classmethod
    def of(cls, work_folder: _WorkFolder, file_number: int, change: ContentChange) -> _FileEdit:
        target = Path(os.path.realpath(change.file))
        if (
            not target.is_relative_to(work_folder.edited_folder)
            or target == work_folder.edited_folder
        ):
            raise EditConflict("it lies elsewhere, behind a link", change.file)
        folders_to_create = tuple(
            folder
            for folder in reversed(target.parents)
            if folder.is_relative_to(work_folder.edited_folder) and not folder.exists()
        )
        copy_stem = work_folder.folder / str(file_number)
        old_and_new_digest = digest(change.old_data), digest(change.new_data)
        old_copy, new_copy = copy_stem.with_suffix(".old"), copy_stem.with_suffix(".new")
        return cls(target, old_copy, new_copy, *old_and_new_digest, folders_to_create, change)

    def journal_record(self, work_folder: _WorkFolder) -> dict[str, Any]:
        """The step as written in the journal."""
        return {
            "name": self.target.relative_to(work_folder.edited_folder).as_posix(),
            "before": self.old_digest,
            "after": self.new_digest,
            "folders": [
                folder.relative_to(work_folder.edited_folder).as_posix()
                for folder in self.folders_to_create
            ],
        }

    def current_digest(self) -> str | None:
        """The digest of the current content."""
        if self.target.is_symlink():
            return "a link"
        return digest(regular_file_content(self.target))

    def is_applied(self) -> bool:
        """Whether the file was replaced: then the new content is no longer in the working folder."""
        if self.new_digest is None:
            return os.path.lexists(self.new_copy)
        return digest(regular_file_content(self.new_copy)) != self.new_digest

    def write_contents(self) -> None:
        """Write the old and the new content into the working folder."""
        assert self.change is not None
        with errors_naming_file(self.change.file):
            current_digest = self.current_digest()
            if current_digest != self.old_digest:
                raise changed_error(self.change.file, self.old_digest, current_digest)
            creation_mode = 0o600 if self.change.is_private else 0o666
            current_permissions: int | None = None
            if self.old_digest is not None:
                current_permissions = stat.S_IMODE(self.target.stat().st_mode)
                write_new(
                    self.old_copy, self.change.old_data or b"", creation_mode, current_permissions
                )
            if self.new_digest is not None:
                write_new(
                    self.new_copy, self.change.new_data or b"", creation_mode, current_permissions
                )

    def apply(self) -> None:
        """Replace the file.

        Raises:
            Overtaken: if it has other content than expected.
        """
        with errors_naming_file(self.target):
            for folder in self.folders_to_create:
                folder.mkdir(exist_ok=True)
            replace_unchanged(self.new_copy, self.target, self.old_digest, self.new_digest)

    def check_unwritten(self) -> None:
        """Check that no program wrote into the old file after it was replaced: one that had it open does not
        know the new file.

        Raises:
            Changed: if one did.
        """
        replaced_digest = digest(regular_file_content(self.new_copy))
        if self.old_digest is not None and replaced_digest not in (None, self.old_digest):
            raise changed_error(self.target, self.old_digest, replaced_digest)

    def undo(self) -> None:
        """Restore the old content, unless the file was changed in the meantime."""
        source_file = self.old_copy
        if self.new_digest is None or self.old_digest is None:
            # A deleted file comes back from the place of the new content; a created one is moved there.
            source_file = self.new_copy
        replace_unchanged(source_file, self.target, self.new_digest, self.old_digest)


def _carry_out(work_folder: _WorkFolder, file_edits: list[_FileEdit]) -> None:
    import json

    try:
        for file_edit in file_edits:
            file_edit.write_contents()
        journal_data = {
            "chronicle-edit": 1,
            "files": [file_edit.journal_record(work_folder) for file_edit in file_edits],
        }
        write_new(
            work_folder.folder / _PARTIAL_JOURNAL_NAME,
            json.dumps(journal_data).encode("utf-8"),
            0o600,
            None,
        )
        (work_folder.folder / _PARTIAL_JOURNAL_NAME).replace(work_folder.folder / JOURNAL_NAME)
        sync_folder(work_folder.folder)
        for file_edit in file_edits:
            file_edit.apply()
        _sync_all(file_edits)
        for file_edit in file_edits:
            file_edit.check_unwritten()
    except BaseException:
        # Undoing needs no space on the disk.
        if (work_folder.folder / JOURNAL_NAME).exists():
            _undo_file_edits(work_folder, file_edits)
        _delete_working_files(work_folder)
        raise
    # The edit is done. If the folder cannot be cleared now, the next edit does it.
    with contextlib.suppress(OSError):
        _delete_working_files(work_folder)


def _undo_file_edits(work_folder: _WorkFolder, file_edits: list[_FileEdit]) -> None:
    """Undo the steps that were done. A file that was changed in the meantime is not touched."""
    if (work_folder.folder / JOURNAL_NAME).exists():
        # The prepared files change places from here on. The new name of the journal says that this edit is
        # being undone.
        (work_folder.folder / JOURNAL_NAME).replace(work_folder.folder / _UNDO_JOURNAL_NAME)
        sync_folder(work_folder.folder)
    for file_edit in reversed(file_edits):
        if not _rescue_content(file_edit) and file_edit.current_digest() == file_edit.new_digest:
            file_edit.undo()
        for folder in reversed(file_edit.folders_to_create):
            with contextlib.suppress(OSError):
                folder.rmdir()
    _sync_all(file_edits)


def _rescue_content(file_edit: _FileEdit) -> bool:
    """Restore content that another program saved at the moment when the file was exchanged."""
    if file_edit.old_digest is None or file_edit.new_digest is None:
        return False
    replaced_digest = digest(regular_file_content(file_edit.new_copy))
    if (
        replaced_digest in (None, file_edit.old_digest, file_edit.new_digest)
        or file_edit.current_digest() != file_edit.new_digest
    ):
        return False
    file_edit.new_copy.replace(file_edit.target)
    return True


def _must_be_undone(file_edits: list[_FileEdit], digest_by_file: Mapping[Path, str | None]) -> bool:
    """Whether an interrupted edit must be undone: a file that was not replaced yet has changed, and none was
    replaced."""
    changed_file_edits = [
        file_edit
        for file_edit in file_edits
        if digest_by_file[file_edit.target] not in (file_edit.old_digest, file_edit.new_digest)
    ]
    return bool(changed_file_edits) and not any(
        file_edit.is_applied() for file_edit in changed_file_edits
    )


def _finish_or_undo(work_folder: _WorkFolder) -> str | None:
    """Finish or undo an edit that was left behind, and clear its folder."""
    if not any(
        re.fullmatch(_WORKING_FILE_PATTERN, file.name) for file in work_folder.folder.iterdir()
    ):
        return None
    file_edits, is_undoing = work_folder.read_journal()
    if not file_edits:
        _delete_working_files(work_folder)
        return (
            f"'{work_folder.edited_folder}': an edit was interrupted; what it left is cleared away"
        )
    rescued_file_edits = [file_edit for file_edit in file_edits if _rescue_content(file_edit)]
    digest_by_file = {file_edit.target: file_edit.current_digest() for file_edit in file_edits}
    is_undoing = (
        is_undoing or bool(rescued_file_edits) or _must_be_undone(file_edits, digest_by_file)
    )
    if is_undoing:
        _undo_file_edits(work_folder, file_edits)
    else:
        for file_edit in file_edits:
            if digest_by_file[file_edit.target] == file_edit.old_digest:
                file_edit.apply()
        _sync_all(file_edits)
    _delete_working_files(work_folder)
    changed_file_names = [
        file_edit.target.name
        for file_edit in file_edits
        if digest_by_file[file_edit.target] not in (file_edit.old_digest, file_edit.new_digest)
    ]
    rescued_files_text = (
        f"; what was written into {', '.join(changed_file_names)} meanwhile stays"
        if changed_file_names
        else ""
    )
    outcome_word = "taken back" if is_undoing else "finished"
    return f"'{work_folder.edited_folder}': an edit was interrupted, and is {outcome_word} now{rescued_files_text}"


def _sync_all(file_edits: list[_FileEdit]) -> None:
    for folder in sorted({file_edit.target.parent for file_edit in file_edits}):
        sync_folder(folder)


def _delete_working_files(work_folder: _WorkFolder) -> None:
    """Delete the working files, the journal first: without a journal the edit is over."""
    file_names = [
        file.name
        for file in work_folder.folder.iterdir()
        if re.fullmatch(_WORKING_FILE_PATTERN, file.name)
    ]
    for file_name in sorted(
        file_names, key=lambda file_name: file_name not in (JOURNAL_NAME, _UNDO_JOURNAL_NAME)
    ):
        working_file = work_folder.folder / file_name
        if is_folder(working_file):
            import shutil

            shutil.rmtree(working_file)
        else:
            working_file.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked_folder(edited_folder: Path) -> Iterator[_WorkFolder]:
    """Lock the working folder, for one process at a time.

    Raises:
        Overtaken: if another process has it, or the folder was not made by Chronicle.
        OSError: if it cannot be created.
    """
    work_folder = _WorkFolder(Path(os.path.realpath(edited_folder)))
    try:
        lock_descriptor = _acquire_lock(work_folder)
    except OSError:
        with contextlib.suppress(OSError):
            work_folder.folder.rmdir()
        raise
    try:
        yield work_folder
    finally:
        # Windows cannot delete open files: there, the lock is closed first.
        lock_file = work_folder.folder / _LOCK_FILE_NAME
        try:
            with contextlib.suppress(OSError):
                lock_file.unlink()
        finally:
            os.close(lock_descriptor)
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                lock_file.unlink(missing_ok=True)
            work_folder.folder.rmdir()


def _acquire_lock(work_folder: _WorkFolder) -> int:
    """The handle of the lock. The system releases it when the process ends, in any way."""
    lock_deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            work_folder.folder.mkdir()
        except FileExistsError:
            try:
                folder_mode = os.lstat(work_folder.folder).st_mode
            except FileNotFoundError:
                continue  # Another command has just finished.
            if not stat.S_ISDIR(folder_mode):
                raise EditConflict(
                    "this is no folder of Chronicle's; move it away", work_folder.folder
                ) from None
        lock_file = work_folder.folder / _LOCK_FILE_NAME
        open_flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        try:
            lock_descriptor = os.open(lock_file, open_flags, 0o600)
        except FileNotFoundError:
            continue  # The last owner has just deleted the folder.
        try:
            if _try_lock(lock_descriptor) and _is_current_lock(lock_descriptor, lock_file):
                return lock_descriptor
        except BaseException:
            os.close(lock_descriptor)
            raise
        os.close(lock_descriptor)
        if time.monotonic() > lock_deadline:
            raise EditConflict(
                "another command is changing these files; try again", work_folder.edited_folder
            )
        time.sleep(0.02)


def _try_lock(lock_descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock_descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock_descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some network disks have no locks; there, comparing contents has to do.
        return error.errno in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
    return True


def _is_current_lock(lock_descriptor: int, lock_file: Path) -> bool:
    """Whether the locked file is still the lock of this folder: its last owner deletes it."""
    try:
        return os.path.samestat(os.fstat(lock_descriptor), lock_file.stat())
    except OSError:
        return False
