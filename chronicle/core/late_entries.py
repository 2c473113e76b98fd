"""Entries that a table wrote too late: the entry that a problem asks for follows below it.

A roll without its check asks for a check above it. If the check comes after the roll, a second one would only make
more problems. The fix is to move the check.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.fix import Fix, InsertEntry, MoveEntry, locate_fixes
from chronicle.core.record import Step


def offer_entry_moves(steps: Sequence[Step], diagnostics: Sequence[Diagnostic]) -> None:
    """Let each problem that asks for an entry, which follows too late, offer to move that entry.

    Args:
        steps: the replayed entries.
        diagnostics: their problems; :attr:`Diagnostic.move` is set on each.
    """
    unreadable_lines = [
        (diagnostic.place.path, diagnostic.place.line)
        for diagnostic in diagnostics
        if diagnostic.kind is DiagnosticKind.UNREADABLE
    ]
    for diagnostic in diagnostics:
        diagnostic.move = None
        wanted_verbs = _wanted_verbs(diagnostic)
        if not wanted_verbs or not diagnostic.step_number:
            continue
        step = steps[diagnostic.step_number - 1]
        late_step = _find_late_step(steps, step, wanted_verbs)
        # The entries between are counted, and an unreadable one is not among the steps.
        if late_step is None or any(
            path == late_step.action.whole_place.path
            and step.action.whole_place.line <= line <= late_step.action.whole_place.line
            for path, line in unreadable_lines
        ):
            continue
        entry_count_between = sum(
            step_between.parent is None
            for step_between in steps[step.number - 1 : late_step.number - 1]
        )
        move_fix = Fix((MoveEntry(-entry_count_between, late_step.action.whole_place),))
        (diagnostic.move,) = locate_fixes([move_fix], diagnostic.place, step.action.whole_place)


def _wanted_verbs(diagnostic: Diagnostic) -> set[str]:
    """The verbs of the entries that a problem asks for."""
    return {
        edit.text.partition(":")[0]
        for fix in diagnostic.declared_fixes
        if not fix.is_gap
        for edit in fix.edits
        if isinstance(edit, InsertEntry)
    }


def _find_late_step(steps: Sequence[Step], step: Step, wanted_verbs: Set[str]) -> Step | None:
    """The entry of one of these verbs that follows a step in its session, before the next one of its own verb, and
    is in a wrong place there."""
    if step.parent is not None:
        return None
    for later_step in steps[step.number :]:
        if later_step.session != step.session or later_step.action.verb == step.action.verb:
            return None
        if later_step.action.verb in wanted_verbs and later_step.parent is None:
            is_misplaced = any(
                problem.kind is DiagnosticKind.ILLEGAL for problem in later_step.diagnostics
            )
            return later_step if is_misplaced and not later_step.retracted_by else None
    return None
