"""``chronicle check --fix``: corrections that are certain."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chronicle.cli.checking import ProblemFilter
from chronicle.cli.edit import EditedFile, read_contents, show_diff, write_edited
from chronicle.cli.out import Cannot, load_playable, on_terminal
from chronicle.services.misspelt import correct_misspelt, editable_sources
from chronicle.syntax.text_edit import EditRefused
from chronicle.workspace import Workspace

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic


def fix(folders: Sequence[Path], problem_filter: ProblemFilter) -> None:
    """Correct misspelt words in some campaigns: show the changes, then write them (on a terminal, after a
    yes). If several words are possible, ask on a terminal; elsewhere leave them.

    Raises:
        Cannot: when a file cannot be read or written.
    """
    from chronicle.core.diagnostic import listed

    for folder in folders:
        old_contents = read_contents(folder)
        campaign = load_playable(folder)
        try:
            sources = editable_sources(campaign)
        except EditRefused as error:
            raise Cannot(str(error), "nothing was changed") from None
        text_by_file = {file: source.text for file, (_, source) in sources.items()}
        corrections, ambiguous_problems = correct_misspelt(
            Workspace(folder), text_by_file, problem_filter.__call__, _choose_word
        )
        edited_files = [
            EditedFile(path, source, text_by_file[file]) for file, (path, source) in sources.items()
        ]
        for problem in ambiguous_problems:
            click.echo(
                f"{problem.place}: {problem.message} Left unchanged: several words are possible.",
                err=True,
            )
        if not corrections:
            continue
        for edited_file in edited_files:
            show_diff(edited_file.file, edited_file.source.text, edited_file.new_text)
        correct_words = listed(dict.fromkeys(f"'{correction.word}'" for correction in corrections))
        if on_terminal() and not click.confirm(f"Write {correct_words}?", default=False, err=True):
            continue
        write_edited(campaign, old_contents, edited_files, dry_run=False)


def _choose_word(problem: Diagnostic, candidate_words: Sequence[str]) -> str:
    """Ask which of several words is meant; none without a terminal."""
    if not on_terminal():
        return ""
    click.echo(f"{problem.place}: {problem.message}", err=True)
    for word_number, candidate_word in enumerate(candidate_words, 1):
        click.echo(f"  {word_number}  {candidate_word}", err=True)
    chosen_number = click.prompt(
        "Which? (0 leaves it)", type=click.IntRange(0, len(candidate_words)), err=True
    )
    return candidate_words[chosen_number - 1] if chosen_number else ""
