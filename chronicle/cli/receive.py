"""``chronicle receive``: add campaigns from a desk elsewhere to a project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.edit import DIFF_OPTION
from chronicle.cli.out import (
    Cannot,
    TextStyler,
    cannot_write,
    load_playable,
    on_terminal,
    recover_interrupted_edit,
    require_path,
)
from chronicle.words import word

if TYPE_CHECKING:
    from chronicle.services.receiving import ReceivedFile
    from chronicle.syntax.bundle import Bundle

TAKE_CHOICES = ("mine", "theirs", "draft")


@click.command()
@click.argument("bundle_path", metavar="FILE", type=click.Path(path_type=Path))
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option(
    "--take",
    "decision",
    type=click.Choice(TAKE_CHOICES),
    help="If files contradict: keep yours, take theirs, or write a draft of both.",
)
@DIFF_OPTION
def receive(bundle_path: Path, path: Path, decision: str | None, dry_run: bool) -> int:
    """Add the campaigns in FILE to the project at PATH. FILE is a zip that a desk exported, or a folder.

    A new campaign gets a folder of its own. For a campaign that you have, Chronicle compares the
    sessions entry by entry and adds the new entries. Your comments and layout stay. If files
    contradict, it shows the difference and asks you; in a script, or with --diff, your file stays as it
    is. The exit code is 1 if a contradiction is left.

    \b
      chronicle receive ~/Downloads/our-table.zip
      chronicle receive our-table.zip --take draft
    """  # noqa: D301
    from tempfile import TemporaryDirectory

    with _explain_os_errors():
        bundle = _open_bundle(bundle_path)
        if bundle.ignored_paths:
            left_out_names = ", ".join(f"'{file_name}'" for file_name in bundle.ignored_paths[:3])
            more_text = (
                f" and {len(bundle.ignored_paths) - 3} more"
                if len(bundle.ignored_paths) > 3
                else ""
            )
            click.echo(
                f"left out, since no campaign has such a file: {left_out_names}{more_text}",
                err=True,
            )
        unresolved_count = 0
        with TemporaryDirectory(prefix="received-") as temporary_folder:
            for campaign_name, content_by_name in bundle.campaigns.items():
                received_folder = Path(temporary_folder, campaign_name)
                _write_files(received_folder, content_by_name)
                unresolved_count += _add_campaign(
                    received_folder, _campaign_folder_for(path, received_folder), decision, dry_run
                )
    return int(unresolved_count > 0)


@contextmanager
def _explain_os_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise cannot_write(error) from None


def _open_bundle(bundle_path: Path) -> Bundle:
    """The contents of a zip or a folder."""
    from chronicle.core.file_reading import read_file
    from chronicle.limited import Failed, LimitedProcess
    from chronicle.syntax.bundle import MOST_PACKED_BYTES, Bundle, collect_files
    from chronicle.syntax.find import find_campaigns

    require_path(bundle_path)
    if bundle_path.is_dir():
        content_by_campaign = {
            folder.resolve().name: collect_files(folder) for folder in find_campaigns(bundle_path)
        }
        if not content_by_campaign:
            raise Cannot(f"there is no campaign in '{bundle_path}'")
        return Bundle(content_by_campaign, [])
    try:
        with closing(LimitedProcess()) as limited_process:
            answer = limited_process.ask(
                "parcel", {"name": bundle_path.stem}, read_file(bundle_path, MOST_PACKED_BYTES)
            )
    except Failed as failure:
        raise Cannot(
            word("server.cannot_be_imported", name=bundle_path, reason=failure), *failure.help
        ) from None
    remaining_contents = iter(answer.blobs)
    file_names_by_campaign = answer.fields["campaigns"].items()
    content_by_campaign = {
        campaign_name: {file_name: next(remaining_contents) for file_name in file_names}
        for campaign_name, file_names in file_names_by_campaign
    }
    return Bundle(content_by_campaign, answer.fields["left"])


def _write_files(folder: Path, content_by_name: Mapping[str, bytes]) -> None:
    for file_name, contents in content_by_name.items():
        (folder / file_name).parent.mkdir(parents=True, exist_ok=True)
        (folder / file_name).write_bytes(contents)


def _campaign_folder_for(path: Path, received_folder: Path) -> Path:
    """The campaign here that a received campaign belongs to, or its new folder."""
    from chronicle.services.receiving import find_local_campaigns
    from chronicle.syntax.find import find_campaigns, find_project

    if not path.is_dir():
        raise Cannot(f"'{path}' is no folder", "name a project, or a folder of campaigns")
    load_playable(received_folder)
    campaign_folders = list(
        find_local_campaigns(find_campaigns(path), received_folder.name, received_folder)
    )
    if len(campaign_folders) > 1:
        raise Cannot(
            f"'{received_folder.name}' may be any of {len(campaign_folders)} campaigns here; say which",
            *(f"chronicle receive ... {os.path.relpath(folder)}" for folder in campaign_folders),
        )
    if campaign_folders:
        return campaign_folders[0]
    project = find_project(path)
    campaign_folder = (
        project.campaigns_folder if project is not None else path
    ) / received_folder.name
    if campaign_folder.exists():
        raise Cannot(f"'{os.path.relpath(campaign_folder)}' is there already, and is no campaign")
    return Path(os.path.relpath(campaign_folder))


def _add_campaign(
    received_folder: Path, campaign_folder: Path, decision: str | None, dry_run: bool
) -> int:
    """Add one campaign; give the number of files left unchanged despite a contradiction."""
    from chronicle.core.edits import edit
    from chronicle.core.files import ContentChange
    from chronicle.services.receiving import compare_files, count_errors
    from chronicle.syntax.bundle import collect_files

    styler = TextStyler()
    if not campaign_folder.exists():
        content_by_name = collect_files(received_folder)
        click.echo(
            f"{styler(str(campaign_folder), 'bold')}: new, {_contents_summary(received_folder)}"
        )
        if not dry_run:
            edit(
                campaign_folder,
                [
                    ContentChange(campaign_folder / file_name, None, file_bytes)
                    for file_name, file_bytes in content_by_name.items()
                ],
            )
        return 0
    recover_interrupted_edit(campaign_folder)
    local_contents = collect_files(campaign_folder)
    local_campaign, received_campaign = (
        load_playable(campaign_folder),
        load_playable(received_folder),
    )
    if local_campaign.game != received_campaign.game:
        raise Cannot(
            f"these are two games: '{campaign_folder}' is {local_campaign.game}, what came is {received_campaign.game}"
        )
    received_files = compare_files(campaign_folder, received_folder, local_contents)
    click.echo(
        f"{styler(str(campaign_folder), 'bold')}: {_nothing_new_text(received_files) or 'compared file by file'}"
    )
    content_changes: list[ContentChange] = []
    unresolved_count = 0
    for received_file in received_files:
        if received_file.relation == "same":
            continue
        _print_difference(received_file, campaign_folder, styler)
        new_data = (
            received_file.result
            if received_file.needs_no_decision
            else _chosen_contents(received_file, decision, dry_run)
        )
        unresolved_count += not received_file.needs_no_decision and new_data is None
        if new_data is not None and new_data != received_file.local_data:
            content_changes.append(
                ContentChange(
                    campaign_folder / received_file.name, received_file.local_data, new_data
                )
            )
    if not content_changes or dry_run:
        return unresolved_count
    new_contents = {
        str(change.file.relative_to(campaign_folder)): change.new_data or b""
        for change in content_changes
    }
    error_count_now, error_count_after = count_errors(campaign_folder, new_contents)
    if error_count_after > error_count_now and on_terminal():
        click.echo(
            f"With this, a check finds {error_count_after} errors instead of {error_count_now}.",
            err=True,
        )
        if not click.confirm("Write it all the same?", default=False, err=True):
            return unresolved_count + len(content_changes)
    edit(campaign_folder, content_changes)
    for change in content_changes:
        click.echo(f"wrote {change.file}")
    if error_count_after > error_count_now:
        click.echo(
            f"a check finds {error_count_after} errors now, {error_count_now} before", err=True
        )
    return unresolved_count


def _contents_summary(folder: Path) -> str:
    from chronicle.core.diagnostic import plural

    sessions = load_playable(folder).sessions
    entry_count = sum(len(session.actions) for session in sessions)
    return f"{plural(len(sessions), 'session')}, {plural(entry_count, 'entry', 'entries')}"


def _nothing_new_text(received_files: list[ReceivedFile]) -> str:
    return (
        ""
        if any(received_file.relation != "same" for received_file in received_files)
        else "nothing is new"
    )


def _print_difference(
    received_file: ReceivedFile, campaign_folder: Path, styler: TextStyler
) -> None:
    """Print how a received file differs, in a line or as a comparison."""
    from chronicle.cli.diff import print_comparisons
    from chronicle.cli.terminal import safe

    summary_by_relation = {
        "new": ("new", "green"),
        "more": (f"{_entry_count_text(received_file, 'only other')} more", "green"),
        "less": (
            f"nothing new; yours has {_entry_count_text(received_file, 'only one')} more",
            "dim",
        ),
        "both": (
            f"{_entry_count_text(received_file, 'only other')} more, "
            f"and {_entry_count_text(received_file, 'only one')} only in yours",
            "yellow",
        ),
        "contradicts": ("contradicts what is here", "red"),
    }
    summary, colour = summary_by_relation[received_file.relation]
    click.echo(f"  {safe(received_file.name)}: {styler(summary, colour)}")
    if received_file.why_not_merged:
        click.echo(f"    {safe(received_file.why_not_merged)}")
    if received_file.comparison is not None and received_file.relation in ("contradicts", "both"):
        click.echo()
        print_comparisons([received_file.comparison], shows_rewording=False)
        click.echo()
    elif (
        received_file.comparison is None
        and received_file.relation == "contradicts"
        and received_file.name.endswith((".yaml", ".md"))
    ):
        from chronicle.cli.edit import show_diff

        local_text, received_text = (
            (file_bytes or b"").decode("utf-8", "replace")
            for file_bytes in (received_file.local_data, received_file.received_data)
        )
        show_diff(campaign_folder / received_file.name, local_text, received_text)


def _entry_count_text(received_file: ReceivedFile, pair_kind: str) -> str:
    from chronicle.core.diagnostic import plural

    return plural(
        len(received_file.comparison.pairs_of_kinds(pair_kind)) if received_file.comparison else 0,
        "entry",
        "entries",
    )


def _chosen_contents(
    received_file: ReceivedFile, decision: str | None, dry_run: bool
) -> bytes | None:
    """The new contents of a file with contradictions; None leaves the file unchanged."""
    contents_by_choice = {
        "mine": received_file.local_data,
        "theirs": received_file.received_data,
        "draft": received_file.merged_data,
    }
    if decision is not None:
        return contents_by_choice[decision]
    if dry_run or not on_terminal():
        return None
    possible_choices = [choice for choice in TAKE_CHOICES if contents_by_choice[choice] is not None]
    choice = click.prompt(
        f"{received_file.name}: keep mine, take theirs"
        + (", or a draft of both" if received_file.merged_data else ""),
        type=click.Choice(possible_choices),
        default="mine",
        err=True,
    )
    return contents_by_choice[choice]
