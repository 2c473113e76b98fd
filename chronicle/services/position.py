"""A position in a log: the moment after an entry, and the replay there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from chronicle.core.replay import Replay
from chronicle.services import writing
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable, version_of

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

    @property
    def is_end(self) -> bool:
        """Whether this is the end of the log."""
        return not self.file and not self.branch

    @contextmanager
    def replay(self) -> Iterator[Replay[Any]]:
        """The replay at this position. Changes of it do not affect the record.

        Raises:
            Unanswerable: if nothing is replayed there.
        """
        file_name = self.file or writing.last_session_file(self.opened)
        with self.opened.workspace.at(file_name, self.line if self.file else END) as replay:
            if replay is None:
                raise (
                    self.opened.unreadable()
                    if self.opened.workspace.record is None
                    else Unanswerable("nothing is played in this file", "look at a session")
                )
            for entry in self.branch:
                for typed_entry in writing.read_entries(entry):
                    self.opened.workspace.attempt(replay, writing.as_list_item(typed_entry))
            yield replay


def place_reached(opened: OpenCampaign, replay: Replay[Any]) -> dict[str, Any]:
    """The file, the line and the version of the entry that a replay has reached."""
    steps = [step for step in replay.play.steps if step.parent is None]
    session = replay.sessions[-1] if replay.sessions else None
    action = steps[-1].action if steps else None
    if session is not None and (action is None or steps[-1].number < session.first_step):
        # The session has no entry yet.
        file, line = session.session.path, 0
    else:
        file, line = (action.path, action.whole_place.line) if action is not None else ("", 0)
    is_known = any(campaign_file.name == file for campaign_file in opened.files())
    version = version_of(opened.text(file)) if is_known else ""
    return {"file": file, "line": line, "version": version}
