"""What an editor asks after each change, of a campaign that stays in memory: processor time of every answer,
and what share it is of the resident check that comes before it.

Every size is measured in a process of its own. What nobody waits for (getting ready for the next change)
is not counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.spent import MISSED
from chronicle.campaigns import relaxed_gc
from chronicle.desk.editor import change, complete, look, offers, outline
from chronicle.desk.editor.index import index
from chronicle.desk.editor.links import links
from chronicle.desk.findings import keyed
from chronicle.desk.room import Opened

SIZES = (400, 2_000, 10_000)
TYPED = 5
"""How many changes one after another, as somebody types."""
SEEN = 60
"""How many lines of a file an editor shows at once."""
BAR = 1.25
"""How long an answer may take, as a share of the resident check of the same change."""
PLAYED = frozenset({"taken", "hole", "mend"})
"""What is played through before it is given: it may take as long as the resident check of the same change."""
BARS = {"layout": float("inf")}
"""Where it may take longer: a file that is laid out anew is read as often as it takes to prove that it says
the same. That is asked for by hand."""
LEAST = {"end": 50.0, "middle": 250.0}
"""Milliseconds that an answer may take in any case: what the resident check itself may take there."""
STATED, HOLE = -2, -1
"""Where in what is offered on any entry stands that it is said what is so, and that something is missing."""
HEAD = f"{'entries':>7}  {'where':<7}{'check':>8}"

Ask = Callable[[Opened, str, int], object]
"""A question about a file, asked on its last line."""


def _hover(opened: Opened, file: str, line: int) -> object:
    """The first name that can be pointed at in what is seen."""
    found = index(opened)
    seen = [one for one in found.mentions(file) if line - SEEN <= one.place.line <= line]
    at = seen[0].place if seen else None
    return look.hover(opened, file, at.line, at.column) if at else None


def _offered(opened: Opened, file: str, line: int) -> list[offers.Action]:
    """What is offered on the line above, as whoever asks for the edit when it is taken hears of it."""
    wanted = lambda kind: kind != offers.ALL  # noqa: E731
    return [*offers.actions(opened, file, line - 1, wanted, later=True)]


ASKED: dict[str, Ask] = {
    "verbs": lambda opened, file, line: complete.complete(opened, file, line, 3),
    "hover": _hover,
    "entry": lambda opened, file, line: look.hover(opened, file, line - 1, 4),
    "actions": lambda opened, file, line: _offered(opened, file, line),
    "inlay": lambda opened, file, line: [*look.hints(opened, file, max(line - SEEN, 1), line)],
    "tokens": lambda opened, file, line: outline.tokens(opened, file),
    "symbols": lambda opened, file, line: outline.symbols(opened, file),
    "folding": lambda opened, file, line: [*outline.folds(opened, file)],
    "lenses": lambda opened, file, line: [*look.lenses(opened, file)],
    "links": lambda opened, file, line: [*links(opened, file)],
    "layout": lambda opened, file, line: change.formatted(opened, file),
    "taken": lambda opened, file, line: offers.harm(opened, _offered(opened, file, line)[STATED]),
    "hole": lambda opened, file, line: offers.harm(opened, _offered(opened, file, line)[HOLE]),
}


def _mended(opened: Opened, file: str, line: int) -> list[offers.Action]:
    """What mends the findings of a line."""
    return [*offers.actions(opened, file, line, lambda kind: kind == offers.QUICK)]


def _milliseconds(ask: Callable[[], object]) -> float:
    with relaxed_gc():
        start = process_time()
        ask()
        return (process_time() - start) * 1000


def typing(opened: Opened, file: str) -> dict[str, float]:
    """Milliseconds of the check and of each answer while an entry at the end of a file is typed; of the
    check as well where the entry is ``played`` with what was taken, and ``mended``."""
    text = opened.text(file)
    taken: dict[str, list[float]] = {}

    def timed(name: str, ask: Callable[[], object]) -> None:
        taken.setdefault(name, []).append(_milliseconds(ask))

    for letters in range(TYPED):
        typed = f"{text}- aside: Somebody waits{'.' * letters}\n- \n"
        line = typed.count("\n")
        opened.stand({file: typed})
        timed("check", lambda: keyed(opened))
        for name, ask in ASKED.items():
            timed(name, lambda ask=ask, line=line: ask(opened, file, line))  # type: ignore[misc]
        for name, which in (("taken", STATED), ("hole", HOLE)):
            with opened.holding(_offered(opened, file, line)[which].texts):
                timed(f"check of {name}", lambda: keyed(opened))
        opened.stand({file: typed.replace("- aside: Somebody", "- asid: Somebody")})
        keyed(opened)
        timed("mend", lambda line=line: _mended(opened, file, line - 1))  # type: ignore[misc]
        assert _mended(opened, file, line - 1)
        opened.stand({file: typed})
        timed("check of mend", lambda: keyed(opened))
    opened.stand({})
    return {name: median(times[1:]) for name, times in taken.items()}


def main(folder: Path) -> None:
    """Measure one campaign and print its figures."""
    opened = Opened(folder.name, folder, lambda home, changes: None)
    keyed(opened)
    record = opened.resident.record
    assert record is not None
    entries = len(record.steps)
    files = [one.name for one in opened.files() if one.kind == "session"]
    asked = [*ASKED, "mend"]
    print(HEAD + "".join(f"{name:>9}" for name in asked) + "   (ms of processor time)")
    for where, file in (("end", files[-1]), ("middle", files[len(files) // 2])):
        taken = typing(opened, file)
        said = "".join(f"{taken[name]:>9.1f}" for name in asked)
        print(f"{entries:>7}  {where:<7}{taken['check']:>8.1f}{said}")
        for name in asked:
            check = taken[f"check of {name}"] if name in PLAYED else taken["check"]
            if taken[name] > max(check * BARS.get(name, BAR), LEAST[where]):
                told = f"{taken[name]:.0f} ms, check {check:.0f}"
                print(f"{MISSED}{entries} entries, {where}: {name} {told}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
