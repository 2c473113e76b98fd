"""``python -m tests.legal``: legal play at random, in bulk; nothing of it may be an error or a warning.

Games begin with nothing, or with one of the game's openings; every other one at a table that has chosen
its readings of the silent points at random. It prints the seeds, the sums, and how to see again what was
accused.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from chronicle.campaigns import load
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.games import GAMES, rulebook
from chronicle.testkit.random_play import RandomTable, write_campaign

STEPS = 250
"""How many entries a game has at most."""
WRONG = frozenset({DiagnosticKind.UNREADABLE, DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING})


def openings(game: str) -> list[list[str]]:
    """Where random play begins: with nothing, and with every position in the game's ``openings/``
    (a file of one-line entries), so that what comes late in a long game is reached as well."""
    folder = Path(__file__).parent / "games" / game.replace("-", "_") / "openings"
    return [[], *(file.read_text("utf-8").splitlines() for file in sorted(folder.glob("*.log")))]


def settings(game: str, seed: int) -> str:
    """``campaign.yaml`` of a game: with readings chosen at random where the seed is odd."""
    text = rulebook(game).new_campaign()["campaign.yaml"]
    if seed % 2 == 0:
        return text
    random = Random(seed)
    points = [p for p in rulebook(game).rulings if len(p.readings) > 1]
    chosen = {p.id: random.choice(list(p.readings)) for p in points if random.random() < 0.3}
    lines = "".join(f"  {id}: {json.dumps(reading)}\n" for id, reading in chosen.items())
    return text.replace("\nrulings:", "\nignored:") + (f"\nrulings:\n{lines}" if lines else "")


def played(game: str, seed: int, folder: Path, sums: Counter[str]) -> list[str]:
    """Play one game; what was accused in it, each with its entry."""
    campaign = load(write_campaign(folder, settings(game, seed), [[]]))
    begun = openings(game)
    table = RandomTable(campaign, rulebook(game), seed, begun[seed // 2 % len(begun)])
    for _ in range(STEPS):
        if not table.step():
            break
    play = table.replay.play
    sums[f"{game}: entries"] += len(table.lines)
    sums[f"{game}: games"] += 1
    wrong = [d for d in play.diagnostics if d.kind in WRONG]
    sums[f"{game}: accused"] += len(wrong)
    return [
        f"{d.code} {d.message}: {table.lines[d.step_number - 1] if d.step_number else ''}"
        for d in wrong
    ]


def main() -> int:
    """Play until every game has as many entries as wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.legal", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2_000, help="entries of each game")
    parser.add_argument("--game", choices=GAMES, action="append")
    options = parser.parse_args()
    sums: Counter[str] = Counter()
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        for game in options.game or GAMES:
            seed = options.seed
            while sums[f"{game}: entries"] < options.count:
                for line in played(game, seed, Path(folder) / f"{game}-{seed}", sums)[:2]:
                    wrong = True
                    print(f"{game} --seed {seed}: {line}", flush=True)
                seed += 1
            last = seed - 1
            entries, games = sums[f"{game}: entries"], sums[f"{game}: games"]
            print(
                f"{game}: {entries} entries in {games} games, seeds {options.seed} to {last}, "
                f"{sums[f'{game}: accused']} accused",
                flush=True,
            )
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
