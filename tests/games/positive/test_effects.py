"""One gate for each effect, and which verb has which."""

from __future__ import annotations

from tests.games.test_guards import gates, moments


def test_each_effect_of_positive_has_one_gate() -> None:
    assert gates("positive") == {
        "dice:": {"begin", "regain_dice", "spend_dice"},
        "track:": {"move_tokens", "_let_one_leave"},
    }


def test_the_verbs_of_positive_and_what_they_move() -> None:
    """The matrix of verbs and figures: a verb that moves something new has to be looked at by somebody."""
    moved: dict[str, set[str]] = {}
    for moment in moments("positive").all:
        replay = moment.replay()
        step = replay.do(moment.action)
        for change in replay.record().changes(step):
            moved.setdefault(step.action.verb, set()).add(change.name)
    assert moved == {
        "apology": {"dice"},
        "back down": {"opener"},
        "barge in": {"dice", "in scene"},
        "end scene": {"opener"},
        "roll": {"dice", "opener", "track"},
        "scene": {"in scene"},
    }
