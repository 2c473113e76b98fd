"""Doubt after an entry that could not be read: one slip is one problem.

A proposal, a roll or a stance that was left out makes the rest of its conflict uncertain, and after
it Stress, health and the unlabelled links. A character or a link of the first map that was left out
makes every count of dice uncertain. Problems that follow from it are folded under the entry left out.
"""

from __future__ import annotations

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, most_likely_verb
from chronicle.games.isolation.harm import report_unsettled
from chronicle.games.isolation.proposals import Propose, close_open
from chronicle.games.isolation.state import Stage
from chronicle.games.isolation.table import Table, keys_of_effects

_CONFLICT = ("propose", "roll", "stance", "difficulty", "result", "wounds", "death")
_ALL = ("character", "green", "red")
_LINKS = ("pair rolls", "erase", "recover", "scene")
_FIGURES = {"stress": "stress:", "scenario": "stress:", "out": "living:"}
_VERBS = (*_CONFLICT, *_ALL, *_LINKS, *_FIGURES)


def end_doubt(play: Table, action: Action) -> None:
    """Before an entry: end the doubt about a conflict where the next one begins."""
    if play.doubt is not None and isinstance(action, Propose):
        conflict = play.state.conflict
        if conflict is not None and conflict.stage in (Stage.RESULT, Stage.DEATHS):
            report_unsettled(play, conflict)
        close_open(play)
        play.doubt = play.tainted.get("all:")


def left_out(play: Table, diagnostic: Diagnostic) -> None:
    """Mark the figures as doubtful that an unreadable entry would have changed."""
    state = play.state
    verb = most_likely_verb(diagnostic, _VERBS)
    keys = [f"dropped:{verb}"] if verb else []
    if verb in _ALL and "outside" not in diagnostic.dropped_words:
        keys += ["all:"]
    elif verb in _FIGURES:
        keys += [_FIGURES[verb]]
    elif verb in _CONFLICT or verb in _LINKS:
        keys += keys_of_effects(state)
        if verb in _LINKS:
            keys = [key for key in keys if key not in ("stress:", "living:")]
        else:
            play.doubt = play.doubt or diagnostic
    for key in keys:
        play.tainted.setdefault(key, diagnostic)
    play.doubt = play.doubt or play.tainted.get("all:")
