"""Values that a record does not say: deciding on them tells so, comparing and printing them never does."""

from __future__ import annotations

import pickle

import pytest

from chronicle.core.ranges import UNKNOWN, CannotTell, Range, exactly, known


def test_a_known_number_decides_everything() -> None:
    three = exactly(3)
    assert (three.number, three.is_known, str(three)) == (3, True, "3")
    assert three.at_least(3)
    assert not three.at_least(4)
    assert three.may_be(3)
    assert not three.may_be(2)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (Range(1, 3), "1 to 3"),
        (Range(None, 3), "at most 3"),
        (Range(2, None), "at least 2"),
        (Range(), "unknown"),
    ],
)
def test_a_range_says_its_bounds(number: Range, words: str) -> None:
    assert str(number) == words
    assert not number.is_known
    with pytest.raises(CannotTell):
        _ = number.number


def test_what_the_bounds_decide_is_decided() -> None:
    between = Range(1, 3)
    assert between.at_least(1)
    assert not between.at_least(4)
    with pytest.raises(CannotTell):
        between.at_least(2)
    assert [n for n in range(6) if between.may_be(n)] == [1, 2, 3]


def test_a_movement_moves_both_bounds_and_limits_cut_them() -> None:
    assert Range(0, 3).plus(-1).within(0, 3) == Range(0, 2)
    assert Range(0, None).plus(2) == Range(2, None)
    assert Range(4, 5).within(0, 3) == Range(4, 5), "what the log says stands, whatever the limits"


def test_comparing_and_printing_never_fails() -> None:
    others: list[object] = ["Marit", Range(), None]
    assert UNKNOWN not in others
    assert {UNKNOWN: 1}[UNKNOWN] == 1
    assert f"{UNKNOWN} calls" == "somebody calls"
    assert pickle.loads(pickle.dumps([UNKNOWN]))[0] is UNKNOWN
    assert sorted([str(UNKNOWN), "a"]) == ["a", "somebody"]


def test_who_is_unknown_decides_nothing() -> None:
    assert known("Marit") == "Marit"
    with pytest.raises(CannotTell):
        known(UNKNOWN)
