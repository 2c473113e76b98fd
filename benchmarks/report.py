"""Measure Chronicle at the sizes of real campaigns, and compare with the bars.

Prints one table in Markdown. hledger and bean-check check the same postings in the same run, as a yardstick: they are
reported as ratios and are no bar.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.browser import NoBrowser, measure_opening
from benchmarks.open_campaign import Answers, measure_answers
from benchmarks.peers import write_beancount, write_hledger
from benchmarks.play import write_campaign
from benchmarks.processes import Usage, measure
from chronicle.campaigns import load, run

GAMES = ("positive", "universalis")
SIZES = (400, 3_000, 10_000)
TEN_TIMES = 30_000
"""Ten times a large campaign; only growth is measured there."""
LARGE = 3_000
"""Entries of a group that plays weekly for two years."""
IN_BROWSER = 400
CHECK_SECONDS = {400: 0.30, 3_000: 1.0}
APPEND_MILLISECONDS = {3_000: 60.0}
WARM_SECONDS, COLD_SECONDS = 1.5, 3.0
GROWTH = 1.1
"""The largest exponent of growth of a check, from :data:`LARGE` to :data:`TEN_TIMES` entries."""


class Figure(NamedTuple):
    """A measured value, and its bar if it has one."""

    value: float
    bar: float | None = None

    @property
    def holds(self) -> bool:
        """Whether it has no bar, or keeps it."""
        return self.bar is None or self.value <= self.bar


class Row(NamedTuple):
    """One measure of every game, in the order of the games."""

    measure: str
    unit: str
    figures: tuple[Figure, ...]

    @property
    def holds(self) -> bool:
        """Whether every game keeps the bar."""
        return all(figure.holds for figure in self.figures)


class GameFigures(NamedTuple):
    """All that is measured of one game, by the number of entries."""

    usages: dict[int, dict[str, Usage]]
    """Of ``chronicle check`` and of each peer, by its name."""
    answers: dict[int, Answers]
    """Of an open campaign."""
    memory: dict[int, float]
    """Of an open campaign, in megabytes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the table. Return 0 if every bar holds, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs of every process (default: 5)")
    parser.add_argument("--no-browser", action="store_true", help="leave out the browser")
    parser.add_argument("--no-growth", action="store_true", help="leave out growth (minutes)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="chronicle-bench-") as name:
        scratch = Path(name)
        sizes = SIZES if options.no_growth else (*SIZES, TEN_TIMES)
        figures = [measure_game(game, sizes, options.rounds, scratch) for game in GAMES]
        rows = [*check_rows(figures), *answer_rows(figures), *peer_rows(figures)]
        rows += start_rows(options.rounds, scratch)
        try:
            if options.no_browser:
                raise NoBrowser("--no-browser")
            rows += browser_rows(scratch)
        except NoBrowser as missing:
            print(f"Not measured in a browser: {missing}.", file=sys.stderr)
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, processor time, "
          f"median of {options.rounds} runs.\n")  # fmt: skip
    print("\n".join(table(rows)))
    return 0 if all(row.holds for row in rows) else 1


def measure_game(game: str, sizes: Sequence[int], rounds: int, scratch: Path) -> GameFigures:
    """Measure one game at several sizes. The folders of its campaigns stay in ``scratch``.

    A check of :data:`TEN_TIMES` entries is measured once: it is long enough to be steady.
    """
    figures = GameFigures({}, {}, {})
    for size in sizes:
        folder = campaign_folder(scratch, game, size)
        write_campaign(game, size, folder)
        commands = {"chronicle": [sys.executable, "-m", "chronicle", "check", str(folder)]}
        if size in SIZES:
            commands |= peer_commands(folder)
        figures.usages[size] = measure(commands, 1 if size == TEN_TIMES else rounds, scratch)
        if size in SIZES:
            figures.answers[size], figures.memory[size] = measure_answers(folder, scratch)
    return figures


def campaign_folder(scratch: Path, game: str, size: int) -> Path:
    """The folder of a campaign that was played for a benchmark."""
    return scratch / f"{game}-{size}"


def peer_commands(folder: Path) -> dict[str, list[str]]:
    """Write a campaign's postings for every peer that is installed; return how each checks them."""
    record = run(load(folder))
    commands: dict[str, list[str]] = {}
    beside_python = str(Path(sys.executable).parent)
    bean_check = shutil.which("bean-check", path=beside_python) or shutil.which("bean-check")
    if bean_check:
        journal = folder / "postings.beancount"
        write_beancount(record, journal)
        commands["bean-check"] = [bean_check, "--no-cache", str(journal)]
    if hledger := shutil.which("hledger"):
        journal = folder / "postings.journal"
        write_hledger(record, journal)
        commands["hledger"] = [hledger, "check", "-f", str(journal)]
    return commands


def check_rows(figures: Sequence[GameFigures]) -> Iterator[Row]:
    """Time and memory of a whole ``chronicle check``, and how its time grows."""
    for size in SIZES:
        yield Row(
            f"`check`, {size:,} entries",
            "s",
            tuple(
                Figure(game.usages[size]["chronicle"].seconds, CHECK_SECONDS.get(size))
                for game in figures
            ),
        )
    if all(TEN_TIMES in game.usages for game in figures):
        exponents = [
            growth({size: usage["chronicle"].seconds for size, usage in game.usages.items()})
            for game in figures
        ]
        yield Row(
            f"growth of `check`, {LARGE:,} to {TEN_TIMES:,} entries",
            "exponent",
            tuple(Figure(exponent, GROWTH) for exponent in exponents),
        )
    for size in SIZES:
        yield Row(
            f"memory of `check`, {size:,} entries",
            "MB",
            tuple(Figure(game.usages[size]["chronicle"].megabytes) for game in figures),
        )


def growth(seconds: dict[int, float]) -> float:
    """The exponent with which the time grows from :data:`LARGE` to :data:`TEN_TIMES` entries."""
    return math.log(seconds[TEN_TIMES] / seconds[LARGE]) / math.log(TEN_TIMES / LARGE)


def answer_rows(figures: Sequence[GameFigures]) -> Iterator[Row]:
    """Answers of an open campaign, and its memory. After a change in the first session all entries are replayed, so
    the answer may take as long as opening the campaign did."""
    for size in SIZES:
        answers = [game.answers[size] for game in figures]
        bar = APPEND_MILLISECONDS.get(size)
        yield Row(
            f"answer after an entry at the end, {size:,} entries",
            "ms",
            tuple(Figure(answer.append, bar) for answer in answers),
        )
    for size in SIZES:
        answers = [game.answers[size] for game in figures]
        yield Row(
            f"answer after a change in the first session, {size:,} entries",
            "ms",
            tuple(Figure(answer.first_session, answer.opening) for answer in answers),
        )
    for size in SIZES:
        yield Row(
            f"memory of an open campaign, {size:,} entries",
            "MB",
            tuple(Figure(game.memory[size]) for game in figures),
        )


def peer_rows(figures: Sequence[GameFigures]) -> Iterator[Row]:
    """The time of a check as a share of each peer's."""
    for size in SIZES:
        for name in figures[0].usages[size]:
            if name != "chronicle":
                yield Row(
                    f"`check` / {name}, {size:,} entries",
                    "ratio",
                    tuple(
                        Figure(
                            game.usages[size]["chronicle"].seconds / game.usages[size][name].seconds
                        )
                        for game in figures
                    ),
                )


def start_rows(rounds: int, scratch: Path) -> Iterator[Row]:
    """How long Chronicle takes to start, which does not depend on the game."""
    commands = {
        "start of Python alone": [sys.executable, "-c", "pass"],
        "import of the engine": [sys.executable, "-c", "import chronicle.campaigns"],
        "`chronicle --version`": [sys.executable, "-m", "chronicle", "--version"],
    }
    for name, usage in measure(commands, rounds, scratch).items():
        yield Row(name, "s", (Figure(usage.seconds),) * len(GAMES))


def browser_rows(scratch: Path) -> Iterator[Row]:
    """Opening a campaign at the desk of a built site in Chromium, by the clock.

    Raises:
        NoBrowser: Chromium or the desk for browsers is missing.
    """
    openings = [
        measure_opening(campaign_folder(scratch, game, IN_BROWSER), scratch / f"site-{game}")
        for game in GAMES
    ]
    for which, bar in enumerate((COLD_SECONDS, WARM_SECONDS)):
        name = f"{('cold', 'warm')[which]}, {IN_BROWSER} entries"
        yield Row(
            f"opening in a browser, {name}",
            "s",
            tuple(Figure(game[which].shown, bar) for game in openings),
        )
        yield Row(
            f"the same until an entry can be checked, {name}",
            "s",
            tuple(Figure(game[which].ready) for game in openings),
        )


def table(rows: Sequence[Row]) -> list[str]:
    """The table in Markdown."""
    lines = [f"| measure | {' | '.join(GAMES)} | bar | holds |", "|---" * (len(GAMES) + 3) + "|"]
    for row in rows:
        values = " | ".join(_number(figure.value) for figure in row.figures)
        bars = list(dict.fromkeys(_number(f.bar) for f in row.figures if f.bar is not None))
        holds = ("yes" if row.holds else "**no**") if bars else ""
        lines.append(f"| {row.measure} ({row.unit}) | {values} | {', '.join(bars)} | {holds} |")
    return lines


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"
