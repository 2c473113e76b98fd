"""Cases of the test kit, changed in one place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from chronicle.testkit.cases import Case

_FIGURE = re.compile(r"(?<![\w.])\d+(?![\w.])")
_NAME = re.compile(r"(?<!\w)[A-Z][a-z]+(?!\w)")


def near_misses(case: Case) -> Iterator[Case]:
    """Logs that differ from a case in one place, drawn by its name: one number is one more or less, one name is
    another one, one entry is left out, one stands twice."""
    random = Random(case.name)
    entries = [
        (number, at)
        for number, session in enumerate(case.sessions)
        for at, line in enumerate(session)
        if line.startswith("- ")
    ]
    text = "\n---\n".join("\n".join(session) for session in case.sessions)
    names = sorted(set(_NAME.findall(text)))
    for pattern in (_FIGURE, _NAME):
        matches = list(pattern.finditer(text))
        if matches:
            match = random.choice(matches)
            values = (
                [str(max(int(match[0]) + step, 0)) for step in (-1, 1)]
                if pattern is _FIGURE
                else [name for name in names if name != match[0]]
            )
            if values:
                changed = f"{text[: match.start()]}{random.choice(values)}{text[match.end() :]}"
                sessions = [part.split("\n") for part in changed.split("\n---\n")]
                yield replace(case, sessions=sessions, expected={}, shown=[])
    for repeats in (0, 2) if entries else ():
        number, at = random.choice(entries)
        lines = case.sessions[number]
        end = at + 1
        while end < len(lines) and not lines[end].startswith("- "):
            end += 1
        sessions = list(case.sessions)
        sessions[number] = lines[:at] + lines[at:end] * repeats + lines[end:]
        yield replace(case, sessions=sessions, expected={}, shown=[])


def entries_of(case: Case) -> list[tuple[int, list[str]]]:
    """The entries of a case as lines, each with the index of its session."""
    entries: list[tuple[int, list[str]]] = []
    for session, lines in enumerate(case.sessions):
        own: list[list[str]] = []
        for line in lines:
            if line.startswith("- ") or not own:
                own.append([])
            own[-1].append(line)
        entries += [(session, entry) for entry in own]
    return entries


def with_gap(case: Case, at: int, length: int, kept_starts: tuple[str, ...]) -> Case | None:
    """A case with a gap in place of some entries.

    Args:
        case: the case. What it expects is left out.
        at: the index of the first entry that the gap hides.
        length: how many entries it hides.
        kept_starts: how entries begin that no gap may hide.

    Returns:
        The case; None if there are not so many entries, one of them is kept, or they are of several sessions: a gap
        is in one.
    """
    entries = entries_of(case)
    hidden = entries[at : at + length]
    if len(hidden) < length or any(
        not lines[0].startswith("- ") or lines[0].startswith(kept_starts) for _, lines in hidden
    ):
        return None
    if len({session for session, _ in hidden}) > 1:
        return None
    sessions: list[list[str]] = [[] for _ in case.sessions]
    for index, (session, lines) in enumerate(entries):
        if index == at:
            sessions[session].append("- gap: the record is silent here")
        if not at <= index < at + length:
            sessions[session] += lines
    name = f"{case.name}, {length} from {at}"
    return replace(case, name=name, sessions=sessions, expected={}, shown=[])
