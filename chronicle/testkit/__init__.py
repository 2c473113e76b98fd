"""The test kit of a game: what each game has to pass, for our own games and for game plug-ins.

A plug-in tests itself with a few lines::

    import pytest
    from pathlib import Path
    from chronicle.testkit import CHECKS, game_under_test, run_check

    GAME = game_under_test(Path(__file__).parents[1])

    @pytest.mark.parametrize("check", CHECKS)
    def test_game(check: str) -> None:
        assert not run_check(check, GAME)

``chronicle game check`` does the same.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from chronicle.games import trace_fault
from chronicle.testkit.battery import (
    CHECKS,
    GameUnderTest,
    cases_without_rule,
    proof_table,
    random_log,
)
from chronicle.testkit.cases import (
    Case,
    CaseFileError,
    check_case,
    problems_of,
    read_cases,
    write_case,
)
from chronicle.testkit.packages import GameNotFound, game_under_test
from chronicle.testkit.random_play import RandomTable, write_campaign
from chronicle.testkit.records import record_text

__all__ = [
    "CHECKS",
    "Case",
    "CaseFileError",
    "GameNotFound",
    "GameUnderTest",
    "RandomTable",
    "cases_without_rule",
    "check_case",
    "game_under_test",
    "problems_of",
    "proof_table",
    "random_log",
    "read_cases",
    "record_text",
    "run_check",
    "write_campaign",
    "write_case",
]


def run_check(name: str, game: GameUnderTest) -> list[str]:
    """Run a check of :data:`CHECKS`; return one line for each problem. An exception in the game is a problem."""
    with TemporaryDirectory(prefix="chronicle-game-") as folder:
        problems: list[str] = []
        try:
            problems.extend(CHECKS[name](game, Path(folder)))
        except Exception as error:
            problems.append(f"{type(error).__name__}: {error} ({trace_fault(error).place})")
        return problems
