"""What a ``scene`` entry opens: a scene of the Job, the next one of a mini segment, or a push that is due."""

from __future__ import annotations

from chronicle.core.fix import add_entry
from chronicle.core.source import Place
from chronicle.games.slow_burn import minis, scenes
from chronicle.games.slow_burn.actions import OpenScene
from chronicle.games.slow_burn.segments import ensure_segment
from chronicle.games.slow_burn.state import (
    FLOW,
    MINI_SCENES,
    Kind,
    Phase,
    Table,
    drift,
)


def open_scene(play: Table, action: OpenScene) -> None:
    """S9.1 to S9.6: monologue, place, resources. Also the next scene of a mini segment."""
    state = play.state
    at = action.place()
    if _fourth(play, action):
        return
    if state.phase is Phase.PUSH_DUE and _only_pushers(play, action):
        minis.begin_push(play, [])
    if state.mini is not None:
        if state.phase is Phase.MINI_SCENE:
            _unresolved(play, at)
        minis.open_mini_scene(play, action, action.title)
        return
    if state.phase in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED):
        _unresolved(play, at)
    ensure_segment(play, at)
    scenes.frame(play, action, action.title, Kind.JOB)


def _fourth(play: Table, action: OpenScene) -> bool:
    """S15.5, S17.5: a fourth scene token, when the mini segment has just had its third scene."""
    state = play.state
    if action.scene_token is None or state.mini is not None or not state.minis:
        return False
    mini = state.minis[-1]
    rule = "S17.5" if mini.kind is Kind.PUSH else "S15.5"
    if action.scene_token <= MINI_SCENES:
        return False
    play.illegal(
        rule,
        f"a mini segment has at most {MINI_SCENES} scenes; this is number {action.scene_token}",
        at="scene token",
        facts=[play.because(state.scenes[number - 1].step, "a scene") for number in mini.scenes],
        help="it came out less than favourably; go back to the Job",
    )

    minis.reopen(play, mini)
    minis.open_mini_scene(play, action, action.title)
    return True


def _only_pushers(play: Table, action: OpenScene) -> bool:
    """Whether a scene after the Segment's end can be the push that is due."""
    pushing = set(play.state.pushing())
    for word in action.use or {}:
        spy = play.names.find(word)
        id = getattr(spy, "id", "")
        if id in play.seats:
            own = play.state.of_player(id)
            id = own.id if own else id
        if id not in pushing:
            return False
    return True


def _unresolved(play: Table, at: Place) -> None:
    """A new scene begins although the last one has not been rolled."""
    state = play.state
    scene = state.interrupted or state.scene
    if scene is None or state.hole:
        return
    interrupted = scene.kind is Kind.JOB and state.check is not None and bool(state.check.mini)
    play.illegal(
        "S15.11" if interrupted else "S12.1",
        f"'{scene.title}' was interrupted and has not been resolved"
        if interrupted
        else f"'{scene.title}' has not been resolved: nobody has rolled for it",
        at=at,
        facts=(play.because(scene.step, "it was framed here"),),
        fix=add_entry("roll: ..."),
        after=(FLOW,),
    )
    drift(play)
    play.state.opposition_unsure = True
    scenes.clear(play, scene, "S13.4", "the scene is over")
    state.interrupted = None
    state.check = None
