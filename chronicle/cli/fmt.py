"""``chronicle fmt``: one layout for every log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.edit import DRY, Edited, campaigns_with_texts, show_diff, sources, write
from chronicle.cli.where import at_path

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign


@click.command()
@at_path
@DRY
@click.option(
    "--check",
    "only",
    is_flag=True,
    help="Write nothing. The exit code is 1 if a file would change.",
)
def fmt(path: Path, dry: bool, only: bool) -> int:
    """Format the session files of the campaign at PATH, or one session file.

    The verb comes first, then the actor, and the story last. Brackets get the same spacing, and long
    ones are split into lines. Long texts are wrapped. Comments stay, and no value changes. A file that
    Chronicle cannot read without errors is left alone.

    \b
      chronicle fmt
      chronicle fmt sessions/our-table/01.yaml --diff
    """  # noqa: D301
    left = 0
    for campaign, seen in campaigns_with_texts(path):
        done = list(_laid_out(campaign, path))
        changing = [
            one for one in done if isinstance(one, Edited) and one.new_text != one.source.text
        ]
        for one in done:
            if not isinstance(one, Edited):
                click.echo(one, err=True)
                left += 1
        if only:
            for one in changing:
                click.echo(f"{one.file} would change")
                if dry:
                    show_diff(one.file, one.source.text, one.new_text)
            left += len(changing)
        else:
            write(campaign, seen, changing, dry)
    return 1 if left else 0


def _laid_out(campaign: Campaign, path: Path) -> Iterator[Edited | str]:
    """The files as they would be, or why one is left alone."""
    from chronicle.games import rulebook
    from chronicle.syntax.layout import format_layout
    from chronicle.syntax.text_edit import EditRefused

    verbs = frozenset(rulebook(campaign.game).by_verb)
    for file, before in sources(campaign, path, settings=True):
        try:
            yield Edited(file, before, format_layout(before.text, str(file), verbs))
        except EditRefused as refused:
            yield str(refused)
