"""UA.7: no bids; scenes are framed and switched between within a turn, and several stay open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move
from chronicle.core.declare import Action, Decides, Part, main, option
from chronicle.core.diagnostic import plural
from chronicle.core.field_types import NAME, label, whole
from chronicle.core.fix import add_entry, replace_with, write_instead
from chronicle.core.names import fold
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, in_force, memory, remembered
from chronicle.games.universalis.bids import BidForScene
from chronicle.games.universalis.coins import charge
from chronicle.games.universalis.framing import FrameScene
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.presence import end_framing
from chronicle.games.universalis.scenes import EndScene, end_mini, scenes_told
from chronicle.games.universalis.state import (
    BANK,
    COIN,
    Charge,
    Component,
    Dialog,
    Phase,
    SceneState,
    Stage,
)
from chronicle.games.universalis.table import unsure_turn

if TYPE_CHECKING:
    from chronicle.core.campaign_view import Block, CampaignView


class SwitchScene(AddOnEntry):
    """Leave the scene at hand open, and go on with another open one where it was left. 1 Coin."""

    verb = "switch"
    decides = Decides("turn", "UA.7", action_phrase="switches to another scene")
    moment = NOT_PREPARING
    example = "switch: The pump house"
    to = main(label(NAME), "the title of an open scene")


class Framing(Part):
    """The largest number of open scenes."""

    most = option(whole(1), "number of open scenes from which on Chronicle warns", default=3)


@dataclass(slots=True, eq=False)
class LeftOpen:
    """What belongs to a scene that was left open: its Complications and its Dialog."""

    running: list[int]
    dialog: Dialog | None


@dataclass(slots=True, eq=False)
class OpenScenes:
    """The open scenes that are not at hand, by number."""

    parked: dict[int, LeftOpen] = field(default_factory=dict)


def switch(play: Table, action: SwitchScene) -> None:
    """Go on with another scene."""
    add_on = in_force(play, OpenSceneFraming)
    if add_on is None:
        return
    state = play.state
    parked = memory(play, OpenScenes).parked
    player = play.step.player = play.step.player or state.turn
    title = fold(action.to)
    number = next(
        (n for n in parked if fold(state.scenes[n].title) == title),
        next((scene.number for scene in scenes_told(play) if fold(scene.title) == title), None),
    )
    play.step.headline = f"To {action.to}"
    charge(play, "switch", add_on.code, "another open scene")
    open_titles = [state.scenes[n].title for n in parked]
    if number is None:
        play.unreadable(
            "T50",
            f"no scene '{action.to}'{play.names.suggest(action.to, open_titles)}",
            at=action.to,
            fix=play.names.spelling_fixes(action.to, open_titles),
        )
        return
    target_scene = state.scenes[number]
    if state.scene is None and state.turn_sure:
        play.require(
            player == state.turn,
            add_on.code,
            f"{player} switches to '{target_scene.title}' on {state.turn}'s turn",
            facts=[play.because(state.turn_step, f"{state.turn}'s turn began here")],
            fix=add_entry(f"interrupt: {player}"),
        )
    # In a hole of the record the table may have gone to another scene.
    holed = bool(target_scene.turns) and play.gap > target_scene.turns[-1][0]
    if state.scene is target_scene and holed:
        return
    if not play.require(
        state.scene is not target_scene,
        add_on.code,
        f"'{target_scene.title}' is the scene at hand",
        at=action.to,
        fix=replace_with(open_titles),
        help=() if open_titles else "no other scene is open",
    ):
        return
    parked_scene = parked.pop(number, None)
    if parked_scene is None:
        play.illegal(
            add_on.code,
            f"'{target_scene.title}' faded to black, and players cannot switch to it"
            if target_scene.faded
            else f"'{target_scene.title}' is over, and players cannot switch to it",
            at=action.to,
            facts=[play.because(target_scene.faded or target_scene.ended, "it was closed here")],
            fix=replace_with(open_titles),
            help=() if open_titles else "no other scene is open",
        )
        return
    add_on.leave_open(play)
    state.scene, state.phase = target_scene, Phase.SCENE
    state.running += parked_scene.running
    state.dialog = parked_scene.dialog
    play.timeline.resume(play.timeline.get(number))
    play.step.scene = number
    play.step.headline = f"Back to {target_scene.title}"
    target_scene.turns.append((play.step.number, player, "switches here"))
    play.event(f"'{target_scene.title}' goes on where it was left", add_on.code, "resumes")


class OpenSceneFraming(AddOn):
    """Several full scenes at a time."""

    summary = (
        "There are no bids. On their own turn a player frames another scene for 1 Coin, or switches for 1 Coin "
        "to one that is open; several stay open together, each with its own Control of Components."
    )
    changes = ("U3.1", "U3.2", "U3.11", "U3.13", "U3.15", "U5.10")
    chosen: Framing
    rule_text = """
        UA.7 Open Scene Framing [checked; V39]
          There are no bids. On their own turn a player may pay 1 Coin and frame a new scene at the usual prices, or
          pay 1 Coin and switch to another open scene, where it goes on as it was left; the turn goes on, too. Only
          its framer closes a scene, on their own turn, by fading to black for 1 Coin; nobody comes back to it. More
          than 2 or 3 open scenes are hard to keep apart.
        UA.7a Open Scene Framing: for a while [computed]
          A group may adopt this for one rapid sequence of scenes and end it again: bids come back with the end of
          the scene at hand, and the scenes that were left open wait, as ended ones do that did not fade, for
          somebody to take them up.
        """
    ruling_text = """
        S95 open refreshment: Without bids between scenes, when is there a Refreshment?
          - closing: whenever a scene is closed
          because the end of a scene is still what brings it (UA.7)
        """
    verbs = {SwitchScene: switch}  # noqa: RUF012

    # -- questions -----------------------------------------------------------------------------------

    def price(
        self, play: Table, what: str, player: str = "", component: Component | None = None
    ) -> int:
        """1 Coin for a new scene, and for a switch."""
        if what in ("frame", "switch"):
            return 1
        return self.inner.price(play, what, player, component)

    def purses(self, play: Table, player: str, sort: str, due: Charge | None = None) -> list[str]:
        """The rest of an earlier bid pays only in the scene that it won."""
        accounts = self.inner.purses(play, player, sort, due)
        if play.state.scene is None or play.state.scene.bids:
            return accounts
        return [account for account in accounts if not account.startswith("bid:")]

    def needs_bid(self, play: Table) -> bool:
        """No."""
        return False

    def framer_without_bid(self, play: Table) -> str:
        """The turn player; the first scene is the starting player's."""
        state = play.state
        first = state.starter if len(state.scenes) == 0 else ""
        return first or state.turn or self.inner.framer_without_bid(play)

    def turn_goes_on(self, play: Table) -> bool:
        """As soon as there was a scene."""
        return bool(play.state.scenes)

    def closing_rule(self, play: Table) -> str:
        """The same, by this add-on."""
        return self.code

    def between_scenes(self, play: Table) -> str:
        """A new scene, or one that is open."""
        parked = memory(play, OpenScenes).parked
        alternative = (
            f" or switches to one of {plural(len(parked), 'open scene')}" if parked else ""
        )
        return f"No scene is at hand: {self.framer_without_bid(play)} frames one{alternative}."

    def leave_open(self, play: Table) -> bool:
        """Keep the scene at hand, with its Complications and its Dialog."""
        state = play.state
        scene = state.scene
        if scene is None:
            return True
        numbers = {scene.number, state.mini.number if state.mini is not None else scene.number}
        running = [n for n in state.running if state.complications[n - 1].scene in numbers]
        if state.mini is not None:
            end_mini(play)
        if scene.framing:
            end_framing(play, scene)
        memory(play, OpenScenes).parked[scene.number] = LeftOpen(running, state.dialog)
        state.running = [n for n in state.running if n not in running]
        state.dialog = None
        state.scene = None
        return True

    # -- moments -------------------------------------------------------------------------------------

    def before_entry(self, play: Table, action: Action) -> None:
        """No bids, no framing off turn, no closing without the Coin."""
        state = play.state
        if play.given:
            return
        if isinstance(action, BidForScene):
            play.illegal(
                self.code,
                "a bid, and at this table scenes are not bid for",
                fix=write_instead("scene: ..."),
                help="frame one on your own turn, for 1 Coin",
            )
            play.taint("bid")
        elif isinstance(action, FrameScene):
            stated = play.step.player if action.by is not None else ""
            unsure = unsure_turn(play) or not state.scenes
            play.require(
                stated in ("", state.turn) or unsure,
                self.code,
                f"{stated} frames a scene, but it is {state.turn}'s turn",
                at=action.place("by") if stated else None,
                facts=[play.because(state.turn_step, f"{state.turn}'s turn began here")],
                fix=add_entry(f"interrupt: {stated}"),
            )
        elif isinstance(action, EndScene) and state.scene is not None and state.mini is None:
            play.require(
                action.fade or fold(action.words or "") == "fade to black",
                self.code,
                f"'{state.scene.title}' is ended, and at this table a scene is closed for 1 Coin",
                fix=write_instead("end scene: fade to black"),
                help="or leave it open:  - switch: ...",
            )

    def scene_opened(self, play: Table, scene: SceneState) -> None:
        """A new frame has its price; too many open scenes are hard to follow."""
        if scene.mini or play.given:
            return
        if isinstance(play.step.action, FrameScene):
            charge(play, "frame", self.code, "a new scene", player=scene.framer)
        active = len(memory(play, OpenScenes).parked) + 1
        play.suspect(
            active > self.chosen.most,
            self.code,
            f"{active} scenes are open at once",
            fix=add_entry("end scene: fade to black"),
        )

    def dropped(self, play: Table) -> None:
        """Scenes that were left open are over, until a player takes them up (UA.7a)."""
        state = play.state
        parked = memory(play, OpenScenes).parked
        for number, parked_scene in parked.items():
            scene_state, scene = state.scenes[number], play.timeline.get(number)
            bid = f"bid:{scene_state.framer}"
            if scene_state.bids and play.balance(bid, COIN) > 0:
                scene_state.lost = play.balance(bid, COIN)
                play.move(bid, BANK, scene_state.lost, COIN, "U3.7", "unspent bid, lost")
            scene_state.open = scene_state.framing = False
            scene_state.ended = scene.last_step = play.step.number
            for running in parked_scene.running:
                state.complications[running - 1].stage = Stage.ABANDONED
            play.event(f"'{scene_state.title}' waits to be taken up", "UA.7a", "ends")
        parked.clear()

    # -- what may come next, and what is shown -------------------------------------------------------

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """Framing and switching on a player's own turn; closing for 1 Coin."""
        state = play.state
        if state.phase is Phase.PREPARATION:
            return options
        options = [option for option in options if option.verb not in ("bid", "scene")]
        player = self.framer_without_bid(play)
        wealth = play.balance(f"wealth:{player}", COIN)
        parked = memory(play, OpenScenes).parked
        if state.scene is not None:
            if state.mini is None:
                fading = self.offer("end scene", "", "", "fade to black").make_entry
                options = [
                    o._replace(make_entry=fading) if o.verb == "end scene" else o for o in options
                ]
                if not wealth:
                    options = [option for option in options if option.verb != "end scene"]
            if state.running or not any(
                option.verb == "event" and option.by == player for option in options
            ):
                return options
            if state.scene.framing:
                return options
        elif state.scenes:
            options.append(Move.plain("end turn", player, "pass", "U3.15", player))
        if wealth >= 2 and len(parked) + (state.scene is not None) < self.chosen.most:
            title, at = f"Scene {len(state.scenes) + 1}", {"new": f"place {len(play.steps)}"}
            options.append(self.offer("scene", player, "frame a scene for 1 Coin", title, at=at))
        for number in parked if wealth else ():
            title = state.scenes[number].title
            options.append(self.offer("switch", player, f"go on with {title}", title))
        return options

    def panel(self, play: Table) -> tuple[Block, ...]:
        """The other open scenes."""
        from chronicle.core.campaign_view import Item, Listing

        scenes = [play.state.scenes[n] for n in memory(play, OpenScenes).parked]
        items = tuple(Item(f"{s.title}, framed by {s.framer}", step=s.step) for s in scenes)
        return (Listing(items, "Left open"),) if items else ()

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """Complications of scenes that were left open are loose ends."""
        from chronicle.core.campaign_view import Item
        from chronicle.games.universalis.sheets import scene_ref

        state: State = view.record.state
        for parked_scene in remembered(state, OpenScenes).parked.values():
            for number in parked_scene.running:
                waiting = state.complications[number - 1]
                scene = scene_ref(view.record, waiting.scene)
                words = (f"the Complication '{waiting.title}' waits in ", scene)
                view.loose_ends.append(Item(words, step=waiting.step))
