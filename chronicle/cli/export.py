"""``chronicle export``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.jobs import (
    FROM,
    JOBS,
    SCHEDULER,
    SHARD,
    TIME,
    TO,
    SectionedCommand,
    Source,
    Together,
    sent_to,
    share_of,
    source_of,
    spread_each,
    spread_far,
)
from chronicle.cli.out import (
    Cannot,
    campaign_at,
    campaigns_at,
    cannot_use,
    readable,
)
from chronicle.cli.place import OUT, filling, new_file, outside, write_new
from chronicle.cli.where import at_path

if TYPE_CHECKING:
    from chronicle.core.output import FolderChanges


@click.command(cls=SectionedCommand)
@at_path
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
@JOBS
@TIME
@SHARD
@SCHEDULER
@FROM
@TO
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
        origin = source_of(path, source)
        how = Together(jobs, patience, scheduler)
        return _each(origin, folder, through, how, shard, target)
    campaign = campaign_at(path)
    if form == "sqlite" and out is None and sys.stdout.isatty():
        raise Cannot("a database is no text to read", "say where to:  --out record.sqlite")
    if folder is not None:
        outside(Path(campaign.folder), folder, folder)
    old_data = new_file(campaign, out, replace) if out is not None else None
    record = run(for_readers(campaign, through=through))
    from chronicle.core.output import fill
    from chronicle.export import FORMATS, exports
    from chronicle.export.data import ExportedRecord

    if folder is not None:
        with filling("written"):
            _tell(fill(folder, {name: data for name, _, data in exports(record)}))
    if form is not None:
        exported = FORMATS[form].bytes_of(ExportedRecord(record))
        if out is None:
            click.echo(exported if form == "sqlite" else exported.decode("utf-8"), nl=False)
        else:
            write_new(out, exported, old_data)
    return 0


def _each(
    origin: Source,
    out: Path,
    through: int | None,
    how: Together,
    shard: tuple[int, int] | None,
    target: str | None,
) -> int:
    """Write every format of every campaign; report one that cannot be read, and go on with the others."""
    from chronicle.site.links import campaign_addresses

    addresses = campaign_addresses(origin.folders)
    origin = origin._replace(folders=share_of(origin.folders, shard))
    is_local = how.scheduler is None and not origin.url
    results: Iterator[FolderChanges | Files | Cannot]
    if is_local:
        pairs = [
            (partial(_written, target=out / addresses[folder], through=through), folder)
            for folder in origin.folders
        ]
        results = spread_each(pairs, how, "campaigns written", _lost)
    else:
        task = partial(_all_formats, through=through)
        results = spread_far(task, origin, how, "campaigns written", _lost)
    failed = 0
    for folder, result in zip(origin.folders, results, strict=True):
        if isinstance(result, dict):
            result = _fill_folder(result, out / addresses[folder])
        if isinstance(result, Cannot):
            failed = 1
            result.show()
            continue
        _tell(result)
        if target is not None:
            sent_to(out / addresses[folder], f"{target.rstrip('/')}/{addresses[folder]}")
    return failed


Files = dict[str, bytes]


def _all_formats(folder: Path, *, through: int | None) -> Files | Cannot:
    """Every format of a campaign, by the names of their files."""
    from chronicle.campaigns import fault_in, for_readers, relaxed_gc, run
    from chronicle.export import exports

    try:
        campaign = readable(folder)
        with relaxed_gc():
            record = run(for_readers(campaign, through=through))
            return {name: data for name, _, data in exports(record)}
    except Cannot as error:
        return error
    except Exception as error:
        diagnostic = fault_in(folder, error)
        return cannot_use(error) or Cannot(
            f"{diagnostic.place}: {diagnostic.message}", *diagnostic.help
        )


def _fill_folder(files: Files, target: Path) -> FolderChanges | Cannot:
    from chronicle.core.output import fill

    try:
        with filling("written"):
            return fill(target, files)
    except Cannot as error:
        return error


def _written(folder: Path, *, target: Path, through: int | None) -> FolderChanges | Cannot:
    try:
        outside(folder, target, target)
    except Cannot as error:
        return error
    files_or_failure = _all_formats(folder, through=through)
    return (
        files_or_failure
        if isinstance(files_or_failure, Cannot)
        else _fill_folder(files_or_failure, target)
    )


def _lost(folder: Path, why: str) -> Cannot:
    return Cannot(f"'{folder}': {why}")


def _tell(changes: FolderChanges) -> None:
    for file in changes.written:
        click.echo(f"wrote {file}")
    for file in changes.removed:
        click.echo(f"removed {file}")
