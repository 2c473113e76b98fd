"""Writing files so that nobody ever finds half of one: all of the new text, or all of the old."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from tempfile import mkstemp


def write_bytes(file: Path, data: bytes) -> None:
    """Put ``data`` into ``file`` at once: a whole temporary file beside it takes its place.

    A link is followed, and the permissions of what stood there are kept.

    Raises:
        OSError: when the folder cannot be written to; what stood there stands unharmed.
    """
    target = Path(os.path.realpath(file))
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
        made.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            made.unlink()
        raise


def write_text(file: Path, text: str) -> None:
    """Put ``text`` into ``file`` at once, as UTF-8, its line ends as they are."""
    write_bytes(file, text.encode("utf-8"))
