"""The campaigns of a folder, opened for the desk: their files, and how changes are written."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple, TypeVar

from chronicle.campaigns import find_campaigns
from chronicle.core.edits import read_as_finished
from chronicle.core.errors import Refused
from chronicle.core.files import ContentChange, FileChanged, FileStamps, file_stamps
from chronicle.core.replay import Replay
from chronicle.core.source import Value
from chronicle.services.merge import rebase_text
from chronicle.services.spans import NameMarker
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.reader import Parsed, read_text
from chronicle.syntax.reading_cache import EntryCache
from chronicle.syntax.text_edit import DecodedFile, decode_for_edit
from chronicle.words import word
from chronicle.workspace import Workspace

T = TypeVar("T")

Write = Callable[[Path, list[ContentChange]], None]
"""Writes changes of files in a folder, all or none: ``write(home, changes)``."""

ReadForGuests = Callable[[Path], Mapping[str, str]]
"""Returns the files of a campaign as readers may see them, by name."""

FOLDERS_AND_ENDINGS: Final = (
    ("journal", ".md"),
    ("notes", ".md"),
    ("characters", ".yaml"),
    ("art", ".yaml"),
)
MOST_KNOWN_TEXTS: Final = 64
"""Number of texts of a campaign that are remembered because a page may still show them."""
MOST_GUEST_CAMPAIGNS: Final = 4
"""Number of campaigns that are kept open for guests."""
MOST_CACHED_ANSWERS: Final = 256
"""Number of cached answers about unfinished lines."""
LONGEST_NAME: Final = 80
"""Maximum length of a name from outside in a message."""
MOST_WRITE_ATTEMPTS: Final = 20
"""Maximum number of attempts to write when a file is being saved by another program."""


class Unanswerable(Refused):
    """A question without an answer: the message gives the reason, ``help_lines`` says what to do."""

    def __init__(self, message: str, *help_lines: str) -> None:
        super().__init__(message)
        self.help = help_lines


class Conflict(Unanswerable):
    """Another program has saved the file and changed the same lines."""

    def __init__(self, file_name: str) -> None:
        super().__init__(
            f"{file_name} was changed on the disk meanwhile, in the same lines; nothing was written",
            "copy your text, look at the current file, then repeat your change",
        )


def no_file_error(file_name: str) -> Unanswerable:
    """The error for a file that the campaign does not have."""
    return Unanswerable(f"no file {quoted_name(file_name)} in this campaign")


def quoted_name(outside_name: str) -> str:
    """A name from outside for a message: short, and without invisible characters."""
    shown_name = (
        outside_name if len(outside_name) <= LONGEST_NAME else f"{outside_name[:LONGEST_NAME]}..."
    )
    return f"'{shown_name}'" if shown_name.isprintable() else ascii(shown_name)


class FileChange(NamedTuple):
    """A change of one file: the text on the disk it was made from, and the new text. None means no file."""

    base_text: str | None
    new_text: str | None


class WorkingCopy(NamedTuple):
    """The text of a file as given to a page, with the text on the disk at that time (``base_text``). They differ
    while a user is typing."""

    base_text: str
    text: str

    def edit(self, text: str) -> FileChange:
        """The change of the file from this text to another."""
        return FileChange(self.base_text, text)


class File(NamedTuple):
    """A file of a campaign: its name in the folder, and its purpose."""

    name: str
    kind: str


class OpenCampaign:
    """An open campaign. ``workspace`` has its state, including unsaved text."""

    def __init__(self, campaign_id: str, folder: Path, write: Write) -> None:
        self.id, self.folder, self._write = campaign_id, folder.resolve(), write
        self._stamps = file_stamps([self.folder])
        self.outside_change_count = 0
        """Number of times its files were changed by other programs."""
        self.workspace = Workspace(self.folder, root=self.folder, records_names=True)
        self._drafts: dict[str, WorkingCopy] = {}
        self._known_texts: OrderedDict[str, str] = OrderedDict()
        self._parsed_by_file: dict[str, Parsed] = {}
        self._name_marker: tuple[object, NameMarker] | None = None
        self._record_of_answers: object = None
        self._cached_answers: OrderedDict[Hashable, Any] = OrderedDict()
        self.cached_values: dict[str, object] = {}
        """Values computed from its record, valid as long as the record."""

    # -- files -----------------------------------------------------------------------------------

    def files(self) -> list[File]:
        """Its files: settings, sessions by name, other texts."""
        return [*self._files()]

    def _files(self) -> Iterator[File]:
        yield File(SETTINGS_FILE, "campaign")
        for file in _files_in_folder(self.folder, ".yaml"):
            if file.name.casefold() != SETTINGS_FILE:
                yield File(file.name, "session")
        for subfolder, ending in FOLDERS_AND_ENDINGS:
            for file in _files_in_folder(self.folder / subfolder, ending):
                yield File(f"{subfolder}/{file.name}", subfolder)

    def path(self, file_name: str) -> Path:
        """The path of a file of this campaign. Only names from :meth:`files` are valid."""
        if not any(known_file.name == file_name for known_file in self._files()):
            raise no_file_error(file_name)
        return self.folder / file_name

    def source(self, file_name: str) -> DecodedFile:
        """The content of a file on the disk."""
        return decode_for_edit(read_as_finished(self.path(file_name)), file_name)

    def typed_source(self, file_name: str) -> DecodedFile:
        """The content of a file with unsaved changes, in its encoding."""
        source = self.source(file_name)
        draft = self._drafts.get(file_name)
        return source if draft is None else source._replace(text=draft.text)

    def working_copy(self, file_name: str) -> WorkingCopy:
        """The text of a file with unsaved changes, to be changed and passed to :meth:`write_changes`."""
        working_copy = self._drafts.get(file_name)
        if working_copy is None:
            text = self.source(file_name).text
            working_copy = WorkingCopy(text, text)
        self._remember_text(working_copy.text)
        return working_copy

    def seen_copy(self, file_name: str, base_version: str) -> WorkingCopy:
        """The text of a file as the user saw it; without ``base_version``, the present text.

        Raises:
            Conflict: if that version is forgotten, and the file has another.
        """
        working_copy = self.working_copy(file_name)
        if not base_version or base_version == version_of(working_copy.text):
            return working_copy
        known_text = self.known_text(base_version)
        if known_text is None or working_copy.text != working_copy.base_text:
            raise Conflict(file_name)
        return WorkingCopy(known_text, known_text)

    def text(self, file_name: str) -> str:
        """The text of a file with unsaved changes."""
        return self.working_copy(file_name).text

    def tree(self, file_name: str) -> Value | None:
        """The root node of a file with unsaved changes; None if nothing can be read. Equal texts give the
        same node."""
        text = self.text(file_name)
        parsed = self._parsed_by_file.get(file_name)
        if parsed is None or parsed.text != text:
            parsed = self._parsed_by_file[file_name] = read_text(
                text, file_name, self.entry_cache(file_name)
            )
        return parsed.tree

    def entry_cache(self, file_name: str) -> EntryCache | None:
        """The cache of parsed entries of a file."""
        return self.workspace.entry_cache(self.folder / file_name)

    def write_changes(
        self, edits: Mapping[str, FileChange]
    ) -> dict[str, tuple[str | None, str | None]]:
        """Write changes of files to the disk, all or none. If a file was saved since its ``base_text`` was read,
        both changes are merged. Unsaved texts of these files are dropped.

        Returns:
            The text of every changed file before and after.

        Raises:
            Conflict: if the same lines were changed; nothing is written.
            OSError: if the disk refuses; nothing is written.
        """
        for _ in range(MOST_WRITE_ATTEMPTS):
            changes, texts_before_after = self._merge_with_disk(edits)
            try:
                self._write(self.folder, changes)
                break
            except FileChanged:
                # The file was saved between reading and writing: merge with the newer text.
                continue
        else:
            raise Conflict(", ".join(edits))
        for file_name in edits:
            self._drafts.pop(file_name, None)
        # Own changes are no news. The page requests the log again, so that a save at this moment is seen.
        self._stamps = file_stamps([self.folder])
        self.workspace.revert(*(self.folder / file_name for file_name in edits))
        return texts_before_after

    def _merge_with_disk(
        self, edits: Mapping[str, FileChange]
    ) -> tuple[list[ContentChange], dict[str, tuple[str | None, str | None]]]:
        """Apply edits to the current files on the disk.

        Raises:
            Conflict: if an edit overlaps with other changes.
        """
        changes: list[ContentChange] = []
        texts_before_after: dict[str, tuple[str | None, str | None]] = {}
        existing_names = {file.name for file in self._files()}
        for file_name, edit in edits.items():
            current_source = self.source(file_name) if file_name in existing_names else None
            merge_result = rebase_text(
                edit.base_text, edit.new_text, current_source.text if current_source else None
            )
            if merge_result is None:
                raise Conflict(file_name)
            (new_text,) = merge_result
            old_bytes = current_source.bytes_of(current_source.text) if current_source else None
            new_bytes = (
                None
                if new_text is None
                else current_source.bytes_of(new_text)
                if current_source
                else new_text.encode()
            )
            if old_bytes != new_bytes:
                changes.append(ContentChange(self.folder / file_name, old_bytes, new_bytes))
                texts_before_after[file_name] = (
                    current_source.text if current_source else None,
                    new_text,
                )
        return changes, texts_before_after

    def check_for_outside_changes(self, current_stamps: FileStamps | None = None) -> None:
        """Check whether files were saved by other programs; if so, read the campaign again.

        Args:
            current_stamps: the stamps of its files, if they are known.
        """
        current_stamps = file_stamps([self.folder]) if current_stamps is None else current_stamps
        if current_stamps != self._stamps:
            self._stamps = current_stamps
            self.outside_change_count += 1
            self.workspace.reload()

    def set_drafts(self, drafts: Mapping[str, WorkingCopy]) -> None:
        """Set the unsaved texts to exactly these."""
        dropped_names = [name for name in self._drafts if name not in drafts]
        if dropped_names:
            self.workspace.revert(*(self.folder / name for name in dropped_names))
        changed_copies = {
            name: copy for name, copy in drafts.items() if self._drafts.get(name) != copy
        }
        if changed_copies:
            self.workspace.change(
                {self.folder / name: copy.text for name, copy in changed_copies.items()}
            )
        self._drafts = {**drafts}

    def restore(self, file_name: str) -> None:
        """Reset the text of a file in the workspace to the text held here."""
        draft = self._drafts.get(file_name)
        if draft is None:
            self.workspace.revert(self.folder / file_name)
        else:
            self.workspace.change({self.folder / file_name: draft.text})

    @contextmanager
    def with_texts(self, texts: Mapping[str, str]) -> Iterator[None]:
        """Use other texts for a while. No program may write in this time."""
        drafts = dict(self._drafts)
        self.set_drafts({**drafts, **{name: WorkingCopy("", text) for name, text in texts.items()}})
        try:
            yield
        finally:
            self.set_drafts(drafts)

    # -- versions --------------------------------------------------------------------------------

    def _remember_text(self, shown_text: str) -> str:
        version = version_of(shown_text)
        self._known_texts[version] = shown_text
        self._known_texts.move_to_end(version)
        while len(self._known_texts) > MOST_KNOWN_TEXTS:
            self._known_texts.popitem(last=False)
        return version

    def known_text(self, version: str) -> str | None:
        """A text that a page was shown, by its version; None if it is forgotten."""
        return self._known_texts.get(version)

    # -- what is so ------------------------------------------------------------------------------

    def cached_answer(self, cache_key: Hashable, compute: Callable[[], T]) -> T:
        """An answer about its record, cached as long as the record is unchanged."""
        record = self.workspace.record
        if self._record_of_answers is not record:
            self._record_of_answers, self._cached_answers = record, OrderedDict()
        if cache_key not in self._cached_answers:
            self._cached_answers[cache_key] = compute()
            while len(self._cached_answers) > MOST_CACHED_ANSWERS:
                self._cached_answers.popitem(last=False)
        cached_answer: T = self._cached_answers[cache_key]
        return cached_answer

    def name_marker(self) -> NameMarker:
        """A name marker with the names of its record."""
        record = self.workspace.record
        if record is None:
            raise self.unreadable()
        if self._name_marker is None or self._name_marker[0] is not record:
            self._name_marker = record, NameMarker(record.names, self._player_of())
        return self._name_marker[1]

    def name_marker_at(self, replay: Replay[Any]) -> NameMarker:
        """A name marker with the names at one position of the replay."""
        play = replay.play
        return NameMarker(play.names, lambda named: play.rulebook.player_of(play, named))

    def _player_of(self) -> Callable[[Any], str]:
        replay = self.workspace.replay
        assert replay is not None
        play = replay.play
        return lambda named: play.rulebook.player_of(play, named)

    def unreadable(self) -> Unanswerable:
        """The error for a campaign without a known game."""
        problems = [
            f"{problem.place}: {problem.message}" for problem in self.workspace.diagnostics[:3]
        ]
        return Unanswerable(f"'{self.id}' cannot be replayed", *problems)


class GuestCampaign(OpenCampaign):
    """A campaign as guests see it: the files that ``read_for_guests`` returns, and nothing of the campaign's own
    folder.

    Its folder is a path below a file, where nothing can exist: no file name, comment or line number of the
    keeper's files can reach a guest."""

    def __init__(self, campaign_id: str, real_folder: Path, read_for_guests: ReadForGuests) -> None:
        real_folder = real_folder.resolve()
        super().__init__(
            campaign_id, real_folder / SETTINGS_FILE / real_folder.name, _refuse_to_write
        )
        self.home = real_folder
        self._read_for_guests = read_for_guests
        self._stamps_of_texts: object = None
        self._text_by_file: Mapping[str, str] = {}

    def renew(self) -> None:
        """Update to the current files."""
        current_stamps = file_stamps([self.home])
        if current_stamps == self._stamps_of_texts:
            return
        texts_for_guests = self._read_for_guests(self.home)
        removed_files = {
            file_name: None for file_name in self._text_by_file if file_name not in texts_for_guests
        }
        self.workspace.change(
            {
                self.folder / file_name: text
                for file_name, text in (removed_files | {**texts_for_guests}).items()
            }
        )
        self._text_by_file, self._stamps_of_texts = texts_for_guests, current_stamps

    def _files(self) -> Iterator[File]:
        for file_name in sorted(
            self._text_by_file,
            key=lambda file_name: (file_name != SETTINGS_FILE, "/" in file_name, file_name),
        ):
            kind = file_name.partition("/")[0] if "/" in file_name else "session"
            if (kind, PurePosixPath(file_name).suffix) in FOLDERS_AND_ENDINGS or kind == "session":
                yield File(file_name, "campaign" if file_name == SETTINGS_FILE else kind)

    def source(self, file_name: str) -> DecodedFile:
        """The content of a file as guests may see it."""
        self.path(file_name)
        return decode_for_edit(self._text_by_file[file_name].encode(), file_name)

    def set_drafts(self, drafts: Mapping[str, WorkingCopy]) -> None:
        """Guests have no unsaved texts."""


def _refuse_to_write(folder: Path, changes: list[ContentChange]) -> None:
    raise Unanswerable(word("server.guest_may_not_edit"))


class CampaignRoom:
    """The campaigns at or below a folder.

    Args:
        folder: the folder.
        write: writes changes to the disk or other storage.
        read_for_guests: returns the files of a campaign for guests, without secrets.
        has_lasting_path: whether the path of the folder identifies its campaigns.
    """

    def __init__(
        self,
        folder: Path,
        write: Write,
        read_for_guests: ReadForGuests | None = None,
        *,
        has_lasting_path: bool = True,
    ) -> None:
        self.folder = Path(folder).resolve()
        """Resolved once, because the desk compares absolute paths."""
        self.write = write
        self._has_lasting_path = has_lasting_path
        self._read_for_guests = read_for_guests
        self._guest_campaigns: OrderedDict[str, GuestCampaign] = OrderedDict()
        self._open: dict[str, OpenCampaign] = {}
        self._stamps: FileStamps = {}
        """The stamps of all files at the last check for outside changes."""
        self._change_counts: dict[str, int] = {}
        """The number of outside changes of each open campaign at that time."""
        self.answer_by_request: OrderedDict[str, Any] = OrderedDict()
        """Answers to requests that must be done only once, by the id of the request."""

    def folder_by_id(self) -> dict[str, Path]:
        """The campaigns by id: the name of the folder, with as many parent folders as needed to be unique."""
        folder_by_id: dict[str, Path] = {}
        for folder in find_campaigns(self.folder):
            real_folder = folder.resolve()
            campaign_id, parent_folder = real_folder.name, real_folder.parent
            while campaign_id in folder_by_id and parent_folder.name:
                campaign_id, parent_folder = (
                    f"{parent_folder.name}/{campaign_id}",
                    parent_folder.parent,
                )
            folder_by_id[campaign_id] = folder
        return folder_by_id

    def open(self, campaign_id: str) -> OpenCampaign:
        """A campaign by its id."""
        if campaign_id not in self._open:
            folder = self.folder_by_id().get(campaign_id)
            if folder is None:
                raise Unanswerable(f"no campaign {quoted_name(campaign_id)} here")
            self._open[campaign_id] = OpenCampaign(campaign_id, folder, self.write)
        return self._open[campaign_id]

    def check_for_outside_changes(self) -> None:
        """Check all open campaigns for changes by other programs."""
        for open_campaign in self._open.values():
            open_campaign.check_for_outside_changes()

    def ids_changed_outside(self) -> list[str]:
        """The campaigns that other programs changed since the last call, open or not. Open campaigns are read
        from the disk.

        It looks at the folder of all campaigns once. Between two calls, :meth:`check_for_outside_changes` may have
        noticed changes, too.
        """
        last_stamps, self._stamps = self._stamps, file_stamps([self.folder])
        for campaign in self._open.values():
            campaign.check_for_outside_changes(self._stamps_below(campaign.folder))
        last_change_counts, self._change_counts = (
            self._change_counts,
            {campaign.id: campaign.outside_change_count for campaign in self._open.values()},
        )
        changed_ids = [
            campaign_id
            for campaign_id, change_count in self._change_counts.items()
            if change_count != last_change_counts.get(campaign_id, 0)
        ]
        if self._stamps == last_stamps:
            return changed_ids
        changed_files = [
            Path(file)
            for file in {*self._stamps, *last_stamps}
            if self._stamps.get(file) != last_stamps.get(file)
        ]
        for campaign_id, folder in self.folder_by_id().items():
            if campaign_id not in self._open and any(
                file.is_relative_to(folder) for file in changed_files
            ):
                changed_ids.append(campaign_id)
        return changed_ids

    def _stamps_below(self, folder: Path) -> FileStamps | None:
        """The stamps of the files in the folder of a campaign; None if a link leads to it from here."""
        if not folder.is_relative_to(self.folder):
            return None
        folder_prefix = f"{folder}{os.sep}"
        return {
            file: stamp for file, stamp in self._stamps.items() if file.startswith(folder_prefix)
        }

    def draft_storage_key(self, opened: OpenCampaign) -> str:
        """The key under which a page stores drafts of a campaign."""
        return version_of(str(opened.folder) if self._has_lasting_path else opened.id)

    def campaign_for_guest(self, campaign_id: str) -> OpenCampaign:
        """A campaign as guests see it, in its present state."""
        folder = self.folder_by_id().get(campaign_id)
        if folder is None:
            raise Unanswerable(f"no campaign '{campaign_id}' here")
        if self._read_for_guests is None:
            raise Unanswerable("there is nothing for guests to see here yet")
        guest_campaign = self._guest_campaigns.get(campaign_id)
        if guest_campaign is None or guest_campaign.home != folder.resolve():
            guest_campaign = GuestCampaign(campaign_id, folder, self._read_for_guests)
        try:
            guest_campaign.renew()
        except (Refused, OSError):
            raise Unanswerable("there is nothing for guests to see here yet") from None
        self._guest_campaigns[campaign_id] = guest_campaign
        self._guest_campaigns.move_to_end(campaign_id)
        while len(self._guest_campaigns) > MOST_GUEST_CAMPAIGNS:
            self._guest_campaigns.popitem(last=False)
        return guest_campaign

    def is_open_for_guest(self, campaign_id: str) -> bool:
        """Whether a guest has opened this campaign recently."""
        return campaign_id in self._guest_campaigns

    def create_campaign(self, new_folder: Path, files: Mapping[str, str]) -> str:
        """Create a campaign in a new folder. Returns its id."""
        self.write(
            new_folder.parent,
            [ContentChange(new_folder / name, None, text.encode()) for name, text in files.items()],
        )
        real_folder = new_folder.resolve()
        return next(
            campaign_id
            for campaign_id, folder in self.folder_by_id().items()
            if folder.resolve() == real_folder
        )

    def close(self, campaign_id: str) -> None:
        """Close a campaign."""
        self._open.pop(campaign_id, None)

    def open_campaigns(self) -> list[OpenCampaign]:
        """The open campaigns."""
        return [*self._open.values()]


def version_of(text: str) -> str:
    """A short digest that identifies a text of a file."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _files_in_folder(folder: Path, ending: str) -> list[Path]:
    """The files of a folder with an ending, by name, without links."""
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return []
    return [
        path
        for path in paths
        if path.suffix.casefold() == ending
        and not path.name.startswith(".")
        and not path.is_symlink()
        and path.is_file()
    ]
