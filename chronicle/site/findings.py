"""What the check found, as the site shows it: the message, the keeper's own line, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from chronicle.core.book import Ref
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.record import Record
from chronicle.site.draw import Pen
from chronicle.site.prose import inline

Lines = Callable[[str], Sequence[str]]
"""The lines of a transcript by its path; empty when there are none to show."""

LONGEST = 120
"""Longer lines are cut around what is underlined."""

_COMMENT = re.compile(r"(?<!\S)#.*")
"""A comment, or what looks like one: in quotes it is none, but nobody misses the rest of that line."""


class Found(NamedTuple):
    """A finding as the site shows it."""

    severity: str
    code: str
    """The rule's id as it is written."""
    rule: str
    message: Markup
    excerpt: Markup
    help: tuple[str, ...]


class Redactor:
    """Quotes the keeper's own lines beside findings, where nothing in them is held back.

    A record for readers holds no secret (``syntax/redaction``); but its lines are read from the
    keeper's file, in which the hidden entries stand, comments, and what could not be read. Only lines
    of entries that were read without a fault are quoted, and no comment.
    """

    def __init__(self, lines: Lines, record: Record) -> None:
        self._lines = lines
        self._record = record
        campaign = record.campaign
        self._guise, self._withheld, self._paths = (
            campaign.pseudonyms,
            campaign.withheld_ids,
            campaign.real_paths,
        )
        self._excerpts: dict[int, tuple[Diagnostic, Markup]] = {}
        """Findings by their identity, each with what was quoted for it."""
        self._unsafe: dict[str, list[tuple[int, int]]] = {}
        for step in record.steps:
            action = step.action
            if step.hidden or action.problem is not None:
                lasting = (action.key.line, max(action.key.line, action.source.end_line))
                self._unsafe.setdefault(action.path, []).append(lasting)
        for one in campaign.diagnostics:
            place = one.place
            self._unsafe.setdefault(place.path, []).append((place.line, place.end_line))

    def _line(self, found: Diagnostic) -> str | None:
        """The line a finding is about, if it may be quoted."""
        place = found.place
        if not found.step_number or not place.line:
            return None
        source = self._record.step(found.step_number).action.source
        if not source.line <= place.line <= source.end_line:
            return None
        if any(first <= place.line <= last for first, last in self._unsafe.get(place.path, ())):
            return None
        known = self._lines(self._paths.get(place.path, place.path))
        if not 0 < place.line <= len(known):
            return None
        line = _COMMENT.sub("", known[place.line - 1]).rstrip()
        folded = line.casefold()
        if place.column > len(line) or any(id.casefold() in folded for id in self._withheld):
            return None
        return line

    def shown(self, found: Diagnostic) -> Found:
        """A finding with the keeper's own line."""
        excused = f" (excused: {found.excused})" if found.excused else ""
        return Found(
            str(found.severity),
            found.full_code.rpartition(":")[2],
            found.code,
            inline(found.message + excused),
            self.excerpt(found),
            tuple(found.help),
        )

    def excerpt(self, found: Diagnostic) -> Markup:
        """The line a finding is about with the words underlined; empty where it cannot be shown."""
        if id(found) not in self._excerpts:
            self._excerpts[id(found)] = found, self._excerpt(found)
        return self._excerpts[id(found)][1]

    def _excerpt(self, found: Diagnostic) -> Markup:
        place = found.place
        line = self._line(found)
        if line is None:
            return Markup("")
        told = self._guise.replace_in_text
        start = min(max(place.column - 1, 0), len(line))
        end = place.end_column - 1 if place.end_line == place.line else len(line)
        end = min(max(end, start), len(line))
        first = max(0, start - 40) if len(line) > LONGEST else 0
        last = first + LONGEST
        label = Markup('  <span class="ch-diag__label">{}</span>').format(inline(found.label))
        # Without its number: that would tell how long hidden entries above it are.
        return Markup('<span class="ch-diag__no">│ </span>{}{}<u>{}</u>{}{}{}').format(
            "…" if first else "",
            told(line[first:start]),
            told(line[start : min(end, last)]) or " ",
            told(line[end:last]),
            "…" if len(line) > last else "",
            label if found.label else "",
        )


def draw(pen: Pen, found: Found) -> Markup:
    """A finding on a page."""
    return pen.macro(
        "page",
        "diagnostic",
        found.severity,
        found.code,
        found.message,
        found.excerpt,
        Markup("<br>").join(escape(line) for line in found.help),
        "",
        pen.address(Ref("rule", found.rule, found.rule)),
    )
