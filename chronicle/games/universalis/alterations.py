"""Chapter 4, Traits: adding, naming, tying, removing, restoring, using up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from typing import Any, ClassVar

from chronicle.core.declare import Decides, Offered, main, option, required
from chronicle.core.field_types import COUNTED, NAME, TEXT, YES_NO, Counted, MapOf, label
from chronicle.core.figures import with_times
from chronicle.core.fix import drop_key, write_instead
from chronicle.core.guards import Violation, guard
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, TextRole
from chronicle.games.universalis import coins, presence, table, traits
from chronicle.games.universalis.actions import (
    ALL_NAMED,
    BUILDS,
    IN_SCENE,
    ONE_ALTERED,
    TRAITS_BY_NAME,
    Entry,
)
from chronicle.games.universalis.authority import bars_alteration, bars_damage
from chronicle.games.universalis.gates import violations_of
from chronicle.games.universalis.moves import acting, controlled, of_others
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import bars_tenet, note_tenet, preparing
from chronicle.games.universalis.state import ELLIPSIS, Component, Sort
from chronicle.games.universalis.story_actions import OnSlips, dealt

TRAITS = ("stubborn", "left-handed", "well read", "in debt", "unlucky", "loud", "patient")
"""What a Trait may say."""


class Alters(Entry):
    """An entry that changes Components. Only who Controls them may."""

    deed: ClassVar[str]
    """What it does to them, after the name of the player."""
    item: ClassVar[str] = "trait"
    """What it is on the price list."""
    means_all: ClassVar[bool] = False
    """Whether a plural stands for all that it means."""

    def changes(self) -> Mapping[ScalarNode, Any]:
        """What is said of each Component, by its name."""
        raise NotImplementedError

    def injures(self) -> bool:
        """Whether the change is an injury."""
        return False

    @classmethod
    def altering(cls, play: Table) -> Iterator[tuple[Component, Mapping[str, str]]]:
        """The Components that may be changed, each with the key that names the player."""
        for scene, player, by in acting(play, cls.item):
            yield from ((component, by) for component in controlled(play, scene, player))

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        number = len(play.steps) + 1
        for (component, by), words in zip(cls.altering(play), cycle(TRAITS), strict=False):
            yield {cls.verb: {component.name: f"{words} {number}"}, **by}

    def known(self, play: Table) -> Iterator[tuple[ScalarNode, Component, Any]]:
        """Each Component that is known, with its name and what is said of it."""
        for word, value in self.changes().items():
            components = [component for _, component in table.known(play, (word,))]
            if self.means_all or len(components) == 1:
                yield from ((word, component, value) for component in components)

    def each(self, play: Table) -> Iterator[tuple[ScalarNode, Component, Any]]:
        """The same for the effect, with new Components for names that are not known."""
        scene = play.state.current_scene
        for word, value in self.changes().items():
            find_one = [table.find_one(play, word)] if not self.means_all else ()
            for component in table.find_all(play, word) if self.means_all else find_one:
                if component is not None:
                    if scene is not None:
                        presence.is_here(play, scene, component)
                    yield word, component, value

    @guard("U3.26")
    def may_alter(self, play: Table) -> Iterator[Violation]:
        for word, component, _ in self.known(play):
            yield from bars_alteration(play, component, self.deed, word, wounds=self.injures())


class BuysTraits(Alters):
    """An entry that buys Traits for Components."""

    def bought(self, play: Table) -> Iterator[tuple[Component, str, Sort, int, ScalarNode | None]]:
        """Each Trait: whose it is, its words, its sort, the number of copies, and its word in the log."""
        raise NotImplementedError

    @guard("U4.27")
    def may_be_bought(self, play: Table) -> Iterator[Violation]:
        for component, text, sort, count, at in self.bought(play):
            yield from traits.bars_gain(play, component, text, sort, count, at)

    @guard("U2.4")
    def is_prepared(self, play: Table) -> Iterator[Violation]:
        """In preparation each Trait counts as the Tenet of a turn (S13)."""
        count = sum(count for *_, count, _ in self.bought(play))
        if count and preparing(play) and not play.given:
            yield from bars_tenet(play, self.tenets(play, count))

    def tenets(self, play: Table, count: int) -> int:
        """How many Tenets so many Traits stand for."""
        return count


class WritesTraits(BuysTraits):
    """An entry that writes Traits of one sort on sheets."""

    sort: ClassVar[Sort] = Sort.PLAIN
    rule: ClassVar[str] = "U4.3"
    means_all = True
    traits: dict[ScalarNode, tuple[Counted, ...]]

    def changes(self) -> Mapping[ScalarNode, tuple[Counted, ...]]:
        return self.traits

    def tenets(self, play: Table, count: int) -> int:
        return count if play.ruling("prepared component") == "one trait" else 1

    def bought(self, play: Table) -> Iterator[tuple[Component, str, Sort, int, ScalarNode | None]]:
        for _, component, words in self.known(play):
            for text, count in words:
                if text != ELLIPSIS:
                    yield component, str(text), self.sort_now(), count, None

    def sort_now(self) -> Sort:
        """The sort of its Traits."""
        return self.sort

    def injures(self) -> bool:
        return self.sort_now() is Sort.WOUND

    def apply(self, play: Table) -> None:
        """New Traits, 1 Coin a copy (U4.3)."""
        gained: list[str] = []
        sort = self.sort_now()
        rule = "U4.44" if sort is Sort.WOUND else self.rule
        for _, component, words in self.each(play):
            copies = 0
            for counted in words:
                text, count = counted
                if text == ELLIPSIS:
                    component.open_list = True
                    continue
                trait = traits.add_trait(play, component, str(text), sort, count, asked=True)
                traits.mark(play, trait, counted)
                copies += count
                gained.append(with_times(str(text), count))
            if preparing(play):
                note_tenet(play, self.tenets(play, copies))
            coins.charge_traits(play, component, copies, rule)
            play.event(
                f"{component.name} gained {', '.join(gained[-len(words) :])}",
                rule,
                "gains trait",
                component.id,
            )
        play.step.headline = ", ".join(gained)


class Injures(WritesTraits):
    """An entry that may record an injury."""

    because: ScalarNode | None

    @guard("U4.42")
    def follows_from_an_event(self, play: Table) -> Iterator[Violation]:
        if self.injures():
            yield from bars_damage(play, self.because)


class AddTrait(OnSlips, Injures):
    """Add Traits to a Component you Control, 1 Coin a copy."""

    verb = "trait"
    synonyms = ("traits", "describe")
    decides = Decides("turn", "U3.57", action_phrase="adds Traits")
    moment = BUILDS
    in_exchange = True
    example = "trait: {Ines Vale: [stubborn, night sight x2]}"
    traits = main(TRAITS_BY_NAME, "{Component: [Traits]}")
    wound = option(YES_NO, "yes, if they record an injury", default=False)
    because = option(TEXT, "the Event or reason that justifies it", text_role=TextRole.SENTENCE)

    offered = Offered("U4.3", "add a Trait for 1 Coin")
    deed = "adds a Trait to"

    def sort_now(self) -> Sort:
        return Sort.WOUND if self.wound else Sort.PLAIN

    def slips(self) -> Iterable[Slip]:
        return dealt(self.traits, "wound" if self.wound else "")


class AddWound(OnSlips, Injures):
    """Add Wound Traits: injuries or damage. They count for Importance like any Trait."""

    verb = "wound"
    synonyms = ("hurt", "injury", "injured", "injure")
    written = "wound"
    decides = Decides("turn", "U3.57", action_phrase="adds Wound Traits")
    moment = IN_SCENE
    in_exchange = True
    example = "wound: {Ines Vale: half drowned x2}"
    traits = main(TRAITS_BY_NAME, "{Component: [Wound Traits]}")
    because = option(TEXT, "the Event or reason that justifies it", text_role=TextRole.SENTENCE)
    offered = Offered("U4.44", "add a Wound Trait for 1 Coin")
    deed = "wounds"
    sort = Sort.WOUND

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for entry in super().candidates(play):
            yield {**entry, "because": "the fall"}


class AddGroup(WritesTraits):
    """Add Group Traits: the Component stands for several, and each copy gives a die where numbers help."""

    verb = "group"
    synonyms = ("crowd",)
    already_shown_kinds = frozenset({"gains trait"})
    decides = Decides("turn", "U3.57", action_phrase="adds Group Traits")
    moment = BUILDS
    example = "group: {dock hands: Gang x2}"
    traits = main(TRAITS_BY_NAME, "{Component: [Group Traits]}")
    offered = Offered("U4.14", "add a Group Trait for 1 Coin")
    deed = "adds a Group Trait to"
    sort = Sort.GROUP
    rule = "U4.14"


class GiveName(BuysTraits):
    """Buy a proper name. A Character's name gives a die in every Complication it takes part in."""

    verb = "name"
    synonyms = ("names", "named")
    heading = "Named"
    already_shown_kinds = frozenset({"named"})
    decides = Decides("turn", "U3.57", action_phrase="buys a name")
    moment = BUILDS
    in_exchange = True
    example = "name: {General 2: Oda Brandt}"
    names = main(MapOf(ONE_ALTERED, label(NAME)), "{Component: proper name}")

    def lead_in(self) -> str:
        return ". ".join(f"{component}, called {name}" for component, name in self.names.items())

    def slips(self) -> Iterable[Slip]:
        for component, name in self.names.items():
            yield from (Slip(component), Slip(name, state="name"))

    offered = Offered("U4.11", "buy a proper name for 1 Coin")
    deed = "names"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by in cls.altering(play):
            if not component.of_sort(Sort.NAME):
                yield {"name": {component.name: f"Ada {len(play.steps) + 1}"}, **by}

    def changes(self) -> Mapping[ScalarNode, ScalarNode]:
        return self.names

    def bought(self, play: Table) -> Iterator[tuple[Component, str, Sort, int, ScalarNode | None]]:
        for _, component, name in self.known(play):
            yield component, str(name), Sort.NAME, 1, name

    def apply(self, play: Table) -> None:
        """A proper name, bought as a Trait; the Role stays (U4.11, U4.13)."""
        for _, component, name in self.each(play):
            traits.add_trait(play, component, str(name), Sort.NAME, at=name, asked=True)
            old = component.name
            play.names.rename(component.id, str(name))
            component.name = str(name)
            play.state.used_names.add(fold(name))
            play.state.labels.add(fold(name))
            if preparing(play):
                note_tenet(play)
            coins.charge(play, "trait", "U4.11", f"a proper name for {old}", component=component)
            play.event(f"{old}, from now on {name}", "U4.11", "named", component.id)
            play.step.headline = f"{old} is {name}"


class WordRole(Alters):
    """Word a Role that was left open when its Coin was paid."""

    verb = "role"
    decides = Decides("turn", "U3.57", action_phrase="words a Role")
    moment = IN_SCENE
    example = "role: {figure 2: ferryman}"
    roles = main(MapOf(ONE_ALTERED, label(NAME)), "{Component: Role}")
    offered = Offered("U5.28", "word an open Role, free")
    deed = "words the Role of"
    item = ""

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by in cls.altering(play):
            yield {"role": {component.name: f"ferryman {len(play.steps) + 1}"}, **by}

    def changes(self) -> Mapping[ScalarNode, ScalarNode]:
        return self.roles

    @guard("U5.28", help="buy a further Trait instead")
    def is_open(self, play: Table) -> Iterator[Violation]:
        for word, component, role in self.known(play):
            if not component.open_role:
                yield Violation(
                    f"the Role of {component.name} is not open",
                    word,
                    write_instead(f"trait: {{{component.name}: {role}}}"),
                    facts=[play.because(component.step, "its Role was bought here")],
                )

    def apply(self, play: Table) -> None:
        """A Role that was left open is worded (U5.28, S83)."""
        for word, component, role in self.each(play):
            roles = component.of_sort(Sort.ROLE)
            if component.open_role:
                old = roles[0] if roles else None
                if old is not None:
                    component.traits.pop(old.key)
                    old.text = str(role)
                    traits.hold(play, component, old)
                    old.history.append(
                        (play.step.number, "is worded", old.copies, play.step.player)
                    )
                component.open_role = False
                for worded in component.of_sort(Sort.ROLE)[:1]:
                    for add_on in play.state.add_ons:
                        add_on.role_worded(play, component, worded)
            if play.ruling("open role") == "paid":
                coins.charge(play, "role", "U5.28", f"the Role of {component.name}")
            if not component.of_sort(Sort.NAME):
                play.names.rename(component.id, str(role))
                component.name = str(role)
                play.state.used_names.add(fold(role))
            play.event(f"{word} turned out to be {role}", "U5.28", "role", component.id)
            play.step.headline = f"{word}: {role}"


class Tie(BuysTraits):
    """Buy a relationship. Where it concerns both ends, the mirror Trait is free: give its wording."""

    verb = "tie"
    synonyms = ("relationship", "relation")
    already_shown_kinds = frozenset({"gains trait"})
    decides = Decides("turn", "U3.57", action_phrase="buys a tie")
    moment = BUILDS
    in_exchange = True
    example = "tie: {Ines Vale: sister of Tomas}\n  with: Tomas\n  corollary: brother of Ines"
    ties = main(MapOf(ONE_ALTERED, label(COUNTED)), "{Component: the relationship}")
    with_ = required(ALL_NAMED, "the other end (or ends)")
    corollary = option(TEXT, "the mirror Trait at the other end, if the tie is two-sided")
    one_sided = option(YES_NO, "yes, if it is one Component's feeling only", default=False)

    offered = Offered("U4.16", "buy a tie for 1 Coin")
    deed = "ties"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        number = len(play.steps) + 1
        for scene, player, by in acting(play, "trait"):
            own = [*controlled(play, scene, player)]
            for far_end in (*of_others(play, scene, player), *own):
                for component in own[:2]:
                    if component is not far_end:
                        ties = {component.name: f"bound {number}"}
                        yield {"tie": ties, "with": far_end.name, **by}

    def lead_in(self) -> str:
        return ". ".join(f"{component}: {tie.name}" for component, tie in self.ties.items())

    def slips(self) -> Iterable[Slip]:
        yield from dealt({component: (tie,) for component, tie in self.ties.items()})
        if self.corollary is not None:
            yield Slip(self.corollary, state="inherited")

    def changes(self) -> Mapping[ScalarNode, Counted]:
        return self.ties

    def bought(self, play: Table) -> Iterator[tuple[Component, str, Sort, int, ScalarNode | None]]:
        for _, component, (text, count) in self.known(play):
            yield component, str(text), Sort.TIE, count, None

    @guard("U4.18", at="corollary")
    def has_one_mirror(self, play: Table) -> Violation | None:
        if not self.corollary or not self.one_sided:
            return None
        return Violation(
            "a feeling of one side only has no mirror Trait on the other",
            fix=(drop_key("corollary"), drop_key("one sided")),
        )

    @guard("U3.26")
    def may_mirror(self, play: Table) -> Iterator[Violation]:
        player = play.step.player
        for _, far_end in table.known(play, self.with_) if self.corollary and player else ():
            bar = play.state.points.bars_change(play, player, far_end, "ties")
            yield from violations_of(play, bar)

    def apply(self, play: Table) -> None:
        """A relationship; its mirror at the other end is free (U4.16, U4.17)."""
        for _, component, (text, count) in self.each(play):
            far_ends = [o for name in self.with_ for o in table.find_all(play, name)]
            mirror = str(self.corollary) if self.corollary is not None else ""
            trait = traits.add_trait(
                play,
                component,
                str(text),
                Sort.TIE,
                count,
                other=far_ends[0].id if far_ends else "",
                asked=True,
            )
            trait.twin = fold(mirror)
            if preparing(play):
                note_tenet(play, count)
            for far_end in far_ends:
                if mirror:
                    mirror_trait = traits.add_trait(
                        play, far_end, mirror, Sort.TIE, count, free=True, other=component.id
                    )
                    mirror_trait.twin = fold(text)
                    play.event(
                        f"{far_end.name} gained {mirror}, free", "U4.17", "gains trait", far_end.id
                    )
            coins.charge(
                play,
                "trait",
                "U4.17" if mirror else "U4.16",
                f"a tie of {component.name}",
                times=count,
                component=component,
            )
            play.event(f"{component.name} gained {text}", "U4.16", "gains trait", component.id)
            play.step.headline = f"{component.name}: {text}"
