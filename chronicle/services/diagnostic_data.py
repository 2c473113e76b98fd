"""Diagnostics as data, each with a stable key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Any

from chronicle.core.diagnostic import Diagnostic, Severity, count_severities, reported_diagnostics
from chronicle.core.fix import fix_as_data
from chronicle.services.hints import hints_of
from chronicle.services.open_campaigns import OpenCampaign

PROBLEM_SEVERITIES = ("error", "warning")
"""The severities that count as problems; a note is none."""
SEVERITY_NAMES = ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "note"))


def diagnostics_by_key(opened: OpenCampaign) -> dict[str, Diagnostic]:
    """The diagnostics to report, by key, in file order. A key stays the same as long as line and message do."""
    diagnostic_by_key: dict[str, Diagnostic] = {}
    counts_by_key: Counter[str] = Counter()
    for diagnostic in reported_diagnostics(opened.workspace.diagnostics):
        place = diagnostic.place
        identity_text = f"{diagnostic.full_code}\0{place.path}\0{place.line}\0{diagnostic.message}"
        key = sha256(identity_text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        counts_by_key[key] += 1
        diagnostic_by_key[key if counts_by_key[key] == 1 else f"{key}-{counts_by_key[key]}"] = (
            diagnostic
        )
    return diagnostic_by_key


def count_by_severity(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """The number of diagnostics of each severity."""
    counts = count_severities(diagnostics)
    return {name: counts[severity] for severity, name in SEVERITY_NAMES}


def problem_as_data(
    problem_key: str, diagnostic: Diagnostic, verbs: Collection[str]
) -> dict[str, Any]:
    """A diagnostic as data; ``hints`` is its help without YAML syntax."""
    place = diagnostic.place
    return {
        "key": problem_key,
        "severity": str(diagnostic.severity),
        "code": diagnostic.code,
        "rule": diagnostic.full_code,
        "message": diagnostic.message,
        "label": diagnostic.place_label,
        "help": [*diagnostic.help],
        "fixes": [fix_as_data(fix) for fix in diagnostic.fixes],
        "hints": hints_of(diagnostic, verbs),
        "excused": diagnostic.excuse,
        "file": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "related": [
            {
                "message": fact.text,
                "file": fact.place.path if fact.place else "",
                "line": fact.place.line if fact.place else 0,
            }
            for fact in diagnostic.facts
        ],
        "follow": len(diagnostic.dependents),
        "step": diagnostic.step_number,
    }


def findings(opened: OpenCampaign) -> dict[str, Any]:
    """All diagnostics, and their numbers."""
    problem_by_key = diagnostics_by_key(opened)
    record = opened.workspace.record
    verbs = record.rulebook.by_verb if record is not None else {}
    return {
        "counts": count_by_severity(opened.workspace.diagnostics),
        "entries": len(record.steps) if record is not None else 0,
        "findings": [
            problem_as_data(key, diagnostic, verbs) for key, diagnostic in problem_by_key.items()
        ],
    }
