"""What ``chronicle check`` does, without the machinery of options.

An editor runs it after every save, so nothing is imported here that a clean log does not need.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chronicle.cli.out import TextStyler, campaigns_at, on_terminal

if TYPE_CHECKING:
    from chronicle.cli.jobs import JobOptions
    from chronicle.core.diagnostic import Diagnostic
    from chronicle.core.record import Record, StatedFigure
    from chronicle.workspace import Workspace


class ProblemFilter(NamedTuple):
    """Which problems to print, and how fully. Problems left out do not count for the exit code."""

    selected_ids: tuple[str, ...] = ()
    """Ids, or their first part (``U3``); if empty, all."""
    ignored_ids: tuple[str, ...] = ()
    shows_all: bool = False
    """Whether to list problems that another problem causes, too."""
    quiet_level: int = 0
    """1: one line for each problem and no summary; 2: nothing."""

    def __call__(self, diagnostic: Diagnostic) -> bool:
        """Whether to print a problem."""
        return (
            not self.selected_ids or _matches_any(diagnostic, self.selected_ids)
        ) and not _matches_any(diagnostic, self.ignored_ids)


ALL_PROBLEMS = ProblemFilter()
"""Everything, in full."""


def _matches_any(problem: Diagnostic, rule_ids: tuple[str, ...]) -> bool:
    from chronicle.core.rules import comparable_id

    game, code = problem.game, problem.code.casefold()
    for rule_id in rule_ids:
        game_of_id, colon, code_prefix = rule_id.strip().casefold().rpartition(":")
        if colon and game_of_id != game:
            continue
        # U3 means all of chapter 3, and not U31; T means all matters of form.
        if comparable_id(code_prefix) == comparable_id(code) or (
            code.startswith(code_prefix)
            and not (code_prefix[-1:] + code[len(code_prefix) :][:1]).isdigit()
        ):
            return True
    return False


def _replayed_record(folder: Path, workspaces: dict[Path, Workspace] | None) -> Record:
    """The record of a campaign: replayed from its files, or from its open workspace in ``workspaces``.

    Raises:
        CampaignUnreadable: when Chronicle cannot even tell the game.
    """
    from chronicle.campaigns import load, run

    if workspaces is None:
        return run(load(folder), shown=False)
    from chronicle.syntax.campaign_files import CampaignUnreadable
    from chronicle.workspace import Workspace

    workspace = workspaces.setdefault(folder, Workspace(folder))
    workspace.reload()
    if workspace.record is None:
        raise CampaignUnreadable(workspace.diagnostics)
    return workspace.record


class CheckResult(NamedTuple):
    """The problems of one campaign, and the number of its entries."""

    problems: list[Diagnostic]
    entry_count: int
    lines_by_path: Mapping[str, list[str]] | None = None
    """The lines of the files with problems, if the files are on another computer."""
    stated_figure_count: int = 0
    """How many figures its log states."""
    uncompared_figures: Sequence[StatedFigure] = ()
    """Those of them that could not be compared."""


class CheckTotals(NamedTuple):
    """The number of campaigns and entries checked, of figures stated in the logs, and of figures compared."""

    campaign_count: int
    entry_count: int
    stated_figure_count: int
    uncompared_figures: Sequence[StatedFigure]

    @property
    def compared_count(self) -> int:
        """How many of the stated figures could be compared."""
        return self.stated_figure_count - len(self.uncompared_figures)

    def stated_figures_sentence(self) -> str:
        """How many figures were stated and compared, as a sentence; empty if none was stated."""
        figure_word = "figure" if self.stated_figure_count == 1 else "figures"
        return (
            f"{self.stated_figure_count:,} {figure_word} stated, {self.compared_count:,} compared."
            if self.stated_figure_count
            else ""
        )


def _check_result_of(
    folder: Path, *, is_only_campaign: bool, workspaces: dict[Path, Workspace] | None = None
) -> CheckResult:
    from chronicle.campaigns import fault_in, relaxed_gc
    from chronicle.core.subjects import subject_problems
    from chronicle.syntax.campaign_files import CampaignUnreadable

    with relaxed_gc():
        try:
            record = _replayed_record(folder, workspaces)
        except CampaignUnreadable as error:
            return CheckResult([problem for problem in error.diagnostics if problem.severity], 0)
        except Exception as error:
            # A single campaign ends with this error; among others it counts as a problem of this one.
            if is_only_campaign or os.environ.get("CHRONICLE_DEBUG"):
                raise
            return CheckResult([fault_in(folder, error)], 0)
        campaign = record.campaign
        session_number_by_path = {
            campaign.path: -1,
            **{session.path: session.number for session in campaign.sessions},
        }
        problems = sorted(
            [*record.diagnostics, *subject_problems(record)],
            key=lambda problem: (
                session_number_by_path.get(problem.place.path, -1),
                problem.place.line,
                problem.place.column,
            ),
        )
        if campaign.pinned_version:
            from chronicle.pins import changes_since_pin

            pin_problem = changes_since_pin(campaign)
            problems[:0] = [pin_problem] if pin_problem is not None else []
        stated_figure_count, uncompared_figures = (
            len(record.stated_figures),
            record.uncompared_figures,
        )
        return CheckResult(
            problems, len(record.steps), None, stated_figure_count, uncompared_figures
        )


def _check_remote(folder: Path, *, is_only_campaign: bool) -> CheckResult:
    """A campaign that was checked on another computer, with the lines of its files to show."""
    result = _check_result_of(folder, is_only_campaign=is_only_campaign)
    file_lines = FileLines()
    for problem in result.problems:
        for place in (problem.place, *(fact.place for fact in problem.facts)):
            if place is not None:
                file_lines(place.path)
    return result._replace(lines_by_path=dict(file_lines))


def _unfinished_campaign(folder: Path, reason: str) -> CheckResult:
    from chronicle.campaigns import problem_of_unfinished

    return CheckResult([problem_of_unfinished(folder, reason)], 0)


def check_once(
    path: Path,
    output_format: str,
    is_strict: bool,
    problem_filter: ProblemFilter = ALL_PROBLEMS,
    workspaces: dict[Path, Workspace] | None = None,
    *,
    job_options: JobOptions | None = None,
    shard: tuple[int, int] | None = None,
    source_url: str | None = None,
) -> int:
    """Check the campaigns at a path, print the problems, give the exit code. ``workspaces`` keeps the campaigns
    in memory for the next check. The others are for many campaigns
    (:mod:`chronicle.cli.jobs`)."""
    from chronicle.campaigns import relaxed_gc
    from chronicle.core.diagnostic import Severity
    from chronicle.syntax.misplaced import misplaced_in_project

    is_remote = source_url is not None or (
        job_options is not None and job_options.scheduler is not None
    )
    if is_remote:
        from chronicle.cli.jobs import campaign_source

        remote_source = campaign_source(path, source_url)
        folders = remote_source.folders
    else:
        folders = campaigns_at(path)
    task = partial(_check_result_of, is_only_campaign=len(folders) == 1)
    if shard is not None:
        from chronicle.cli.jobs import campaigns_of_share

        folders = campaigns_of_share(folders, shard)
    if workspaces is not None:
        results: Iterator[CheckResult] = map(partial(task, workspaces=workspaces), folders)
    elif is_remote:
        from chronicle.cli.jobs import JobOptions, run_anywhere

        remote_source = remote_source._replace(folders=folders)
        remote_task = partial(_check_remote, is_only_campaign=task.keywords["is_only_campaign"])
        results = run_anywhere(
            remote_task,
            remote_source,
            job_options or JobOptions(),
            "campaigns checked",
            _unfinished_campaign,
        )
    elif len(folders) < 2:
        results = map(task, folders)
    else:
        from chronicle.cli.jobs import JobOptions, run_for_each_campaign

        results = run_for_each_campaign(
            task, folders, job_options or JobOptions(), "campaigns checked", _unfinished_campaign
        )
    problems: list[Diagnostic] = []
    uncompared_figures: list[StatedFigure] = []
    entry_count = stated_figure_count = 0
    file_lines = FileLines()
    with relaxed_gc():
        for result in results:
            problems.extend(result.problems)
            entry_count += result.entry_count
            stated_figure_count += result.stated_figure_count
            uncompared_figures.extend(result.uncompared_figures)
            file_lines.update(result.lines_by_path or {})
        if source_url is None and (shard is None or shard[0] == 1):
            problems.extend(misplaced_in_project(path))
        problems = [problem for problem in problems if problem_filter(problem)]
        totals = CheckTotals(len(folders), entry_count, stated_figure_count, uncompared_figures)
        # What lies in a storage is not corrected there.
        fixable_folders = () if source_url is not None else folders
        _print_problems(
            problems, output_format, totals, problem_filter, file_lines, fixable_folders
        )
    failing_severity = Severity.WARNING if is_strict else Severity.ERROR
    return int(any(problem.severity >= failing_severity for problem in problems))


def _print_problems(
    problems: list[Diagnostic],
    output_format: str,
    totals: CheckTotals,
    problem_filter: ProblemFilter,
    file_lines: FileLines,
    fixable_folders: Sequence[Path],
) -> None:
    uncompared_figures = (
        totals.uncompared_figures
        if problem_filter.shows_all and not problem_filter.quiet_level
        else ()
    )
    if output_format == "text" and (not problems or problem_filter.quiet_level > 1):
        if uncompared_figures:
            from chronicle.syntax.render import list_not_compared

            print(list_not_compared(uncompared_figures), end="")
        if on_terminal() and not problem_filter.quiet_level:
            campaigns_text = (
                f" in {totals.campaign_count} campaigns" if totals.campaign_count > 1 else ""
            )
            all_well_label = TextStyler()("All is well:", "green", "bold")
            figures_text = totals.stated_figures_sentence()
            print(
                f"{all_well_label} {totals.entry_count:,} entries{campaigns_text}. {figures_text}".rstrip()
            )
        return
    from chronicle.syntax import render

    render.set_exact_columns(problems, file_lines)
    match output_format:
        case "json":
            print(render.as_json(problems), end="")
        case "sarif":
            from chronicle import __version__

            print(render.as_sarif(problems, chronicle_version=__version__), end="")
        case "github":
            print(render.as_github_annotations(problems), end="")
        case _ if problem_filter.quiet_level:
            print(
                render.as_brief_lines(problems, is_condensed=not problem_filter.shows_all), end=""
            )
        case _:
            print(
                render.as_terminal_text(
                    problems,
                    file_lines,
                    use_colour=TextStyler().uses_colour,
                    is_condensed=not problem_filter.shows_all,
                )
            )
            print(render.list_not_compared(uncompared_figures), end="")
            figures_text = totals.stated_figures_sentence().rstrip(".")
            print(
                _fix_command_hint(problems, fixable_folders, problem_filter)
                + _counts_text(problems, totals.entry_count, problem_filter)
                + (f"; {figures_text}" if figures_text else "")
            )


class FileLines(dict[str, list[str]]):
    """The lines of the files with problems. Each file is read once."""

    def __call__(self, path: str) -> list[str]:
        if path not in self:
            from chronicle.core.edits import read_as_finished
            from chronicle.syntax.characters import decode_bytes
            from chronicle.syntax.render import split_lines

            try:
                file_text, _ = decode_bytes(read_as_finished(Path(path)), path)
            except OSError:
                file_text = ""
            self[path] = split_lines(file_text or "")
        return self[path]


def _counts_text(
    problems: list[Diagnostic], entry_count: int, problem_filter: ProblemFilter
) -> str:
    """How many problems of each severity there are, in one line; the counts are the same with ``--all``."""
    from chronicle.core.diagnostic import (
        count_severities,
        counts_in_words,
        plural,
        reported_diagnostics,
    )
    from chronicle.syntax.render import count_dependents, reports_of

    problem_count = len(reported_diagnostics(problems, is_condensed=False))
    if problem_filter.shows_all:
        following_count = problem_count - len(reported_diagnostics(problems))
        further_problems_text = (
            f"; {following_count} more follow{'s' if following_count == 1 else ''} from these"
            if following_count
            else ""
        )
    else:
        # A report tells what follows from it. The summary adds the notes that share a report.
        reported_count = sum(
            1 + count_dependents(diagnostic) for diagnostic, *_ in reports_of(problems)
        )
        further_problems_text = (
            f"; --all shows {problem_count - reported_count} more"
            if problem_count > reported_count
            else ""
        )
    counts_text = counts_in_words(count_severities(problems))
    return f"{counts_text} in {plural(entry_count, 'entry', 'entries')}{further_problems_text}"


def _fix_command_hint(
    problems: list[Diagnostic], fixable_folders: Sequence[Path], problem_filter: ProblemFilter
) -> str:
    """The command that corrects the misspelt words among the problems, and what it writes, as a line of its own; empty
    if there is nothing that it would write."""
    from chronicle.core.diagnostic import listed, plural, reported_diagnostics
    from chronicle.core.fix import ReplaceWord

    misspelt_files = {
        Path(problem.place.path).resolve()
        for problem in reported_diagnostics(problems)
        if len(problem.fixes) == 1
        and problem.fixes[0].is_told
        and isinstance(problem.fixes[0].edits[0], ReplaceWord)
    }
    if not misspelt_files:
        return ""
    from chronicle.services.misspelt import certain_corrections

    corrections = [
        correction
        for folder in fixable_folders
        if any(file.is_relative_to(folder.resolve()) for file in misspelt_files)
        for correction in certain_corrections(folder, problem_filter.__call__)
    ]
    if not corrections:
        return ""
    count_text = plural(len(corrections), "misspelt word")
    written_words = listed(f"'{word}'" for word in dict.fromkeys(word for _, word in corrections))
    return f"{count_text}: 'chronicle check --fix' shows and writes {written_words}\n"
