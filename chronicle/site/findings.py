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

Lines = Callable[[str], Sequence[str]]
"""The lines of a transcript by its path; empty when there are none to show."""

MAX_LINE_LETTERS = 120
"""Longer lines are cut around what is underlined."""

_COMMENT = re.compile(r"(?<!\S)#.*")
"""A comment, or text that looks like one: inside quotes it is none, but the excerpt can do without the rest
of that line."""


class ShownProblem(NamedTuple):
    """A finding as the site shows it."""

    severity: str
    code: str
    """The rule's id in its written form."""
    rule: str
    message: Markup
    excerpt: Markup
    help: tuple[str, ...]


class Redactor:
    """Quotes the keeper's own lines beside problems, if nothing in them is secret.

    A record for readers holds no secret (``syntax/redaction``). But the quoted lines come from the keeper's
    file, with its hidden entries, its comments and its unreadable parts. This class quotes only lines of
    entries that were read without an error, and no comment.
    """

    def __init__(self, lines: Lines, record: Record) -> None:
        self._lines = lines
        self._record = record
        campaign = record.campaign
        self._pseudonyms, self._withheld_ids, self._paths = (
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

    def _line(self, diagnostic: Diagnostic) -> str | None:
        """The line of a problem, if readers can see it."""
        place = diagnostic.place
        if not diagnostic.step_number or not place.line:
            return None
        source = self._record.step(diagnostic.step_number).action.source
        if not source.line <= place.line <= source.end_line:
            return None
        if any(
            first <= place.line <= last for first, last in self._unsafe_lines.get(place.path, ())
        ):
            return None
        file_lines = self._lines(self._paths.get(place.path, place.path))
        if not 0 < place.line <= len(file_lines):
            return None
        line = _COMMENT.sub("", file_lines[place.line - 1]).rstrip()
        folded = line.casefold()
        if place.column > len(line) or any(id.casefold() in folded for id in self._withheld_ids):
            return None
        return line

    def shown_problem(self, diagnostic: Diagnostic) -> ShownProblem:
        """A finding with the keeper's own line."""
        excused = f" (excused: {diagnostic.excuse})" if diagnostic.excuse else ""
        return ShownProblem(
            str(diagnostic.severity),
            diagnostic.full_code.rpartition(":")[2],
            diagnostic.code,
            inline(diagnostic.message + excused),
            self.excerpt(diagnostic),
            tuple(diagnostic.help),
        )

    def excerpt(self, diagnostic: Diagnostic) -> Markup:
        """The line a finding is about with the words underlined; empty where it cannot be shown."""
        if id(diagnostic) not in self._excerpts:
            self._excerpts[id(diagnostic)] = diagnostic, self._excerpt(diagnostic)
        return self._excerpts[id(diagnostic)][1]

    def _excerpt(self, diagnostic: Diagnostic) -> Markup:
        place = diagnostic.place
        line = self._line(diagnostic)
        if line is None:
            return Markup("")
        redact = self._pseudonyms.replace_in_text
        start = min(max(place.column - 1, 0), len(line))
        end = place.end_column - 1 if place.end_line == place.line else len(line)
        end = min(max(end, start), len(line))
        first = max(0, start - 40) if len(line) > MAX_LINE_LETTERS else 0
        last = first + MAX_LINE_LETTERS
        label = Markup('  <span class="ch-diag__label">{}</span>').format(
            inline(diagnostic.place_label)
        )
        # Without its number: that would tell how long hidden entries above it are.
        return Markup('<span class="ch-diag__no">│ </span>{}{}<u>{}</u>{}{}{}').format(
            "…" if first else "",
            redact(line[first:start]),
            redact(line[start : min(end, last)]) or " ",
            redact(line[end:last]),
            "…" if len(line) > last else "",
            label if diagnostic.place_label else "",
        )


def draw_problem(renderer: Renderer, problem: ShownProblem) -> Markup:
    """A finding on a page."""
    return renderer.macro(
        "page",
        "diagnostic",
        problem.severity,
        problem.code,
        problem.message,
        problem.excerpt,
        Markup("<br>").join(escape(line) for line in problem.help),
        "",
        renderer.address(Ref("rule", problem.rule, problem.rule)),
    )
