"""``python -m tests.fuzz``: mutants of all games through everything, as long as wanted.

It goes on where the last run with the same seed stopped, and prints the sums of all runs. What fails
is made small and kept under ``.cache/fuzz/found/``.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path

from tests.fuzz.corpus import ROOT, corpus
from tests.fuzz.mutants import Mutant, Mutator
from tests.fuzz.trial import Hang, Trial, signature

MUTANTS_FOLDER = ROOT / ".cache" / "fuzz"
SUMS = MUTANTS_FOLDER / "sums.json"
BOOK, PAGES, CLOSELY = 50, 500, 10
"""Of how many mutants one goes on to the CampaignView, to the pages, and is looked at closely."""
PART = 250
"""How many mutants a process is given at once."""


@dataclass
class Run:
    """Trials of one seed."""

    seed: int
    view: int = BOOK
    pages: int = PAGES
    home: Path | None = None
    sums: Counter[str] = field(default_factory=Counter)
    found: dict[str, tuple[int, Mutant, BaseException]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.mutator = Mutator(corpus())
        self.trial = Trial(self.home)

    def one(self, number: int) -> Mutant:
        """Try one mutant."""
        mutant = self.mutator.make(self.seed, number)
        try:
            self.sums.update(self.stages(mutant.files(), number))
        except (Exception, Hang) as error:
            name = signature(error)
            self.sums["failures"] += 1
            if name not in self.found:
                self.found[name] = number, mutant, error
        return mutant

    def stages(self, files: dict[str, bytes], number: int) -> Counter[str]:
        """Take the files of a mutant as far as its number says."""
        done = Counter(read=1)
        if not self.trial.read(files, closely=number % CLOSELY == 0):
            return done
        done["replayed"] += 1
        if number % self.view == 0:
            self.trial.view(files)
            done["book"] += 1
        if number % self.pages == 0:
            self.trial.pages(files)
            done["pages"] += 1
        return done

    def smaller(self, mutant: Mutant, number: int, name: str) -> Mutant:
        """The mutant without the entries that have no part in its failure."""

        def fails() -> bool:
            try:
                self.stages(mutant.files(), number)
            except (Exception, Hang) as error:
                return signature(error) == name
            return False

        end = time.monotonic() + 20
        for _, entries in mutant.evenings:
            for at in reversed(range(len(entries))):
                if time.monotonic() > end:
                    return mutant
                removed = entries.pop(at)
                if not fails():
                    entries.insert(at, removed)
        return mutant


def main() -> int:
    """Run the trials that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000, help="how many mutants")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument(
        "--book", type=int, default=BOOK, help="every how many go on to the CampaignView"
    )
    parser.add_argument("--pages", type=int, default=PAGES, help="and to pages and exports")
    parser.add_argument(
        "--only", type=int, default=None, help="one mutant, shown, its error raised"
    )
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share them")
    options = parser.parse_args()
    run = Run(options.seed, options.view, options.pages)
    if options.only is not None:
        mutant = run.mutator.make(options.seed, options.only)
        for file, data in mutant.files().items():
            print(f"--- {file}\n{data.decode('utf-8', 'replace')}")
        run.view = run.pages = 1
        print(dict(run.stages(mutant.files(), 0)))
        return 0
    gc.set_threshold(50_000, 20, 50)
    # What was read to get here stays to the end: nobody has to look through it again.
    gc.freeze()
    sums_before = kept_sums()[str(options.seed)]
    first = end = sums_before["read"] + sums_before["failures"]
    parts = [
        range(at, min(at + PART, first + options.count))
        for at in range(first, first + options.count, PART)
    ]
    failures: dict[str, int] = {}
    began = time.monotonic()
    with Pool(options.jobs, initializer=_take, initargs=(options, run.trial.home)) as pool:
        try:
            for numbers, (sums, failed) in zip(parts, pool.imap(_tried, parts), strict=True):
                run.sums += sums
                failures = {**failed, **failures}
                end = numbers.stop
                # Kept as it goes on, beside what others keep of their seeds: nothing is lost by a stop.
                keep(options.seed, sums_before + run.sums)
                if options.seconds and time.monotonic() - began > options.seconds:
                    break
        except KeyboardInterrupt:
            pass
        pool.terminate()
    took = time.monotonic() - began
    run_sums, sums = run.sums, sum(kept_sums().values(), Counter())
    print(f"seed {options.seed}, mutants {first} to {end - 1}, {(end - first) / took:.0f} a second")
    for stage in ("read", "replayed", "book", "pages", "failures"):
        print(f"  {stage:10} {run_sums[stage]:>10,}  in all runs {sums[stage]:>12,}")
    for name, number in failures.items():
        run.one(number)
        small = run.smaller(run.mutator.make(options.seed, number), number, name)
        folder = (
            MUTANTS_FOLDER
            / "found"
            / f"{name.replace('/', '_').replace(' ', '_')}-{options.seed}-{number}"
        )
        folder.mkdir(parents=True, exist_ok=True)
        for file, data in small.files().items():
            (folder / file).write_bytes(data)
        report = (
            f"{type(run.found[name][2]).__name__}: {run.found[name][2]}"
            if name in run.found
            else ""
        )
        print(f"\n{name}  ({small.name})\n  {report}\n  {folder}")
    run.trial.close()
    return 1 if failures else 0


def kept_sums() -> defaultdict[str, Counter[str]]:
    """The sums of all runs so far, by their seeds."""
    by_seed = json.loads(SUMS.read_text("utf-8")) if SUMS.is_file() else {}
    return defaultdict(Counter, {seed: Counter(sums) for seed, sums in by_seed.items()})


def keep(seed: int, sums: Counter[str]) -> None:
    """Keep the sums of a seed."""
    SUMS.parent.mkdir(parents=True, exist_ok=True)
    SUMS.write_text(json.dumps({**kept_sums(), str(seed): sums}, indent=1), "utf-8")


_runs: list[Run] = []
"""The run that a process takes part in."""


def _take(options: argparse.Namespace, home: Path) -> None:
    """Take part in a run, in a folder of one's own."""
    _runs[:] = [Run(options.seed, options.view, options.pages, home)]


def _tried(numbers: range) -> tuple[Counter[str], dict[str, int]]:
    """What came of these mutants: sums, and the first of each kind of failure."""
    run = _runs[0]
    run.sums, run.found = Counter(), {}
    for number in numbers:
        run.one(number)
    return run.sums, {name: number for name, (number, _, _) in run.found.items()}


if __name__ == "__main__":
    sys.exit(main())
