"""The end of a Job, as the log tells it (track 18)."""

from __future__ import annotations

from chronicle.core.fix import AddItem, make_fix
from chronicle.games.slow_burn.actions import EndJob
from chronicle.games.slow_burn.people import characters, no_names
from chronicle.games.slow_burn.segments import close_timeline, finish_job, forgotten_push
from chronicle.games.slow_burn.state import FLOW, PUSHING, Episode, Phase, Table


def end_job(play: Table, action: EndJob) -> None:
    """S18.1, S18.2, S16.2: the Job's end; missed pushes are paid for."""
    state = play.state
    play.step.headline = "The Job is done"
    play.step.tell(action.words or None)
    episode = state.episode
    if episode is None:
        return
    if episode.over and episode.closing:
        play.illegal(
            "S18.1", "this Job is done already", facts=(play.because(episode.over, "here"),)
        )
        return
    if not episode.over and state.phase is Phase.PUSH_DUE:
        forgotten_push(play, action.place())
    play.suspect(
        bool(action.lost),
        "S18.1",
        "the rules know no lost Job: after Segment 7 it counts as pulled off",
        at="lost",
    )
    close_timeline(play)
    finish_job(play)
    episode.closing = play.step.index
    _stated_missed(play, action, episode)


def _stated_missed(play: Table, action: EndJob, episode: Episode) -> None:
    if action.missed is None:
        return
    stated = [] if no_names(action.missed) else characters(play, action.missed)
    at = action.place("missed")
    for spy in stated:
        if spy.is_spy and not episode.partial:
            push = next((p for p in play.state.recent_pushes() if p.spy == spy.id), None)
            play.require(
                spy.id in episode.missed,
                "S16.2",
                f"{spy.id} pushed in this episode and pays nothing, whatever came of it",
                at=at,
                facts=(play.because(push.declared, "declared here"),) if push else (),
                after=(PUSHING, FLOW),
            )
    if not episode.partial:
        ids = [spy.id for spy in stated]
        for id in episode.missed:
            play.require(
                id in ids,
                "S16.2",
                f"{id} has not pushed in this episode: one space back, one persistent Agency die more",
                at=at,
                facts=(play.because(episode.step, "the episode began here"),),
                fix=make_fix(AddItem("missed", id), safe=True),
                after=(PUSHING, FLOW),
            )
