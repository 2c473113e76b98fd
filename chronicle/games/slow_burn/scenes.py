"""Framing scenes: the monologue, the place, the Segment or mini segment (track 9)."""

from __future__ import annotations

import re

from chronicle.core.diagnostic import Finding, listed, plural
from chronicle.core.fix import add_entry, set_key, write_word
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Scene
from chronicle.games.slow_burn.actions import EndScene
from chronicle.games.slow_burn.people import gain_dice, no_names
from chronicle.games.slow_burn.resources import Framing, assign, other_help, stated_dice
from chronicle.games.slow_burn.segments import close_timeline
from chronicle.games.slow_burn.state import (
    BOX,
    FLOW,
    JOB_DIE,
    OPPOSITION,
    OPPOSITION_DIE,
    Kind,
    Mini,
    Phase,
    SceneRecord,
    State,
    Table,
    Verdict,
    opposition,
)
from chronicle.games.slow_burn.verdicts import verdict

_AND = re.compile(r"\s+and\s+|\s*&\s*")


def frame(
    play: Table,
    action: Framing,
    title: str,
    kind: Kind,
    parent: int | None = None,
    *,
    bare: bool = False,
) -> SceneRecord:
    """Open a scene: for the timeline, for the state, with what the entry says about it."""
    state = play.state
    segment, episode = state.segment, state.episode
    if parent is None:
        close_timeline(play)
    mini = state.mini
    scene = SceneRecord(
        number=len(state.scenes) + 1,
        kind=kind,
        episode=episode.number if episode else 1,
        segment=segment.number if segment else 1,
        title=title,
        step=play.step.index,
        mini=mini.number if mini else 0,
        mini_scene=len(mini.scenes) + 1 if mini else 0,
        before=opposition(play),
        bare=bare,
    )
    state.scenes.append(scene)
    state.scene = scene
    shown = play.open_scene(
        Scene(title, time=str(action.time or ""), kind=str(kind), parent=parent)
    )
    _monologue(play, action, scene)
    shown.opener = scene.speakers[0] if scene.speakers else ""
    shown.marks["segment"] = str(scene.segment)
    if kind is Kind.JOB:
        state.phase = Phase.FRAMED
        state.check = None
        if segment is not None:
            segment.scenes.append(scene.number)
        _count_ignored(play)
        _stated_opposition(play, action)
        play.suspect(
            action.scene_token is not None,
            "S15.5",
            "scene tokens are laid down in mini segments only",
            at="scene token",
        )
    play.suspect(
        bool(action.outside_town),
        "S5.1",
        f"'{title}' is outside the city, where a manhunt waits for every spy",
        at="outside town",
    )
    play.step.headline = title
    words = {
        Kind.JOB: f"A scene of Segment {scene.segment}",
        Kind.INTERFERENCE: f"Scene {scene.mini_scene} of the Interference Segment",
        Kind.PUSH: f"Scene {scene.mini_scene} of the push for freedom",
    }
    play.event(f"{words[kind]}: {title}", "S9.3", "scene")
    if action.use is not None:
        assign(play, action.use, scene)
    other_help(play, action, scene)
    stated_dice(play, action, scene)
    shown.cast = list(scene.used) or (list(mini.spies) if mini else [])
    return scene


def _apart(play: Table, word: ScalarNode) -> list[ScalarNode]:
    """``Ada and Ben`` as a name, if the table knows it, else as two."""
    parts = _AND.split(word.strip())
    if len(parts) == 1 or word.strip() in play.names.all:
        return [word]
    return [word.like(part) for part in parts]


def _monologue(play: Table, action: Framing, scene: SceneRecord) -> None:
    """S9.2 and S15.6: who speaks first."""
    words = action.voice_over
    at = action.place("voice over")
    first_of_interference = scene.kind is Kind.INTERFERENCE and scene.mini_scene == 1
    if words is None:
        if first_of_interference:
            scene.speakers = [play.runner]
        elif not scene.bare:
            play.unknown(
                "S9.2",
                f"the log does not say who speaks the monologue of '{scene.title}'",
                fix=set_key("voice over"),
            )
        return
    if no_names(words):
        play.illegal(
            "S9.2",
            f"'{scene.title}' opens without a Voice Over Monologue",
            at=at,
            fix=set_key("voice over"),
        )
        return
    scene.speakers = [
        name for word in words for ignored in _apart(play, word) if (name := play.player(ignored))
    ]
    if first_of_interference:
        play.require(
            scene.speakers[:1] == [play.runner] or not scene.speakers,
            "S15.6",
            f"{listed(scene.speakers)} speaks first in an Interference Segment; "
            f"its first monologue is the Handler's",
            at=at,
            fix=set_key("voice over", play.runner),
        )
    else:
        play.suspect(
            play.runner in scene.speakers,
            "S9.2",
            f"{play.runner} speaks the monologue; the players choose one of themselves",
            at=at,
        )
    if scene.speakers:
        play.event(
            f"{listed(scene.speakers)} {'speaks' if len(scene.speakers) == 1 else 'speak'} the monologue",
            "S9.2",
            "monologue",
        )


def _count_ignored(play: Table) -> None:
    """S14.7b: one scene more in which an interference is ignored."""
    state = play.state
    each = play.ruling("ignore_dice").endswith("each-scene") if state.ignoring else False
    for ignored in state.ignoring:
        if ignored.closed or (ignored.answered and play.ruling("penalty_ends") == "decision"):
            continue
        ignored.count += 1
        play.event(
            f"{ignored.spy} ignores the Agency: a target number {ignored.count} lower, for {ignored.spy} alone",
            "S14.7b",
            "reduction",
            ignored.spy,
        )
        if each and ignored.count > 1:
            ignored.dice += 2
            gain_dice(play, state.cast[ignored.spy], 2, "S14.7c", "ignored in another scene")


def _stated_opposition(play: Table, action: Framing) -> None:
    if action.opposition is None:
        return
    on_table = opposition(play)
    if play.state.hole or play.state.opposition_unsure or play.given:
        play.adjust(OPPOSITION, str(action.opposition), OPPOSITION_DIE, "S8.2")
        return
    if action.opposition != on_table:
        play.report(
            Finding.BOOKKEEPING,
            "S8.2" if play.state.segment and len(play.state.segment.scenes) == 1 else "S13.5",
            f"{plural(on_table, 'Opposition die', 'Opposition dice')} on the table, not {action.opposition}",
            at="opposition",
            after=("opposition:", FLOW),
            fix=write_word(on_table),
        )
        play.taint("opposition:")


def end_scene(play: Table, action: EndScene) -> None:
    """S13.3: the scene's end, told from the dice."""
    state = play.state
    play.step.headline = "The scene ends"
    scene = state.scene
    play.step.tell(action.words or None)
    over = _untold(state)
    if over is not None:
        over.told = play.step.index
        play.event("The end of the interference is told", "S15.11", "scene over")
        return
    play.require(
        state.phase not in (Phase.FRAMED, Phase.READY, Phase.TRIGGERED, Phase.MINI_SCENE)
        or state.hole
        or scene is None,
        "S12.1",
        "the scene ends, but nobody has rolled for it",
        facts=(play.because(scene.step, "it was framed here"),) if scene else (),
        fix=add_entry("roll: ..."),
    )
    play.event("The end of the scene is told", "S13.3", "scene over")


def hold_narration(play: Table) -> None:
    """SA48: who tells in a mini segment, where the table leaves that to those who have a part in it."""
    mini, player = play.state.mini, play.step.player
    if mini is None or play.step.action.by is None or player not in play.seats:
        return
    own = [spy.id for spy in play.state.cast.values() if spy.player == player]
    play.suspect(
        play.ruling("outside_tell") == "taking-part" and not any(id in mini.spies for id in own),
        "SA48",
        f"{player} tells, and has no spy in this mini segment",
        at="by",
        facts=(play.because(mini.step, f"it is about {listed(mini.spies) or 'nobody'}"),),
    )


def _untold(state: State) -> Mini | None:
    """S15.11: an Interference Segment whose dice have fallen, before the interrupted scene goes on."""
    mini, waiting = (state.minis[-1] if state.minis else None), state.scene
    if mini is None or mini.kind is not Kind.INTERFERENCE or not mini.over or mini.told:
        return None
    if waiting is None or waiting.resolved or waiting.step > mini.over:
        return None
    return mini


def verdict_of(play: Table, spies: int, opposition: int) -> Verdict:
    """How a scene ends at this table with the successes of both sides (S13.1, S13.2, SA2)."""
    tie = play.ruling("scene_tie") if spies == opposition else play.rulings["scene_tie"]
    return verdict(spies, opposition, tie)


def clear(play: Table, scene: SceneRecord, rule: str, why: str) -> None:
    """The Job dice of a scene go back."""
    for spy in scene.used:
        play.empty(f"job dice:{spy}", BOX, JOB_DIE, rule, why)


def end_unrolled(play: Table, rule: str, why: str) -> None:
    """A scene that a ruling ends without any roll: nothing is compared, nothing discarded."""
    state = play.state
    scene = state.scene
    if scene is None:
        return
    scene.resolved = play.step.index
    scene.left = play.balance(OPPOSITION, OPPOSITION_DIE)
    scene.verdict = verdict_of(play, 0, 0)
    clear(play, scene, rule, why)
    state.phase = Phase.NEXT
    state.interrupted = None
    play.event(f"The scene is over: {why}", rule, "scene over")
