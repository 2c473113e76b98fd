"""Receive a copy of a campaign: find new files, and conflicts with the local ones.

Sessions are compared by their entries (:mod:`chronicle.syntax.compare`), regardless of file names; other
files by content. Nothing is written: :class:`Arrival` gives the result for each file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from chronicle.campaigns import evening, load, run
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Severity, count_severities
from chronicle.core.files import changed_error
from chronicle.syntax.bundle import collect_files
from chronicle.syntax.compare import Comparison, comparable_logs, compare
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.merge_logs import merge_logs
from chronicle.syntax.text_edit import EditRefused, decode_for_edit


class Arrival(NamedTuple):
    """A received file, and what should happen to it.

    ``name`` is its place in the campaign's folder. ``local`` is the present content (None: no file).
    ``kind`` is ``same``, ``new`` (no local file), ``more`` (it adds entries), ``less`` (the local file has
    more), ``both`` (each has entries of its own) or ``contradicts``. ``received`` is its content,
    ``draft`` the local content with the received entries added (None: there is none). ``comparison`` compares
    the two logs of a session."""

    name: str
    kind: str
    local: bytes | None
    received: bytes
    draft: bytes | None = None
    comparison: Comparison | None = None
    why: str = ""

    @property
    def needs_no_decision(self) -> bool:
        """Whether no decision is needed."""
        return self.kind in ("same", "less", "new") or (
            self.kind == "more" and self.draft is not None
        )

    @property
    def result(self) -> bytes | None:
        """The content of the file unless the user decides otherwise."""
        match self.kind:
            case "new":
                return self.received
            case "more":
                return self.draft
        return self.local


def arrivals(
    own_folder: Path, received: Path, own_files: Mapping[str, bytes] | None = None
) -> list[Arrival]:
    """Compare the received campaign in the folder ``received`` with that in ``own_folder``, file by file.
    ``own_files`` are the contents of the local files; by default they are read now.

    Raises:
        CampaignUnreadable: if the game of either is unknown.
        OSError: if a file cannot be read, or a session was saved under a new name in the meantime.
    """
    own_files, received_files = (
        collect_files(own_folder) if own_files is None else own_files,
        collect_files(received),
    )
    # Both are read from these contents, even if files change meanwhile: the edit is based on them.
    local_campaign = load(
        own_folder, instead={own_folder / name: data for name, data in own_files.items()}
    )
    foreign = load(received)
    local_files = {
        session.number: _name(session.path, own_folder) for session in local_campaign.sessions
    }
    results: list[Arrival] = []
    for session in foreign.sessions:
        name = _name(session.path, received)
        data = received_files.pop(name, None)
        if data is None:
            continue
        local_name = local_files.get(session.number)
        if local_name is None:
            results.append(_new_file(name, data, own_files))
        elif local_name not in own_files:
            raise changed_error(own_folder / local_name, "", "")
        elif own_files[local_name] == data:
            results.append(Arrival(local_name, "same", data, data))
        else:
            results.append(
                _compare_sessions(
                    (local_campaign, own_folder, local_name),
                    (foreign, received, name),
                    own_files[local_name],
                    data,
                )
            )
    other_results = [
        _compare_other(name, data, own_files.get(name)) for name, data in received_files.items()
    ]
    return sorted(
        [*other_results, *results],
        key=lambda arrival: (arrival.name != SETTINGS_FILE, arrival.name),
    )


def _name(path: str, folder: Path) -> str:
    """The name of a file in the folder of its campaign."""
    return Path(path).resolve().relative_to(folder.resolve()).as_posix()


def _new_file(name: str, data: bytes, local_files: Mapping[str, bytes]) -> Arrival:
    """A file without a local counterpart, under a free name."""
    stem, dot, ending = name.rpartition(".")
    free, count = name, 1
    existing = {name_taken.casefold() for name_taken in local_files}
    while free.casefold() in existing:
        count += 1
        free = f"{stem}-{count}{dot}{ending}"
    return Arrival(free, "new", None, data)


def _compare_other(name: str, data: bytes, local_data: bytes | None) -> Arrival:
    if local_data is None:
        return Arrival(name, "new", None, data)
    return Arrival(name, "same" if local_data == data else "contradicts", local_data, data)


FileOfCampaign = tuple[Campaign, Path, str]
"""A campaign, its folder, and one of its files."""


def _compare_sessions(
    local: FileOfCampaign, foreign: FileOfCampaign, local_data: bytes, data: bytes
) -> Arrival:
    """Compare two logs of one session."""
    name = local[2]
    reads = [
        evening(campaign, (folder / file).resolve()) for campaign, folder, file in (local, foreign)
    ]
    if reads[0] is None or reads[1] is None:
        return Arrival(name, "contradicts", local_data, data)
    comparison = compare(*comparable_logs(reads[0], reads[1]))
    kind = _kind(comparison)
    if kind in ("same", "less"):
        return Arrival(name, kind, local_data, data, None, comparison)
    draft, reason = None, ""
    try:
        source = decode_for_edit(local_data, name)
        draft = source.bytes_of(
            merge_logs(comparison, source.text, decode_for_edit(data, foreign[2]).text)
        )
    except EditRefused as error:
        reason = str(error)
    return Arrival(name, kind, local_data, data, draft, comparison, reason)


def _kind(comparison: Comparison) -> str:
    """The relation of two logs."""
    if comparison.head_differences or comparison.pairs_of_kinds("conflict", "moved", "unreadable"):
        return "contradicts"
    has_own, has_foreign = (
        bool(comparison.pairs_of_kinds("only one")),
        bool(comparison.pairs_of_kinds("only other")),
    )
    return {(False, False): "same", (True, False): "less", (False, True): "more"}.get(
        (has_own, has_foreign), "both"
    )


def errors_with(folder: Path, files: dict[str, bytes]) -> tuple[int, int]:
    """The number of errors in a campaign now, and with other contents of some files."""
    current = run(load(folder))
    changed_run = run(load(folder, instead={folder / name: data for name, data in files.items()}))
    current_counts, changed_counts = (
        count_severities(current.diagnostics),
        count_severities(changed_run.diagnostics),
    )
    return current_counts[Severity.ERROR], changed_counts[Severity.ERROR]


def same_campaign(folders: Iterable[Path], name: str, received: Path) -> Iterator[Path]:
    """The local campaigns that a received one may belong to: in a folder of its name, or else those with its
    title and game."""
    named = [folder for folder in folders if folder.resolve().name.casefold() == name.casefold()]
    if named:
        yield from named
        return
    foreign = load(received)
    for folder in folders:
        local = load(folder)
        if (local.title, local.game) == (foreign.title, foreign.game):
            yield folder
