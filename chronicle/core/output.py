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

from chronicle.core.edits import working
from chronicle.core.errors import Refused
from chronicle.core.files import EDITING, content, digest, naming_file, take_place

MARKER: Final = ".chronicle-output"
"""The list of files Chronicle wrote into a folder, in the format of ``sha256sum``. While files are being
replaced, a name may have two lines: one for each content."""


class Filled(NamedTuple):
    """The written and the removed files of a folder; unchanged ones are in neither list."""

    written: list[Path]
    removed: list[Path]


Listed = Mapping[str, frozenset[str]]


class OutputRefused(Refused):
    """The output would replace a file that Chronicle did not write; the message names it."""


def fresh_or_ours(folder: Path) -> None:
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
    if names and not listed(folder):
        raise OutputRefused(f"'{folder}' holds things that Chronicle did not put there")


def listed(folder: Path) -> Listed:
    """The files Chronicle wrote into a folder: names with digests. Empty if the marker is a link; without
    names that lead out of the folder or through a link."""
    try:
        digests = read_marker(content(folder / MARKER) or b"")
    except OSError:
        return {}
    return {name: sums for name, sums in digests.items() if not _through_link(folder, name)}


def complete_files(folder: Path) -> frozenset[str]:
    """The files Chronicle wrote into a folder, if none of them is missing; else an empty set."""
    try:
        named = read_marker(content(folder / MARKER) or b"")
    except OSError:
        return frozenset()
    start = len(str(folder)) + 1
    existing = {
        f"{top}/{name}"[start:].replace(os.sep, "/")
        for top, _, names in os.walk(folder)
        for name in names
    }
    return frozenset(named) if named.keys() <= existing else frozenset()


def read_marker(data: bytes) -> dict[str, frozenset[str]]:
    """Parse a marker: names with digests, without names that lead out of the folder."""
    digests: dict[str, frozenset[str]] = {}
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return digests
    for line in lines:
        sum_, _, name = line.partition("  ")
        parts = PurePosixPath(name).parts
        if not parts or "\\" in name or ":" in parts[0] or parts[0] in ("/", EDITING, MARKER):
            continue
        if ".." not in parts:
            digests[name] = digests.get(name, frozenset()) | {sum_}
    return digests


def mark(folder: Path) -> None:
    """List all files of a folder as Chronicle's own, without hidden ones."""
    with working(folder) as work:
        _write_marker(
            work, folder, {name: {file_digest} for name, file_digest in _digests(folder).items()}
        )


@contextlib.contextmanager
def filling(folder: Path, *, lasting: bool = True) -> Iterator[tuple[Path, Filled]]:
    """Fill a folder: yields a folder to put files into, and the lists of changes. At the end the files take
    their places in ``folder``, and older files by Chronicle are removed.

    Args:
        folder: the output folder.
        lasting: whether to flush to the disk; not needed for a folder that is deleted soon.

    Raises:
        OutputRefused: if a file there is not as Chronicle left it; nothing is written then.
        OSError: if it cannot be written to.
    """
    fresh_or_ours(folder)
    with working(folder) as work:
        staged = work / "out"
        staged.mkdir()
        changes = Filled([], [])
        yield staged, changes
        _take_places(work, staged, folder, changes, lasting)


def fill(folder: Path, files: Mapping[str, bytes]) -> Filled:
    """Make these files, by relative name, the only files by Chronicle in a folder.

    Raises:
        OutputRefused: if a file there is not as Chronicle left it; nothing is written then.
        OSError: if it cannot be written to.
    """
    with filling(folder) as (staged, changes):
        for name, data in files.items():
            file = staged / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with naming_file(folder / name):
                file.write_bytes(data)
    return changes


def _take_places(work: Path, staged: Path, folder: Path, changes: Filled, lasting: bool) -> None:
    earlier, digests = listed(folder), _digests(staged)
    new: list[str] = []
    for name, sum_ in digests.items():
        target = folder / name
        if _through_link(folder, name):
            raise OutputRefused(f"'{target}' lies behind a link, which is not followed")
        current = digest(content(target)) if os.path.lexists(target) else None
        if current == sum_:
            continue
        if os.path.lexists(target) and (current is None or current not in earlier.get(name, ())):
            raise OutputRefused(f"'{target}' is there already, and not as Chronicle left it")
        new.append(name)
    both_digests = {name: {sum_, *earlier.get(name, ())} for name, sum_ in digests.items()}
    _write_marker(work, folder, {**earlier, **both_digests})
    if lasting and hasattr(os, "sync"):
        os.sync()
    for name in new:
        target = folder / name
        with naming_file(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            take_place(staged / name, target)
        changes.written.append(target)
    for name in sorted(earlier.keys() - digests.keys()):
        target = folder / name
        if digest(content(target)) in earlier[name]:
            target.unlink()
            changes.removed.append(target)
            for parent in target.relative_to(folder).parents[:-1]:
                with contextlib.suppress(OSError):
                    (folder / parent).rmdir()
    _write_marker(work, folder, {name: {sum_} for name, sum_ in digests.items()})


def _write_marker(work: Path, folder: Path, names: Mapping[str, Set[str]]) -> None:
    lines = [f"{sum_}  {name}\n" for name in sorted(names) for sum_ in sorted(names[name])]
    with naming_file(folder / MARKER):
        (work / "marker").write_bytes("".join(lines).encode("utf-8"))
        take_place(work / "marker", folder / MARKER)


def _digests(folder: Path) -> dict[str, str]:
    """Every file below a folder with its digest, without hidden ones."""
    digests: dict[str, str] = {}
    for parent, subfolders, names in os.walk(folder):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in sorted(names):
            file = Path(parent, name)
            file_digest = digest(content(file))
            if file_digest is not None and not name.startswith("."):
                digests[file.relative_to(folder).as_posix()] = file_digest
    return digests


def _through_link(folder: Path, name: str) -> bool:
    """Whether the file, or a folder on the path to it, is a link."""
    path = PurePosixPath(name)
    return any((folder / part).is_symlink() for part in (path, *path.parents) if part.parts)
