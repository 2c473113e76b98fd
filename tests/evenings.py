"""What whole evenings come to, entry by entry, with their pages, in a few letters: the play examples, and
evenings played at random. A case holds one rule; these hold what rules come to when they meet.

``python -m tests.evenings GAME NAME`` prints all of one, here and in a checkout of before.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from chronicle.campaigns import find_campaigns, load
from chronicle.games import rulebook
from tests.cases import Case, comes_to, digest, pages_of, replayed, text_beside
from tests.legal import openings, settings
from tests.table import RandomTable, write_campaign

ROOT = Path(__file__).resolve().parent.parent
SEEDS = range(1, 61)
SOME = range(1, 21)
"""Of these, those that every run of the tests plays."""
STEPS = 60


def evenings(game: str, seeds: range = SEEDS) -> Iterator[tuple[str, Callable[[], str]]]:
    """The evenings of a game by name, each with all it comes to; at random those of these ``seeds``."""
    for folder in find_campaigns(ROOT / "sessions"):
        if load(folder).game == game:
            yield folder.name, partial(_example, folder)
    for seed in seeds:
        yield f"at random {seed}", partial(_at_random, game, seed)


def _example(folder: Path) -> str:
    record, text = replayed(load(folder), after_each=True)
    return text + pages_of(record)


def _at_random(game: str, seed: int) -> str:
    """An evening of a table that does whatever is legal, read again from what it wrote; and what is one step
    beside it, which hardly is."""
    rules, begun, chosen = rulebook(game), openings(game), settings(game, seed)
    with tempfile.TemporaryDirectory() as made:
        held = load(write_campaign(Path(made) / "held", chosen, [[]]))
        table = RandomTable(held, rules, seed, begun[seed // 2 % len(begun)])
        for _ in range(STEPS):
            if not table.step():
                break
        case = Case(Path(game), f"at random {seed}", chosen, [table.lines])
        record, text = comes_to(case, Path(made) / "read", after_each=True)
        return text + pages_of(record) + text_beside(case, Path(made) / "beside")


def kept_in(game: str) -> Path:
    """The file that holds a game's evenings, each in a few letters."""
    return ROOT / "tests" / "games" / game.replace("-", "_") / "evenings.txt"


def in_letters(game: str, seeds: range = SEEDS) -> str:
    """What stands in that file."""
    return "".join(f"{digest(text())} {name}\n" for name, text in evenings(game, seeds))


if __name__ == "__main__":
    sys.stdout.write(dict(evenings(sys.argv[1]))[sys.argv[2]]())
