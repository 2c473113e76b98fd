"""Cold checks of whole processes, against bean-check and hledger on journals of the same flow.

Every figure is the median of several runs, taken in turn, so that a busy moment hits all alike.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks import desk, resident, sites, words
from benchmarks.peers import write_beancount, write_hledger
from benchmarks.play import GOES_BACK, write_campaign
from benchmarks.spent import MISSED, Spent, apart, spent
from chronicle.campaigns import load, run
from chronicle.games import GAMES

SIZES = (1_000, 10_000, 50_000)
BARS = {
    "bean-check": {1_000: 1.0, 10_000: 1.0, 50_000: 1.0},
    "hledger": {1_000: 1.8, 10_000: 1.3, 50_000: 1.0},
}
"""How long we may take, as a share of what each of our peers takes."""
MEMORY = {"hledger": {10_000: 0.55, 50_000: 0.55}}
"""How much memory, as a share of theirs."""
GROWTH = 1.05
"""The largest exponent of growth from the second size to the last."""
GAMES_MEASURED = ("positive", "universalis")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the table. 0 if every bar is met, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only-games", action="store_true", help="leave out everything else")
    parser.add_argument("--games", nargs="+", default=[g for g in GAMES_MEASURED if g in GAMES])
    parser.add_argument(
        "--onward", action="store_true", help="play without what makes play go back"
    )
    given = parser.parse_args(arguments)
    without = GOES_BACK if given.onward else ()
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, "
          f"median of {given.rounds}, whole processes, cold, CPU seconds\n")  # fmt: skip
    missed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="chronicle-bench-") as scratch:
        for game in given.games:
            missed += _game(game, given.sizes, given.rounds, Path(scratch), without)
    if not given.only_games:
        lines, slow = words.measure(words.SIZES, given.rounds)
        print("\n".join(lines) + "\n")
        missed += slow
        lines, slow = sites.measure(sites.SIZES, given.rounds)
        print("\n".join(lines) + "\n")
        missed += slow
    for line in missed:
        print(f"{MISSED}{line}")
    return 1 if missed else 0


def _game(
    game: str, asked: Sequence[int] | None, rounds: int, scratch: Path, without: Sequence[str]
) -> list[str]:
    found: dict[tuple[str, int], Spent] = {}
    sizes = asked or SIZES
    for size in sizes:
        folder = scratch / f"{game}-{size}"
        write_campaign(game, size, folder, without=without)
        record = run(load(folder))
        assert len(record.steps) >= size, len(record.steps)
        write_beancount(record, folder / "ledger.beancount")
        write_hledger(record, folder / "ledger.journal")
        del record
        commands = _commands(folder)
        runs: dict[str, list[Spent]] = {name: [] for name in commands}
        for number in range(rounds + 1):
            for name, command in commands.items():
                taken = spent(command, scratch)
                if number:  # the first round warms the disk and writes the compiled modules
                    runs[name].append(taken)
        for name, taken_ in runs.items():
            found[name, size] = Spent(*map(median, zip(*taken_, strict=True)))
    print(f"{game}\n" + "\n".join(table(found, sizes)) + "\n")
    print(f"{game}, one changed entry, in memory\n{resident.HEAD}")
    slow: list[str] = []
    for size in sizes:
        slow += _apart("benchmarks.resident", game, scratch / f"{game}-{size}")
    print(f"\n{game}, what an editor asks after each change")
    for size in asked or desk.SIZES:
        folder = scratch / f"{game}-{size}"
        if not folder.exists():
            write_campaign(game, size, folder, without=without)
        slow += _apart("benchmarks.desk", game, folder)
    print()
    return [*verdict(game, found, sizes), *slow]


def _apart(module: str, game: str, folder: Path) -> list[str]:
    """Print what a benchmark of a campaign prints; what it missed is given back."""
    slow: list[str] = []
    for line in apart(module, folder):
        if line.startswith(MISSED):
            slow.append(f"{game}, {line.removeprefix(MISSED)}")
        else:
            print(line)
    return slow


def _commands(folder: Path) -> dict[str, list[str]]:
    beside = Path(sys.executable).parent
    commands = {"chronicle": [sys.executable, "-m", "chronicle", "check", str(folder)]}
    bean_check = shutil.which("bean-check", path=str(beside)) or shutil.which("bean-check")
    if bean_check:
        commands["bean-check"] = [bean_check, "--no-cache", str(folder / "ledger.beancount")]
    hledger = shutil.which("hledger")
    if hledger:
        commands["hledger"] = [hledger, "check", "-f", str(folder / "ledger.journal")]
    return commands


def table(found: dict[tuple[str, int], Spent], sizes: Sequence[int]) -> list[str]:
    """The figures as lines: seconds, memory, and our time as a share of each peer's."""
    names = list(dict.fromkeys(name for name, _ in found))
    head = "entries" + "".join(f"{name:>22}" for name in names)
    lines = [head + "".join(f"{f'/ {name}':>14}" for name in names[1:])]
    for size in sizes:
        ours = found["chronicle", size]
        line = f"{size:>7}"
        for name in names:
            one = found[name, size]
            line += f"{f'{one.cpu:.3f} s {one.megabytes:.0f} MB':>22}"
        for name in names[1:]:
            line += f"{ours.cpu / found[name, size].cpu:>14.2f}"
        lines.append(line)
    if len(sizes) > 1:
        lines.append("growth " + "".join(f"{growth(found, name, sizes):>22.2f}" for name in names))
    return lines


def growth(found: dict[tuple[str, int], Spent], name: str, sizes: Sequence[int]) -> float:
    """The exponent with which time grows between the last two sizes."""
    one, other = sizes[-2:]
    return math.log(found[name, other].cpu / found[name, one].cpu) / math.log(other / one)


def verdict(game: str, found: dict[tuple[str, int], Spent], sizes: Sequence[int]) -> list[str]:
    """Which bars were missed, in words."""
    missed = []
    for size in sizes:
        ours = found["chronicle", size]
        for name in BARS:
            peer = found.get((name, size))
            if peer is None:
                continue
            for what, share, bar in (
                ("time", ours.cpu / peer.cpu, BARS[name].get(size)),
                ("memory", ours.megabytes / peer.megabytes, MEMORY.get(name, {}).get(size)),
            ):
                if bar is not None and share > bar:
                    missed.append(f"{game}, {size} entries: {share:.2f} of {name}'s {what}")
    if len(sizes) > 1 and growth(found, "chronicle", sizes) > GROWTH:
        missed.append(f"{game}: grows with exponent {growth(found, 'chronicle', sizes):.2f}")
    return missed
