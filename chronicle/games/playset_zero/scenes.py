"""Scenes and the end. The text has no rule for either; the order of the story hangs on them."""

from __future__ import annotations

from chronicle.core.diagnostic import Finding, listed
from chronicle.core.earlier import anchor
from chronicle.core.fix import add_entry
from chronicle.core.source import Word
from chronicle.core.timeline import Frame, Scene
from chronicle.games.playset_zero.actions import EndScenario, EndScene, Enter, Exit, OpenScene
from chronicle.games.playset_zero.outcomes import leave_roll
from chronicle.games.playset_zero.table import Table, character

_FRAMES = {"flashback": Frame.PAST, "flash-forward": Frame.FUTURE}


def open_scene(play: Table, action: OpenScene) -> None:
    """Open a scene; one that is running closes by itself."""
    leave_roll(play)
    running = play.timeline.current
    if running is not None:
        running.last_step = play.step.index - 1
    if action.told_by is not None:
        play.step.player = play.player(action.told_by) or play.step.player
    label = str(action.time or "")
    frame = _FRAMES.get(label.casefold(), Frame.NOW)
    anchors = {"before": action.before, "after": action.after, "during": action.during}
    anchored = frame is not Frame.NOW and any(anchors.values())
    scene = play.open_scene(
        Scene(
            str(action.title),
            frame=frame,
            time=label,
            place=str(action.at or ""),
            opener=play.step.player,
        ),
        anchored=anchored,
    )
    play.state.left.clear()
    play.step.headline = f"Scene {scene.number}: {scene.title}"
    anchor(play, scene, anchors)
    _bring(play, scene, action.with_)


def _bring(play: Table, scene: Scene, words: tuple[Word, ...]) -> list[str]:
    names: list[str] = []
    for word in words:
        who = character(play, word)
        if who is None:
            continue
        if who.id not in scene.cast:
            scene.cast.append(who.id)
        if who.id in play.state.left:
            play.state.left.remove(who.id)
        names.append(who.name)
        play.event(f"{who.name} is in the scene", "", "enters", who.id)
    return names


def enter(play: Table, action: Enter) -> None:
    """Somebody comes into the scene."""
    scene = play.timeline.current
    if scene is None:
        play.step.headline = "Somebody comes in"
        _no_scene(play)
        return
    names = _bring(play, scene, action.who)
    play.step.headline = f"{listed(names) or 'Somebody'} comes in"


def exit_(play: Table, action: Exit) -> None:
    """Somebody leaves the scene; the scene goes on, and it still lists them as having been there."""
    scene = play.timeline.current
    play.step.headline = "Somebody leaves"
    if scene is None:
        _no_scene(play)
        return
    gone = [who for who in (character(play, word) for word in action.who) if who is not None]
    play.step.headline = f"{listed(who.name for who in gone) or 'Somebody'} leaves"
    for who in gone:
        play.state.left.append(who.id)
        play.event(f"{who.name} leaves the scene", "", "leaves scene", who.id)


def _no_scene(play: Table) -> None:
    play.report(
        Finding.BOOKKEEPING,
        "T55",
        "no scene is open",
        after=("dropped:scene",),
        fix=add_entry("scene: ..."),
    )


def end_scene(play: Table, action: EndScene) -> None:
    """Close the scene."""
    leave_roll(play)
    play.step.tell(action.words)
    play.step.headline = "The scene closes"
    scene = play.timeline.current
    if scene is None:
        _no_scene(play)
        return
    scene.last_step = play.step.index
    scene.closing = str(action.words or "")
    play.step.scene = scene.number


def end_scenario(play: Table, action: EndScenario) -> None:
    """ZA27: no rule says when the game is over; the table does."""
    leave_roll(play)
    play.step.tell(action.words)
    play.step.headline = "The scenario is over"
    scene = play.timeline.current
    if scene is not None:
        scene.last_step = play.step.index
    play.state.over = play.step.index
    play.event("The scenario is over", "Z2", "over")
