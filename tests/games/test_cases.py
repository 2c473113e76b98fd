"""Every ``*.case`` file below this folder is replayed; see ``tests/cases.py`` for the format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import Case, check_case, read_cases

FILES = sorted(Path(__file__).parent.glob("*/cases/*.case"))
CASES = [case for file in FILES for case in read_cases(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case, tmp_path: Path) -> None:
    record = check_case(case, tmp_path)
    assert all(total == 0 for total in record.ledger.totals().values())


def test_there_are_cases() -> None:
    assert len(CASES) > 50
