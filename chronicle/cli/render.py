"""``chronicle render``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import campaigns_at, on_terminal
from chronicle.cli.place import OUT, filling, publishing


@click.command(short_help="Write the pages as plain Markdown, for any site builder.")
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=OUT, help="Where to.")
@click.option(
    "--through",
    type=click.IntRange(0),
    help="Show the campaigns as they stood after this session, and give nothing later away.",
)
@click.option("--title", default="", help="The name of the site.")
def render(path: Path, out: Path, through: int | None, title: str) -> int:
    """Write the pages of the campaigns at PATH into a folder, as Markdown with front matter.

    Beside them go styles, pictures and the settings that MkDocs, ProperDocs and Zensical need: any
    of them builds the folder, without Chronicle. It has to be new, empty, or rendered into before; what
    was put there then is replaced or goes away, unless somebody changed it.
    """
    from chronicle.publish import render as write_pages

    campaigns_at(path)
    with publishing(path) as (project, warn), filling("written"):
        written = write_pages(path, out, project=project, through=through, title=title, warn=warn)
    if on_terminal():
        click.echo(f"{len(written):,} files in {out}. Build them with")
        click.echo(f"  cd {out} && mkdocs build      (or properdocs, or zensical)")
    return 0
