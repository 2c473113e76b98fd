"""Try other texts of a campaign: which problems they solve, and which they make. Nothing is written.

Everything that is offered is proved here: fixes of a problem, corrected words, and changes in an editor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from chronicle.core.diagnostic import Diagnostic
from chronicle.workspace import Workspace

ProblemKey = tuple[str, str, str]
"""The code, the file and the message of a problem: the same wherever its line moves."""


def key_of_problem(problem: Diagnostic) -> ProblemKey:
    """The key of a problem."""
    return problem.code, problem.place.path, problem.message


class Trial(NamedTuple):
    """The problems with the current texts, and with other texts.

    Attributes:
        old_counts: how often each problem is there now.
        new_counts: how often it is there with the other texts.
        diagnostics: all problems with the other texts.
        new_problems: those of them that are not there now.
    """

    old_counts: Counter[ProblemKey]
    new_counts: Counter[ProblemKey]
    diagnostics: list[Diagnostic]
    new_problems: list[Diagnostic]

    def solves(self, problems: Iterable[Diagnostic]) -> bool:
        """Whether all these problems are gone with the other texts."""
        solved_counts = Counter(map(key_of_problem, problems))
        return all(
            self.new_counts[key] <= self.old_counts[key] - count
            for key, count in solved_counts.items()
        )


def _counts_every_problem(problem: Diagnostic) -> bool:
    return True


def compare_problems(
    old_diagnostics: Iterable[Diagnostic],
    new_diagnostics: Iterable[Diagnostic],
    is_counted: Callable[[Diagnostic], bool] = _counts_every_problem,
) -> Trial:
    """Compare the problems of two versions of a campaign.

    Args:
        old_diagnostics: the problems of the first version.
        new_diagnostics: those of the second.
        is_counted: whether a problem counts.
    """
    all_new_problems = [*new_diagnostics]
    counted_problems = [problem for problem in all_new_problems if is_counted(problem)]
    old_counts, new_counts = (
        Counter(map(key_of_problem, filter(is_counted, old_diagnostics))),
        Counter(map(key_of_problem, counted_problems)),
    )
    added_counts = new_counts - old_counts
    return Trial(
        old_counts,
        new_counts,
        all_new_problems,
        [problem for problem in counted_problems if key_of_problem(problem) in added_counts],
    )


def try_texts(
    workspace: Workspace,
    texts: Mapping[Path, str],
    is_counted: Callable[[Diagnostic], bool] = _counts_every_problem,
    fails: Callable[[Trial], bool] | None = None,
) -> Trial:
    """Replay a campaign with other texts for some files.

    Args:
        workspace: the campaign.
        texts: the other texts by path.
        is_counted: whether a problem counts.
        fails: whether the problems of the first entries show that the texts are no good, whatever follows: then the
            replay ends there.
    """

    def compare(diagnostics: list[Diagnostic]) -> Trial:
        return compare_problems(workspace.diagnostics, diagnostics, is_counted)

    is_enough = None if fails is None else lambda diagnostics: fails(compare(diagnostics))
    with workspace.trial(dict(texts.items()), is_enough) as diagnostics:
        return compare(diagnostics)
