"""What ``chronicle check`` does, without the machinery of options.

An editor runs it after every save, so nothing is imported here that a clean log does not need.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chronicle.cli.out import Ink, campaigns_at, on_terminal

if TYPE_CHECKING:
    from chronicle.cli.jobs import Together
    from chronicle.core.diagnostic import Diagnostic
    from chronicle.core.record import Record, StatedFigure
    from chronicle.workspace import Workspace


class Wanted(NamedTuple):
    """Which problems to print, and how fully. Problems left out do not count for the exit code."""

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
    from chronicle.core.rules import comparable_id

    game, code = found.game, found.code.casefold()
    for id in ids:
        prefix, colon, asked = id.strip().casefold().rpartition(":")
        if colon and prefix != game:
            continue
        # U3 means all of chapter 3, and not U31; T means all matters of form.
        if comparable_id(asked) == comparable_id(code) or (
            code.startswith(asked) and not (asked[-1:] + code[len(asked) :][:1]).isdigit()
        ):
            return True
    return False


def _replayed(folder: Path, held: dict[Path, Workspace] | None) -> Record:
    """The record of a campaign: replayed cold, or by what is held of it in memory.

    Raises:
        CampaignUnreadable: when not even its game can be made out.
    """
    from chronicle.campaigns import load, run

    if held is None:
        return run(load(folder), shown=False)
    from chronicle.syntax.campaign_files import CampaignUnreadable
    from chronicle.workspace import Workspace

    workspace = held.setdefault(folder, Workspace(folder))
    workspace.reload()
    if workspace.record is None:
        raise CampaignUnreadable(workspace.diagnostics)
    return workspace.record


class Checked(NamedTuple):
    """The problems of one campaign, and the number of its entries."""

    found: list[Diagnostic]
    entries: int
    texts: Mapping[str, list[str]] | None = None
    """The lines of the files that the findings point at, if these are not here."""
    stated: int = 0
    """How many figures its log states."""
    not_compared: Sequence[StatedFigure] = ()
    """Those of them that could not be compared."""


class Count(NamedTuple):
    """What was checked: campaigns, entries, figures that the logs state, and those that could be compared."""

    campaigns: int
    entries: int
    stated: int
    not_compared: Sequence[StatedFigure]

    @property
    def compared(self) -> int:
        """How many of the stated figures could be compared."""
        return self.stated - len(self.not_compared)

    def of_figures(self) -> str:
        """How many figures were stated and compared, as a sentence; empty if none was stated."""
        figures = "figure" if self.stated == 1 else "figures"
        return (
            f"{self.stated:,} {figures} stated, {self.compared:,} compared." if self.stated else ""
        )


def _checked(folder: Path, *, alone: bool, held: dict[Path, Workspace] | None = None) -> Checked:
    from chronicle.campaigns import fault_in, relaxed_gc
    from chronicle.syntax.campaign_files import CampaignUnreadable

    with relaxed_gc():
        try:
            record = _replayed(folder, held)
        except CampaignUnreadable as error:
            return Checked([one for one in error.diagnostics if one.severity], 0)
        except Exception as error:
            # Alone it is reported as it is; among others it is a problem of this campaign.
            if alone or os.environ.get("CHRONICLE_DEBUG"):
                raise
            return Checked([fault_in(folder, error)], 0)
        campaign = record.campaign
        order = {campaign.path: -1, **{s.path: s.number for s in campaign.sessions}}
        found = sorted(
            record.diagnostics,
            key=lambda d: (order.get(d.place.path, -1), d.place.line, d.place.column),
        )
        if campaign.pinned_version:
            from chronicle.pins import found_since

            since = found_since(campaign)
            found[:0] = [since] if since is not None else []
        stated, not_compared = len(record.stated_figures), record.not_compared
        return Checked(found, len(record.steps), None, stated, not_compared)


def _checked_there(folder: Path, *, alone: bool) -> Checked:
    """A campaign that was checked on another computer, with the lines of its files to show."""
    made = _checked(folder, alone=alone)
    lines = Lines()
    for one in made.found:
        for place in (one.place, *(fact.place for fact in one.facts)):
            if place is not None:
                lines(place.path)
    return made._replace(texts=dict(lines))


def _lost(folder: Path, why: str) -> Checked:
    from chronicle.campaigns import undone_in

    return Checked([undone_in(folder, why)], 0)


def once(
    path: Path,
    form: str,
    strict: bool,
    wanted: Wanted = ALL,
    held: dict[Path, Workspace] | None = None,
    *,
    how: Together | None = None,
    shard: tuple[int, int] | None = None,
    source: str | None = None,
) -> int:
    """Check the campaigns at a path, print the problems, give the exit code. ``held`` keeps the campaigns
    in memory for the next check. The others are for many campaigns
    (:mod:`chronicle.cli.jobs`)."""
    from chronicle.campaigns import relaxed_gc
    from chronicle.core.diagnostic import Severity
    from chronicle.syntax.misplaced import misplaced_in_project

    afar = source is not None or (how is not None and how.scheduler is not None)
    if afar:
        from chronicle.cli.jobs import source_of

        origin = source_of(path, source)
        folders = origin.folders
    else:
        folders = campaigns_at(path)
    task = partial(_checked, alone=len(folders) == 1)
    if shard is not None:
        from chronicle.cli.jobs import share_of

        folders = share_of(folders, shard)
    if held is not None:
        each: Iterator[Checked] = map(partial(task, held=held), folders)
    elif afar:
        from chronicle.cli.jobs import Together, spread_far

        origin = origin._replace(folders=folders)
        there = partial(_checked_there, alone=task.keywords["alone"])
        each = spread_far(there, origin, how or Together(), "campaigns checked", _lost)
    elif len(folders) < 2:
        each = map(task, folders)
    else:
        from chronicle.cli.jobs import Together, spread

        each = spread(task, folders, how or Together(), "campaigns checked", _lost)
    found: list[Diagnostic] = []
    not_compared: list[StatedFigure] = []
    entries = stated = 0
    lines = Lines()
    with relaxed_gc():
        for one in each:
            found.extend(one.found)
            entries += one.entries
            stated += one.stated
            not_compared.extend(one.not_compared)
            lines.update(one.texts or {})
        if source is None and (shard is None or shard[0] == 1):
            found.extend(misplaced_in_project(path))
        found = [one for one in found if wanted(one)]
        count = Count(len(folders), entries, stated, not_compared)
        _print(found, form, count, wanted, lines)
    limit = Severity.WARNING if strict else Severity.ERROR
    return int(any(one.severity >= limit for one in found))


def _print(
    found: list[Diagnostic],
    form: str,
    count: Count,
    wanted: Wanted,
    lines: Lines,
) -> None:
    not_compared = count.not_compared if wanted.every and not wanted.quiet else ()
    if form == "text" and (not found or wanted.quiet > 1):
        if not_compared:
            from chronicle.syntax.render import list_not_compared

            print(list_not_compared(not_compared), end="")
        if on_terminal() and not wanted.quiet:
            many = f" in {count.campaigns} campaigns" if count.campaigns > 1 else ""
            well = Ink()("All is well:", "green", "bold")
            print(f"{well} {count.entries:,} entries{many}. {count.of_figures()}".rstrip())
        return
    from chronicle.syntax import render

    render.set_exact_columns(found, lines)
    match form:
        case "json":
            print(render.as_json(found), end="")
        case "sarif":
            from chronicle import __version__

            print(render.as_sarif(found, version=__version__), end="")
        case "github":
            print(render.as_github_annotations(found), end="")
        case _ if wanted.quiet:
            print(render.as_brief_lines(found, condensed=not wanted.every), end="")
        case _:
            print(
                render.as_terminal_text(
                    found, lines, use_colour=Ink().colour, condensed=not wanted.every
                )
            )
            print(render.list_not_compared(not_compared), end="")
            figures = count.of_figures().rstrip(".")
            print(_sum(found, count.entries, wanted) + (f"; {figures}" if figures else ""))


class Lines(dict[str, list[str]]):
    """The lines of the files that findings point at, each read once."""

    def __call__(self, path: str) -> list[str]:
        if path not in self:
            from chronicle.core.edits import read_as_finished
            from chronicle.syntax.characters import decode_bytes
            from chronicle.syntax.render import split_lines

            try:
                text, _ = decode_bytes(read_as_finished(Path(path)), path)
            except OSError:
                text = ""
            self[path] = split_lines(text or "")
        return self[path]


def _sum(found: list[Diagnostic], entries: int, wanted: Wanted) -> str:
    """How many problems of each severity there are, in one line; the counts are the same with ``--all``."""
    from chronicle.core.diagnostic import count_severities, plural, reported_diagnostics, say_counts
    from chronicle.syntax.render import reports_of

    every = len(reported_diagnostics(found, condensed=False))
    if wanted.every:
        follow = every - len(reported_diagnostics(found))
        more = f"; {follow} more follow{'s' if follow == 1 else ''} from these" if follow else ""
    else:
        under = every - len(reports_of(found))
        more = f"; --all shows {under} more" if under else ""
    counts = say_counts(count_severities(found))
    return f"{counts} in {plural(entries, 'entry', 'entries')}{more}"
