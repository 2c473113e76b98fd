"""``chronicle migrate``: older logs in the current format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.edit import (
    DIFF_OPTION,
    EditedFile,
    FileContents,
    campaigns_with_contents,
    session_sources,
    show_diff,
    write_edited,
)
from chronicle.cli.out import Cannot, on_terminal
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign


@click.command()
@with_path_argument
@DIFF_OPTION
@click.option("--yes", "is_confirmed", is_flag=True, help="Write without asking first.")
def migrate(path: Path, dry_run: bool, is_confirmed: bool) -> int:
    """Update the campaigns at PATH to the file format of this version.

    Chronicle shows the changes first, and on a terminal it asks before it writes. It writes all files
    of a campaign or none. Comments and layout stay. campaign.yaml records the version of the format.

    \b
      chronicle migrate --diff
      chronicle migrate sessions/our-table --yes
    """  # noqa: D301
    for campaign, old_contents in campaigns_with_contents(path):
        if path.is_file():
            raise Cannot(
                "a campaign is migrated as a whole", f"chronicle migrate {campaign.folder}"
            )
        _migrate(campaign, old_contents, dry_run=dry_run, is_confirmed=is_confirmed)
    return 0


def _migrate(
    campaign: Campaign, old_contents: FileContents, *, dry_run: bool, is_confirmed: bool
) -> None:
    from chronicle.core.campaign import LOG_FORMAT_VERSION

    old_version = campaign.settings.format
    if old_version >= LOG_FORMAT_VERSION:
        click.echo(f"{campaign.folder}: up to date, in version {old_version} of the format")
        return
    edited_files = _migrated_files(campaign, old_version)
    for edited_file in edited_files:
        show_diff(edited_file.file, edited_file.source.text, edited_file.new_text)
    if dry_run:
        return
    if (
        not is_confirmed
        and on_terminal()
        and not click.confirm("Write this?", default=False, err=True)
    ):
        return
    write_edited(campaign, old_contents, edited_files, dry_run=False)


def _migrated_files(campaign: Campaign, old_version: int) -> list[EditedFile]:
    from chronicle.games import rulebook
    from chronicle.syntax.find import SETTINGS_FILE
    from chronicle.syntax.format_versions import migrate_text, set_format_version
    from chronicle.syntax.text_edit import EditRefused

    rules = rulebook(campaign.game)
    edited_files: list[EditedFile] = []
    for file, source in session_sources(campaign, Path(campaign.folder), with_settings=True):
        try:
            if file.name == SETTINGS_FILE:
                new_text = set_format_version(source.text, str(file))
            else:
                new_text = migrate_text(source.text, str(file), rules, old_version)
        except EditRefused as error:
            raise Cannot(str(error), "nothing was changed") from None
        if new_text != source.text:
            edited_files.append(EditedFile(file, source, new_text))
    return edited_files
