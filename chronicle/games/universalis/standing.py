"""The present state: setting figures that only play would change, and the cards of a snapshot.

Nothing here is paid, no player acts, and sentences report each difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.declare import Part, PartOf, option
from chronicle.core.field_types import (
    NAME,
    TEXT,
    YES_NO,
    Counted,
    EitherOf,
    FieldType,
    ListOf,
    MapOf,
    OneOrMany,
    choice,
    label,
)
from chronicle.core.figures import with_times
from chronicle.core.game_context import SnapshotItem
from chronicle.core.names import Named, fold
from chronicle.core.record import Difference
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Scene
from chronicle.games.universalis import facts, traits
from chronicle.games.universalis.actions import STATED, NewComponent
from chronicle.games.universalis.belongings import bars_relink, relink
from chronicle.games.universalis.components import make
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.presence import bars_company, enter, gain_control, leave
from chronicle.games.universalis.scenes import close_scene
from chronicle.games.universalis.state import (
    COMPONENT_KINDS,
    ELLIPSIS,
    PLACE,
    Component,
    Debt,
    DiceEntry,
    Phase,
    Pool,
    SceneState,
    Sort,
    Tenet,
    Trait,
)
from chronicle.games.universalis.table import begin_turn

NOBODY = "nobody"


# --- figures --------------------------------------------------------------------------------------


def set_importance(play: Table, id: str, stated: str) -> None:
    """What the sheet does not list is what is left between it and the count."""
    component = play.state.components[id]
    change = int(stated) - component.total
    component.unlisted += change
    component.weighed = True
    traits.raise_importance(play, component, change)


def set_dice(play: Table, id: str, stated: str) -> bool:
    """The Pool holds this number of dice; a player without a Pool gets one on the side of the Targets."""
    complication = play.state.current_complication()
    if complication is None:
        return False
    pool = complication.pools.get(id) or complication.pools.setdefault(id, Pool(id, "target"))
    pool.dice_open = False
    change = int(stated) - pool.dice - pool.edge
    pool.dice += change
    pool.entries.append(DiceEntry(change, "counted anew", id, play.step.number))
    return True


def set_control(play: Table, id: str, stated: str) -> bool:
    """Set or clear the Controller of a Component."""
    scene, component = play.state.current_scene, play.state.components[id]
    if scene is None:
        return False
    if stated.casefold() == NOBODY:
        scene.control.pop(id, None)
        return True
    if id not in scene.present:
        _enter(play, scene, component, stated)
    gain_control(play, scene, component, stated, "as counted")
    # Another player can have a lasting claim to it.
    return scene.control.get(id) == stated


def _enter(play: Table, scene: SceneState, component: Component, player: str) -> None:
    """A Component is there as counted, and so is what it owns."""
    report_all(play, bars_company(play, scene, component, set()))
    enter(play, scene, component, player, "is there")


def spent(play: Table, id: str) -> int | None:
    """What a player has spent in the running scene, and in the Mini Scenes within it."""
    current_scene = play.state.scene
    if current_scene is None:
        return None
    return current_scene.spent.get(id, 0) + sum(
        scene.spent.get(id, 0)
        for scene in play.state.scenes.values()
        if scene.mini and play.timeline.get(scene.number).parent == current_scene.number
    )


def set_spent(play: Table, id: str, stated: str) -> bool:
    """Set the Coins that a player has spent in the running scene."""
    scene = play.state.scene
    if scene is None:
        return False
    scene.spent[id] = int(stated) - (spent(play, id) or 0) + scene.spent.get(id, 0)
    return True


def set_owed(play: Table, id: str, stated: str) -> None:
    """Set the debt of a player: of the loans that are known the first changes, else there is a loan from an
    unknown lender."""
    debts = [debt for debt in play.state.debts if debt.debtor == id]
    if not debts:
        debts = [Debt(play.step.number, "", id, 0, 0, "")]
        play.state.debts += debts
    amount_left = int(stated)
    for debt in debts:
        debt.is_open = False
    for debt in debts[1:]:
        debt.owed = min(debt.owed, amount_left)
        amount_left -= debt.owed
    debts[0].owed = amount_left


def set_turn(play: Table, id: str, stated: str) -> None:
    """It is somebody's turn."""
    state = play.state
    if state.turn == stated and state.turn_sure:
        return
    begin_turn(play, stated, "as counted")
    state.interrupted = ""


def coins_left(play: Table, id: str) -> int:
    """Coins in the purse and, of a framer, those on the table: as people count."""
    return play.balance(f"wealth:{id}", "Coin") + play.balance(f"bid:{id}", "Coin")


def set_coins_left(play: Table, id: str, stated: str) -> bool:
    """The purse holds the Coins that are not on the table."""
    in_purse = int(stated) - play.balance(f"bid:{id}", "Coin")
    if in_purse < 0:
        return False
    play.adjust(f"wealth:{id}", str(in_purse), "Coin")
    play.count(f"wealth:{id}")
    return True


# --- the scene ------------------------------------------------------------------------------------


class SceneNow(Part):
    """The open scene, as a snapshot has it."""

    title = option(TEXT, "its title")
    framer = option(STATED, "who framed it")
    at = option(NAME, "where it is: a place among the cards")


def set_scene(play: Table, value: SceneNow | str) -> list[str]:
    """A scene is open, or none is."""
    state = play.state
    scene = state.scene
    if isinstance(value, str):
        if scene is not None:
            close_scene(play, refreshes=False)
            return [f"no scene is open ('{scene.title}' was)"]
        return []
    framer = play.player(value.framer)
    title = str(value.title or (scene.title if scene is not None else "A scene"))
    changes: list[str] = []
    if scene is None or fold(scene.title) != fold(title):
        close_scene(play, refreshes=False)
        scene = _open(play, title, framer)
        changes.append(f"the scene is '{title}'" + (f", framed by {framer}" if framer else ""))
    elif framer and framer != scene.framer:
        changes.append(
            f"{framer} framed '{title}'" + (f" (was {scene.framer})" if scene.framer else "")
        )
        scene.framer = play.timeline.get(scene.number).opener = framer
    if value.at is not None:
        named = play.names.find(value.at, COMPONENT_KINDS)
        place = state.components[named.id] if isinstance(named, Named) else None
        if place is None:
            place = make(play, _new(value.at, PLACE))[0]
        if scene.location != place.id:
            changes.append(f"the scene is at {place.name}")
            scene.location, scene.located = place.id, True
            play.timeline.get(scene.number).place = place.name
            if place.id not in scene.present:
                enter(play, scene, place, scene.framer, "is the location")
    return changes


def _open(play: Table, title: str, framer: str) -> SceneState:
    state = play.state
    scene = SceneState(len(play.timeline.scenes) + 1, title, framer, play.step.number)
    scene.framing, scene.located = False, True
    play.open_scene(Scene(title, opener=framer, branch=state.branch))
    state.scenes[scene.number] = state.scene = scene
    state.phase, state.begun = Phase.SCENE, True
    state.starter = state.starter or framer
    state.bids, state.bid_winner = {}, ""
    if framer:
        begin_turn(play, framer, "frames")
    # Who framed it may have long ended the turn.
    state.turn_sure = False
    for add_on in state.add_ons:
        add_on.scene_opened(play, scene)
    return scene


def _new(word: ScalarNode, kind: str) -> NewComponent:
    """A Component known only by its name, which also describes it."""
    new_component = NewComponent()
    new_component.source = word
    setattr(new_component, kind, Counted(word, 1))
    return new_component


# --- cards ----------------------------------------------------------------------------------------


class Card(NewComponent):
    """A card in its present state: what a new Component takes, and who has it now."""

    controller = option(STATED, "who Controls it now; nobody")
    here = option(YES_NO, "whether it is in the scene at hand")
    eliminated = option(YES_NO, "whether it is out of the story", default=False)
    facts = option(label(OneOrMany(TEXT)), "Facts about it that are in force", default=())


_SORTS: Mapping[str, tuple[Sort, ...]] = {
    "traits": (Sort.PLAIN, Sort.TIE, Sort.NEGATION),
    "wounds": (Sort.WOUND,),
    "group": (Sort.GROUP,),
}
"""Which Traits a list of a card is all of."""


def set_cards(play: Table, cards: dict[ScalarNode, Card]) -> list[str]:
    """Cards with their Traits and Controllers; unlisted Traits are removed, unless the list ends with ``...``."""
    changes: list[str] = []
    for word, card in cards.items():
        match = play.names.find(word, COMPONENT_KINDS)
        if isinstance(match, Named):
            component = play.state.components[match.id]
            changes += _compared(play, component, card)
        else:
            if card.name is None and card.as_ is None:
                card.as_ = word
            if not any((card.character, card.place, card.prop, card.master, card.new, card.sub)):
                setattr(card, str(card.kind or "character"), Counted(word, 1))
            component = make(play, card)[0]
            words = tuple(
                trait.label
                for trait in component.traits.values()
                if trait.copies and trait.sort not in (Sort.ROLE, Sort.NAME)
            )
            text = f"{component.name}: {_sheet(component)}"
            changes.append(Difference(text, component.id, words, "new"))
    return changes


def place_cards(play: Table, cards: dict[ScalarNode, Card]) -> list[str]:
    """Where the cards lie: in the scene or not, and their Controllers."""
    changes: list[str] = []
    for word, card in cards.items():
        match = play.names.find(word, COMPONENT_KINDS)
        if isinstance(match, Named):
            component = play.state.components[match.id]
            changes += _whereabouts(play, component, card)
            changes += _facts_about(play, component, card)
    return changes


def _facts_about(play: Table, component: Component, card: Card) -> list[str]:
    """Facts written on a card; those that are known already change nothing."""
    changes: list[str] = []
    for words in card.facts:
        in_force = facts.facts_in_force(play)
        if any(fold(fact.text) == fold(words) for fact in in_force):
            continue
        facts.note(play, None, "fact", str(words), "detail", component.id)
        changes.append(f"a Fact about {component.name}: {words}")
    return changes


def _sheet(component: Component) -> str:
    return ", ".join(trait.label for trait in component.traits.values() if trait.copies)


def _compared(play: Table, component: Component, card: Card) -> list[str]:
    changes: list[str] = []
    listed_keys: set[str] = set()
    for attribute, sorts in _SORTS.items():
        words: tuple[Counted, ...] = getattr(card, attribute)
        is_open = any(word == ELLIPSIS for word, _ in words)
        component.open_list = component.open_list or is_open
        for counted in words:
            word, count = counted
            if word == ELLIPSIS:
                continue
            trait = traits.find_trait(component, word) or traits.find_trait(
                component, word, removed=True
            )
            changes += _so_many(play, component, word, trait, count, sorts[0])
            trait = trait or traits.find_trait(component, word)
            if trait is not None:
                traits.mark(play, trait, counted)
            listed_keys.add(fold(trait.text if trait is not None else word))
        if words and not is_open:
            component.open_list = component.open_list and attribute != "traits"
            for trait in [*component.traits.values()]:
                if trait.sort in sorts and trait.copies and trait.key not in listed_keys:
                    text = f"{component.name} has '{trait.label}' no longer"
                    changes.append(Difference(text, component.id, (trait.label,), "removed"))
                    traits.remove_copies(play, component, trait, trait.copies)
    if card.name is not None and not component.of_sort(Sort.NAME):
        traits.add_trait(play, component, str(card.name), Sort.NAME, paid=0)
        play.names.alias(component.id, str(card.name))
        changes.append(f"{component.name} is named {card.name}")
    return changes


def _so_many(
    play: Table, component: Component, word: ScalarNode, trait: Trait | None, count: int, sort: Sort
) -> list[str]:
    has = trait.copies if trait is not None else 0
    if has == count:
        return []
    label = with_times(str(word), count)
    if has > count and trait is not None:
        traits.remove_copies(play, component, trait, has - count)
    elif trait is not None and trait.removed >= count - has:
        if not report_all(play, bars_relink(play, component, trait, word)):
            return []
        relink(play, component, trait, count - has)
    else:
        added = traits.add_trait(play, component, str(word), sort, count - has, paid=0)
        traits.reveal(play, component, added, count - has)
    text = f"{component.name} has '{label}'" + (f" (was {has})" if has else "")
    state = "wound" if sort is Sort.WOUND else ""
    return [Difference(text, component.id, (label,), state)]


def _whereabouts(play: Table, component: Component, card: Card) -> list[str]:
    changes: list[str] = []
    if card.eliminated is not component.eliminated:
        traits.set_eliminated(play, component, card.eliminated)
        changes.append(f"{component.name} is {'Eliminated' if card.eliminated else 'in the story'}")
    scene = play.state.current_scene
    if scene is None:
        return changes
    was = scene.control.get(component.id, "")
    if card.here is False and component.id in scene.present:
        leave(play, scene, component, "is there no longer")
        changes.append(f"{component.name} is not in the scene")
    elif (card.here or card.controller is not None) and component.id not in scene.present:
        _enter(play, scene, component, was)
        if component.step != play.step.number:
            changes.append(f"{component.name} is in the scene")
    if card.controller is not None and fold(card.controller) == NOBODY:
        scene.control.pop(component.id, None)
        text = f"nobody Controls {component.name} ({was} did)"
        changes += [Difference(text, component.id, (), "control", was)] if was else []
    elif card.controller is not None:
        player = play.player(card.controller)
        if player and player != was:
            gain_control(play, scene, component, player, "as counted")
            text = f"{player} Controls {component.name}" + (f" ({was} did)" if was else "")
            changes.append(Difference(text, component.id, (), "control", was, player))
    return changes


# --- Tenets ---------------------------------------------------------------------------------------


def set_tenets(play: Table, words: tuple[ScalarNode, ...]) -> list[str]:
    """Tenets that hold."""
    texts = {fold(tenet.text) for tenet in facts.tenets_in_force(play)}
    changes: list[str] = []
    for word in words:
        if fold(word) not in texts:
            id = f"tenet-{len(play.state.tenets) + 1}"
            play.state.tenets[id] = Tenet(
                id, str(word), "", play.step.number, "", wordings=[(play.step.number, str(word))]
            )
            play.touched_by_rule.setdefault(id, ("cited",))
            changes.append(f"a Tenet: {word}")
    return changes


_NO_SCENE: FieldType[Any] = choice("none")

THINGS: Mapping[str, SnapshotItem] = {
    "tenets": SnapshotItem("Tenets that hold, in their words", ListOf(TEXT), set_tenets),
    "cards": SnapshotItem(
        "cards with their Traits and Controllers: "
        "{name: {character: Role, traits: [...], controller: player}}",
        MapOf(NAME, PartOf(Card)),
        set_cards,
        place_cards,
    ),
    "scene": SnapshotItem(
        "the open scene: {title, framer, at}; none",
        EitherOf(_NO_SCENE, PartOf(SceneNow), words="{title, framer, at}, or none"),
        set_scene,
    ),
}
