"""``chronicle check``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.out import Cannot, Ink, campaigns_at, on_terminal, watch

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic


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
        return _once(path, form, strict)
    if form != "text":
        raise Cannot("--watch is for people; it goes with --format text only")
    folders = campaigns_at(path)

    def once() -> None:
        if on_terminal():
            click.clear()
        _once(path, form, strict)

    watch(folders, once)
    return 0


def _once(path: Path, form: str, strict: bool) -> int:
    from chronicle.campaigns import load, relaxed_gc, run
    from chronicle.core.diagnostic import Severity
    from chronicle.games import GAMES

    found: list[Diagnostic] = []
    actions = 0
    folders = campaigns_at(path)
    with relaxed_gc():
        for folder in folders:
            campaign = load(folder)
            if campaign.game in GAMES:
                record = run(campaign)
                found.extend(record.diagnostics)
                actions += len(record.steps)
            else:
                found.extend(campaign.diagnostics)
        _print(found, form, len(folders), actions)
    limit = Severity.WARNING if strict else Severity.ERROR
    return int(any(one.severity >= limit for one in found))


def _print(found: list[Diagnostic], form: str, campaigns: int, actions: int) -> None:
    ink = Ink()
    for one in found:
        print(f"{one.place}: {one.severity}[{one.code}]: {one.message}")
    if not found and on_terminal():
        many = f" in {campaigns} campaigns" if campaigns > 1 else ""
        print(f"{ink('Nothing to say:', 'green')} {actions:,} entries{many} add up.")
    sys.stdout.flush()
