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

_FILE_AND_LINE = re.compile(r"(?P<file>.+):(?P<line>[0-9]{1,9})(?::[0-9]+)?\Z")


def file_and_line(file_and_line_text: str) -> tuple[Path, int] | None:
    """``FILE:LINE`` (a column may follow), or None if it is something else."""
    line_match = _FILE_AND_LINE.match(file_and_line_text)
    return (Path(line_match["file"]), int(line_match["line"])) if line_match else None


def find_file(file: Path, folders: list[Path]) -> Path:
    """The named file: the path as given, or the only file of the campaigns in ``folders`` whose path ends
    with it (``01.yaml``, ``lamps/01.yaml``).

    Raises:
        Cannot: when there is none, or more than one.
    """
    if file.is_file():
        return file
    path_parts = [path_part for path_part in file.parts if path_part != "."]
    matching_files = [
        log_file
        for folder in folders
        for log_file in (*sorted(folder.glob("*.yaml")), *sorted(folder.glob("characters/*.yaml")))
        if log_file.name != "campaign.yaml"
        and list(real_path(log_file).parts[-len(path_parts) :]) == path_parts
    ]
    if len(matching_files) > 1:
        raise Cannot(
            f"'{file}' may be one of {len(matching_files)} files", *map(str, matching_files)
        )
    if not matching_files:
        raise Cannot(f"there is no file '{file}' here")
    return matching_files[0]


def step_number_at(record: Record, entry_reference: str) -> int:
    """The number of the named entry.

    Raises:
        Cannot: when there is no such entry.
    """
    step_count = len(record.steps)
    if is_figure(entry_reference):
        if int(entry_reference) > step_count:
            raise Cannot(f"there are only {step_count} entries")
        return int(entry_reference)
    named_file_and_line = file_and_line(entry_reference)
    if named_file_and_line is not None:
        return step_number_on_line(
            record,
            find_file(named_file_and_line[0], [Path(record.campaign.path).parent]),
            named_file_and_line[1],
        )
    for step in record.steps:
        if entry_reference in (step.action.id, step.anchor):
            return step.number
    raise Cannot(f"no entry '{entry_reference}'", "write its number, its id, or FILE:LINE")


def step_number_on_line(record: Record, file: Path, line_number: int) -> int:
    """The number of the entry on a line, or of the last entry before that line.

    Raises:
        Cannot: when the file is no session of this campaign, or has no entry there.
    """
    if line_number < 1:
        raise Cannot(f"there is no line {line_number}", "the lines of a file are counted from 1")
    step_number = 0
    has_entries_in_file = False
    for step in record.steps:
        span = step.action.whole_place
        if not _is_same_file(span.path, file):
            continue
        has_entries_in_file = True
        if span.line <= line_number:
            # An inner entry starts later than its outer entry, and is meant.
            step_number = step.number
    if not has_entries_in_file:
        raise Cannot(
            f"'{file}' holds no entry of this campaign",
            f"its sessions: {', '.join(session.session.path for session in record.sessions)}",
        )
    if not step_number:
        raise Cannot(f"above line {line_number} of '{file}' there is no entry")
    return step_number


def find_session_opening(record: Record, file: Path) -> tuple[SessionRecord, int] | None:
    """The session whose file this is, and the line of its first entry (0: it has none)."""
    for session in record.sessions:
        if _is_same_file(session.session.path, file):
            line_numbers = (
                step.action.whole_place.line
                for step in record.steps
                if _is_same_file(step.action.whole_place.path, file)
            )
            return session, next(line_numbers, 0)
    return None


def _is_same_file(path: str, file: Path) -> bool:
    return Path(path).resolve() == file.resolve()
