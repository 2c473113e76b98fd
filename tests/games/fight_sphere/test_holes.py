"""A gap in place of any entries of a lawful evening accuses nobody: what it may have changed is left open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.testkit.cases import Case, read_cases, write_case
from tests.cases import entries_of, with_gap
from tests.conftest import SOAK
from tests.games.test_proof import folder_of

ACCUSING = frozenset(
    {
        DiagnosticKind.UNREADABLE,
        DiagnosticKind.ILLEGAL,
        DiagnosticKind.BOOKKEEPING,
        DiagnosticKind.SUSPICIOUS,
    }
)
OTHER_FILES = ("lawful_evenings", "examples", "going_on")
STEP = 1 if SOAK else 8
"""Only every eighth hole is tried outside a soak."""
LONGEST = 2
"""How many entries a hole swallows at most."""
KEPT_STARTS = ("- gladiator", "- {gladiator", "- play starts")
"""Without these, nobody could read the rest."""
ALWAYS = frozenset({"T65", "T66", "T67"})
"""What all games say of the table: who is there, and which entry is corrected."""
OF_THE_CORE = frozenset({"F70"})
"""A Core that begins in a hole is not known as the Core."""


def accused(case: Case, folder: Path) -> list[str]:
    """The problems of a case that accuse somebody."""
    record = run(load(write_case(case, folder)))
    return [
        f"{case.id}: {problem.code} {problem.message}"
        for problem in record.diagnostics
        if problem.kind in ACCUSING
        and problem.is_reported
        and problem.code not in ALWAYS | OF_THE_CORE
    ]


def with_holes(case: Case) -> Iterator[Case]:
    """A case with a gap in place of each one or two entries."""
    for length in range(1, LONGEST + 1):
        for at in range(len(entries_of(case))):
            hole = with_gap(case, at, length, KEPT_STARTS)
            if hole is not None:
                yield hole


def lawful(stem: str) -> list[Case]:
    """The cases of a file that are one session and report nothing, but what is not known."""
    cases = read_cases(folder_of("fight-sphere") / f"{stem}.case")
    return [case for case in cases if len(case.sessions) == 1 and not case.expected]


@pytest.mark.integration
@pytest.mark.parametrize(
    "stem",
    ["odd-evenings", *(pytest.param(stem, marks=pytest.mark.slow) for stem in OTHER_FILES)],
)
def test_a_gap_accuses_nobody(stem: str, tmp_path: Path) -> None:
    holes = [hole for case in lawful(stem) for hole in with_holes(case)][::STEP]
    assert len(holes) > 10
    wrong = [
        accusation
        for number, hole in enumerate(holes)
        for accusation in accused(hole, tmp_path / str(number))
    ]
    assert not wrong, "\n".join(wrong)
