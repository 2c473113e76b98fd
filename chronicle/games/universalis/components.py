"""Chapter 4, Components: creating and introducing them."""

from __future__ import annotations

from collections.abc import Sequence

from chronicle.core.diagnostic import listed
from chronicle.core.fix import add_entry, drop_entry, drop_item, set_key, write_instead
from chronicle.core.names import Named, fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, presence, story_actions, table
from chronicle.games.universalis.actions import NewComponent
from chronicle.games.universalis.authority import may_change
from chronicle.games.universalis.belongings import link, masters_of
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import count_tenet, preparing
from chronicle.games.universalis.state import (
    CHARACTER,
    ELLIPSIS,
    PLACE,
    PROP,
    Component,
    Life,
    SceneState,
    Sort,
)
from chronicle.games.universalis.traits import add_trait, join_class, mark


def bring_in(
    play: Table, scene: SceneState | None, item: ScalarNode | NewComponent, how: str = "enters"
) -> None:
    """Introduce an existing Component, or Create one into the scene (U5.2, U4.5)."""
    if isinstance(item, NewComponent):
        if item.existing is not None:
            _no_more_than_a_name(play, item, item.existing)
        else:
            for component in make(play, item):
                # A possession of a present Component has come in with its owner.
                if scene is not None and component.id not in scene.present:
                    _come(play, scene, component, how)
            return
        word = item.existing
    else:
        word = item
    for component in table.find_all(play, word):
        _introduce(play, scene, component, word)


def _no_more_than_a_name(play: Table, item: NewComponent, word: ScalarNode) -> None:
    """Existing Components are introduced unchanged; what it gains is bought apart."""
    extra_keys = [key for key in item.source if key != "existing"] if item.source else []
    if extra_keys:
        play.unreadable(
            "T20",
            f"'{word}' exists already, so {listed(extra_keys)} {'is' if len(extra_keys) == 1 else 'are'} not read here",
            at=word,
            help="introduce it by its name, and buy what it gains in an entry of its own:  - trait: ...",
        )


def _introduce(
    play: Table, scene: SceneState | None, component: Component, word: ScalarNode
) -> None:
    if scene is None:
        return
    points = play.state.points
    scene = points.entered_scene(play, scene, component)
    if component.id in scene.present and play.gap <= scene.present[component.id]:
        carried = bool(component.owner) and component.owner in scene.present
        play.illegal(
            "U4.21" if carried else "U5.2",
            f"{component.name} came in free, with its owner"
            if carried
            else f"{component.name} is in the scene already",
            at=word,
            facts=[play.because(scene.present[component.id], "came in here")],
            fix=drop_item(str(word))
            if len(getattr(play.step.action, "what", ())) > 1
            else drop_entry(),
        )
        coins.charge(play, "introduce", "U5.2", f"{component.name} introduced")
        return
    presence.may_enter(play, scene, component, word)
    coins.charge(play, "introduce", "U5.2", f"{component.name} introduced", component=component)
    _come(play, scene, component, "enters")
    play.event(f"Enter {component.name}", "U5.2", "enters", component.id)


def _come(play: Table, scene: SceneState, component: Component, how: str) -> None:
    player = play.step.player
    if scene.mini and play.rulings["mini control"] == "shared":
        parent = play.state.scene
        if parent is not None:
            player = parent.control.get(component.id, player)
    presence.enter(play, scene, component, player, how)
    complete = scene.framing and scene.located and component.kind == CHARACTER
    if complete and play.rulings["framing ends"] == "character":
        presence.end_framing(play, scene)


def make(play: Table, spec: NewComponent) -> list[Component]:
    """Create Components from a description: existence, Traits, price (U4.2 to U4.17)."""
    state = play.state
    components: list[Component] = []
    masters = [m for word in spec.sub for m in masters_of(play, word)]
    role, kind = _role_of(spec, masters)
    words = str(spec.name or spec.as_ or role or (masters[0].name if masters else "something"))
    play.require(
        bool(role or masters or spec.role),
        "U4.4",
        f"{words} has no Role",
        at="main",
        help="the first Trait says what it is:  {character: its Role}",
    )
    for number in range(1, spec.count + 1):
        label = f"{words} {number}" if spec.count > 1 else words
        if spec.count == 1 and fold(label) in state.labels and not play.given:
            _questioned(play, spec, label, masters)
        _replaces_placeholder(play, label)
        component = table.register(play, kind, label)
        state.labels.add(fold(label))
        _aliases(play, component, spec, role)
        _first_traits(play, component, spec, masters)
        components.append(component)
        for add_on in state.add_ons:
            add_on.created(play, component)
    if spec.count > 1:
        ids = [component.id for component in components]
        for plural_word in (words, f"{words}s"):
            state.groups.setdefault(fold(plural_word), []).extend(ids)
    names = ", ".join(component.name for component in components)
    play.event(f"{names} created", "U4.5", "creates", components[0].id)
    return components


def _replaces_placeholder(play: Table, label: str) -> None:
    """A Component that was used before it existed is now created: from now on its name means this."""
    state = play.state
    for id in play.names.ids_named_exactly(label):
        old = state.components.get(id)
        if old is None or not old.placeholder:
            continue
        old.struck = True
        state.used_names.discard(fold(label))
        for scene in (state.scene, state.mini):
            if scene is not None:
                scene.present.pop(id, None)
                scene.control.pop(id, None)
        play.names.forget(id)


def _questioned(play: Table, spec: NewComponent, label: str, masters: Sequence[Component]) -> None:
    match = play.names.find(label, (CHARACTER, PLACE, PROP))
    if isinstance(match, Named):
        old = play.state.components[match.id]
        if old in masters and not (spec.name or spec.as_):
            play.suspect(
                True,
                "U4.5",
                f"nothing says what this Component of {old.name} is called",
                fix=set_key("as"),
                help="say what the table calls it, free of charge",
            )
        elif fold(old.name) == fold(label):
            play.suspect(
                True,
                "U4.5",
                f"'{label}' is there already; this creates another",
                facts=[play.because(old.step, "created here")],
                fix=write_instead(f"introduce: {label}", when="if it is the same"),
                help="or give the new one a handle of its own:  as: ...",
            )


def _role_of(spec: NewComponent, masters: list[Component]) -> tuple[str, str]:
    for word, kind in (
        (spec.character, CHARACTER),
        (spec.place, PLACE),
        (spec.new, PLACE),
        (spec.prop, PROP),
        (spec.master, str(spec.kind or CHARACTER)),
    ):
        if word is not None:
            return str(word.name), kind
    kind = str(spec.kind) if spec.kind else (masters[0].kind if masters else CHARACTER)
    return (str(spec.role[0].name) if spec.role else ""), kind


def _aliases(play: Table, component: Component, spec: NewComponent, role: str) -> None:
    state = play.state
    for alias in (spec.as_, role):
        if alias and fold(alias) not in state.labels and spec.count == 1:
            play.names.alias(component.id, str(alias))
            state.labels.add(fold(alias))
    if spec.as_ and component.name != spec.as_ and spec.count == 1:
        # A log can say 'wardens' for a few of the 'Wardens': spelt exactly, it is theirs.
        match = play.names.find(spec.as_)
        if isinstance(match, Named) and spec.as_ not in (match.name, *match.aliases):
            play.names.alias(component.id, str(spec.as_))


def _first_traits(
    play: Table, component: Component, spec: NewComponent, masters: list[Component]
) -> None:
    state = play.state
    copies = 0
    for master in masters:
        add_trait(play, component, master.name, Sort.MEMBER, other=master.id)
        copies += 1
    for word, count in spec.roles:
        add_trait(play, component, str(word), Sort.ROLE, count)
        copies += count
    component.open_role = spec.open
    if spec.master is not None:
        component.master = True
        add_trait(play, component, "Master", Sort.MASTER)
        copies += 1
    if spec.name is not None:
        add_trait(play, component, str(spec.name), Sort.NAME, at=spec.name)
        copies += 1
    for words, sort in (
        (spec.traits, Sort.PLAIN),
        (spec.group, Sort.GROUP),
        (spec.wounds, Sort.WOUND),
    ):
        for counted in words:
            if counted.name == ELLIPSIS:
                component.open_list = True
                continue
            mark(play, add_trait(play, component, str(counted.name), sort, counted.count), counted)
            copies += counted.count
    for master in masters:
        join_class(play, component, master)
    if preparing(play) and not play.given and state.points.builds_in_turns(play):
        _prepared(play, component, copies)
    first = state.points.price(play, "create", play.step.player, component)
    price = state.points.traits_price(play, component, copies) - state.points.price(
        play, "trait", play.step.player, component
    )
    reduced = min(0, price)
    coins.charge(
        play, "create", "U4.5", f"{component.name} created", amount=max(0, first + reduced)
    )
    coins.charge(
        play,
        "trait",
        "U4.3",
        f"Traits of {component.name}",
        amount=max(0, price),
        component=component,
    )
    owner_word = spec.owner or spec.contents
    if owner_word is not None:
        owner = table.find_one(play, owner_word)
        if owner is not None:
            may_change(play, owner, "gives a possession to", owner_word)
            link(play, owner, component, owner_word)


def _prepared(play: Table, component: Component, copies: int) -> None:
    """A Component built in preparation: one Trait a turn (S13), a place only after a setting (UE.7)."""
    count_tenet(play, copies if play.ruling("prepared component") == "one trait" else 1)
    if component.kind != PLACE:
        return
    story = [t for t in play.state.tenets.values() if t.kind == "story" and t.life is Life.IN_FORCE]
    if any(t.about == "setting" for t in story) or any(not t.about for t in story):
        return
    play.illegal(
        "UE.7",
        f"{component.name} is a place, and no Tenet about the setting is accepted yet",
        fix=add_entry("tenet: ...\nabout: setting"),
    )


def introduce(play: Table, action: story_actions.Introduce) -> None:
    """Bring Components into the scene."""
    scene = None if preparing(play) and not play.given else play.state.current_scene
    play.step.headline = "Enters"
    for item in action.what:
        bring_in(play, scene, item)
    names = _entered(play, scene)
    if names:
        play.step.headline = f"Enter {names}"


def _entered(play: Table, scene: SceneState | None) -> str:
    if scene is None:
        return ""
    index = play.step.number
    ids: list[str] = []
    for step, id, _ in reversed(scene.entries):
        if step != index:
            break
        ids.append(id)
    return listed(play.state.components[id].name for id in reversed(ids))


def create(play: Table, action: story_actions.Create) -> None:
    """Create Components that are not in the scene."""
    names: list[str] = []
    for item in action.what:
        if isinstance(item, NewComponent):
            names.extend(component.name for component in make(play, item))
        else:
            play.unreadable(
                "T20",
                f"say what '{item}' is",
                at=item,
                fix=write_instead(f"create: {{character: {item}}}", when="if it is a character"),
                help="or  place,  prop,  master,  sub",
            )
    play.step.headline = f"{', '.join(names)} created" if names else "Nothing created"
