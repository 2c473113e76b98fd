"""``chronicle check``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.checking import once
from chronicle.cli.out import Cannot, campaigns_at, on_terminal, watch


@click.command(short_help="Replay a log and say what cannot be right.")
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    help="For people, for programs, for code scanning, or as annotations of a CI run.",
)
@click.option("--strict", is_flag=True, help="Let warnings fail as well.")
@click.option("--watch", "again", is_flag=True, help="Check again whenever a file is saved.")
def check(path: Path, form: str, strict: bool, again: bool) -> int:
    """Replay every campaign at PATH, or around it, through the rules of its game.

    You are told what cannot be right, what does not add up, and what the record does not say.
    Nothing is printed when all is well, except one line on a terminal. The exit code is 0 without
    errors (with --strict: without warnings too), 1 with them, 2 if nothing could be checked.
    """
    if not again:
        return once(path, form, strict)
    if form != "text":
        raise Cannot("--watch is for people; it goes with --format text only")
    folders = campaigns_at(path)

    def look() -> None:
        if on_terminal():
            click.clear()
        once(path, form, strict)

    watch(folders, look)
    return 0
