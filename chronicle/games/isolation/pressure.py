"""The Stress Level between results (I59 to I61)."""

from __future__ import annotations

from chronicle.core.diagnostic import Finding, Strictness
from chronicle.core.fix import BLANK, SetKey, make_fix, set_key, write_word
from chronicle.games.isolation.actions import Stress
from chronicle.games.isolation.state import signed
from chronicle.games.isolation.table import Table, change_stress


def stress(play: Table, action: Stress) -> None:
    """I60 and I61: an event moves Stress by one to three; a plain number states what it is."""
    state = play.state
    change = action.change.by
    if change is None:
        to = action.change.to or 0
        if action.for_ is None:
            _stated(play, to)
            return
        change = to - state.stress
    rule = "I60" if change >= 0 else "I61"
    why = str(action.for_ or "")
    play.step.headline = f"Stress {signed(change)}"
    right = play.require(
        1 <= abs(change) <= 3,
        rule,
        f"one event moves Stress by one to three points, not by {abs(change)}",
        at="main",
        help="write one entry for each event" if abs(change) > 3 else (),
        after=("stress:",),
    )
    if not right:
        play.taint("stress:")
    play.suspect(
        not why,
        rule,
        "Stress moves, and the record does not say why",
        fix=set_key("for"),
    )
    moved = change_stress(play, change, rule, "event" if change >= 0 else "relief", why or "unsaid")
    play.event(
        f"Stress {signed(moved)}, now {state.stress}" + (f": {why}" if why else ""), rule, "stress"
    )


def _stated(play: Table, to: int) -> None:
    """A plain number without a reason is a figure read off the table."""
    state = play.state
    play.step.headline = f"Stress is {to}"
    pending = state.conflict
    due = state.stress
    if pending is not None and pending.level is not None:
        # Wounds come first, but a keeper may note the new Stress before them.
        due = max(0, due + pending.stress_change)
    if to in (state.stress, due):
        play.event(f"Stress is {to}, as computed", kind="agrees")
        return
    if to < 0:
        play.unreadable(
            "I61", f"there is no Stress Level {to}", at="main", fix=write_word(f"down {-to}")
        )
        return
    last = state.stress_history[-1] if state.stress_history else None
    from_result = last is not None and last.kind == "result"
    if last is not None:
        play.report(
            Finding.ILLEGAL if from_result else Finding.BOOKKEEPING,
            "I62" if from_result else "I60",
            f"Stress is {state.stress}, not {to}: {last.why}",
            at="main",
            facts=(play.because(last.step, f"{last.level} since here"),),
            fix=(
                write_word(state.stress),
                make_fix(
                    SetKey(
                        "stress",
                        f"{'up' if to > state.stress else 'down'} {abs(to - state.stress)}",
                    ),
                    SetKey("for", BLANK),
                    when="if something happened",
                    is_open=True,
                ),
            ),
            after=("stress:",),
        )
        play.taint("stress:")
    if last is None or play.campaign.strictness is Strictness.RELAXED:
        change_stress(play, to - state.stress, "I60", "stated", "as stated")
        play.settle("stress:")
