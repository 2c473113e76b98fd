"""Chapter 5: locations, time within a scene, Exits and absences, Events and other details."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.field_types import NAME, NAMES, TEXT, in_role
from chronicle.core.fix import add_entry, drop_key, set_key, write_instead
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import Named, fold
from chronicle.core.references import ReferenceTarget
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.universalis import coins, facts, presence, table
from chronicle.games.universalis.actions import (
    AGREEING,
    COMPONENT,
    ID,
    IN_SCENE,
    NAMED,
    PARTAKING,
    Entry,
    NewComponent,
    called,
    on_a_turn,
)
from chronicle.games.universalis.components import bars_new, make
from chronicle.games.universalis.moves import (
    EVENTS,
    acting,
    controlled,
    elsewhere,
    of_others,
    places,
)
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import (
    CHARACTER,
    PLACE,
    Component,
    Dialog,
    Fact,
    SceneState,
)

# --- location and time ------------------------------------------------------------------------------------


def establish(play: Table, scene: SceneState, location: ScalarNode | NewComponent) -> None:
    """Establish the location (U5.6); the Coin for the Role of a new place does it too (U5.7). Guards of the entry have
    asked :func:`bars_location`."""
    if isinstance(location, NewComponent) and location.existing is None:
        component = make(play, location, asked=True)[0]
    else:
        word = location.existing if isinstance(location, NewComponent) else location
        if word is None:
            return
        named_component = table.find_one(play, word, how=f"introduce: {{place: {word}}}")
        if named_component is None:
            return
        component = named_component
        if component.placeholder:
            component.kind = PLACE
            play.names.all[component.id].kind = PLACE
        coins.charge(play, "location", "U5.6", f"location: {component.name}", component=component)
    _move_to(play, scene, component)


def bars_location(
    play: Table, scene: SceneState, location: ScalarNode | NewComponent, came: set[str]
) -> Iterator[Violation]:
    """What keeps something from being the location of a scene, or the scene from leaving its old one. ``came`` gets the
    ids of what comes in."""
    old = play.state.components.get(scene.location)
    help = "write it as  {new: what the place is}"
    if isinstance(location, NewComponent) and location.existing is None:
        if location.new is None and location.place is None and not location.sub:
            unread = DiagnosticKind.UNREADABLE
            yield Violation("a location is a place", "at", help=help, rule="U5.6", kind=unread)
        place = None
    else:
        word = location.existing if isinstance(location, NewComponent) else location
        places = [place for _, place in table.known(play, () if word is None else (word,))]
        place = places[0] if len(places) == 1 else None
        if word is None or len(places) > 1:
            return
        if place is not None:
            yield from _bars_known_place(play, scene, place, word, came)
    if old is not None and old is not place and old.id in scene.present:
        yield from presence.held_by_dice(play, old)


def _bars_known_place(
    play: Table, scene: SceneState, place: Component, word: ScalarNode, came: set[str]
) -> Iterator[Violation]:
    if place.kind == CHARACTER and not place.placeholder:
        yield Violation(
            f"{place.name} is a character; a location is a place",
            word,
            help="write a new place as  {new: what the place is}",
            rule="U5.6",
            kind=DiagnosticKind.SUSPICIOUS,
        )
    if place.id not in scene.present:
        yield from presence.bars_entering(play, scene, place, word, came=came)
    elif not presence.is_committed(play, place):
        yield from presence.bars_passing(play, scene, place, play.step.player)
    yield from _bars_place(play, scene, place)


def _move_to(play: Table, scene_state: SceneState, component: Component) -> None:
    old = scene_state.location
    if old and old != component.id and old in scene_state.present:
        presence.leave(play, scene_state, play.state.components[old], "is left behind")
    scene_state.location = component.id
    scene_state.located = True
    scene_state.left_places.pop(component.id, None)
    player = play.step.player
    if component.id not in scene_state.present:
        presence.enter(play, scene_state, component, player, "is the location")
    elif not presence.is_committed(play, component) and not any(
        presence.bars_passing(play, scene_state, component, player)
    ):
        presence.gain_control(play, scene_state, component, player, "establishes the location")
    scene = play.timeline.get(scene_state.number)
    scene.place = f"{scene.place}, {component.name}" if old and scene.place else component.name
    play.event(f"location: {component.name}", "U5.6", "location", component.id)


def _bars_place(play: Table, scene: SceneState, place: Component) -> Iterator[Violation]:
    """What happens at the same time as another scene happens at another place (U5.12)."""
    if play.given or scene.frame != "meanwhile":
        return
    for other_scene in play.state.scenes.values():
        if (
            other_scene.location == place.id
            and play.timeline.are_simultaneous(other_scene.number, scene.number)
            and play.timeline.includes_scene(play.state.branch, other_scene.number)
        ):
            yield Violation(
                f"'{other_scene.title}' is at {place.name} at the same time",
                help="what runs at the same time runs elsewhere; go on in that scene, or follow it",
                facts=[play.because(other_scene.step, "that scene")],
                rule="U5.12",
                kind=DiagnosticKind.SUSPICIOUS,
            )
            return


class MoveLocation(Entry):
    """Establish the location or move the scene to another, for 1 Coin. Those present come along."""

    verb = "location"
    synonyms = ("place", "move")
    decides = Decides("turn", "U3.57", action_phrase="moves the scene")
    moment = IN_SCENE
    example = "location: {new: bell tower, traits: [swaying]}"
    to = main(COMPONENT, "a name, or {new: Role, traits: [...]}")
    offered = Offered("U5.8", "move the scene for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for scene, _, by in acting(play, "location", framing=True):
            if not (scene.framing and scene.located):
                yield from ({"location": at, **by} for at in places(play))

    def lead_in(self) -> str:
        return f"Now at {called((self.to,), listed)}"

    @guard("U5.6")
    def may_be_the_location(self, play: Table) -> Iterator[Violation]:
        scene = play.state.current_scene
        if scene is not None:
            yield from bars_location(play, scene, self.to, set())
            yield from bars_new(play, [self.to])

    def apply(self, play: Table) -> None:
        """Move the scene; those present come along free (U5.8)."""
        scene = play.state.current_scene
        if scene is None:
            return
        moved = scene.located
        establish(play, scene, self.to)
        if moved:
            scene.moved_step, scene.left_after_move = play.step.number, 0
        place = play.state.components.get(scene.location)
        if place is not None:
            play.step.headline = f"{'To' if moved else 'At'} {place.name}"


class JumpTime(Entry):
    """Change the time within a scene: with Bonus Coins, or under a Gimmick."""

    verb = "time"
    synonyms = ("later", "when")
    decides = Decides("turn", "U3.57", action_phrase="moves time")
    moment = IN_SCENE
    example = "time: an hour later\n  under: rifts"
    to = main(TEXT, "when it is now", text_role=TextRole.LEAD)
    offered = Offered("U5.15", "let time jump")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, _, by in acting(play, "time"):
            yield {"time": "an hour later", **by}

    @guard("U5.15")
    def may_jump(self, play: Table) -> Violation | None:
        scene = play.state.current_scene
        if scene is None or table.purse_of(play) is not None or play.given:
            return None
        if play.state.points.time_may_jump(play):
            return None
        return Violation(
            f"time does not jump within '{scene.title}'",
            facts=[play.because(scene.step, "the scene began here")],
            help="end the scene and frame another, cut away with  - mini scene: ...,  or cite a Gimmick that allows it",
        )

    def apply(self, play: Table) -> None:
        """Time jumps in mid-scene: only with Bonus Coins or under a Gimmick (U5.15)."""
        scene_state = play.state.current_scene
        if scene_state is None:
            return
        coins.charge(play, "time", "U5.15", f"time: {self.to}")
        scene = play.timeline.get(scene_state.number)
        scene.time = f"{scene.time}, then {self.to}" if scene.time else str(self.to)
        play.step.headline = str(self.to)
        play.event(f"it is {self.to} now", "U5.15", "time")


# --- who is not there ---------------------------------------------------------------------------------------


class LeaveScene(Entry):
    """Let Components that you Control leave the scene, 1 Coin each."""

    verb = "exit"
    synonyms = ("go away", "leave scene")
    lead_in_template = "Exit {who}"
    decides = Decides("turn", "U3.57", action_phrase="lets Components leave")
    moment = IN_SCENE
    in_exchange = True
    example = "exit: General 1"
    who = main(in_role("leaves", NAMES), "who leaves")
    because = option(TEXT, "what justifies it", text_role=TextRole.SENTENCE)
    offered = Offered("U5.18", "let somebody leave for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for scene, player, by in acting(play, "exit"):
            for component in (*controlled(play, scene, player), *of_others(play, scene, player)):
                if component.kind != PLACE:
                    yield {"exit": component.name, **by}

    @guard("U5.18")
    def may_leave(self, play: Table) -> Iterator[Violation]:
        for scene, word, component in table.known_in_scene(play, self.who):
            yield from bars_exit(play, scene, component, word)

    def apply(self, play: Table) -> None:
        """Controlled Components leave, 1 Coin each (U5.18)."""
        scene = play.state.current_scene
        if scene is None:
            return
        names = []
        for _, component in table.find_each(play, self.who):
            go_away(play, scene, component, "U5.18")
            names.append(component.name)
        play.step.headline = f"Exit {listed(names)}"


def bars_exit(
    play: Table, scene: SceneState, component: Component, word: ScalarNode
) -> Iterator[Violation]:
    """What keeps a Component from leaving: it is not there, it is another player's (U5.18), or dice hold it (U6.8)."""
    if not presence.may_be_here(play, scene, component):
        if not (component.open_list and component.placeholder):
            yield Violation(f"{component.name} is not in the scene", word, rule="U5.18")
        return
    holder = presence.holder_of(play, scene, component)
    player = play.step.player
    foreign = holder and player and holder != player
    if foreign and not play.state.purses and not play.given and play.ruling("exit") == "controlled":
        yield Violation(
            f"{player} lets {component.name} leave, whom {holder} Controls",
            word,
            table.take_over_first(play, component),
            rule="U5.18",
        )
    yield from presence.bars_leaving(play, scene, component, word)


def go_away(play: Table, scene: SceneState, component: Component, rule: str) -> None:
    """One Component leaves the scene; :func:`bars_exit` has asked whether it may."""
    coins.charge(play, "exit", rule, f"{component.name} leaves", component=component)
    if not presence.is_here(play, scene, component):
        return
    presence.leave(play, scene, component, "leaves")
    if scene.moved_step:
        scene.left_after_move += 1
        stay = sum(1 for id in scene.present if play.state.components[id].kind != PLACE)
        if scene.left_after_move > max(stay, 1):
            # Who has left is counted as they leave, by whatever entry.
            play.suspect(
                True,
                "U5.8",
                "the location has changed and most of the cast stays behind",
                facts=[play.because(scene.moved_step, "the scene moved here")],
                help="that is another scene: end this scene and bid for the next",
            )
            scene.moved_step = 0
    play.event(f"Exit {component.name}", rule, "leaves", component.id)


class StateAbsent(Entry):
    """State, for 1 Coin each, that Components are not in this scene."""

    verb = "absent"
    decides = Decides("turn", "U3.57", action_phrase="states an absence")
    moment = IN_SCENE
    example = "absent: harbour master"
    who = main(in_role("absent", NAMES), "who is not there")
    offered = Offered("U5.20", "state that a Component is absent")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for scene, _, by in acting(play, "absent"):
            for component in elsewhere(play, scene):
                if component.id not in scene.absent:
                    yield {"absent": component.name, **by}

    @guard("U5.20")
    def is_not_there(self, play: Table) -> Iterator[Violation]:
        for scene, word, component in table.known_in_scene(play, self.who):
            if component.id in scene.present:
                yield Violation(
                    f"{component.name} is in the scene",
                    word,
                    write_instead(f"exit: {component.name}", when="if it leaves"),
                    facts=[play.because(scene.present[component.id], "came in here")],
                )

    def apply(self, play: Table) -> None:
        """A Fact that a Component is absent (U5.20)."""
        scene = play.state.current_scene
        if scene is None:
            return
        names = []
        for _, component in table.find_each(play, self.who):
            coins.charge(play, "absent", "U5.20", f"{component.name} is not there")
            scene.absent[component.id] = play.step.number
            names.append(component.name)
            play.event(f"Absent: {component.name}", "U5.20", "absent", component.id)
        play.step.headline = f"Absent: {listed(names)}"


# --- Events and details -------------------------------------------------------------------------------------


class EndsFraming(Entry):
    """An entry that ends the framing of a scene (U3.10)."""

    @guard("U3.8")
    def frame_is_complete(self, play: Table) -> Iterator[Violation]:
        return presence.lacks_of_frame(play)


class Event(EndsFraming):
    """Say what happens: one effect, by one performer, on one receiver. 1 Coin, and a Fact."""

    verb = "event"
    synonyms = ("action", "act", "do", "happens")
    already_shown_kinds = frozenset({"event"})
    decides = Decides("turn", "U3.57", action_phrase="tells an Event")
    moment = IN_SCENE
    in_exchange = True
    example = "event: Ines finds the pump stopped"
    words = main(TEXT, "what happens", text_role=TextRole.SENTENCE)
    performer = option(PARTAKING, "who or what does it (you Control it)", default=())
    receiver = option(
        PARTAKING,
        "who or what it is done to (you Control it, or its Controller agrees)",
        default=(),
    )
    each = option(PARTAKING, "one Event for each of these", default=())
    agreed_by = option(
        AGREEING, "Controllers who agree that their Component is touched", default=()
    )
    offered = Offered("U5.21", "tell an Event for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, _, by in acting(play, "event", framing=True):
            for words in EVENTS:
                yield {"event": words, **by}

    @guard("U3.26")
    def may_perform(self, play: Table) -> Iterator[Violation]:
        for word, component in table.known(play, self.performer):
            yield from self._bars_performing(play, component, word)

    @guard("U3.38")
    def may_receive(self, play: Table) -> Iterator[Violation]:
        if not play.state.purses and not play.given:
            for word, component in table.known(play, (*self.receiver, *self.each)):
                yield from self._bars_receiving(play, component, word)

    @question("U5.21")
    def is_one_event(self, play: Table) -> Iterator[Violation]:
        for role_name, words in (("performers", self.performer), ("receivers", self.receiver)):
            several = {component.id: component for _, component in table.known(play, words)}
            if len(several) > 1 and not self.each:
                names = [component.name for component in several.values()]
                yield Violation(
                    f"one Event has {len(names)} {role_name}: {listed(names)}",
                    fix=set_key("each", f"[{', '.join(names)}]"),
                )

    def apply(self, play: Table) -> None:
        """What happens: one effect, one performer, one receiver, 1 Coin (U5.21). It ends framing (U3.10)."""
        state, step, scene = play.state, play.step, play.state.current_scene
        each = [component for _, component in table.find_each(play, self.each)]
        performers = [component for _, component in table.find_each(play, self.performer)]
        receivers = [component for _, component in table.find_each(play, self.receiver)]
        if scene is not None:
            presence.close_frame(play, scene)
            for component in (*performers, *receivers, *each):
                presence.is_here(play, scene, component)
        table.players_in(play, self.agreed_by)
        coins.charge(play, "event", "U5.21", "an Event", times=max(1, len(each)))
        state.event_this_turn = step.number
        step.headline = str(self.words)
        involved = {
            "performers": tuple(c.id for c in performers or each),
            "receivers": tuple(c.id for c in receivers),
        }
        fact = facts.note(play, self.id, "event", str(self.words), "event", "scene", **involved)
        for component in (*performers, *receivers, *each):
            component.events.append(step.number)
        play.step.event(fact.text, "U5.21", "event")

    def _bars_performing(
        self, play: Table, component: Component, word: ScalarNode
    ) -> Iterator[Violation]:
        """What a Component cannot do: it is not there, or it is another player's."""
        scene = play.state.current_scene
        if scene is None or play.given:
            return
        outside = [*_bars_part(play, scene, component, word, performs=True)]
        yield from outside
        if outside or not presence.may_be_here(play, scene, component) or play.state.purses:
            return
        holder = presence.holder_of(play, scene, component)
        player = play.step.player
        if holder and player and holder not in (player, *self._agreeing(play)):
            yield Violation(
                f"{player} lets {component.name} act, whom {holder} Controls",
                word,
                (
                    set_key("agreed by", holder, when=f"if {holder} has nothing against it"),
                    table.take_over_first(play, component),
                ),
                "or make it a Complication:  - complication: ...",
            )

    def _bars_receiving(
        self, play: Table, component: Component, word: ScalarNode
    ) -> Iterator[Violation]:
        """What cannot be done to a Component: it is not there, or its Controller did not agree."""
        scene = play.state.current_scene
        if scene is None:
            return
        outside = [*_bars_part(play, scene, component, word)]
        yield from outside
        holder, player = presence.holder_of(play, scene, component), play.step.player
        if outside or not presence.may_be_here(play, scene, component):
            return
        if not holder or not player or holder in (player, *self._agreeing(play)):
            return
        dialog = play.state.dialog
        if dialog is not None and component.id in dialog.speakers:
            return
        always = play.ruling("harmless event") == "complication"
        yield Violation(
            f"{player} does something to {component.name}, whom {holder} Controls",
            word,
            set_key("agreed by", holder, when=f"if {holder} has nothing against it"),
            "or make it a Complication:  - complication: ...",
            kind=DiagnosticKind.ILLEGAL if always else DiagnosticKind.SUSPICIOUS,
        )

    def _agreeing(self, play: Table) -> list[str]:
        return [name for word in self.agreed_by if (name := play.look_up_player(word))]


def _bars_part(
    play: Table,
    scene: SceneState,
    component: Component,
    word: ScalarNode,
    *,
    performs: bool = False,
) -> Iterator[Violation]:
    """Why an Event cannot be about a Component at all: a Master (U4.27), or not in the scene (U5.3)."""
    if component.master:
        yield Violation(
            f"{component.name} is a Master: it stands for a class, and does nothing itself"
            if performs
            else f"{component.name} is a Master: it stands for a class, and nothing happens to it",
            word,
            help=f"name one of its class, or introduce one:  - introduce: {{sub: {component.name}}}",
            rule="U4.27",
        )
    elif not (presence.may_be_here(play, scene, component) or component.placeholder):
        gone = component.eliminated and component.turnings
        yield Violation(
            f"{component.name} is not in the scene",
            word,
            add_entry(f"return: {component.name}" if gone else f"introduce: {component.name}"),
            facts=[play.because(component.turnings[-1].step, "Eliminated here")] if gone else [],
            rule="U5.3",
        )


class StateFact(Entry):
    """Buy a detail as a Fact: why, how, the weather, spoken words. 1 Coin."""

    verb = "fact"
    synonyms = ("detail",)
    already_shown_kinds = frozenset({"fact"})
    decides = Decides("turn", "U3.57", action_phrase="buys a Fact")
    moment = on_a_turn("U3.57", doubts=("scene",))
    in_exchange = True
    example = "fact: The sluice was opened from inside\n  of: world"
    words = main(TEXT, "the Fact", text_role=TextRole.SENTENCE)
    of = option(NAMED, "scene (the default), world, or the Component it is about")
    said_by = option(
        in_role("takes part", NAME),
        "who said it, if it is only a statement; in a Dialog, without `of`, "
        "whoever spoke last, or whom the player of `by` Controls there; without one of them, nobody",
    )
    replaces = option(ID, "the Fact that it replaces, by its id or words of it")
    exception_to = option(ID, "the Fact that it is an exception to, by its id or words of it")
    offered = Offered("U5.26", "buy a detail for 1 Coin")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for _, _, by in acting(play, "fact"):
            for words in EVENTS:
                yield {"fact": words, **by}

    @guard("U3.1")
    def is_in_a_scene(self, play: Table) -> Violation | None:
        state = play.state
        is_of_scene = self.of is None or fold(self.of) == "scene"
        is_outside = is_of_scene and state.current_scene is None and not play.given
        if not is_outside or play.gap > state.ended_step:
            return None
        return Violation(
            "a Fact of the scene outside a scene",
            fix=(add_entry("scene: ..."), set_key("of", "world")),
            after=("scene", "preparing"),
            rule="U3.11" if state.ended_step else "U3.1",
        )

    @guard("U3.33")
    def may_say(self, play: Table) -> Iterator[Violation]:
        scene = play.state.current_scene
        if self.said_by is not None and scene is not None and not play.given:
            for word, speaker in table.known(play, (self.said_by,)):
                yield from _bars_saying(play, scene, speaker, word)

    @question("U3.35")
    def is_only_said(self, play: Table) -> Violation | None:
        if self.said_by is not None or self.of is None or not self._voice(play):
            return None
        return Violation(
            "a Dialog makes it a Fact that the words were said, not that they are true",
            fix=(drop_key("of"), set_key("said by")),
        )

    @guard("U2.7")
    def replaces_a_fact(self, play: Table) -> Iterator[Violation]:
        """A Tenet is changed by a Tenet."""
        word, in_force = self.replaces, facts.facts_in_force(play)
        matches = facts.look_up(play, word, [*in_force])[0] if word is not None else []
        for old in matches if len(matches) == 1 else ():
            if not isinstance(old.target, Fact):
                yield Violation(
                    f"'{old.text}' is a Tenet, and a Fact does not replace it",
                    word,
                    write_instead(f"tenet: {self.words}\nchanges: {old.id}"),
                    facts=play.facts(old.step_number, "accepted here"),
                )

    def _voice(self, play: Table) -> str:
        """Who says it in a talk; empty without one."""
        scene, dialog = play.state.current_scene, play.state.dialog
        return "" if scene is None or dialog is None else _voice(play, scene, dialog, self)

    def apply(self, play: Table) -> None:
        """Any other detail worth a Coin (U5.26, U4.26); in Dialog, that it was said (U3.35)."""
        state, step = play.state, play.step
        scope, said_by = "scene", ""
        if self.of is not None:
            scope = fold(self.of)
            if scope not in ("scene", "world"):
                component = table.find_one(play, self.of)
                scope = component.id if component is not None else "scene"
        if self.said_by is not None:
            speaker = table.find_one(play, self.said_by)
            if speaker is not None:
                said_by = speaker.id
                if state.current_scene is not None and not play.given:
                    presence.is_here(play, state.current_scene, speaker)
        elif self.of is None:
            said_by = self._voice(play)
        replaced = _related(play, self.replaces, "replaces")
        excepted = _related(play, self.exception_to, "exception to")
        fact = facts.note(
            play,
            self.id,
            "fact",
            str(self.words),
            "said" if said_by else "detail",
            scope,
            said_by=said_by,
            replaces=replaced.id if replaced is not None else "",
            exception_to=excepted.id if excepted is not None else "",
        )
        for old, how in ((replaced, "replaces"), (excepted, "exception to")):
            if old is not None:
                facts.relate(play, fact, old.target, how)
        rule = "U3.35" if said_by else "U4.26" if scope == "world" else "U5.26"
        coins.charge(play, "fact", rule, "a Fact")
        step.headline = fact.text
        if said_by:
            play.step.event(f"{state.components[said_by].name} says so: {fact.text}", rule, "fact")
        else:
            play.step.event(fact.text, rule, "fact")


def _voice(play: Table, scene: SceneState, dialog: Dialog, action: StateFact) -> str:
    """Who says in a talk what is bought there (U3.35): who acts, or who spoke last; not a Component of another
    player. Empty: none is known."""
    if not dialog.voice:
        return ""
    if action.by is not None:
        named = play.names.find(action.by)
        if isinstance(named, Named) and named.id in dialog.speakers:
            return named.id
    player = play.step.player
    holder = presence.holder_of(play, scene, play.state.components[dialog.voice])
    if not player or not holder or holder == player:
        return dialog.voice
    own = [id for id in dialog.speakers if scene.control.get(id) == player]
    return own[0] if len(own) == 1 else ""


def _bars_saying(
    play: Table, scene: SceneState, speaker: Component, word: ScalarNode
) -> Iterator[Violation]:
    """What a Character said is for its Controller to say (U3.33); in a talk the others may buy it."""
    player = play.step.player
    if not presence.may_be_here(play, scene, speaker):
        yield from presence.bars_absence(play, scene, speaker, word)
        return
    dialog = play.state.dialog
    talks = dialog is not None and speaker.id in dialog.speakers
    holder = presence.holder_of(play, scene, speaker)
    if not (play.state.purses or talks) and holder and player and holder != player:
        yield Violation(
            f"{player} says what {speaker.name} said, whom {holder} Controls",
            word,
            table.take_over_first(play, speaker),
        )


def _related(
    play: Table, word: ScalarNode | None, how: str
) -> ReferenceTarget[facts.AnyFact] | None:
    """The Fact in force that a new Fact relates to. A Tenet is changed by a Tenet (U2.7)."""
    if word is None:
        return None
    old = facts.find_fact(play, word, "U3.54", facts.facts_in_force(play))
    is_tenet = old is not None and not isinstance(old.target, Fact)
    return None if how == "replaces" and is_tenet else old
