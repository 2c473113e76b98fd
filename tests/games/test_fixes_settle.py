"""Every fix that a problem of a case carries settles it, or is followed by the next right step.

Each is applied as the desk applies it, and the log is played again. What has to be said besides stands in
``unsettled.txt``: ``python -m tests.games.test_fixes_settle [GAME]`` prints what does not settle its problem.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.field_types import UNRECORDED
from chronicle.core.fix import Fix
from chronicle.games import GAMES, rulebook
from chronicle.services.apply import apply_fix
from chronicle.testkit.cases import Case, named, write_case
from chronicle.workspace import Workspace
from tests.games.test_proof import cases_of

_Key = tuple[str, str]
UNSETTLED = Path(__file__).with_name("unsettled.txt")


class Outcome(NamedTuple):
    """What became of a problem with one of its fixes."""

    case: Case
    problem: Diagnostic
    fix: Fix
    result: str
    """``settled``, ``followed``, ``open`` (it needs words that only the table knows), ``stays``, ``worse`` or
    ``not applied``."""
    fresh: list[Diagnostic]

    @property
    def is_right(self) -> bool:
        """Whether nothing is left to say of the fix."""
        return self.result in ("settled", "followed", "open")

    def __str__(self) -> str:
        lines = [
            f"{self.problem.code} {self.result}: {self.problem.message}",
            f"    fix: {self.fix.title}  ({self.problem.place}; {self.case.id})",
        ]
        lines += [
            f"    now: {diagnostic.code} {diagnostic.message} {diagnostic.help}"
            for diagnostic in self.fresh[:3]
        ]
        return "\n".join(lines)


def outcomes(game: str) -> Iterator[Outcome]:
    """What becomes of each problem of the cases of a game with each of its fixes."""
    for case in named(cases_of(game)).values():
        if case.expected:
            with TemporaryDirectory() as folder:
                yield from _outcomes(case, Path(folder) / "c")


def _outcomes(case: Case, folder: Path) -> Iterator[Outcome]:
    workspace = Workspace(write_case(case, folder), root=folder)
    diagnostics_before = _reported(workspace.diagnostics)
    tried: set[tuple[_Key, Fix]] = set()
    for problem in diagnostics_before:
        for fix in problem.fixes:
            if (_key(problem), fix) not in tried:
                tried.add((_key(problem), fix))
                yield _outcome(case, workspace, folder, diagnostics_before, problem, fix)


def _outcome(
    case: Case,
    workspace: Workspace,
    folder: Path,
    diagnostics_before: list[Diagnostic],
    problem: Diagnostic,
    fix: Fix,
) -> Outcome:
    """What becomes of one problem with one fix."""
    verbs = rulebook(workspace.campaign.game).by_verb if workspace.campaign is not None else {}
    applied = apply_fix(
        fix,
        lambda name: (folder / name).read_text(encoding="utf-8"),
        verbs,
        problem.place.path,
    )
    if applied is None:
        return Outcome(case, problem, fix, "open" if fix.is_open else "not applied", [])
    counts_before, key = Counter(map(_key, diagnostics_before)), _key(problem)
    with workspace.trial({folder / applied.file: applied.text}) as diagnostics:
        diagnostics_now = _reported(diagnostics)
    # Nobody is accused any more of what nobody knows: the record says that it lacks something.
    accused = {
        _key(diagnostic)
        for diagnostic in diagnostics_before
        if diagnostic.kind is not DiagnosticKind.UNKNOWN
    }
    diagnostics_now = [
        diagnostic
        for diagnostic in diagnostics_now
        if diagnostic.kind is not DiagnosticKind.UNKNOWN or _key(diagnostic) not in accused
    ]
    fresh = [diagnostic for diagnostic in diagnostics_now if not counts_before[_key(diagnostic)]]
    next_steps = all(
        diagnostic.help or diagnostic.kind is DiagnosticKind.UNKNOWN for diagnostic in fresh
    )
    stays = Counter(map(_key, diagnostics_now))[key] >= counts_before[key]
    if fix.is_open and (
        stays or any(UNRECORDED in diagnostic.message for diagnostic in fresh) or not next_steps
    ):
        result = "open"
    elif stays and not (fresh and next_steps and all(diagnostic.fixes for diagnostic in fresh)):
        result = "stays"
    elif not next_steps:
        result = "worse"
    else:
        result = "followed" if fresh else "settled"
    return Outcome(case, problem, fix, result, fresh)


def _reported(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    return [diagnostic for diagnostic in diagnostics if diagnostic.is_reported]


def _key(diagnostic: Diagnostic) -> _Key:
    """What is the same problem wherever its line has moved."""
    return diagnostic.code, diagnostic.message


def _unsettled(game: str) -> dict[str, tuple[int, str]]:
    """How many fixes of a code do not settle their problem, and why."""
    unsettled: dict[str, tuple[int, str]] = {}
    for line in UNSETTLED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            of_game, code, count, *why = line.split(maxsplit=3)
            if of_game == game:
                unsettled[code] = int(count), " ".join(why)
    return unsettled


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_fix_settles_its_problem_or_is_followed_by_the_next_step(game: str) -> None:
    tried = [*outcomes(game)]
    assert tried
    wrong = [outcome for outcome in tried if not outcome.is_right]
    unsettled = _unsettled(game)
    counts = Counter(outcome.problem.code for outcome in wrong)
    exceeding = [
        str(outcome)
        for outcome in wrong
        if counts[outcome.problem.code] > unsettled.get(outcome.problem.code, (0,))[0]
    ]
    assert not exceeding, "\n".join(exceeding)
    assert {code: count for code, (count, _) in unsettled.items()} == counts, "fewer are left now"
    assert all(why for _, why in unsettled.values())


if __name__ == "__main__":
    for game in sys.argv[1:] or GAMES:
        tried = [*outcomes(game)]
        wrong = [outcome for outcome in tried if not outcome.is_right]
        print(*wrong, sep="\n")
        print(
            f"{game}: {len(tried) - len(wrong)} of {len(tried)} fixes settle",
            Counter(outcome.result for outcome in tried),
        )
        print(
            *(
                f"{game} {code} {count}"
                for code, count in sorted(
                    Counter(outcome.problem.code for outcome in wrong).items()
                )
            ),
            sep="\n",
        )
