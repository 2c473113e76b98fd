"""Folders that Chronicle fills: what is in them is its own, and nothing else is ever touched.

``build``, ``render`` and ``export --all`` prepare their files in a hidden folder inside the one they
were given; when all of them lie there, each takes its place. A marker, ``.chronicle-output``, lists what
was put there, by relative names with digests. Only what still is as it was left is replaced or taken
away; any other file is somebody's.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Set
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from chronicle.core.edits import working
from chronicle.core.files import EDITING, about, content, digest, take_place
from chronicle.core.refused import Refused

MARKER: Final = ".chronicle-output"
"""What Chronicle put into a folder, as ``sha256sum`` has it. A name may stand there twice while files
are being replaced: it is one or the other then."""


class Filled(NamedTuple):
    """What became of the files of a folder; those that were as they are to be are in neither."""

    written: list[Path]
    removed: list[Path]


Listed = Mapping[str, frozenset[str]]


class OutputRefused(Refused):
    """What is written would go over files that somebody wrote; the message says which."""


def fresh_or_ours(folder: Path) -> None:
    """Hold that a folder may be filled: it is not there yet, is empty (hidden files aside), or holds
    what Chronicle put there.

    Raises:
        OutputRefused: when it is anything else.
    """
    try:
        if not os.path.lexists(folder):
            return
        if not folder.is_dir():
            raise OutputRefused(f"'{folder}' is there already, and is no folder")
        names = [one.name for one in folder.iterdir() if not one.name.startswith(".")]
        home = Path.home()
        if home.is_dir() and folder.samefile(home):
            raise OutputRefused(f"'{folder}' is your own folder, not one for Chronicle to fill")
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputRefused(f"'{folder}' cannot be read: {reason}") from None
    if names and not listed(folder):
        raise OutputRefused(f"'{folder}' holds things that Chronicle did not put there")


def listed(folder: Path) -> Listed:
    """What Chronicle put into a folder: names to digests. Nothing where the marker is a link; a name
    that leads out of the folder, or through a link, is none."""
    try:
        found = read_marker(content(folder / MARKER) or b"")
    except OSError:
        return {}
    return {name: sums for name, sums in found.items() if not _through_link(folder, name)}


def standing(folder: Path) -> frozenset[str]:
    """The files of a folder that Chronicle put there, if all of them are there still; else none."""
    try:
        named = read_marker(content(folder / MARKER) or b"")
    except OSError:
        return frozenset()
    start = len(str(folder)) + 1
    there = {
        f"{top}/{name}"[start:].replace(os.sep, "/")
        for top, _, names in os.walk(folder)
        for name in names
    }
    return frozenset(named) if named.keys() <= there else frozenset()


def read_marker(data: bytes) -> dict[str, frozenset[str]]:
    """What a marker says: names to digests. A name that leads out of the folder is none."""
    found: dict[str, frozenset[str]] = {}
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return found
    for line in lines:
        sum_, _, name = line.partition("  ")
        parts = PurePosixPath(name).parts
        if not parts or "\\" in name or ":" in parts[0] or parts[0] in ("/", EDITING, MARKER):
            continue
        if ".." not in parts:
            found[name] = found.get(name, frozenset()) | {sum_}
    return found


def mark(folder: Path) -> None:
    """List all that is in a folder as Chronicle's own, hidden files aside."""
    with working(folder) as work:
        _write_marker(work, folder, {name: {made} for name, made in _digests(folder).items()})


@contextlib.contextmanager
def filling(folder: Path, *, lasting: bool = True) -> Iterator[tuple[Path, Filled]]:
    """A folder to put files into; when all went well, they are what ``folder`` holds of Chronicle, and
    the lists tell what became of its files. ``lasting``: they have to outlive a power cut, as those of a
    folder that is gone in a moment have not.

    Raises:
        OutputRefused: when a file there is not as Chronicle left it; nothing was written then.
        OSError: when it cannot be written to.
    """
    fresh_or_ours(folder)
    with working(folder) as work:
        staged = work / "out"
        staged.mkdir()
        done = Filled([], [])
        yield staged, done
        _take_places(work, staged, folder, done, lasting)


def fill(folder: Path, files: Mapping[str, bytes]) -> Filled:
    """Have a folder hold these files, by relative names, and of Chronicle nothing else.

    Raises:
        OutputRefused: when a file there is not as Chronicle left it; nothing was written then.
        OSError: when it cannot be written to.
    """
    with filling(folder) as (staged, done):
        for name, data in files.items():
            file = staged / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with about(folder / name):
                file.write_bytes(data)
    return done


def _take_places(work: Path, staged: Path, folder: Path, done: Filled, lasting: bool) -> None:
    earlier, made = listed(folder), _digests(staged)
    new: list[str] = []
    for name, sum_ in made.items():
        target = folder / name
        if _through_link(folder, name):
            raise OutputRefused(f"'{target}' lies behind a link, which is not followed")
        stands = digest(content(target)) if os.path.lexists(target) else None
        if stands == sum_:
            continue
        if os.path.lexists(target) and (stands is None or stands not in earlier.get(name, ())):
            raise OutputRefused(f"'{target}' is there already, and not as Chronicle left it")
        new.append(name)
    both = {name: {sum_, *earlier.get(name, ())} for name, sum_ in made.items()}
    _write_marker(work, folder, {**earlier, **both})
    if lasting and hasattr(os, "sync"):
        os.sync()
    for name in new:
        target = folder / name
        with about(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            take_place(staged / name, target)
        done.written.append(target)
    for name in sorted(earlier.keys() - made.keys()):
        target = folder / name
        if digest(content(target)) in earlier[name]:
            target.unlink()
            done.removed.append(target)
            for parent in target.relative_to(folder).parents[:-1]:
                with contextlib.suppress(OSError):
                    (folder / parent).rmdir()
    _write_marker(work, folder, {name: {sum_} for name, sum_ in made.items()})


def _write_marker(work: Path, folder: Path, names: Mapping[str, Set[str]]) -> None:
    lines = [f"{sum_}  {name}\n" for name in sorted(names) for sum_ in sorted(names[name])]
    with about(folder / MARKER):
        (work / "marker").write_bytes("".join(lines).encode("utf-8"))
        take_place(work / "marker", folder / MARKER)


def _digests(folder: Path) -> dict[str, str]:
    """Every file below a folder, hidden ones aside, with its digest."""
    found: dict[str, str] = {}
    for top, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            file = Path(top, name)
            made = digest(content(file))
            if made is not None and not name.startswith("."):
                found[file.relative_to(folder).as_posix()] = made
    return found


def _through_link(folder: Path, name: str) -> bool:
    """Whether the way to a file in a folder, or the file, is a link."""
    way = PurePosixPath(name)
    return any((folder / part).is_symlink() for part in (way, *way.parents) if part.parts)
