"""What the check found (``check.html``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from chronicle.core.campaign_view import Ref
from chronicle.core.diagnostic import Severity, count_severities, plural, reported_diagnostics
from chronicle.site.campaign_site import CampaignSite
from chronicle.site.draw import Renderer
from chronicle.site.findings import ShownProblem, draw_problem
from chronicle.site.navigation import NavPage
from chronicle.site.page_builder import PageSpec
from chronicle.words import word

MAX_PROBLEMS = 300
"""How many findings are shown."""


class ProblemLine(NamedTuple):
    """One finding: where it is in the files, at which entry (0: none), how many follow from it."""

    problem: ShownProblem
    location_text: str
    step_number: int
    follow_up_count: int


class CheckReport(NamedTuple):
    """What the check report shows."""

    problem_groups: tuple[tuple[str, tuple[ProblemLine, ...]], ...]
    strictness: str
    step_count: int
    error_count: int
    warning_count: int
    omitted_count: int
    checked_counts: tuple[tuple[str, int], ...]
    """How much of each kind was checked, in words and as a number."""


def nav_pages(campaign_site: CampaignSite) -> Iterator[NavPage]:
    """Its place in the navigation. The line at the foot of every page says what was found."""
    yield NavPage("About", word("site.what_was_checked"), "check")


def pages(campaign_site: CampaignSite) -> Iterator[PageSpec]:
    """The report."""
    record = campaign_site.record
    reported_problems, severity_counts = (
        reported_diagnostics(record.diagnostics),
        count_severities(record.diagnostics),
    )
    shown_diagnostics = sorted(reported_problems, key=lambda diagnostic: -diagnostic.severity)[
        :MAX_PROBLEMS
    ]
    problem_groups = []
    for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
        diagnostics = [
            diagnostic for diagnostic in shown_diagnostics if diagnostic.severity is severity
        ]
        if diagnostics:
            problem_lines = (
                ProblemLine(
                    campaign_site.problem_quoter.shown_problem(diagnostic),
                    # A line of the keeper's file would tell how long hidden entries above it are.
                    f"{diagnostic.place.path}, entry {diagnostic.step_number}"
                    if diagnostic.step_number
                    else diagnostic.place.path,
                    diagnostic.step_number or 0,
                    len(diagnostic.dependents),
                )
                for diagnostic in diagnostics
            )
            problem_groups.append(
                (plural(severity_counts[severity], str(severity)), tuple(problem_lines))
            )
    report = CheckReport(
        tuple(problem_groups),
        str(record.campaign.strictness),
        len(record.steps),
        severity_counts[Severity.ERROR],
        severity_counts[Severity.WARNING],
        max(len(reported_problems) - MAX_PROBLEMS, 0),
        tuple(_checked_counts(campaign_site, severity_counts[Severity.NOTE])),
    )
    meta = {"search": {"exclude": True}}
    yield PageSpec(
        "check",
        word("site.what_was_checked"),
        report,
        _template_values,
        meta=meta,
        spoiler_rule="itself",
    )


def _checked_counts(campaign_site: CampaignSite, note_count: int) -> Iterator[tuple[str, int]]:
    """How much was checked, without what there is none of."""
    record = campaign_site.record
    # Where something is hidden, the number of figures would tell of it.
    figures = [] if any(step.hidden for step in record.steps) else record.stated_figures
    unknown_count = sum(1 for figure in figures if figure.reason_unknown)
    keys_and_counts = (
        ("site.check_entries", len(record.steps)),
        ("site.check_rolls", sum(len(step.throws) for step in record.steps if not step.hidden)),
        ("site.check_figures", len(figures) - unknown_count),
        ("site.check_not_compared", unknown_count),
        ("site.check_house_rules", len(campaign_site.view.adopting_steps)),
        ("site.check_notes", note_count),
    )
    return ((word(message_key), count) for message_key, count in keys_and_counts if count)


def _template_values(renderer: Renderer, report: CheckReport) -> dict[str, Any]:
    groups_data = [
        {
            "title": title,
            "items": [
                {
                    "body": draw_problem(renderer, problem_line.problem),
                    "where": problem_line.location_text,
                    "url": renderer.address(Ref("step", str(problem_line.step_number), ""))
                    if problem_line.step_number
                    else "",
                    "more": problem_line.follow_up_count,
                }
                for problem_line in problem_lines
            ],
        }
        for title, problem_lines in report.problem_groups
    ]
    return {
        "groups": groups_data,
        "strictness": report.strictness,
        "steps": report.step_count,
        "errors": report.error_count,
        "warnings": report.warning_count,
        "left_out": report.omitted_count,
        "covered": report.checked_counts,
    }
