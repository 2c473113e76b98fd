"""``chronicle export``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import Cannot, campaign_at


@click.command(short_help="Hand the record to other programs.")
@click.argument("path", default=".", type=click.Path(path_type=Path))
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
    from chronicle.campaigns import run
    from chronicle.core.files import write_bytes

    if form is None and folder is None:
        raise Cannot("which format?", "add  --format json|hledger|beancount|csv  or  --all FOLDER")
    record = run(campaign_at(path), through=through)
    from chronicle.export import FORMATS, exports

    try:
        if folder is not None:
            for name, _, data in exports(record):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                write_bytes(folder / name, data)
                click.echo(f"wrote {folder / name}")
        if form is not None:
            text = FORMATS[form](record)
            if out is None:
                click.echo(text, nl=False)
            else:
                write_bytes(out, text.encode("utf-8"))
    except OSError as error:
        raise Cannot(f"cannot write: {error.strerror}", str(error.filename or "")) from None
    return 0
