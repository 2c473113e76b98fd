"""An archive: many campaigns of three sessions, all games mixed, played at random. ``python -m benchmarks.many``

How long two jobs take of one job's time, how building grows with the number of campaigns, how much memory it
takes, and which share of a whole build goes into one after one changed campaign. Seconds of the processor are
added up over all processes, so that they mean the same on a busy machine; what two jobs gain is told by the clock
and needs a quiet one.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.play import write_campaign
from benchmarks.sites import write_project
from benchmarks.spent import Spent, spent
from chronicle.games import GAMES

SIZES = (100, 1_000)
SESSIONS, ENTRIES = 3, 60
JOBS = 0.6
"""How long two jobs may take, as a share of one job's time."""
MEMORY = 500
"""How many megabytes a build may hold in any of its processes."""
GROWTH = 1.05
"""The largest exponent with which a build grows."""
AGAIN = 0.02
"""The share of a whole build that one after one changed campaign may take."""


def write_archive(root: Path, count: int, seed: int) -> Path:
    """A project with so many campaigns; the same seed always gives the same."""
    write_project(root, "search", "chronicle", page="# A club\n\n<!-- chronicle:campaigns -->\n")
    games = list(GAMES)
    (root / "sessions").mkdir()
    for number in range(count):
        game = games[number % len(games)]
        folder = root / "sessions" / f"{game}-{number:05}"
        write_campaign(game, SESSIONS * ENTRIES, folder, seed + number, ENTRIES)
    return root


def taken(scratch: Path, *words: str) -> Spent:
    """What ``chronicle`` took for this."""
    return spent([sys.executable, "-m", "chronicle", *words], scratch)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print. 0 if every bar is met, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs=2, default=SIZES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="chronicle-bench-") as folder:
        missed = _measured(Path(folder), given.sizes, given.rounds, given.seed)
    for line in missed:
        print(f"missed: {line}")
    return int(bool(missed))


def _measured(scratch: Path, sizes: Sequence[int], rounds: int, seed: int) -> list[str]:
    builds: dict[int, Spent] = {}
    missed: list[str] = []
    for size in sizes:
        root = write_archive(scratch / str(size), size, seed)
        words = ("build", str(root), "--each", "--out", str(root / "out"), "--jobs")
        whole = builds[size] = taken(scratch, *words, "2")
        print(f"{size:>7} campaigns built: {whole.cpu:.1f} s of processors, {whole.clock:.1f} s by the clock, "
              f"{whole.megabytes:.0f} MB", flush=True)  # fmt: skip
        nothing = taken(scratch, *words, "1")
        log = max((root / "sessions").glob("positive-*/[0-9]*.yaml"))
        log.write_text(log.read_text("utf-8") + "- tell: It rains.\n", "utf-8")
        again = taken(scratch, *words, "1")
        share = again.cpu / whole.cpu
        print(
            f"        one changed: {again.cpu:.1f} s, {100 * share:.1f} %; none: {nothing.cpu:.1f} s",
            flush=True,
        )
    check = ("check", str(root / "sessions"), "-q", "-q", "--jobs")
    pairs = [(taken(scratch, *check, "1"), taken(scratch, *check, "2")) for _ in range(rounds)]
    ratio = sorted(two.clock / one.clock for one, two in pairs)[rounds // 2]
    one, two = pairs[-1]
    print(f"{size:>7} campaigns checked: {one.cpu:.1f} s of processors with one job, {two.cpu:.1f} s with two; "
          f"two take {ratio:.2f} of the time")  # fmt: skip
    small, large = sizes
    growth = math.log(builds[large].cpu / builds[small].cpu) / math.log(large / small)
    print(f"        a build grows with exponent {growth:.2f}")
    if ratio > JOBS:
        missed.append(f"two jobs take {ratio:.2f} of one job's time")
    if whole.megabytes > MEMORY:
        missed.append(f"{size} campaigns hold {whole.megabytes:.0f} MB")
    if growth > GROWTH:
        missed.append(f"a build grows with exponent {growth:.2f}")
    if share > AGAIN:
        missed.append(f"one changed campaign takes {100 * share:.1f} % of a whole build")
    return missed


if __name__ == "__main__":
    sys.exit(main())
