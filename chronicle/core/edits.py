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
    content,
    digest,
    errors_naming_file,
    is_folder,
    replace_unchanged,
    sync,
    write_new,
)
from chronicle.core.untrusted_json import read_json

JOURNAL: Final = "journal"
_UNDO_JOURNAL: Final = "journal.back"
"""The journal of an edit that is being undone."""
_PARTIAL_JOURNAL: Final = "journal.part"
_LOCK_NAME: Final = "lock"
_WORKING_FILE_PATTERN: Final = r"\d+\.(?:old|new)|journal(?:\.part|\.back)?|out|marker"
_MAX_JOURNAL_BYTES: Final = 64 * 1024 * 1024
"""The largest journal that is read, in bytes."""
LOCK_TIMEOUT: Final = 5.0
"""Seconds to wait for another command that edits in the same folder."""


def write_bytes(file: Path, data: bytes, expected_data: bytes | None = None) -> None:
    """Write ``data`` into ``file`` atomically.

    Follows a link, and keeps the permissions of the file.

    Args:
        file: the file to write.
        data: its new content.
        expected_data: its expected content; None if it must not exist yet.

    Raises:
        Overtaken: if the file has other content.
        OSError: if the folder cannot be written to; the file is unchanged then.
    """
    real_file = Path(os.path.realpath(file))
    if not real_file.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
    edit(real_file.parent, [ContentChange(real_file, expected_data, data)])


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
        plan = [
            _FileEdit.of(work_folder, number, change) for number, change in enumerate(real_changes)
        ]
        _carry_out(work_folder, plan)


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
    work_folder = edited_folder / EDIT_FOLDER
    if not any(os.path.lexists(work_folder / name) for name in (JOURNAL, _UNDO_JOURNAL)):
        return False
    try:
        handle = os.open(work_folder / _LOCK_NAME, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return True
    try:
        return _try_lock(handle)
    finally:
        os.close(handle)


def pending_contents(edited_folder: Path) -> dict[Path, bytes | None]:
    """The contents that files will have once an interrupted edit in this folder is finished; None for a
    deleted file.

    Writes nothing. A file that changed in the meantime is left out."""
    if not os.path.lexists(edited_folder / EDIT_FOLDER):
        return {}
    try:
        plan, is_undoing = _WorkFolder(Path(os.path.realpath(edited_folder))).plan()
        digests = {file_edit.target: file_edit.current_digest() for file_edit in plan}
        is_undoing = is_undoing or _must_be_undone(plan, digests)
        contents: dict[Path, bytes | None] = {}
        for file_edit in plan:
            expected_digest, target_digest = (
                (file_edit.new_digest, file_edit.old_digest)
                if is_undoing
                else (file_edit.old_digest, file_edit.new_digest)
            )
            if digests[file_edit.target] == expected_digest:
                # A deleted file was moved to the place of the new content.
                source = (
                    file_edit.old
                    if is_undoing and file_edit.new_digest is not None
                    else file_edit.new
                )
                data = content(source) if target_digest is not None else None
                # Another process may have moved the file to its place just now.
                if digest(data) == target_digest:
                    contents[file_edit.target] = data
        return contents
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

    def plan(self) -> tuple[list[_FileEdit], bool]:
        """The steps in the journal, and whether the edit is being undone; no steps if there is no journal.

        Raises:
            Overtaken: if the journal was changed since an edit wrote it.
        """
        if not is_folder(self.folder):
            raise EditConflict("this is no folder of Chronicle's; move it away", self.folder)

        is_undoing = os.path.lexists(self.folder / _UNDO_JOURNAL)
        journal = self.folder / (_UNDO_JOURNAL if is_undoing else JOURNAL)
        if not os.path.lexists(journal):
            return [], False
        try:
            if journal.stat().st_size > _MAX_JOURNAL_BYTES:
                raise ValueError
            contents = read_json(content(journal) or b"")
            plan = [
                _FileEdit(
                    self._resolve_inside(str(file_record["name"])),
                    self.folder / f"{number}.old",
                    self.folder / f"{number}.new",
                    file_record["before"],
                    file_record["after"],
                    tuple(self._resolve_inside(str(name)) for name in file_record["folders"]),
                )
                for number, file_record in enumerate(contents["files"])
            ]
            return plan, is_undoing
        except (ValueError, KeyError, TypeError):
            raise EditConflict(
                "it is not as Chronicle left it; look into it, then delete it", self.folder
            ) from None

    def _resolve_inside(self, name: str) -> Path:
        """A file below the folder, not behind a link.

        Raises:
            ValueError: if the name leads elsewhere.
        """
        parts = PurePosixPath(name).parts
        if not parts or any(part in ("..", ".", EDIT_FOLDER) or "\\" in part for part in parts):
            raise ValueError(name)
        if PurePosixPath(name).is_absolute() or ":" in parts[0]:
            raise ValueError(name)
        file = self.edited_folder.joinpath(*parts)
        if Path(os.path.realpath(file)) != file:
            raise ValueError(name)
        return file


class _FileEdit(NamedTuple):
    """One prepared file of an edit. Contents are given by their digests."""

    target: Path
    old: Path
    new: Path
    old_digest: str | None
    new_digest: str | None
    folders: tuple[Path, ...]
    """The folders to create for it."""
    change: ContentChange | None = None

    @classmethod
    def of(cls, work_folder: _WorkFolder, number: int, change: ContentChange) -> _FileEdit:
        target = Path(os.path.realpath(change.file))
        if (
            not target.is_relative_to(work_folder.edited_folder)
            or target == work_folder.edited_folder
        ):
            raise EditConflict("it lies elsewhere, behind a link", change.file)
        folders = tuple(
            folder
            for folder in reversed(target.parents)
            if folder.is_relative_to(work_folder.edited_folder) and not folder.exists()
        )
        stem = work_folder.folder / str(number)
        digests = digest(change.old_data), digest(change.new_data)
        old, new = stem.with_suffix(".old"), stem.with_suffix(".new")
        return cls(target, old, new, *digests, folders, change)

    def journal_record(self, work_folder: _WorkFolder) -> dict[str, Any]:
        """The step as written in the journal."""
        return {
            "name": self.target.relative_to(work_folder.edited_folder).as_posix(),
            "before": self.old_digest,
            "after": self.new_digest,
            "folders": [
                folder.relative_to(work_folder.edited_folder).as_posix() for folder in self.folders
            ],
        }

    def current_digest(self) -> str | None:
        """The digest of the current content."""
        if self.target.is_symlink():
            return "a link"
        return digest(content(self.target))

    def is_applied(self) -> bool:
        """Whether the file was replaced: then the new content is no longer in the working folder."""
        if self.new_digest is None:
            return os.path.lexists(self.new)
        return digest(content(self.new)) != self.new_digest

    def write_contents(self) -> None:
        """Write the old and the new content into the working folder."""
        assert self.change is not None
        with errors_naming_file(self.change.file):
            current_digest = self.current_digest()
            if current_digest != self.old_digest:
                raise changed_error(self.change.file, self.old_digest, current_digest)
            creation_mode = 0o600 if self.change.private else 0o666
            current_permissions: int | None = None
            if self.old_digest is not None:
                current_permissions = stat.S_IMODE(self.target.stat().st_mode)
                write_new(self.old, self.change.old_data or b"", creation_mode, current_permissions)
            if self.new_digest is not None:
                write_new(self.new, self.change.new_data or b"", creation_mode, current_permissions)

    def apply(self) -> None:
        """Replace the file.

        Raises:
            Overtaken: if it has other content than expected.
        """
        with errors_naming_file(self.target):
            for folder in self.folders:
                folder.mkdir(exist_ok=True)
            replace_unchanged(self.new, self.target, self.old_digest, self.new_digest)

    def check_unwritten(self) -> None:
        """Check that no program wrote into the old file after it was replaced: one that had it open does not
        know the new file.

        Raises:
            Changed: if one did.
        """
        replaced_digest = digest(content(self.new))
        if self.old_digest is not None and replaced_digest not in (None, self.old_digest):
            raise changed_error(self.target, self.old_digest, replaced_digest)

    def undo(self) -> None:
        """Restore the old content, unless the file was changed in the meantime."""
        source = self.old
        if self.new_digest is None or self.old_digest is None:
            # A deleted file comes back from the place of the new content; a created one is moved there.
            source = self.new
        replace_unchanged(source, self.target, self.new_digest, self.old_digest)


def _carry_out(work_folder: _WorkFolder, plan: list[_FileEdit]) -> None:
    import json

    try:
        for file_edit in plan:
            file_edit.write_contents()
        journal = {
            "chronicle-edit": 1,
            "files": [file_edit.journal_record(work_folder) for file_edit in plan],
        }
        write_new(
            work_folder.folder / _PARTIAL_JOURNAL, json.dumps(journal).encode("utf-8"), 0o600, None
        )
        (work_folder.folder / _PARTIAL_JOURNAL).replace(work_folder.folder / JOURNAL)
        sync(work_folder.folder)
        for file_edit in plan:
            file_edit.apply()
        _sync_all(plan)
        for file_edit in plan:
            file_edit.check_unwritten()
    except BaseException:
        # Undoing needs no space on the disk.
        if (work_folder.folder / JOURNAL).exists():
            _undo_file_edits(work_folder, plan)
        _delete_working_files(work_folder)
        raise
    # The edit is done. If the folder cannot be cleared now, the next edit does it.
    with contextlib.suppress(OSError):
        _delete_working_files(work_folder)


def _undo_file_edits(work_folder: _WorkFolder, plan: list[_FileEdit]) -> None:
    """Undo the steps that were done. A file that was changed in the meantime is not touched."""
    if (work_folder.folder / JOURNAL).exists():
        # The prepared files change places from here on. The new name of the journal says that this edit is
        # being undone.
        (work_folder.folder / JOURNAL).replace(work_folder.folder / _UNDO_JOURNAL)
        sync(work_folder.folder)
    for file_edit in reversed(plan):
        if not _rescue_content(file_edit) and file_edit.current_digest() == file_edit.new_digest:
            file_edit.undo()
        for folder in reversed(file_edit.folders):
            with contextlib.suppress(OSError):
                folder.rmdir()
    _sync_all(plan)


def _rescue_content(file_edit: _FileEdit) -> bool:
    """Restore content that another program saved at the moment when the file was exchanged."""
    if file_edit.old_digest is None or file_edit.new_digest is None:
        return False
    replaced_digest = digest(content(file_edit.new))
    if (
        replaced_digest in (None, file_edit.old_digest, file_edit.new_digest)
        or file_edit.current_digest() != file_edit.new_digest
    ):
        return False
    file_edit.new.replace(file_edit.target)
    return True


def _must_be_undone(plan: list[_FileEdit], digests: Mapping[Path, str | None]) -> bool:
    """Whether an interrupted edit must be undone: a file that was not replaced yet has changed, and none was
    replaced."""
    changed_steps = [
        file_edit
        for file_edit in plan
        if digests[file_edit.target] not in (file_edit.old_digest, file_edit.new_digest)
    ]
    return bool(changed_steps) and not any(file_edit.is_applied() for file_edit in changed_steps)


def _finish_or_undo(work_folder: _WorkFolder) -> str | None:
    """Finish or undo an edit that was left behind, and clear its folder."""
    if not any(
        re.fullmatch(_WORKING_FILE_PATTERN, file.name) for file in work_folder.folder.iterdir()
    ):
        return None
    plan, is_undoing = work_folder.plan()
    if not plan:
        _delete_working_files(work_folder)
        return (
            f"'{work_folder.edited_folder}': an edit was interrupted; what it left is cleared away"
        )
    rescued_steps = [file_edit for file_edit in plan if _rescue_content(file_edit)]
    digests = {file_edit.target: file_edit.current_digest() for file_edit in plan}
    is_undoing = is_undoing or bool(rescued_steps) or _must_be_undone(plan, digests)
    if is_undoing:
        _undo_file_edits(work_folder, plan)
    else:
        for file_edit in plan:
            if digests[file_edit.target] == file_edit.old_digest:
                file_edit.apply()
        _sync_all(plan)
    _delete_working_files(work_folder)
    changed_names = [
        file_edit.target.name
        for file_edit in plan
        if digests[file_edit.target] not in (file_edit.old_digest, file_edit.new_digest)
    ]
    remark = (
        f"; what was written into {', '.join(changed_names)} meanwhile stays"
        if changed_names
        else ""
    )
    result = "taken back" if is_undoing else "finished"
    return f"'{work_folder.edited_folder}': an edit was interrupted, and is {result} now{remark}"


def _sync_all(plan: list[_FileEdit]) -> None:
    for folder in sorted({file_edit.target.parent for file_edit in plan}):
        sync(folder)


def _delete_working_files(work_folder: _WorkFolder) -> None:
    """Delete the working files, the journal first: without a journal the edit is over."""
    names = [
        file.name
        for file in work_folder.folder.iterdir()
        if re.fullmatch(_WORKING_FILE_PATTERN, file.name)
    ]
    for name in sorted(names, key=lambda name: name not in (JOURNAL, _UNDO_JOURNAL)):
        path = work_folder.folder / name
        if is_folder(path):
            import shutil

            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked_folder(edited_folder: Path) -> Iterator[_WorkFolder]:
    """Lock the working folder, for one process at a time.

    Raises:
        Overtaken: if another process has it, or the folder was not made by Chronicle.
        OSError: if it cannot be created.
    """
    work_folder = _WorkFolder(Path(os.path.realpath(edited_folder)))
    try:
        handle = _acquire_lock(work_folder)
    except OSError:
        with contextlib.suppress(OSError):
            work_folder.folder.rmdir()
        raise
    try:
        yield work_folder
    finally:
        # Windows cannot delete open files: there, the lock is closed first.
        lock = work_folder.folder / _LOCK_NAME
        try:
            with contextlib.suppress(OSError):
                lock.unlink()
        finally:
            os.close(handle)
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                lock.unlink(missing_ok=True)
            work_folder.folder.rmdir()


def _acquire_lock(work_folder: _WorkFolder) -> int:
    """The handle of the lock. The system releases it when the process ends, in any way."""
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            work_folder.folder.mkdir()
        except FileExistsError:
            try:
                mode = os.lstat(work_folder.folder).st_mode
            except FileNotFoundError:
                continue  # Another command has just finished.
            if not stat.S_ISDIR(mode):
                raise EditConflict(
                    "this is no folder of Chronicle's; move it away", work_folder.folder
                ) from None
        lock = work_folder.folder / _LOCK_NAME
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        try:
            handle = os.open(lock, flags, 0o600)
        except FileNotFoundError:
            continue  # The last owner has just deleted the folder.
        try:
            if _try_lock(handle) and _is_current_lock(handle, lock):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if time.monotonic() > deadline:
            raise EditConflict(
                "another command is changing these files; try again", work_folder.edited_folder
            )
        time.sleep(0.02)


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some network disks have no locks; there, comparing contents has to do.
        return error.errno in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
    return True


def _is_current_lock(handle: int, lock: Path) -> bool:
    """Whether the locked file is still the lock of this folder: its last owner deletes it."""
    try:
        return os.path.samestat(os.fstat(handle), lock.stat())
    except OSError:
        return False
