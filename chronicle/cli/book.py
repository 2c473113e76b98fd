"""``chronicle book``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import Cannot, campaign_at, on_terminal
from chronicle.cli.place import OUT, new_file, publishing, put
from chronicle.cli.where import at_path


@click.command(short_help="Bind the story as a book, for e-readers and for paper.")
@at_path
@click.option(
    "--out",
    "outs",
    type=OUT,
    multiple=True,
    help="Write this new file (.epub, .pdf); may be given more than once.",
)
@click.option("--replace", is_flag=True, help="The files of --out may be there already.")
@click.option(
    "--annotated",
    is_flag=True,
    help="How everything was decided, and the table's talk, below the words and not at the end.",
)
@click.option("--chapter", type=click.IntRange(1), help="This chapter alone.")
@click.option(
    "--through",
    type=click.IntRange(0),
    help="The story as it stood after this session, and nothing later.",
)
def book(
    path: Path,
    outs: tuple[Path, ...],
    replace: bool,
    annotated: bool,
    chapter: int | None,
    through: int | None,
) -> int:
    """Bind the story of the campaign at PATH as a book.

    It has a title page, contents, a chapter for each evening with its pictures, how everything was
    decided, the people, how they hang together, and whose it is. What has not been revealed is not in it.

    \b
      chronicle book our-campaign --out story.epub
      chronicle book our-campaign --out story.pdf
      chronicle book our-campaign --out chapter-2.epub --chapter 2 --annotated
    """  # noqa: D301
    from chronicle.publish import open_volume, own_templates
    from chronicle.site.binding.forms import FORMS, bind
    from chronicle.site.binding.manuscript import compose

    if not outs:
        raise Cannot("where to?", "add  --out story.epub  or  --out story.pdf")
    for out in outs:
        if out.suffix.casefold() not in FORMS:
            raise Cannot(
                f"'{out}' says not which kind of book it is to be",
                f"end its name in  {' or '.join(FORMS)}",
            )
    campaign = campaign_at(path)
    there = {out: new_file(campaign, out, replace) for out in outs}
    with publishing(path) as (project, warn), own_templates(project):
        volume = open_volume(campaign, project=project, through=through, warn=warn)
        made = compose(volume, annotated=annotated, chapter=chapter or 0)
    bound = [(out, bind(made, out.suffix.casefold())) for out in outs]
    for out, data in bound:
        put(out, data, there[out])
        if on_terminal():
            click.echo(f"wrote {out}")
    return 0
