"""Sessions that lie where nobody looks: outside of every campaign, in a folder below one, as ``.txt``."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.source import whole_file
from chronicle.transcript.problems import problem

_SESSION = re.compile(rb"(?m)^session:")
_LOG = re.compile(rb"(?m)^log:")
_ROOMS: Final = frozenset({"characters", "journal", "notes", "art"})
_SETTINGS: Final = "campaign.yaml"
_ENOUGH: Final = 100_000
"""So much of a file tells whether it is a session."""


def stray_sessions(folder: Path) -> list[Path]:
    """Files that read like sessions and lie where none is looked for: beside ``campaign.yaml`` as
    ``.txt``, or as ``.yaml`` in a folder below that is no campaign and has no job of its own."""
    found: list[Path] = []
    # By what the folder says of them: nobody has to ask for hundreds of files one by one. A campaign may
    # consist of texts in memory alone, and have no folder on the disk.
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as inside:
        for one in inside:
            if os.path.normcase(one.name).endswith(".txt"):
                found.append(folder / one.name)
            if one.name[:1] == "." or one.name in _ROOMS or not one.is_dir(follow_symlinks=False):
                continue
            inner = folder / one.name
            if not (inner / _SETTINGS).exists():
                found += inner.glob("*.yaml")
    linked = (
        {os.path.realpath(one) for one in folder.glob("*.yaml") if one.is_symlink()}
        if found
        else set()
    )
    return [
        file
        for file in sorted(found)
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


def outside(project: Path) -> list[Diagnostic]:
    """What is said of sessions that lie in no campaign: at the root of a project, or in ``sessions/``
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
