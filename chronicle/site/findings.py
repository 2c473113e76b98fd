"""What the check found, as the site shows it: the message, the keeper's own line, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from chronicle.core.campaign_view import Ref
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.record import Record
from chronicle.site.draw import Renderer
from chronicle.site.prose import inline

FindTranscriptLines = Callable[[str], Sequence[str]]
"""The lines of a transcript by its path; empty when there are none to show."""

MAX_LINE_LETTERS = 120
"""Longer lines are cut around what is underlined."""

_COMMENT = re.compile(r"(?<!\S)#.*")
"""A comment, or text that looks like one: inside quotes it is none, but the excerpt can do without the rest
of that line."""


class ShownProblem(NamedTuple):
    """A finding as the site shows it."""

    severity: str
    shown_code: str
    """The rule's id in its written form."""
    rule_id: str
    message: Markup
    excerpt: Markup
    help_lines: tuple[str, ...]


class ProblemQuoter:
    """Quotes the keeper's own lines beside problems, if nothing in them is secret.

    A record for readers holds no secret (``syntax/redaction``). But the quoted lines come from the keeper's
    file, with its hidden entries, its comments and its unreadable parts. This class quotes only lines of
    entries that were read without an error, and no comment.
    """

    def __init__(self, find_lines: FindTranscriptLines, record: Record) -> None:
        self._find_lines = find_lines
        self._record = record
        campaign = record.campaign
        self._pseudonyms, self._withheld_ids, self._real_paths = (
            campaign.pseudonyms,
            campaign.withheld_ids,
            campaign.real_paths,
        )
        self._excerpts: dict[int, tuple[Diagnostic, Markup]] = {}
        """Findings by their identity, each with what was quoted for it."""
        self._unsafe_lines: dict[str, list[tuple[int, int]]] = {}
        for step in record.steps:
            action = step.action
            if step.hidden or action.problem is not None:
                line_range = (action.key.line, max(action.key.line, action.source.end_line))
                self._unsafe_lines.setdefault(action.path, []).append(line_range)
        for diagnostic in campaign.diagnostics:
            place = diagnostic.place
            self._unsafe_lines.setdefault(place.path, []).append((place.line, place.end_line))

    def _shown_line(self, diagnostic: Diagnostic) -> str | None:
        """The line of a problem, if readers can see it."""
        place = diagnostic.place
        if not diagnostic.step_number or not place.line:
            return None
        source = self._record.step(diagnostic.step_number).action.source
        if not source.line <= place.line <= source.end_line:
            return None
        if any(
            first_line <= place.line <= last_line
            for first_line, last_line in self._unsafe_lines.get(place.path, ())
        ):
            return None
        file_lines = self._find_lines(self._real_paths.get(place.path, place.path))
        if not 0 < place.line <= len(file_lines):
            return None
        bare_line = _COMMENT.sub("", file_lines[place.line - 1]).rstrip()
        folded_line = bare_line.casefold()
        if place.column > len(bare_line) or any(
            withheld_id.casefold() in folded_line for withheld_id in self._withheld_ids
        ):
            return None
        return bare_line

    def shown_problem(self, diagnostic: Diagnostic) -> ShownProblem:
        """A finding with the keeper's own line."""
        excuse_text = f" (excused: {diagnostic.excuse})" if diagnostic.excuse else ""
        return ShownProblem(
            str(diagnostic.severity),
            diagnostic.full_code.rpartition(":")[2],
            diagnostic.code,
            inline(diagnostic.message + excuse_text),
            self.excerpt(diagnostic),
            tuple(diagnostic.help),
        )

    def excerpt(self, diagnostic: Diagnostic) -> Markup:
        """The line a finding is about with the words underlined; empty where it cannot be shown."""
        if id(diagnostic) not in self._excerpts:
            self._excerpts[id(diagnostic)] = diagnostic, self._draw_excerpt(diagnostic)
        return self._excerpts[id(diagnostic)][1]

    def _draw_excerpt(self, diagnostic: Diagnostic) -> Markup:
        place = diagnostic.place
        shown_line = self._shown_line(diagnostic)
        if shown_line is None:
            return Markup("")
        hide_names = self._pseudonyms.replace_in_text
        marked_start = min(max(place.column - 1, 0), len(shown_line))
        marked_end = place.end_column - 1 if place.end_line == place.line else len(shown_line)
        marked_end = min(max(marked_end, marked_start), len(shown_line))
        shown_start = max(0, marked_start - 40) if len(shown_line) > MAX_LINE_LETTERS else 0
        shown_end = shown_start + MAX_LINE_LETTERS
        label_html = Markup('  <span class="ch-diag__label">{}</span>').format(
            inline(diagnostic.place_label)
        )
        # Without its number: that would tell how long hidden entries above it are.
        return Markup('<span class="ch-diag__no">│ </span>{}{}<u>{}</u>{}{}{}').format(
            "…" if shown_start else "",
            hide_names(shown_line[shown_start:marked_start]),
            hide_names(shown_line[marked_start : min(marked_end, shown_end)]) or " ",
            hide_names(shown_line[marked_end:shown_end]),
            "…" if len(shown_line) > shown_end else "",
            label_html if diagnostic.place_label else "",
        )


def draw_problem(renderer: Renderer, problem: ShownProblem) -> Markup:
    """A finding on a page."""
    return renderer.macro(
        "page",
        "diagnostic",
        problem.severity,
        problem.shown_code,
        problem.message,
        problem.excerpt,
        Markup("<br>").join(escape(help_line) for help_line in problem.help_lines),
        "",
        renderer.address(Ref("rule", problem.rule_id, problem.rule_id)),
    )
