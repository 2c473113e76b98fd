"""``chronicle render``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import Cannot, Ink, campaigns_at, on_terminal
from chronicle.cli.place import OUT, filling


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
    import sys

    from chronicle.transcript.folder import site_settings_around

    campaigns_at(path)
    settings = site_settings_around(path)
    project = settings.parent if settings is not None else None
    ink = Ink(sys.stderr)

    def warn(message: str) -> None:
        print(f"{ink('warning:', 'yellow', 'bold')} {message}", file=sys.stderr)

    from chronicle.publish import TemplateFault
    from chronicle.publish import render as write_pages

    try:
        with filling("written"):
            written = write_pages(
                path, out, project=project, through=through, title=title, warn=warn
            )
    except TemplateFault as error:
        raise Cannot(
            str(error), "nothing was written: this template is your project's own"
        ) from None
    if on_terminal():
        click.echo(f"{len(written):,} files in {out}. Build them with")
        click.echo(f"  cd {out} && mkdocs build      (or properdocs, or zensical)")
    return 0
