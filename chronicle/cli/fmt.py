"""``chronicle fmt``: one layout for every log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.edit import (
    DIFF_OPTION,
    EditedFile,
    campaigns_with_contents,
    session_sources,
    show_diff,
    write_edited,
)
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign


@click.command()
@with_path_argument
@DIFF_OPTION
@click.option(
    "--check",
    "check_only",
    is_flag=True,
    help="Write nothing. The exit code is 1 if a file would change.",
)
def fmt(path: Path, dry_run: bool, check_only: bool) -> int:
    """Format the session files of the campaign at PATH, or one session file.

    The verb comes first, then the actor, and the story last. Brackets get the same spacing, and long
    ones are split into lines. Long texts are wrapped. Comments stay, and no value changes. A file that
    Chronicle cannot read without errors is left alone.

    \b
      chronicle fmt
      chronicle fmt sessions/our-table/01.yaml --diff
    """  # noqa: D301
    unformatted_count = 0
    for campaign, old_contents in campaigns_with_contents(path):
        edits_and_refusals = list(_formatted_files(campaign, path))
        changing_files = [
            edited_file
            for edited_file in edits_and_refusals
            if isinstance(edited_file, EditedFile)
            and edited_file.new_text != edited_file.source.text
        ]
        for refusal in edits_and_refusals:
            if not isinstance(refusal, EditedFile):
                click.echo(refusal, err=True)
                unformatted_count += 1
        if check_only:
            for edited_file in changing_files:
                click.echo(f"{edited_file.file} would change")
                if dry_run:
                    show_diff(edited_file.file, edited_file.source.text, edited_file.new_text)
            unformatted_count += len(changing_files)
        else:
            write_edited(campaign, old_contents, changing_files, dry_run)
    return 1 if unformatted_count else 0


def _formatted_files(campaign: Campaign, folder_or_file: Path) -> Iterator[EditedFile | str]:
    """The files as they would be, or why one is left alone."""
    from chronicle.games import rulebook
    from chronicle.syntax.layout import format_layout
    from chronicle.syntax.text_edit import EditRefused

    verbs = frozenset(rulebook(campaign.game).by_verb)
    for file, source in session_sources(campaign, folder_or_file, with_settings=True):
        try:
            yield EditedFile(file, source, format_layout(source.text, str(file), verbs))
        except EditRefused as error:
            yield str(error)
