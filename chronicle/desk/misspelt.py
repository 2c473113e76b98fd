"""What mends a finding: words that are evidently misspelt, each proved by playing on with the right one.

A fix is taken from what the finding itself proposes (``did you mean 'Petra'?``). It counts only if the
finding is gone with it and none is there that was not there before. Two sessions may have each other's
number: that counts only if play is told wrong without it. Nothing is written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.fix import Fix, ReplaceWord
from chronicle.core.refused import Refused
from chronicle.desk.apply import apply_fix
from chronicle.resident import Resident
from chronicle.transcript.edit_words import replace_words

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
    unsettled: list[Diagnostic] = []
    seen: set[Key] = set()
    while True:
        problem = next(
            (
                one
                for one in resident.diagnostics
                if one.severity
                and wanted(one)
                and _key(one) not in seen
                and (meant_words(one) or _are_numbers_swapped(one))
            ),
            None,
        )
        if problem is None:
            return done, unsettled
        seen.add(_key(problem))
        file = resident.file(problem.place)
        ways = {
            word: {file: text}
            for word, after in _respelt(texts.get(file, ""), problem)
            if (text := _proved(resident, texts, file, problem, after)) is not None
        }
        if not ways and (other := _renumbered(resident, texts, problem)):
            ways["the numbers of two sessions"] = other
        word = next(iter(ways), "") if len(ways) < 2 else choose(problem, [*ways])
        if word:
            texts.update(ways[word])
            resident.change(dict(ways[word].items()))
            done.append(Mended(problem, word))
        elif ways:
            unsettled.append(problem)


def meant_words(problem: Diagnostic) -> dict[str, Fix]:
    """The words that may have been meant where a finding asks about some, with the fix that writes each."""
    return {
        edit.text: one
        for one in problem.fixes
        for edit in one.edits
        if one.is_told and isinstance(edit, ReplaceWord)
    }


def _respelt(text: str, problem: Diagnostic) -> Iterator[tuple[str, str]]:
    """The words that may have been meant, each with the text of the file with it."""
    path = problem.place.path
    for word, fix in meant_words(problem).items():
        applied = apply_fix(fix, lambda name: text, (), path)
        if applied is not None and applied.file == path:
            yield word, applied.text


def _proved(
    resident: Resident, texts: dict[Path, str], file: Path, problem: Diagnostic, after: str
) -> str | None:
    """The text of a file with the right word, if that settles the finding and makes no other."""
    text = texts.get(file)
    if text is None:
        return None
    before = Counter(map(_key, resident.diagnostics))
    resident.change({file: after})
    now = Counter(map(_key, resident.diagnostics))
    resident.change({file: text})
    return after if now[_key(problem)] < before[_key(problem)] and now <= before else None


def _are_numbers_swapped(problem: Diagnostic) -> bool:
    """Whether a finding is about the numbers of two sessions, which its facts point at."""
    return problem.code == "T42" and len(problem.facts) == 2


def _renumbered(
    resident: Resident, texts: dict[Path, str], problem: Diagnostic
) -> dict[Path, str] | None:
    """The texts of two sessions with each other's number, if play is told right with it alone."""
    ends = [fact.place for fact in problem.facts if fact.place is not None]
    files = [resident.file(place) for place in ends]
    if (
        not _are_numbers_swapped(problem)
        or len(ends) < 2
        or not all(file in texts for file in files)
    ):
        return None
    words = [
        texts[file].splitlines()[place.line - 1][place.column - 1 : place.end_column - 1]
        for file, place in zip(files, ends, strict=True)
    ]
    if not all(word.isdigit() for word in words):
        return None
    now = {file: texts[file] for file in files}
    try:
        other = {
            file: replace_words(now[file], str(file), {(place.line, place.column): word})
            for file, place, word in zip(files, ends, reversed(words), strict=True)
        }
    except Refused:
        return None
    before = _wrong(resident, problem)
    resident.change(dict(other.items()))
    after = _wrong(resident, problem)
    told = any(one.code == problem.code for one in resident.diagnostics)
    resident.change(dict(now.items()))
    return other if not told and after < before else None


def _wrong(resident: Resident, problem: Diagnostic) -> Counter[tuple[str, str]]:
    """What is wrong with what was played, wherever it stands."""
    return Counter((d.code, d.message) for d in resident.diagnostics if d.code != problem.code)


def _key(problem: Diagnostic) -> Key:
    """What is the same finding before and after a change on one line."""
    return problem.code, problem.place.path, problem.place.line, problem.message
