"""One gate for each effect: wounds and unlabelled links are booked in one function each."""

from __future__ import annotations

from tests.games.test_guards import gates


def test_each_effect_of_isolation_has_one_gate() -> None:
    assert gates("isolation") == {
        "unlabelled green:": {"set_loose"},
        "unlabelled red:": {"set_loose"},
        "wounds:": {"set_health"},
        ":": {"add_link", "erase_link"},
    }
