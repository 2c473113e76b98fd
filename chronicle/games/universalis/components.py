"""Chapter 4, Components: creating and introducing them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from chronicle.core.declare import Decides, Offered, Refusal, main
from chronicle.core.diagnostic import DiagnosticKind, listed
from chronicle.core.fix import add_entry, drop_entry, drop_item, set_key, write_instead
from chronicle.core.guards import Violation, guard
from chronicle.core.names import Named, fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, enter_lead_in
from chronicle.games.universalis import coins, presence, table
from chronicle.games.universalis.actions import (
    AGREED,
    BUILDS,
    COMPONENTS,
    OUTCOME,
    SCENE,
    Entry,
    NewComponent,
    called,
    during,
    slips_of,
)
from chronicle.games.universalis.authority import may_change
from chronicle.games.universalis.belongings import bars_class, link
from chronicle.games.universalis.coins import can_pay, spendable
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.moves import PROPS, ROLES, acting, any_of, classes, elsewhere
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import bars_tenet, note_tenet, preparing, proposers
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


class NamesComponents(Entry):
    """An entry that names Components, or describes new ones."""

    what: tuple[ScalarNode | NewComponent, ...]

    @guard("U4.5")
    def describes_what_is_new(self, play: Table) -> Iterator[Violation]:
        return bars_new(play, self.what)

    def slips(self) -> Iterable[Slip]:
        return slips_of(self.what)


class Introduce(NamesComponents):
    """Bring Components into the scene, 1 Coin each, existing or new. You Control what you introduce."""

    verb = "introduce"
    synonyms = ("character", "prop", "component", "npc", "person", "bring in")
    already_shown_kinds = frozenset({"creates", "enters", "owns"})
    decides = Decides("turn", "U3.57", action_phrase="introduces something")
    moment = during(
        SCENE,
        OUTCOME,
        preparing=Refusal(
            "U3.1",
            "Components cannot be introduced before the first scene",
            fixes=(write_instead("create: ..."),),
            help="in preparation a Component is only created",
        ),
    )
    example = "introduce: {character: lamplighter, name: Ines Vale, traits: [sure-footed x2]}"
    what = main(
        COMPONENTS, "names, or new Components as {character: Role, name: ..., traits: [...]}"
    )
    agreed_by = AGREED
    offered = Offered("U5.2", "bring something in, known or new")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        components, number = play.state.components, len(play.steps) + 1
        for scene, player, by in acting(play, "introduce", framing=True):
            coins = spendable(play, player, "scene")
            has_cast = any(components[id].kind == CHARACTER for id in scene.present)
            if scene.framing and has_cast and coins <= 3:
                continue  # They are for the first Event.
            most = play.state.points.first_traits(play)
            if most and can_pay(play, player, "create"):
                yield {"introduce": {"character": any_of(ROLES, play)}, **by}
            if most > 1 and coins >= 2 and not scene.framing:
                kit = {"prop": "kit", "as": f"kit {number}", "traits": ["heals cuts"]}
                yield {"introduce": kit, **by}
                for spec in ({"traits": ["stubborn"]}, {"open": "yes"}):
                    yield {"introduce": {"character": f"figure {number}", **spec}, **by}
                for master in islice(classes(play), 2):
                    yield {"introduce": {"sub": master.name, "as": f"guard {number}"}, **by}
            # Brought into the frame of a Mini Scene, a known one may owe a Complication (UA.18).
            for component in elsewhere(play, scene) if not scene.framing else ():
                yield {"introduce": component.name, **by}

    @guard("U5.2")
    def may_come(self, play: Table) -> Iterator[Violation]:
        scene = play.state.current_scene
        if scene is None or (preparing(play) and not play.given):
            return
        yield from bars_arrivals(play, scene, self.what, set())

    def apply(self, play: Table) -> None:
        """Bring Components into the scene."""
        scene = None if preparing(play) and not play.given else play.state.current_scene
        play.step.headline = "Enters"
        for item in self.what:
            bring_in(play, scene, item)
        names = _entered(play, scene)
        if names:
            play.step.headline = f"Enter {names}"

    def caption(self) -> str:
        new = any(isinstance(item, NewComponent) for item in self.what)
        return "New" if new else "Enter"

    def lead_in(self) -> str:
        return called(self.what, enter_lead_in)


class Create(NamesComponents):
    """Create a Component without bringing it into the scene. 1 Coin for its Role, 1 per further Trait."""

    verb = "create"
    synonyms = ("make", "new")
    heading = "New"
    already_shown_kinds = frozenset({"creates", "owns"})
    decides = Decides("turn", "U3.57", action_phrase="creates something")
    moment = BUILDS
    in_exchange = True
    example = "create: {prop: tide clock, traits: [always right]}"
    what = main(COMPONENTS, "new Components as {prop: Role, traits: [...]}")
    offered = Offered("U4.5", "create something that is not here")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for player, by in proposers(play, "create"):
            most = play.state.points.first_traits(play)
            if not most:
                return
            yield {"create": {"character": any_of(ROLES, play)}, **by}
            if not preparing(play):
                yield {"create": {"prop": any_of(PROPS, play)}, **by}
                if most > 1 and spendable(play, player, "scene") >= 3:
                    guild = {"master": f"Guild {len(play.steps) + 1}", "traits": ["sworn"]}
                    yield {"create": guild, **by}

    @guard(
        "T20",
        DiagnosticKind.UNREADABLE,
        help="in place of  character:  you can write  place:,  prop:,  master:  or  sub:",
    )
    def says_what_it_is(self, play: Table) -> Iterator[Violation]:
        for item in self.what:
            if isinstance(item, ScalarNode):
                fix = write_instead(f"create: {{character: {item}}}", when="if it is a character")
                yield Violation(f"say what '{item}' is", item, fix)

    def apply(self, play: Table) -> None:
        """Create Components that are not in the scene."""
        specs = (item for item in self.what if isinstance(item, NewComponent))
        names = [component.name for spec in specs for component in make(play, spec, asked=True)]
        play.step.headline = f"{', '.join(names)} created" if names else "Nothing created"

    def lead_in(self) -> str:
        return called(self.what, lambda names: f"New to the story, {listed(names)}")


def bring_in(
    play: Table,
    scene: SceneState | None,
    item: ScalarNode | NewComponent,
    how: str = "enters",
) -> None:
    """Introduce an existing Component, or Create one into the scene (U5.2, U4.5). Guards of the entry have asked
    :func:`bars_arrivals`, and :func:`bars_new` whether a new one is described."""
    if isinstance(item, NewComponent) and item.existing is None:
        for component in make(play, item, asked=True):
            # A possession of a present Component has come in with its owner.
            if scene is not None and component.id not in scene.present:
                _come(play, scene, component, how)
        return
    word = item.existing if isinstance(item, NewComponent) else item
    for component in table.find_all(play, word) if word is not None else ():
        _introduce(play, scene, component)


def bars_arrivals(
    play: Table,
    scene: SceneState,
    items: Iterable[ScalarNode | NewComponent],
    came: set[str],
) -> Iterator[Violation]:
    """What keeps existing Components from being introduced one after the other: each comes in once (U5.2), unchanged,
    and passes the gate. ``came`` are the ids of those that the entry has brought in already."""
    number, made = play.step.number, dict[str, NewComponent]()
    for item in items:
        if isinstance(item, NewComponent) and item.existing is None:
            masters = [master for _, master in table.known(play, item.sub)]
            made |= {fold(label): item for label in _labels_of(item, masters)}
            continue
        word = item.existing if isinstance(item, NewComponent) else item
        if word is None:
            continue
        if isinstance(item, NewComponent):
            yield from _bars_changes(item, word)
        if (new := made.get(fold(word))) is not None:
            carried = new.owner is not None or new.contents is not None
            yield _came_before(play, str(word), word, number, carried=carried)
            continue
        for _, component in table.known(play, [word]):
            entered = play.state.points.entered_scene(play, scene, component)
            is_there = component.id in entered.present and play.gap <= entered.present[component.id]
            if is_there or component.id in came:
                step = entered.present[component.id] if is_there else number
                carried = bool(component.owner) and component.owner in {*entered.present, *came}
                yield _came_before(play, component.name, word, step, carried=carried)
            else:
                yield from presence.bars_entering(play, entered, component, word, came=came)


def _bars_changes(item: NewComponent, word: ScalarNode) -> Iterator[Violation]:
    """Existing Components are introduced unchanged; what it gains is bought apart."""
    extra_keys = [key for key in item.source if key != "existing"] if item.source else []
    if extra_keys:
        yield Violation(
            f"'{word}' exists already, so {listed(extra_keys)} {'is' if len(extra_keys) == 1 else 'are'} not read here",
            word,
            help="introduce it by its name, and buy what it gains in an entry of its own:  - trait: ...",
            rule="T20",
            kind=DiagnosticKind.UNREADABLE,
        )


def _came_before(
    play: Table, name: str, word: ScalarNode, step: int, *, carried: bool
) -> Violation:
    """A Component is introduced that is in the scene already (U5.2), or came in with its owner (U4.21)."""
    return Violation(
        f"{name} came in free, with its owner" if carried else f"{name} is in the scene already",
        word,
        drop_item(str(word)) if len(getattr(play.step.action, "what", ())) > 1 else drop_entry(),
        facts=[play.because(step, "came in here")],
        rule="U4.21" if carried else "U5.2",
    )


def _introduce(play: Table, scene: SceneState | None, component: Component) -> None:
    if scene is None:
        return
    scene = play.state.points.entered_scene(play, scene, component)
    words = f"{component.name} introduced"
    if component.id in scene.present and play.gap <= scene.present[component.id]:
        coins.charge(play, "introduce", "U5.2", words)
        return
    coins.charge(play, "introduce", "U5.2", words, component=component)
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
        presence.close_frame(play, scene)


def bars_new(play: Table, items: Iterable[ScalarNode | NewComponent]) -> Iterator[Violation]:
    """What is missing in the descriptions of new Components, or names what there is already (U4.4, U4.5, U4.28); and
    the order of preparation (S13)."""
    labels: set[str] = set()
    tenets = 0
    for spec in items:
        if not isinstance(spec, NewComponent) or spec.existing is not None:
            continue
        masters = [*table.known(play, spec.sub)]
        for word, master in masters:
            yield from bars_class(play, master, word)
        label = _label_of(spec, [master for _, master in masters])
        if not (spec.roles or spec.sub):
            help = "the first Trait says what it is:  {character: its Role}"
            yield Violation(f"{label} has no Role", "main", help=help, rule="U4.4")
        if spec.count == 1 and not play.given:
            if fold(label) in labels:
                yield _made_twice(play, label, play.step.number)
            elif fold(label) in play.state.labels:
                yield from _bars_label(play, spec, label, [master for _, master in masters])
        labels.add(fold(label))
        if _is_prepared(play):
            number = _tenets_of(play, spec, len(masters))
            for _ in range(spec.count):
                yield from bars_tenet(play, number, before=tenets)
                tenets += number
            yield from _bars_place(play, spec, label, [master for _, master in masters])


def _is_prepared(play: Table) -> bool:
    """Whether a new Component is built in a turn of preparation."""
    return preparing(play) and not play.given and play.state.points.builds_in_turns(play)


def _tenets_of(play: Table, spec: NewComponent, masters: int) -> int:
    """How many Tenets a new Component counts as: one a Trait, or one in all (S13)."""
    return _copies_of(spec, masters) if play.ruling("prepared component") == "one trait" else 1


def _bars_place(
    play: Table, spec: NewComponent, label: str, masters: Sequence[Component]
) -> Iterator[Violation]:
    """A place comes only after a setting (UE.7)."""
    tenets = play.state.tenets.values()
    story = [tenet for tenet in tenets if tenet.kind == "story" and tenet.life is Life.IN_FORCE]
    is_set = any(tenet.about in ("setting", "") for tenet in story)
    if _role_of(spec, masters)[1] == PLACE and not is_set:
        yield Violation(
            f"{label} is a place, and no Tenet about the setting is accepted yet",
            fix=add_entry("tenet: ...\nabout: setting"),
            rule="UE.7",
        )


def _label_of(spec: NewComponent, masters: Sequence[Component]) -> str:
    """What a new Component is called."""
    role, _ = _role_of(spec, masters)
    return str(spec.name or spec.as_ or role or (masters[0].name if masters else "something"))


def _labels_of(spec: NewComponent, masters: Sequence[Component]) -> list[str]:
    label = _label_of(spec, masters)
    return (
        [label] if spec.count == 1 else [f"{label} {number}" for number in range(1, spec.count + 1)]
    )


def make(play: Table, spec: NewComponent, *, asked: bool = False) -> list[Component]:
    """Create Components from a description: existence, Traits, price (U4.2 to U4.17). ``asked``: guards of the entry
    have asked whether it is complete."""
    state = play.state
    if not asked:
        report_all(play, bars_new(play, [spec]))
    components: list[Component] = []
    masters = [m for word in spec.sub if (m := table.find_one(play, word)) is not None]
    role, kind = _role_of(spec, masters)
    words = _label_of(spec, masters)
    for label in _labels_of(spec, masters):
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


def _bars_label(
    play: Table, spec: NewComponent, label: str, masters: Sequence[Component]
) -> Iterator[Violation]:
    """Another Component is called like this."""
    match = play.names.find(label, (CHARACTER, PLACE, PROP))
    old = play.state.components[match.id] if isinstance(match, Named) else None
    if old is not None and old in masters and not (spec.name or spec.as_):
        yield Violation(
            f"nothing says what this Component of {old.name} is called",
            fix=set_key("as"),
            help="say what the table calls it, free of charge",
            kind=DiagnosticKind.SUSPICIOUS,
            rule="U4.5",
        )
    elif old is not None and fold(old.name) == fold(label):
        yield _made_twice(play, label, old.step)


def _made_twice(play: Table, label: str, step: int) -> Violation:
    return Violation(
        f"'{label}' is there already; this creates another",
        fix=write_instead(f"introduce: {label}", when="if it is the same"),
        help="or give the new one a handle of its own:  as: ...",
        facts=[play.because(step, "created here")],
        kind=DiagnosticKind.SUSPICIOUS,
        rule="U4.5",
    )


def _role_of(spec: NewComponent, masters: Sequence[Component]) -> tuple[str, str]:
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


def _copies_of(spec: NewComponent, masters: int) -> int:
    """The copies of Traits that a new Component has, with so many Masters."""
    listed_copies = [
        c.count for c in (*spec.traits, *spec.group, *spec.wounds) if c.name != ELLIPSIS
    ]
    roles = sum(count for _, count in spec.roles)
    return (
        masters + roles + sum(listed_copies) + sum(s is not None for s in (spec.master, spec.name))
    )


def _first_traits(
    play: Table, component: Component, spec: NewComponent, masters: list[Component]
) -> None:
    state = play.state
    copies = _copies_of(spec, len(masters))
    for master in masters:
        add_trait(play, component, master.name, Sort.MEMBER, other=master.id)
    for word, count in spec.roles:
        add_trait(play, component, str(word), Sort.ROLE, count)
    component.open_role = spec.open
    if spec.master is not None:
        component.master = True
        add_trait(play, component, "Master", Sort.MASTER)
    if spec.name is not None:
        add_trait(play, component, str(spec.name), Sort.NAME, at=spec.name)
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
    for master in masters:
        join_class(play, component, master)
    if _is_prepared(play):
        note_tenet(play, _tenets_of(play, spec, len(masters)))
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
            link(play, owner, component)


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
