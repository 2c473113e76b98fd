"""Output folders: Chronicle writes and deletes its own files there and touches no other.

``build``, ``render`` and ``export --all`` prepare their files in a hidden folder inside the output folder
and then move each to its place. A marker file, ``.chronicle-output``, lists them by relative name with their
digests. Chronicle replaces or deletes a file only if its digest is still the listed one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Set
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from chronicle.core.edits import working_folder
from chronicle.core.errors import Refused
from chronicle.core.files import (
    EDIT_FOLDER,
    digest,
    errors_naming_file,
    move_into_place,
    regular_file_content,
)

MARKER_FILE_NAME: Final = ".chronicle-output"
"""The list of files Chronicle wrote into a folder, in the format of ``sha256sum``. While files are being
replaced, a name may have two lines: one for each content."""


class FolderChanges(NamedTuple):
    """The written and the removed files of a folder; unchanged ones are in neither list."""

    written: list[Path]
    removed: list[Path]


DigestsByName = Mapping[str, frozenset[str]]


class OutputRefused(Refused):
    """The output would replace a file that Chronicle did not write; the message names it."""


def check_fillable(folder: Path) -> None:
    """Check that Chronicle may fill a folder: it does not exist, is empty (hidden files aside), or has files by
    Chronicle.

    Raises:
        OutputRefused: otherwise.
    """
    try:
        if not os.path.lexists(folder):
            return
        if not folder.is_dir():
            raise OutputRefused(f"'{folder}' is there already, and is no folder")
        visible_file_names = [
            file.name for file in folder.iterdir() if not file.name.startswith(".")
        ]
        home_folder = Path.home()
        if home_folder.is_dir() and folder.samefile(home_folder):
            raise OutputRefused(f"'{folder}' is your own folder, not one for Chronicle to fill")
    except (OSError, RuntimeError) as error:
        failure_reason = getattr(error, "strerror", None) or error
        raise OutputRefused(f"'{folder}' cannot be read: {failure_reason}") from None
    if visible_file_names and not listed_files(folder):
        raise OutputRefused(f"'{folder}' holds things that Chronicle did not put there")


def listed_files(folder: Path) -> DigestsByName:
    """The files Chronicle wrote into a folder: names with digests. Empty if the marker is a link; without
    names that lead out of the folder or through a link."""
    try:
        digests_by_name = read_marker(regular_file_content(folder / MARKER_FILE_NAME) or b"")
    except OSError:
        return {}
    return {
        file_name: file_digests
        for file_name, file_digests in digests_by_name.items()
        if not _is_behind_link(folder, file_name)
    }


def complete_files(folder: Path) -> frozenset[str]:
    """The files Chronicle wrote into a folder, if none of them is missing; else an empty set."""
    try:
        listed_digests_by_name = read_marker(regular_file_content(folder / MARKER_FILE_NAME) or b"")
    except OSError:
        return frozenset()
    prefix_length = len(str(folder)) + 1
    existing_names = {
        f"{parent_path}/{file_name}"[prefix_length:].replace(os.sep, "/")
        for parent_path, _, file_names in os.walk(folder)
        for file_name in file_names
    }
    return (
        frozenset(listed_digests_by_name)
        if listed_digests_by_name.keys() <= existing_names
        else frozenset()
    )


def read_marker(marker_bytes: bytes) -> dict[str, frozenset[str]]:
    """Parse a marker: names with digests, without names that lead out of the folder."""
    digests_by_name: dict[str, frozenset[str]] = {}
    try:
        marker_lines = marker_bytes.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return digests_by_name
    for line in marker_lines:
        file_digest, _, file_name = line.partition("  ")
        path_parts = PurePosixPath(file_name).parts
        if (
            not path_parts
            or "\\" in file_name
            or ":" in path_parts[0]
            or path_parts[0] in ("/", EDIT_FOLDER, MARKER_FILE_NAME)
        ):
            continue
        if ".." not in path_parts:
            digests_by_name[file_name] = digests_by_name.get(file_name, frozenset()) | {file_digest}
    return digests_by_name


def mark_all_files(folder: Path) -> None:
    """List all files of a folder as Chronicle's own, without hidden ones."""
    with working_folder(folder) as work_folder:
        _write_marker(
            work_folder,
            folder,
            {file_name: {file_digest} for file_name, file_digest in _digests_below(folder).items()},
        )


@contextlib.contextmanager
def filling_folder(
    folder: Path, *, flush_to_disk: bool = True
) -> Iterator[tuple[Path, FolderChanges]]:
    """Fill a folder: yields a folder to put files into, and the lists of changes. At the end the files take
    their places in ``folder``, and older files by Chronicle are removed.

    Args:
        folder: the output folder.
        flush_to_disk: whether to flush to the disk; not needed for a folder that is deleted soon.

    Raises:
        OutputRefused: if a file there is not as Chronicle left it; nothing is written then.
        OSError: if it cannot be written to.
    """
    check_fillable(folder)
    with working_folder(folder) as work_folder:
        staging_folder = work_folder / "out"
        staging_folder.mkdir()
        folder_changes = FolderChanges([], [])
        yield staging_folder, folder_changes
        _move_files_to_folder(work_folder, staging_folder, folder, folder_changes, flush_to_disk)


def fill_folder(folder: Path, files: Mapping[str, bytes]) -> FolderChanges:
    """Make these files, by relative name, the only files by Chronicle in a folder.

    Raises:
        OutputRefused: if a file there is not as Chronicle left it; nothing is written then.
        OSError: if it cannot be written to.
    """
    with filling_folder(folder) as (staging_folder, folder_changes):
        for file_name, content in files.items():
            staged_file = staging_folder / file_name
            staged_file.parent.mkdir(parents=True, exist_ok=True)
            with errors_naming_file(folder / file_name):
                staged_file.write_bytes(content)
    return folder_changes


def _move_files_to_folder(
    work_folder: Path,
    staging_folder: Path,
    folder: Path,
    folder_changes: FolderChanges,
    flush_to_disk: bool,
) -> None:
    earlier_digests_by_name, new_digest_by_name = (
        listed_files(folder),
        _digests_below(staging_folder),
    )
    changed_file_names: list[str] = []
    for file_name, new_digest in new_digest_by_name.items():
        target = folder / file_name
        if _is_behind_link(folder, file_name):
            raise OutputRefused(f"'{target}' lies behind a link, which is not followed")
        current_digest = digest(regular_file_content(target)) if os.path.lexists(target) else None
        if current_digest == new_digest:
            continue
        if os.path.lexists(target) and (
            current_digest is None
            or current_digest not in earlier_digests_by_name.get(file_name, ())
        ):
            raise OutputRefused(f"'{target}' is there already, and not as Chronicle left it")
        changed_file_names.append(file_name)
    listed_digests_by_name = {
        file_name: {new_digest, *earlier_digests_by_name.get(file_name, ())}
        for file_name, new_digest in new_digest_by_name.items()
    }
    _write_marker(work_folder, folder, {**earlier_digests_by_name, **listed_digests_by_name})
    if flush_to_disk and hasattr(os, "sync"):
        os.sync()
    for file_name in changed_file_names:
        target = folder / file_name
        with errors_naming_file(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            move_into_place(staging_folder / file_name, target)
        folder_changes.written.append(target)
    for file_name in sorted(earlier_digests_by_name.keys() - new_digest_by_name.keys()):
        target = folder / file_name
        if digest(regular_file_content(target)) in earlier_digests_by_name[file_name]:
            target.unlink()
            folder_changes.removed.append(target)
            for relative_parent in target.relative_to(folder).parents[:-1]:
                with contextlib.suppress(OSError):
                    (folder / relative_parent).rmdir()
    _write_marker(
        work_folder,
        folder,
        {file_name: {new_digest} for file_name, new_digest in new_digest_by_name.items()},
    )


def _write_marker(work_folder: Path, folder: Path, digests_by_name: Mapping[str, Set[str]]) -> None:
    marker_lines = [
        f"{file_digest}  {file_name}\n"
        for file_name in sorted(digests_by_name)
        for file_digest in sorted(digests_by_name[file_name])
    ]
    with errors_naming_file(folder / MARKER_FILE_NAME):
        (work_folder / "marker").write_bytes("".join(marker_lines).encode("utf-8"))
        move_into_place(work_folder / "marker", folder / MARKER_FILE_NAME)


def _digests_below(folder: Path) -> dict[str, str]:
    """Every file below a folder with its digest, without hidden ones."""
    digest_by_file_name: dict[str, str] = {}
    for parent_path, subfolders, file_names in os.walk(folder):
        subfolders[:] = sorted(
            folder_name for folder_name in subfolders if not folder_name.startswith(".")
        )
        for file_name in sorted(file_names):
            file_path = Path(parent_path, file_name)
            file_digest = digest(regular_file_content(file_path))
            if file_digest is not None and not file_name.startswith("."):
                digest_by_file_name[file_path.relative_to(folder).as_posix()] = file_digest
    return digest_by_file_name


def _is_behind_link(folder: Path, file_name: str) -> bool:
    """Whether the file, or a folder on the path to it, is a link."""
    relative_path = PurePosixPath(file_name)
    return any(
        (folder / ancestor_path).is_symlink()
        for ancestor_path in (relative_path, *relative_path.parents)
        if ancestor_path.parts
    )
