"""Find a moment of play by number, by id, or by a line of a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from chronicle.cli.out import Cannot
from chronicle.core.figures import is_figure
from chronicle.core.file_reading import real_path

if TYPE_CHECKING:
    from chronicle.core.record import Record, SessionRecord

_LINE = re.compile(r"(?P<file>.+):(?P<line>[0-9]{1,9})(?::[0-9]+)?\Z")


def file_and_line(text: str) -> tuple[Path, int] | None:
    """``FILE:LINE`` (a column may follow), or None if it is something else."""
    match = _LINE.match(text)
    return (Path(match["file"]), int(match["line"])) if match else None


def find_file(file: Path, folders: list[Path]) -> Path:
    """The named file: the path as given, or the only file of the campaigns in ``folders`` whose path ends
    with it (``01.yaml``, ``lamps/01.yaml``).

    Raises:
        Cannot: when there is none, or more than one.
    """
    if file.is_file():
        return file
    parts = [part for part in file.parts if part != "."]
    hits = [
        log_file
        for folder in folders
        for log_file in (*sorted(folder.glob("*.yaml")), *sorted(folder.glob("characters/*.yaml")))
        if log_file.name != "campaign.yaml"
        and list(real_path(log_file).parts[-len(parts) :]) == parts
    ]
    if len(hits) > 1:
        raise Cannot(f"'{file}' may be one of {len(hits)} files", *map(str, hits))
    if not hits:
        raise Cannot(f"there is no file '{file}' here")
    return hits[0]


def step_at(record: Record, moment: str) -> int:
    """The number of the named entry.

    Raises:
        Cannot: when there is no such entry.
    """
    last_step = len(record.steps)
    if is_figure(moment):
        if int(moment) > last_step:
            raise Cannot(f"there are only {last_step} entries")
        return int(moment)
    file_and_line_named = file_and_line(moment)
    if file_and_line_named is not None:
        return step_on(
            record,
            find_file(file_and_line_named[0], [Path(record.campaign.path).parent]),
            file_and_line_named[1],
        )
    for step in record.steps:
        if moment in (step.action.id, step.anchor):
            return step.number
    raise Cannot(f"no entry '{moment}'", "write its number, its id, or FILE:LINE")


def step_on(record: Record, file: Path, line: int) -> int:
    """The number of the entry on a line, or of the last entry before that line.

    Raises:
        Cannot: when the file is no session of this campaign, or has no entry there.
    """
    if line < 1:
        raise Cannot(f"there is no line {line}", "the lines of a file are counted from 1")
    number = 0
    is_in_record = False
    for step in record.steps:
        span = step.action.whole_place
        if not _is_same_file(span.path, file):
            continue
        is_in_record = True
        if span.line <= line:
            # An inner entry starts later than its outer entry, and is meant.
            number = step.number
    if not is_in_record:
        raise Cannot(
            f"'{file}' holds no entry of this campaign",
            f"its sessions: {', '.join(session.session.path for session in record.sessions)}",
        )
    if not number:
        raise Cannot(f"above line {line} of '{file}' there is no entry")
    return number


def opening_of(record: Record, file: Path) -> tuple[SessionRecord, int] | None:
    """The session whose file this is, and the line of its first entry (0: it has none)."""
    for session in record.sessions:
        if _is_same_file(session.session.path, file):
            lines = (
                step.action.whole_place.line
                for step in record.steps
                if _is_same_file(step.action.whole_place.path, file)
            )
            return session, next(lines, 0)
    return None


def _is_same_file(path: str, file: Path) -> bool:
    return Path(path).resolve() == file.resolve()
