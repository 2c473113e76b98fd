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
from collections import Counter
from dataclasses import dataclass, field

from tests.fuzz.corpus import ROOT, corpus
from tests.fuzz.mutants import Mutant, Mutator
from tests.fuzz.trial import Hang, Trial, signature

KEPT = ROOT / ".cache" / "fuzz"
BOOK, PAGES, CLOSELY = 50, 500, 10
"""Of how many mutants one goes on to the Book, to the pages, and is looked at closely."""


@dataclass
class Run:
    """Trials of one seed."""

    seed: int
    book: int = BOOK
    pages: int = PAGES
    sums: Counter[str] = field(default_factory=Counter)
    found: dict[str, tuple[int, Mutant, BaseException]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.mutator = Mutator(corpus())
        self.trial = Trial()

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
        if number % self.book == 0:
            self.trial.book(files)
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
                taken = entries.pop(at)
                if not fails():
                    entries.insert(at, taken)
        return mutant


def main() -> int:
    """Run the trials that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000, help="how many mutants")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--book", type=int, default=BOOK, help="every how many go on to the Book")
    parser.add_argument("--pages", type=int, default=PAGES, help="and to pages and exports")
    parser.add_argument(
        "--only", type=int, default=None, help="one mutant, shown, its error raised"
    )
    asked = parser.parse_args()
    gc.set_threshold(50_000, 20, 50)
    run = Run(asked.seed, asked.book, asked.pages)
    if asked.only is not None:
        mutant = run.mutator.make(asked.seed, asked.only)
        for file, data in mutant.files().items():
            print(f"--- {file}\n{data.decode('utf-8', 'replace')}")
        run.book = run.pages = 1
        print(dict(run.stages(mutant.files(), 0)))
        return 0
    memory = KEPT / "sums.json"
    seeds = json.loads(memory.read_text("utf-8")) if memory.is_file() else {}
    before = Counter(seeds.get(str(asked.seed), {}))
    first = before["read"] + before["failures"]
    began, number = time.monotonic(), first
    try:
        for number in range(first, first + asked.count):
            run.one(number)
            if asked.seconds and time.monotonic() - began > asked.seconds:
                break
    except KeyboardInterrupt:
        pass
    finally:
        took = time.monotonic() - began
        KEPT.mkdir(parents=True, exist_ok=True)
        seeds[str(asked.seed)] = before + run.sums
        memory.write_text(json.dumps(seeds, indent=1), "utf-8")
    here, all = run.sums, sum((Counter(one) for one in seeds.values()), Counter())
    print(
        f"seed {asked.seed}, mutants {first} to {number}, {(number - first + 1) / took:.0f} a second"
    )
    for stage in ("read", "replayed", "book", "pages", "failures"):
        print(f"  {stage:10} {here[stage]:>10,}  in all runs {all[stage]:>12,}")
    for name, (number, mutant, error) in run.found.items():
        small = run.smaller(mutant, number, name)
        folder = (
            KEPT / "found" / f"{name.replace('/', '_').replace(' ', '_')}-{asked.seed}-{number}"
        )
        folder.mkdir(parents=True, exist_ok=True)
        for file, data in small.files().items():
            (folder / file).write_bytes(data)
        print(f"\n{name}  ({small.name})\n  {type(error).__name__}: {error}\n  {folder}")
    run.trial.close()
    return 1 if run.found else 0


if __name__ == "__main__":
    sys.exit(main())
