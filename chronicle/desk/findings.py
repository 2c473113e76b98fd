"""What is wrong, in the words that ``check`` uses, each finding with a key to speak of it by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Any

from chronicle.core.diagnostic import Diagnostic, Severity, count_severities, reported
from chronicle.core.fix import as_data
from chronicle.desk.hints import spoken
from chronicle.desk.room import Opened

COUNTED = ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "note"))


def keyed(opened: Opened) -> dict[str, Diagnostic]:
    """The findings that are told in their own right, by their keys, in file order. A key is the same
    as long as the finding stands on the same line and says the same."""
    found: dict[str, Diagnostic] = {}
    alike: Counter[str] = Counter()
    for one in reported(opened.resident.diagnostics):
        said = f"{one.full_code}\0{one.place.path}\0{one.place.line}\0{one.message}"
        key = sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        alike[key] += 1
        found[key if alike[key] == 1 else f"{key}-{alike[key]}"] = one
    return found


def counts(found: Iterable[Diagnostic]) -> dict[str, int]:
    """How many of each severity."""
    seen = count_severities(found)
    return {name: seen[severity] for severity, name in COUNTED}


def plain(key: str, one: Diagnostic, verbs: Collection[str]) -> dict[str, Any]:
    """A finding as plain data; ``hints`` are its help without the marks of a file."""
    place = one.place
    return {
        "key": key,
        "severity": str(one.severity),
        "code": one.code,
        "rule": one.full_code,
        "message": one.message,
        "label": one.label,
        "help": [*one.help],
        "fixes": [as_data(fix) for fix in one.fixes],
        "hints": [spoken(help, verbs) for help in one.help],
        "excused": one.excused,
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
            for fact in one.facts
        ],
        "follow": len(one.dependents),
        "step": one.step,
    }


def answer(opened: Opened) -> dict[str, Any]:
    """All findings, and how many there are."""
    found = keyed(opened)
    record = opened.resident.record
    verbs = record.rulebook.by_verb if record is not None else {}
    return {
        "counts": counts(opened.resident.diagnostics),
        "entries": len(record.steps) if record is not None else 0,
        "findings": [plain(key, one, verbs) for key, one in found.items()],
    }
