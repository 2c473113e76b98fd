"""``chronicle rename``: another name for a character, a player or a Component, in all files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli import completing
from chronicle.cli.edit import DIFF_OPTION, read_contents, write_edited
from chronicle.cli.out import Cannot, TextStyler, campaign_at, campaigns_at
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.core.names import Names
    from chronicle.core.record import Record, Step
    from chronicle.syntax.rename import FileChange, Renaming


@click.command()
@click.argument("old_name", metavar="OLD", shell_complete=completing.complete_names)
@click.argument("new_name", metavar="NEW")
@with_path_argument
@click.option(
    "--into",
    "is_merging",
    is_flag=True,
    help="NEW exists already: OLD and NEW turn out to be the same, so merge them.",
)
@click.option(
    "--anyway",
    "is_forced",
    is_flag=True,
    help="With --into: write even if you have to correct some entries afterwards.",
)
@DIFF_OPTION
def rename(
    old_name: str, new_name: str, path: Path, is_merging: bool, is_forced: bool, dry_run: bool
) -> int:
    """Rename OLD to NEW in every file of a campaign. OLD is a character, a Component, a place or a player.

    Only words that refer to OLD change. Comments, layout, dice and the told story stay. Chronicle
    writes nothing unless the campaign replays as before. `renamed:` in campaign.yaml keeps the old
    name: logs, `show` and `find` still accept it, and its page leads to the new one.

    \b
      chronicle rename "the ringer" "Old Maddock"
      chronicle rename "the stranger" Maddock --into --diff
    """  # noqa: D301
    from chronicle.campaigns import run_recording_names
    from chronicle.syntax.rename import find_changes, first_changed_step, plan_renaming
    from chronicle.syntax.text_edit import EditRefused

    old_contents = {
        file: old_bytes
        for folder in campaigns_at(path, for_editing=True)
        for file, old_bytes in read_contents(folder).items()
    }
    campaign = campaign_at(path)
    record, names = run_recording_names(campaign)
    renaming = plan_renaming(campaign, names, old_name, new_name.strip(), merges=is_merging)
    for renames_all_equal_words in (True, False):
        try:
            file_changes = list(
                find_changes(
                    record, names, renaming, renames_all_equal_words=renames_all_equal_words
                )
            )
        except EditRefused as error:
            raise Cannot(str(error), "nothing was changed") from None
        new_record = _replay_changed_files(campaign, file_changes)
        changed_step = first_changed_step(record, new_record)
        if changed_step is None:
            break
    if changed_step is not None:
        _require_same_effects(
            record, new_record, changed_step, is_merging=is_merging, is_forced=is_forced
        )
    place_count = sum(change.word_count for change in file_changes)
    if not place_count and not is_merging:
        joined_names = [joined_name.strip() for joined_name in renaming.subject.name.split("&")]
        raise Cannot(
            f"'{renaming.old_name}' is written nowhere in this campaign, so nothing would change",
            f"it is made from the two names: rename {joined_names[0]} or {joined_names[1]}"
            if len(joined_names) == 2
            else "the game makes it from other names: rename these",
        )
    for other_name in _other_subjects_with_name(names, renaming):
        click.echo(f"{other_name} has that name too, and gets the new one as well", err=True)
    write_edited(campaign, old_contents, file_changes, dry_run)
    if dry_run:
        return 0
    _print_result(record, renaming, place_count)
    for diagnostic in new_record.diagnostics:
        if is_merging and diagnostic.code == "T57":
            click.echo(f"To be fixed: {diagnostic.place}: {diagnostic.message}")
    return 0


def _other_subjects_with_name(names: Names, renaming: Renaming) -> list[str]:
    """Other owners of the name: in ``renamed:``, a name leads to exactly one new name."""
    from chronicle.core.names import PLAYER, fold, quoted_names

    subject = renaming.subject
    named_subjects = [
        named_subject
        for named_subject in names.all.values()
        if fold(named_subject.name) == fold(renaming.old_name)
    ]
    named_subjects = [
        named_subject
        for named_subject in named_subjects
        if PLAYER not in (named_subject.kind, subject.kind)
    ]
    subjects_and_names = zip(named_subjects, quoted_names(named_subjects), strict=True)
    return [
        quoted_name
        for named_subject, quoted_name in subjects_and_names
        if named_subject is not subject and not renaming.merges
    ]


def _replay_changed_files(campaign: Campaign, file_changes: list[FileChange]) -> Record:
    """The record of the campaign after the changes."""
    from chronicle.campaigns import load, run

    new_contents = {change.file: change.source.bytes_of(change.new_text) for change in file_changes}
    return run(load(Path(campaign.folder), content_by_file=new_contents))


def _require_same_effects(
    old_record: Record, new_record: Record, changed_step: Step, *, is_merging: bool, is_forced: bool
) -> None:
    """Entries whose effects would change. When two are merged, some do.

    Raises:
        Cannot: unless ``is_forced`` is set.
    """
    from chronicle.core.diagnostic import Severity

    if not is_merging:
        raise Cannot(
            f"{changed_step.action.place()}: with the new name this entry would do something else",
            *(diagnostic.message for diagnostic in changed_step.diagnostics[:1]),
            "nothing was changed",
        )
    old_errors = {
        (diagnostic.code, diagnostic.place.line, diagnostic.place.path)
        for diagnostic in old_record.diagnostics
    }
    new_errors = [
        diagnostic
        for diagnostic in new_record.diagnostics
        if diagnostic.severity is Severity.ERROR
        and diagnostic.is_reported
        and (diagnostic.code, diagnostic.place.line, diagnostic.place.path) not in old_errors
    ]
    if new_errors and not is_forced:
        raise Cannot(
            "made one, they do not fit together yet; nothing was changed",
            *(f"{diagnostic.place}: {diagnostic.message}" for diagnostic in new_errors[:5]),
            "see it with --diff --anyway; write it with --anyway, and fix these entries",
        )


def _print_result(record: Record, renaming: Renaming, place_count: int) -> None:
    """Print the result, and which texts keep the old name."""
    from chronicle.core.diagnostic import plural

    styler = TextStyler()
    places_text = plural(place_count, "place")
    click.echo(
        f"{styler(renaming.old_name, 'bold')} is {styler(renaming.new_name, 'bold')} now, in {places_text}."
    )
    entry_texts = [str(step.action.text or "") for step in record.steps]
    count_in_stories = sum(
        len(re.findall(rf"(?<!\w){re.escape(renaming.old_name)}(?!\w)", entry_text))
        for entry_text in entry_texts
    )
    if count_in_stories:
        click.echo(
            f"What was told still says {renaming.old_name}, {plural(count_in_stories, 'time')}; "
            "on the site it leads to the same page."
        )
