"""Declaring a push for freedom at the beginning of a Segment (track 16)."""

from __future__ import annotations

from chronicle.core.diagnostic import listed
from chronicle.core.source import Place
from chronicle.games.slow_burn.actions import DeclarePush
from chronicle.games.slow_burn.people import characters
from chronicle.games.slow_burn.segments import begin_segment, ensure_segment
from chronicle.games.slow_burn.state import (
    LAST_SEGMENT,
    PUSHING,
    Phase,
    Push,
    Segment,
    Spy,
    Table,
    in_play,
)


def declare_push(play: Table, action: DeclarePush) -> None:
    """S16.1, S16.3a, S16.4: at the beginning of a Segment; somebody stays on the Job."""
    state = play.state
    spies = characters(play, action.spies)
    play.step.headline = f"{listed(spy.id for spy in spies)} will push for freedom"
    at = action.place("main")
    if state.phase is not Phase.OPENING:
        ensure_segment(play, at)
    elif state.segment is None:
        begin_segment(play, 1)
    segment, episode = state.segment, state.episode
    if segment is None or episode is None:
        return
    for spy in spies:
        _may_push(play, spy, at, segment)
        segment.pushes[spy.id] = play.step.index
        state.pushes.append(Push(spy.id, episode.number, segment.number, play.step.index))
        play.event(f"{spy.id} is off the Job until the Segment ends", "S16.3b", "declares", spy.id)
    _somebody_stays(play, at, segment)
    if any(found.code in ("S16.1", "S16.3a", "S16.4") for found in play.step.diagnostics):
        play.taint(PUSHING)


def _may_push(play: Table, spy: Spy, at: Place, segment: Segment) -> None:
    before = [push for push in play.state.recent_pushes() if push.spy == spy.id]
    if before and play.ruling("push_limit") == "once":
        play.suspect(
            True,
            "S16.1",
            f"{spy.id} has pushed in this episode; once is all",
            at=at,
            facts=(play.because(before[0].declared, "the first push was declared here"),),
        )
    if segment.number == LAST_SEGMENT and play.ruling("push_in_last") == "not-allowed":
        play.illegal("S16.5", "at this table nobody pushes in Segment 7", at=at)


def _somebody_stays(play: Table, at: Place, segment: Segment) -> None:
    active = in_play(play)
    spies = [spy for spy in active if spy.is_spy]
    if not spies or any(spy.id not in segment.pushes for spy in spies):
        return
    if len(spies) < len(active):
        return
    if len(spies) == 1 and play.ruling("last_spy_push") == "allowed":
        play.suspect(
            True,
            "S16.4",
            f"{spies[0].id} pushes, and there is no other spy to stay on the Job",
            at=at,
        )
        return
    play.illegal(
        "S16.4",
        "every spy pushes; at least one has to stay on the Job",
        at=at,
        facts=[play.because(step, f"{id} declared it here") for id, step in segment.pushes.items()],
        help="somebody pushes in a later Segment",
    )
