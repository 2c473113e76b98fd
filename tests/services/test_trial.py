"""Trying other texts: which problems they solve, and which they make."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chronicle.core.diagnostic import Severity
from chronicle.services.trial import key_of, try_texts
from chronicle.workspace import Workspace
from tests.conftest import ROOT


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "sessions" / "the-ferry-house", tmp_path / "table")
    return tmp_path / "table"


def test_a_trial_says_what_is_solved_and_what_is_new(campaign: Path) -> None:
    file = sorted(campaign.glob("0*.yaml"))[0]
    good = file.read_text("utf-8")
    broken = good.rstrip("\n") + "\n- tel: The lamp goes out.\n"
    workspace = Workspace(campaign)
    trial = try_texts(workspace, {file: broken})
    assert [problem.code for problem in trial.new_problems] == ["T21"]
    assert trial.diagnostics
    # Nothing was written, and nothing of the trial stays.
    assert file.read_text("utf-8") == good
    assert not {*map(key_of, trial.new_problems)} & {*map(key_of, workspace.diagnostics)}

    file.write_text(broken, "utf-8")
    workspace = Workspace(campaign)
    wrong = [problem for problem in workspace.diagnostics if problem.code == "T21"]
    assert len(wrong) == 1
    back = try_texts(workspace, {file: good})
    assert back.solves(wrong)
    assert not back.new_problems
    same = try_texts(workspace, {file: broken})
    assert not same.solves(wrong)
    assert not same.new_problems


def test_what_does_not_count_is_neither_solved_nor_new(campaign: Path) -> None:
    file = sorted(campaign.glob("0*.yaml"))[0]
    broken = file.read_text("utf-8").rstrip("\n") + "\n- tel: The lamp goes out.\n"
    trial = try_texts(
        Workspace(campaign), {file: broken}, lambda problem: problem.severity < Severity.WARNING
    )
    assert not trial.new_problems
    assert any(problem.code == "T21" for problem in trial.diagnostics)
