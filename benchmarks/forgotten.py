"""What becomes of a forgotten ``end turn:`` and its like: each is taken out of every play example in turn.

    python -m benchmarks.forgotten [FOLDER ...]

*At once*: something is told at the entry that comes next. *Later*: further down. *Never*: nothing is. *Offered*: of
those that are told, for how many one of the ways to mend it, each proved by replay, makes the log as whole as it was
(with ``--mend``, which takes its time).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from chronicle.campaigns import load
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.play import NARRATION
from chronicle.core.record import Record
from chronicle.desk.fixes import Fix, fixes
from chronicle.desk.room import Opened
from chronicle.resident import Resident
from chronicle.transcript.edit import entry_at, replace_entry

SESSIONS = Path(__file__).parents[1] / "sessions"
LIKE = frozenset({"pass", "end turn", "end scene", "end dialog"})
"""Verbs that say that something is over."""


class Gone(NamedTuple):
    """An entry as it stood before it was taken out."""

    path: str
    line: int
    session: int
    verb: str


class Forgotten(NamedTuple):
    """One entry that was taken out, and what is told of it: how many entries further down."""

    file: str
    line: int
    verb: str
    told: int | None
    code: str = ""
    message: str = ""
    offered: bool = False


def _key(one: Diagnostic) -> tuple[str, str]:
    return one.code, one.message


def forgotten(folder: Path, *, mend: bool = False) -> Iterator[Forgotten]:
    """Every entry of a campaign that ends something, taken out in turn."""
    opened = Opened("", folder, lambda home, changes: None)
    resident = opened.resident
    record = resident.record
    assert record is not None
    known = Counter(_key(one) for one in resident.diagnostics if one.severity)
    entries = [
        step.index for step in record.steps if step.parent is None and step.action.verb in LIKE
    ]
    for index in entries:
        # Looked up anew each time: what a change above moves, moves with it.
        whole = resident.record
        assert whole is not None
        action = whole.step(index).action
        text = (folder / action.path).read_text(encoding="utf-8")
        at = entry_at(text, action.path, action.whole.line)
        assert at is not None
        without = replace_entry(text, action.path, at[0], None)
        gone = Gone(action.path, action.key.line, action.session, action.verb)
        with opened.holding({action.path: without}):
            where, found = _told(gone, resident, known)
            if mend and found is not None:
                held = opened.text(found.place.path)
                ways = fixes(opened, found.place.path, held, [found])
                where = where._replace(offered=any(_whole(opened, one, known) for one in ways))
            yield where


def _whole(opened: Opened, way: Fix, known: Counter[tuple[str, str]]) -> bool:
    """Whether nothing is told with a repair that was not told of the whole log."""
    with opened.holding({way.file: way.text}):
        now = Counter(_key(one) for one in opened.resident.diagnostics if one.severity)
        return now <= known


def _told(
    gone: Gone, resident: Resident, known: Counter[tuple[str, str]]
) -> tuple[Forgotten, Diagnostic | None]:
    record = resident.record
    assert record is not None
    where = Forgotten(gone.path, gone.line, gone.verb, None)
    left = Counter(known)
    below = _below(record, gone)
    first: Diagnostic | None = None
    for one in resident.diagnostics:
        if not one.severity or one.cause is not None:
            continue
        if left[_key(one)] > 0:
            left[_key(one)] -= 1
        elif first is None or (one.step and one.step < first.step):
            first = one
    if first is None:
        return where, None
    distance = below.get(first.step, len(below))
    return where._replace(told=distance, code=first.code, message=first.message), first


def _below(record: Record, gone: Gone) -> dict[int, int]:
    """How many entries of play lie between what was taken out and each step below it; 0: none, or only
    what the one next to it goes on to do."""
    found: dict[int, int] = {}
    number = 0
    passed = False
    for step in record.steps:
        one = step.action
        passed = passed or (one.path == gone.path and one.key.line >= gone.line)
        passed = passed or one.session > gone.session
        if not passed:
            continue
        found[step.index] = number
        if step.parent is None and one.verb not in NARRATION and one.verb != "assert":
            number += 1
    return found


def main(folders: list[Path]) -> None:
    """Print the shares, by game and verb."""
    shares: dict[tuple[str, str], Counter[str]] = {}
    for folder in folders:
        game = load(folder).game
        for one in forgotten(folder, mend="--mend" in sys.argv):
            when = "never" if one.told is None else "at once" if one.told <= 1 else "later"
            told = shares.setdefault((game, one.verb), Counter())
            told[when] += 1
            told["offered"] += one.offered
            if "-v" in sys.argv and when != "at once":
                print(
                    f"{when:8} {one.file}:{one.line} {one.verb}: {one.told} {one.code} {one.message}"
                )
    print(f"{'game':14}{'forgotten':14}{'at once':>9}{'later':>7}{'never':>7}{'offered':>9}")
    for (game, verb), told in sorted(shares.items()):
        print(
            f"{game:14}{verb:14}{told['at once']:9}{told['later']:7}{told['never']:7}{told['offered']:9}"
        )


if __name__ == "__main__":
    named = [Path(word) for word in sys.argv[1:] if not word.startswith("-")]
    main(named or sorted(path.parent for path in SESSIONS.glob("*/campaign.yaml")))
