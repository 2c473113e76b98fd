"""Trying other texts: which problems they solve, and which they make."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Severity
from chronicle.core.record import Step
from chronicle.core.replay import Replay
from chronicle.core.state_data import state_of_play
from chronicle.services.trial import key_of_problem, try_texts
from chronicle.workspace import MAX_SNAPSHOTS, MAX_WAYPOINTS, WAYPOINT_INTERVAL, Workspace
from tests.conftest import ROOT


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "sessions" / "the-ferry-house", tmp_path / "table")
    return tmp_path / "table"


def test_a_trial_says_what_is_solved_and_what_is_new(campaign: Path) -> None:
    file = sorted(campaign.glob("0*.yaml"))[0]
    good_text = file.read_text("utf-8")
    broken = good_text.rstrip("\n") + "\n- tel: The lamp goes out.\n"
    workspace = Workspace(campaign)
    trial = try_texts(workspace, {file: broken})
    assert [problem.code for problem in trial.new_problems] == ["T21"]
    assert trial.diagnostics
    # Nothing was written, and nothing of the trial stays.
    assert file.read_text("utf-8") == good_text
    assert not {*map(key_of_problem, trial.new_problems)} & {
        *map(key_of_problem, workspace.diagnostics)
    }

    file.write_text(broken, "utf-8")
    workspace = Workspace(campaign)
    wrong = [problem for problem in workspace.diagnostics if problem.code == "T21"]
    assert len(wrong) == 1
    trial_back = try_texts(workspace, {file: good_text})
    assert trial_back.solves(wrong)
    assert not trial_back.new_problems
    unchanged = try_texts(workspace, {file: broken})
    assert not unchanged.solves(wrong)
    assert not unchanged.new_problems


def test_what_does_not_count_is_neither_solved_nor_new(campaign: Path) -> None:
    file = sorted(campaign.glob("0*.yaml"))[0]
    broken = file.read_text("utf-8").rstrip("\n") + "\n- tel: The lamp goes out.\n"
    trial = try_texts(
        Workspace(campaign), {file: broken}, lambda problem: problem.severity < Severity.WARNING
    )
    assert not trial.new_problems
    assert any(problem.code == "T21" for problem in trial.diagnostics)


def _replayed(monkeypatch: pytest.MonkeyPatch) -> list[Action]:
    """The entries that are replayed from now on."""
    replayed: list[Action] = []
    do = Replay.do

    def counted(replay: Replay[Any], action: Action) -> Step:
        replayed.append(action)
        return do(replay, action)

    monkeypatch.setattr(Replay, "do", counted)
    return replayed


def test_a_text_that_has_failed_is_not_replayed_to_its_end(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = sorted(campaign.glob("0*.yaml"))[0]
    good_text = file.read_text("utf-8")
    rows = good_text.split("\n")
    first = next(number for number, row in enumerate(rows) if row.startswith("- "))
    workspace = Workspace(campaign)
    assert workspace.record is not None
    entries = sum(len(session.actions) for session in workspace.record.campaign.sessions)
    replayed = _replayed(monkeypatch)
    wrong = "\n".join([*rows[:first], "- end complication:", *rows[first:]])
    trial = try_texts(workspace, {file: wrong}, fails=lambda trial: bool(trial.new_problems))
    assert trial.new_problems
    assert len(replayed) < 10 < entries


def test_the_next_place_above_is_reached_from_a_waypoint(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(campaign)
    assert workspace.record is not None
    actions = workspace.record.campaign.sessions[0].actions
    places = [action.whole_place for action in actions]
    far_index = len(actions) - 2
    with workspace.at(campaign / places[far_index].path, places[far_index].line) as replay:
        assert replay is not None
    replayed = _replayed(monkeypatch)
    with workspace.at(campaign / places[far_index - 1].path, places[far_index - 1].line) as replay:
        assert replay is not None
        state = state_of_play(replay.play)
    assert len(replayed) <= WAYPOINT_INTERVAL < far_index
    with Workspace(campaign).at(
        campaign / places[far_index - 1].path, places[far_index - 1].line
    ) as replay:
        assert replay is not None
        assert state_of_play(replay.play) == state
    for place in places[::5]:
        with workspace.at(campaign / place.path, place.line):
            assert len(workspace._waypoints) <= MAX_WAYPOINTS
    assert MAX_SNAPSHOTS + MAX_WAYPOINTS <= 8
