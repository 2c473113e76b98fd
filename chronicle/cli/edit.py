"""``chronicle ids`` and ``chronicle annotate``: gentle changes to the files of a log."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from chronicle.cli.out import Cannot, campaigns_at, cannot_write, load_playable
from chronicle.cli.where import with_path_argument
from chronicle.core.file_reading import files_in, read_file, real_path

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.core.files import ContentChange
    from chronicle.core.record import Record, Step
    from chronicle.syntax.rename import FileChange
    from chronicle.syntax.text_edit import DecodedFile

DIFF_OPTION = click.option(
    "--diff", "dry_run", is_flag=True, help="Show the changes without writing them."
)


@click.command()
@with_path_argument
@DIFF_OPTION
def ids(path: Path, dry_run: bool) -> int:
    """Give an `id` to every entry at PATH that has none. PATH is a campaign or a session file.

    Links to an entry then stay correct when you add entries before it. Comments and layout stay.

    \b
      chronicle ids
      chronicle ids sessions/our-table/01.yaml --diff
    """  # noqa: D301
    from chronicle.campaigns import run

    for campaign, old_contents in campaigns_with_contents(path):
        entries_lacking_id = _entries_without_id(campaign, path)
        record = run(campaign)
        edited_files, entries_left_out = _add_harmless_ids(record, path, entries_lacking_id)
        write_edited(campaign, old_contents, edited_files, dry_run)
        for file, entry_index in entries_left_out:
            line_number = _line_of_entry(file, entry_index)
            click.echo(
                f"{file}:{line_number} gets no id: other entries find by its words what it makes"
            )
    return 0


def _entries_without_id(campaign: Campaign, folder_or_file: Path) -> list[tuple[Path, int]]:
    """The entries without an id: (file, index in its log)."""
    from chronicle.syntax.edit import entries_without_id

    entries_lacking_id: list[tuple[Path, int]] = []
    for file, source in session_sources(campaign, folder_or_file):
        entries_lacking_id += [
            (file, entry_index) for entry_index in entries_without_id(source.text, str(file))
        ]
    return entries_lacking_id


def _line_of_entry(file: Path, entry_index: int) -> int:
    from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
    from chronicle.syntax.reader import read_bytes

    tree = read_bytes(read_file(file), str(file)).tree
    log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    return log_node[entry_index].line if isinstance(log_node, SequenceNode) else 1


def _files_with_ids(
    record: Record, folder_or_file: Path, chosen_entries: list[tuple[Path, int]]
) -> list[EditedFile]:
    """The files of a campaign after some of their entries get ids."""
    from chronicle.syntax.edit import add_ids

    campaign = record.campaign
    # An id must not reveal a secret.
    hidden_verbs = {step.action.verb for step in record.steps if step.hidden}
    verbs_without_id = frozenset({"secret", *hidden_verbs})
    used_ids: set[str] = set()
    for session in campaign.sessions:
        used_ids.update(str(action.id) for action in session.actions if action.id)

    def add_missing_ids(text: str, file: str) -> str:
        chosen_indexes = frozenset(
            entry_index
            for path_of_entry, entry_index in chosen_entries
            if str(path_of_entry) == file
        )
        text_with_ids = add_ids(text, file, frozenset(used_ids), verbs_without_id, chosen_indexes)
        used_ids.update(_ids_in(text_with_ids, file))
        return text_with_ids

    return _change_files(campaign, folder_or_file, add_missing_ids)


def _add_harmless_ids(
    record: Record, folder_or_file: Path, entries_lacking_id: list[tuple[Path, int]]
) -> tuple[list[EditedFile], list[tuple[Path, int]]]:
    """The files with ids, and the entries that do without one: with it, the campaign would not replay
    as before, since others call what they make by a name it has only without. Found one after the
    other, by halves."""
    from chronicle.campaigns import load, run

    entries_left_out: list[tuple[Path, int]] = []

    def files_with_ids_up_to(entry_count: int) -> list[EditedFile]:
        return _files_with_ids(
            record,
            folder_or_file,
            [entry for entry in entries_lacking_id[:entry_count] if entry not in entries_left_out],
        )

    def is_harmless(edited_files: list[EditedFile]) -> bool:
        new_contents = {
            edited_file.file: edited_file.source.bytes_of(edited_file.new_text)
            for edited_file in edited_files
            if edited_file.source.text != edited_file.new_text
        }
        folder = Path(record.campaign.folder)
        return not new_contents or _replays_as_before(
            record, run(load(folder, content_by_file=new_contents))
        )

    lowest_count = 0
    edited_files = files_with_ids_up_to(len(entries_lacking_id))
    while lowest_count < len(entries_lacking_id) and not is_harmless(edited_files):
        highest_count = len(entries_lacking_id)
        while highest_count - lowest_count > 1:
            middle_count = (lowest_count + highest_count) // 2
            if is_harmless(files_with_ids_up_to(middle_count)):
                lowest_count = middle_count
            else:
                highest_count = middle_count
        entries_left_out.append(entries_lacking_id[highest_count - 1])
        lowest_count = highest_count
        edited_files = files_with_ids_up_to(len(entries_lacking_id))
    return edited_files, entries_left_out


def _replays_as_before(old_record: Record, new_record: Record) -> bool:
    """Whether a campaign replays as before, or with less to find fault with."""

    def sorted_effects(record: Record, step: Step) -> object:
        events = sorted((event.rule, event.kind) for event in step.events)
        return events, sorted(
            (posting.amount, posting.unit, posting.rule) for posting in record.postings(step)
        )

    def code_counts(record_or_step: Record | Step) -> Counter[str]:
        return Counter(diagnostic.code for diagnostic in record_or_step.diagnostics)

    if len(old_record.steps) != len(new_record.steps) or code_counts(new_record) - code_counts(
        old_record
    ):
        return False
    for old_step, new_step in zip(old_record.steps, new_record.steps, strict=True):
        if code_counts(new_step) - code_counts(old_step):
            return False
        if code_counts(new_step) == code_counts(old_step) and sorted_effects(
            new_record, new_step
        ) != sorted_effects(old_record, old_step):
            return False
    return True


def _ids_in(text: str, file: str) -> set[str]:
    from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
    from chronicle.syntax.reader import read_text

    tree = read_text(text, file).tree
    log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    if not isinstance(log_node, SequenceNode):
        return set()
    return {
        str(entry[ScalarNode("id")])
        for entry in log_node
        if isinstance(entry, MappingNode) and "id" in entry
    }


@click.command()
@with_path_argument
@click.option("--strip", "is_stripping", is_flag=True, help="Remove these comments.")
@DIFF_OPTION
def annotate(path: Path, is_stripping: bool, dry_run: bool) -> int:
    """Write results, prices and movements next to the entries at PATH, as comments.

    The comments start with #> and are updated each time. Your own comments stay.

    \b
      chronicle annotate
      chronicle annotate --strip
    """  # noqa: D301
    from chronicle.campaigns import run
    from chronicle.syntax import remarks as remark_lines

    for campaign, old_contents in campaigns_with_contents(path):
        annotation_by_place: dict[tuple[str, int], str] = {}
        if not is_stripping:
            record = run(campaign)
            for step in record.steps:
                annotation = _annotation_of(record, step)
                if annotation:
                    place = step.action.place()
                    annotation_by_place[place.path, place.line] = annotation

        def change_text(
            text: str,
            file: str,
            annotation_by_place: dict[tuple[str, int], str] = annotation_by_place,
        ) -> str:
            return (
                remark_lines.remove_remarks(text, file)
                if is_stripping
                else remark_lines.write_remarks(text, file, annotation_by_place)
            )

        write_edited(campaign, old_contents, _change_files(campaign, path, change_text), dry_run)
    return 0


def _annotation_of(record: Record, step: Step) -> str:
    """What an entry came to, in one line; nothing where that is plain from the entry."""
    annotation_parts: list[str] = []
    if step.contest is not None:
        annotation_parts += [step.contest.score, *step.contest.outcome]
    net_changes: dict[tuple[str, str], int] = {}
    for posting in record.postings(step):
        for account, signed_amount in (
            (posting.source, -posting.amount),
            (posting.target, posting.amount),
        ):
            # An account without an owner is a box or a bank, whose contents do not matter.
            if ":" in account:
                net_changes[account, posting.unit] = (
                    net_changes.get((account, posting.unit), 0) + signed_amount
                )
    net_changes = {
        account_and_unit: net_change
        for account_and_unit, net_change in net_changes.items()
        if net_change
    }
    accounts_of_owner = Counter((account.partition(":")[2], unit) for account, unit in net_changes)
    change_texts_by_unit: dict[str, list[str]] = {}
    for (account, unit), net_change in net_changes.items():
        account_kind, _, owner = account.partition(":")
        # From one's own pocket into another: say which, or the two seem to cancel out.
        owner_name = f"{owner} ({account_kind})" if accounts_of_owner[owner, unit] > 1 else owner
        change_texts_by_unit.setdefault(unit, []).append(f"{owner_name} {net_change:+}")
    annotation_parts += [
        f"{', '.join(change_texts)} ({unit})" for unit, change_texts in change_texts_by_unit.items()
    ]
    return "; ".join(annotation_part for annotation_part in annotation_parts if annotation_part)


def campaigns_with_contents(folder_or_file: Path) -> list[tuple[Campaign, FileContents]]:
    """The campaigns in a folder, or the one of a session file, with the contents of their files, taken before the
    campaigns are read.

    Raises:
        Cannot: when the folder or file is a part of a campaign without sessions.
    """
    folders = campaigns_at(folder_or_file, for_editing=True)
    campaigns = [
        (contents, load_playable(folder))
        for folder in folders
        for contents in [read_contents(folder)]
    ]
    real_path_of_argument = folder_or_file.resolve()
    for _, campaign in campaigns:
        campaign_folder = Path(campaign.folder).resolve()
        session_files = {Path(session.path).resolve() for session in campaign.sessions}
        is_below_campaign = (
            folder_or_file.is_dir()
            and campaign_folder in real_path_of_argument.parents
            and real_path_of_argument != Path.cwd()
        )
        if is_below_campaign or (
            folder_or_file.is_file() and real_path_of_argument not in session_files
        ):
            first_file = min((Path(os.path.relpath(file)) for file in session_files), default=None)
            raise Cannot(
                f"'{folder_or_file}' is no session of a campaign",
                "name a session file"
                + (f", like '{first_file}'," if first_file else "")
                + f" or the whole campaign, '{Path(os.path.relpath(campaign_folder))}'",
            )
    return [(campaign, contents) for contents, campaign in campaigns]


FileContents = Mapping[Path, bytes]
"""The contents of a campaign's files before Chronicle parses them, by their real paths."""


def read_contents(folder: Path) -> FileContents:
    """The texts of a campaign now, taken before the campaign is read. A file saved while a command runs
    then differs from its text here. Files that are not read (too large, not a file, a link out of the
    campaign) are left out.
    """
    contents: dict[Path, bytes] = {}
    for subfolder in ("", "characters", "journal", "notes", "art"):
        for file in files_in(folder, subfolder, ".yaml", ".md"):
            with contextlib.suppress(OSError):
                contents[real_path(file)] = read_file(file)
    return contents


def require_unchanged(old_contents: FileContents, content_changes: Iterable[ContentChange]) -> None:
    """Check that changes were made from the texts that the campaign was read from. :func:`edit` then checks
    that the disk has these.

    Raises:
        Changed: when a file was saved in between.
    """
    from chronicle.core.files import changed_error

    for change in content_changes:
        if old_contents.get(real_path(change.file), change.old_data) != change.old_data:
            raise changed_error(change.file, "", "")


class EditedFile(NamedTuple):
    """A session file, its text, and its new text."""

    file: Path
    source: DecodedFile
    new_text: str


def session_sources(
    campaign: Campaign, folder_or_file: Path, *, with_settings: bool = False
) -> Iterator[tuple[Path, DecodedFile]]:
    """The session files of a campaign, or the single file ``folder_or_file``; with its settings if asked.

    Raises:
        Cannot: when a file cannot be read.
    """
    from chronicle.syntax.find import SETTINGS_FILE
    from chronicle.syntax.text_edit import EditRefused, decode_for_edit

    only_file = folder_or_file.resolve() if folder_or_file.is_file() else None
    file_paths = [session.path for session in campaign.sessions]
    if with_settings:
        file_paths.insert(0, os.path.relpath(Path(campaign.folder) / SETTINGS_FILE))
    for file_path in file_paths:
        file = Path(file_path)
        if only_file is not None and file.resolve() != only_file:
            continue
        try:
            yield file, decode_for_edit(read_file(file), file_path)
        except OSError as error:
            raise Cannot(f"'{file}' cannot be read: {error.strerror}") from None
        except EditRefused as error:
            raise Cannot(str(error), "nothing was changed") from None


def _change_files(
    campaign: Campaign, folder_or_file: Path, edit_text: Callable[[str, str], str]
) -> list[EditedFile]:
    """The changed session files of a campaign, or the single changed file ``folder_or_file``.

    Raises:
        Cannot: when a file changed in the meantime, or the edit would change more than it should.
    """
    from chronicle.syntax.text_edit import EditRefused

    try:
        return [
            EditedFile(file, source, edit_text(source.text, str(file)))
            for file, source in session_sources(campaign, folder_or_file)
        ]
    except EditRefused as error:
        raise Cannot(str(error), "nothing was changed") from None


def write_edited(
    campaign: Campaign,
    old_contents: FileContents,
    edited_files: Iterable[EditedFile | FileChange],
    dry_run: bool,
) -> None:
    """Write all changed files of a campaign or none of them; with ``dry_run``, only show the changes.

    Raises:
        Cannot: when a file cannot be written, or somebody else changed it.
    """
    from chronicle.core.edits import edit

    changed_files = [
        edited_file
        for edited_file in edited_files
        if edited_file.source.text != edited_file.new_text
    ]
    if dry_run:
        for edited_file in changed_files:
            show_diff(edited_file.file, edited_file.source.text, edited_file.new_text)
        return
    content_changes = [
        edited_file.source.make_change(edited_file.file, edited_file.new_text)
        for edited_file in changed_files
    ]
    try:
        require_unchanged(old_contents, content_changes)
        edit(Path(campaign.folder), content_changes)
    except OSError as error:
        raise cannot_write(error) from None
    for file, *_ in content_changes:
        click.echo(f"wrote {file}")


def show_diff(file: Path, old_text: str, new_text: str) -> None:
    """Print how a file would change."""
    import difflib

    file_name = str(file)
    diff_lines = difflib.unified_diff(
        old_text.splitlines(keepends=True), new_text.splitlines(keepends=True), file_name, file_name
    )
    click.echo("".join(diff_lines), nl=False)
