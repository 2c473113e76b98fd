"""Chapter 4, Traits that go and come back: removing, restoring, using up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import plural
from chronicle.core.field_types import TEXT, Counted
from chronicle.core.fix import add_entry, drop_key, write_instead
from chronicle.core.guards import Violation, guard
from chronicle.core.source import ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games.universalis import coins, presence, table, traits
from chronicle.games.universalis.actions import IN_SCENE, TRAITS_BY_NAME
from chronicle.games.universalis.alterations import Alters
from chronicle.games.universalis.authority import bars_alteration
from chronicle.games.universalis.belongings import bars_relink, relink, unlink
from chronicle.games.universalis.fates import put_out
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Component, Sort, Trait
from chronicle.games.universalis.story_actions import OnSlips


def listed_traits(component: Component) -> Iterator[Trait]:
    """The Traits of a Component that stand for nothing else: no name, no Role, no tie, no possession."""
    for trait in component.traits.values():
        if trait.sort in (Sort.PLAIN, Sort.WOUND, Sort.GROUP):
            yield trait


class RemoveTrait(OnSlips, Alters):
    """Cross off Traits, 1 Coin a copy. A wound that is removed has healed."""

    verb = "remove"
    synonyms = ("heal", "lose", "cross off")
    heading = "Removed"
    already_shown_kinds = frozenset({"loses trait"})
    written = "removed"
    decides = Decides("turn", "U3.57", action_phrase="removes Traits")
    moment = IN_SCENE
    in_exchange = True
    example = "remove: {Ines Vale: half drowned}"
    traits = main(TRAITS_BY_NAME, "{Component: [Traits]}, x2 for two copies")
    because = option(TEXT, "the Event or reason that justifies it", text_role=TextRole.SENTENCE)

    offered = Offered("U4.43", "cross a Trait off for 1 Coin")
    deed = "removes a Trait of"
    item = "remove"
    means_all = True

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by in cls.altering(play):
            for trait in listed_traits(component) if component.own > 1 else ():
                if trait.copies:
                    traits_by_name = {component.name: trait.text}
                    yield {"remove": traits_by_name, "because": "time passes", **by}

    def lead_in(self) -> str:
        return ". ".join(
            f"{owner}: no longer {', '.join(trait.name for trait in traits)}"
            for owner, traits in self.traits.items()
        )

    def changes(self) -> Mapping[ScalarNode, tuple[Counted, ...]]:
        return self.traits

    @guard("U4.43")
    def may_be_removed(self, play: Table) -> Iterator[Violation]:
        for _, component, words in self.known(play):
            yield from _bars_losses(
                play,
                component,
                words,
                lambda owner, trait, name: Violation(
                    f"{owner.name} has {trait.text} only {plural(trait.copies, 'time')}",
                    name,
                    facts=[play.because(trait.step, "bought here")],
                ),
            )

    def apply(self, play: Table) -> None:
        """Cross Traits off, 1 Coin a copy (U4.43); a wound that goes has healed (U4.48)."""
        removed: list[str] = []
        for _, component, words in self.each(play):
            for name, count in words:
                trait = _trait_in_force(play, component, name)
                coins.charge(
                    play,
                    "remove",
                    "U4.43",
                    f"Traits of {component.name}",
                    times=count,
                    component=component,
                )
                if trait is None or any(traits.bars_loss(play, component, trait)):
                    continue
                healed = trait.sort is Sort.WOUND
                count = min(count, trait.copies)
                take_off(play, component, trait, count)
                removed.append(trait.text)
                rule = "U4.48" if healed else "U4.43"
                kind = "heals" if healed else "loses trait"
                play.event(
                    f"{component.name} {'recovered from' if healed else 'lost'} {trait.text}",
                    rule,
                    kind,
                    component.id,
                )
            _left_empty(play, component)
        play.step.headline = f"Without {', '.join(removed)}" if removed else "Nothing removed"


def _bars_losses(
    play: Table,
    component: Component,
    words: Iterable[tuple[ScalarNode, int]],
    too_many: Callable[[Component, Trait, ScalarNode], Violation],
) -> Iterator[Violation]:
    """What keeps copies of Traits from going: what bars the loss, or that there are not so many (``too_many``)."""
    for name, count in words:
        trait = traits.likely_trait(play, component, name)
        bars = [*traits.bars_loss(play, component, trait, name)] if trait else []
        yield from bars
        if trait is not None and not bars and count > trait.copies:
            yield too_many(component, trait, name)


def _trait_in_force(play: Table, component: Component, name: ScalarNode) -> Trait | None:
    trait = traits.find_trait(component, name)
    if trait is not None:
        return trait
    if component.open_list:
        return traits.add_trait(play, component, str(name), Sort.PLAIN, paid=0)
    full_name = traits.trait_meant(play, "U4.43", component, name)
    return traits.find_trait(component, full_name) if full_name is not None else None


def take_off(play: Table, component: Component, trait: Trait, count: int) -> None:
    """Remove copies, with everything that depends on the Trait: its corollary (S41), its possession."""
    if trait.sort in (Sort.OWNS, Sort.OWNED) and trait.other:
        item = play.state.components[trait.other if trait.sort is Sort.OWNS else component.id]
        if item.owner:
            unlink(play, item, "removes")
            return
    traits.remove_copies(play, component, trait, count)
    for far_end, twin in _other_ends(play, component, trait):
        if twin.copies:
            traits.remove_copies(play, far_end, twin, min(count, twin.copies))
            play.event(
                f"{far_end.name} lost {twin.text} with it", "U4.17", "loses trait", far_end.id
            )


def _other_ends(play: Table, component: Component, trait: Trait) -> list[tuple[Component, Trait]]:
    """A tie at its other ends: one Coin bought them all (S41)."""
    if trait.sort is not Sort.TIE or not trait.twin:
        return []
    components = play.state.components
    if trait.free:
        bought = components[trait.other].traits.get(trait.twin)
        if bought is None:
            return []
        mirrors = _other_ends(play, components[trait.other], bought)
        return [(components[trait.other], bought), *(m for m in mirrors if m[0] is not component)]
    return [
        (far_end, twin)
        for far_end in components.values()
        if (twin := far_end.traits.get(trait.twin)) is not None
        and twin.free
        and twin.other == component.id
    ]


def _left_empty(play: Table, component: Component) -> None:
    # Only when all Traits of the entry are off is it known.
    if component.own > 0 or component.open_list:
        return
    play.suspect(
        True,
        "U4.2",
        f"no Trait of {component.name} is left",
        fix=write_instead(f"eliminate: {component.name}", when="if it is out of the story"),
    )
    if play.ruling("empty component") == "gone" and not component.eliminated:
        put_out(play, component, 0, "")


class RestoreTrait(OnSlips, Alters):
    """Give back Traits that were crossed off, 1 Coin a copy."""

    verb = "restore"
    synonyms = ("give back",)
    heading = "Restored"
    decides = Decides("turn", "U3.57", action_phrase="restores Traits")
    moment = IN_SCENE
    in_exchange = True
    example = "restore: {Ines Vale: lamp}"
    traits = main(TRAITS_BY_NAME, "{Component: [Traits]}, x2 for two copies")
    because = option(TEXT, "the Event or reason that justifies it", text_role=TextRole.SENTENCE)
    offered = Offered("U4.48", "give a Trait back for 1 Coin")
    deed = "restores a Trait of"
    item = "restore"
    means_all = True

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by in cls.altering(play):
            for trait in listed_traits(component):
                if trait.removed:
                    yield {"restore": {component.name: trait.text}, **by}

    def changes(self) -> Mapping[ScalarNode, tuple[Counted, ...]]:
        return self.traits

    @guard("U4.48")
    def was_removed(self, play: Table) -> Iterator[Violation]:
        for _, component, words in self.known(play):
            for name, count in words:
                trait = traits.find_trait(component, name, removed=True)
                if trait is not None and count > trait.removed:
                    copies = plural(trait.removed, "copy", "copies")
                    yield Violation(f"only {copies} of {trait.text} were removed", name)
                elif trait is not None:
                    bars = [*traits.bars_regain(play, component, trait, count, name)]
                    yield from bars or bars_relink(play, component, trait, name)
                elif not component.open_list:
                    yield _never_removed(play, component, name)

    def apply(self, play: Table) -> None:
        """Give crossed-off Traits back, 1 Coin a copy (U4.48)."""
        restored: list[str] = []
        for _, component, words in self.each(play):
            for name, count in words:
                coins.charge(
                    play,
                    "restore",
                    "U4.48",
                    f"Traits of {component.name}",
                    times=count,
                    component=component,
                )
                trait = traits.find_trait(component, name, removed=True)
                if trait is None:
                    if component.open_list:
                        traits.add_trait(play, component, str(name), Sort.PLAIN, count, paid=0)
                    continue
                count = min(count, trait.removed)
                bars = traits.bars_regain(play, component, trait, count)
                if any(bars) or any(bars_relink(play, component, trait, name)):
                    continue
                relink(play, component, trait, count)
                for far_end, twin in _other_ends(play, component, trait):
                    if twin.removed:
                        traits.restore_copies(play, far_end, twin, min(count, twin.removed))
                restored.append(trait.text)
                play.event(
                    f"{component.name} regained {trait.text}",
                    "U4.48",
                    "regains trait",
                    component.id,
                )
        play.step.headline = f"{', '.join(restored)} restored" if restored else "Nothing restored"


def _never_removed(play: Table, component: Component, name: ScalarNode) -> Violation:
    present_trait = traits.find_trait(component, name)
    return Violation(
        f"{present_trait.text} was never removed from {component.name}"
        if present_trait is not None
        else traits.miss(play, component, name),
        name,
        (
            *(traits.spellings(play, component, name) if present_trait is None else ()),
            write_instead(f"trait: {{{component.name}: {name}}}", when="if it is a new Trait"),
        ),
        since=0,
    )


class UseUp(Alters):
    """Use one copy of a Trait that a Gimmick lets you use up; a wound it heals is removed free."""

    verb = "use"
    synonyms = ("use up",)
    decides = Decides("turn", "U3.57", action_phrase="uses something up")
    moment = IN_SCENE
    example = "use: {medicine chest: heals burns}\n  on: {Ines Vale: scalded}\n  under: doses"
    traits = main(TRAITS_BY_NAME, "{Component: Trait}")
    on = option(TRAITS_BY_NAME, "{Component: the Wound Trait that goes}")
    offered = Offered("UG.1", "use a Trait up")
    deed = "uses up a Trait of"
    item = ""

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        for component, by in cls.altering(play):
            for trait in listed_traits(component):
                if trait.copies and trait.sort is Sort.PLAIN:
                    yield {"use": {component.name: trait.text}, **by}

    def changes(self) -> Mapping[ScalarNode, tuple[Counted, ...]]:
        return self.traits

    @guard("UG.1")
    def may_be_used_up(self, play: Table) -> Iterator[Violation]:
        for word, component, words in self.known(play):
            if not play.state.points.used_up(play, component):
                yield Violation(
                    f"no Gimmick in force lets Traits of {component.name} be used up",
                    word,
                    add_entry(f"gimmick: ...\nsets: {{uses: [{component.name}]}}"),
                )
            yield from _bars_losses(
                play,
                component,
                words,
                lambda owner, trait, name: Violation(
                    f"{owner.name} has {plural(trait.copies, 'use')} of {trait.text} left", name
                ),
            )

    def _uses(self, play: Table) -> int:
        """How many copies are used up."""
        number = 0
        for _, component, words in self.known(play):
            for name, count in words:
                trait = traits.likely_trait(play, component, name)
                if trait is None:
                    number += min(count, int(component.open_list))
                elif not any(traits.bars_loss(play, component, trait)):
                    number += min(count, trait.copies)
        return number

    @guard("UG.1")
    def heals_wounds(self, play: Table) -> Iterator[Violation]:
        for word, words in (self.on or {}).items():
            patients = [component for _, component in table.known(play, (word,))]
            bars = [bar for c in patients[:1] for bar in bars_alteration(play, c, "heals", word)]
            yield from bars
            for name, count in words if len(patients) == 1 and not bars else ():
                trait, uses = traits.likely_trait(play, patients[0], name), self._uses(play)
                if trait is None:
                    continue
                bars_healing = [*_bars_healing(play, patients[0], trait, name)]
                yield from bars_healing
                if count > uses and not bars_healing:
                    healed = plural(uses, "copy", "copies")
                    message = f"{plural(uses, 'use')} heals {healed} of a wound, not {count}"
                    yield Violation(message, name)

    def apply(self, play: Table) -> None:
        """Use up copies of a limited Trait (UG.1): free, and a wound may go with each."""
        for _, component, words in self.each(play):
            for name, count in words:
                trait = _trait_in_force(play, component, name)
                if trait is None or any(traits.bars_loss(play, component, trait)):
                    continue
                count = min(count, trait.copies)
                traits.remove_copies(play, component, trait, count, "uses")
                play.event(
                    f"{component.name}: {trait.text} used, {trait.copies} left",
                    "UG.1",
                    "uses",
                    component.id,
                )
                play.step.headline = f"{component.name}: {trait.text}"
        for word, words in (self.on or {}).items():
            patient = table.find_one(play, word)
            if patient is None or any(bars_alteration(play, patient, "heals", word)):
                continue
            if play.state.current_scene is not None:
                presence.is_here(play, play.state.current_scene, patient)
            for name, count in words:
                trait = _trait_in_force(play, patient, name)
                if trait is None or any(_bars_healing(play, patient, trait, name)):
                    continue
                traits.remove_copies(play, patient, trait, min(count, trait.copies))
                play.event(
                    f"{patient.name} recovered from {trait.text}", "UG.1", "heals", patient.id
                )


def _bars_healing(
    play: Table, patient: Component, trait: Trait, name: ScalarNode
) -> Iterator[Violation]:
    """What keeps a Trait from being healed: it is no wound, or may not be lost."""
    if trait.sort is Sort.WOUND:
        yield from traits.bars_loss(play, patient, trait, name)
        return
    label = "the proper name" if trait.sort is Sort.NAME else trait.text
    message = f"{label} of {patient.name} is no wound, and a use heals wounds only"
    yield Violation(message, name, drop_key("on"), rule="UG.1")
