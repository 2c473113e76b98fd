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
from tests.cases import near_misses, read_cases, write_case
from tests.fuzz.corpus import corpus
from tests.fuzz.mutants import Mutator
from tests.legal import openings, settings
from tests.table import RandomTable, write_campaign

SEED, COUNT = 1, 20
STEPS = 60
"""How many entries a session at random has at most, besides its opening."""


@dataclass(frozen=True)
class Wanted:
    """Which logs to write."""

    game: str
    seed: int = SEED
    """The first seed of the sessions at random, and the seed of the mutated logs."""
    count: int = COUNT
    """How many sessions at random, and how many mutated logs."""


def tests_folder(game: str) -> Path:
    """The folder that holds the tests of a game."""
    return Path.cwd() / "tests" / "games" / game.replace("-", "_")


def write_cases(wanted: Wanted, folder: Path) -> None:
    """Write every case of a game, named after its file, its place there and its title."""
    for file in sorted((tests_folder(wanted.game) / "cases").glob("*.case")):
        for number, case in enumerate(read_cases(file), 1):
            title = re.sub(r"[^a-z0-9]+", "-", case.name.casefold()).strip("-")[:60].strip("-")
            write_case(case, folder / f"{file.stem}-{number:02}-{title}")


def write_examples(wanted: Wanted, folder: Path) -> None:
    """Copy the play examples of a game."""
    for campaign in find_campaigns(Path.cwd() / "sessions"):
        if load(campaign).game == wanted.game:
            shutil.copytree(campaign, folder / campaign.name)


def random_session(game: str, seed: int) -> tuple[str, list[str]]:
    """Play a session at random.

    Returns:
        The settings of its campaign, and its entries, a line each.
    """
    chosen, begun = settings(game, seed), openings(game)
    with tempfile.TemporaryDirectory() as scratch:
        campaign = load(write_campaign(Path(scratch), chosen, [[]]))
        table = RandomTable(campaign, rulebook(game), seed, begun[seed // 2 % len(begun)])
        for _ in range(STEPS):
            if not table.step():
                break
    return chosen, table.lines


def write_random(wanted: Wanted, folder: Path) -> None:
    """Write sessions that are played at random, one for each seed."""
    for seed in range(wanted.seed, wanted.seed + wanted.count):
        chosen, lines = random_session(wanted.game, seed)
        write_campaign(folder / f"random-{seed}", chosen, [lines])


def write_mutated(wanted: Wanted, folder: Path) -> None:
    """Write mutated logs."""
    mutator = Mutator(corpus())
    mutator.games = (wanted.game,)
    for number in range(wanted.count):
        campaign = folder / f"mutated-{wanted.seed}-{number}"
        campaign.mkdir(parents=True)
        for name, data in mutator.make(wanted.seed, number).files().items():
            (campaign / name).write_bytes(data)
    files = sorted((tests_folder(wanted.game) / "cases").glob("*.case"))
    cases = [case for file in files for case in read_cases(file)]
    random = Random(wanted.seed)
    for number in range(wanted.count):
        case = random.choice(cases)
        near = random.choice([*near_misses(case)] or [case])
        write_case(near, folder / f"near-{wanted.seed}-{number}-{case.file.stem}")


KINDS: dict[str, Callable[[Wanted, Path], None]] = {
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
    asked = parser.parse_args()
    for game in asked.game or GAMES:
        KINDS[asked.kind](Wanted(game, asked.seed, asked.count), asked.folder / game)
    return 0


if __name__ == "__main__":
    sys.exit(main())
