"""``chronicle export``."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from chronicle.cli.out import Cannot, campaign_at, cannot_write
from chronicle.cli.where import at_path

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.core.record import Record

WRITTEN: Final = ".chronicle-export"
"""What an export wrote into a folder, as ``sha256sum`` has it: later exports may replace that, and
take it away again, but nothing else."""


@click.command(short_help="Hand the record to other programs.")
@at_path
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "hledger", "beancount", "csv"]),
    help="Which format to print.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write into this file instead.")
@click.option(
    "--all",
    "folder",
    type=click.Path(path_type=Path),
    help="Write every format, and the logs without their secrets, into this folder.",
)
@click.option(
    "--through",
    type=click.IntRange(0),
    help="The record as it stood after this session, and nothing later.",
)
def export(
    path: Path, form: str | None, out: Path | None, folder: Path | None, through: int | None
) -> int:
    """Hand the record of the campaign at PATH to other programs.

    json is the whole record: every entry with what it did. hledger and beancount are the ledger as
    journals that those programs check, with our balances asserted. csv is one line a movement.
    What has not been revealed is in none of them.

    \b
      chronicle export --format hledger | hledger -f - balance
      chronicle export --all exports
    """  # noqa: D301
    from chronicle.campaigns import for_readers, run
    from chronicle.core.files import write_bytes

    if form is None and folder is None:
        raise Cannot("which format?", "add  --format json|hledger|beancount|csv  or  --all FOLDER")
    campaign = campaign_at(path)
    if folder is not None:
        _outside(campaign, folder, folder)
    if out is not None:
        _outside(campaign, out.parent, out)
    record = run(for_readers(campaign, through=through))
    from chronicle.export import FORMATS

    if folder is not None:
        _write_all(record, folder)
    if form is not None:
        text = FORMATS[form](record)
        if out is None:
            click.echo(text, nl=False)
        else:
            try:
                write_bytes(out, text.encode("utf-8"))
            except OSError as error:
                raise cannot_write(error) from None
    return 0


def _write_all(record: Record, folder: Path) -> None:
    """Write every format into a folder, and take away what an earlier export wrote there besides.

    Raises:
        Cannot: when a file there is not as an export left it, or cannot be written.
    """
    from chronicle.core.files import write_all
    from chronicle.export import exports

    made = {name: data for name, _, data in exports(record)}
    earlier = _written(folder)
    for name in made:
        file = folder / name
        if not os.path.lexists(file):
            continue
        if not _is(file, earlier.get(name)):
            raise Cannot(
                f"'{file}' is there already, and not as an export left it",
                "nothing was written: name another folder, or move that file away",
            )
    stale = [folder / name for name in earlier if name not in made]
    stale = [file for file in stale if _is(file, earlier[file.name])]
    written = "".join(f"{_digest(data)}  {name}\n" for name, data in made.items())
    files = {folder / name: data for name, data in made.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_all({**files, folder / WRITTEN: written.encode("utf-8")})
        for file in files:
            click.echo(f"wrote {file}")
        for file in stale:
            file.unlink()
            click.echo(f"removed {file}")
    except OSError as error:
        raise cannot_write(error) from None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is(file: Path, digest: str | None) -> bool:
    """Whether a file holds what has this digest; never so for a link."""
    try:
        return digest is not None and not file.is_symlink() and _digest(file.read_bytes()) == digest
    except OSError:
        return False


def _written(folder: Path) -> dict[str, str]:
    """The files that an earlier export wrote into a folder, with their digests."""
    try:
        lines = (folder / WRITTEN).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    pairs = (line.split("  ", 1) for line in lines if "  " in line)
    return {name: digest for digest, name in pairs if Path(name).name == name}


def _outside(campaign: Campaign, folder: Path, target: Path) -> None:
    """Hold that nothing is written among the files of a campaign.

    Raises:
        Cannot: when ``folder``, where ``target`` is or lies, is a campaign's, or holds the campaign.
    """
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
        if settings.is_file() and not _is(settings, _written(one).get(SETTINGS_FILE)):
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
