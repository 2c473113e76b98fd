"""Readings of silent points: however a campaign writes the key, play and pages read the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.book import readings_table
from chronicle.games import GAMES, rulebook
from tests.table import write_campaign


@pytest.mark.parametrize("game", GAMES)
def test_a_reading_chosen_by_an_id_in_any_case_is_the_one_that_is_shown(
    game: str, tmp_path: Path
) -> None:
    rules = rulebook(game)
    points = [point for point in rules.registry().rulings if len(point.readings) > 1]
    assert points
    settings = rules.new_campaign()["campaign.yaml"].replace("\nrulings:", "\nignored:")
    chosen = {point.id.swapcase(): list(point.readings)[-1] for point in points}
    lines = "".join(f"  {id}: {reading}\n" for id, reading in chosen.items())
    record = run(load(write_campaign(tmp_path, f"{settings}\nrulings:\n{lines}", [[]])))
    assert {point.key: record.rulings[point.key] for point in points} == {
        point.key: chosen[point.id.swapcase()] for point in points
    }
    for point, row in zip(points, readings_table(record, points).rows, strict=True):
        assert row[2:4] == (point.readings[record.rulings[point.key]], "chosen")
