"""An entry that a rule asks for, and that follows too late, is moved; no second one is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.games import rulebook
from chronicle.services.apply import apply_fix
from chronicle.testkit.random_play import write_campaign
from chronicle.workspace import Workspace

SETTINGS = "game: slow-burn\ntitle: A case\nhandler: Hal\nplayers: [Ada, Ben]\n"
SETUP = [
    "- {spy: Wren, by: Ada, speciality: forgery, contacts: {Lobo: files, Duarte: confessions}}",
    "- {spy: Magpie, by: Ben, speciality: demolitions, contacts: {Rosa: houses, Nuno: getaways}}",
    "- {play starts: }",
    "- {segment: 1}",
    "- {scene: The depot, voice over: Ada, use: {Wren: [forgery, Lobo]}}",
    "- {job: The wrong suitcase}",
]
ROLL = "- {roll: {Wren: [9, 9], Opposition: [9, 9, 9, 9]}}"
IGNORE = "- {ignore: Wren, target: Duarte}"


def checked(folder: Path, lines: list[str]) -> Workspace:
    return Workspace(write_campaign(folder, SETTINGS, [lines]), root=folder)


@pytest.mark.parametrize(
    "late",
    [
        [ROLL, "- {tell: It rains}", "- {check: {Wren: 9, Magpie: 9, Agency: 9}}"],
        ["- {check: {Wren: 1, Magpie: 9, Agency: 9}}", ROLL, IGNORE],
    ],
)
def test_it_is_moved_up(late: list[str], tmp_path: Path) -> None:
    workspace = checked(tmp_path, SETUP + late)
    (problem,) = (diagnostic for diagnostic in workspace.diagnostics if diagnostic.is_reported)
    move = next(fix for fix in problem.fixes if not fix.is_gap)
    assert problem.help[0].startswith("move the entry in line ")
    assert not any(fix.inserts for fix in problem.fixes if not fix.is_gap)
    applied = apply_fix(
        move,
        lambda name: (tmp_path / name).read_text(encoding="utf-8"),
        rulebook("slow-burn").by_verb,
        problem.place.path,
    )
    assert applied is not None
    with workspace.trial({tmp_path / applied.file: applied.text}) as diagnostics:
        assert problem.code not in [
            diagnostic.code for diagnostic in diagnostics if diagnostic.is_reported
        ]


def test_one_that_is_right_where_it_is_stays_there(tmp_path: Path) -> None:
    later = [
        "- {scene: A roof, voice over: Ben, use: {Wren: forgery}}",
        "- {check: {Wren: 9, Magpie: 9, Agency: 9}}",
        ROLL.replace("[9, 9]", "9", 1),
    ]
    workspace = checked(tmp_path, [*SETUP, ROLL, *later])
    problem = next(diagnostic for diagnostic in workspace.diagnostics if diagnostic.code == "S11.1")
    assert any(fix.inserts for fix in problem.fixes)
    assert "above this entry" in problem.help[0] and "move" not in problem.help[0]
