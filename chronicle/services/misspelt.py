"""Correct misspelt words, each proved by a replay with the right word.

A fix is taken from the problem itself (``did you mean 'Petra'?``). It counts only if the problem is gone with it
and there is no new one. Two sessions may have each other's number: exchanging the numbers counts only if the log
then has fewer problems. Nothing is written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.errors import Refused
from chronicle.core.fix import Fix, ReplaceWord
from chronicle.services.apply import apply_fix
from chronicle.syntax.edit_words import replace_words
from chronicle.workspace import Workspace

Choose = Callable[[Diagnostic, Sequence[str]], str]
"""Chooses one of several words that would solve a problem; empty: none of them."""
Key = tuple[str, str, int, str]


class Mended(NamedTuple):
    """A problem that was solved, and the word that is written now."""

    finding: Diagnostic
    word: str


def mend(
    workspace: Workspace,
    texts: dict[Path, str],
    is_wanted: Callable[[Diagnostic], bool],
    choose: Choose,
) -> tuple[list[Mended], list[Diagnostic]]:
    """Correct misspelt words in the texts of a campaign.

    Args:
        workspace: the campaign.
        texts: the texts by real path, which ``workspace`` has too; they are changed in place.
        is_wanted: whether a problem is to be solved.
        choose: chooses one of several words, or none.

    Returns:
        What was corrected, and the problems that several words would solve and for which none was chosen.
    """
    done: list[Mended] = []
    unsettled: list[Diagnostic] = []
    tried: set[Key] = set()
    while True:
        problem = next(
            (
                problem
                for problem in workspace.diagnostics
                if problem.severity
                and is_wanted(problem)
                and _key(problem) not in tried
                and (meant_words(problem) or _are_numbers_swapped(problem))
            ),
            None,
        )
        if problem is None:
            return done, unsettled
        tried.add(_key(problem))
        file = workspace.file(problem.place)
        corrections = {
            word: {file: text}
            for word, corrected in _respelt(texts.get(file, ""), problem)
            if (text := _proved(workspace, texts, file, problem, corrected)) is not None
        }
        if not corrections and (renumbered := _renumbered(workspace, texts, problem)):
            corrections["the numbers of two sessions"] = renumbered
        word = (
            next(iter(corrections), "") if len(corrections) < 2 else choose(problem, [*corrections])
        )
        if word:
            texts.update(corrections[word])
            workspace.change(dict(corrections[word].items()))
            done.append(Mended(problem, word))
        elif corrections:
            unsettled.append(problem)


def meant_words(problem: Diagnostic) -> dict[str, Fix]:
    """The words that a problem proposes, with the fix that writes each."""
    return {
        edit.text: fix
        for fix in problem.fixes
        for edit in fix.edits
        if fix.is_told and isinstance(edit, ReplaceWord)
    }


def _respelt(text: str, problem: Diagnostic) -> Iterator[tuple[str, str]]:
    """The words that a problem proposes, each with the text of the file in which it is written."""
    path = problem.place.path
    for word, fix in meant_words(problem).items():
        applied = apply_fix(fix, lambda name: text, (), path)
        if applied is not None and applied.file == path:
            yield word, applied.text


def _proved(
    workspace: Workspace, texts: dict[Path, str], file: Path, problem: Diagnostic, corrected: str
) -> str | None:
    """The new text of a file, if it solves the problem and makes no other."""
    if file not in texts:
        return None
    problems = Counter(map(_key, workspace.diagnostics))
    with workspace.trial({file: corrected}) as diagnostics:
        problems_after = Counter(map(_key, diagnostics))
    return (
        corrected
        if problems_after[_key(problem)] < problems[_key(problem)] and problems_after <= problems
        else None
    )


def _are_numbers_swapped(problem: Diagnostic) -> bool:
    """Whether a problem is about the numbers of two sessions."""
    return problem.code == "T42" and len(problem.facts) == 2


def _renumbered(
    workspace: Workspace, texts: dict[Path, str], problem: Diagnostic
) -> dict[Path, str] | None:
    """The texts of two sessions with their numbers exchanged, if that alone leaves fewer problems."""
    ends = [fact.place for fact in problem.facts if fact.place is not None]
    files = [workspace.file(place) for place in ends]
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
    try:
        renumbered = {
            file: replace_words(texts[file], str(file), {(place.line, place.column): word})
            for file, place, word in zip(files, ends, reversed(words), strict=True)
        }
    except Refused:
        return None
    problems = _other_problems(workspace.diagnostics, problem)
    with workspace.trial(dict(renumbered.items())) as diagnostics:
        problems_after = _other_problems(diagnostics, problem)
        is_left = any(diagnostic.code == problem.code for diagnostic in diagnostics)
    return renumbered if not is_left and problems_after < problems else None


def _other_problems(
    diagnostics: Iterable[Diagnostic], problem: Diagnostic
) -> Counter[tuple[str, str]]:
    """The problems under other rules than that of ``problem``, wherever they are."""
    return Counter(
        (diagnostic.code, diagnostic.message)
        for diagnostic in diagnostics
        if diagnostic.code != problem.code
    )


def _key(problem: Diagnostic) -> Key:
    """The key of a problem: the same before and after a change on one line."""
    return problem.code, problem.place.path, problem.place.line, problem.message
