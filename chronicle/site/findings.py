"""What the check found, as the site shows it: the message, the keeper's own line, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.form import registry
from chronicle.core.record import Record
from chronicle.core.rules import Rule
from chronicle.site.prose import inline

Lines = Callable[[str], Sequence[str]]
"""The lines of a transcript by its path; empty when there are none to show."""

LONGEST = 120
"""Longer lines are cut around what is underlined."""
KEPT = "Something is not right in an entry that is kept secret."

_ENTRY = re.compile(r"\s*-\s")
_SECRET = re.compile(r"(?:^|[\s{,-])['\"]?(?:sec\w*|seal\w*|opening)['\"]?\s*:", re.IGNORECASE)


class Redactor:
    """Knows which lines must not be quoted: those of entries that hold a secret.

    An entry that could not be read is no step, and nobody can say what it would have hidden
    (``sekret: ...``). Of such a finding the site tells what kind it is and where, and no word of it.
    """

    def __init__(self, lines: Lines, record: Record | None = None) -> None:
        self._lines = lines
        self._form = registry()
        self._hidden: dict[str, list[tuple[int, int]]] = {}
        for step in record.steps if record is not None else ():
            if step.hidden:
                action = step.action
                last = getattr(action.source, "end_line", action.key.line)
                self._hidden.setdefault(action.path, []).append((action.key.line, last))

    def secret(self, found: Diagnostic) -> bool:
        """Whether a finding stands in an entry that holds a secret."""
        place = found.place
        if any(first <= place.line <= last for first, last in self._hidden.get(place.path, ())):
            return True
        return bool(place.line) and _SECRET.search(self._entry(place.path, place.line)) is not None

    def unread(self, found: Diagnostic) -> bool:
        """Whether a finding is about the form of a log, where no step says what is hidden."""
        place = found.place
        return not found.step and bool(place.line) and not place.path.endswith("campaign.yaml")

    def _entry(self, path: str, line: int) -> str:
        """The text of the entry around a line: back to the dash that opens it, on to the next."""
        known = self._lines(path)
        if not 0 < line <= len(known):
            return ""
        first = line - 1
        while first > 0 and not _ENTRY.match(known[first]):
            first -= 1
        last = line
        while last < len(known) and not _ENTRY.match(known[last]):
            last += 1
        return "\n".join(known[first:last])

    def clean(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings, without a word about what is kept secret."""
        return [
            self._masked(one) if self.secret(one) else self._named(one) if self.unread(one) else one
            for one in found
        ]

    def _masked(self, one: Diagnostic) -> Diagnostic:
        place = one.place._replace(line=0, column=0, end_line=0, end_column=0)
        return Diagnostic(
            one.code, one.finding, one.severity, KEPT, place, one.game, dropped=one.dropped
        )

    def _named(self, one: Diagnostic) -> Diagnostic:
        rule = self._form.get(one.code)
        message = f"{rule.title}." if isinstance(rule, Rule) else "Something here cannot be read."
        return Diagnostic(
            one.code, one.finding, one.severity, message, one.place, one.game, dropped=one.dropped
        )

    def excerpt(self, found: Diagnostic) -> Markup:
        """The line a finding is about with the words underlined; empty where it cannot be shown."""
        place = found.place
        known = self._lines(place.path) if place.line else ()
        if not 0 < place.line <= len(known) or self.secret(found) or self.unread(found):
            return Markup("")
        line = known[place.line - 1].rstrip()
        start = min(max(place.column - 1, 0), len(line))
        end = place.end_column - 1 if place.end_line == place.line else len(line)
        end = min(max(end, start), len(line))
        first = max(0, start - 40) if len(line) > LONGEST else 0
        last = first + LONGEST
        label = Markup('  <span class="ch-diag__label">{}</span>').format(inline(found.label))
        return Markup('<span class="ch-diag__no">{} │ </span>{}{}<u>{}</u>{}{}{}').format(
            place.line,
            "…" if first else "",
            line[first:start],
            line[start : min(end, last)] or " ",
            line[end:last],
            "…" if len(line) > last else "",
            label if found.label else "",
        )
