"""Receive a copy of a campaign: find new files, and conflicts with the local ones.

Sessions are compared by their entries (:mod:`chronicle.syntax.compare`), regardless of file names; other
files by content. Nothing is written: :class:`ReceivedFile` gives the result for each file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from chronicle.campaigns import load, replay_session, run
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.core.files import changed_error
from chronicle.syntax.bundle import collect_files
from chronicle.syntax.compare import Comparison, comparable_logs, compare
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.merge_logs import merge_logs
from chronicle.syntax.text_edit import EditRefused, decode_for_edit


class ReceivedFile(NamedTuple):
    """A received file, and what should happen to it.

    ``name`` is its place in the campaign's folder. ``local_data`` is the present content (None: no file).
    ``relation`` is ``same``, ``new`` (no local file), ``more`` (it adds entries), ``less`` (the local file has
    more), ``both`` (each has entries of its own) or ``contradicts``. ``received_data`` is its content,
    ``merged_data`` the local content with the received entries added (None: there is none). ``comparison`` compares
    the two logs of a session."""

    name: str
    relation: str
    local_data: bytes | None
    received_data: bytes
    merged_data: bytes | None = None
    comparison: Comparison | None = None
    why_not_merged: str = ""

    @property
    def needs_no_decision(self) -> bool:
        """Whether no decision is needed."""
        return self.relation in ("same", "less", "new") or (
            self.relation == "more" and self.merged_data is not None
        )

    @property
    def result(self) -> bytes | None:
        """The content of the file unless the user decides otherwise."""
        match self.relation:
            case "new":
                return self.received_data
            case "more":
                return self.merged_data
        return self.local_data


def compare_files(
    own_folder: Path, received_folder: Path, own_files: Mapping[str, bytes] | None = None
) -> list[ReceivedFile]:
    """Compare the received campaign in the folder ``received_folder`` with that in ``own_folder``, file by file.
    ``own_files`` are the contents of the local files; by default they are read now.

    Raises:
        CampaignUnreadable: if the game of either is unknown.
        OSError: if a file cannot be read, or a session was saved under a new name in the meantime.
    """
    own_files, received_files = (
        collect_files(own_folder) if own_files is None else own_files,
        collect_files(received_folder),
    )
    # Both are read from these contents, even if files change meanwhile: the edit is based on them.
    local_campaign = load(
        own_folder,
        content_by_file={
            own_folder / local_name: local_data for local_name, local_data in own_files.items()
        },
    )
    received_campaign = load(received_folder)
    local_file_by_session = {
        session.number: _name_in_folder(session.path, own_folder)
        for session in local_campaign.sessions
    }
    session_files: list[ReceivedFile] = []
    for session in received_campaign.sessions:
        received_name = _name_in_folder(session.path, received_folder)
        received_data = received_files.pop(received_name, None)
        if received_data is None:
            continue
        local_name = local_file_by_session.get(session.number)
        if local_name is None:
            session_files.append(_new_file(received_name, received_data, own_files))
        elif local_name not in own_files:
            raise changed_error(own_folder / local_name, "", "")
        elif own_files[local_name] == received_data:
            session_files.append(ReceivedFile(local_name, "same", received_data, received_data))
        else:
            session_files.append(
                _compare_sessions(
                    (local_campaign, own_folder, local_name),
                    (received_campaign, received_folder, received_name),
                    own_files[local_name],
                    received_data,
                )
            )
    other_files = [
        _compare_other(received_name, received_data, own_files.get(received_name))
        for received_name, received_data in received_files.items()
    ]
    return sorted(
        [*other_files, *session_files],
        key=lambda file: (file.name != SETTINGS_FILE, file.name),
    )


def _name_in_folder(file_path: str, folder: Path) -> str:
    """The name of a file in the folder of its campaign."""
    return Path(file_path).resolve().relative_to(folder.resolve()).as_posix()


def _new_file(
    received_name: str, received_data: bytes, local_files: Mapping[str, bytes]
) -> ReceivedFile:
    """A file without a local counterpart, under a free name."""
    stem, dot, suffix = received_name.rpartition(".")
    free_name, suffix_number = received_name, 1
    existing_names = {local_name.casefold() for local_name in local_files}
    while free_name.casefold() in existing_names:
        suffix_number += 1
        free_name = f"{stem}-{suffix_number}{dot}{suffix}"
    return ReceivedFile(free_name, "new", None, received_data)


def _compare_other(file_name: str, received_data: bytes, local_data: bytes | None) -> ReceivedFile:
    if local_data is None:
        return ReceivedFile(file_name, "new", None, received_data)
    return ReceivedFile(
        file_name,
        "same" if local_data == received_data else "contradicts",
        local_data,
        received_data,
    )


FileOfCampaign = tuple[Campaign, Path, str]
"""A campaign, its folder, and one of its files."""


def _compare_sessions(
    local_file: FileOfCampaign,
    received_file: FileOfCampaign,
    local_data: bytes,
    received_data: bytes,
) -> ReceivedFile:
    """Compare two logs of one session."""
    local_name = local_file[2]
    session_readings = [
        replay_session(campaign, (folder / file).resolve())
        for campaign, folder, file in (local_file, received_file)
    ]
    if session_readings[0] is None or session_readings[1] is None:
        return ReceivedFile(local_name, "contradicts", local_data, received_data)
    comparison = compare(*comparable_logs(session_readings[0], session_readings[1]))
    relation = _relation_of_logs(comparison)
    if relation in ("same", "less"):
        return ReceivedFile(local_name, relation, local_data, received_data, None, comparison)
    merged_data, why_not_merged = None, ""
    try:
        source = decode_for_edit(local_data, local_name)
        merged_data = source.bytes_of(
            merge_logs(
                comparison, source.text, decode_for_edit(received_data, received_file[2]).text
            )
        )
    except EditRefused as error:
        why_not_merged = str(error)
    return ReceivedFile(
        local_name, relation, local_data, received_data, merged_data, comparison, why_not_merged
    )


def _relation_of_logs(comparison: Comparison) -> str:
    """The relation of two logs."""
    if comparison.head_differences or comparison.pairs_of_kinds("conflict", "moved", "unreadable"):
        return "contradicts"
    has_own_entries, has_foreign_entries = (
        bool(comparison.pairs_of_kinds("only one")),
        bool(comparison.pairs_of_kinds("only other")),
    )
    return {(False, False): "same", (True, False): "less", (False, True): "more"}.get(
        (has_own_entries, has_foreign_entries), "both"
    )


def count_errors(folder: Path, changed_contents: dict[str, bytes]) -> tuple[int, int]:
    """The number of errors in a campaign now, and with other contents of some files."""
    current_record = run(load(folder))
    changed_record = run(
        load(
            folder,
            content_by_file={
                folder / name: new_content for name, new_content in changed_contents.items()
            },
        )
    )
    current_counts, changed_counts = (
        count_severities(current_record.diagnostics),
        count_severities(changed_record.diagnostics),
    )
    return current_counts[Severity.ERROR], changed_counts[Severity.ERROR]


def find_local_campaigns(
    folders: Iterable[Path], received_name: str, received_folder: Path
) -> Iterator[Path]:
    """The local campaigns that a received one may belong to: in a folder of its name, or else those with its
    title and game."""
    folders_with_name = [
        folder for folder in folders if folder.resolve().name.casefold() == received_name.casefold()
    ]
    if folders_with_name:
        yield from folders_with_name
        return
    received_campaign = load(received_folder)
    for folder in folders:
        local_campaign = load(folder)
        if (local_campaign.title, local_campaign.game) == (
            received_campaign.title,
            received_campaign.game,
        ):
            yield folder
