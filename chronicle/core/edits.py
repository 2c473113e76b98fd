"""Writing files so that nobody ever finds half of an edit: all of the new texts, or all of the old.

An edit names its files, what each held when it was read, and what it is to hold. The new contents are
laid ready in a hidden folder beside the files, ``.chronicle-edit``; a journal there says what is to
become of them, and only then is one file after the other replaced. What goes wrong on the way is taken
back at once. What is killed on the way is finished by the next edit in that folder (:func:`settle`);
until then :func:`unfinished` tells readers what the files are to hold.

A file is replaced only while it holds what was read. Where the system can exchange two files, what
came out is looked at as well, so that even words saved in the very moment are put back. It is looked at
once more before it is deleted: an editor may have had it open.
"""

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

from chronicle.core.files import (
    EDITING,
    Change,
    Overtaken,
    about,
    changed,
    content,
    digest,
    is_folder,
    put,
    sync,
    write_new,
)
from chronicle.core.intake import read_file
from chronicle.core.jsons import read_json

JOURNAL: Final = "journal"
_BACK: Final = "journal.back"
"""The journal of an edit that is being taken back."""
_PART: Final = "journal.part"
_LOCK: Final = "lock"
_OURS: Final = r"\d+\.(?:old|new)|journal(?:\.part|\.back)?|out|marker"
_MOST: Final = 64 * 1024 * 1024
"""The largest journal that is read."""
PATIENCE: Final = 5.0
"""Seconds to wait for another command that edits in the same folder."""


def write_bytes(file: Path, data: bytes, before: bytes | None = None) -> None:
    """Put ``data`` into ``file`` at once, which holds ``before`` (None: it must not be there yet).

    A link is followed, and the permissions of what stood there are kept.

    Raises:
        Overtaken: when the file holds something else.
        OSError: when the folder cannot be written to; what stood there stands unharmed.
    """
    real = Path(os.path.realpath(file))
    if not real.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
    edit(real.parent, [Change(real, before, data)])


def edit(home: Path, changes: Iterable[Change]) -> None:
    """Change several files of one folder, or none of them.

    Args:
        home: the folder that all of them lie in, at any depth; it is made if need be.
        changes: what is to be done; a file that is to stay as it is, is left alone.

    Raises:
        Overtaken: when one of them no longer holds what was read, or another command is at work here.
        OSError: when one of them cannot be written. What stood there stands unharmed.
    """
    wanted = [one for one in changes if one.before != one.after]
    if not wanted:
        return
    with about(wanted[0].file), _entered(home) as work:
        plan = [_Step.of(work, number, one) for number, one in enumerate(wanted)]
        _carry_out(work, plan)


@contextlib.contextmanager
def working(home: Path) -> Iterator[Path]:
    """A hidden folder in ``home``, which is made if need be, to lay files ready in. Nobody else is in it,
    and it is gone afterwards; what is left by somebody who was killed goes with it.

    Raises:
        OSError: when it cannot be made, or another command is at work here.
    """
    with _entered(home) as work:
        try:
            yield work.folder
        finally:
            _close(work)


@contextlib.contextmanager
def _entered(home: Path) -> Iterator[_Work]:
    made = [folder for folder in (home, *home.parents) if not folder.exists()]
    home.mkdir(parents=True, exist_ok=True)
    try:
        with _work(home) as work:
            _settled(work)
            yield work
    except BaseException:
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def settle(home: Path) -> str | None:
    """Finish an edit in this folder that was interrupted, or take it back, and say which.

    Returns:
        What was done, in one line; None if there was nothing to do.

    Raises:
        OSError: when it cannot be done, or another command is at work here.
    """
    if not os.path.lexists(home / EDITING):
        return None
    with _work(home) as work:
        return _settled(work)


def interrupted(home: Path) -> bool:
    """Whether an edit in this folder was begun and nobody is at work on it any more. Nothing is
    written."""
    work = home / EDITING
    if not any(os.path.lexists(work / name) for name in (JOURNAL, _BACK)):
        return False
    try:
        handle = os.open(work / _LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return True
    try:
        return _taken(handle)
    finally:
        os.close(handle)


def unfinished(home: Path) -> dict[Path, bytes | None]:
    """What files are to hold once an interrupted edit in this folder is finished; None: they are gone.

    Nothing is written. A file that changed since is as it is.
    """
    if not os.path.lexists(home / EDITING):
        return {}
    try:
        plan, back = _Work(Path(os.path.realpath(home))).plan()
        held = {step.target: step.standing() for step in plan}
        back = back or _cannot_go_on(plan, held)
        found: dict[Path, bytes | None] = {}
        for step in plan:
            stands, wanted = (step.after, step.before) if back else (step.before, step.after)
            if held[step.target] == stands:
                # A deleted file was put where a new one would lie.
                kept = step.old if back and step.after is not None else step.new
                data = content(kept) if wanted is not None else None
                # Whoever is at work there right now may just have put it in its place.
                if digest(data) == wanted:
                    found[step.target] = data
        return found
    except OSError:
        return {}


def as_finished(file: Path) -> bytes:
    """What a file of a campaign holds, or is to hold once an interrupted edit is finished.

    Raises:
        OSError: when it cannot be read.
    """
    for folder in (file.parent, file.parent.parent):
        if os.path.lexists(folder / EDITING):
            held = unfinished(folder).get(Path(os.path.realpath(file)))
            if held is not None:
                return held
    return read_file(file)


# -- the folder of an edit -------------------------------------------------------------------------


class _Work(NamedTuple):
    """The folder that an edit works in, below the real folder of its files."""

    home: Path

    @property
    def folder(self) -> Path:
        return self.home / EDITING

    def plan(self) -> tuple[list[_Step], bool]:
        """The steps that the journal tells, and whether they are being taken back; no steps where there
        is no journal.

        Raises:
            OSError: when it is not as an edit left it.
        """
        if not is_folder(self.folder):
            raise Overtaken("this is no folder of Chronicle's; move it away", self.folder)

        back = os.path.lexists(self.folder / _BACK)
        journal = self.folder / (_BACK if back else JOURNAL)
        if not os.path.lexists(journal):
            return [], False
        try:
            if journal.stat().st_size > _MOST:
                raise ValueError
            told = read_json(content(journal) or b"")
            plan = [
                _Step(
                    self._inside(str(one["name"])),
                    self.folder / f"{number}.old",
                    self.folder / f"{number}.new",
                    one["before"],
                    one["after"],
                    tuple(self._inside(str(name)) for name in one["folders"]),
                )
                for number, one in enumerate(told["files"])
            ]
            return plan, back
        except (ValueError, KeyError, TypeError):
            raise Overtaken(
                "it is not as Chronicle left it; look into it, then delete it", self.folder
            ) from None

    def _inside(self, name: str) -> Path:
        """A file below the folder, reached through no link.

        Raises:
            ValueError: when the name leads elsewhere.
        """
        parts = PurePosixPath(name).parts
        if not parts or any(part in ("..", ".", EDITING) or "\\" in part for part in parts):
            raise ValueError(name)
        if PurePosixPath(name).is_absolute() or ":" in parts[0]:
            raise ValueError(name)
        file = self.home.joinpath(*parts)
        if Path(os.path.realpath(file)) != file:
            raise ValueError(name)
        return file


class _Step(NamedTuple):
    """One file of an edit that is laid ready. Digests stand for contents."""

    target: Path
    old: Path
    new: Path
    before: str | None
    after: str | None
    folders: tuple[Path, ...]
    """The folders to be made for it."""
    change: Change | None = None

    @classmethod
    def of(cls, work: _Work, number: int, change: Change) -> _Step:
        target = Path(os.path.realpath(change.file))
        if not target.is_relative_to(work.home) or target == work.home:
            raise Overtaken("it lies elsewhere, behind a link", change.file)
        folders = tuple(
            folder
            for folder in reversed(target.parents)
            if folder.is_relative_to(work.home) and not folder.exists()
        )
        stem = work.folder / str(number)
        digests = digest(change.before), digest(change.after)
        old, new = stem.with_suffix(".old"), stem.with_suffix(".new")
        return cls(target, old, new, *digests, folders, change)

    def told(self, work: _Work) -> dict[str, Any]:
        """The step as the journal has it."""
        return {
            "name": self.target.relative_to(work.home).as_posix(),
            "before": self.before,
            "after": self.after,
            "folders": [folder.relative_to(work.home).as_posix() for folder in self.folders],
        }

    def standing(self) -> str | None:
        """The digest of what stands there now."""
        if self.target.is_symlink():
            return "a link"
        return digest(content(self.target))

    def applied(self) -> bool:
        """Whether the file was replaced: then the new content does not lie ready any more."""
        if self.after is None:
            return os.path.lexists(self.new)
        return digest(content(self.new)) != self.after

    def lay_ready(self) -> None:
        """Write the contents that may be needed, before anything else is touched."""
        assert self.change is not None
        with about(self.change.file):
            now = self.standing()
            if now != self.before:
                raise changed(self.change.file, self.before, now)
            mode = 0o600 if self.change.private else 0o666
            kept: int | None = None
            if self.before is not None:
                kept = stat.S_IMODE(self.target.stat().st_mode)
                write_new(self.old, self.change.before or b"", mode, kept)
            if self.after is not None:
                write_new(self.new, self.change.after or b"", mode, kept)

    def do(self) -> None:
        """Replace the file.

        Raises:
            Overtaken: when it does not hold what it held.
        """
        with about(self.target):
            for folder in self.folders:
                folder.mkdir(exist_ok=True)
            put(self.new, self.target, self.before, self.after)

    def hold_unwritten(self) -> None:
        """Hold that nobody wrote into the old file after it was replaced: a program that had opened it
        before does not know of the new one.

        Raises:
            Changed: when somebody did.
        """
        out = digest(content(self.new))
        if self.before is not None and out not in (None, self.before):
            raise changed(self.target, self.before, out)

    def undo(self) -> None:
        """Put back what was there, unless somebody has changed the file since."""
        source = self.old
        if self.after is None or self.before is None:
            # A deleted file comes back from where it was put; a made one goes there.
            source = self.new
        put(source, self.target, self.after, self.before)


def _carry_out(work: _Work, plan: list[_Step]) -> None:
    import json

    try:
        for step in plan:
            step.lay_ready()
        told = {"chronicle-edit": 1, "files": [step.told(work) for step in plan]}
        write_new(work.folder / _PART, json.dumps(told).encode("utf-8"), 0o600, None)
        (work.folder / _PART).replace(work.folder / JOURNAL)
        sync(work.folder)
        for step in plan:
            step.do()
        _sync_all(plan)
        for step in plan:
            step.hold_unwritten()
    except BaseException:
        # From here on nothing needs room on the disk.
        if (work.folder / JOURNAL).exists():
            _take_back(work, plan)
        _close(work)
        raise
    # The edit is done. What cannot be tidied up now is when the next one begins.
    with contextlib.suppress(OSError):
        _close(work)


def _take_back(work: _Work, plan: list[_Step]) -> None:
    """Undo the steps that were done; a file that somebody has changed since stays as it is."""
    if (work.folder / JOURNAL).exists():
        # What lies ready changes places from here on: nobody may take the edit for one to go on with.
        (work.folder / JOURNAL).replace(work.folder / _BACK)
        sync(work.folder)
    for step in reversed(plan):
        if not _rescued(step) and step.standing() == step.after:
            step.undo()
        for folder in reversed(step.folders):
            with contextlib.suppress(OSError):
                folder.rmdir()
    _sync_all(plan)


def _rescued(step: _Step) -> bool:
    """Put words back that somebody saved in the very moment in which the file was exchanged."""
    if step.before is None or step.after is None:
        return False
    out = digest(content(step.new))
    if out in (None, step.before, step.after) or step.standing() != step.after:
        return False
    step.new.replace(step.target)
    return True


def _cannot_go_on(plan: list[_Step], held: Mapping[Path, str | None]) -> bool:
    """Whether an interrupted edit has to be taken back: a file that was not replaced yet was changed
    by somebody, and none that was."""
    others = [step for step in plan if held[step.target] not in (step.before, step.after)]
    return bool(others) and not any(step.applied() for step in others)


def _settled(work: _Work) -> str | None:
    """Finish or take back what an earlier edit left, and clear its folder."""
    if not any(re.fullmatch(_OURS, one.name) for one in work.folder.iterdir()):
        return None
    plan, back = work.plan()
    if not plan:
        _close(work)
        return f"'{work.home}': an edit was interrupted; what it left is cleared away"
    saved = [step for step in plan if _rescued(step)]
    held = {step.target: step.standing() for step in plan}
    back = back or bool(saved) or _cannot_go_on(plan, held)
    if back:
        _take_back(work, plan)
    else:
        for step in plan:
            if held[step.target] == step.before:
                step.do()
        _sync_all(plan)
    _close(work)
    others = [
        step.target.name for step in plan if held[step.target] not in (step.before, step.after)
    ]
    but = f"; what was written into {', '.join(others)} meanwhile stays" if others else ""
    how = "taken back" if back else "finished"
    return f"'{work.home}': an edit was interrupted, and is {how} now{but}"


def _sync_all(plan: list[_Step]) -> None:
    for folder in sorted({step.target.parent for step in plan}):
        sync(folder)


def _close(work: _Work) -> None:
    """Take away what lay ready, the journal first: without it, the edit is over."""
    names = [one.name for one in work.folder.iterdir() if re.fullmatch(_OURS, one.name)]
    for name in sorted(names, key=lambda name: name not in (JOURNAL, _BACK)):
        one = work.folder / name
        if is_folder(one):
            import shutil

            shutil.rmtree(one)
        else:
            one.unlink(missing_ok=True)


@contextlib.contextmanager
def _work(home: Path) -> Iterator[_Work]:
    """The folder to work in, and nobody else in it.

    Raises:
        Overtaken: when somebody is, or what stands there is not ours.
        OSError: when it cannot be made.
    """
    work = _Work(Path(os.path.realpath(home)))
    try:
        handle = _locked(work)
    except OSError:
        with contextlib.suppress(OSError):
            work.folder.rmdir()
        raise
    try:
        yield work
    finally:
        # Where open files cannot be taken away, it has to be closed first.
        lock = work.folder / _LOCK
        try:
            with contextlib.suppress(OSError):
                lock.unlink()
        finally:
            os.close(handle)
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                lock.unlink(missing_ok=True)
            work.folder.rmdir()


def _locked(work: _Work) -> int:
    """The handle of the lock, which the system lets go when the process ends, however it ends."""
    until = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(FileExistsError):
            work.folder.mkdir()
        if not is_folder(work.folder):
            raise Overtaken("this is no folder of Chronicle's; move it away", work.folder)
        lock = work.folder / _LOCK
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        try:
            handle = os.open(lock, flags, 0o600)
        except FileNotFoundError:
            continue  # whoever was here has just left, and taken the folder away
        try:
            if _taken(handle) and _same(handle, lock):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if time.monotonic() > until:
            raise Overtaken("another command is changing these files; try again", work.home)
        time.sleep(0.02)


def _taken(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some network disks have no locks at all; there the comparison has to do.
        return error.errno in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
    return True


def _same(handle: int, lock: Path) -> bool:
    """Whether the lock we hold is the one that stands there: its last owner takes it away."""
    try:
        return os.path.samestat(os.fstat(handle), lock.stat())
    except OSError:
        return False
