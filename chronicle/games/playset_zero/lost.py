"""What an entry that could not be read leaves uncertain: one slip of the pen is one finding.

A goal, a roll or a spending that was left out makes the rest of its roll uncertain, and marks and
advantages after it; a character that was left out makes everything uncertain. What is found there is
folded under the entry left out.
"""

from __future__ import annotations

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, verb_meant
from chronicle.games.playset_zero.actions import Conflict, Goal
from chronicle.games.playset_zero.outcomes import leave_roll
from chronicle.games.playset_zero.table import Table

_ROLL = ("conflict", "goal", "danger", "help", "hinder", "roll", "spend", "outcome")
_MARKS = ("mark", "offer", "new feature", "turn flaw")
_VERBS = (*_ROLL, *_MARKS, "character", "magic", "scenario", "discover", "scene", "enter")


def end_doubt(play: Table, action: Action) -> None:
    """Before an entry: end the doubt about a roll where the next one begins."""
    state = play.state
    if play.doubt is not None and (
        isinstance(action, Conflict)
        or (isinstance(action, Goal) and len(state.rolls) >= state.doubtful_rolls)
    ):
        leave_roll(play)
        play.doubt = play.tainted.get("all:")


def left_out(play: Table, finding: Diagnostic) -> None:
    """Put in doubt what an entry left out would have changed."""
    verb = verb_meant(finding, _VERBS)
    if verb:
        play.tainted.setdefault(f"dropped:{verb}", finding)
    if verb == "character":
        play.tainted.setdefault("all:", finding)
    elif verb in _ROLL or verb in _MARKS or verb == "magic":
        for id in play.state.characters:
            for key in (f"marks:{id}", f"advantages:{id}", f"features:{id}"):
                play.tainted.setdefault(key, finding)
    if verb in _ROLL or verb == "character":
        play.doubt = play.doubt or finding
        # A conflict says whose goal comes next: with it that goal is uncertain as well.
        play.state.doubtful_rolls = len(play.state.rolls) + (verb == "conflict")
