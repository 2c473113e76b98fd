"""Chapter 4, possessions, Masters and Subs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option, required
from chronicle.core.diagnostic import listed
from chronicle.core.field_types import NAME, NAMES, TEXT, Counted, MapOf, in_role, label
from chronicle.core.fix import add_entry, drop_entry, write_instead
from chronicle.core.guards import Violation, guard, question
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, TextRole
from chronicle.games.universalis import coins, presence, table, traits
from chronicle.games.universalis.actions import (
    ALTERED,
    BUILDS,
    IN_SCENE,
    NAMED,
    ONE_ALTERED,
    TRAITS_BY_NAME,
    Entry,
)
from chronicle.games.universalis.alterations import BuysTraits
from chronicle.games.universalis.authority import bars_alteration
from chronicle.games.universalis.gates import violations_of
from chronicle.games.universalis.moves import acting, classes, controlled
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import count_tenet, note_tenet, preparing
from chronicle.games.universalis.state import CHARACTER, PROP, Component, Sort, Trait
from chronicle.games.universalis.story_actions import OnSlips

Bought = tuple[Component, str, Sort, int, ScalarNode | None]
"""A Trait that an entry buys: whose it is, its words, its sort, the number of copies, and its word in the log."""


def bars_class(play: Table, master: Component, word: ScalarNode) -> Iterator[Violation]:
    """Only a Master has a class (U4.28)."""
    if master.master or master.placeholder:
        return
    may_become_master = _may_become_master(play, master)
    yield Violation(
        f"{master.name} is no Master, so nothing can be a Sub of it",
        word,
        add_entry(f"master: {master.name}") if may_become_master else (),
        "" if may_become_master else "name a Master, or make one of another Component",
        facts=[play.because(master.step, "created here without the mark")],
        rule="U4.28",
    )


def _may_become_master(play: Table, component: Component) -> bool:
    """Whether the acting player could mark a Component as a Master: it has no proper name (U4.27), and no other
    player Controls it."""
    scene = play.state.current_scene
    holder = scene.control.get(component.id, "") if scene is not None else ""
    return not component.of_sort(Sort.NAME) and holder in ("", play.step.player)


# -- possessions -----------------------------------------------------------------------------------


def _may_part(
    play: Table, owner: Component, item: Component, deed: str, word: ScalarNode
) -> Iterator[Violation]:
    """What keeps a possession from being tied to its owner, or parted from it: either may be the player's own."""
    player = play.step.player
    is_own = bool(player) and presence.controller(play, item) == player
    if not is_own:
        yield from bars_alteration(play, owner, deed, word)
    elif not play.given:
        yield from violations_of(
            play, play.state.points.bars_change(play, player, owner, deed), word
        )


class Possess(BuysTraits):
    """Make a Component the linked possession of another: one Coin, a Trait at both ends. Something new
    is created or introduced with its 'owner' instead."""

    verb = "possess"
    synonyms = ("own", "belong", "belongs", "possession")
    heading = "Possession"
    already_shown_kinds = frozenset({"owns"})
    decides = Decides("turn", "U3.57", action_phrase="buys a possession")
    moment = BUILDS
    in_exchange = True
    example = "possess: {Kerr: brass sextant}"
    items = main(MapOf(ONE_ALTERED, in_role("possession", NAMES)), "{owner: possession}")
    offered = Offered("U4.20", "tie a possession to its owner")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for scene, player, by in acting(play, "trait"):
            own = [*controlled(play, scene, player)]
            items = [c for c in own if c.kind == PROP and not c.owner]
            for owner in sorted(own, key=lambda c: c.kind != CHARACTER):
                yield from ({"possess": {owner.name: item.name}, **by} for item in items)

    def lead_in(self) -> str:
        return ". ".join(f"{owner} has {listed(items)}" for owner, items in self.items.items())

    def slips(self) -> Iterable[Slip]:
        for owner, items in self.items.items():
            yield Slip(owner, state="name")
            yield from map(Slip, items)

    def pairs(self, play: Table) -> Iterator[tuple[ScalarNode, Component, ScalarNode, Component]]:
        """Each owner and each of its possessions that are known, with their names."""
        for word, items in self.items.items():
            for _, owner in table.known(play, (word,)):
                yield from ((word, owner, name, item) for name, item in table.known(play, items))

    def bought(self, play: Table) -> Iterator[Bought]:
        for _, owner, _, item in self.pairs(play):
            yield owner, f"owns {item.name}", Sort.OWNS, 1, None

    @guard("U4.27")
    def is_no_class(self, play: Table) -> Iterator[Violation]:
        for _, _, name, item in self.pairs(play):
            if item.master:
                yield Violation(
                    f"{item.name} is a Master: it stands for a class and cannot be a possession",
                    name,
                    write_instead(f"create: {{sub: {item.name}, owner: ...}}"),
                )

    @guard("U3.26")
    def may_alter(self, play: Table) -> Iterator[Violation]:
        for word, owner, name, item in self.pairs(play):
            yield from _may_part(play, owner, item, "gives a possession to", word)
            yield from self._may_give(play, item, name)

    def _may_give(self, play: Table, item: Component, name: ScalarNode) -> Iterator[Violation]:
        if presence.controller(play, item) not in ("", play.step.player):
            yield from bars_alteration(play, item, "gives away", name)

    @guard("U4.24")
    def has_one_owner(self, play: Table) -> Iterator[Violation]:
        owners: dict[str, str] = {}
        """What this entry ties already, by the id of the possession."""
        for _, owner, name, item in self.pairs(play):
            above = [owner.id]
            while above[-1] and above[-1] != item.id and len(above) <= len(play.state.components):
                above.append(owners.get(above[-1], play.state.components[above[-1]].owner))
            former = owners.get(item.id, item.owner)
            if item.id in above:
                yield Violation(
                    f"{item.name} owns {owner.name} already, so this would be a circle", name
                )
                continue
            if former:
                former_name = play.state.components[former].name
                yield Violation(
                    f"{item.name} belongs to {former_name}; it has one owner at a time",
                    name,
                    add_entry(f"separate: {item.name}"),
                )
            owners[item.id] = owner.id

    def apply(self, play: Table) -> None:
        """A linked possession: one Coin, a Trait at both ends (U4.20)."""
        for word, items in self.items.items():
            owner = table.find_one(play, word)
            if owner is None:
                continue
            if play.state.current_scene is not None:
                presence.is_here(play, play.state.current_scene, owner)
            for name in items:
                new = f"create: {{prop: {name}, owner: {owner.name}}}"
                for item in table.find_all(play, name, how=new):
                    follows = not item.master and not any(self._may_give(play, item, name))
                    link(play, owner, item, follows=follows, asked=True)


def link(
    play: Table, owner: Component, item: Component, *, follows: bool = True, asked: bool = False
) -> None:
    """Tie a possession to its owner (U4.20): a Trait at both ends, no circles, one owner (U4.24). Where
    it was not the player's to give, ``follows`` is False: it does not go with its owner into other hands. ``asked``:
    guards of the entry have asked whether the Trait may be bought."""
    if item.id == owner.id or item.id in traits.owner_chain(play, owner):
        return
    if item.owner:
        unlink(play, item, "removes")
    traits.add_trait(play, owner, f"owns {item.name}", Sort.OWNS, other=item.id, asked=asked)
    traits.add_trait(play, item, f"owned by {owner.name}", Sort.OWNED, free=True, other=owner.id)
    traits.own_thing(play, owner, item)
    if follows:
        _follow(play, owner, item)
    coins.charge(play, "trait", "U4.20", f"{owner.name} owns {item.name}", component=owner)
    if preparing(play) and not play.given:
        (note_tenet if asked else count_tenet)(play)
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


def bars_relink(
    play: Table, component: Component, trait: Trait, word: ScalarNode
) -> Iterator[Violation]:
    """What keeps a Trait of a possession or a class from being restored: another owner, or a circle."""
    if trait.sort not in (Sort.OWNS, Sort.OWNED):
        master = play.state.components.get(trait.other) if trait.sort is Sort.MEMBER else None
        if master is not None and not trait.copies:
            yield from _bars_circle(play, component, master, word)
        return
    owner, item = _ends(play, component, trait)
    if item.owner:
        message = f"{item.name} has another owner by now"
        yield Violation(message, word, add_entry(f"separate: {item.name}"), rule="U4.24")
    elif item.id in traits.owner_chain(play, owner):
        message = f"{item.name} owns {owner.name} by now, so this would be a circle"
        yield Violation(message, word, rule="U4.24")


def _ends(play: Table, component: Component, trait: Trait) -> tuple[Component, Component]:
    """The owner and the possession that a Trait of one of them ties."""
    partner = play.state.components[trait.other]
    return (component, partner) if trait.sort is Sort.OWNS else (partner, component)


def relink(play: Table, component: Component, trait: Trait, copies: int) -> None:
    """Copies that were crossed off are restored, and with them what a Trait of a possession or a class does (U4.48,
    U7.3); :func:`bars_relink` has been asked."""
    if trait.sort not in (Sort.OWNS, Sort.OWNED):
        traits.restore_copies(play, component, trait, copies)
        return
    owner, item = _ends(play, component, trait)
    for holder, sort, end in ((owner, Sort.OWNS, item), (item, Sort.OWNED, owner)):
        for entry in holder.traits.values():
            if entry.sort is sort and entry.other == end.id and entry.removed:
                traits.restore_copies(play, holder, entry, entry.removed)
    traits.own_thing(play, owner, item)
    _follow(play, owner, item)


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


class Separate(Entry):
    """Part a linked possession from its owner, for 1 Coin."""

    verb = "separate"
    synonyms = ("part",)
    decides = Decides("turn", "U3.57", action_phrase="separates a possession")
    moment = IN_SCENE
    example = "separate: brass sextant"
    items = main(in_role("possession", NAMES), "the possession")
    because = option(TEXT, "what justifies it", text_role=TextRole.SENTENCE)
    offered = Offered("U4.22", "part a possession from its owner")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        components = play.state.components
        for scene, player, by in acting(play, "separate"):
            own = [*controlled(play, scene, player)]
            owned = [components[id] for owner in own for id in owner.owns]
            for item in dict.fromkeys(c.name for c in (*own, *owned) if c.owner):
                yield {"separate": item, **by}

    @guard("U4.22")
    def is_owned(self, play: Table) -> Iterator[Violation]:
        for name, item in table.known(play, self.items):
            if not (item.owner or item.open_list):
                yield Violation(f"{item.name} is nobody's linked possession", name)

    @guard("U3.26")
    def may_alter(self, play: Table) -> Iterator[Violation]:
        for name, item in table.known(play, self.items):
            if item.owner:
                owner = play.state.components[item.owner]
                yield from _may_part(play, owner, item, "separates a possession from", name)
                yield from _bars_parting(play, owner, item, name)

    def apply(self, play: Table) -> None:
        """Part a possession from its owner (U4.22)."""
        for name, item in table.find_each(play, self.items):
            if not (item.owner or item.open_list):
                continue
            coins.charge(play, "separate", "U4.22", f"{item.name} separated", component=item)
            if not item.owner:
                continue
            owner = play.state.components[item.owner]
            if any(_bars_parting(play, owner, item, name)):
                continue
            unlink(play, item, "removes")
            play.event(f"{item.name} parted from {owner.name}", "U4.22", "separates", item.id)
            play.step.headline = f"{owner.name} without {item.name}"


def _bars_parting(
    play: Table, owner: Component, item: Component, name: ScalarNode
) -> Iterator[Violation]:
    """What keeps the Traits at both ends from going; the first of it."""
    bonds = _bonds(owner, item)
    bars = (traits.bars_loss(play, component, trait, name) for component, trait in bonds)
    yield from next((found for bar in bars if (found := [*bar])), [])


# -- classes ---------------------------------------------------------------------------------------


class MakeMaster(BuysTraits):
    """Mark a Component as a Master, the template of a class, for 1 Coin."""

    verb = "master"
    decides = Decides("turn", "U3.57", action_phrase="makes a Master")
    moment = BUILDS
    example = "master: harbour guard"
    what = main(ALTERED, "the Component")
    offered = Offered("U4.27", "make a Component the Master of a class")
    deed = "makes a Master of"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by in cls.altering(play):
            if not component.owner:  # A Master is nobody's possession.
                yield {"master": component.name, **by}

    def changes(self) -> Mapping[ScalarNode, None]:
        return dict.fromkeys(self.what)

    def bought(self, play: Table) -> Iterator[Bought]:
        for word, component, _ in self.known(play):
            if not component.master:
                yield component, "Master", Sort.MASTER, 1, word

    @guard("U4.27")
    def is_none_yet(self, play: Table) -> Iterator[Violation]:
        for word, component, _ in self.known(play):
            if component.master and not play.given:
                yield Violation(f"{component.name} is a Master already", word, drop_entry())

    @guard("U6.8")
    def may_leave(self, play: Table) -> Iterator[Violation]:
        """A Master is in no scene."""
        for scene, word, component in table.known_in_scene(play, self.what):
            if component.id in scene.present and not component.master:
                yield from presence.held_by_dice(play, component, word)

    def apply(self, play: Table) -> None:
        """The mark that makes a Component a Master (U4.27)."""
        for word, component, _ in self.each(play):
            if component.master and not play.given:
                continue
            component.master = True
            traits.add_trait(play, component, "Master", Sort.MASTER, at=word, asked=True)
            if preparing(play):
                note_tenet(play)
            why = f"{component.name} is a Master"
            coins.charge(play, "trait", "U4.27", why, component=component)
            scene = play.state.current_scene
            if scene is not None and component.id in scene.present:
                presence.leave(play, scene, component, "becomes a Master")
            play.event(f"A Master from now on: {component.name}", "U4.27", "master", component.id)
            play.step.headline = f"{component.name} is a Master"


class MakeSub(BuysTraits):
    """Make a Component a Sub of a Master, for 1 Coin: it may use all the Master's Traits."""

    verb = "sub"
    decides = Decides("turn", "U3.57", action_phrase="makes a Sub")
    moment = BUILDS
    example = "sub: {Oda Brandt: harbour guard}"
    subs = main(MapOf(ONE_ALTERED, in_role("master", NAMES)), "{Component: Master}")
    offered = Offered("U4.28", "make a Component a member of a class")
    deed = "makes a Sub of"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        masters = [*classes(play)]
        for component, by in cls.altering(play) if masters else ():
            for master in masters:
                yield {"sub": {component.name: master.name}, **by}

    def changes(self) -> Mapping[ScalarNode, tuple[ScalarNode, ...]]:
        return self.subs

    def pairs(self, play: Table) -> Iterator[tuple[Component, ScalarNode, Component]]:
        """Each Sub that is known with each of its Masters, by their names."""
        for _, component, names in self.known(play):
            yield from ((component, name, master) for name, master in table.known(play, names))

    def bought(self, play: Table) -> Iterator[Bought]:
        for component, _, master in self.pairs(play):
            if not _is_in_class(play, component, master):
                yield component, master.name, Sort.MEMBER, 1, None

    @guard("U4.28")
    def has_a_class(self, play: Table) -> Iterator[Violation]:
        for _, name, master in self.pairs(play):
            yield from bars_class(play, master, name)

    @guard("U4.27")
    def is_not_above_itself(self, play: Table) -> Iterator[Violation]:
        for component, name, master in self.pairs(play):
            yield from _bars_circle(play, component, master, name)

    @guard("U4.28")
    def is_no_sub_yet(self, play: Table) -> Iterator[Violation]:
        for component, name, master in self.pairs(play):
            if master.id in component.masters:
                words = f"{component.name} is a Sub of {master.name} already"
                yield Violation(words, name, drop_entry())

    def apply(self, play: Table) -> None:
        """Membership in a Master's class (U4.28)."""
        for _, component, names in self.each(play):
            for master in (m for name in names if (m := table.find_one(play, name)) is not None):
                if _is_in_class(play, component, master):
                    continue
                traits.add_trait(
                    play, component, master.name, Sort.MEMBER, other=master.id, asked=True
                )
                if preparing(play):
                    note_tenet(play)
                traits.join_class(play, component, master)
                coins.charge(
                    play, "trait", "U4.28", f"{component.name}: {master.name}", component=component
                )
                play.event(f"{component.name} joined {master.name}", "U4.28", "sub", component.id)
                play.step.headline = f"{component.name} belongs to {master.name}"


def _is_in_class(play: Table, sub: Component, master: Component) -> bool:
    """Whether a Component is in a class already, or its class would be above itself."""
    return master.id in sub.masters or traits.of_class(play, master, sub)


def _bars_circle(
    play: Table, sub: Component, master: Component, word: ScalarNode
) -> Iterator[Violation]:
    """No class is above itself (U4.27)."""
    if traits.of_class(play, master, sub):
        yield Violation(
            f"{sub.name} is no Sub of its own class"
            if master is sub
            else f"{master.name} is a Sub of {sub.name}, so this would be a circle",
            word,
            rule="U4.27",
        )


def _plain_traits(play: Table, sub: Component) -> Iterator[tuple[Component, Trait]]:
    """The Traits that a Sub has through its Masters, each with its Master."""
    for id in sub.masters:
        master = play.state.components[id]
        for trait in master.traits.values():
            is_plain = trait.copies and trait.sort is Sort.PLAIN
            if is_plain and not traits.negated(sub, trait.text):
                yield master, trait


class Negate(BuysTraits):
    """Give a Sub a Trait that takes one of its Master's Traits away from it."""

    verb = "negate"
    already_shown_kinds = frozenset({"gains trait"})
    decides = Decides("turn", "U3.57", action_phrase="adds a Trait")
    moment = BUILDS
    example = "negate: {Oda Brandt: blindly loyal}\n  as: asks questions"
    traits = main(MapOf(ONE_ALTERED, label(NAME)), "{Sub: the Master's Trait}")
    as_ = option(label(NAME), "the words of the new Trait")
    offered = Offered("U4.32", "take a Master's Trait away")
    deed = "adds a Trait to"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for sub, by in cls.altering(play):
            for _, trait in _plain_traits(play, sub):
                words = f"changed {len(play.steps) + 1}"
                yield {"negate": {sub.name: trait.text}, "as": words, **by}

    def lead_in(self) -> str:
        return f"{', '.join(self.traits)}: {self.as_}" if self.as_ is not None else ""

    def slips(self) -> Iterable[Slip]:
        for sub, trait in self.traits.items():
            yield Slip(sub, state="name")
            if self.as_ is not None:
                yield Slip(self.as_)
            yield Slip(trait, state="negated")

    def changes(self) -> Mapping[ScalarNode, ScalarNode]:
        return self.traits

    def _words(self, play: Table, component: Component, text: ScalarNode) -> tuple[str, str]:
        """The Master's Trait, and the words of the new one."""
        inherited_trait = traits.inherited(play, component, text)
        against = inherited_trait[1].text if inherited_trait is not None else str(text)
        return against, str(self.as_ or f"not {against}")

    def bought(self, play: Table) -> Iterator[Bought]:
        for _, component, text in self.known(play):
            yield component, self._words(play, component, text)[1], Sort.NEGATION, 1, None

    @guard("U4.32", help="only what a Master gives can be negated")
    def comes_from_a_master(self, play: Table) -> Iterator[Violation]:
        components = play.state.components
        for _, component, text in self.known(play):
            may_be_unwritten = any(components[id].open_list for id in component.masters)
            if traits.inherited(play, component, text) is None and not may_be_unwritten:
                yield Violation(f"{component.name} has no Trait '{text}' from a Master", text)

    def apply(self, play: Table) -> None:
        """A Trait of a Sub that takes one of its Master's away (U4.32)."""
        for _, component, text in self.each(play):
            against, own = self._words(play, component, text)
            traits.add_trait(play, component, own, Sort.NEGATION, negates=against, asked=True)
            if preparing(play):
                note_tenet(play)
            why = f"Traits of {component.name}"
            coins.charge(play, "trait", "U4.32", why, component=component)
            words = f"{component.name} gained {own}: no {against}"
            play.event(words, "U4.32", "gains trait", component.id)
            play.step.headline = f"{component.name}: {own}"


class Inherit(OnSlips, BuysTraits):
    """Keep Traits of a class or a group as one's own on leaving it, 1 Coin a copy."""

    verb = "inherit"
    heading = "Kept"
    written = "inherited"
    decides = Decides("turn", "U3.57", action_phrase="keeps Traits")
    moment = BUILDS
    example = "inherit: {Oda Brandt: knows every lock}\n  from: harbour guard"
    traits = main(TRAITS_BY_NAME, "{Component: Trait or [Traits] that it keeps}")
    from_ = required(NAMED, "the Master or the group that it leaves")
    offered = Offered("U4.29", "keep a Trait of a class")
    deed = "adds a Trait to"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for sub, by in cls.altering(play):
            for master, trait in _plain_traits(play, sub):
                if trait.key not in sub.traits:
                    yield {"inherit": {sub.name: trait.text}, "from": master.name, **by}

    def changes(self) -> Mapping[ScalarNode, tuple[Counted, ...]]:
        return self.traits

    def _source(self, play: Table) -> Component | None:
        components = [component for _, component in table.known(play, (self.from_,))]
        return components[0] if len(components) == 1 else None

    def bought(self, play: Table) -> Iterator[Bought]:
        source = self._source(play)
        for _, component, words in self.known(play):
            for name, count in words:
                trait = traits.find_trait(source, name) if source is not None else None
                yield component, trait.text if trait else str(name), Sort.PLAIN, count, None

    @question("U4.29", help="buy the Trait:  - trait: ...")
    def can_be_left(self, play: Table) -> Violation | None:
        """Only a class or a group is left, and Traits kept of it (U4.29). A Role alone may mean several."""
        source = self._source(play)
        if source is None or source.master or source.open_list or source.of_sort(Sort.GROUP):
            return None
        return Violation(f"{source.name} is neither a Master nor a group by its Traits", self.from_)

    @guard("U4.29")
    def stands_there(self, play: Table) -> Iterator[Violation]:
        source = self._source(play)
        if source is None or source.open_list:
            return
        for _, component, words in self.known(play):
            for name, _ in words:
                trait = traits.find_trait(source, name)
                if trait is None or trait.sort is Sort.MASTER:
                    new = f"trait: {{{component.name}: {name}}}"
                    yield Violation(
                        traits.miss(play, source, name),
                        name,
                        (
                            *traits.spellings(play, source, name),
                            write_instead(new, when="if it is bought"),
                        ),
                        f"only what stands on the sheet of {source.name} can be kept of it",
                    )

    def apply(self, play: Table) -> None:
        """Traits of a class or a group that a leaving member keeps (U4.29): bought like any (U4.3)."""
        source = table.find_one(play, self.from_)
        for _, component, words in self.each(play):
            copies = 0
            for counted in words:
                trait = traits.find_trait(source, counted.name) if source is not None else None
                text = trait.text if trait is not None else str(counted.name)
                source_id = source.id if source is not None else ""
                kept = traits.add_trait(
                    play,
                    component,
                    text,
                    Sort.PLAIN,
                    counted.count,
                    other=source_id,
                    asked=True,
                )
                traits.mark(play, kept, counted)
                copies += counted.count
                play.event(f"{component.name} keeps {text}", "U4.29", "gains trait", component.id)
                play.step.headline = f"{component.name}: {text}"
            if preparing(play):
                note_tenet(play, copies)
            coins.charge_traits(play, component, copies)
