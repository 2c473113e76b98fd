"""Who is in a scene, and who Controls them: each change of either passes one function here."""

from __future__ import annotations

from collections.abc import Iterator

from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.fix import SetKey, add_entry, make_fix, write_instead
from chronicle.core.guards import Violation
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.gates import report_all, violations_of
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    CHARACTER,
    PLACE,
    Component,
    SceneState,
)
from chronicle.games.universalis.table import lost_turn


def controller(play: Table, component: Component) -> str:
    """Who Controls a Component in the scene at hand; empty if nobody does."""
    scene = play.state.current_scene
    return scene.control.get(component.id, "") if scene is not None else ""


def note_control(
    play: Table, scene: SceneState, component: Component, player: str, how: str
) -> None:
    """A player Controls a Component from now on, in place of an earlier Controller. After a gap it is certain
    only where the log says whose turn it is, or who acts."""
    scene.control[component.id] = player
    component.control.append((play.step.number, scene.number, player, how))
    if player and (play.step.action.by is not None or not lost_turn(play)):
        play.count(f"control:{component.id}")


def gain_control(
    play: Table, scene: SceneState, component: Component, player: str, how: str
) -> None:
    """Control passes to a player; linked possessions come along unless committed (U4.23, S74)."""
    state = play.state
    player = state.points.keeper(play, component, player)
    note_control(play, scene, component, player, how)
    for id in component.owns:
        item = state.components[id]
        if id in scene.present and not item.eliminated and not is_committed(play, item):
            gain_control(play, scene, item, player, f"with {component.name}")


def enter(play: Table, scene: SceneState, component: Component, player: str, how: str) -> None:
    """A Component comes into the scene, with what it owns (U4.21); the introducer Controls it (U3.24)."""
    state = play.state
    player = state.points.keeper(play, component, player)
    scene.present[component.id] = play.step.number
    scene.entries.append((play.step.number, component.id, how))
    play.timeline.get(scene.number).enters(component.id)
    note_control(play, scene, component, player, how)
    for id in component.owns:
        item = state.components[id]
        if id in scene.present:
            if scene.control.get(id) != player and not is_committed(play, item):
                gain_control(play, scene, item, player, f"with {component.name}")
        elif available(play, item, scene):
            enter(play, scene, item, player, f"with {component.name}")
            play.event(f"Enter {item.name} with {component.name}, free", "U4.21", "enters", item.id)
    for add_on in state.add_ons:
        add_on.entered(play, scene, component)


def comes_along(play: Table, scene: SceneState, item: Component) -> None:
    """A possession that comes in free with its owner passes the same gate as an introduction: what keeps it out is
    reported, for entries without guards."""
    report_all(play, _bars_possession(play, scene, item, set()))


def _bars_possession(
    play: Table, scene: SceneState, item: Component, came: set[str]
) -> Iterator[Violation]:
    if scene is play.state.points.entered_scene(play, scene, item):
        yield from bars_entering(play, scene, item, came=came)


def bars_company(
    play: Table, scene: SceneState, component: Component, came: set[str]
) -> Iterator[Violation]:
    """What keeps out what comes in free with its owner (U4.21). ``came`` gets the ids of what does."""
    came.add(component.id)
    for id in component.owns:
        item = play.state.components[id]
        if id not in scene.present and id not in came and available(play, item, scene):
            yield from _bars_possession(play, scene, item, came)
            came.add(id)


def bars_entering(
    play: Table,
    scene: SceneState,
    component: Component,
    word: ScalarNode | None = None,
    *,
    came: set[str],
) -> Iterator[Violation]:
    """What keeps a Component, and what it owns, out of a scene, however it comes in: being a Master, being gone, a
    stated absence, and players who can refuse. ``came`` gets the ids of all that comes in."""
    if component.master:
        yield Violation(
            f"{component.name} is a Master: it stands for a class and is never in a scene",
            word,
            write_instead(f"introduce: {{sub: {component.name}}}"),
            rule="U4.27",
        )
    if component.turnings and not available(play, component, scene):
        last = next(t for t in reversed(component.turnings) if t.kind == "eliminated")
        lately = last.scene == scene.number
        yield Violation(
            f"{component.name} was Eliminated"
            + (" in this scene" if lately else " before this scene in story time"),
            word,
            add_entry(f"return: {component.name}"),
            facts=[play.because(last.step, "Eliminated here")],
            rule="U4.37",
        )
    if component.id in scene.absent:
        yield Violation(
            f"it was stated, and paid for, that {component.name} is not here",
            word,
            facts=[play.because(scene.absent[component.id], "stated here")],
            rule="U5.20",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    if scene.frame == "meanwhile" and component.kind != PLACE:
        yield from _twice(play, scene, component, word)
    action, points = play.step.action, play.state.points
    agreed = [
        player for name in getattr(action, "agreed_by", ()) if (player := play.look_up_player(name))
    ]
    bar = points.bars_entry(play, play.step.player, component, agreed)
    if bar is not None and not hasattr(action, "agreed_by"):
        bar = bar._replace(fixes=())
    yield from violations_of(play, bar, word)
    yield from bars_company(play, scene, component, came)


def _twice(
    play: Table, scene_state: SceneState, component: Component, word: ScalarNode | None
) -> Iterator[Violation]:
    timeline = play.timeline
    for scene in timeline.scenes:
        if (
            scene.number != scene_state.number
            and component.id in scene.cast
            and timeline.are_simultaneous(scene.number, scene_state.number)
            and timeline.includes_scene(play.state.branch, scene.number)
        ):
            yield Violation(
                f"{component.name} is in '{scene.title}' at the same time",
                word,
                facts=[play.because(scene.first_step, "that scene")],
                rule="U5.12",
                kind=DiagnosticKind.SUSPICIOUS,
            )
            return


def leave(
    play: Table,
    scene: SceneState,
    component: Component,
    how: str,
) -> None:
    """The gate out of a scene: a Component is there no longer; what it owns goes too (S62). It was found to be gone,
    or guards of the entry that takes it out have asked (:func:`bars_leaving`)."""
    scene.present.pop(component.id, None)
    scene.control.pop(component.id, None)
    scene.entries.append((play.step.number, component.id, how))
    if scene.location == component.id:
        scene.left_places[component.id] = play.step.number
    if how == "leaves":
        for id in component.owns:
            if id in scene.present:
                leave(play, scene, play.state.components[id], "leaves")


def bars_passing(
    play: Table,
    scene: SceneState,
    component: Component,
    player: str,
    word: ScalarNode | None = None,
) -> Iterator[Violation]:
    """What keeps Control from passing to a player, by any entry. Add-ons have a say (U3.29)."""
    if holder_of(play, scene, component) not in ("", player):
        bar = play.state.points.bars_control(play, player, component)
        yield from violations_of(play, bar, word)


def available(play: Table, component: Component, scene: SceneState) -> bool:
    """Whether story time allows a Component in a scene: not after its Elimination (U4.37)."""
    if not component.turnings:
        return True
    if not scene.number:  # no scene is open: the next can be at any time
        return True
    timeline = play.timeline
    gone = False
    for turning in component.turnings:
        # What happened outside any scene (number 0) holds for all of them.
        same_scene = turning.scene in (0, scene.number)
        if turning.kind == "eliminated":
            gone = gone or same_scene or timeline.is_before(turning.scene, scene.number)
        elif same_scene or not timeline.is_before(scene.number, turning.scene):
            gone = False
    return not gone


def holed(play: Table, scene: SceneState) -> bool:
    """Whether the record of a scene has a hole, so that it does not say all."""
    return scene.unsure or play.gap > scene.step


def may_be_here(play: Table, scene: SceneState, component: Component) -> bool:
    """Whether a Component is in the scene, or may have come in where the record has a hole."""
    return component.id in scene.present or (
        holed(play, scene) and not component.master and not component.eliminated
    )


def is_here(play: Table, scene: SceneState, component: Component) -> bool:
    """Whether a Component is in the scene. Where the record has a hole it may have come in there:
    being named is then enough."""
    if component.id in scene.present:
        return True
    if not may_be_here(play, scene, component):
        return False
    scene.present[component.id] = play.step.number
    scene.entries.append((play.step.number, component.id, "is there, as it seems"))
    play.timeline.get(scene.number).enters(component.id)
    return True


def bars_absence(
    play: Table, scene: SceneState, component: Component, word: ScalarNode
) -> Iterator[Violation]:
    """Only a Component in the scene can be told of or drawn upon (U5.3)."""
    if not may_be_here(play, scene, component) and not component.placeholder:
        fix = add_entry(f"introduce: {component.name}")
        yield Violation(f"{component.name} is not in the scene", word, fix, rule="U5.3")


def since(component: Component, scene_state: SceneState) -> int:
    """The step at which Control of a Component last passed in a scene; 0 if the record does not say."""
    for step, scene, _, _ in reversed(component.control):
        if scene == scene_state.number:
            return step
    return 0


def holder_of(play: Table, scene: SceneState, component: Component) -> str:
    """Who Controls a Component, according to the record: a hole may have changed it."""
    holder = scene.control.get(component.id, "")
    if holder and play.gap and play.gap > since(component, scene):
        return ""
    return holder


def is_committed(play: Table, component: Component) -> int:
    """The step that tied a Component into a running Complication (U6.8); 0 if none did."""
    state = play.state
    for number in state.running:
        step = state.complications[number - 1].committed.get(component.id)
        if step:
            return step
    return 0


def held_by_dice(
    play: Table, component: Component, word: ScalarNode | None = None
) -> Iterator[Violation]:
    """A Component committed to a running Complication stays in place, except for Bonus Coins (U6.8)."""
    step = is_committed(play, component)
    if step and not play.state.purses:
        locked = play.ruling("committed leaves") == "locked"
        yield Violation(
            f"{component.name} is committed to an open Complication",
            word,
            facts=[play.because(step, "committed here")],
            rule="U6.8",
            kind=DiagnosticKind.ILLEGAL if locked else DiagnosticKind.SUSPICIOUS,
        )


def bars_leaving(
    play: Table, scene: SceneState, component: Component, word: ScalarNode | None = None
) -> Iterator[Violation]:
    """What keeps a Component, and what it owns, in a scene."""
    yield from held_by_dice(play, component, word)
    for id in component.owns:
        if id in scene.present:
            yield from bars_leaving(play, scene, play.state.components[id])


def lacks_of_frame(play: Table) -> Iterator[Violation]:
    """What a scene that is being framed lacks, for framing to end: it needs a location and should have a Character
    (U3.8)."""
    scene = play.state.current_scene
    if scene is None or not scene.framing or play.given or play.gap > scene.step:
        return
    facts, after = [play.because(scene.step, "framed here")], (f"framing:{scene.number}",)
    if not scene.located:
        yield Violation(
            f"'{scene.title}' has no location",
            fix=make_fix(SetKey("at", "{new: ...}", play.place_of_entry(scene.step)), is_open=True),
            help="or  - location: ...  while framing",
            facts=facts,
            after=after,
            rule="U3.8",
        )
    if all(play.state.components[id].kind != CHARACTER for id in scene.present):
        yield Violation(
            f"framing of '{scene.title}' ends and no Character is there",
            facts=facts,
            after=after,
            rule="U3.8",
            kind=DiagnosticKind.SUSPICIOUS,
        )


def close_frame(play: Table, scene: SceneState) -> None:
    """Framing is over (U3.10)."""
    if scene.framing:
        scene.framing = False
        for add_on in play.state.add_ons:
            add_on.framed(play, scene)


def end_framing(play: Table, scene: SceneState) -> None:
    """The same for entries without guards: what the scene lacks is reported."""
    lacks = [*lacks_of_frame(play)]
    close_frame(play, scene)
    report_all(play, lacks)
