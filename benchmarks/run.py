"""Cold checks of whole processes, against bean-check and hledger on journals of the same flow.

Every figure is the median of several runs, taken in turn, so that a busy moment hits all alike.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import desk, resident, sites, words
from benchmarks.peers import write_beancount, write_hledger
from benchmarks.play import write_campaign
from chronicle.campaigns import load, run
from chronicle.games import GAMES

SIZES = (1_000, 10_000, 50_000)
BARS = {1_000: 1.0, 10_000: 1.0, 50_000: 1.0}
"""How long we may take, as a share of what bean-check takes."""
GROWTH = 1.05
"""The largest exponent of growth from the second size to the last."""
GAMES_MEASURED = ("positive", "universalis")


@dataclass(frozen=True)
class Measured:
    """One program on one size."""

    seconds: float
    megabytes: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the table. 0 if every bar is met, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only-games", action="store_true", help="leave out everything else")
    parser.add_argument("--games", nargs="+", default=[g for g in GAMES_MEASURED if g in GAMES])
    given = parser.parse_args(arguments)
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, "
          f"median of {given.rounds}, whole processes, cold, CPU seconds\n")  # fmt: skip
    missed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="chronicle-bench-") as scratch:
        for game in given.games:
            missed += _game(game, given.sizes or SIZES, given.rounds, Path(scratch))
    if not given.only_games:
        lines, slow = words.measure(words.SIZES, given.rounds)
        print("\n".join(lines) + "\n")
        missed += slow
        lines, slow = sites.measure(sites.SIZES, given.rounds)
        print("\n".join(lines) + "\n")
        missed += slow
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


def _game(game: str, sizes: Sequence[int], rounds: int, scratch: Path) -> list[str]:
    found: dict[tuple[str, int], Measured] = {}
    for size in sizes:
        folder = scratch / f"{game}-{size}"
        write_campaign(game, size, folder)
        record = run(load(folder))
        assert len(record.steps) >= size, len(record.steps)
        write_beancount(record, folder / "ledger.beancount")
        write_hledger(record, folder / "ledger.journal")
        del record
        commands = _commands(folder)
        runs: dict[str, list[Measured]] = {name: [] for name in commands}
        for number in range(rounds + 1):
            for name, command in commands.items():
                taken = _measure(command, scratch)
                if number:  # the first round warms the disk and writes the compiled modules
                    runs[name].append(taken)
        for name, taken_ in runs.items():
            found[name, size] = Measured(
                median(one.seconds for one in taken_), median(one.megabytes for one in taken_)
            )
    print(f"{game}\n" + "\n".join(table(found, sizes)) + "\n")
    print(f"{game}, one changed entry, in memory\n{resident.HEAD}")
    for size in sizes:
        print(resident.measured(scratch / f"{game}-{size}"))
    print(f"\n{game}, what an editor asks after each change")
    slow: list[str] = []
    for size in desk.SIZES:
        folder = scratch / f"{game}-{size}"
        if not folder.exists():
            write_campaign(game, size, folder)
        lines, missed = desk.measured(folder)
        print("\n".join(lines))
        slow += (f"{game}, {line}" for line in missed)
    print()
    return [*verdict(game, found, sizes), *slow]


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


LAUNCHER = """\
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = usage.ru_utime + usage.ru_stime
print(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss, file=sys.stderr)
"""
"""Starts a program from a process smaller than any of them: a child counts what its parent held."""


def _measure(command: Sequence[str], scratch: Path) -> Measured:
    """Seconds of a processor and the most memory of one run: what others do on the machine counts little.

    Raises:
        RuntimeError: when the program finds fault, which would make its time meaningless.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(scratch / "compiled")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LAUNCHER, *command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=Path(__file__).parent.parent,
    )
    *said, last = done.stderr.splitlines()
    code, seconds, kilobytes = last.split()
    if int(code) != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{said}"[:2000])
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Measured(float(seconds), int(kilobytes) / unit)


def table(found: dict[tuple[str, int], Measured], sizes: Sequence[int]) -> list[str]:
    """The figures as lines: seconds, memory, and our time as a share of each peer's."""
    names = list(dict.fromkeys(name for name, _ in found))
    head = "entries" + "".join(f"{name:>22}" for name in names)
    lines = [head + "".join(f"{f'/ {name}':>14}" for name in names[1:])]
    for size in sizes:
        ours = found["chronicle", size]
        line = f"{size:>7}"
        for name in names:
            one = found[name, size]
            line += f"{f'{one.seconds:.3f} s {one.megabytes:.0f} MB':>22}"
        for name in names[1:]:
            line += f"{ours.seconds / found[name, size].seconds:>14.2f}"
        lines.append(line)
    if len(sizes) > 1:
        lines.append("growth " + "".join(f"{growth(found, name, sizes):>22.2f}" for name in names))
    return lines


def growth(found: dict[tuple[str, int], Measured], name: str, sizes: Sequence[int]) -> float:
    """The exponent with which time grows between the last two sizes."""
    one, other = sizes[-2:]
    return math.log(found[name, other].seconds / found[name, one].seconds) / math.log(other / one)


def verdict(game: str, found: dict[tuple[str, int], Measured], sizes: Sequence[int]) -> list[str]:
    """Which bars were missed, in words."""
    missed = []
    for size in sizes:
        peer = found.get(("bean-check", size))
        ours = found["chronicle", size].seconds
        bar = BARS.get(size)
        if peer is not None and bar is not None and ours > peer.seconds * bar:
            missed.append(f"{game}, {size} entries: {ours / peer.seconds:.2f} of bean-check")
    if len(sizes) > 1 and growth(found, "chronicle", sizes) > GROWTH:
        missed.append(f"{game}: grows with exponent {growth(found, 'chronicle', sizes):.2f}")
    return missed
