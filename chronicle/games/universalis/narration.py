"""Chapter 5: locations, time within a scene, Exits and absences, Events and other details."""

from __future__ import annotations

from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.fix import add_entry, drop_key, set_key, write_instead
from chronicle.core.names import Named
from chronicle.core.references import ReferenceTarget
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, facts, presence, story_actions, table
from chronicle.games.universalis.actions import NewComponent
from chronicle.games.universalis.components import make
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
    """Establish the location (U5.6); the Coin for the Role of a new place does it too (U5.7)."""
    if isinstance(location, NewComponent) and location.existing is None:
        if location.new is None and location.place is None and not location.sub:
            play.unreadable(
                "U5.6",
                "a location is a place",
                at="at",
                help="write it as  {new: what the place is}",
            )
        components = make(play, location)
        component = components[0]
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
        play.suspect(
            component.kind == CHARACTER,
            "U5.6",
            f"{component.name} is a character; a location is a place",
            at=word,
            help="write a new place as  {new: what the place is}",
        )
        if component.id not in scene.present:
            presence.may_enter(play, scene, component, word)
        coins.charge(play, "location", "U5.6", f"location: {component.name}", component=component)
    _move_to(play, scene, component)


def _move_to(play: Table, scene_state: SceneState, component: Component) -> None:
    old = scene_state.location
    _elsewhere(play, scene_state, component)
    if old and old != component.id and old in scene_state.present:
        presence.leave(play, scene_state, play.state.components[old], "is left behind")
    scene_state.location = component.id
    scene_state.located = True
    scene_state.left_places.pop(component.id, None)
    if component.id in scene_state.present:
        held = presence.is_committed(play, component)
        if not held and presence.may_pass(play, scene_state, component, play.step.player):
            presence.gain_control(
                play, scene_state, component, play.step.player, "establishes the location"
            )
    else:
        presence.enter(play, scene_state, component, play.step.player, "is the location")
    scene = play.timeline.get(scene_state.number)
    scene.place = f"{scene.place}, {component.name}" if old and scene.place else component.name
    play.event(f"location: {component.name}", "U5.6", "location", component.id)


def _elsewhere(play: Table, scene: SceneState, place: Component) -> None:
    """What happens at the same time as another scene happens at another place (U5.12)."""
    if play.given or scene.frame != "meanwhile":
        return
    for other_scene in play.state.scenes.values():
        if (
            other_scene.location == place.id
            and play.timeline.same_time(other_scene.number, scene.number)
            and play.timeline.tells(play.state.branch, other_scene.number)
        ):
            play.suspect(
                True,
                "U5.12",
                f"'{other_scene.title}' is at {place.name} at the same time",
                facts=[play.because(other_scene.step, "that scene")],
                help="what runs at the same time runs elsewhere; go on in that scene, or follow it",
            )
            return


def move_location(play: Table, action: story_actions.MoveLocation) -> None:
    """Move the scene; those present come along free (U5.8)."""
    scene = play.state.current_scene
    if scene is None:
        return
    moved = scene.located
    establish(play, scene, action.to)
    if moved:
        scene.moved_step, scene.left_after_move = play.step.number, 0
    place = play.state.components.get(scene.location)
    if place is not None:
        play.step.headline = f"{'To' if moved else 'At'} {place.name}"


def jump_time(play: Table, action: story_actions.JumpTime) -> None:
    """Time jumps in mid-scene: only with Bonus Coins or under a Gimmick (U5.15)."""
    scene_state = play.state.current_scene
    if scene_state is None:
        return
    if table.purse_of(play) is None and not play.given:
        play.require(
            bool(play.state.points.time_may_jump(play)),
            "U5.15",
            f"time does not jump within '{scene_state.title}'",
            facts=[play.because(scene_state.step, "the scene began here")],
            help="end the scene and frame another, cut away with  - mini scene: ...,  or cite a Gimmick that allows it",
        )
    coins.charge(play, "time", "U5.15", f"time: {action.to}")
    scene = play.timeline.get(scene_state.number)
    scene.time = f"{scene.time}, then {action.to}" if scene.time else str(action.to)
    play.step.headline = str(action.to)
    play.event(f"it is {action.to} now", "U5.15", "time")


# --- who is not there ---------------------------------------------------------------------------------------


def leave_scene(play: Table, action: story_actions.LeaveScene) -> None:
    """Controlled Components leave, 1 Coin each (U5.18)."""
    scene = play.state.current_scene
    if scene is None:
        return
    names = []
    for word, component in table.find_each(play, action.who):
        go_away(play, scene, component, "U5.18", word)
        names.append(component.name)
    play.step.headline = f"Exit {listed(names)}"


def go_away(
    play: Table, scene: SceneState, component: Component, rule: str, word: ScalarNode | None = None
) -> None:
    """One Component leaves the scene."""
    coins.charge(play, "exit", rule, f"{component.name} leaves", component=component)
    if not presence.is_here(play, scene, component):
        play.require(
            component.open_list and component.placeholder,
            "U5.18",
            f"{component.name} is not in the scene",
            at=word,
        )
        return
    holder = presence.holder_of(play, scene, component)
    player = play.step.player
    foreign = holder and player and holder != player
    if foreign and not play.state.purses and not play.given and play.ruling("exit") == "controlled":
        play.illegal(
            "U5.18",
            f"{player} lets {component.name} leave, whom {holder} Controls",
            at=word,
            fix=table.take_over_first(play, component),
        )
    presence.leave(play, scene, component, "leaves", word)
    if scene.moved_step:
        scene.left_after_move += 1
        stay = sum(1 for id in scene.present if play.state.components[id].kind != PLACE)
        if scene.left_after_move > max(stay, 1):
            play.suspect(
                True,
                "U5.8",
                "the location has changed and most of the cast stays behind",
                facts=[play.because(scene.moved_step, "the scene moved here")],
                help="that is another scene: end this scene and bid for the next",
            )
            scene.moved_step = 0
    play.event(f"Exit {component.name}", rule, "leaves", component.id)


def state_absent(play: Table, action: story_actions.StateAbsent) -> None:
    """A Fact that a Component is absent (U5.20)."""
    scene = play.state.current_scene
    if scene is None:
        return
    names = []
    for word, component in table.find_each(play, action.who):
        coins.charge(play, "absent", "U5.20", f"{component.name} is not there")
        play.require(
            component.id not in scene.present,
            "U5.20",
            f"{component.name} is in the scene",
            at=word,
            facts=[play.because(scene.present.get(component.id, 0), "came in here")],
            fix=write_instead(f"exit: {component.name}", when="if it leaves"),
        )
        scene.absent[component.id] = play.step.number
        names.append(component.name)
        play.event(f"Absent: {component.name}", "U5.20", "absent", component.id)
    play.step.headline = f"Absent: {listed(names)}"


# --- Events and details -------------------------------------------------------------------------------------


def tell_event(play: Table, action: story_actions.Event) -> None:
    """What happens: one effect, one performer, one receiver, 1 Coin (U5.21). It ends framing (U3.10)."""
    state = play.state
    step = play.step
    scene = state.current_scene
    each = [c for word in action.each for c in table.find_all(play, word)]
    performers = [c for word in action.performer for c in table.find_all(play, word)]
    receivers = [c for word in action.receiver for c in table.find_all(play, word)]
    if scene is not None and scene.framing:
        presence.end_framing(play, scene)
    agreed = table.players_in(play, action.agreed_by)
    for component, word in _with_words(action.performer, performers):
        _performs(play, scene, component, word, agreed)
    if not state.purses and not play.given:
        for component, word in (
            *_with_words(action.receiver, receivers),
            *_with_words(action.each, each),
        ):
            _receives(play, scene, component, word, agreed)
    if not each:
        for role_name, several in (("performers", performers), ("receivers", receivers)):
            if len({component.id for component in several}) > 1:
                play.suspect(
                    True,
                    "U5.21",
                    f"one Event has {len(several)} {role_name}: {listed(c.name for c in several)}",
                    fix=set_key("each", f"[{', '.join(c.name for c in several)}]"),
                )
    coins.charge(play, "event", "U5.21", "an Event", times=max(1, len(each)))
    state.event_this_turn = step.number
    step.headline = str(action.words)
    involved = {
        "performers": tuple(c.id for c in performers or each),
        "receivers": tuple(c.id for c in receivers),
    }
    fact = facts.note(play, action.id, "event", str(action.words), "event", "scene", **involved)
    for component in (*performers, *receivers, *each):
        component.events.append(step.number)
    play.step.event(fact.text, "U5.21", "event")


def _with_words(
    words: tuple[ScalarNode, ...], components: list[Component]
) -> list[tuple[Component, ScalarNode | None]]:
    if len(words) == len(components):
        return list(zip(components, words, strict=True))
    return [(component, words[0] if words else None) for component in components]


def _affected(
    play: Table,
    scene: SceneState,
    component: Component,
    word: ScalarNode | None,
    *,
    performs: bool = False,
) -> bool:
    """Whether an Event can be about a Component at all: no Master (U4.27), and in the scene (U5.3)."""
    if component.master:
        return play.illegal(
            "U4.27",
            f"{component.name} is a Master: it stands for a class, and does nothing itself"
            if performs
            else f"{component.name} is a Master: it stands for a class, and nothing happens to it",
            at=word,
            help=f"name one of its class, or introduce one:  - introduce: {{sub: {component.name}}}",
        )
    if presence.is_here(play, scene, component):
        return True
    gone = component.eliminated and component.turnings
    play.require(
        component.placeholder,
        "U5.3",
        f"{component.name} is not in the scene",
        at=word,
        facts=[play.because(component.turnings[-1].step, "Eliminated here")] if gone else [],
        fix=add_entry(f"return: {component.name}")
        if gone
        else add_entry(f"introduce: {component.name}"),
    )
    return False


def _performs(
    play: Table,
    scene: SceneState | None,
    component: Component,
    word: ScalarNode | None,
    agreed: list[str],
) -> None:
    if scene is None or play.given:
        return
    if not _affected(play, scene, component, word, performs=True) or play.state.purses:
        return
    holder = presence.holder_of(play, scene, component)
    player = play.step.player
    if holder and player and holder != player and holder not in agreed:
        play.illegal(
            "U3.26",
            f"{player} lets {component.name} act, whom {holder} Controls",
            at=word,
            fix=(
                set_key("agreed by", holder, when=f"if {holder} has nothing against it"),
                table.take_over_first(play, component),
            ),
            help="or make it a Complication:  - complication: ...",
        )


def _receives(
    play: Table,
    scene: SceneState | None,
    component: Component,
    word: ScalarNode | None,
    agreed: list[str],
) -> None:
    if scene is None or not _affected(play, scene, component, word):
        return
    holder = presence.holder_of(play, scene, component)
    player = play.step.player
    if not holder or not player or holder == player or holder in agreed:
        return
    dialog = play.state.dialog
    if dialog is not None and component.id in dialog.speakers:
        return
    always = play.ruling("harmless event") == "complication"
    play.report(
        DiagnosticKind.ILLEGAL if always else DiagnosticKind.SUSPICIOUS,
        "U3.38",
        f"{player} does something to {component.name}, whom {holder} Controls",
        at=word,
        fix=set_key("agreed by", holder, when=f"if {holder} has nothing against it"),
        help="or make it a Complication:  - complication: ...",
    )


def state_fact(play: Table, action: story_actions.StateFact) -> None:
    """Any other detail worth a Coin (U5.26, U4.26); in Dialog, that it was said (U3.35)."""
    state = play.state
    step = play.step
    scope = "scene"
    if action.of is not None:
        folded = action.of.casefold()
        if folded in ("scene", "world"):
            scope = folded
        else:
            component = table.find_one(play, action.of)
            scope = component.id if component is not None else "scene"
    current_scene = state.current_scene
    if scope == "scene" and current_scene is None and not play.given:
        play.require(
            play.gap > state.ended_step,
            "U3.11" if state.ended_step else "U3.1",
            "a Fact of the scene outside a scene",
            fix=(add_entry("scene: ..."), set_key("of", "world")),
            after=("scene", "preparing"),
        )
    said_by = ""
    if action.said_by is not None:
        speaker = table.find_one(play, action.said_by)
        said_by = speaker.id if speaker is not None else ""
        if speaker is not None and current_scene is not None and not play.given:
            _says(play, current_scene, speaker, action.said_by)
    elif state.dialog is not None and current_scene is not None:
        voice = _voice(play, current_scene, state.dialog, action)
        said_by = voice if action.of is None else ""
        play.suspect(
            voice != said_by,
            "U3.35",
            "a Dialog makes it a Fact that the words were said, not that they are true",
            fix=(drop_key("of"), set_key("said by")),
        )
    replaced = _related(play, action.replaces, "replaces")
    excepted = _related(play, action.exception_to, "exception to")
    fact = facts.note(
        play,
        action.id,
        "fact",
        str(action.words),
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


def _voice(play: Table, scene: SceneState, dialog: Dialog, action: story_actions.StateFact) -> str:
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


def _says(play: Table, scene: SceneState, speaker: Component, word: ScalarNode) -> None:
    """What a Character said is for its Controller to say (U3.33); in a talk the others may buy it."""
    player = play.step.player
    if not presence.is_here(play, scene, speaker):
        play.require(
            speaker.placeholder,
            "U5.3",
            f"{speaker.name} is not in the scene",
            at=word,
            fix=add_entry(f"introduce: {speaker.name}"),
        )
        return
    dialog = play.state.dialog
    talks = dialog is not None and speaker.id in dialog.speakers
    holder = presence.holder_of(play, scene, speaker)
    if play.state.purses or talks or not holder or not player or holder == player:
        return
    play.illegal(
        "U3.33",
        f"{player} says what {speaker.name} said, whom {holder} Controls",
        at=word,
        fix=table.take_over_first(play, speaker),
    )


def _related(
    play: Table, word: ScalarNode | None, how: str
) -> ReferenceTarget[facts.AnyFact] | None:
    """The Fact in force that a new Fact relates to. A Tenet is changed by a Tenet (U2.7)."""
    if word is None:
        return None
    words = getattr(play.step.action, "words", "...")
    old = facts.find_fact(play, word, "U3.54", facts.facts_in_force(play))
    if old is not None and how == "replaces" and not isinstance(old.target, Fact):
        play.illegal(
            "U2.7",
            f"'{old.text}' is a Tenet, and a Fact does not replace it",
            at=word,
            facts=play.facts(old.step_number, "accepted here"),
            fix=write_instead(f"tenet: {words}\nchanges: {old.id}"),
        )
        return None
    return old
