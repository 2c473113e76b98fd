"""Chapter 4, possessions, Masters and Subs."""

from __future__ import annotations

from chronicle.core.fix import add_entry, drop_entry, write_instead
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, presence, story_actions, table, traits
from chronicle.games.universalis.authority import altered, may_alter, may_change
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import count_tenet, preparing
from chronicle.games.universalis.state import Component, Sort, Trait


def masters_of(play: Table, word: ScalarNode) -> list[Component]:
    """The Master that a name means; a Component without the mark is reported (U4.28)."""
    master = table.find_one(play, word)
    if master is None:
        return []
    play.require(
        master.master or master.placeholder,
        "U4.28",
        f"{master.name} is no Master, so nothing can be a Sub of it",
        at=word,
        facts=[play.because(master.step, "created here without the mark")],
        fix=add_entry(f"master: {master.name}") if _may_become_master(play, master) else (),
        help=()
        if _may_become_master(play, master)
        else "name a Master, or make one of another Component",
    )
    return [master]


def _may_become_master(play: Table, component: Component) -> bool:
    """Whether the acting player could mark a Component as a Master: it has no proper name (U4.27), and no other
    player Controls it."""
    scene = play.state.current_scene
    holder = scene.control.get(component.id, "") if scene is not None else ""
    return not component.of_sort(Sort.NAME) and holder in ("", play.step.player)


def _prepared(play: Table, copies: int = 1) -> None:
    """In preparation each Trait counts as the Tenet of a turn (S13)."""
    if preparing(play) and not play.given:
        count_tenet(play, copies)


def possess(play: Table, action: story_actions.Possess) -> None:
    """A linked possession: one Coin, a Trait at both ends (U4.20)."""
    for word, items in action.items.items():
        owner = table.find_one(play, word)
        if owner is None:
            continue
        for item_word in items:
            new = f"create: {{prop: {item_word}, owner: {owner.name}}}"
            for item in table.find_all(play, item_word, how=new):
                is_own = (
                    bool(play.step.player) and presence.controller(play, item) == play.step.player
                )
                play.require(
                    not item.master,
                    "U4.27",
                    f"{item.name} is a Master: it stands for a class and cannot be a possession",
                    at=item_word,
                    fix=write_instead(f"create: {{sub: {item.name}, owner: ...}}"),
                )
                may = may_change if is_own else may_alter
                may(play, owner, "gives a possession to", word)
                is_free = is_own or not presence.controller(play, item)
                is_free = is_free or may_alter(play, item, "gives away", item_word)
                link(play, owner, item, item_word, follows=is_free and not item.master)


def link(
    play: Table, owner: Component, item: Component, word: ScalarNode, *, follows: bool = True
) -> None:
    """Tie a possession to its owner (U4.20): a Trait at both ends, no circles, one owner (U4.24). Where
    it was not the player's to give, ``follows`` is False: it does not go with its owner into other hands."""
    if item.id == owner.id or item.id in traits.owner_chain(play, owner):
        play.illegal(
            "U4.24", f"{item.name} owns {owner.name} already, so this would be a circle", at=word
        )
        return
    if item.owner:
        former = play.state.components[item.owner]
        play.illegal(
            "U4.24",
            f"{item.name} belongs to {former.name}; it has one owner at a time",
            at=word,
            fix=add_entry(f"separate: {item.name}"),
        )
        unlink(play, item, "removes")
    traits.add_trait(play, owner, f"owns {item.name}", Sort.OWNS, other=item.id)
    traits.add_trait(play, item, f"owned by {owner.name}", Sort.OWNED, free=True, other=owner.id)
    traits.own_thing(play, owner, item)
    if follows:
        _follow(play, owner, item)
    coins.charge(play, "trait", "U4.20", f"{owner.name} owns {item.name}", component=owner)
    _prepared(play)
    play.event(f"{owner.name} owns {item.name}", "U4.20", "owns", item.id)
    play.step.headline = play.step.headline or f"{owner.name} owns {item.name}"


def _follow(play: Table, owner: Component, item: Component) -> None:
    """A possession is where its owner is, in the same hands (U4.21, U4.23)."""
    scene = play.state.current_scene
    if scene is None or owner.id not in scene.present:
        return
    holder = scene.control.get(owner.id, "")
    if item.id not in scene.present:
        if presence.available(play, item, scene):
            presence.comes_along(play, scene, item)
            presence.enter(play, scene, item, holder, f"with {owner.name}")
    elif holder and scene.control.get(item.id) != holder and not presence.is_committed(play, item):
        presence.gain_control(play, scene, item, holder, f"with {owner.name}")


def relink(play: Table, component: Component, trait: Trait, copies: int, word: ScalarNode) -> bool:
    """Copies that were crossed off are restored, and with them what a Trait of a possession or a class
    does (U4.48, U7.3); false where that cannot be."""
    if trait.sort not in (Sort.OWNS, Sort.OWNED):
        master = play.state.components.get(trait.other) if trait.sort is Sort.MEMBER else None
        if master is not None and not trait.copies and _above_itself(play, component, master, word):
            return False
        traits.restore_copies(play, component, trait, copies)
        return True
    partner = play.state.components[trait.other]
    owner, item = (component, partner) if trait.sort is Sort.OWNS else (partner, component)
    if item.owner or item.id in traits.owner_chain(play, owner):
        return play.illegal(
            "U4.24",
            f"{item.name} has another owner by now"
            if item.owner
            else f"{item.name} owns {owner.name} by now, so this would be a circle",
            at=word,
            fix=add_entry(f"separate: {item.name}") if item.owner else (),
        )
    for holder, sort, end in ((owner, Sort.OWNS, item), (item, Sort.OWNED, owner)):
        for entry in holder.traits.values():
            if entry.sort is sort and entry.other == end.id and entry.removed:
                traits.restore_copies(play, holder, entry, entry.removed)
    traits.own_thing(play, owner, item)
    _follow(play, owner, item)
    return True


def _bonds(owner: Component, item: Component) -> list[tuple[Component, Trait]]:
    """The Possession Traits that tie a possession to its owner, on both sheets."""
    return [
        (component, trait)
        for component, sort, partner in ((owner, Sort.OWNS, item), (item, Sort.OWNED, owner))
        for trait in component.of_sort(sort)
        if trait.other == partner.id
    ]


def unlink(play: Table, item: Component, how: str) -> None:
    """Cross the Possession Traits off both sheets and end what they did."""
    owner = play.state.components[item.owner]
    for component, trait in _bonds(owner, item):
        traits.remove_copies(play, component, trait, trait.copies, how)
    traits.part(play, item)
    item.separations.append((play.step.number, owner.id))


def separate(play: Table, action: story_actions.Separate) -> None:
    """Part a possession from its owner (U4.22)."""
    for word, item in table.find_each(play, action.items):
        if not play.require(
            bool(item.owner) or item.open_list,
            "U4.22",
            f"{item.name} is nobody's linked possession",
            at=word,
        ):
            continue
        coins.charge(play, "separate", "U4.22", f"{item.name} separated", component=item)
        if not item.owner:
            continue
        owner = play.state.components[item.owner]
        is_own = presence.controller(play, item) == play.step.player
        may = may_change if is_own else may_alter
        may(play, owner, "separates a possession from", word)
        if all(
            traits.may_lose(play, component, trait, word)
            for component, trait in _bonds(owner, item)
        ):
            unlink(play, item, "removes")
        else:
            continue
        play.event(f"{item.name} parted from {owner.name}", "U4.22", "separates", item.id)
        play.step.headline = f"{owner.name} without {item.name}"


def make_master(play: Table, action: story_actions.MakeMaster) -> None:
    """The mark that makes a Component a Master (U4.27)."""
    for word in action.what:
        component = table.find_one(play, word)
        if component is None:
            continue
        may_alter(play, component, "makes a Master of", word)
        if component.master and not play.given:
            play.illegal(
                "U4.27", f"{component.name} is a Master already", at=word, fix=drop_entry()
            )
            continue
        component.master = True
        traits.add_trait(play, component, "Master", Sort.MASTER, at=word)
        _prepared(play)
        coins.charge(play, "trait", "U4.27", f"{component.name} is a Master", component=component)
        scene = play.state.current_scene
        if scene is not None and component.id in scene.present:
            presence.leave(play, scene, component, "becomes a Master")
        play.event(f"A Master from now on: {component.name}", "U4.27", "master", component.id)
        play.step.headline = f"{component.name} is a Master"


def make_sub(play: Table, action: story_actions.MakeSub) -> None:
    """Membership in a Master's class (U4.28)."""
    for _, component, masters in altered(play, action.subs, "makes a Sub of"):
        for name in masters:
            for master in masters_of(play, name):
                if _above_itself(play, component, master, name):
                    continue
                if not play.require(
                    master.id not in component.masters,
                    "U4.28",
                    f"{component.name} is a Sub of {master.name} already",
                    at=name,
                    fix=drop_entry(),
                ):
                    continue
                traits.add_trait(play, component, master.name, Sort.MEMBER, other=master.id)
                _prepared(play)
                traits.join_class(play, component, master)
                coins.charge(
                    play, "trait", "U4.28", f"{component.name}: {master.name}", component=component
                )
                play.event(f"{component.name} joined {master.name}", "U4.28", "sub", component.id)
                play.step.headline = f"{component.name} belongs to {master.name}"


def _above_itself(play: Table, sub: Component, master: Component, word: ScalarNode) -> bool:
    """A class that would be above itself is reported (U4.27)."""
    return not play.require(
        not traits.of_class(play, master, sub),
        "U4.27",
        f"{sub.name} is no Sub of its own class"
        if master is sub
        else f"{master.name} is a Sub of {sub.name}, so this would be a circle",
        at=word,
    )


def negate(play: Table, action: story_actions.Negate) -> None:
    """A Trait of a Sub that takes one of its Master's away (U4.32)."""
    for _, component, text in altered(play, action.traits, "adds a Trait to"):
        inherited_trait = traits.inherited(play, component, text)
        if inherited_trait is None:
            unknown = any(play.state.components[id].open_list for id in component.masters)
            play.require(
                unknown,
                "U4.32",
                f"{component.name} has no Trait '{text}' from a Master",
                at=text,
                help="only what a Master gives can be negated",
            )
        against = inherited_trait[1].text if inherited_trait is not None else str(text)
        own = str(action.as_ or f"not {against}")
        traits.add_trait(play, component, own, Sort.NEGATION, negates=against)
        _prepared(play)
        coins.charge(play, "trait", "U4.32", f"Traits of {component.name}", component=component)
        play.event(
            f"{component.name} gained {own}: no {against}", "U4.32", "gains trait", component.id
        )
        play.step.headline = f"{component.name}: {own}"


def inherit(play: Table, action: story_actions.Inherit) -> None:
    """Traits of a class or a group that a leaving member keeps (U4.29): bought like any (U4.3)."""
    source = table.find_one(play, action.from_)
    if source is not None:
        _may_be_left(play, source, action.from_)
    for _, component, words in altered(play, action.traits, "adds a Trait to"):
        copies = 0
        for counted in words:
            trait = traits.find_trait(source, counted.name) if source is not None else None
            if source is not None and not source.open_list:
                is_listed = trait is not None and trait.sort is not Sort.MASTER
                play.require(
                    is_listed,
                    "U4.29",
                    "" if is_listed else traits.miss(play, source, counted.name),
                    at=counted.name,
                    fix=()
                    if is_listed
                    else (
                        *traits.spellings(play, source, counted.name),
                        write_instead(
                            f"trait: {{{component.name}: {counted.name}}}", when="if it is bought"
                        ),
                    ),
                    help=f"only what stands on the sheet of {source.name} can be kept of it",
                )
            text = trait.text if trait is not None else str(counted.name)
            source_id = source.id if source is not None else ""
            traits.mark(
                play,
                traits.add_trait(play, component, text, Sort.PLAIN, counted.count, other=source_id),
                counted,
            )
            copies += counted.count
            play.event(f"{component.name} keeps {text}", "U4.29", "gains trait", component.id)
            play.step.headline = f"{component.name}: {text}"
        _prepared(play, copies)
        coins.charge_traits(play, component, copies)


def _may_be_left(play: Table, source: Component, word: ScalarNode) -> None:
    """Only a class or a group is left, and Traits kept of it (U4.29). A Role alone may mean several."""
    is_group = any(trait.sort is Sort.GROUP for trait in source.traits.values())
    play.suspect(
        not (source.master or is_group or source.open_list),
        "U4.29",
        f"{source.name} is neither a Master nor a group by its Traits",
        at=word,
        help="buy the Trait:  - trait: ...",
    )
