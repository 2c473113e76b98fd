"""Records to files for other programs."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.record import Record


def exports(record: Record) -> Iterator[tuple[str, str, bytes]]:
    """Files a reader may take away: (file name, what it is, bytes)."""
    yield from ()
