"""Misplaced session files: outside of every campaign, in a subfolder of one, named ``.txt``, or among pages."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.source import whole_file
from chronicle.syntax.find import campaigns_folder_of
from chronicle.syntax.problems import problem

_SESSION_LINE = re.compile(rb"(?m)^session:")
_LOG_LINE = re.compile(rb"(?m)^log:")
_GAME_LINE = re.compile(rb"(?m)^game:")
_FOLDERS_WITH_PURPOSE: Final = frozenset({"characters", "journal", "notes", "art"})
_SETTINGS_NAME: Final = "campaign.yaml"
_MAX_BYTES_TO_READ: Final = 100_000
"""Number of bytes that are read to recognise a session."""
SESSION_PLACE_HELP: Final = "put it into the folder of its campaign, beside campaign.yaml"
"""The help for a session that no campaign reads."""


def misplaced_sessions(folder: Path) -> list[Path]:
    """Files that look like sessions but are never read: ``.txt`` files beside ``campaign.yaml``, and
    ``.yaml`` files in a subfolder that is no campaign and has no purpose of its own."""
    possible_files: list[Path] = []
    # One directory scan instead of a question for each file. A campaign may exist in memory only, without a
    # folder.
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as folder_entries:
        for folder_entry in folder_entries:
            if os.path.normcase(folder_entry.name).endswith(".txt"):
                possible_files.append(folder / folder_entry.name)
            if (
                folder_entry.name[:1] == "."
                or folder_entry.name in _FOLDERS_WITH_PURPOSE
                or not folder_entry.is_dir(follow_symlinks=False)
            ):
                continue
            subfolder = folder / folder_entry.name
            if not (subfolder / _SETTINGS_NAME).exists():
                possible_files += subfolder.glob("*.yaml")
    linked_paths = (
        {os.path.realpath(link) for link in folder.glob("*.yaml") if link.is_symlink()}
        if possible_files
        else set()
    )
    return [
        file
        for file in sorted(possible_files)
        if os.path.realpath(file) not in linked_paths and looks_like_a_session(file)
    ]


def looks_like_a_session(file: Path) -> bool:
    """Whether a file has the head and the log of a session."""
    return not file.is_symlink() and _has_line_of_each_pattern(file, _SESSION_LINE, _LOG_LINE)


def _has_line_of_each_pattern(file: Path, *patterns: re.Pattern[bytes]) -> bool:
    """Whether a file can be read and has a line of each pattern."""
    try:
        if not file.is_file():
            return False
        with file.open("rb") as stream:
            first_bytes = stream.read(_MAX_BYTES_TO_READ)
    except OSError:
        return False
    return all(pattern.search(first_bytes) for pattern in patterns)


def logs_among_pages(docs_folder: Path) -> list[Path]:
    """Campaigns (their folders) and single sessions (their files) below a folder of hand-written pages.

    A site builder would publish these files as they are, with every secret.
    """
    misplaced_logs: list[Path] = []
    seen_folders: set[str] = set()
    for folder_path, subfolders, file_names in os.walk(docs_folder, followlinks=True):
        folder = Path(folder_path)
        real_path = os.path.realpath(folder)
        if real_path in seen_folders:
            subfolders.clear()
            continue
        seen_folders.add(real_path)
        subfolders[:] = sorted(subfolder for subfolder in subfolders if subfolder[:1] != ".")
        if (
            folder != docs_folder
            and _SETTINGS_NAME in file_names
            and _has_line_of_each_pattern(folder / _SETTINGS_NAME, _GAME_LINE)
        ):
            misplaced_logs.append(folder)
            subfolders.clear()
            continue
        yaml_files = (
            folder / file_name for file_name in sorted(file_names) if file_name.endswith(".yaml")
        )
        misplaced_logs += [
            file for file in yaml_files if _has_line_of_each_pattern(file, _SESSION_LINE, _LOG_LINE)
        ]
    return misplaced_logs


def misplaced_in_project(project_folder: Path) -> list[Diagnostic]:
    """The problems of logs outside of campaigns: in the root of a project, in ``sessions/`` among the campaigns, or
    in ``docs/`` among the pages."""
    if not project_folder.is_dir() or (project_folder / _SETTINGS_NAME).exists():
        return []
    campaigns_folder = campaigns_folder_of(project_folder) or project_folder / "sessions"
    problems = [
        _misplaced_problem(
            file, "session", "in no campaign", SESSION_PLACE_HELP, DiagnosticKind.UNREADABLE
        )
        for folder in (project_folder, project_folder / "sessions")
        if folder.is_dir() and not (folder / _SETTINGS_NAME).exists()
        for file in sorted(folder.glob("*.yaml"))
        if looks_like_a_session(file)
    ]
    among_pages = "among the pages of the site"
    for log_path in logs_among_pages(project_folder / "docs"):
        if log_path.resolve().is_relative_to(campaigns_folder.resolve()):
            continue
        if log_path.is_dir():
            file, file_noun, place_help = (
                log_path / _SETTINGS_NAME,
                "campaign",
                f"move its folder to {campaigns_folder.name}/",
            )
        else:
            file, file_noun, place_help = log_path, "session", SESSION_PLACE_HELP
        problems.append(
            _misplaced_problem(file, file_noun, among_pages, place_help, DiagnosticKind.SUSPICIOUS)
        )
    return problems


def _misplaced_problem(
    file: Path,
    file_noun: str,
    location_words: str,
    place_help: str,
    diagnostic_kind: DiagnosticKind,
) -> Diagnostic:
    message = f"this {file_noun} lies {location_words}, and is not read"
    return problem("T43", message, whole_file(str(file)), place_help, kind=diagnostic_kind)
