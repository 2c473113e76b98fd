"""Values that a record does not say: deciding on them tells so, comparing and printing them never does."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import load
from chronicle.core.gaps import balance_in_words
from chronicle.core.ranges import UNKNOWN, CannotTell, Range, Unknown, exactly, known
from chronicle.core.replay import Replay, entries_from
from chronicle.games import GAMES, rulebook


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
    strangers: list[object] = ["Marit", Range(), None]
    assert UNKNOWN not in strangers
    assert {UNKNOWN: 1}[UNKNOWN] == 1
    assert f"{UNKNOWN} calls" == "somebody calls"
    assert pickle.loads(pickle.dumps([UNKNOWN]))[0] is UNKNOWN
    assert sorted([str(UNKNOWN), "a"]) == ["a", "somebody"]


def test_who_is_unknown_decides_nothing() -> None:
    assert known("Marit") == "Marit"
    with pytest.raises(CannotTell):
        known(UNKNOWN)


BOUNDS = (None, -2, 0, 1, 3)
RANGES = [
    Range(low, highest)
    for low in BOUNDS
    for highest in BOUNDS
    if low is None or highest is None or low <= highest
]
OPERATORS: tuple[Callable[[Any, Any], object], ...] = (
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.add,
    operator.sub,
    operator.mul,
    operator.and_,
    operator.or_,
    operator.contains,
)
VALUES: tuple[object, ...] = (*RANGES, UNKNOWN, 0, 1, -1, "Marit", None, True, (), 1.5)


@pytest.mark.parametrize("unknown", [*RANGES, UNKNOWN], ids=repr)
def test_comparing_and_printing_never_crashes(unknown: Range | Unknown) -> None:
    """Values compare for equality with anything, print, hash, copy and go into sets. An order or a sum that would
    decide something is no operator of theirs: it is a mistake of the author, which Python names, and never a
    wrong answer."""
    assert unknown == unknown
    assert copy(unknown) == deepcopy(unknown) == unknown
    assert pickle.loads(pickle.dumps(unknown)) == unknown
    assert len({unknown, unknown}) == 1
    for text in (str(unknown), repr(unknown), f"{unknown}", f"{unknown!s:>20}"):
        assert text
    for value in VALUES:
        assert (unknown == value) is not (unknown != value)
        assert (unknown == value) is (value == unknown)
        for combine in OPERATORS[2:]:
            for left_value, right in ((unknown, value), (value, unknown)):
                try:
                    combine(left_value, right)
                except TypeError:
                    continue
                # Only a collection says whether it contains something.
                assert combine is operator.contains, (combine, left_value, right)


@pytest.mark.parametrize("number", RANGES, ids=str)
def test_what_a_range_decides_holds_for_every_number_in_it(number: Range) -> None:
    possible = [n for n in range(-6, 8) if number.may_be(n)]
    assert possible, "a range is never empty"
    for limit in range(-6, 8):
        try:
            decided = number.at_least(limit)
        except CannotTell:
            assert {n >= limit for n in range(-20, 20) if number.may_be(n)} == {True, False}
        else:
            assert all((n >= limit) is decided for n in possible)
    for amount in (-3, 0, 2):
        assert all(number.plus(amount).may_be(n + amount) for n in possible)
    for low in BOUNDS:
        for highest in BOUNDS:
            cut = number.within(low, highest)
            inside = [
                n
                for n in possible
                if (low is None or n >= low) and (highest is None or n <= highest)
            ]
            assert all(cut.may_be(n) for n in inside)
            assert [n for n in range(-6, 8) if cut.may_be(n)], "cutting leaves a number"


def test_a_bound_is_published_only_where_everything_unknown_pushes_one_way(tmp_path: Path) -> None:
    """After a payment by somebody unknown a purse holds at most so much. After a gap, in which Coins may have come as
    well as gone, no figure is called a bound."""
    (tmp_path / "campaign.yaml").write_text(
        "game: universalis\ntitle: x\nplayers: [Ana, Bo, Cy]\npreparation: skipped\n", "utf-8"
    )
    log = """\
session: 1
log:
- bid: {Ana: 4, Bo: 0, Cy: 2}
- scene: The mill
  at: {new: mill}
- create: {prop: a lamp}
  by: unrecorded
"""
    for gap, words in (("", "at most 24"), ("- gap: a page is missing\n", "unknown")):
        (tmp_path / "01.yaml").write_text(log + gap, "utf-8")
        replay: Replay[Any] = Replay(load(tmp_path), rulebook("universalis"))
        for _, action in entries_from(replay):
            replay.do(action)
        figure = replay.play.figure("wealth", "Bo")
        assert (figure.highest is not None) is (gap == ""), words
        assert figure.may_be(0)
        if gap:
            assert balance_in_words(replay.play, "wealth:Bo", "Coin").startswith("at most") is False


def test_who_gained_an_unknown_amount_holds_no_known_most(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: universalis\ntitle: x\nplayers: [Ana, Bao, Cleo]\npreparation: skipped\n", "utf-8"
    )
    (tmp_path / "01.yaml").write_text(
        """\
session: 1
log:
- bid: {Ana: 4, Bao: 0, Cleo: 2}
- scene: The mill
  at: {new: mill}
- introduce: {character: miller, name: Ida, traits: [strong]}
- end turn:
- introduce: {character: bailiff, traits: [polite]}
- complication: The bailiff wants the key
  source: bailiff
  target: Ida
- roll: unrecorded
  winner: Bao
- outcome:
    Bao:
    - event: He has the key
- trait: {Ida: tall}
  by: unrecorded
""",
        "utf-8",
    )
    replay: Replay[Any] = Replay(load(tmp_path), rulebook("universalis"))
    for _, action in entries_from(replay):
        replay.do(action)
    assert balance_in_words(replay.play, "wealth:Cleo", "Coin").startswith("at most")
    assert replay.play.figure("wealth", "Cleo").highest is not None
    assert not balance_in_words(replay.play, "wealth:Bao", "Coin").startswith("at most")
    assert replay.play.figure("wealth", "Bao").highest is None


def test_a_figure_of_nobody_in_particular_is_unknown(tmp_path: Path) -> None:
    """A guard that asks for the purse of whoever acts accuses nobody where that is not known."""
    (tmp_path / "campaign.yaml").write_text(
        "game: positive\ntitle: x\nplayers: [Ana, Bo, Cy, Dee]\n", "utf-8"
    )
    (tmp_path / "01.yaml").write_text("session: 1\nlog:\n- tell: They sit down\n", "utf-8")
    replay: Replay[Any] = Replay(load(tmp_path), rulebook("positive"))
    assert replay.play.figure("dice", "Ana") == exactly(3)
    assert replay.play.figure("dice", "") == Range()
    with pytest.raises(CannotTell):
        replay.play.figure("dice", "").at_least(1)


@pytest.mark.parametrize("name", GAMES)
def test_a_figure_is_called_in_plain_words_and_not_by_its_values(name: str) -> None:
    """A note about figures that are not certain lists them for people who do not know the keys of a log."""
    for key, measure in rulebook(name).measures.items():
        assert measure.title, key
        assert measure.title.split()[0] not in {
            "yes",
            "no",
            "healthy",
            "standing",
            *measure.words,
        }, key
