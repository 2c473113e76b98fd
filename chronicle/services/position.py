"""A position in a log: the moment after an entry, and the replay there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from chronicle.core.replay import Replay
from chronicle.services import writing
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable

END: Final = 1 << 30
"""The line that stands for the end of a file."""


class Position(NamedTuple):
    """The moment after the entry on a line of a file; without a file, after the last entry."""

    opened: OpenCampaign
    file: str = ""
    line: int = END
    branch: tuple[str, ...] = ()
    """Entries after that entry, as YAML, that are in no file."""

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What identifies the position within the record of its campaign."""
        return self.file, self.line, *self.branch

    @contextmanager
    def replay(self) -> Iterator[Replay[Any]]:
        """The replay at this position. Changes of it do not affect the record.

        Raises:
            Unanswerable: if nothing is replayed there.
        """
        file_name = self.file or writing.last_session(self.opened)
        with self.opened.workspace.at(file_name, self.line if self.file else END) as replay:
            if replay is None:
                raise (
                    self.opened.unreadable()
                    if self.opened.workspace.record is None
                    else Unanswerable("nothing is played in this file", "look at a session")
                )
            for entry in self.branch:
                for typed_entry in writing.read_entry(entry):
                    self.opened.workspace.attempt(replay, writing.as_item(typed_entry))
            yield replay
