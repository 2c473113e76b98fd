"""One gate for each effect, and which verb has which."""

from __future__ import annotations

from tests.games.test_guards import gates, moments


def test_each_effect_of_playset_zero_has_one_gate() -> None:
    assert gates("playset-zero") == {
        "marks:": {"earn_mark", "pay_marks"},
        "advantages:": {"establish", "erase_advantages"},
    }


def test_the_verbs_of_playset_zero_and_what_they_move() -> None:
    """The matrix of verbs and figures: a verb that moves something new has to be looked at by somebody."""
    moved: dict[str, set[str]] = {}
    for moment in moments("playset-zero").all:
        replay = moment.replay()
        step = replay.do(moment.action)
        for change in replay.record().changes(step):
            moved.setdefault(step.action.verb, set()).add(change.name)
    assert moved == {
        "enter": {"in scene"},
        "exit": {"in scene"},
        "goal": {"advantages", "marks"},
        "help": {"marks"},
        "hinder": {"advantages"},
        "mark": {"marks"},
        "new feature": {"advantages", "marks"},
        "offer": {"marks"},
        "roll": {"marks"},
        "scene": {"in scene"},
        "spend": {"advantages"},
        "turn flaw": {"marks"},
    }
