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
