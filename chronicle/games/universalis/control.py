"""Chapter 3, second part: Take Overs and Dialog."""

from __future__ import annotations

from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.fix import add_entry, drop_entry, write_instead
from chronicle.core.names import PLAYER, Named
from chronicle.core.references import Condition, contains_words
from chronicle.core.shared_verbs import Say
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, facts, gates, presence, table
from chronicle.games.universalis.actions import EndDialog, StartDialog, TakeOver
from chronicle.games.universalis.complications import open_complication
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import CHARACTER, Component, Dialog, Fact, SceneState
from chronicle.games.universalis.undo import stop_event

# --- Take Overs -----------------------------------------------------------------------------------------------


def take_over(play: Table, action: TakeOver) -> None:
    """Pay 1 Coin and Control is yours (U3.29)."""
    scene = play.state.current_scene
    if scene is None:
        return
    player = play.step.player
    names: list[str] = []
    components: list[Component] = []
    for word, component in table.find_each(play, action.what):
        if _take(play, action, scene, component, word):
            components.append(component)
        names.append(component.name)
    play.step.headline = f"{player} takes over {listed(names)}"
    if action.against is not None and components:
        _turn_into_complication(play, action, scene, components)


def _take(
    play: Table, action: TakeOver, scene: SceneState, component: Component, word: ScalarNode
) -> bool:
    state = play.state
    player = play.step.player
    holder = presence.holder_of(play, scene, component)
    free = action.invited and play.ruling("voluntary take over") == "free"
    if not free:
        price = state.points.take_over_price(play, player, component)
        coins.charge(
            play,
            "take over",
            "U3.29",
            f"Control of {component.name}",
            amount=price,
            component=component,
        )
    if component.master:
        return play.illegal("U4.27", f"{component.name} is a Master: nobody Controls it", at=word)
    if not presence.is_here(play, scene, component):
        play.require(
            component.placeholder,
            "U3.29",
            f"{component.name} is not in the scene",
            at=word,
            fix=write_instead(f"introduce: {component.name}"),
        )
        return False
    if holder == player:
        return play.illegal(
            "U3.29",
            f"{player} Controls {component.name} already",
            at=word,
            facts=[play.because(change[0], "since then") for change in component.control[-1:]],
            fix=drop_entry(),
        )
    if not presence.may_pass(play, scene, component, player, word):
        return False
    if action.from_ is not None:
        stated = play.player(action.from_)
        if stated and holder and stated != holder:
            play.report(
                DiagnosticKind.BOOKKEEPING,
                "U3.26",
                f"{holder} Controls {component.name}, not {stated}",
                at="from",
            )
    step = presence.is_committed(play, component)
    if step:
        play.illegal(
            "U6.8",
            f"{component.name} is committed to an open Complication and cannot be taken over",
            at=word,
            facts=[play.because(step, "committed here")],
            help="wait until it is resolved",
        )
    elif component.owner and component.owner in scene.present:
        owner = state.components[component.owner]
        play.suspect(
            True,
            "U4.23",
            f"{component.name} is still attached to {owner.name}, whoever Controls {owner.name} Controls it",
            at=word,
            fix=write_instead(f"take over: {owner.name}"),
            help="or separate them",
        )
    if scene.framing and player != scene.framer:
        barred = play.ruling("framing take over") == "barred"
        play.report(
            DiagnosticKind.ILLEGAL if barred else DiagnosticKind.SUSPICIOUS,
            "U3.9",
            f"a Take Over while {scene.framer} is framing",
            facts=[play.because(scene.step, "framing began here")],
        )
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
    later = [f for f in scene.facts if f.kind == "event" and f.step > fact.step and not f.struck]
    play.suspect(
        bool(later),
        "U3.31",
        "this Event has taken effect: more has happened since",
        at="against",
        facts=[play.because(event.step, "this") for event in later[:1]],
    )
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


def start_dialog(play: Table, action: StartDialog) -> None:
    """A conversation in first person (U3.33)."""
    state = play.state
    step = play.step
    scene = play.state.current_scene
    if scene is None:
        return
    if scene.framing:
        presence.end_framing(play, scene)
    speakers = [c for word in action.speakers for c in table.find_all(play, word)]
    for component, word in zip(speakers, action.speakers, strict=False):
        if not presence.is_here(play, scene, component):
            play.require(
                component.placeholder, "U5.3", f"{component.name} is not in the scene", at=word
            )
        elif component.kind != CHARACTER or component.master:
            play.suspect(True, "U3.27", f"{component.name} is no character; can it talk?", at=word)
    player = step.player
    holders = {scene.control.get(c.id, "") for c in speakers}
    play.require(
        player in holders or not holders - {""} or play.given,
        "U3.33",
        f"{player} Controls none of {listed(c.name for c in speakers)}",
        fix=table.take_over_first(play, speakers[0]) if speakers else (),
    )
    refused = table.players_in(play, action.refused_by)
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
    facts.note(play, action.id, "dialog", f"{names} talk", "event", "scene", performers=ids)
    for component in speakers:
        component.events.append(step.number)
    play.event(f"{names} talk in their own voices", "U3.33", "dialog")


def end_dialog(play: Table, action: EndDialog) -> None:
    """Its starter goes on with the turn (U3.33)."""
    state = play.state
    if state.dialog is None:
        play.require(
            play.given or play.gap > 0,
            "U3.33",
            "no Dialog is open",
            since=0,
        )
        return
    play.step.player = play.step.player or state.dialog.starter
    play.step.headline = "The talk is over"
    play.step.tell(action.words)
    state.dialog = None


def say(play: Table, action: Say) -> None:
    """Speech: each speaker speaks for the Controller (U3.33, U3.34)."""
    state = play.state
    step = play.step
    spoken = "\n\n".join(f"**{line.speaker}:** {line.words}" for line in action.lines)
    step.tell(spoken)
    scene = state.current_scene
    dialog = state.dialog
    holders: dict[str, str] = {}
    stated = step.player if action.by is not None else ""
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
            play.require(
                component.placeholder or play.gap > scene.step,
                "U5.3",
                f"{component.name} is not in the scene",
                at=line.speaker,
                fix=add_entry(f"introduce: {component.name}"),
                after=(f"mute:{component.id}",),
                since=scene.step,
            )
            play.taint(f"mute:{component.id}")
            continue
        bar = play.state.points.bars_voice(play, stated, component) if stated else None
        if bar is not None:
            gates.nothing_bars(play, bar, line.speaker)
        elif stated and holder and holder != stated:
            play.illegal(
                "U3.33",
                f"{stated} speaks for {component.name}, whom {holder} Controls",
                at=line.speaker,
                fix=table.take_over_first(play, component),
            )
        holders[holder] = component.name
        if dialog is not None:
            dialog.speaking = holder
            dialog.voice = component.id
            if component.id not in dialog.speakers:
                dialog.speakers.append(component.id)
        step.player = holder or step.player
    voices = [name for holder, name in holders.items() if holder]
    if dialog is None and len(voices) > 1 and not play.given and not state.purses:
        play.illegal(
            "U3.33",
            f"{listed(voices)} talk, and no player paid for a Dialog",
            fix=add_entry(f"dialog: [{', '.join(voices)}]"),
            after=("dialog",),
        )
        play.taint("dialog")


def is_exchange(play: Table, player: str) -> bool:
    """Whether a player may act off turn because a Dialog is going on (U3.34)."""
    dialog = play.state.dialog
    if dialog is None:
        return False
    scene = play.state.current_scene
    return scene is not None and any(scene.control.get(id) == player for id in dialog.speakers)
