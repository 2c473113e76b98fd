"""``chronicle export``."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.jobs import JOBS, SHARD, share_of, spread
from chronicle.cli.out import (
    Cannot,
    campaign_at,
    campaigns_at,
    cannot_use,
    cannot_write,
    readable,
    settle,
)
from chronicle.cli.place import OUT, filling
from chronicle.cli.where import at_path

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.core.output import Filled


@click.command(short_help="Hand the record to other programs.")
@at_path
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "sqlite", "hledger", "beancount", "csv"]),
    help="Which format to print.",
)
@click.option("--out", type=OUT, help="Write into this new file instead.")
@click.option("--replace", is_flag=True, help="The file of --out may be there already.")
@click.option(
    "--all",
    "folder",
    type=OUT,
    help="Write every format, and the logs without their secrets, into this folder.",
)
@click.option(
    "--through",
    type=click.IntRange(0),
    help="The record as it stood after this session, and nothing later.",
)
@JOBS
@SHARD
def export(
    path: Path,
    form: str | None,
    out: Path | None,
    replace: bool,
    folder: Path | None,
    through: int | None,
    jobs: int | None,
    shard: tuple[int, int] | None,
) -> int:
    """Hand the record of the campaign at PATH to other programs.

    json is the whole record: every entry with what it did; sqlite is the same as tables and views, for
    Datasette, pandas and SQL. hledger and beancount are the ledger as journals that those programs
    check, with our balances asserted. csv is one line a movement.
    What has not been revealed is in none of them. With --all, several campaigns are written, each into a
    folder of its own.

    \b
      chronicle export --format hledger | hledger -f - balance
      chronicle export --format sqlite --out record.sqlite
      chronicle export --all exports
    """  # noqa: D301
    from chronicle.campaigns import for_readers, run
    from chronicle.core.edits import write_bytes
    from chronicle.core.files import read

    if form is None and folder is None:
        raise Cannot(
            "which format?", "add  --format json|sqlite|hledger|beancount|csv  or  --all FOLDER"
        )
    if folder is not None and form is None and len(campaigns_at(path)) > 1:
        return _each(path, folder, through, jobs, shard)
    campaign = campaign_at(path)
    if form == "sqlite" and out is None and sys.stdout.isatty():
        raise Cannot("a database is no text to read", "say where to:  --out record.sqlite")
    if folder is not None:
        _outside(campaign, folder, folder)
    if out is not None:
        _outside(campaign, out.parent, out)
        settle(out.parent)
        if os.path.lexists(out) and not (replace and out.is_file()):
            raise Cannot(
                f"'{out}' is there already, and nothing is overwritten",
                "name another file, or add  --replace" if out.is_file() else "name another file",
            )
    record = run(for_readers(campaign, through=through))
    from chronicle.core.output import fill
    from chronicle.export import FORMATS, exports

    if folder is not None:
        with filling("written"):
            _tell(fill(folder, {name: data for name, _, data in exports(record)}))
    if form is not None:
        made = FORMATS[form].bytes_of(record)
        if out is None:
            click.echo(made if form == "sqlite" else made.decode("utf-8"), nl=False)
        else:
            try:
                write_bytes(out, made, read(out) if replace else None)
            except OSError as error:
                raise cannot_write(error) from None
    return 0


def _each(
    path: Path,
    out: Path,
    through: int | None,
    jobs: int | None,
    shard: tuple[int, int] | None,
) -> int:
    """Write every format of every campaign; one that cannot be read is told, and stops nobody."""
    from chronicle.site.links import campaign_addresses

    found = campaigns_at(path)
    at = campaign_addresses(found)
    task = partial(_written, out=out, at=at, through=through)
    failed = 0
    for done in spread(task, share_of(found, shard), jobs, "campaigns written"):
        if isinstance(done, Cannot):
            failed = 1
            done.show()
        else:
            _tell(done)
    return failed


def _written(
    folder: Path, *, out: Path, at: dict[Path, str], through: int | None
) -> Filled | Cannot:
    from chronicle.campaigns import fault_in, for_readers, relaxed_gc, run
    from chronicle.core.output import fill
    from chronicle.export import exports

    target = out / at[folder]
    try:
        campaign = readable(folder)
        _outside(campaign, target, target)
        with relaxed_gc():
            record = run(for_readers(campaign, through=through))
            with filling("written"):
                return fill(target, {name: data for name, _, data in exports(record)})
    except Cannot as error:
        return error
    except Exception as error:
        one = fault_in(folder, error)
        return cannot_use(error) or Cannot(f"{one.place}: {one.message}", *one.help)


def _tell(done: Filled) -> None:
    for file in done.written:
        click.echo(f"wrote {file}")
    for file in done.removed:
        click.echo(f"removed {file}")


def _outside(campaign: Campaign, folder: Path, target: Path) -> None:
    """Hold that nothing is written among the files of a campaign.

    Raises:
        Cannot: when ``folder``, where ``target`` is or lies, is a campaign's, or holds the campaign.
    """
    from chronicle.core.files import content, digest
    from chronicle.core.output import listed
    from chronicle.transcript.folder import SETTINGS_FILE, project_around

    real = Path(os.path.realpath(target))
    inner = real if folder == target else real.parent
    if folder == target and Path(campaign.folder).resolve().is_relative_to(real):
        raise Cannot(
            f"'{target}' holds the campaign itself; an export would write among its files",
            "name a folder of its own:  chronicle export --all exports",
        )
    around = project_around(inner)
    root = around[0].resolve() if around is not None else None
    for one in (inner, *inner.parents):
        settings = one / SETTINGS_FILE
        ours = listed(one).get(SETTINGS_FILE, ())
        if settings.is_file() and digest(content(settings)) not in ours:
            beside = Path(os.path.relpath(root if root is not None else one.parent))
            name = f"export-{target.name}" if target.suffix == ".yaml" else target.name
            raise Cannot(
                f"'{target}' lies in the campaign folder '{Path(os.path.relpath(one))}'; an export "
                "could write over its files",
                "name a place outside of it:  "
                + (f"--all {beside / 'exports'}" if folder == target else f"--out {beside / name}"),
            )
        if one == root:
            break
