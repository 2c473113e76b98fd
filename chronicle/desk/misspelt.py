"""What mends a finding: words that are evidently misspelt, each proved by playing on with the right one.

A fix is taken from what the finding itself proposes (``did you mean 'Petra'?``). It counts only if the
finding is gone with it and none is there that was not there before. Nothing is written here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.refused import Refused
from chronicle.resident import Resident
from chronicle.transcript.edit import replace_words

_MEANT = re.compile(r"did you mean ('[^?]*')\?")
_WORD = re.compile(r"'([^']+)'")

Choose = Callable[[Diagnostic, Sequence[str]], str]
"""Which of several ways to mend a finding; empty: none of them."""
Key = tuple[str, str, int, str]


class Mended(NamedTuple):
    """What was mended: where, and which word now stands there."""

    finding: Diagnostic
    word: str


def mend(
    resident: Resident,
    texts: dict[Path, str],
    wanted: Callable[[Diagnostic], bool],
    choose: Choose,
) -> tuple[list[Mended], list[Diagnostic]]:
    """Mend what can be mended in ``texts`` (real paths to texts, changed in place), which ``resident``
    holds. Gives what was mended, and the findings that several ways would settle, of which ``choose``
    took none."""
    done: list[Mended] = []
    left: list[Diagnostic] = []
    seen: set[Key] = set()
    while True:
        found = next(
            (
                one
                for one in resident.diagnostics
                if one.severity and wanted(one) and _key(one) not in seen and proposed(one)
            ),
            None,
        )
        if found is None:
            return done, left
        seen.add(_key(found))
        file = resident.file(found.place)
        ways = {
            word: text
            for word in proposed(found)
            if (text := _proved(resident, texts, file, found, word)) is not None
        }
        word = next(iter(ways), "") if len(ways) < 2 else choose(found, [*ways])
        if word:
            texts[file] = ways[word]
            resident.change({file: ways[word]})
            done.append(Mended(found, word))
        elif ways:
            left.append(found)


def proposed(found: Diagnostic) -> list[str]:
    """What a finding says that may have been meant."""
    said = _MEANT.search(found.message)
    return _WORD.findall(said[1]) if said is not None else []


def _proved(
    resident: Resident, texts: dict[Path, str], file: Path, found: Diagnostic, word: str
) -> str | None:
    """The text of a file with the right word, if that settles the finding and makes no other."""
    text = texts.get(file)
    if text is None:
        return None
    place = found.place
    rows = text.splitlines()
    row = rows[place.line - 1] if 0 < place.line <= len(rows) else ""
    typed = row[place.column - 1 : place.end_column - 1].strip("'\"")
    said = re.search(rf"(?<!\w){re.escape(typed)}(?!\w)", found.message, re.IGNORECASE)
    if place.line != place.end_line or not typed or said is None:
        return None
    before = Counter(map(_key, resident.diagnostics))
    try:
        after = replace_words(text, str(file), {(place.line, place.column): word})
    except Refused:
        return None
    resident.change({file: after})
    now = Counter(map(_key, resident.diagnostics))
    resident.change({file: text})
    return after if now[_key(found)] < before[_key(found)] and now <= before else None


def _key(found: Diagnostic) -> Key:
    """What is the same finding before and after a change on one line."""
    return found.code, found.place.path, found.place.line, found.message
