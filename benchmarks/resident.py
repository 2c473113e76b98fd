"""Answers after one changed entry, of a campaign that stays in memory, beside cold checks of the same.

Every size and game is measured in one run, in a process of its own, so that its memory can be told.
"""

from __future__ import annotations

import gc
import re
import resource
import sys
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.spent import MISSED, megabytes
from chronicle.campaigns import load, relaxed_gc, run
from chronicle.resident import Resident

TYPED = 5
"""How many changes one after another, as somebody types."""
PUT = 3
"""How often an entry is put in and taken out again; once where a campaign is larger than any bar is for."""
BARS = {10_000: {"append": 50.0, "word": 250.0, "put in": 250.0, "taken out": 250.0}}
"""Milliseconds to an answer, by entries: at the end, and in the middle."""


def _megabytes() -> float:
    return megabytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _answered(resident: Resident, file: Path, text: str) -> float:
    """Milliseconds to an answer with another text; then it gets ready for the next, which nobody waits
    for."""
    resident.change({file.name: text})
    start = process_time()
    resident.findings()
    taken = (process_time() - start) * 1000
    resident.settle()
    return taken


def _typing(resident: Resident, file: Path, above: str, below: str = "") -> float:
    """Milliseconds to an answer while an entry between two texts is typed, but for the first letter."""
    typed = [
        _answered(resident, file, f"{above}- tell: Somebody waits{'.' * letters}\n{below}")
        for letters in range(TYPED)
    ]
    return median(typed[1:])


def _halves(file: Path) -> tuple[str, str]:
    """A file up to an entry in its middle, and from there on."""
    text = file.read_text("utf-8")
    starts = [found.start() for found in re.finditer(r"^- ", text, re.MULTILINE)]
    at = starts[len(starts) // 2]
    return text[:at], text[at:]


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
    taken = {"append": _typing(resident, files[-1], files[-1].read_text("utf-8"))}
    _answered(resident, files[-1], files[-1].read_text("utf-8"))
    file = files[len(files) // 2]
    above, below = _halves(file)
    moved = [
        (
            _answered(resident, file, f"{above}- tell: Somebody waits\n{below}"),
            _answered(resident, file, above + below),
        )
        for _ in range(PUT if entries < 2 * max(BARS) else 1)
    ]
    taken["put in"], taken["taken out"] = map(median, zip(*moved, strict=True))
    taken["word"] = _typing(resident, file, above, below)
    said = "".join(f"{taken[name]:>9.0f} ms" for name in ("append", "word", "put in", "taken out"))
    print(f"{entries:>7}{cold:>9.0f} ms {memory:>4.0f} MB{said}{_megabytes():>7.0f} MB")
    for size, bars in BARS.items():
        # What entries hold within them counts as well.
        for name, bar in bars.items() if size <= entries < 2 * size else ():
            if taken[name] > bar:
                print(f"{MISSED}{size} entries, {name}: {taken[name]:.0f} ms (at most {bar:.0f})")


HEAD = (
    "entries     cold and memory      append        word      put in   taken out    memory"
    "\n" + " " * 46 + "(the last three in the middle)"
)

if __name__ == "__main__":
    main(Path(sys.argv[1]))
