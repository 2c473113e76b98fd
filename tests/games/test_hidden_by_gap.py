"""A gap accuses nobody: where a stretch of a lawful evening is replaced by ``gap:``, what is left is not wrong.

The games in ``hidden_by_gap.txt`` are tried, with the unusual evenings of ``odd-evenings.case``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.record import Record
from chronicle.testkit.cases import read_cases, write_case
from tests.cases import entries_of, with_gap
from tests.conftest import SOAK
from tests.games.test_proof import folder_of

GAMES = Path(__file__).with_name("hidden_by_gap.txt").read_text("utf-8").split()
LENGTHS = (0, 1, 2, 4)
"""How many entries a gap hides."""
STRIDE = 1 if SOAK else 5
"""How many moments lie between those at which a gap is tried."""
ACCUSING = frozenset(
    {DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING, DiagnosticKind.SUSPICIOUS}
)
NAMES = frozenset({"T50", "T55"})
"""The rules about what is named and not on record."""
KEPT_STARTS = ("- play starts", "- correct")
"""Entries that no gap may hide: the log below them would mean something else."""


def accusations(record: Record) -> Iterator[str]:
    """What a record accuses somebody of. A name that the gap hides is unknown, and what comes of that is left out."""
    if any(
        problem.kind is DiagnosticKind.UNREADABLE or problem.code in NAMES
        for problem in record.diagnostics
    ):
        return
    for problem in record.diagnostics:
        is_form = re.match(r"T\d", problem.code)
        if problem.kind in ACCUSING and problem.cause is None and not is_form:
            yield f"{problem.code} {problem.message}"


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_what_a_gap_hides_is_held_against_nobody(game: str, tmp_path: Path) -> None:
    tried, accused = 0, []
    for number, case in enumerate(read_cases(folder_of(game) / "odd-evenings.case")):
        if case.expected:
            continue
        for at in range(number % STRIDE, len(entries_of(case)), STRIDE):
            for length in LENGTHS:
                hidden = with_gap(case, at, length, KEPT_STARTS)
                # Without the head of a session the log would mean something else.
                if hidden is None or any(
                    not line.startswith("- ") for line in hidden.sessions[0][:1]
                ):
                    continue
                tried += 1
                record = run(load(write_case(hidden, tmp_path / f"{number}-{at}-{length}")))
                accused += [f"{hidden.name}: {accusation}" for accusation in accusations(record)]
    assert tried > 100
    assert not accused, "\n".join(accused)
