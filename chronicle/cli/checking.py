"""What ``chronicle check`` does, without the machinery of options.

An editor runs it after every save, so nothing is imported here that a clean log does not need.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from chronicle.cli.out import Ink, campaigns_at, on_terminal

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic


def once(path: Path, form: str, strict: bool) -> int:
    """Check the campaigns at a path, print what was found, give the exit code."""
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
            print(f"{Ink()('All is well:', 'green', 'bold')} {entries:,} entries{many}.")
        return
    from chronicle.transcript import render

    lines = Lines()
    render.pin(found, lines)
    match form:
        case "json":
            print(render.as_json(found), end="")
        case "sarif":
            from chronicle import __version__

            print(render.sarif(found, version=__version__), end="")
        case "github":
            print(render.github(found), end="")
        case _:
            print(render.terminal(found, lines, colour=Ink().colour))
            print(_sum(found, entries))


class Lines(dict[str, list[str]]):
    """The lines of the files that findings point at, each read once."""

    def __call__(self, path: str) -> list[str]:
        if path not in self:
            from chronicle.transcript.reader import decoded
            from chronicle.transcript.render import lines_of

            try:
                text, _ = decoded(Path(path).read_bytes(), path)
            except OSError:
                text = ""
            self[path] = lines_of(text or "")
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
