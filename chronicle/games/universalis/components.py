"""Chapter 4: Components and their Traits, possessions, Masters and Subs, damage and Elimination."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.declare import Counted
from chronicle.core.diagnostic import Finding, plural
from chronicle.core.names import Named, fold
from chronicle.core.source import Word
from chronicle.games.universalis.actions import NewComponent
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import count_tenet, preparing
from chronicle.games.universalis.state import (
    CHARACTER,
    PLACE,
    PROP,
    Component,
    FactNote,
    SceneState,
    Sort,
    Trait,
    Turning,
)
from chronicle.games.universalis.story_actions import (
    AddGroup,
    AddTrait,
    AddWound,
    BringBack,
    Create,
    Eliminate,
    GiveName,
    Introduce,
    MakeMaster,
    MakeSub,
    Negate,
    Possess,
    Reduce,
    RemoveTrait,
    RestoreTrait,
    Separate,
    Tie,
    UseUp,
    WordRole,
)
from chronicle.games.universalis.table import (
    at,
    available,
    charge,
    controller,
    end_framing,
    enter,
    find_all,
    find_one,
    gain_control,
    here_or_report,
    is_committed,
    leave,
    note,
    purse_of,
    register,
)
from chronicle.games.universalis.traits import (
    add_trait,
    find_trait,
    importance_of,
    inherited,
    join_class,
    miss,
    own_thing,
    owner_chain,
    part,
    remove_copies,
    restore_copies,
    set_eliminated,
)

ELLIPSIS = "..."


# --- creating and introducing -------------------------------------------------------------------------


def bring_in(
    play: Table, here: SceneState | None, item: Word | NewComponent, how: str = "enters"
) -> None:
    """Introduce an existing Component, or Create one into the scene (U5.2, U4.5)."""
    if isinstance(item, NewComponent):
        if item.existing is None:
            for component in make(play, item):
                if here is not None:
                    _come(play, here, component, how)
            return
        word = item.existing
    else:
        word = item
    for component in find_all(play, word):
        _introduce(play, here, component, word)


def _introduce(play: Table, here: SceneState | None, component: Component, word: Word) -> None:
    if here is None:
        return
    if component.id in here.present:
        carried = bool(component.owner) and component.owner in here.present
        play.require(
            False,
            "U4.21" if carried else "U5.2",
            f"{component.name} came in free, with its owner"
            if carried
            else f"{component.name} is in the scene already",
            at=at(play, word),
            facts=[play.because(here.present[component.id], "came in here")],
        )
        charge(play, "introduce", "U5.2", f"{component.name} introduced", sort="scene")
        return
    allowed(play, here, component, word)
    charge(
        play, "introduce", "U5.2", f"{component.name} introduced", component=component, sort="scene"
    )
    _come(play, here, component, "enters")
    play.event(f"{component.name} enters", "U5.2", "enters", component.id)


def allowed(play: Table, here: SceneState, component: Component, word: Word) -> None:
    """What keeps a Component out of a scene: being a Master, being gone, a stated absence."""
    if component.master:
        play.require(
            False,
            "U4.27",
            f"{component.name} is a Master: it stands for a class and is never in a scene",
            at=at(play, word),
            help=f"introduce one of its class:  - introduce: {{sub: {component.name}}}",
        )
    if component.turnings and not available(play, component, here):
        last = next(t for t in reversed(component.turnings) if t.kind == "eliminated")
        play.require(
            False,
            "U4.37",
            f"{component.name} was Eliminated before this scene in story time",
            at=at(play, word),
            facts=[play.because(last.step, "Eliminated here")],
            help=f"bring it back first:  - return: {component.name}",
        )
    if component.id in here.absent:
        play.suspect(
            True,
            "U5.20",
            f"it was stated, and paid for, that {component.name} is not here",
            at=at(play, word),
            facts=[play.because(here.absent[component.id], "stated here")],
        )
    if here.frame == "meanwhile":
        _twice(play, here, component, word)


def _twice(play: Table, here: SceneState, component: Component, word: Word) -> None:
    timeline = play.timeline
    for scene in timeline.scenes:
        if (
            scene.number != here.number
            and component.id in scene.cast
            and timeline.same_time(scene.number, here.number)
        ):
            play.suspect(
                True,
                "U5.12",
                f"{component.name} is in '{scene.title}' at the same time",
                at=at(play, word),
                facts=[play.because(scene.first_step, "that scene")],
            )
            return


def _come(play: Table, here: SceneState, component: Component, how: str) -> None:
    state = play.state
    player = play.step.player
    if here.mini and play.rulings["mini control"] == "shared":
        parent = state.scene
        if parent is not None:
            player = parent.control.get(component.id, player)
    enter(play, here, component, player, how)
    complete = here.framing and here.located and component.kind == CHARACTER
    if complete and play.rulings["framing ends"] == "character":
        end_framing(play, here)


def make(play: Table, spec: NewComponent) -> list[Component]:
    """Create Components from a description: existence, Traits, price (U4.2 to U4.17)."""
    state = play.state
    made: list[Component] = []
    masters = [m for word in spec.sub for m in _masters_of(play, word)]
    role, kind = _role_of(spec, masters)
    words = str(spec.name or spec.as_ or role or (masters[0].name if masters else "something"))
    play.require(
        bool(role or masters or spec.role),
        "U4.4",
        f"{words} has no Role",
        at=play.step.action.place("main"),
        help="the first Trait says what it is:  {character: its Role}",
    )
    for number in range(1, spec.count + 1):
        label = f"{words} {number}" if spec.count > 1 else words
        if spec.count == 1 and fold(label) in state.labels and not play.given:
            _questioned(play, spec, label)
        component = register(play, kind, label)
        state.labels.add(fold(label))
        _aliases(play, component, spec, role, label)
        _first_traits(play, component, spec, role, masters)
        made.append(component)
    if spec.count > 1:
        ids = [component.id for component in made]
        for plural_word in (words, f"{words}s"):
            state.groups.setdefault(fold(plural_word), []).extend(ids)
    names = ", ".join(component.name for component in made)
    play.event(f"{names} created", "U4.5", "creates", made[0].id)
    return made


def _questioned(play: Table, spec: NewComponent, label: str) -> None:
    found = play.names.find(label, (CHARACTER, PLACE, PROP))
    if isinstance(found, Named):
        old = play.state.components[found.id]
        if fold(old.name) == fold(label):
            play.suspect(
                True,
                "U4.5",
                f"there is a {label} already; this creates another",
                facts=[play.because(old.step, "created here")],
                help=f"to introduce it, write its name:  - introduce: {label}"
                "   (or give the new one a handle of its own:  as: ...)",
            )


def _masters_of(play: Table, word: Word) -> list[Component]:
    found = find_one(play, word)
    if found is None:
        return []
    play.require(
        found.master or found.placeholder,
        "U4.28",
        f"{found.name} is no Master, so nothing can be a Sub of it",
        at=at(play, word),
        facts=[play.because(found.step, "created here without the mark")],
        help=f"mark it first, for 1 Coin:  - master: {found.name}",
    )
    return [found]


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


def _first_role(spec: NewComponent) -> tuple[Counted, ...]:
    for word in (spec.character, spec.place, spec.new, spec.prop, spec.master):
        if word is not None:
            return (word, *spec.role)
    return spec.role


def _aliases(play: Table, component: Component, spec: NewComponent, role: str, label: str) -> None:
    state = play.state
    for alias in (spec.as_, role):
        if alias and fold(alias) not in state.labels and spec.count == 1:
            play.names.alias(component.id, str(alias))
            state.labels.add(fold(alias))


def _first_traits(
    play: Table, component: Component, spec: NewComponent, role: str, masters: list[Component]
) -> None:
    state = play.state
    copies = 0
    for master in masters:
        add_trait(play, component, master.name, Sort.MEMBER, other=master.id)
        copies += 1
    for word, count in _first_role(spec):
        add_trait(play, component, str(word), Sort.ROLE, count)
        copies += count
    component.open_role = spec.open
    if spec.master is not None:
        component.master = True
        add_trait(play, component, "Master", Sort.MASTER)
        copies += 1
    if spec.name is not None:
        if component.master:
            _no_name(play, component, spec.name)
        add_trait(play, component, str(spec.name), Sort.NAME)
        copies += 1
    for words, sort in (
        (spec.traits, Sort.PLAIN),
        (spec.group, Sort.GROUP),
        (spec.wounds, Sort.WOUND),
    ):
        for word, count in words:
            if word == ELLIPSIS:
                component.open_list = True
                continue
            add_trait(play, component, str(word), sort, count)
            copies += count
    for master in masters:
        join_class(play, component, master)
    if preparing(play) and not play.given:
        _prepared(play, component, copies)
    first = state.points.price(play, "create", play.step.player, component)
    rest = state.points.traits_price(play, component, copies) - state.points.price(
        play, "trait", play.step.player, component
    )
    reduced = min(0, rest)
    charge(
        play,
        "create",
        "U4.5",
        f"{component.name} created",
        amount=max(0, first + reduced),
        sort="scene",
    )
    charge(play, "trait", "U4.3", f"Traits of {component.name}", amount=max(0, rest), sort="scene")
    owner_word = spec.owner or spec.contents
    if owner_word is not None:
        owner = find_one(play, owner_word)
        if owner is not None:
            _own(play, owner, component, owner_word)


def _prepared(play: Table, component: Component, copies: int) -> None:
    """A Component built in preparation: one Trait a turn (S13), a place only after a setting (UE.7)."""
    count_tenet(play, copies if play.ruling("prepared component") == "one trait" else 1)
    if component.kind != PLACE:
        return
    story = [t for t in play.state.tenets.values() if t.kind == "story" and t.status == "accepted"]
    if any(t.about == "setting" for t in story) or any(not t.about for t in story):
        return
    play.require(
        False,
        "UE.7",
        f"{component.name} is a place, and no Tenet about the setting is accepted yet",
        help="propose the setting first:  - tenet: where the story plays  /  about: setting",
    )


def introduce(play: Table, action: Introduce) -> None:
    """Bring Components into the scene."""
    if preparing(play) and not play.given:
        play.require(
            False,
            "U3.1",
            "nobody is introduced before the first scene",
            help="in preparation a Component is only created:  - create: ...",
        )
        here = None
    else:
        here = here_or_report(play, "an Introduction")
    play.step.headline = "Enters"
    for item in action.what:
        bring_in(play, here, item)
    names = _entered(play, here)
    if names:
        play.step.headline = f"{names} enters" if "," not in names else f"{names} enter"


def _entered(play: Table, here: SceneState | None) -> str:
    if here is None:
        return ""
    index = play.step.index
    ids: list[str] = []
    for step, id, _ in reversed(here.entries):
        if step != index:
            break
        ids.append(id)
    return ", ".join(play.state.components[id].name for id in reversed(ids))


def create(play: Table, action: Create) -> None:
    """Create Components that are not in the scene."""
    if not preparing(play) and not play.given:
        here_or_report(play, "a Creation")
    names: list[str] = []
    for item in action.what:
        if isinstance(item, NewComponent):
            names.extend(component.name for component in make(play, item))
        else:
            play.report(
                Finding.UNREADABLE,
                "T20",
                f"say what '{item}' is",
                at=at(play, item),
                help=f"write  - create: {{character: {item}}}  (or place, prop, master, sub)",
            )
    play.step.headline = f"{', '.join(names)} created" if names else "Nothing created"


# --- who may alter what ---------------------------------------------------------------------------------


def may_alter(play: Table, component: Component, what: str, word: Word | None = None) -> bool:
    """Only the Controller alters a Component, or Bonus Coins do (U3.26, U5.4)."""
    state = play.state
    if play.given or state.purses or component.placeholder:
        return True
    player = play.step.player
    if state.scene is None and preparing(play):
        return True
    where = at(play, word) if word is not None else None
    if component.master:
        return True
    here = state.here
    if here is not None and component.id in here.present:
        holder = here.control.get(component.id, "")
        if holder in (player, "") or not player:
            return True
        return play.require(
            False,
            "U3.26",
            f"{player} {what} a Component that {holder} Controls",
            at=where,
            label=f"{holder} Controls {component.name}",
            facts=[play.because(_since(component, here), f"{holder} has Controlled it since then")],
            help=(
                f"{player} may take it over first (1 Coin):  - take over: {component.name}",
                "or make it a Complication:  - complication: ...",
            ),
        )
    reading = play.ruling("absent traits")
    mine = component.creator == player and component.creating_turn == state.turn_number
    if reading == "anyone" or (reading == "creator" and mine):
        return True
    return play.require(
        False,
        "U3.26",
        f"{player} {what} {component.name}, which is not in the scene, so nobody Controls it",
        at=where,
        facts=[play.because(component.step, "created here")],
        help=f"introduce it first (1 Coin):  - introduce: {component.name}",
    )


def _since(component: Component, here: SceneState) -> int:
    for step, scene, _, _ in reversed(component.control):
        if scene == here.number:
            return step
    return 0


def _damage_needs_event(play: Table, because: object, code: str = "U4.42") -> None:
    """Damage follows from a paid Event (U4.42); within an outcome none is needed (S47)."""
    state = play.state
    if play.given or because is not None or preparing(play):
        return
    purse = purse_of(play)
    if purse is not None:
        if play.ruling("damage event") != "always":
            return
        complication = state.complications[purse.complication - 1]
        rolled = complication.rounds[-1].step if complication.rounds else 0
        missing = state.event_this_turn <= rolled
    else:
        missing = not state.event_this_turn and play.gap <= state.turn_step
    play.suspect(
        missing,
        code,
        "damage without an Event that causes it in this turn",
        help="say first what happens, for 1 Coin:  - event: ...   (or add  because: ...)",
    )


# --- Traits ----------------------------------------------------------------------------------------------


def add_traits(play: Table, action: AddTrait) -> None:
    """New Traits, 1 Coin a copy (U4.3)."""
    sort = Sort.WOUND if action.wound else Sort.PLAIN
    if action.wound:
        _damage_needs_event(play, action.because)
    _add(play, action.traits, sort, "adds a Trait to")


def add_wounds(play: Table, action: AddWound) -> None:
    """Wound Traits (U4.44)."""
    _damage_needs_event(play, action.because)
    _add(play, action.traits, Sort.WOUND, "wounds")


def add_groups(play: Table, action: AddGroup) -> None:
    """Group Traits (U4.14)."""
    _add(play, action.traits, Sort.GROUP, "adds a Group Trait to")


def _add(play: Table, traits: dict[Word, tuple[Counted, ...]], sort: Sort, what: str) -> None:
    told: list[str] = []
    outside = not preparing(play) and not play.given and play.state.here is None
    if outside:
        here_or_report(play, "a Trait")
    rule = {Sort.WOUND: "U4.44", Sort.GROUP: "U4.14"}.get(sort, "U4.3")
    for word, words in traits.items():
        for component in find_all(play, word):
            may_alter(play, component, what, word)
            if component.eliminated and sort is Sort.WOUND and _just_eliminated(play, component):
                play.require(
                    False,
                    "U4.46",
                    f"{component.name} was Eliminated; injuries told on the way are no Traits",
                    at=at(play, word),
                    facts=[play.because(component.turnings[-1].step, "Eliminated here")],
                )
            copies = 0
            for trait, count in words:
                if trait == ELLIPSIS:
                    component.open_list = True
                    continue
                add_trait(play, component, str(trait), sort, count)
                copies += count
                told.append(f"{trait} x{count}" if count > 1 else str(trait))
            if preparing(play) and not play.given:
                count_tenet(play, copies if play.ruling("prepared component") == "one trait" else 1)
            charge(
                play,
                "trait",
                rule,
                f"Traits of {component.name}",
                amount=play.state.points.traits_price(play, component, copies),
                component=component,
                sort="scene",
            )
            play.event(
                f"{component.name} gains {', '.join(told[-len(words) :])}",
                rule,
                "gains trait",
                component.id,
            )
    play.step.headline = ", ".join(told)


def _just_eliminated(play: Table, component: Component) -> bool:
    here = play.state.here
    return (
        bool(component.turnings)
        and here is not None
        and component.turnings[-1].scene == here.number
    )


def _no_name(play: Table, component: Component, word: Word) -> None:
    play.require(
        False,
        "U4.27",
        f"{component.name} is a Master, and a Master has no proper name",
        at=at(play, word),
    )


def give_name(play: Table, action: GiveName) -> None:
    """A proper name, bought as a Trait; the Role stays (U4.11, U4.13)."""
    for word, name in action.names.items():
        component = find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "names", word)
        if component.master:
            _no_name(play, component, name)
        add_trait(play, component, str(name), Sort.NAME)
        old = component.name
        play.names.rename(component.id, str(name))
        component.name = str(name)
        play.state.taken.add(fold(name))
        play.state.labels.add(fold(name))
        if preparing(play) and not play.given:
            count_tenet(play)
        charge(
            play, "trait", "U4.11", f"a proper name for {old}", component=component, sort="scene"
        )
        play.event(f"{old} is called {name}", "U4.11", "named", component.id)
        play.step.headline = f"{old} is {name}"


def word_role(play: Table, action: WordRole) -> None:
    """A Role that was left open is worded (U5.28, S83)."""
    for word, role in action.roles.items():
        component = find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "words the Role of", word)
        roles = component.of_sort(Sort.ROLE)
        if play.require(
            component.open_role,
            "U5.28",
            f"the Role of {component.name} is not open",
            at=at(play, word),
            facts=[play.because(component.step, "its Role was bought here")],
            help=f"buy a further Trait instead:  - trait: {{{component.name}: {role}}}",
        ):
            old = roles[0] if roles else None
            if old is not None:
                component.traits.pop(old.key)
                old.text = str(role)
                component.traits[old.key] = old
                old.history.append((play.step.index, "is worded", old.copies, play.step.player))
            component.open_role = False
        if play.ruling("open role") == "paid":
            charge(play, "role", "U5.28", f"the Role of {component.name}", sort="scene")
        if not component.of_sort(Sort.NAME):
            play.names.rename(component.id, str(role))
            component.name = str(role)
            play.state.taken.add(fold(role))
        play.event(f"{word} turns out to be {role}", "U5.28", "role", component.id)
        play.step.headline = f"{word}: {role}"


def tie(play: Table, action: Tie) -> None:
    """A relationship; its mirror at the other end is free (U4.16, U4.17)."""
    for word, (text, count) in action.ties.items():
        component = find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "ties", word)
        others = [o for name in action.with_ for o in find_all(play, name)]
        mirror = str(action.corollary) if action.corollary is not None else ""
        if mirror and action.one_sided:
            play.require(
                False,
                "U4.18",
                "a feeling of one side only has no mirror Trait on the other",
                at=action.place("corollary"),
                help="take out 'corollary:' or 'one sided: yes'",
            )
        trait = add_trait(
            play,
            component,
            str(text),
            Sort.TIE,
            count,
            other=others[0].id if others else "",
        )
        trait.twin = fold(mirror)
        for other in others:
            if mirror:
                back = add_trait(
                    play, other, mirror, Sort.TIE, count, free=True, other=component.id
                )
                back.twin = fold(text)
                play.event(f"{other.name} gains {mirror}, free", "U4.17", "gains trait", other.id)
        charge(
            play,
            "trait",
            "U4.17" if mirror else "U4.16",
            f"a tie of {component.name}",
            times=count,
            component=component,
            sort="scene",
        )
        play.event(f"{component.name} gains {text}", "U4.16", "gains trait", component.id)
        play.step.headline = f"{component.name}: {text}"


# --- possessions ------------------------------------------------------------------------------------------


def possess(play: Table, action: Possess) -> None:
    """A linked possession: one Coin, a Trait at both ends (U4.20)."""
    for word, items in action.items.items():
        owner = find_one(play, word)
        if owner is None:
            continue
        for item_word in items:
            for item in find_all(play, item_word):
                if not (controller(play, item) == play.step.player and play.step.player):
                    may_alter(play, owner, "gives a possession to", word)
                _own(play, owner, item, item_word)


def _own(play: Table, owner: Component, item: Component, word: Word) -> None:
    if item.id == owner.id or item.id in owner_chain(play, owner):
        play.require(
            False,
            "U4.24",
            f"{item.name} owns {owner.name} already, so this would be a circle",
            at=at(play, word),
        )
        return
    if item.owner:
        former = play.state.components[item.owner]
        play.require(
            False,
            "U4.24",
            f"{item.name} belongs to {former.name}; it has one owner at a time",
            at=at(play, word),
            help=f"separate it first (1 Coin):  - separate: {item.name}",
        )
        _unlink(play, item, "removes")
    add_trait(play, owner, f"owns {item.name}", Sort.OWNS, other=item.id)
    add_trait(play, item, f"owned by {owner.name}", Sort.OWNED, free=True, other=owner.id)
    own_thing(play, owner, item)
    charge(play, "trait", "U4.20", f"{owner.name} owns {item.name}", component=owner, sort="scene")
    play.event(f"{owner.name} owns {item.name}", "U4.20", "owns", item.id)
    here = play.state.here
    if here is not None and owner.id in here.present:
        holder = here.control.get(owner.id, "")
        if item.id not in here.present:
            if available(play, item, here):
                enter(play, here, item, holder, f"with {owner.name}")
        elif holder and here.control.get(item.id) != holder:
            gain_control(play, here, item, holder, f"with {owner.name}")
    play.step.headline = play.step.headline or f"{owner.name} owns {item.name}"


def _unlink(play: Table, item: Component, how: str) -> None:
    """Cross the Possession Traits off both sheets and end what they did."""
    owner = play.state.components[item.owner]
    for one, sort, other in ((owner, Sort.OWNS, item), (item, Sort.OWNED, owner)):
        for trait in one.of_sort(sort):
            if trait.other == other.id:
                remove_copies(play, one, trait, trait.copies, how)
    part(play, item)
    item.separations.append((play.step.index, owner.id))


def separate(play: Table, action: Separate) -> None:
    """Part a possession from its owner (U4.22)."""
    for word in action.items:
        for item in find_all(play, word):
            if not play.require(
                bool(item.owner) or item.open_list,
                "U4.22",
                f"{item.name} is nobody's linked possession",
                at=at(play, word),
            ):
                continue
            charge(
                play, "separate", "U4.22", f"{item.name} separated", component=item, sort="scene"
            )
            if not item.owner:
                continue
            owner = play.state.components[item.owner]
            if controller(play, item) != play.step.player:
                may_alter(play, owner, "separates a possession from", word)
            _unlink(play, item, "removes")
            play.event(f"{item.name} is parted from {owner.name}", "U4.22", "separates", item.id)
            play.step.headline = f"{item.name} is parted from {owner.name}"


# --- Masters and Subs -------------------------------------------------------------------------------------


def make_master(play: Table, action: MakeMaster) -> None:
    """The mark that makes a Component a Master (U4.27)."""
    for word in action.what:
        component = find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "makes a Master of", word)
        if component.of_sort(Sort.NAME):
            _no_name(play, component, word)
        component.master = True
        note(play, "master", component.id)
        add_trait(play, component, "Master", Sort.MASTER)
        charge(
            play,
            "trait",
            "U4.27",
            f"{component.name} is a Master",
            component=component,
            sort="scene",
        )
        here = play.state.here
        if here is not None and component.id in here.present:
            leave(play, here, component, "becomes a Master")
        play.event(f"{component.name} is a Master now", "U4.27", "master", component.id)
        play.step.headline = f"{component.name} is a Master"


def make_sub(play: Table, action: MakeSub) -> None:
    """Membership in a Master's class (U4.28)."""
    for word, masters in action.subs.items():
        component = find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "makes a Sub of", word)
        for name in masters:
            for master in _masters_of(play, name):
                add_trait(play, component, master.name, Sort.MEMBER, other=master.id)
                if master.id not in component.masters:
                    join_class(play, component, master)
                charge(
                    play,
                    "trait",
                    "U4.28",
                    f"{component.name}: {master.name}",
                    component=component,
                    sort="scene",
                )
                play.event(
                    f"{component.name} belongs to {master.name}", "U4.28", "sub", component.id
                )
                play.step.headline = f"{component.name} belongs to {master.name}"


def negate(play: Table, action: Negate) -> None:
    """A Trait of a Sub that takes one of its Master's away (U4.32)."""
    for word, text in action.traits.items():
        component = find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "adds a Trait to", word)
        found = inherited(play, component, text)
        if found is None:
            unknown = any(play.state.components[id].open_list for id in component.masters)
            play.require(
                unknown,
                "U4.32",
                f"{component.name} has no Trait '{text}' from a Master",
                at=at(play, text),
                help="only what a Master gives can be negated",
            )
        against = found[1].text if found is not None else str(text)
        own = str(action.as_ or f"not {against}")
        add_trait(play, component, own, Sort.NEGATION, negates=against)
        charge(
            play, "trait", "U4.32", f"Traits of {component.name}", component=component, sort="scene"
        )
        play.event(
            f"{component.name} gains {own}: no {against}", "U4.32", "gains trait", component.id
        )
        play.step.headline = f"{component.name}: {own}"


# --- damage, healing --------------------------------------------------------------------------------------


def remove(play: Table, action: RemoveTrait) -> None:
    """Cross Traits off, 1 Coin a copy (U4.43); a wound that goes has healed (U4.48)."""
    told: list[str] = []
    asked = False
    for word, words in action.traits.items():
        for component in find_all(play, word):
            may_alter(play, component, "removes a Trait of", word)
            for name, count in words:
                trait = _standing(play, component, name)
                charge(
                    play,
                    "remove",
                    "U4.43",
                    f"Traits of {component.name}",
                    times=count,
                    component=component,
                    sort="scene",
                )
                if trait is None:
                    continue
                healed = trait.sort is Sort.WOUND
                if not healed and not asked:
                    asked = True
                    _damage_needs_event(play, action.because)
                if not play.require(
                    count <= trait.copies,
                    "U4.43",
                    f"{component.name} has {trait.text} only {plural(trait.copies, 'time')}",
                    at=at(play, name),
                    facts=[play.because(trait.step, "bought here")],
                ):
                    count = trait.copies
                take_off(play, component, trait, count)
                told.append(trait.text)
                rule = "U4.48" if healed else "U4.43"
                kind = "heals" if healed else "loses trait"
                play.event(
                    f"{component.name} {kind.split()[0]} {trait.text}", rule, kind, component.id
                )
            _left_empty(play, component)
    play.step.headline = f"Without {', '.join(told)}" if told else "Nothing removed"


def _standing(play: Table, component: Component, name: Word) -> Trait | None:
    trait = find_trait(component, name)
    if trait is not None:
        return trait
    if component.open_list:
        return add_trait(play, component, str(name), Sort.PLAIN, paid=0)
    gone = find_trait(component, name, removed=True)
    play.require(
        False,
        "U4.43",
        f"{component.name} has lost {gone.text} already"
        if gone is not None
        else miss(play, component, name),
        at=at(play, name),
        facts=[play.because(gone.history[-1][0], "removed here")] if gone is not None else [],
    )
    return None


def take_off(play: Table, component: Component, trait: Trait, count: int) -> None:
    """Remove copies, with whatever hangs on the Trait: its corollary (S41), its possession."""
    state = play.state
    if trait.sort in (Sort.OWNS, Sort.OWNED) and trait.other:
        item = state.components[trait.other if trait.sort is Sort.OWNS else component.id]
        if item.owner:
            _unlink(play, item, "removes")
            return
    remove_copies(play, component, trait, count)
    if trait.sort is Sort.TIE and trait.other and trait.twin:
        other = state.components[trait.other]
        twin = other.traits.get(trait.twin)
        if twin is not None and twin.other == component.id and twin.copies:
            remove_copies(play, other, twin, min(count, twin.copies))
            play.event(f"{other.name} loses {twin.text} with it", "U4.17", "loses trait", other.id)


def _left_empty(play: Table, component: Component) -> None:
    if component.own > 0 or component.open_list:
        return
    play.suspect(
        True,
        "U4.2",
        f"no Trait of {component.name} is left",
        help=f"if it is out of the story, write  - eliminate: {component.name}",
    )
    if play.ruling("empty component") == "gone" and not component.eliminated:
        _gone(play, component, 0, "")


def restore(play: Table, action: RestoreTrait) -> None:
    """Give crossed-off Traits back, 1 Coin a copy (U4.48)."""
    told: list[str] = []
    for word, words in action.traits.items():
        for component in find_all(play, word):
            may_alter(play, component, "restores a Trait of", word)
            for name, count in words:
                charge(
                    play,
                    "restore",
                    "U4.48",
                    f"Traits of {component.name}",
                    times=count,
                    component=component,
                    sort="scene",
                )
                trait = find_trait(component, name, removed=True)
                if trait is None:
                    if component.open_list:
                        add_trait(play, component, str(name), Sort.PLAIN, count, paid=0)
                        continue
                    standing = find_trait(component, name)
                    play.require(
                        False,
                        "U4.48",
                        f"{standing.text} was never removed from {component.name}"
                        if standing is not None
                        else miss(play, component, name),
                        at=at(play, name),
                        help=f"buy it as a new Trait:  - trait: {{{component.name}: {name}}}",
                    )
                    continue
                if not play.require(
                    count <= trait.removed,
                    "U4.48",
                    f"only {plural(trait.removed, 'copy', 'copies')} of {trait.text} were removed",
                    at=at(play, name),
                ):
                    count = trait.removed
                restore_copies(play, component, trait, count)
                if trait.sort is Sort.TIE and trait.other and trait.twin:
                    twin = play.state.components[trait.other].traits.get(trait.twin)
                    if twin is not None and twin.removed:
                        restore_copies(
                            play, play.state.components[trait.other], twin, min(count, twin.removed)
                        )
                told.append(trait.text)
                play.event(
                    f"{component.name} regains {trait.text}", "U4.48", "regains trait", component.id
                )
    play.step.headline = f"{', '.join(told)} restored" if told else "Nothing restored"


def use_up(play: Table, action: UseUp) -> None:
    """Use up copies of a limited Trait (UG.1): free, and a wound may go with each."""
    healed = 0
    for word, words in action.traits.items():
        component = find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "uses up a Trait of", word)
        gimmick = play.state.points.used_up(play, component)
        play.require(
            bool(gimmick),
            "UG.1",
            f"no Gimmick in force lets Traits of {component.name} be used up",
            at=at(play, word),
            help="propose one:  - gimmick: ...  /  sets: {uses: [" + component.name + "]}",
        )
        for name, count in words:
            trait = _standing(play, component, name)
            if trait is None:
                continue
            if not play.require(
                count <= trait.copies,
                "UG.1",
                f"{component.name} has {plural(trait.copies, 'use')} of {trait.text} left",
                at=at(play, name),
            ):
                count = trait.copies
            remove_copies(play, component, trait, count, "uses")
            healed += count
            play.event(
                f"{component.name}: {trait.text} used, {trait.copies} left",
                "UG.1",
                "uses",
                component.id,
            )
            play.step.headline = f"{component.name}: {trait.text}"
    for word, words in (action.on or {}).items():
        patient = find_one(play, word)
        if patient is None:
            continue
        for name, count in words:
            trait = _standing(play, patient, name)
            if trait is None:
                continue
            play.require(
                count <= healed,
                "UG.1",
                f"{plural(healed, 'use')} heals {plural(healed, 'copy', 'copies')} of a wound, not {count}",
                at=at(play, name),
            )
            remove_copies(play, patient, trait, min(count, trait.copies))
            play.event(f"{patient.name} heals {trait.text}", "UG.1", "heals", patient.id)


# --- Elimination -----------------------------------------------------------------------------------------


def reduce(play: Table, action: Reduce) -> None:
    """Pay part of an Importance (U6.35, S45)."""
    pairs: Iterable[tuple[Word, int]] = (
        action.what.items()
        if isinstance(action.what, dict)
        else ((word, 1) for word in action.what)
    )
    for word, coins in pairs:
        for component in find_all(play, word):
            may_alter(play, component, "reduces", word)
            component.towards += coins
            if component.id not in play.state.reduced:
                play.state.reduced.append(component.id)
            note(play, "towards", component.id, coins)
            charge(
                play,
                "remove",
                "U4.36",
                f"towards the end of {component.name}",
                amount=coins,
                component=component,
            )
            left = max(0, play.state.points.elimination_price(play, component) - component.towards)
            play.event(
                f"{plural(coins, 'Coin')} towards the end of {component.name}; {left} to go"
                if not component.open_list
                else f"{plural(coins, 'Coin')} towards the end of {component.name}",
                "U6.35",
                "reduces",
                component.id,
            )
            if action.as_ is not None:
                component.survives_as = str(action.as_)
            play.step.headline = f"{component.name} is in trouble"


def eliminate(play: Table, action: Eliminate) -> None:
    """Out of the story for its Importance (U4.36)."""
    for word in action.what:
        for component in find_all(play, word):
            _eliminate(play, action, component, word)


def _eliminate(play: Table, action: Eliminate, component: Component, word: Word) -> None:
    state = play.state
    if component.eliminated:
        play.require(
            False,
            "U4.36",
            f"{component.name} is Eliminated already",
            at=at(play, word),
            facts=[play.because(component.turnings[-1].step, "Eliminated here")]
            if component.turnings
            else [],
        )
        return
    may_alter(play, component, "Eliminates", word)
    alive = [
        state.components[id].name for id in component.subs if not state.components[id].eliminated
    ]
    if component.master and alive and play.ruling("master elimination") == "subs first":
        play.require(
            False,
            "U7.2",
            f"{component.name} is a Master, and {', '.join(alive[:3])} still stand",
            at=at(play, word),
            help="Eliminate every Sub first",
        )
    step = is_committed(play, component)
    if step and not state.purses:
        locked = play.ruling("committed leaves") == "locked"
        finding = Finding.ILLEGAL if locked else Finding.SUSPICIOUS
        play.report(
            finding,
            "U6.8",
            f"{component.name} is committed to an open Complication",
            at=at(play, word),
            facts=[play.because(step, "committed here")],
        )
    known = importance_of(play, component) is not None
    price = state.points.elimination_price(play, component)
    due = max(0, price - component.towards)
    if not known and action.coins is not None:
        due = max(0, action.coins)
    charge(play, "remove", "U4.36", f"the end of {component.name}", amount=due, component=component)
    if not known and not play.given:
        play.report(
            Finding.UNKNOWN,
            "U4.36",
            f"not all Traits of {component.name} are written down, so its price is not known",
            at=at(play, word),
        )
    if len(action.facts) > max(price, 1):
        play.require(
            False,
            "U4.39",
            f"{plural(price, 'Coin')} entitle to {plural(price, 'Fact')} about its fate, not {len(action.facts)}",
            at=action.place("facts"),
        )
    _gone(play, component, price, str(action.fate or ""), tuple(str(f) for f in action.facts))
    for number, fact in enumerate(action.facts, 1):
        id = f"fate-{play.step.index}-{number}"
        here = state.here
        state.facts[id] = FactNote(
            id,
            str(fact),
            "fate",
            component.id,
            here.number if here is not None else 0,
            play.step.index,
            play.step.player,
        )
    if action.wounds:
        play.event("the injuries told on the way are no Traits", "U4.46")
    play.step.headline = f"{component.name} is out of the story"


def _gone(
    play: Table, component: Component, price: int, fate: str, facts: tuple[str, ...] = ()
) -> None:
    state = play.state
    here = state.here
    scene = here.number if here is not None else 0
    if here is not None and here.frame == "past":
        later = [
            s
            for s in play.timeline.scenes
            if component.id in s.cast
            and s.number != scene
            and play.timeline.before(scene, s.number)
        ]
        if later:
            illegal = play.ruling("past elimination") == "illegal"
            play.report(
                Finding.ILLEGAL if illegal else Finding.SUSPICIOUS,
                "U4.37",
                f"{component.name} is seen later in the story, in '{later[0].title}'",
                facts=[play.because(later[0].first_step, "that scene")],
            )
    component.turnings.append(
        Turning("eliminated", scene, play.step.index, play.step.player, price, fate, facts)
    )
    component.towards = 0
    if component.id in state.reduced:
        state.reduced.remove(component.id)
    set_eliminated(play, component, True)
    vanish = component.owns and play.ruling("orphaned possessions") == "vanish"
    for id in list(component.owns):
        item = state.components[id]
        if vanish:
            _gone(play, item, 0, f"with {component.name}")
        else:
            part(play, item)
    if (
        here is not None
        and component.id in here.present
        and play.ruling("eliminated here") == "leaves"
    ):
        leave(play, here, component, "is Eliminated")
    play.event(f"{component.name} is Eliminated", "U4.36", "eliminated", component.id)


def bring_back(play: Table, action: BringBack) -> None:
    """Back into the story for the Importance it has now (U4.40)."""
    for word in action.what:
        for component in find_all(play, word):
            if not play.require(
                component.eliminated or component.placeholder,
                "U4.40",
                f"{component.name} was never Eliminated",
                at=at(play, word),
                help=f"to bring it into the scene:  - introduce: {component.name}",
            ):
                continue
            price = play.state.points.return_price(play, component)
            charge(
                play,
                "restore",
                "U4.40",
                f"{component.name} comes back",
                amount=price,
                component=component,
            )
            here = play.state.here
            scene = here.number if here is not None else 0
            component.turnings.append(
                Turning(
                    "returned",
                    scene,
                    play.step.index,
                    play.step.player,
                    price,
                    str(action.because or ""),
                )
            )
            set_eliminated(play, component, False)
            play.event(f"{component.name} is back in the story", "U4.40", "returned", component.id)
            play.step.headline = f"{component.name} is back"


def end_reductions(play: Table) -> None:
    """What was paid towards an Elimination that did not come off (S46)."""
    state = play.state
    if not state.reduced:
        return
    reading = play.ruling("short elimination")
    if reading == "progress":
        return
    for id in state.reduced:
        component = state.components[id]
        coins, component.towards = component.towards, 0
        label, component.survives_as = component.survives_as or "injured", ""
        if reading == "lost" or not coins:
            continue
        add_trait(play, component, label, Sort.WOUND, coins, paid=coins)
        play.event(
            f"{component.name} survives: {label}" + (f" x{coins}" if coins > 1 else ""),
            "U4.46",
            "gains trait",
            component.id,
        )
    state.reduced.clear()
