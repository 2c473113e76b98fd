"""Whether a hole in a record accuses anybody: ``python -m tests.holes [GAME ...]``.

An entry of a play example is replaced by a bare ``gap:``, one at a time. The evening was lawful, so whatever is then
called wrong or unusual below the gap is accused falsely. A problem that says that the record does not tell all is no
accusation, nor is a name that cannot be read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import NamedTuple

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.record import Record
from chronicle.games import GAMES
from tests.conftest import ROOT
from tests.gaps import run_with_gap

EVERY = 5
"""Distance of the entries that are replaced, where the test does it."""
ACCUSES = (DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING, DiagnosticKind.SUSPICIOUS)


class Accusation(NamedTuple):
    """What is called wrong once an entry is missing: the place of that entry, and the problem."""

    missing: str
    problem: Diagnostic

    def __str__(self) -> str:
        place = self.problem.place
        where = f"{Path(place.path).name}:{place.line}"
        return f"{self.problem.code}  {self.missing}  {where}: {self.problem.message}"


def examples_of(game: str) -> list[Path]:
    """The folders of the play examples of a game."""
    return [
        campaign for campaign in find_campaigns(ROOT / "sessions") if load(campaign).game == game
    ]


def accusations(folder: Path, every: int = 1) -> Iterator[Accusation]:
    """What is called wrong if an entry of a campaign is missing, for each ``every``-th entry."""
    with TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        copytree(folder, copy, ignore=ignore_patterns("art", "*.md"))
        plain = run(load(copy))
        problems_before = {_key(problem) for problem in _accusing(plain)}
        entries = [step.action.whole_place for step in plain.steps if not step.parent]
        for place, below in [*pairwise(entries)][::every]:
            if place.path != below.path:
                continue
            for problem in _accusing(run_with_gap(copy, place, below.line)):
                if _key(problem) not in problems_before:
                    where = f"{folder.name}/{Path(place.path).name}:{place.line}"
                    yield Accusation(where, problem)


def _accusing(record: Record) -> list[Diagnostic]:
    return [
        diagnostic
        for diagnostic in record.diagnostics
        if diagnostic.is_reported and diagnostic.step_number and diagnostic.kind in ACCUSES
    ]


def _key(problem: Diagnostic) -> tuple[str, str]:
    """What is the same problem wherever its line has moved."""
    return problem.code, problem.message


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        accused = [accusation for folder in examples_of(name) for accusation in accusations(folder)]
        print(f"{name}: {len(accused)}")
        for line in accused:
            print(f"  {line}")
