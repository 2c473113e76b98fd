"""Chronicle's test kit, run on Lanterns: ``python -m pytest``."""

from pathlib import Path

import pytest

from chronicle.testkit import CHECKS, game_under_test, run_check

GAME = game_under_test(Path(__file__).parents[1])


@pytest.mark.parametrize("check", CHECKS)
def test_lanterns(check: str) -> None:
    """Each check of the kit finds nothing."""
    assert not run_check(check, GAME)
