"""A desk that stores campaigns in memory: for a browser, without a disk.

Files are in a folder in memory. The browser gets every change before the answer, stores it, and returns the
files when the desk is opened again. All data is JSON text, as on every server."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final
from weakref import finalize

from chronicle.core.file_names import portable_name
from chronicle.core.files import ContentChange, changed_error, digest
from chronicle.games import forget_plugins
from chronicle.services.desk import WRITING_QUESTIONS, Desk
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.syntax.bundle import (
    BadBundle,
    Bundle,
    bundle_of_files,
    collect_files,
    pack_bundle,
    read_bundle,
    size_limit,
)
from chronicle.words import word

Files = dict[str, "bytes | None"]
Buffer = bytes | bytearray | memoryview
"""The content of a file as JavaScript passes it."""

SITE_PREFIX: Final = "@"
"""Prefix of the ids of campaigns that the desk's own site publishes; no other ids have it."""
MOST_LATE_ENTRIES: Final = 60
"""Number of latest entries that a page loads when it opens a campaign."""


class MemoryDesk:
    """The campaigns in a folder in memory, and the desk for them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.room = CampaignRoom(self.folder, self._write, has_lasting_path=False)
        self.desk = Desk(self.room)
        self._changed: dict[str, Files] = {}

    # -- questions -------------------------------------------------------------------------------

    def ask(self, question: str) -> str:
        """The answer to a question. Its changes are in :meth:`changes` and not stored yet."""
        answer = self.desk.ask(json.loads(question))
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def writes(question_name: str) -> bool:
        """Whether a question may change anything."""
        return question_name in WRITING_QUESTIONS

    def changes(self) -> dict[str, Files]:
        """The contents of files that changed since the last call, by campaign and name (None: deleted)."""
        changes_made, self._changed = self._changed, {}
        return changes_made

    def _write(self, campaign_folder: Path, changes: list[ContentChange]) -> None:
        real_changes = [change for change in changes if change.old_data != change.new_data]
        for change in real_changes:
            present_data = change.file.read_bytes() if change.file.is_file() else None
            if present_data != change.old_data:
                raise changed_error(change.file, digest(change.old_data), digest(present_data))
        for change in real_changes:
            _store_file(change.file, change.new_data)
            path = change.file.relative_to(self.folder)
            self._changed.setdefault(path.parts[0], {})["/".join(path.parts[1:])] = change.new_data

    # -- what is kept elsewhere ------------------------------------------------------------------

    def hold(self, campaign_id: str, files: Mapping[str, Buffer]) -> None:
        """Set the files of a campaign to exactly these; without files, remove it."""
        campaign_folder = self.folder / campaign_id
        for file_name in collect_files(campaign_folder):
            if file_name not in files:
                (campaign_folder / file_name).unlink()
        for file_name, data in files.items():
            if size_limit(file_name):
                _store_file(campaign_folder / file_name, bytes(data))
        if not files:
            for folder in sorted(
                (path for path in campaign_folder.rglob("*") if path.is_dir()), reverse=True
            ):
                folder.rmdir()
            if campaign_folder.is_dir():
                campaign_folder.rmdir()
            self.room.close(campaign_id)
        for opened in self.room.open_campaigns():
            if opened.id == campaign_id:
                opened.workspace.reload()

    def look(self, files: Mapping[str, Buffer]) -> str:
        """The answers to some questions about a campaign that is not stored, as JSON, by question; for an
        unreadable campaign, the error under ``open``."""
        trial_campaign_id = self.unused_id("tried")
        self.hold(trial_campaign_id, files)
        try:
            return json.dumps(self._answers(trial_campaign_id, ("findings", "log")))
        finally:
            self.hold(trial_campaign_id, {})

    def first(self, campaign_id: str) -> str:
        """The answers to the questions of a page that opens a campaign, as JSON; ``first_entry`` is the first
        entry under ``log_answer``. Empty for an unreadable campaign, or one without a session."""
        answers = self._answers(campaign_id, ("table", "findings"))
        if "table" not in answers:
            return "{}"
        del answers["findings"]["took"]  # Its time differs between calls.
        first_entry = max(1, answers["findings"]["entries"] - MOST_LATE_ENTRIES)
        log_answer = self.desk.ask({"ask": "log", "campaign": campaign_id, "first": first_entry})[
            "answer"
        ]
        return json.dumps({**answers, "log": log_answer, "since": first_entry}, ensure_ascii=False)

    def _answers(self, campaign_id: str, question_names: Iterable[str]) -> dict[str, Any]:
        """The answers to ``open`` and other questions, by question; for an unreadable campaign, the error."""
        open_answer = self.desk.ask({"ask": "open", "campaign": campaign_id})
        if "refused" in open_answer:
            return {"open": open_answer["refused"]}
        answers = {
            question_name: self.desk.ask({"ask": question_name, "campaign": campaign_id})
            for question_name in question_names
        }
        given_answers = {
            question_name: answer["answer"]
            for question_name, answer in answers.items()
            if "answer" in answer
        }
        return {"open": open_answer["answer"], **given_answers}

    # -- parcels ---------------------------------------------------------------------------------

    def parcel(self, *campaign_ids: str) -> bytes:
        """A bundle of campaigns, for :func:`receive` here or ``chronicle receive``."""
        return pack_bundle(
            {
                campaign_id.lstrip(SITE_PREFIX): collect_files(self.folder / campaign_id)
                for campaign_id in campaign_ids
            }
        )

    def receive(self, bundle_source: Buffer | Mapping[str, Buffer], bundle_name: str) -> str:
        """Import the campaigns of a bundle, or of the files of a folder. Each gets a new folder: nothing is
        overwritten. Returns JSON: their ids, and the files left out."""
        try:
            if isinstance(bundle_source, Mapping):
                bundle = bundle_of_files(
                    {file: bytes(data) for file, data in bundle_source.items()}, bundle_name
                )
            else:
                bundle = read_bundle(bytes(bundle_source), bundle_name)
        except BadBundle as error:
            message = word("server.cannot_be_imported", name=bundle_name, reason=error)
            return json.dumps({"refused": {"message": message, "help": [*error.help]}})
        return json.dumps(
            {"answer": {"campaigns": self._import_bundle(bundle), "left": bundle.ignored_paths}}
        )

    def _import_bundle(self, bundle: Bundle) -> list[str]:
        new_ids: list[str] = []
        for wanted_name, files in bundle.campaigns.items():
            new_id = self.unused_id(wanted_name)
            for file_name, data in files.items():
                _store_file(self.folder / new_id / file_name, data)
            self._changed[new_id] = {**files}
            new_ids.append(new_id)
        return new_ids

    def unused_id(self, wanted_name: str) -> str:
        """An id similar to a name that no campaign has."""
        base_id = candidate_id = portable_name(wanted_name.lstrip(SITE_PREFIX))
        suffix_number = 1
        existing_names = {path.name.casefold() for path in self.folder.iterdir()}
        while candidate_id.casefold() in existing_names:
            suffix_number += 1
            candidate_id = f"{base_id}-{suffix_number}"
        return candidate_id


def _store_file(file: Path, data: bytes | None) -> None:
    if data is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


class FirstAnswers:
    """Gives :meth:`MemoryDesk.first` for campaigns without a folder. Earlier campaigns stay in memory, so that
    only changes are read and replayed."""

    def __init__(self) -> None:
        folder = mkdtemp()
        finalize(self, rmtree, folder, ignore_errors=True)
        self._memory_desk = MemoryDesk(Path(folder))

    def of(self, campaign_id: str, files: Mapping[str, Buffer]) -> bytes:
        """The answers about a campaign with these files."""
        self._memory_desk.hold(campaign_id, files)
        return self._memory_desk.first(campaign_id).encode()


def open_device(folder: str, plugin_folder: str = "") -> Any:
    """A desk for a folder, called from JavaScript; ``plugin_folder`` is a folder with game plug-ins."""
    if plugin_folder:
        sys.path.append(plugin_folder)
        forget_plugins()
    return MemoryDesk(Path(folder))
