"""``chronicle book``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import Cannot, campaign_at, on_terminal
from chronicle.cli.place import OUTPUT_PATH, publishing, require_new_file, write_new
from chronicle.cli.where import with_path_argument


@click.command()
@with_path_argument
@click.option(
    "--out",
    "out_files",
    type=OUTPUT_PATH,
    multiple=True,
    help="New file to write (.epub or .pdf). You can give several.",
)
@click.option("--replace", "may_replace", is_flag=True, help="Replace files that exist already.")
@click.option(
    "--annotated",
    "is_annotated",
    is_flag=True,
    help="Put dice, costs and table talk under each passage instead of at the end.",
)
@click.option("--chapter", type=click.IntRange(1), help="Only this chapter.")
@click.option(
    "--through",
    type=click.IntRange(0),
    help="Stop after this session.",
)
def book(
    path: Path,
    out_files: tuple[Path, ...],
    may_replace: bool,
    is_annotated: bool,
    chapter: int | None,
    through: int | None,
) -> int:
    """Make an e-book or a PDF of the story of the campaign at PATH.

    The book has a title page, contents, one chapter with pictures for each session, notes on dice and
    costs, the people and their ties, and the licence. Secrets are left out until they are revealed.

    \b
      chronicle book our-campaign --out story.epub
      chronicle book our-campaign --out story.pdf
      chronicle book our-campaign --out chapter-2.epub --chapter 2 --annotated
    """  # noqa: D301
    from chronicle.publish import open_campaign_site
    from chronicle.site.binding.forms import BOOK_FORMATS, bind_book
    from chronicle.site.binding.manuscript import NoBook, compose_book

    if not out_files:
        raise Cannot("where to?", "add  --out story.epub  or  --out story.pdf")
    for out_file in out_files:
        if out_file.suffix.casefold() not in BOOK_FORMATS:
            raise Cannot(
                f"'{out_file}'  does not say which kind of book to write",
                f"end its name in  {' or '.join(BOOK_FORMATS)}",
            )
    campaign = campaign_at(path)
    old_contents = {
        out_file: require_new_file(campaign, out_file, may_replace) for out_file in out_files
    }
    with publishing(path) as (project, warn):
        campaign_site = open_campaign_site(campaign, project=project, through=through, warn=warn)
        manuscript = compose_book(campaign_site, annotated=is_annotated, chapter=chapter or 0)
    refusals: list[NoBook] = []
    for out_file in out_files:
        try:
            book_bytes = bind_book(manuscript, out_file.suffix.casefold())
        except NoBook as refusal:
            refusals.append(refusal)
            continue
        write_new(out_file, book_bytes, old_contents[out_file])
        if on_terminal():
            click.echo(f"wrote {out_file}")
    if refusals:
        raise refusals[0]
    return 0
