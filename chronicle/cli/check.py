"""``chronicle check``."""

from __future__ import annotations

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
    from chronicle.transcript.folder import CampaignUnreadable

    found: list[Diagnostic] = []
    entries = 0
    folders = campaigns_at(path)
    with relaxed_gc():
        for folder in folders:
            try:
                campaign = load(folder)
                record = run(campaign)
            except CampaignUnreadable as error:
                found.extend(one for one in error.diagnostics if one.severity)
                continue
            entries += len(record.steps)
            order = {campaign.path: -1, **{s.path: s.number for s in campaign.sessions}}
            found.extend(
                sorted(
                    record.diagnostics,
                    key=lambda d: (order.get(d.place.path, -1), d.place.line, d.place.column),
                )
            )
        _print(found, form, len(folders), entries)
    limit = Severity.WARNING if strict else Severity.ERROR
    return int(any(one.severity >= limit for one in found))


def _print(found: list[Diagnostic], form: str, campaigns: int, entries: int) -> None:
    if form == "text" and not found:
        if on_terminal():
            many = f" in {campaigns} campaigns" if campaigns > 1 else ""
            print(f"{Ink()('All is well:', 'green', bold=True)} {entries:,} entries{many}.")
        return
    from chronicle.transcript import render

    match form:
        case "json":
            print(render.as_json(found), end="")
        case "sarif":
            from chronicle import __version__

            print(render.sarif(found, version=__version__), end="")
        case "github":
            print(render.github(found), end="")
        case _:
            print(render.terminal(found, _Lines(), colour=Ink().colour))
            print(_sum(found, entries))


class _Lines(dict[str, list[str]]):
    """The lines of the files that findings point at, each read once."""

    def __call__(self, path: str) -> list[str]:
        if path not in self:
            from chronicle.transcript.render import lines_of

            try:
                text = Path(path).read_bytes().decode("utf-8-sig", "replace")
            except OSError:
                text = ""
            self[path] = lines_of(text)
        return self[path]


def _sum(found: list[Diagnostic], entries: int) -> str:
    """How many findings of each severity, in one line."""
    from chronicle.core.diagnostic import Severity, listed, plural

    first = [one for one in found if one.cause is None]
    counts = [
        plural(count, str(severity))
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)
        if (count := sum(one.severity is severity for one in first))
    ]
    return f"{listed(counts)} in {plural(entries, 'entry', 'entries')}"
