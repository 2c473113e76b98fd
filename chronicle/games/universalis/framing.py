"""Chapter 3, scenes: framing, time, Mini Scenes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import NAMES, TEXT, in_role
from chronicle.core.fix import RemoveKey, SetKey, add_entry, make_fix, write_word
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard, question
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Frame, Scene
from chronicle.games.universalis import preparation
from chronicle.games.universalis.actions import (
    AGREED,
    COMPONENT,
    COMPONENTS,
    ID,
    IN_SCENE_ONLY,
    OUTSIDE_OUTCOMES,
    Entry,
    NewComponent,
)
from chronicle.games.universalis.coins import charge, spendable
from chronicle.games.universalis.components import bars_arrivals, bars_new, bring_in
from chronicle.games.universalis.moves import acting, places
from chronicle.games.universalis.narration import bars_exit, bars_location, establish, go_away
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.refreshment import bidders
from chronicle.games.universalis.scenes import (
    close_scene,
    end_mini,
    number_titled,
    scene_titled,
    scenes_told,
)
from chronicle.games.universalis.state import COIN, Component, Phase, SceneState
from chronicle.games.universalis.table import begin_turn, find_each, known, relaxed

_MOVES_TIME = (
    r"(?i)\b(?:weeks?|months?|seasons?|years?|decades?|centur(?:y|ies)|generations?)\s+"
    r"(?:later|on|after|afterwards|hence|ahead|from\s+now|ago|before|earlier)\b"
)
"""Words that carry a scene away from the scene before it (U5.13, U5.14)."""


class OpensScene(Entry):
    """A frame: where, when, who."""

    title = main(TEXT, "its title")
    at = option(COMPONENT, "the location: a name, or {new: Role, traits: [...]}")
    with_ = option(COMPONENTS, "who and what is introduced, 1 Coin each", default=())
    time = option(TEXT, "when, as a label; free, but for the first scene")
    past = option(TEXT, "a frame into the past, as a label")
    future = option(TEXT, "a frame into the future, as a label")
    later = option(TEXT, "a jump ahead of the running story, as a label")
    before = option(ID, "the title of the scene that comes after this one")
    during = option(ID, "the title of the scene that happens at the same time")
    after = option(ID, "the title of the scene that comes before this one")
    continues = option(ID, "the title of the scene that is taken up again")
    without = option(
        in_role("leaves", NAMES), "who of a resumed scene has gone (an Exit each)", default=()
    )
    agreed_by = AGREED

    @classmethod
    def framed(cls, play: Table, at: Any, **keys: str) -> Mapping[str, Any]:
        """A frame as it may be written."""
        return {cls.verb: f"Scene {len(play.state.scenes) + 1}", "at": at, **keys}

    def closes(self, play: Table) -> SceneState | None:
        """The scene that is over with this one."""
        raise NotImplementedError

    def framing(self, play: Table) -> tuple[SceneState, SceneState | None] | None:
        """The scene that this entry frames, with nobody in it, and the scene from which it cuts away; nothing where
        there is no such scene. Play does not change."""
        raise NotImplementedError

    @contextmanager
    def preview(self, play: Table) -> Iterator[tuple[SceneState | None, bool]]:
        """The scene as it begins, before anybody is brought in, and whether its time fits the order of scenes, for
        guards: afterwards play is as before."""
        framing = self.framing(play)
        if framing is None:
            yield None, True
            return
        (scene, parent), state, step = framing, play.state, play.step
        before = state.scene, state.mini, state.turn, state.phase, step.player, step.scene
        resumed, kept, timeline = self.resumed(play), list[Component](), play.timeline
        play.timeline = timeline.copy()
        try:
            time = _time(play, self, resumed, parent)
            fits = _put_on_timeline(play, self, scene, time, resumed, parent)
            kept = [] if resumed is None else _take_up(play, scene, resumed)
            step.player = scene.framer
            if parent is None:
                state.scene, state.mini = scene, None
                state.turn, state.phase = scene.framer, Phase.SCENE
            else:
                state.mini = scene
            yield scene, fits
        finally:
            for component in kept:
                component.control.pop()
            play.timeline = timeline
            state.scene, state.mini, state.turn, state.phase, step.player, step.scene = before

    def relations(self) -> Iterator[tuple[str, ScalarNode]]:
        """The scenes to whose time it refers, by their titles, each with the relation."""
        for kind, word in (
            ("before", self.before),
            ("during", self.during),
            ("after", self.after),
        ):
            if word is not None:
                yield kind, word

    def resumed(self, play: Table) -> SceneState | None:
        """The scene that is taken up again: of several that take each other up, the last."""
        number = number_titled(play, self.continues) if self.continues is not None else None
        if number is None:
            return None
        root = _root(play, number)
        scenes = (scene for scene in scenes_told(play) if _root(play, scene.number) == root)
        return max(scenes, key=lambda scene: scene.number)

    @guard("U5.10")
    def takes_up_what_is_over(self, play: Table) -> Violation | None:
        old, closed = self.resumed(play), self.closes(play)
        is_over = (
            old is None or not old.open or (closed is not None and old.number >= closed.number)
        )
        if old is None or is_over:
            return None
        return Violation(
            f"'{old.title}' goes on already: there is nothing to come back to",
            self.continues,
            help="just go on in it; mini scene: cuts away to somewhere else",
            facts=[play.because(old.step, "it began here and has not ended")],
        )

    @guard("U3.13", at="continues")
    def takes_up_what_has_not_faded(self, play: Table) -> Violation | None:
        old = self.resumed(play)
        if old is None or not old.faded:
            return None
        return Violation(
            f"'{old.title}' faded to black: players cannot come back to it",
            facts=[play.because(old.faded, "it faded here")],
        )

    @guard("U3.8")
    def is_framed_as_it_may_be(self, play: Table) -> list[Violation]:
        """Its time, its place, who comes in, and who of a resumed scene has gone."""
        with self.preview(play) as (scene, fits):
            return [] if scene is None else [*self._bars_frame(play, scene, fits=fits)]

    def _bars_frame(self, play: Table, scene: SceneState, *, fits: bool) -> Iterator[Violation]:
        came: set[str] = set()
        if not fits:
            yield Violation(
                "this does not fit the order of scenes that the record gives so far",
                rule="U5.13",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        if self.at is not None:
            yield from bars_location(play, scene, self.at, came)
        is_new = isinstance(self.at, NewComponent) and self.at.existing is None
        items = (self.at, *self.with_) if self.at is not None and is_new else self.with_
        yield from bars_new(play, items)
        yield from bars_arrivals(play, scene, items, came)
        scene.present.update(dict.fromkeys(came, scene.step))
        for word, component in known(play, self.without):
            yield from bars_exit(play, scene, component, word)
            for id in (component.id, *component.owns):
                scene.present.pop(id, None)

    @question("U5.14", at="time", help="or  past:  or  future:")
    def moves_time_by_its_keys(self, play: Table) -> Violation | None:
        """A label of the time moves nothing."""
        moving = (self.past, self.future, self.later, self.before, self.during, self.after)
        is_moved = any(word is not None for word in (*moving, self.continues))
        if self.time is None or is_moved or play.given or not play.state.scenes:
            return None
        if re.search(_MOVES_TIME, self.time) is None:
            return None
        edits = SetKey("later", self.time), RemoveKey("time")
        return Violation(
            f"'{self.time}' moves time, and 'time' is a label that moves nothing and costs nothing",
            fix=make_fix(*edits, when="if time jumps ahead"),
        )


class FrameScene(OpensScene):
    """Frame the scene you won: where, when, who. Framing ends with the first Event."""

    verb = "scene"
    synonyms = ("frame", "open scene")
    decides = Decides("bid winner")
    moment = OUTSIDE_OUTCOMES
    example = (
        "scene: The pump house\n  at: {new: pump house, traits: [dripping]}\n  with: [Ines Vale]"
    )
    offered = Offered("U3.8", "frame the scene: where, when, who")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        winner = play.state.bid_winner
        if play.state.scene is None and winner:
            coins = sum(play.balance(f"{purse}:{winner}", COIN) for purse in ("wealth", "bid"))
            others = len(play.present) - 1
            for at in places(play):
                yield cls.framed(play, at)
                if coins >= 3:
                    yield cls.framed(play, at, past="long before")
                if coins > 1 + others:
                    yield cls.framed(play, at, future="in a year")

    def closes(self, play: Table) -> SceneState | None:
        is_parked = play.state.points.turn_goes_on(play) and not play.given
        return None if is_parked else play.state.scene

    @guard("U2.5")
    def comes_after_preparation(self, play: Table) -> Iterator[Violation]:
        return preparation.bars_play_proper(play)

    @guard("U3.1")
    def follows_the_end_of_the_last(self, play: Table) -> Violation | None:
        scene = self.closes(play)
        if scene is None or play.given or play.gap > scene.step:
            return None
        return Violation(
            f"the scene '{scene.title}' is still open",
            fix=add_entry("end scene:"),
            help="or write  mini scene:  for a small cut away",
            facts=[play.because(scene.step, "it began here and has not ended")],
            doubts=("bid",),
        )

    @guard("U3.3", at="by")
    def is_framed_by_the_winner(self, play: Table) -> Violation | None:
        winner, stated = play.state.bid_winner, self._stated(play)
        if play.given or not winner or stated in ("", winner):
            return None
        return Violation(
            f"{winner} won the bid and frames the scene, not {stated}",
            fix=write_word(winner),
            facts=[play.because(play.state.bid_step, "the bids")],
        )

    @guard("U3.2")
    def follows_a_bid(self, play: Table) -> Violation | None:
        state, stated = play.state, self._stated(play)
        if play.given or state.bid_winner:
            return None
        if _in_hole(play) and not stated and not _unrecorded(state):
            message = "the record does not say who frames this scene"
            return Violation(message, kind=DiagnosticKind.UNKNOWN)
        is_lost = _in_hole(play) or _unrecorded(state) or (relaxed(play) and stated)
        if is_lost or not state.points.needs_bid(play):
            return None
        return Violation(
            "a scene is framed without a bid for it",
            fix=(
                add_entry(f"bid: {{{', '.join(f'{p}: ...' for p in bidders(play))}}}"),
                add_entry("bid: unrecorded"),
            ),
            after=("bid",),
        )

    def _stated(self, play: Table) -> str:
        """Who frames it, where the log says so."""
        return play.step.player if self.by is not None else ""

    def _framer(self, play: Table, *, hole: bool) -> str:
        """Who frames it."""
        state, stated = play.state, self._stated(play)
        if play.given or state.bid_winner or stated:
            return stated if play.given else stated or state.bid_winner
        return "" if hole or _unrecorded(state) else state.points.framer_without_bid(play)

    def framing(self, play: Table) -> tuple[SceneState, SceneState | None]:
        return self._begun(play, hole=_in_hole(play)), None

    def _begun(self, play: Table, *, hole: bool) -> SceneState:
        state, number = play.state, play.step.number
        framer, title = self._framer(play, hole=hole), str(self.title)
        scene = SceneState(len(play.timeline.scenes) + 1, title, framer, number)
        scene.bids, scene.bid_step, scene.tie_break = state.bids, state.bid_step, state.tie_break
        scene.bid_words = state.bid_words
        if hole and play.gaps.has_gap_before(number):
            scene.unsure = scene.located = True
            scene.framing = False
        return scene

    def _settle_bid(self, play: Table) -> None:
        """Somebody else than the winner frames the scene, or nobody has bid for it."""
        state, stated, winner = play.state, self._stated(play), play.state.bid_winner
        if play.given:
            return
        if not winner:
            play.settle("bid", "scene")
            if not stated and _unrecorded(state):
                play.step.speaker = SOMEBODY  # told where the bids are
        elif stated not in ("", winner):
            left = play.balance(f"bid:{winner}", COIN)
            play.move(f"bid:{winner}", f"wealth:{winner}", left, COIN, "U3.3")

    def apply(self, play: Table) -> None:
        """The winner of the bid frames a scene: location, time, Components (U3.8)."""
        state, step = play.state, play.step
        preparation.preparation_over(play)
        hole = _in_hole(play)
        if state.scene is not None and (play.given or not state.points.leave_open(play)):
            close_scene(play, refreshes=False)
        scene = self._begun(play, hole=hole)
        framer = step.player = scene.framer
        self._settle_bid(play)
        state.bids, state.bid_words, state.bid_winner = {}, {}, ""
        _open(play, self, scene)
        state.scene = scene
        state.phase = Phase.SCENE
        if framer == state.turn and state.points.turn_goes_on(play):
            scene.turns.append((step.number, framer, "frames"))
        else:
            state.interrupted = ""
            begin_turn(play, framer, "frames")
        state.turn_sure = bool(framer)
        _fill_frame(play, self, scene)


def _in_hole(play: Table) -> bool:
    """Whether a gap swallowed what comes before a scene: bids, the end of the last scene."""
    state = play.state
    return play.gap > max(state.ended_step, state.scene.step if state.scene is not None else 0)


class MiniScene(OpensScene):
    """Cut away, in your turn, to a small scene elsewhere. It ends with the turn at the latest."""

    verb = "mini scene"
    synonyms = ("cut away", "flashback")
    decides = Decides("turn", "U3.21", action_phrase="cuts away to a Mini Scene")
    moment = IN_SCENE_ONLY
    example = "mini scene: Who lit it\n  at: {new: edge of the wood}\n  past: the day of the fire"
    offered = Offered("U3.21", "cut away to a small scene")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        if play.state.mini is None:
            for _, player, by in acting(play):
                if spendable(play, player, "scene") >= 3:
                    for at in places(play):
                        yield {**cls.framed(play, at, past="long before"), **by}

    def closes(self, play: Table) -> SceneState | None:
        return play.state.mini

    def framing(self, play: Table) -> tuple[SceneState, SceneState | None] | None:
        number, step = len(play.timeline.scenes) + 1, play.step
        scene = SceneState(number, str(self.title), step.player, step.number, mini=True)
        return (scene, play.state.scene) if play.state.scene is not None else None

    @question("U3.21")
    def follows_an_event(self, play: Table) -> Violation | None:
        parent = play.state.scene
        if parent is None or not parent.framing:
            return None
        facts = [play.because(parent.step, "framing began here and no Event followed")]
        return Violation(f"the framing of '{parent.title}' is not over", facts=facts)

    @question("U3.21")
    def is_no_part_of_another(self, play: Table) -> str | None:
        is_nested = play.state.mini is not None and play.ruling("nested mini") == "no"
        return "a Mini Scene within a Mini Scene" if is_nested else None

    def apply(self, play: Table) -> None:
        """Cut away within a turn (U3.21); framed like any scene (U3.22)."""
        framing = self.framing(play)
        if framing is None:
            return
        (scene, parent), state = framing, play.state
        end_mini(play)
        _open(play, self, scene, parent)
        state.mini = scene
        _fill_frame(play, self, scene)


def _unrecorded(state: State) -> bool:
    """Whether there was a bid for this scene with an unknown winner."""
    last = max((scene.step for scene in state.scenes.values()), default=0)
    return state.bid_step > max(last, state.ended_step - 1) and not state.bids


def _open(
    play: Table, action: OpensScene, scene_state: SceneState, parent: SceneState | None = None
) -> None:
    """Put the scene on the timeline and settle the price of its time (U5.12 to U5.16)."""
    state = play.state
    step = play.step
    step.headline = (
        f"{scene_state.framer} frames {scene_state.title}"
        if scene_state.framer
        else f"Scene: {scene_state.title}"
    )
    for word in (action.continues, *(word for _, word in action.relations())):
        if word is not None:
            scene_titled(play, word)
    resumed = action.resumed(play)
    time = _time(play, action, resumed, parent)
    _pay_time(play, scene_state.framer, time)
    _put_on_timeline(play, action, scene_state, time, resumed, parent)
    state.scenes[scene_state.number] = scene_state
    if resumed is not None:
        _take_up(play, scene_state, resumed)
        play.event(
            f"{resumed.title} goes on; {scene_state.framer} Controls whoever is still there",
            "U5.11",
            "resumes",
        )


def _put_on_timeline(
    play: Table,
    action: OpensScene,
    scene_state: SceneState,
    time: StoryTime,
    resumed: SceneState | None,
    parent: SceneState | None,
) -> bool:
    """Whether the scene fits where the entry puts it."""
    scene_state.frame = str(time.frame)
    label = action.past or action.future or action.later or action.time
    scene = Scene(
        scene_state.title,
        frame=time.frame,
        time=str(label or ""),
        opener=scene_state.framer,
        kind="mini scene" if parent is not None else "scene",
        parent=parent.number if parent is not None else None,
        branch=play.state.branch,
        continues=resumed.number if resumed is not None else None,
    )
    if scene_state.bids:
        scene.marks["bids"] = ", ".join(
            f"{player} {scene_state.bid_words.get(player, coins)}"
            for player, coins in scene_state.bids.items()
        )
    if scene_state.tie_break:
        scene.marks["decided"] = scene_state.tie_break
    play.open_scene(scene, anchored=bool(time.anchors))
    number, relate = scene_state.number, play.timeline.relate_scenes
    fits = [relate(number, kind, anchor) for kind, anchor in time.anchors]
    return all(fits)


def _root(play: Table, number: int) -> int:
    scene = play.timeline.get(number)
    while scene.continues is not None:
        scene = play.timeline.get(scene.continues)
    return scene.number


def _take_up(play: Table, scene: SceneState, old: SceneState) -> list[Component]:
    """All Components stay present; the new framer Controls them, free (U5.11, U3.25)."""
    components = [play.state.components[id] for id in old.present]
    kept = [c for c in components if not c.struck and not c.eliminated]
    for component in kept:
        id, holder = component.id, play.state.points.keeper(play, component, scene.framer)
        scene.present[id] = play.step.number
        scene.control[id] = holder
        scene.entries.append((play.step.number, id, "is still there"))
        component.control.append((play.step.number, scene.number, holder, "takes the scene up"))
        play.timeline.get(scene.number).cast.append(id)
    scene.absent.update(old.absent)
    scene.location = old.location
    return kept


class StoryTime(NamedTuple):
    """The place of a scene in story time, and what that costs: each of ``prices`` is an item of the price list."""

    frame: Frame
    anchors: list[tuple[str, int]]
    prices: list[str]


def _time(
    play: Table, action: OpensScene, resumed: SceneState | None, parent: SceneState | None
) -> StoryTime:
    """The place of the scene in story time (U5.10 to U5.16)."""
    state = play.state
    tells = partial(play.timeline.includes_scene, state.branch)
    mains = (s.number for s in reversed(play.timeline.scenes) if s.parent is None)
    last = parent.number if parent is not None else next(filter(tells, mains), 0)
    anchors: list[tuple[str, int]] = []
    prices: list[str] = []
    frame = Frame.NOW
    if resumed is not None:
        frame = Frame(resumed.frame) if resumed.frame != str(Frame.NOW) else Frame.NOW
        if frame in (Frame.PAST, Frame.FUTURE):
            anchors.append(("after", resumed.number))
            is_full = frame is Frame.FUTURE and play.ruling("return in time") == "full"
            prices.append("future" if is_full else "back in time")
        if parent is not None and frame is Frame.NOW:
            anchors.append(("after", resumed.number))
    if action.past is not None:
        frame = Frame.PAST
        prices.append("past")
    elif action.future is not None:
        frame = Frame.FUTURE
        prices.append("future")
    elif action.later is not None:
        prices.append("later")
    for kind, word in action.relations():
        number = number_titled(play, word)
        if number is None:
            continue
        anchors.append((kind, number))
        if frame in (Frame.PAST, Frame.FUTURE):
            continue
        if number == last and kind != "before":
            frame = Frame.MEANWHILE if kind == "during" else Frame.NOW
        else:
            frame = Frame.PAST
            prices.append("past")
    if parent is not None and not anchors and frame is Frame.NOW:
        return StoryTime(Frame.MEANWHILE, [("during", parent.number)], prices)
    plain = action.past is action.future is action.later is None and not anchors
    if plain and resumed is None:
        if not state.scenes and action.time is not None:
            prices.append("first date")
        if (
            state.scenes
            and last
            and parent is None
            and play.timeline.get(last).frame is Frame.PAST
            and play.ruling("now after flashback") == "flashback"
        ):
            return StoryTime(Frame.PAST, [("after", last)], prices)
    if frame is Frame.NOW and anchors and parent is None:
        anchors = [] if all(kind == "after" for kind, _ in anchors) else anchors
    return StoryTime(frame, anchors, prices)


_PRICED: Mapping[str, tuple[str, str]] = {
    "back in time": ("U5.10", "back to another time"),
    "past": ("U5.13", "a frame into the past"),
    "first date": ("U5.16", "the time of the first scene"),
}


def _pay_time(play: Table, framer: str, time: StoryTime) -> None:
    """What the time of a scene costs."""
    for price in time.prices:
        if price == "future":
            _pay_future(play, framer)
        elif price == "later":
            _jump_ahead(play, framer)
        else:
            charge(play, price, *_PRICED[price], player=framer)


def _pay_future(play: Table, framer: str) -> None:
    """Each other player is paid for what a look ahead takes from them (U5.14, S57)."""
    if play.given or not framer:
        return
    each = play.state.points.price(play, "future", framer)
    for player in play.seats:
        if player != framer and player in play.present:
            charge(
                play,
                "future",
                "U5.14",
                "a frame into the future",
                amount=each,
                player=framer,
                target=f"wealth:{player}",
            )
    if play.ruling("future price") == "everybody":
        charge(play, "future", "U5.14", "the framer's own share", player=framer)
    play.event(f"each other player gets {plural(each, 'Coin')} from {framer}", "U5.14", "future")


def _jump_ahead(play: Table, framer: str) -> None:
    price = play.state.points.jump_price(play)
    if price is not None:
        charge(play, "first date", "U5.12", "a jump ahead", amount=price, player=framer)
        return
    match play.ruling("forward jump"):
        case "future":
            _pay_future(play, framer)
        case "coin":
            charge(play, "first date", "U5.12", "a jump ahead", player=framer)
        case _:
            play.event("a jump ahead, free at this table", "U5.12")


def _fill_frame(play: Table, action: OpensScene, scene: SceneState) -> None:
    """Location and first Components of a frame."""
    if action.at is not None:
        establish(play, scene, action.at)
    elif action.continues is not None and scene.location:
        if play.ruling("extending location") == "due":
            charge(play, "location", "U5.10", "the location, taken up again", player=scene.framer)
        scene.located = True
        place = play.state.components[scene.location]
        play.timeline.get(scene.number).place = place.name
    for item in action.with_:
        bring_in(play, scene, item)
    for _, component in find_each(play, action.without):
        go_away(play, scene, component, "U5.11")
    for add_on in play.state.add_ons:
        add_on.scene_opened(play, scene)
