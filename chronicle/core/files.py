"""Writing files so that nobody ever finds half of one: all of the new text, or all of the old."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import mkstemp


def write_bytes(file: Path, data: bytes) -> None:
    """Put ``data`` into ``file`` at once: a whole temporary file beside it takes its place.

    A link is followed, and the permissions of what stood there are kept.

    Raises:
        OSError: when the folder cannot be written to; what stood there stands unharmed.
    """
    write_all({file: data})


def write_all(files: Mapping[Path, bytes]) -> None:
    """Put new contents into several files, or into none: only when all of them lie ready do they take
    the places of the old ones.

    Raises:
        OSError: when one of them cannot be written; what stood there stands unharmed.
    """
    ready: list[tuple[Path, Path]] = []
    replaced: list[tuple[Path, bytes | None]] = []
    try:
        for file, data in files.items():
            target = Path(os.path.realpath(file))
            with _about(file):
                ready.append((_beside(target, data), target))
        for file, (made, target) in zip(files, ready, strict=True):
            with _about(file):
                before = target.read_bytes() if len(ready) > 1 and target.exists() else None
                made.replace(target)
            replaced.append((target, before))
    except BaseException:
        for made, _ in ready:
            with contextlib.suppress(OSError):
                made.unlink()
        for target, before in replaced:
            with contextlib.suppress(OSError):
                if before is None:
                    target.unlink()
                else:
                    _beside(target, before).replace(target)
        raise


@contextlib.contextmanager
def _about(file: Path) -> Iterator[None]:
    """Errors in here speak of the file that is meant, not of the temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


def _beside(target: Path, data: bytes) -> Path:
    """A temporary file beside ``target`` that holds ``data``, with the permissions of the target."""
    try:
        mode = target.stat().st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    handle, name = mkstemp(dir=target.parent, prefix=".new-")
    made = Path(name)
    try:
        # Without a buffer: one that cannot be emptied would fail again when it is closed.
        with open(handle, "wb", buffering=0) as stream:  # noqa: PTH123 - a descriptor, not a path
            rest = memoryview(data)
            while rest:
                rest = rest[stream.write(rest) :]
            os.fsync(stream.fileno())
        made.chmod(mode)
    except BaseException:
        with contextlib.suppress(OSError):
            made.unlink()
        raise
    return made


def write_text(file: Path, text: str) -> None:
    """Put ``text`` into ``file`` at once, as UTF-8, its line ends as they are."""
    write_bytes(file, text.encode("utf-8"))
