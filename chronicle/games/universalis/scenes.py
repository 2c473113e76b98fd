"""Chapter 3, scenes: which have been told, and how a scene ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import TEXT, YES_NO
from chronicle.core.fix import add_entry, set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Piece, TextRole
from chronicle.games.universalis import preparation
from chronicle.games.universalis.actions import (
    FADE,
    OUTSIDE_OUTCOMES,
    Entry,
)
from chronicle.games.universalis.coins import can_pay, charge, settle
from chronicle.games.universalis.fates import end_reductions
from chronicle.games.universalis.moves import acting
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.presence import end_framing
from chronicle.games.universalis.refreshment import refresh
from chronicle.games.universalis.state import BANK, COIN, Complication, Phase, SceneState, Stage
from chronicle.games.universalis.table import turns_over


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
            if scene.mini or not state.points.turn_goes_on(play):
                yield {
                    "end scene": "Back to the others" if scene.mini else "The lamps go out",
                    **by,
                }
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


def scenes_told(play: Table) -> Iterator[SceneState]:
    """The scenes of the story so far, without those of other branches of it."""
    for scene in play.state.scenes.values():
        if play.timeline.includes_scene(play.state.branch, scene.number):
            yield scene


def number_titled(play: Table, word: ScalarNode) -> int | None:
    """The number of the scene with this title, the first if there are several."""
    return next((s.number for s in scenes_told(play) if fold(s.title) == fold(word)), None)


def scene_titled(play: Table, word: ScalarNode) -> int | None:
    """The same; reported if no scene has it."""
    number = number_titled(play, word)
    if number is None:
        scenes = play.state.scenes.values()
        elsewhere = next((s for s in scenes if fold(s.title) == fold(word)), None)
        hint = (
            f" on this branch of the story; it belongs to '{play.timeline.get(elsewhere.number).branch}'"
            if elsewhere is not None
            else play.names.suggest(word, [s.title for s in scenes_told(play)])
        )
        titles = [scene.title for scene in scenes_told(play)] if elsewhere is None else []
        spellings = play.names.spelling_fixes(word, titles)
        play.unreadable("T50", f"no scene '{word}'{hint}", at=word, fix=spellings)
    return number
