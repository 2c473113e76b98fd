"""The figures of Isolation's dice, and the ladder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronicle.campaigns import load
from chronicle.core.declare import read_value
from chronicle.core.replay import Replay
from chronicle.core.source import ScalarNode
from chronicle.games import rulebook
from chronicle.games.isolation.dice import GREEN, RED, ROLLED, Colour, Rolled, Throw, shown_dice
from chronicle.games.isolation.odds import (
    chance_against,
    chance_alone,
    counted_chances,
    net_chances,
    percent,
)
from chronicle.games.isolation.rolls import roll_on
from chronicle.games.isolation.state import Level, level_of
from chronicle.testkit.cases import read_cases, write_case


def read_throw(text: str) -> Rolled:
    return read_value(ROLLED, ScalarNode(text))


def test_one_die_counts_three_fifths_of_a_face() -> None:
    chances = counted_chances(1)
    assert sum(chances) == pytest.approx(1)
    assert sum(faces * chance for faces, chance in enumerate(chances)) == pytest.approx(0.6)


def test_many_dice_add_up() -> None:
    chances = counted_chances(14)
    assert sum(chances) == pytest.approx(1)
    assert sum(faces * chance for faces, chance in enumerate(chances)) == pytest.approx(8.4)


def test_it11_alone_is_about_even() -> None:
    """Stress 0, one living character: Partial Success or better."""
    shown = [percent(chance_alone(difficulty, 0, difficulty + 1)) for difficulty in range(1, 7)]
    assert shown == ["48.0 %", "48.0 %", "48.2 %", "48.3 %", "48.4 %", "48.5 %"]


def test_the_chances_of_a_net_are_what_many_throws_show() -> None:
    random = Random(4)

    def counted(base: int, colour: Colour) -> int:
        return sum(1 for face in roll_on(random, base, colour) if face in colour.counts)

    counts = Counter[int]()
    for _ in range(4000):
        odds = max(0, counted(5, RED) - counted(4, GREEN))
        counts[counted(3, GREEN) - counted(1, RED) - odds] += 1
    expected = net_chances((4, 5), (3, 1))
    assert sum(expected.values()) == pytest.approx(1)
    for net in range(-6, 6):
        assert counts[net] / 4000 == pytest.approx(expected[net], abs=0.03)


def test_nobody_beats_no_dice() -> None:
    assert chance_against(0, 0) == 1
    assert chance_against(0, 1) == pytest.approx(0.5)
    assert chance_against(0, 1, green=1) > chance_against(0, 1)


@pytest.mark.parametrize(
    ("difference", "level"),
    [
        (4, Level.COMPLETE_SUCCESS),
        (3, Level.BASIC_SUCCESS),
        (2, Level.BASIC_SUCCESS),
        (1, Level.PARTIAL_SUCCESS),
        (0, Level.PARTIAL_SUCCESS),
        (-1, Level.PARTIAL_FAILURE),
        (-2, Level.BASIC_FAILURE),
        (-3, Level.BASIC_FAILURE),
        (-4, Level.COMPLETE_FAILURE),
    ],
)
def test_ix9_the_ladder(difference: int, level: Level) -> None:
    assert level_of(difference) is level


def test_ix1_ix2_chains_are_shown_as_chains() -> None:
    throw = Throw(read_throw("65 62"), read_throw("1 14"))
    shown = shown_dice(throw, {GREEN: 2, RED: 1}, GREEN, RED)
    assert [die.extra for die in shown] == [False, False, True, True, False, True, True]
    assert [die.hit for die in shown] == [True, False, True, True, True, True, False]
    assert throw.of(GREEN).counted(GREEN) == 3
    assert throw.of(RED).counted(RED) == 2


def test_spaces_between_single_dice_set_nothing_apart() -> None:
    assert read_throw("4 3 6").first is None
    assert read_throw("624136 52").first == 6
    assert read_throw("none").faces == ()


@pytest.mark.parametrize(
    ("name", "are_told"),
    [
        ("I46 no odds are told against dice that are not on record", False),
        ("I46 the odds of the second reading, where all dice are on record", True),
    ],
)
def test_the_desk_tells_the_odds_of_dice_on_record_only(
    name: str, are_told: bool, tmp_path: Path
) -> None:
    file = Path(__file__).parent / "cases" / "odds.case"
    case = next(candidate for candidate in read_cases(file) if candidate.name == name)
    campaign = load(write_case(case, tmp_path))
    replay: Replay[Any] = Replay(campaign, rulebook(campaign.game))
    replay.replay_to_end()
    game, play = replay.rulebook, replay.play
    assert bool(game.odds(play, game.due(play))) is are_told
