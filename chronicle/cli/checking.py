"""What ``chronicle check`` does, without the machinery of options.

An editor runs it after every save, so nothing is imported here that a clean log does not need.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chronicle.cli.out import Ink, campaigns_at, on_terminal

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic
    from chronicle.core.record import Record
    from chronicle.resident import Resident


class Wanted(NamedTuple):
    """Which findings to print, and how fully. What is left out does not count for the exit code."""

    select: tuple[str, ...] = ()
    """Ids, or how they begin (``U3``); all, if empty."""
    ignore: tuple[str, ...] = ()
    every: bool = False
    """Whether nothing is folded under what it follows from."""
    quiet: int = 0
    """1: a line each and no sum; 2: nothing at all."""

    def __call__(self, found: Diagnostic) -> bool:
        """Whether a finding is asked for."""
        return (not self.select or _among(found, self.select)) and not _among(found, self.ignore)


ALL = Wanted()
"""Everything, in full."""


def _among(found: Diagnostic, ids: tuple[str, ...]) -> bool:
    from chronicle.core.rules import tidy

    game, code = found.game, found.code.casefold()
    for id in ids:
        prefix, colon, asked = id.strip().casefold().rpartition(":")
        if colon and prefix != game:
            continue
        # U3 means all of chapter 3, and not U31; T means all matters of form.
        if tidy(asked) == tidy(code) or (
            code.startswith(asked) and not (asked[-1:] + code[len(asked) :][:1]).isdigit()
        ):
            return True
    return False


def _replayed(folder: Path, held: dict[Path, Resident] | None) -> Record:
    """The record of a campaign: replayed cold, or by what is held of it in memory.

    Raises:
        CampaignUnreadable: when not even its game can be made out.
    """
    from chronicle.campaigns import load, run

    if held is None:
        return run(load(folder), shown=False)
    from chronicle.resident import Resident
    from chronicle.transcript.folder import CampaignUnreadable

    resident = held.setdefault(folder, Resident(folder))
    resident.reload()
    if resident.record is None:
        raise CampaignUnreadable(resident.diagnostics)
    return resident.record


def once(
    path: Path,
    form: str,
    strict: bool,
    wanted: Wanted = ALL,
    held: dict[Path, Resident] | None = None,
) -> int:
    """Check the campaigns at a path, print what was found, give the exit code. ``held`` keeps what
    was read and played, for whoever checks again and again."""
    from chronicle.campaigns import relaxed_gc
    from chronicle.core.diagnostic import Severity
    from chronicle.transcript.folder import CampaignUnreadable
    from chronicle.transcript.strays import outside

    found: list[Diagnostic] = []
    entries = 0
    folders = campaigns_at(path)
    with relaxed_gc():
        for folder in folders:
            try:
                record = _replayed(folder, held)
                campaign = record.campaign
            except CampaignUnreadable as error:
                found.extend(one for one in error.diagnostics if one.severity)
                continue
            except Exception as error:
                # Alone it is told as what it is; among others it is a finding of this campaign.
                if len(folders) == 1 or os.environ.get("CHRONICLE_DEBUG"):
                    raise
                from chronicle.campaigns import fault_in

                found.append(fault_in(folder, error))
                continue
            entries += len(record.steps)
            if campaign.pinned:
                from chronicle.pins import found_since

                since = found_since(campaign)
                found.extend([since] if since is not None else [])
            order = {campaign.path: -1, **{s.path: s.number for s in campaign.sessions}}
            found.extend(
                sorted(
                    record.diagnostics,
                    key=lambda d: (order.get(d.place.path, -1), d.place.line, d.place.column),
                )
            )
        found.extend(outside(path))
        found = [one for one in found if wanted(one)]
        _print(found, form, len(folders), entries, wanted)
    limit = Severity.WARNING if strict else Severity.ERROR
    return int(any(one.severity >= limit for one in found))


def _print(
    found: list[Diagnostic], form: str, campaigns: int, entries: int, wanted: Wanted
) -> None:
    if form == "text" and (not found or wanted.quiet > 1):
        if on_terminal() and not wanted.quiet:
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
        case _ if wanted.quiet:
            print(render.brief(found, folded=not wanted.every), end="")
        case _:
            print(render.terminal(found, lines, colour=Ink().colour, folded=not wanted.every))
            print(_sum(found, entries, wanted))


class Lines(dict[str, list[str]]):
    """The lines of the files that findings point at, each read once."""

    def __call__(self, path: str) -> list[str]:
        if path not in self:
            from chronicle.core.edits import as_finished
            from chronicle.transcript.reader import decoded
            from chronicle.transcript.render import lines_of

            try:
                text, _ = decoded(as_finished(Path(path)), path)
            except OSError:
                text = ""
            self[path] = lines_of(text or "")
        return self[path]


def _sum(found: list[Diagnostic], entries: int, wanted: Wanted) -> str:
    """How many findings of each severity, in one line."""
    from chronicle.core.diagnostic import Severity, listed, plural
    from chronicle.transcript.render import heads, told

    first = told(found, folded=not wanted.every)
    counts = [
        plural(count, str(severity))
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE)
        if (count := sum(one.severity is severity for one, _ in first))
    ]
    under = len(heads(found, folded=False)) - len(first)
    more = f"; --all shows {under} more" if under else ""
    return f"{listed(counts)} in {plural(entries, 'entry', 'entries')}{more}"
