"""Diagnostics about the form of a file, built in one place."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Fact, Strictness, severity_of
from chronicle.core.fix import Fix, locate_fixes
from chronicle.core.source import Place


def problem(
    code: str,
    message: str,
    place: Place,
    *help: str,
    label: str = "",
    fixes: Iterable[Fix] = (),
    facts: tuple[Fact, ...] = (),
    kind: DiagnosticKind = DiagnosticKind.UNREADABLE,
) -> Diagnostic:
    """A diagnostic about the form of a file, with its severity under standard strictness. An edit of
    ``fixes`` without a place is made at ``place``."""
    return Diagnostic(
        code=code,
        kind=kind,
        severity=severity_of(kind, Strictness.STANDARD),
        message=message,
        place=place,
        place_label=label,
        facts=facts,
        free_help=tuple(line for line in help if line),
        declared_fixes=locate_fixes(fixes, place, place),
    )


class Problems(list[Diagnostic]):
    """The problems of a file so far."""

    def tell(
        self,
        code: str,
        message: str,
        place: Place,
        *help: str,
        fixes: Iterable[Fix] = (),
        facts: tuple[Fact, ...] = (),
        kind: DiagnosticKind = DiagnosticKind.UNREADABLE,
    ) -> None:
        """Add a :func:`problem`."""
        self.append(problem(code, message, place, *help, fixes=fixes, facts=facts, kind=kind))
