"""Correct misspelt words, each proved by a replay with the right word.

A fix is taken from the problem itself (``did you mean 'Petra'?``). It counts only if the problem is gone with it
and there is no new one. Two sessions may have each other's number: exchanging the numbers counts only if the log
then has fewer problems. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.errors import Refused
from chronicle.core.file_reading import read_file
from chronicle.core.fix import Fix, ReplaceWord
from chronicle.services.apply import apply_fix
from chronicle.services.trial import ProblemKey, key_of_problem, try_texts
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.text_edit import DecodedFile, EditRefused, decode_for_edit
from chronicle.workspace import Workspace

Choose = Callable[[Diagnostic, Sequence[str]], str]
"""Chooses one of several words that would solve a problem; empty: none of them."""


class Correction(NamedTuple):
    """A problem that was solved, and the word that is written now."""

    diagnostic: Diagnostic
    word: str


def correct_misspelt(
    workspace: Workspace,
    texts: dict[Path, str],
    is_wanted: Callable[[Diagnostic], bool],
    choose: Choose,
) -> tuple[list[Correction], list[Diagnostic]]:
    """Correct misspelt words in the texts of a campaign.

    Args:
        workspace: the campaign.
        texts: the texts by real path, which ``workspace`` has too; they are changed in place.
        is_wanted: whether to solve a problem.
        choose: chooses one of several words, or none.

    Returns:
        The corrections, and the problems that several words would solve, if ``choose`` took none of them.
    """
    corrections_made: list[Correction] = []
    undecided_problems: list[Diagnostic] = []
    tried_problems: set[tuple[int, ProblemKey]] = set()
    while True:
        problem = next(
            (
                problem
                for problem in workspace.diagnostics
                if problem.severity
                and is_wanted(problem)
                and (problem.place.line, key_of_problem(problem)) not in tried_problems
                and (meant_words(problem) or _is_about_swapped_numbers(problem))
            ),
            None,
        )
        if problem is None:
            return corrections_made, undecided_problems
        tried_problems.add((problem.place.line, key_of_problem(problem)))
        path = workspace.file(problem.place)
        texts_by_word = {
            meant_word: {path: text}
            for meant_word, text in _corrected_texts(texts.get(path, ""), problem)
            if path in texts and _is_proved(workspace, {path: text}, problem)
        }
        if not texts_by_word and (
            swapped_texts := _texts_with_numbers_swapped(workspace, texts, problem)
        ):
            texts_by_word["the numbers of two sessions"] = swapped_texts
        chosen_word = (
            next(iter(texts_by_word), "")
            if len(texts_by_word) < 2
            else choose(problem, [*texts_by_word])
        )
        if chosen_word:
            texts.update(texts_by_word[chosen_word])
            workspace.change(dict(texts_by_word[chosen_word].items()))
            corrections_made.append(Correction(problem, chosen_word))
        elif texts_by_word:
            undecided_problems.append(problem)


def certain_corrections(folder: Path, is_wanted: Callable[[Diagnostic], bool]) -> list[Correction]:
    """The corrections of misspelt words in a campaign for which nobody has to be asked."""
    workspace = Workspace(folder)
    try:
        sources = editable_sources(workspace.campaign) if workspace.campaign is not None else {}
    except EditRefused:
        return []
    texts = {file: source.text for file, (_, source) in sources.items()}
    corrections, _ = correct_misspelt(workspace, texts, is_wanted, lambda problem, words: "")
    return corrections


def editable_sources(campaign: Campaign) -> dict[Path, tuple[Path, DecodedFile]]:
    """The settings and the sessions of a campaign, with their texts, by real path.

    Raises:
        EditRefused: if a text cannot be edited.
    """
    return {
        Path(path).resolve(): (Path(path), decode_for_edit(read_file(Path(path)), path))
        for path in (campaign.path, *(session.path for session in campaign.sessions))
    }


def meant_words(problem: Diagnostic) -> dict[str, Fix]:
    """The words that a problem proposes, with the fix that writes each."""
    return {
        edit.text: fix
        for fix in problem.fixes
        for edit in fix.edits
        if fix.is_told and isinstance(edit, ReplaceWord)
    }


def _corrected_texts(file_text: str, problem: Diagnostic) -> Iterator[tuple[str, str]]:
    """The words that a problem proposes, each with the text of the file in which it is written."""
    file_name = problem.place.path
    for word, fix in meant_words(problem).items():
        applied_fix = apply_fix(fix, lambda name: file_text, (), file_name)
        if applied_fix is not None and applied_fix.file == file_name:
            yield word, applied_fix.text


def _is_proved(workspace: Workspace, texts: dict[Path, str], problem: Diagnostic) -> bool:
    """Whether other texts solve a problem and make no other."""
    trial = try_texts(workspace, texts)
    return trial.solves([problem]) and not trial.new_problems


def _is_about_swapped_numbers(problem: Diagnostic) -> bool:
    """Whether a problem is about the numbers of two sessions."""
    return problem.code == "T42" and len(problem.facts) == 2


def _texts_with_numbers_swapped(
    workspace: Workspace, texts: dict[Path, str], problem: Diagnostic
) -> dict[Path, str] | None:
    """The texts of two sessions with their numbers exchanged, if that alone leaves fewer problems."""
    places = [fact.place for fact in problem.facts if fact.place is not None]
    files = [workspace.file(place) for place in places]
    if (
        not _is_about_swapped_numbers(problem)
        or len(places) < 2
        or not all(file in texts for file in files)
    ):
        return None
    number_words = [
        texts[file].splitlines()[place.line - 1][place.column - 1 : place.end_column - 1]
        for file, place in zip(files, places, strict=True)
    ]
    if not all(word.isdigit() for word in number_words):
        return None
    try:
        swapped_texts = {
            file: replace_words(texts[file], str(file), {(place.line, place.column): word})
            for file, place, word in zip(files, places, reversed(number_words), strict=True)
        }
    except Refused:
        return None
    trial = try_texts(
        workspace, swapped_texts, lambda other_problem: other_problem.code != problem.code
    )
    is_unsolved = any(diagnostic.code == problem.code for diagnostic in trial.diagnostics)
    return swapped_texts if not is_unsolved and trial.new_counts < trial.old_counts else None
