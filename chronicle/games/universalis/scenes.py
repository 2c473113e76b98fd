"""Chapter 3, scenes: framing, time, Mini Scenes, the end of a scene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import TEXT, YES_NO
from chronicle.core.fix import RemoveKey, SetKey, add_entry, make_fix, set_key, write_word
from chronicle.core.gaps import SOMEBODY
from chronicle.core.guards import Violation, guard
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Piece, TextRole
from chronicle.core.timeline import Frame, Scene
from chronicle.games.universalis import preparation
from chronicle.games.universalis.actions import FADE, OUTSIDE_OUTCOMES, Entry, FrameScene, MiniScene
from chronicle.games.universalis.coins import can_pay, charge, settle
from chronicle.games.universalis.components import bring_in
from chronicle.games.universalis.fates import end_reductions
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.moves import acting
from chronicle.games.universalis.narration import bars_exit, establish, go_away
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.presence import end_framing
from chronicle.games.universalis.refreshment import bidders, refresh
from chronicle.games.universalis.state import BANK, COIN, Complication, Phase, SceneState, Stage
from chronicle.games.universalis.table import begin_turn, find_each, relaxed, turns_over

_MOVES_TIME = (
    r"(?i)\b(?:weeks?|months?|seasons?|years?|decades?|centur(?:y|ies)|generations?)\s+"
    r"(?:later|on|after|afterwards|hence|ahead|from\s+now|ago|before|earlier)\b"
)
"""Words that carry a scene away from the scene before it (U5.13, U5.14)."""


def frame_scene(play: Table, action: FrameScene) -> None:
    """The winner of the bid frames a scene: location, time, Components (U3.8)."""
    state = play.state
    preparation.preparation_over(play)
    step = play.step
    # What a hole of the record swallowed is not asked for: bids, the end of the last scene.
    hole = play.gap > max(state.ended_step, state.scene.step if state.scene is not None else 0)
    if state.scene is not None and (play.given or not state.points.leave_open(play)):
        if not play.given and play.gap <= state.scene.step:
            play.illegal(
                "U3.1",
                f"the scene '{state.scene.title}' is still open",
                facts=[play.because(state.scene.step, "it began here and has not ended")],
                fix=add_entry("end scene:"),
                help="or write  mini scene:  for a small cut away",
            )
            play.taint("bid")
        close_scene(play, refreshes=False)
    framer = _framer(play, action, hole)
    step.player = framer
    scene = SceneState(len(play.timeline.scenes) + 1, str(action.title), framer, step.number)
    scene.bids, scene.bid_step, scene.tie_break = state.bids, state.bid_step, state.tie_break
    scene.bid_words = state.bid_words
    state.bids, state.bid_words, state.bid_winner = {}, {}, ""
    if hole and play.gaps.is_missing_before(step.number):
        scene.unsure = scene.located = True
        scene.framing = False
    _open(play, action, scene)
    state.scene = scene
    state.phase = Phase.SCENE
    if framer == state.turn and state.points.turn_goes_on(play):
        scene.turns.append((step.number, framer, "frames"))
    else:
        state.interrupted = ""
        begin_turn(play, framer, "frames")
    state.turn_sure = bool(framer)
    _fill_frame(play, action, scene)
    for add_on in state.add_ons:
        add_on.scene_opened(play, scene)


def mini_scene(play: Table, action: MiniScene) -> None:
    """Cut away within a turn (U3.21); framed like any scene (U3.22)."""
    state = play.state
    step = play.step
    parent = state.scene
    if parent is None:
        return
    play.suspect(
        parent.framing,
        "U3.21",
        f"the framing of '{parent.title}' is not over",
        facts=[play.because(parent.step, "framing began here and no Event followed")],
    )
    if state.mini is not None:
        if play.ruling("nested mini") == "no":
            play.suspect(True, "U3.21", "a Mini Scene within a Mini Scene")
        end_mini(play)
    scene = SceneState(
        len(play.timeline.scenes) + 1, str(action.title), step.player, step.number, mini=True
    )
    _open(play, action, scene, parent)
    state.mini = scene
    _fill_frame(play, action, scene)
    for add_on in state.add_ons:
        add_on.scene_opened(play, scene)


def _framer(play: Table, action: FrameScene, hole: bool) -> str:
    state = play.state
    stated = play.step.player if action.by is not None else ""
    if play.given:
        return stated
    if state.bid_winner:
        if stated and stated != state.bid_winner:
            play.illegal(
                "U3.3",
                f"{state.bid_winner} won the bid and frames the scene, not {stated}",
                at="by",
                facts=[play.because(state.bid_step, "the bids")],
                fix=write_word(state.bid_winner),
            )
            bid_left = play.balance(f"bid:{state.bid_winner}", COIN)
            play.move(
                f"bid:{state.bid_winner}", f"wealth:{state.bid_winner}", bid_left, COIN, "U3.3"
            )
            return stated
        return state.bid_winner
    if state.points.needs_bid(play) and not hole and not _unrecorded(state):
        play.require(
            relaxed(play) and bool(stated),
            "U3.2",
            "a scene is framed without a bid for it",
            fix=(
                add_entry(f"bid: {{{', '.join(f'{p}: ...' for p in bidders(play))}}}"),
                add_entry("bid: unrecorded"),
            ),
            after=("bid",),
        )
    play.settle("bid", "scene")
    if _unrecorded(state) and not stated:
        play.step.speaker = SOMEBODY  # told where the bids are
        return ""
    if hole and not stated:
        play.unknown("U3.2", "the record does not say who frames this scene")
        return ""
    return stated or state.points.framer_without_bid(play)


def _unrecorded(state: State) -> bool:
    """Whether there was a bid for this scene with an unknown winner."""
    last = max((scene.step for scene in state.scenes.values()), default=0)
    return state.bid_step > max(last, state.ended_step - 1) and not state.bids


def _open(
    play: Table, action: FrameScene, scene_state: SceneState, parent: SceneState | None = None
) -> None:
    """Put the scene on the timeline and settle the price of its time (U5.12 to U5.16)."""
    state = play.state
    step = play.step
    step.headline = (
        f"{scene_state.framer} frames {scene_state.title}"
        if scene_state.framer
        else f"Scene: {scene_state.title}"
    )
    resumed = _resumed(play, action)
    frame, anchors = _time(play, action, scene_state, resumed, parent)
    scene_state.frame = str(frame)
    label = action.past or action.future or action.later or action.time
    scene = Scene(
        scene_state.title,
        frame=frame,
        time=str(label or ""),
        opener=scene_state.framer,
        kind="mini scene" if parent is not None else "scene",
        parent=parent.number if parent is not None else None,
        branch=state.branch,
        continues=resumed.number if resumed is not None else None,
    )
    if scene_state.bids:
        scene.marks["bids"] = ", ".join(
            f"{player} {scene_state.bid_words.get(player, coins)}"
            for player, coins in scene_state.bids.items()
        )
    if scene_state.tie_break:
        scene.marks["decided"] = scene_state.tie_break
    play.open_scene(scene, anchored=bool(anchors))
    fits = [play.timeline.relate(scene_state.number, kind, anchor) for kind, anchor in anchors]
    play.suspect(
        not all(fits), "U5.13", "this does not fit the order of scenes that the record gives so far"
    )
    state.scenes[scene_state.number] = scene_state
    if resumed is not None:
        _take_up(play, scene_state, resumed)


def _resumed(play: Table, action: FrameScene) -> SceneState | None:
    if action.continues is None:
        return None
    number = scene_titled(play, action.continues)
    if number is None:
        return None
    # Of several scenes that take each other up, the last is what goes on.
    last_told = max(
        (s for s in scenes_told(play) if _root(play, s.number) == _root(play, number)),
        key=lambda s: s.number,
    )
    play.require(
        not last_told.open,
        "U5.10",
        f"'{last_told.title}' goes on already: there is nothing to come back to",
        at=action.continues,
        facts=[play.because(last_told.step, "it began here and has not ended")],
        help="just go on in it; mini scene: cuts away to somewhere else",
    )
    return last_told


def scenes_told(play: Table) -> Iterator[SceneState]:
    """The scenes of the story so far, without those of other branches of it."""
    for scene in play.state.scenes.values():
        if play.timeline.tells(play.state.branch, scene.number):
            yield scene


def scene_titled(play: Table, word: ScalarNode) -> int | None:
    """The number of the scene with this title, the first if there are several; reported if none has it."""
    key = fold(word)
    number = next((s.number for s in scenes_told(play) if fold(s.title) == key), None)
    if number is None:
        elsewhere = next((s for s in play.state.scenes.values() if fold(s.title) == key), None)
        hint = (
            f" on this branch of the story; it belongs to '{play.timeline.get(elsewhere.number).branch}'"
            if elsewhere is not None
            else play.names.suggest(word, [s.title for s in scenes_told(play)])
        )
        titles = [scene.title for scene in scenes_told(play)] if elsewhere is None else []
        spellings = play.names.spelling_fixes(word, titles)
        play.unreadable("T50", f"no scene '{word}'{hint}", at=word, fix=spellings)
    return number


def _root(play: Table, number: int) -> int:
    scene = play.timeline.get(number)
    while scene.continues is not None:
        scene = play.timeline.get(scene.continues)
    return scene.number


def _take_up(play: Table, scene: SceneState, old: SceneState) -> None:
    """All Components stay present; the new framer Controls them, free (U5.11, U3.25)."""
    if old.faded:
        play.illegal(
            "U3.13",
            f"'{old.title}' faded to black: players cannot come back to it",
            at="continues",
            facts=[play.because(old.faded, "it faded here")],
        )
    cast = play.timeline.get(scene.number).cast
    for id in old.present:
        component = play.state.components[id]
        if component.struck or component.eliminated:
            continue
        holder = play.state.points.keeper(play, component, scene.framer)
        scene.present[id] = play.step.number
        scene.control[id] = holder
        scene.entries.append((play.step.number, id, "is still there"))
        component.control.append((play.step.number, scene.number, holder, "takes the scene up"))
        cast.append(id)
    scene.absent.update(old.absent)
    scene.location = old.location
    play.event(
        f"{old.title} goes on; {scene.framer} Controls whoever is still there", "U5.11", "resumes"
    )


def _time(
    play: Table,
    action: FrameScene,
    scene: SceneState,
    resumed: SceneState | None,
    parent: SceneState | None,
) -> tuple[Frame, list[tuple[str, int]]]:
    """The place of the scene in story time, and what that costs."""
    state = play.state
    tells = partial(play.timeline.tells, state.branch)
    mains = (s.number for s in reversed(play.timeline.scenes) if s.parent is None)
    last = parent.number if parent is not None else next(filter(tells, mains), 0)
    anchors: list[tuple[str, int]] = []
    frame = Frame.NOW
    if resumed is not None:
        frame = Frame(resumed.frame) if resumed.frame != str(Frame.NOW) else Frame.NOW
        if frame in (Frame.PAST, Frame.FUTURE):
            anchors.append(("after", resumed.number))
            if frame is Frame.FUTURE and play.ruling("return in time") == "full":
                _pay_future(play, scene.framer)
            else:
                charge(play, "back in time", "U5.10", "back to another time", player=scene.framer)
        if parent is not None and frame is Frame.NOW:
            anchors.append(("after", resumed.number))
    if action.past is not None:
        frame = Frame.PAST
        charge(play, "past", "U5.13", "a frame into the past", player=scene.framer)
    elif action.future is not None:
        frame = Frame.FUTURE
        _pay_future(play, scene.framer)
    elif action.later is not None:
        _jump_ahead(play, scene.framer)
    for kind, word in (
        ("before", action.before),
        ("during", action.during),
        ("after", action.after),
    ):
        if word is None:
            continue
        number = scene_titled(play, word)
        if number is None:
            continue
        anchors.append((kind, number))
        if frame in (Frame.PAST, Frame.FUTURE):
            continue
        if number == last and kind != "before":
            frame = Frame.MEANWHILE if kind == "during" else Frame.NOW
        else:
            frame = Frame.PAST
            charge(play, "past", "U5.13", "a frame into the past", player=scene.framer)
    if parent is not None and not anchors and frame is Frame.NOW:
        return Frame.MEANWHILE, [("during", parent.number)]
    plain = action.past is action.future is action.later is None and not anchors
    if plain and resumed is None:
        if not state.scenes and action.time is not None:
            charge(play, "first date", "U5.16", "the time of the first scene", player=scene.framer)
        elif state.scenes and action.time is not None and re.search(_MOVES_TIME, action.time):
            play.suspect(
                not play.given,
                "U5.14",
                f"'{action.time}' moves time, and 'time' is a label that moves nothing and costs nothing",
                at="time",
                fix=make_fix(
                    SetKey("later", action.time or ""),
                    RemoveKey("time"),
                    when="if time jumps ahead",
                ),
                help="or  past:  or  future:",
            )
        if (
            state.scenes
            and last
            and parent is None
            and play.timeline.get(last).frame is Frame.PAST
            and play.ruling("now after flashback") == "flashback"
        ):
            return Frame.PAST, [("after", last)]
    if frame is Frame.NOW and anchors and parent is None:
        anchors = [] if all(kind == "after" for kind, _ in anchors) else anchors
    return frame, anchors


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


def _fill_frame(play: Table, action: FrameScene, scene: SceneState) -> None:
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
    for word, component in find_each(play, action.without):
        report_all(play, bars_exit(play, scene, component, word))
        go_away(play, scene, component, "U5.11")


class EndScene(Entry):
    """End the scene (or the Mini Scene). Only its framer may. 'fade to black' costs 1 Coin, and the scene is
    closed for good."""

    verb = "end scene"
    synonyms = ("close scene", "fade", "cut")
    decides = Decides("on turn")
    moment = OUTSIDE_OUTCOMES
    example = "end scene: fade to black"
    words = main(TEXT, "fade to black, or how it ends", default=None, text_role=TextRole.SENTENCE)
    fade = option(YES_NO, "yes to fade to black", default=False)
    abandon = option(YES_NO, "yes, if all agree to drop an open Complication", default=False)
    offered = Offered("U3.11", "end the scene")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        state = play.state
        if state.current_complication() is not None:
            return
        for scene, player, by in acting(play):
            if player != scene.framer or (player != state.turn and not scene.mini):
                continue
            yield {"end scene": "Back to the others" if scene.mini else "The lamps go out", **by}
            if not scene.mini and can_pay(play, player, "fade"):
                yield {"end scene": FADE, **by}

    @property
    def says_fade(self) -> bool:
        """Whether its words are those of a fade, and no story."""
        return self.words is not None and fold(self.words) == FADE

    @property
    def fades(self) -> bool:
        """Whether the scene fades to black (U3.13)."""
        return bool(self.fade) or self.says_fade

    def told(self) -> Iterable[Piece]:
        return () if self.says_fade else super().told()

    @guard("U3.11")
    def ends_an_open_scene(self, play: Table) -> Violation | None:
        state = play.state
        is_restated = not self.fades and 0 < state.unfaded_step == state.ended_step
        is_known = play.gap <= state.ended_step and not play.given
        if state.current_scene is not None or is_restated or not is_known:
            return None
        return Violation(
            "no scene is open" + ("; fading belongs to the moment of ending" if self.fades else ""),
            facts=play.facts(state.ended_step, "the last scene ended here"),
            since=state.ended_step,
            rule="U3.13" if self.fades else "U3.11",
        )

    @guard("U3.23")
    def is_ended_by_its_framer(self, play: Table) -> Violation | None:
        """Only the framer ends a scene, on their own turn (U3.11)."""
        state, player, scene = play.state, play.step.player, play.state.current_scene
        is_own = scene is not None and player == scene.framer
        if scene is None or play.given or (is_own and (scene.mini or player == state.turn)):
            return None
        if scene.mini:
            return Violation(f"{scene.framer} is telling this Mini Scene, not {player}")
        if play.gap_since("turns") > state.turn_step:
            return None
        return Violation(
            f"only {scene.framer}, who framed it, can end '{scene.title}', and only on their own turn"
            + (f"; it is {state.turn}'s" if state.turn != scene.framer else ""),
            fix=(
                add_entry(f"interrupt: {scene.framer}"),
                add_entry(turns_over(play, scene.framer), when=f"if it was {scene.framer}'s turn"),
            )
            if is_own
            else (),
            help=() if is_own else "the others may dispute that the scene goes on",
            facts=[play.because(scene.step, f"{scene.framer} framed it")],
            since=state.turn_step,
            state_kind="turns",
            rule=state.points.closing_rule(play),
        )

    @guard("U6.9")
    def leaves_nothing_open(self, play: Table) -> Iterator[Violation]:
        """An open Complication is resolved first."""
        for complication, waits in self._open_complications(play):
            if not waits and not self.abandon and play.ruling("open complication") == "not allowed":
                yield Violation(
                    f"the scene ends while the Complication '{complication.title}' is open",
                    fix=set_key("abandon", "yes", when="if all agree to drop it"),
                    help="or roll it first",
                    facts=[play.because(complication.step, "it began here")],
                    kind=DiagnosticKind.SUSPICIOUS,
                )

    def _open_complications(self, play: Table) -> Iterator[tuple[Complication, str]]:
        """The open Complications of the scene, each with the rule by which it waits for a later one."""
        state, scene = play.state, play.state.current_scene
        for complication in [state.complications[number - 1] for number in state.running]:
            if scene is not None and complication.scene == scene.number and not play.given:
                rule = "" if self.abandon else state.points.outlasts_scene(play, complication)
                yield complication, rule

    def apply(self, play: Table) -> None:
        """The scene is over; fading costs 1 (U3.13)."""
        state, step, scene = play.state, play.step, play.state.current_scene
        if scene is None:
            return
        if self.words and not self.says_fade:
            step.tell(str(self.words))
        step.headline = f"End of {scene.title}" + (f", {FADE}" if self.fades else "")
        for complication, rule in self._open_complications(play):
            title = complication.title
            if rule:
                play.event(f"{title} waits, and goes on in a later scene", rule, "waits")
                continue
            complication.stage = Stage.ABANDONED
            state.running.remove(complication.number)
            play.event(f"{title} is dropped: no roll, no Coins", "U6.9", "abandoned")
        if self.fades:
            charge(play, "fade", "U3.13", FADE)
            scene.faded = step.number
        settle(play, self)
        if scene.mini:
            end_mini(play)
        else:
            close_scene(play, refreshes=not play.given)


def close_scene(play: Table, *, refreshes: bool) -> None:
    """The scene is over: the rest of the bid is lost (U3.7), all players take Coins (U3.14)."""
    state = play.state
    scene_state = state.scene
    if scene_state is None:
        return
    if state.mini is not None:
        end_mini(play)
    end_reductions(play)
    scene_state.open = scene_state.framing = False
    scene_state.ended = play.step.number
    play.step.scene = scene_state.number
    scene = play.timeline.get(scene_state.number)
    scene.last_step = play.step.number
    scene.closing = FADE if scene_state.faded else ""
    bid_left = play.balance(f"bid:{scene_state.framer}", COIN)
    if bid_left > 0 and scene_state.bids:
        scene_state.lost = bid_left
        play.move(f"bid:{scene_state.framer}", BANK, bid_left, COIN, "U3.7", "unspent bid, lost")
        play.event(f"{plural(bid_left, 'Coin')} of the bid are lost", "U3.7", "lost")
    for number in list(state.running):
        complication = state.complications[number - 1]
        if complication.scene == scene_state.number and not state.points.outlasts_scene(
            play, complication
        ):
            complication.stage = Stage.ABANDONED
            state.running.remove(number)
    state.dialog = None
    state.scene = None
    state.phase = Phase.BIDDING
    state.ended_step = play.step.number
    state.last_framer = scene_state.framer or state.last_framer
    for add_on in state.add_ons:
        add_on.scene_ended(play, scene_state)
    preparation.retire_scope(play, "scene", scene_state.number)
    if refreshes:
        refresh(play)


def end_mini(play: Table) -> None:
    """Back to the parent scene; no Refreshment (U3.23)."""
    state = play.state
    scene_state = state.mini
    if scene_state is None:
        return
    if scene_state.framing:
        end_framing(play, scene_state)
    scene_state.open = False
    scene_state.ended = play.step.number
    scene = play.timeline.get(scene_state.number)
    scene.last_step = play.step.number
    scene.closing = FADE if scene_state.faded else ""
    play.step.scene = scene_state.number
    state.mini = None
    state.mini_step = play.step.number
    for add_on in state.add_ons:
        add_on.scene_ended(play, scene_state)
    preparation.retire_scope(play, "scene", scene_state.number)
