"""Misplaced session files: outside of every campaign, in a subfolder of one, or named ``.txt``."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.source import whole_file
from chronicle.syntax.problems import problem

_SESSION = re.compile(rb"(?m)^session:")
_LOG = re.compile(rb"(?m)^log:")
_ROOMS: Final = frozenset({"characters", "journal", "notes", "art"})
_SETTINGS: Final = "campaign.yaml"
_ENOUGH: Final = 100_000
"""Number of bytes that are read to recognise a session."""


def misplaced_sessions(folder: Path) -> list[Path]:
    """Files that look like sessions but are never read: ``.txt`` files beside ``campaign.yaml``, and
    ``.yaml`` files in a subfolder that is no campaign and has no purpose of its own."""
    candidates: list[Path] = []
    # One directory scan instead of a question for each file. A campaign may exist in memory only, without a
    # folder.
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as folder_entries:
        for folder_entry in folder_entries:
            if os.path.normcase(folder_entry.name).endswith(".txt"):
                candidates.append(folder / folder_entry.name)
            if (
                folder_entry.name[:1] == "."
                or folder_entry.name in _ROOMS
                or not folder_entry.is_dir(follow_symlinks=False)
            ):
                continue
            inner = folder / folder_entry.name
            if not (inner / _SETTINGS).exists():
                candidates += inner.glob("*.yaml")
    linked = (
        {os.path.realpath(link) for link in folder.glob("*.yaml") if link.is_symlink()}
        if candidates
        else set()
    )
    return [
        file
        for file in sorted(candidates)
        if os.path.realpath(file) not in linked and reads_like_a_session(file)
    ]


def reads_like_a_session(file: Path) -> bool:
    """Whether a file has the head and the log of a session."""
    try:
        if file.is_symlink() or not file.is_file():
            return False
        with file.open("rb") as opened:
            text = opened.read(_ENOUGH)
    except OSError:
        return False
    return bool(_SESSION.search(text) and _LOG.search(text))


def misplaced_in_project(project: Path) -> list[Diagnostic]:
    """The problems of session files outside of campaigns: in the root of a project, or in ``sessions/``
    among the campaigns."""
    if not project.is_dir() or (project / _SETTINGS).exists():
        return []
    return [
        problem(
            "T43",
            "this session lies in no campaign, and is not read",
            whole_file(str(file)),
            "put it into the folder of its campaign, beside campaign.yaml",
            finding=Finding.UNREADABLE,
        )
        for folder in (project, project / "sessions")
        if folder.is_dir() and not (folder / _SETTINGS).exists()
        for file in sorted(folder.glob("*.yaml"))
        if reads_like_a_session(file)
    ]
