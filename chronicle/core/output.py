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
from chronicle.core.files import EDIT_FOLDER, content, digest, errors_naming_file, move_into_place

MARKER: Final = ".chronicle-output"
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
        names = [file.name for file in folder.iterdir() if not file.name.startswith(".")]
        home = Path.home()
        if home.is_dir() and folder.samefile(home):
            raise OutputRefused(f"'{folder}' is your own folder, not one for Chronicle to fill")
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputRefused(f"'{folder}' cannot be read: {reason}") from None
    if names and not listed_files(folder):
        raise OutputRefused(f"'{folder}' holds things that Chronicle did not put there")


def listed_files(folder: Path) -> DigestsByName:
    """The files Chronicle wrote into a folder: names with digests. Empty if the marker is a link; without
    names that lead out of the folder or through a link."""
    try:
        digests_by_name = read_marker(content(folder / MARKER) or b"")
    except OSError:
        return {}
    return {
        name: file_digests
        for name, file_digests in digests_by_name.items()
        if not _is_behind_link(folder, name)
    }


def complete_files(folder: Path) -> frozenset[str]:
    """The files Chronicle wrote into a folder, if none of them is missing; else an empty set."""
    try:
        listed_names = read_marker(content(folder / MARKER) or b"")
    except OSError:
        return frozenset()
    prefix_length = len(str(folder)) + 1
    existing_names = {
        f"{parent_path}/{name}"[prefix_length:].replace(os.sep, "/")
        for parent_path, _, names in os.walk(folder)
        for name in names
    }
    return frozenset(listed_names) if listed_names.keys() <= existing_names else frozenset()


def read_marker(data: bytes) -> dict[str, frozenset[str]]:
    """Parse a marker: names with digests, without names that lead out of the folder."""
    digests_by_name: dict[str, frozenset[str]] = {}
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return digests_by_name
    for line in lines:
        file_digest, _, name = line.partition("  ")
        parts = PurePosixPath(name).parts
        if not parts or "\\" in name or ":" in parts[0] or parts[0] in ("/", EDIT_FOLDER, MARKER):
            continue
        if ".." not in parts:
            digests_by_name[name] = digests_by_name.get(name, frozenset()) | {file_digest}
    return digests_by_name


def mark(folder: Path) -> None:
    """List all files of a folder as Chronicle's own, without hidden ones."""
    with working_folder(folder) as work:
        _write_marker(
            work,
            folder,
            {name: {file_digest} for name, file_digest in _digests_below(folder).items()},
        )


@contextlib.contextmanager
def filling(folder: Path, *, flush_to_disk: bool = True) -> Iterator[tuple[Path, FolderChanges]]:
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
        changes = FolderChanges([], [])
        yield staging_folder, changes
        _move_files_to_folder(work_folder, staging_folder, folder, changes, flush_to_disk)


def fill(folder: Path, files: Mapping[str, bytes]) -> FolderChanges:
    """Make these files, by relative name, the only files by Chronicle in a folder.

    Raises:
        OutputRefused: if a file there is not as Chronicle left it; nothing is written then.
        OSError: if it cannot be written to.
    """
    with filling(folder) as (staging_folder, changes):
        for name, data in files.items():
            file = staging_folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with errors_naming_file(folder / name):
                file.write_bytes(data)
    return changes


def _move_files_to_folder(
    work_folder: Path,
    staging_folder: Path,
    folder: Path,
    changes: FolderChanges,
    flush_to_disk: bool,
) -> None:
    earlier_digests_by_name, digest_by_name = listed_files(folder), _digests_below(staging_folder)
    new_names: list[str] = []
    for name, new_digest in digest_by_name.items():
        target = folder / name
        if _is_behind_link(folder, name):
            raise OutputRefused(f"'{target}' lies behind a link, which is not followed")
        current_digest = digest(content(target)) if os.path.lexists(target) else None
        if current_digest == new_digest:
            continue
        if os.path.lexists(target) and (
            current_digest is None or current_digest not in earlier_digests_by_name.get(name, ())
        ):
            raise OutputRefused(f"'{target}' is there already, and not as Chronicle left it")
        new_names.append(name)
    listed_digests_by_name = {
        name: {new_digest, *earlier_digests_by_name.get(name, ())}
        for name, new_digest in digest_by_name.items()
    }
    _write_marker(work_folder, folder, {**earlier_digests_by_name, **listed_digests_by_name})
    if flush_to_disk and hasattr(os, "sync"):
        os.sync()
    for name in new_names:
        target = folder / name
        with errors_naming_file(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            move_into_place(staging_folder / name, target)
        changes.written.append(target)
    for name in sorted(earlier_digests_by_name.keys() - digest_by_name.keys()):
        target = folder / name
        if digest(content(target)) in earlier_digests_by_name[name]:
            target.unlink()
            changes.removed.append(target)
            for parent in target.relative_to(folder).parents[:-1]:
                with contextlib.suppress(OSError):
                    (folder / parent).rmdir()
    _write_marker(
        work_folder, folder, {name: {new_digest} for name, new_digest in digest_by_name.items()}
    )


def _write_marker(work_folder: Path, folder: Path, digests_by_name: Mapping[str, Set[str]]) -> None:
    lines = [
        f"{file_digest}  {name}\n"
        for name in sorted(digests_by_name)
        for file_digest in sorted(digests_by_name[name])
    ]
    with errors_naming_file(folder / MARKER):
        (work_folder / "marker").write_bytes("".join(lines).encode("utf-8"))
        move_into_place(work_folder / "marker", folder / MARKER)


def _digests_below(folder: Path) -> dict[str, str]:
    """Every file below a folder with its digest, without hidden ones."""
    digest_by_name: dict[str, str] = {}
    for parent, subfolders, names in os.walk(folder):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in sorted(names):
            file = Path(parent, name)
            file_digest = digest(content(file))
            if file_digest is not None and not name.startswith("."):
                digest_by_name[file.relative_to(folder).as_posix()] = file_digest
    return digest_by_name


def _is_behind_link(folder: Path, name: str) -> bool:
    """Whether the file, or a folder on the path to it, is a link."""
    path = PurePosixPath(name)
    return any((folder / part).is_symlink() for part in (path, *path.parents) if part.parts)
