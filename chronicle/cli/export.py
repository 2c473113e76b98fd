"""``chronicle export``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.jobs import (
    JOBS_OPTION,
    SCHEDULER_OPTION,
    SHARD_OPTION,
    SOURCE_URL_OPTION,
    TARGET_URL_OPTION,
    TIME_LIMIT_OPTION,
    CampaignSource,
    JobOptions,
    SectionedCommand,
    campaign_source,
    campaigns_of_share,
    run_anywhere,
    run_each,
    send_folder,
)
from chronicle.cli.out import (
    Cannot,
    campaign_at,
    campaigns_at,
    load_playable,
    obstacle_of,
)
from chronicle.cli.place import (
    OUTPUT_PATH,
    explain_unfillable_folder,
    require_new_file,
    require_outside,
    write_new,
)
from chronicle.cli.where import with_path_argument

if TYPE_CHECKING:
    from chronicle.core.output import FolderChanges


@click.command(cls=SectionedCommand)
@with_path_argument
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["json", "sqlite", "hledger", "beancount", "csv"]),
    help="Format to print.",
)
@click.option("--out", type=OUTPUT_PATH, help="Write to this new file instead of printing.")
@click.option("--replace", is_flag=True, help="Replace the file if it exists already.")
@click.option(
    "--all",
    "out_folder",
    type=OUTPUT_PATH,
    help="Write all formats, and the logs without their secrets, to this folder.",
)
@click.option(
    "--through",
    type=click.IntRange(0),
    help="Stop after this session.",
)
@JOBS_OPTION
@TIME_LIMIT_OPTION
@SHARD_OPTION
@SCHEDULER_OPTION
@SOURCE_URL_OPTION
@TARGET_URL_OPTION
def export(
    path: Path,
    output_format: str | None,
    out: Path | None,
    replace: bool,
    out_folder: Path | None,
    through: int | None,
    jobs: int | None,
    time_limit: float | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    source_url: str | None,
    upload_url: str | None,
) -> int:
    """Export the record of the campaign at PATH for other programs.

    json is the whole record: every entry with its effects. sqlite is the same as tables and views, for
    Datasette, pandas and SQL. hledger and beancount are the ledger as journals, with balances that
    those programs check. csv has one line for each movement. Secrets are left out until they are
    revealed. With --all, each of several campaigns gets a folder of its own.

    \b
      chronicle export --format hledger | hledger -f - balance
      chronicle export --format sqlite --out record.sqlite
      chronicle export --all exports
    """  # noqa: D301
    from chronicle.campaigns import for_readers, run

    if output_format is None and out_folder is None:
        raise Cannot(
            "which format?", "add  --format json|sqlite|hledger|beancount|csv  or  --all FOLDER"
        )
    is_remote = any(option is not None for option in (scheduler, source_url, upload_url))
    if is_remote and (out_folder is None or output_format is not None):
        raise Cannot("--scheduler, --from and --to are for all formats", "add  --all FOLDER")
    if (
        out_folder is not None
        and output_format is None
        and (is_remote or len(campaigns_at(path)) > 1)
    ):
        campaigns_to_read = campaign_source(path, source_url)
        job_options = JobOptions(jobs, time_limit, scheduler)
        return _export_each(campaigns_to_read, out_folder, through, job_options, shard, upload_url)
    campaign = campaign_at(path)
    if output_format == "sqlite" and out is None and sys.stdout.isatty():
        raise Cannot("a database is no text to read", "say where to:  --out record.sqlite")
    if out_folder is not None:
        require_outside(Path(campaign.folder), out_folder, out_folder)
    old_data = require_new_file(campaign, out, replace) if out is not None else None
    record = run(for_readers(campaign, through=through))
    from chronicle.core.output import fill_folder
    from chronicle.export import FORMATS, exports
    from chronicle.export.data import ExportedRecord

    if out_folder is not None:
        with explain_unfillable_folder("written"):
            _print_changes(
                fill_folder(
                    out_folder,
                    {file_name: file_bytes for file_name, _, file_bytes in exports(record)},
                )
            )
    if output_format is not None:
        file_bytes = FORMATS[output_format].bytes_of(ExportedRecord(record))
        if out is None:
            click.echo(
                file_bytes if output_format == "sqlite" else file_bytes.decode("utf-8"), nl=False
            )
        else:
            write_new(out, file_bytes, old_data)
    return 0


def _export_each(
    campaigns_to_read: CampaignSource,
    out_folder: Path,
    through: int | None,
    job_options: JobOptions,
    shard: tuple[int, int] | None,
    upload_url: str | None,
) -> int:
    """Write every format of every campaign; report one that cannot be read, and go on with the others."""
    from chronicle.site.links import campaign_addresses

    address_by_folder = campaign_addresses(campaigns_to_read.folders)
    campaigns_to_read = campaigns_to_read._replace(
        folders=campaigns_of_share(campaigns_to_read.folders, shard)
    )
    is_local = job_options.scheduler is None and not campaigns_to_read.url
    results: Iterator[FolderChanges | ContentsByName | Cannot]
    if is_local:
        tasks = [
            (
                partial(
                    _write_campaign,
                    target_folder=out_folder / address_by_folder[folder],
                    through=through,
                ),
                folder,
            )
            for folder in campaigns_to_read.folders
        ]
        results = run_each(tasks, job_options, "campaigns written", _unfinished_campaign)
    else:
        task = partial(_export_all_formats, through=through)
        results = run_anywhere(
            task, campaigns_to_read, job_options, "campaigns written", _unfinished_campaign
        )
    exit_code = 0
    for folder, result in zip(campaigns_to_read.folders, results, strict=True):
        if isinstance(result, dict):
            result = _fill_folder(result, out_folder / address_by_folder[folder])
        if isinstance(result, Cannot):
            exit_code = 1
            result.show()
            continue
        _print_changes(result)
        if upload_url is not None:
            send_folder(
                out_folder / address_by_folder[folder],
                f"{upload_url.rstrip('/')}/{address_by_folder[folder]}",
            )
    return exit_code


ContentsByName = dict[str, bytes]


def _export_all_formats(folder: Path, *, through: int | None) -> ContentsByName | Cannot:
    """Every format of a campaign, by the names of their files."""
    from chronicle.campaigns import fault_in, for_readers, relaxed_gc, run
    from chronicle.export import exports

    try:
        campaign = load_playable(folder)
        with relaxed_gc():
            record = run(for_readers(campaign, through=through))
            return {file_name: file_bytes for file_name, _, file_bytes in exports(record)}
    except Cannot as error:
        return error
    except Exception as error:
        diagnostic = fault_in(folder, error)
        return obstacle_of(error) or Cannot(
            f"{diagnostic.place}: {diagnostic.message}", *diagnostic.help
        )


def _fill_folder(contents_by_name: ContentsByName, target_folder: Path) -> FolderChanges | Cannot:
    from chronicle.core.output import fill_folder

    try:
        with explain_unfillable_folder("written"):
            return fill_folder(target_folder, contents_by_name)
    except Cannot as error:
        return error


def _write_campaign(
    folder: Path, *, target_folder: Path, through: int | None
) -> FolderChanges | Cannot:
    try:
        require_outside(folder, target_folder, target_folder)
    except Cannot as error:
        return error
    files_or_failure = _export_all_formats(folder, through=through)
    return (
        files_or_failure
        if isinstance(files_or_failure, Cannot)
        else _fill_folder(files_or_failure, target_folder)
    )


def _unfinished_campaign(folder: Path, reason: str) -> Cannot:
    return Cannot(f"'{folder}': {reason}")


def _print_changes(changes: FolderChanges) -> None:
    for file in changes.written:
        click.echo(f"wrote {file}")
    for file in changes.removed:
        click.echo(f"removed {file}")
