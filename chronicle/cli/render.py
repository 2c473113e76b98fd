"""``chronicle render``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import campaigns_at, on_terminal
from chronicle.cli.place import OUTPUT_PATH, explain_unfillable_folder, publishing


@click.command()
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option("--out", "out_folder", required=True, type=OUTPUT_PATH, help="Folder to write.")
@click.option(
    "--through",
    type=click.IntRange(0),
    help="Show the campaigns as they were after this session, and nothing from later ones.",
)
@click.option("--title", default="", help="Name of the site.")
def render(path: Path, out_folder: Path, through: int | None, title: str) -> int:
    """Write the pages of the campaigns at PATH to a folder, as Markdown with front matter.

    The folder also gets styles, pictures and the settings that MkDocs, ProperDocs and Zensical need.
    Each of them can build it without Chronicle. The folder must be new, empty, or written by `render`
    before. Files from an earlier run are replaced or removed, unless you changed them.

    \b
      chronicle render --out pages
      chronicle render sessions/our-table --out pages --title "Our table"
    """  # noqa: D301
    from chronicle.publish import render as write_pages

    campaigns_at(path)
    with publishing(path) as (project, warn), explain_unfillable_folder("written"):
        written_files = write_pages(
            path, out_folder, project=project, through=through, title=title, warn=warn
        )
    if on_terminal():
        click.echo(f"{len(written_files):,} files in {out_folder}. Build them with")
        click.echo(f"  cd {out_folder} && mkdocs build      (or properdocs, or zensical)")
    return 0
