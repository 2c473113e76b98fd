"""Chapter 3, second part: Take Overs and Dialog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import NAMES, TEXT, YES_NO, in_role
from chronicle.core.fix import add_entry, drop_entry, write_instead
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import PLAYER, Named
from chronicle.core.references import Condition, contains_words
from chronicle.core.shared_verbs import Say
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.universalis import coins, facts, gates, presence, table
from chronicle.games.universalis.actions import (
    ID,
    IN_SCENE,
    NOT_PREPARING,
    PARTAKING,
    STATED,
    Entry,
)
from chronicle.games.universalis.coins import can_pay
from chronicle.games.universalis.complications import open_complication
from chronicle.games.universalis.moves import (
    MOST,
    acting,
    controlled,
    first,
    of_others,
    open_scene,
)
from chronicle.games.universalis.narration import EndsFraming
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import CHARACTER, Component, Dialog, Fact, SceneState
from chronicle.games.universalis.undo import stop_event

# --- Take Overs -----------------------------------------------------------------------------------------------


class TakeOver(Entry):
    """Pay 1 Coin to take Control of a Component. At any time; it does not make it your turn."""

    verb = "take over"
    heading = "Control"
    synonyms = ("control", "take control", "seize")
    decides = Decides("by")
    moment = IN_SCENE
    example = "take over: Ines Vale\n  by: Dov"
    what = main(in_role("taken over", NAMES), "the Component (or Components)")
    against = option(
        ID, "the Event that it turns into a Complication: its id, words of it, or last"
    )
    invited = option(YES_NO, "yes, if its Controller asked for it", default=False)
    from_ = option(STATED, "who had Control; checked", computed=True)
    offered: ClassVar[Offered | None] = Offered("U3.29", "take something over for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        scene = open_scene(play)
        for player in play.present:
            if scene is not None and can_pay(play, player, "take over"):
                for component in first(of_others(play, scene, player), MOST // len(play.present)):
                    yield {cls.verb: component.name, "by": player}

    @guard("U3.29")
    def may_pass(self, play: Table) -> Iterator[Violation]:
        for word, component in table.known(play, self.what):
            yield from self._obstacle(play, component, word)

    @guard("U3.26", DiagnosticKind.BOOKKEEPING, at="from")
    def had_control(self, play: Table) -> Iterator[str]:
        stated = play.look_up_player(self.from_) if self.from_ is not None else ""
        for scene, word, component in table.known_in_scene(play, self.what) if stated else ():
            holder = presence.holder_of(play, scene, component)
            if holder not in ("", stated) and not [*self._obstacle(play, component, word)]:
                yield f"{holder} Controls {component.name}, not {stated}"

    @guard("U6.8")
    def is_free_of_dice(self, play: Table) -> Iterator[Violation]:
        for word, component in self._passing(play):
            step = presence.is_committed(play, component)
            if step:
                yield Violation(
                    f"{component.name} is committed to an open Complication and cannot be taken over",
                    word,
                    facts=[play.because(step, "committed here")],
                    help="wait until it is resolved",
                )

    @question("U4.23")
    def is_its_own(self, play: Table) -> Iterator[Violation]:
        scene = play.state.current_scene
        for word, component in self._passing(play):
            is_attached = component.owner and scene is not None and component.owner in scene.present
            if is_attached and not presence.is_committed(play, component):
                owner = play.state.components[component.owner]
                yield Violation(
                    f"{component.name} is still attached to {owner.name}, whoever Controls {owner.name} Controls it",
                    word,
                    write_instead(f"take over: {owner.name}"),
                    "or separate them",
                )

    @guard("U3.9")
    def is_no_frame(self, play: Table) -> Iterator[Violation]:
        scene = play.state.current_scene
        for _ in self._passing(play):
            if scene is not None and scene.framing and play.step.player != scene.framer:
                barred = play.ruling("framing take over") == "barred"
                yield Violation(
                    f"a Take Over while {scene.framer} is framing",
                    facts=[play.because(scene.step, "framing began here")],
                    kind=DiagnosticKind.ILLEGAL if barred else DiagnosticKind.SUSPICIOUS,
                )

    @question("U3.31", at="against")
    def stops_what_has_just_begun(self, play: Table) -> Violation | None:
        scene, word = play.state.current_scene, self.against
        fact = facts.event_named(scene, word) if scene is not None and word is not None else None
        components = [component for _, component in self._passing(play)] if fact else []
        if scene is None or fact is None or not components:
            return None
        later = [f for f in scene.facts if f.kind == "event" and f.step > fact.step]
        carried_out = next((event for event in later if not event.struck), None)
        if carried_out is None or not _has_part(play, components).holds(fact):
            return None
        return Violation(
            "this Event has taken effect: more has happened since",
            facts=[play.because(carried_out.step, "this")],
        )

    def _passing(self, play: Table) -> Iterator[tuple[ScalarNode, Component]]:
        """The Components of which Control passes, each with its name."""
        for word, component in table.known(play, self.what):
            if self._passes(play, component):
                yield word, component

    def _passes(self, play: Table, component: Component) -> bool:
        scene = play.state.current_scene
        is_here = scene is not None and presence.may_be_here(play, scene, component)
        return is_here and not [*self._obstacle(play, component)]

    def _obstacle(
        self, play: Table, component: Component, word: ScalarNode | None = None
    ) -> Iterator[Violation]:
        """Why Control of a Component cannot pass to the player at all."""
        scene, player = play.state.current_scene, play.step.player
        if scene is None:
            return
        holder = presence.holder_of(play, scene, component)
        if component.master:
            yield Violation(f"{component.name} is a Master: nobody Controls it", word, rule="U4.27")
        elif not presence.may_be_here(play, scene, component):
            if not component.placeholder:
                yield Violation(
                    f"{component.name} is not in the scene",
                    word,
                    write_instead(f"introduce: {component.name}"),
                )
        elif holder == player:
            yield Violation(
                f"{player} Controls {component.name} already",
                word,
                drop_entry(),
                facts=[play.because(change[0], "since then") for change in component.control[-1:]],
            )
        elif holder:
            bar = play.state.points.bars_control(play, player, component)
            yield from gates.violations_of(play, bar, word)

    def apply(self, play: Table) -> None:
        """Pay 1 Coin and Control is yours (U3.29)."""
        scene = play.state.current_scene
        if scene is None:
            return
        names: list[str] = []
        components: list[Component] = []
        for _, component in table.find_each(play, self.what):
            if self._take(play, scene, component):
                components.append(component)
            names.append(component.name)
        play.step.headline = f"{play.step.player} takes over {listed(names)}"
        if self.against is not None and components:
            _turn_into_complication(play, self, scene, components)

    def _take(self, play: Table, scene: SceneState, component: Component) -> bool:
        player = play.step.player
        holder = presence.holder_of(play, scene, component)
        if not (self.invited and play.ruling("voluntary take over") == "free"):
            coins.charge(
                play,
                "take over",
                "U3.29",
                f"Control of {component.name}",
                amount=play.state.points.take_over_price(play, player, component),
                component=component,
            )
        if not self._passes(play, component):
            return False
        if self.from_ is not None:
            play.player(self.from_)
        presence.is_here(play, scene, component)
        presence.gain_control(play, scene, component, player, "takes over")
        play.event(
            f"{player} Controls {component.name}" + (f", until now {holder} did" if holder else ""),
            "U3.29",
            "control",
            component.id,
        )
        return True


def _turn_into_complication(
    play: Table, action: TakeOver, scene: SceneState, components: list[Component]
) -> None:
    """An Event that was declared but not carried out becomes a Complication (U3.31, S26, S27)."""
    state = play.state
    word = action.against
    if word is None:
        return
    fact = facts.event_meant(play, scene, word, "U3.31", _has_part(play, components))
    if fact is None:
        return
    refund = play.ruling("stopped event") == "returned"
    stop_event(play, fact, refund=refund)
    taker = play.step.player
    receivers = [c for c in components if c.id in fact.receivers]
    performers = [state.components[id] for id in fact.performers]
    if receivers or not fact.receivers or not any(c.id in fact.performers for c in components):
        # What the Event needs is no longer its player's, who interacts with it all the same (S27).
        originator = fact.player
        sources = [c for c in performers if c not in components]
        targets = receivers or components
    else:
        originator = taker
        sources = [c for c in components if c.id in fact.performers]
        targets = [state.components[id] for id in fact.receivers]
    open_complication(play, fact.text, "interaction", originator, sources, targets, event=fact.step)


def _has_part(play: Table, components: list[Component]) -> Condition[Fact]:
    """The Component taken over is part of the Event that it stops (U3.31)."""
    names = [name for c in components for name in (c.name, *play.names.all[c.id].aliases)]

    def holds(fact: Fact) -> bool:
        involved = {*fact.performers, *fact.receivers}
        part = any(c.id in involved for c in components) or any(
            contains_words(fact.text, name) for name in names
        )
        return part or not involved

    return Condition(
        holds,
        "U3.31",
        f"{listed(c.name for c in components)} has no part in this Event",
        "take over what it does something to, or what does it",
    )


# --- Dialog ---------------------------------------------------------------------------------------------------


class StartDialog(EndsFraming):
    """Begin a conversation in the Characters' own voices. 1 Coin, as an Event. While it lasts no player needs a
    `by`: the last speaker acts, or the player who Controls the only speaker in the entry."""

    verb = "dialog"
    synonyms = ("conversation", "talk", "speak", "dialogue")
    decides = Decides("turn", "U3.57", action_phrase="starts a Dialog")
    moment = IN_SCENE
    example = "dialog: [Ines Vale, harbour master]"
    speakers = main(PARTAKING, "who speaks")
    refused_by = option(
        in_role("refuses", NAMES),
        "players who do not want it: it becomes a Complication",
        default=(),
    )
    offered = Offered("U3.33", "begin a Dialog for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for scene, player, by in acting(play, "dialog") if play.state.dialog is None else ():
            own = [*controlled(play, scene, player)]
            for partner in (*of_others(play, scene, player), *own):
                for talker in own[:3]:
                    if talker is not partner and talker.kind == partner.kind == CHARACTER:
                        yield {"dialog": [talker.name, partner.name], **by}

    @guard("U5.3")
    def can_talk(self, play: Table) -> Iterator[Violation]:
        for scene, word, component in table.known_in_scene(play, self.speakers):
            if not presence.may_be_here(play, scene, component):
                if not component.placeholder:
                    yield Violation(f"{component.name} is not in the scene", word)
            elif component.kind != CHARACTER or component.master:
                yield Violation(
                    f"{component.name} is no character; can it talk?",
                    word,
                    rule="U3.27",
                    kind=DiagnosticKind.SUSPICIOUS,
                )

    @guard("U3.33")
    def controls_one(self, play: Table) -> Violation | None:
        scene = play.state.current_scene
        speakers = [component for _, component in table.known(play, self.speakers)]
        if scene is None or play.given:
            return None
        holders = {scene.control.get(component.id, "") for component in speakers}
        if play.step.player in holders or not holders - {""}:
            return None
        names = listed(component.name for component in speakers)
        return Violation(
            f"{play.step.player} Controls none of {names}",
            fix=table.take_over_first(play, speakers[0]),
        )

    def apply(self, play: Table) -> None:
        """A conversation in first person (U3.33)."""
        state, step, scene = play.state, play.step, play.state.current_scene
        if scene is None:
            return
        presence.close_frame(play, scene)
        speakers = [component for _, component in table.find_each(play, self.speakers)]
        for component in speakers:
            presence.is_here(play, scene, component)
        player = step.player
        refused = table.players_in(play, self.refused_by)
        if refused:
            sources = [c for c in speakers if scene.control.get(c.id) == player]
            targets = [c for c in speakers if scene.control.get(c.id) != player]
            play.event(
                f"{listed(refused)} would rather not talk: it is a Complication", "U3.36", "refused"
            )
            open_complication(play, "A talk refused", "interaction", player, sources, targets)
            return
        coins.charge(play, "dialog", "U3.33", "a Dialog")
        state.event_this_turn = step.number
        dialog = Dialog(step.number, player, [c.id for c in speakers])
        state.dialog = dialog
        state.dialogs.append(dialog)
        names = listed(c.name for c in speakers)
        step.headline = f"A talk: {names}" if len(speakers) < 2 else f"{names} talk"
        ids = tuple(c.id for c in speakers)
        facts.note(play, self.id, "dialog", f"{names} talk", "event", "scene", performers=ids)
        for component in speakers:
            component.events.append(step.number)
        play.event(f"{names} talk in their own voices", "U3.33", "dialog")


class EndDialog(Entry):
    """The conversation is over; its starter goes on with the turn."""

    verb = "end dialog"
    synonyms = ("end conversation",)
    decides = Decides("starter", "U3.33", action_phrase="ends the talk")
    moment = NOT_PREPARING
    example = "end dialog:"
    words = main(TEXT, "how it ends", default=None, text_role=TextRole.SENTENCE)
    offered = Offered("U3.33", "end the Dialog")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        yield {"end dialog": "Enough"}

    @guard("U3.33")
    def a_dialog_is_open(self, play: Table) -> Violation | None:
        if play.state.dialog is not None or play.given or play.gap > 0:
            return None
        return Violation("no Dialog is open", since=0)

    def apply(self, play: Table) -> None:
        """Its starter goes on with the turn (U3.33)."""
        state = play.state
        if state.dialog is None:
            return
        play.step.player = play.step.player or state.dialog.starter
        play.step.headline = "The talk is over"
        play.step.tell(self.words)
        state.dialog = None


def _bars_speech(play: Table, action: Say) -> Iterator[Violation]:
    """Who speaks is in the scene, and the player's own; a talk between several is a Dialog, which is paid for."""
    state, scene = play.state, play.state.current_scene
    stated = play.step.player if action.by is not None else ""
    voices: dict[str, str] = {}
    if scene is None:
        return
    for word, component in _speakers(play, action):
        if not play.given and not presence.may_be_here(play, scene, component):
            if not component.placeholder and play.gap <= scene.step:
                yield Violation(
                    f"{component.name} is not in the scene",
                    word,
                    add_entry(f"introduce: {component.name}"),
                    after=(f"mute:{component.id}",),
                    doubts=(f"mute:{component.id}",),
                    since=scene.step,
                    rule="U5.3",
                )
            continue
        holder = presence.holder_of(play, scene, component)
        bar = state.points.bars_voice(play, stated, component) if stated else None
        if bar is not None:
            yield from gates.violations_of(play, bar, word)
        elif stated and holder and holder != stated:
            message = f"{stated} speaks for {component.name}, whom {holder} Controls"
            fix = table.take_over_first(play, component)
            yield Violation(message, word, fix, rule="U3.33")
        voices[holder] = component.name
    voices.pop("", None)
    if state.dialog is None and len(voices) > 1 and not play.given and not state.purses:
        yield Violation(
            f"{listed(voices.values())} talk, and no player paid for a Dialog",
            fix=add_entry(f"dialog: [{', '.join(voices.values())}]"),
            after=("dialog",),
            doubts=("dialog",),
            rule="U3.33",
        )


def _speakers(play: Table, action: Say) -> Iterator[tuple[ScalarNode, Component]]:
    """The Components that speak, each with its name; players, and names that mean none or several, are left out."""
    for line in action.lines:
        match = play.names.find(line.speaker)
        meant = [component for _, component in table.known(play, (line.speaker,))]
        if len(meant) == 1 and not (isinstance(match, Named) and match.kind == PLAYER):
            yield line.speaker, meant[0]


def say(play: Table, action: Say) -> None:
    """Speech: each speaker speaks for the Controller (U3.33, U3.34)."""
    step = play.step
    step.tell("\n\n".join(f"**{line.speaker}:** {line.words}" for line in action.lines))
    scene, dialog = play.state.current_scene, play.state.dialog
    gates.report_all(play, _bars_speech(play, action))
    for line in action.lines:
        match = play.names.find(line.speaker)
        if isinstance(match, Named) and match.kind == PLAYER:
            step.player = match.id
            continue
        component = table.find_one(play, line.speaker)
        if component is None or scene is None:
            continue
        holder = presence.holder_of(play, scene, component)
        if not play.given and not presence.is_here(play, scene, component):
            continue
        if dialog is not None:
            dialog.speaking = holder
            dialog.voice = component.id
            if component.id not in dialog.speakers:
                dialog.speakers.append(component.id)
        step.player = holder or step.player


def is_exchange(play: Table, player: str) -> bool:
    """Whether a player may act off turn because a Dialog is going on (U3.34)."""
    dialog = play.state.dialog
    if dialog is None:
        return False
    scene = play.state.current_scene
    return scene is not None and any(scene.control.get(id) == player for id in dialog.speakers)
