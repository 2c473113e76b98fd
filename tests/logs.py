"""``python -m tests.logs KIND FOLDER``: write the logs that revisions are compared with (``tests/compare``).

KIND is one of

- ``cases``: every case of every rule;
- ``examples``: the play examples;
- ``random``: sessions that a table plays at random, by the moves that the program offers;
- ``mutated``: cases with one number, name or entry changed, and logs of all kinds with a few mistakes in them
  (``tests/fuzz``), as many of each.

Each log becomes the campaign folder ``FOLDER/GAME/NAME``. The comparison runs this file in the older revision,
with the older revision's tests, so keep its arguments and the folders that it writes as they are.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from chronicle.campaigns import find_campaigns, load
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import read_cases, write_case
from chronicle.testkit.random_play import RandomTable, write_campaign
from tests.cases import near_misses
from tests.fuzz.corpus import corpus
from tests.fuzz.mutants import Mutator
from tests.legal import openings, settings

SEED, COUNT = 1, 20
STEPS = 60
"""How many entries a session at random has at most, besides its opening."""


@dataclass(frozen=True)
class Selection:
    """Which logs to write."""

    game: str
    seed: int = SEED
    """The first seed of the sessions at random, and the seed of the mutated logs."""
    count: int = COUNT
    """How many sessions at random, and how many mutated logs."""


def tests_folder(game: str) -> Path:
    """The folder that holds the tests of a game."""
    return Path.cwd() / "tests" / "games" / game.replace("-", "_")


def write_cases(selection: Selection, folder: Path) -> None:
    """Write every case of a game, named after its file, its place there and its title."""
    for file in sorted((tests_folder(selection.game) / "cases").glob("*.case")):
        for number, case in enumerate(read_cases(file), 1):
            title = re.sub(r"[^a-z0-9]+", "-", case.name.casefold()).strip("-")[:60].strip("-")
            write_case(case, folder / f"{file.stem}-{number:02}-{title}")


def write_examples(selection: Selection, folder: Path) -> None:
    """Copy the play examples of a game."""
    for campaign in find_campaigns(Path.cwd() / "sessions"):
        if load(campaign).game == selection.game:
            shutil.copytree(campaign, folder / campaign.name)


def random_session(game: str, seed: int) -> tuple[str, list[str]]:
    """Play a session at random.

    Returns:
        The settings of its campaign, and its entries, a line each.
    """
    campaign_settings, starts = settings(game, seed), openings(game)
    with tempfile.TemporaryDirectory() as scratch:
        campaign = load(write_campaign(Path(scratch), campaign_settings, [[]]))
        table = RandomTable(campaign, rulebook(game), seed, starts[seed // 2 % len(starts)])
        for _ in range(STEPS):
            if not table.step():
                break
    return campaign_settings, table.lines


def write_random(selection: Selection, folder: Path) -> None:
    """Write sessions that are played at random, one for each seed."""
    for seed in range(selection.seed, selection.seed + selection.count):
        campaign_settings, lines = random_session(selection.game, seed)
        write_campaign(folder / f"random-{seed}", campaign_settings, [lines])


def write_mutated(selection: Selection, folder: Path) -> None:
    """Write mutated logs."""
    mutator = Mutator(corpus())
    mutator.games = (selection.game,)
    for number in range(selection.count):
        campaign = folder / f"mutated-{selection.seed}-{number}"
        campaign.mkdir(parents=True)
        for name, data in mutator.make(selection.seed, number).files().items():
            (campaign / name).write_bytes(data)
    files = sorted((tests_folder(selection.game) / "cases").glob("*.case"))
    cases = [case for file in files for case in read_cases(file)]
    random = Random(selection.seed)
    for number in range(selection.count):
        case = random.choice(cases)
        near_miss = random.choice([*near_misses(case)] or [case])
        write_case(near_miss, folder / f"near-{selection.seed}-{number}-{case.file.stem}")


KINDS: dict[str, Callable[[Selection, Path], None]] = {
    "cases": write_cases,
    "examples": write_examples,
    "random": write_random,
    "mutated": write_mutated,
}
"""The kinds of logs, each with the function that writes those of one game into a folder."""


def main() -> int:
    """Write the logs that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.logs", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", action="append", help="only logs of this game; may be repeated")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="logs of each game")
    options = parser.parse_args()
    for game in options.game or GAMES:
        KINDS[options.kind](Selection(game, options.seed, options.count), options.folder / game)
    return 0


if __name__ == "__main__":
    sys.exit(main())
