"""Answers after one changed entry, of a campaign that stays in memory, beside cold checks of the same.

Every size and game is measured in one run, in a process of its own, so that its memory can be told.
"""

from __future__ import annotations

import gc
import resource
import sys
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.spent import megabytes
from chronicle.campaigns import load, relaxed_gc, run
from chronicle.resident import Resident

TYPED = 9
"""How many changes one after another, as somebody types."""


def _megabytes() -> float:
    return megabytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _typing(resident: Resident, folder: Path, file: Path) -> tuple[float, float]:
    """Milliseconds to an answer while an entry at the end of a file is typed, and to get ready for the
    next one, which nobody waits for."""
    text = file.read_text("utf-8")
    answers: list[float] = []
    ready: list[float] = []
    for letters in range(TYPED):
        resident.change({file.name: f"{text}- tell: Somebody waits{'.' * letters}\n"})
        start = process_time()
        resident.findings()
        answers.append((process_time() - start) * 1000)
        start = process_time()
        resident.settle()
        ready.append((process_time() - start) * 1000)
    resident.change({file.name: text})
    return median(answers[1:]), median(ready[1:])


def main(folder: Path) -> None:
    """Measure one campaign and print its figures."""
    start = process_time()
    with relaxed_gc():
        record = run(load(folder), shown=False)
    cold = (process_time() - start) * 1000
    entries, memory = len(record.steps), _megabytes()
    del record
    gc.collect()
    resident = Resident(folder, root=folder)
    resident.findings()
    resident.settle()
    files = sorted(file for file in folder.glob("*.yaml") if file.name != "campaign.yaml")
    said = [f"{entries:>7}", f"{cold:>9.0f} ms {memory:>4.0f} MB"]
    for file in (files[-1], files[len(files) // 2]):
        answer, ready = _typing(resident, folder, file)
        said.append(f"{answer:>9.0f} ms (+{ready:.0f})")
    said.append(f"{_megabytes():>6.0f} MB")
    print("  ".join(said))


HEAD = "entries     cold check            append (then)       middle (then)     memory"

if __name__ == "__main__":
    main(Path(sys.argv[1]))
