"""``chronicle export``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.jobs import (
    FROM_OPTION,
    JOBS_OPTION,
    PATIENCE_OPTION,
    SCHEDULER_OPTION,
    SHARD_OPTION,
    TO_OPTION,
    CampaignSource,
    JobOptions,
    SectionedCommand,
    campaigns_of_share,
    run_anywhere,
    run_each,
    send_folder,
    source_of,
)
from chronicle.cli.out import (
    Cannot,
    campaign_at,
    campaigns_at,
    load_playable,
    obstacle_of,
)
from chronicle.cli.place import (
    OUT,
    explain_unfillable,
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
    "form",
    type=click.Choice(["json", "sqlite", "hledger", "beancount", "csv"]),
    help="Format to print.",
)
@click.option("--out", type=OUT, help="Write to this new file instead of printing.")
@click.option("--replace", is_flag=True, help="Replace the file if it exists already.")
@click.option(
    "--all",
    "folder",
    type=OUT,
    help="Write all formats, and the logs without their secrets, to this folder.",
)
@click.option(
    "--through",
    type=click.IntRange(0),
    help="Stop after this session.",
)
@JOBS_OPTION
@PATIENCE_OPTION
@SHARD_OPTION
@SCHEDULER_OPTION
@FROM_OPTION
@TO_OPTION
def export(
    path: Path,
    form: str | None,
    out: Path | None,
    replace: bool,
    folder: Path | None,
    through: int | None,
    jobs: int | None,
    patience: float | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    source: str | None,
    target: str | None,
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

    if form is None and folder is None:
        raise Cannot(
            "which format?", "add  --format json|sqlite|hledger|beancount|csv  or  --all FOLDER"
        )
    is_remote = any(option is not None for option in (scheduler, source, target))
    if is_remote and (folder is None or form is not None):
        raise Cannot("--scheduler, --from and --to are for all formats", "add  --all FOLDER")
    if folder is not None and form is None and (is_remote or len(campaigns_at(path)) > 1):
        source_of_campaigns = source_of(path, source)
        job_options = JobOptions(jobs, patience, scheduler)
        return _export_each(source_of_campaigns, folder, through, job_options, shard, target)
    campaign = campaign_at(path)
    if form == "sqlite" and out is None and sys.stdout.isatty():
        raise Cannot("a database is no text to read", "say where to:  --out record.sqlite")
    if folder is not None:
        require_outside(Path(campaign.folder), folder, folder)
    old_data = require_new_file(campaign, out, replace) if out is not None else None
    record = run(for_readers(campaign, through=through))
    from chronicle.core.output import fill_folder
    from chronicle.export import FORMATS, exports
    from chronicle.export.data import ExportedRecord

    if folder is not None:
        with explain_unfillable("written"):
            _print_changes(fill_folder(folder, {name: data for name, _, data in exports(record)}))
    if form is not None:
        data = FORMATS[form].bytes_of(ExportedRecord(record))
        if out is None:
            click.echo(data if form == "sqlite" else data.decode("utf-8"), nl=False)
        else:
            write_new(out, data, old_data)
    return 0


def _export_each(
    source_of_campaigns: CampaignSource,
    out: Path,
    through: int | None,
    job_options: JobOptions,
    shard: tuple[int, int] | None,
    target: str | None,
) -> int:
    """Write every format of every campaign; report one that cannot be read, and go on with the others."""
    from chronicle.site.links import campaign_addresses

    addresses = campaign_addresses(source_of_campaigns.folders)
    source_of_campaigns = source_of_campaigns._replace(
        folders=campaigns_of_share(source_of_campaigns.folders, shard)
    )
    is_local = job_options.scheduler is None and not source_of_campaigns.url
    results: Iterator[FolderChanges | FilesByName | Cannot]
    if is_local:
        tasks = [
            (partial(_write_campaign, target=out / addresses[folder], through=through), folder)
            for folder in source_of_campaigns.folders
        ]
        results = run_each(tasks, job_options, "campaigns written", _lost_campaign)
    else:
        task = partial(_all_formats, through=through)
        results = run_anywhere(
            task, source_of_campaigns, job_options, "campaigns written", _lost_campaign
        )
    failed = 0
    for folder, result in zip(source_of_campaigns.folders, results, strict=True):
        if isinstance(result, dict):
            result = _fill_folder(result, out / addresses[folder])
        if isinstance(result, Cannot):
            failed = 1
            result.show()
            continue
        _print_changes(result)
        if target is not None:
            send_folder(out / addresses[folder], f"{target.rstrip('/')}/{addresses[folder]}")
    return failed


FilesByName = dict[str, bytes]


def _all_formats(folder: Path, *, through: int | None) -> FilesByName | Cannot:
    """Every format of a campaign, by the names of their files."""
    from chronicle.campaigns import fault_in, for_readers, relaxed_gc, run
    from chronicle.export import exports

    try:
        campaign = load_playable(folder)
        with relaxed_gc():
            record = run(for_readers(campaign, through=through))
            return {name: data for name, _, data in exports(record)}
    except Cannot as error:
        return error
    except Exception as error:
        diagnostic = fault_in(folder, error)
        return obstacle_of(error) or Cannot(
            f"{diagnostic.place}: {diagnostic.message}", *diagnostic.help
        )


def _fill_folder(files: FilesByName, target: Path) -> FolderChanges | Cannot:
    from chronicle.core.output import fill_folder

    try:
        with explain_unfillable("written"):
            return fill_folder(target, files)
    except Cannot as error:
        return error


def _write_campaign(folder: Path, *, target: Path, through: int | None) -> FolderChanges | Cannot:
    try:
        require_outside(folder, target, target)
    except Cannot as error:
        return error
    files_or_failure = _all_formats(folder, through=through)
    return (
        files_or_failure
        if isinstance(files_or_failure, Cannot)
        else _fill_folder(files_or_failure, target)
    )


def _lost_campaign(folder: Path, reason: str) -> Cannot:
    return Cannot(f"'{folder}': {reason}")


def _print_changes(changes: FolderChanges) -> None:
    for file in changes.written:
        click.echo(f"wrote {file}")
    for file in changes.removed:
        click.echo(f"removed {file}")
