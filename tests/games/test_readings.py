"""Readings of silent points: however a campaign writes the key, play and pages read the same; and a case for
each reading fails where it is ignored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from chronicle.campaigns import load, run
from chronicle.core.make_view import readings_table
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import Case, check_case
from chronicle.testkit.random_play import write_campaign
from tests.games.test_proof import cases_of


@pytest.mark.parametrize("game", GAMES)
def test_a_reading_chosen_by_an_id_in_any_case_is_the_one_that_is_shown(
    game: str, tmp_path: Path
) -> None:
    rules = rulebook(game)
    points = [point for point in rules.registry().rulings if len(point.readings) > 1]
    assert points or not rules.registry().rulings
    settings = rules.new_campaign()["campaign.yaml"].replace("\nrulings:", "\nignored:")
    chosen = {point.id.swapcase(): list(point.readings)[-1] for point in points}
    lines = "".join(f"  {id}: {reading}\n" for id, reading in chosen.items())
    record = run(load(write_campaign(tmp_path, f"{settings}\nrulings:\n{lines}", [[]])))
    assert {point.key: record.rulings[point.key] for point in points} == {
        point.key: chosen[point.id.swapcase()] for point in points
    }
    for point, row in zip(points, readings_table(record, points).rows, strict=True):
        assert row[2:4] == (point.readings[record.rulings[point.key]], "chosen")


def ignoring(case: Case) -> Iterator[tuple[str, str, Case]]:
    """Every reading that a case chooses (key or id, in small letters, and reading), with the case in which
    it is ignored."""
    settings = yaml.safe_load(case.settings)
    chosen = settings.get("rulings") or {}
    for key, reading in chosen.items():
        fewer_settings = {
            **settings,
            "rulings": {other_key: chosen[other_key] for other_key in chosen if other_key != key},
        }
        text = yaml.safe_dump(fewer_settings, sort_keys=False, allow_unicode=True)
        reading_text = {True: "yes", False: "no"}.get(reading, str(reading))
        yield str(key).casefold(), reading_text, replace(case, settings=text)


def readings_alike(game: str) -> set[str]:
    """Readings that come to the same as the default, each with why in a comment. The list may only shrink."""
    file = Path(__file__).parent / game.replace("-", "_") / "same.txt"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {line for line in lines if not line.startswith("#")}


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_a_case_for_every_reading_fails_where_it_is_ignored(game: str, tmp_path: Path) -> None:
    rulings = rulebook(game).registry().rulings
    ids = {name.casefold(): ruling.id for ruling in rulings for name in (ruling.key, ruling.id)}
    expected = {
        f"{ruling.id} {reading}" for ruling in rulings for reading in list(ruling.readings)[1:]
    }
    held: set[str] = set()
    for number, case in enumerate(cases_of(game)):
        for key, reading, ignored in ignoring(case):
            name = f"{ids.get(key)} {reading}"
            if name in expected - held:
                try:
                    check_case(ignored, tmp_path / f"{number}-{name}")
                except AssertionError:
                    held.add(name)
    assert expected - held == readings_alike(game)
