"""Chapter 6, Pools: drawing upon Traits and Facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from typing import Any

from chronicle.core.declare import Decides, Offered, main, option
from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.field_types import (
    COUNTED,
    NAME,
    TEXT,
    WHOLE,
    Counted,
    MapOf,
    OneOrMany,
    in_role,
    label,
)
from chronicle.core.figures import with_times
from chronicle.core.fix import (
    add_entry,
    drop_item,
    set_key,
    write_word,
)
from chronicle.core.guards import Violation, guard, question
from chronicle.core.names import Named, fold
from chronicle.core.source import ScalarNode
from chronicle.core.telling import Slip, TextRole
from chronicle.games.universalis import facts, presence, table, traits
from chronicle.games.universalis.actions import ON_DICE
from chronicle.games.universalis.gates import violations_of
from chronicle.games.universalis.moves import acting, dice_in_play, drawable
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.pools import Find, Laid, LaysDice, against, side_of
from chronicle.games.universalis.state import (
    COMPONENT_KINDS,
    Complication,
    Component,
    SceneState,
    Sort,
    Trait,
)
from chronicle.games.universalis.story_actions import POOL, dealt

_SCOPES = ("scene", "world", "tenet", "tenets")
"""What stands in place of a Component where Facts are drawn upon."""


class DrawTraits(LaysDice):
    """Draw upon Traits of Components in the scene: a die each, free. The Pool is their side's, of a
    bystander your own, unless 'to:' names another; 'from:' takes dice away."""

    verb = "draw"
    synonyms = ("draw upon",)
    already_shown_kinds = frozenset({"dice"})
    decides = Decides("turn", "U6.11", action_phrase="draws Traits")
    moment = ON_DICE
    example = "draw: {Ines Vale: [name, sure-footed x2]}"
    traits = main(
        MapOf(in_role("drawn upon", NAME), label(OneOrMany(COUNTED))),
        "{Component: [Traits]}; name, role, all, -Trait; {scene: Fact}, also a Component's, {world: Fact}",
    )
    to = option(POOL, "whose Pool they are added to")
    from_ = option(POOL, "whose Pool they are taken from")
    for_ = option(TEXT, "how they apply", text_role=TextRole.SENTENCE)
    dice = option(WHOLE, "how many dice it came to; checked", computed=True)
    rule, deed = "U6.11", "Traits are drawn"
    offered = Offered("U6.11", "draw upon a Trait, free")

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        complication = dice_in_play(play)
        if complication is None:
            return
        for scene, _, by in acting(play):
            players = cycle(complication.pools)
            for (component, trait), player in zip(drawable(play, scene), players, strict=False):
                traits = {component.name: trait.text}
                yield {"draw": traits, "to": player, "for": "it helps", **by}

    def slips(self) -> Iterable[Slip]:
        return dealt(self.traits)

    def ids(self, play: Table) -> list[str]:
        matches = (play.names.find(name, COMPONENT_KINDS) for name in self.traits)
        return [match.id for match in matches if isinstance(match, Named)]

    def laid(self, play: Table, complication: Complication, find: Find) -> Iterator[Laid]:
        drawn: dict[str, int] = {}
        for word, words in self.traits.items():
            if word.casefold() in _SCOPES:
                yield from self._facts(play, complication, word.casefold(), words, drawn)
                continue
            for _, component in find(play, (word,)):
                now: dict[str, int] = {}
                for laid in self._traits(play, complication, component, words, drawn, now):
                    yield laid
                    now[laid.key] = now.get(laid.key, 0) + laid.drawn
                for key, count in now.items():
                    drawn[key] = drawn.get(key, 0) + count

    def _facts(
        self,
        play: Table,
        complication: Complication,
        scope: str,
        words: tuple[Counted, ...],
        drawn: dict[str, int],
    ) -> Iterator[Laid]:
        """Events, details and Tenets may give a die each (U1.6, S31)."""
        for word, count in words:
            text = facts.text_of_fact(play, word, facts.facts_of(play, scope, str(word)))
            if text:
                key = f"{scope}/{fold(text)}"
                used = complication.used.get(key, 0) + drawn.get(key, 0)
                yield Laid(count, text, count, key, word, wanted=count, used=used)
                drawn[key] = drawn.get(key, 0) + count

    def _traits(
        self,
        play: Table,
        complication: Complication,
        component: Component,
        words: tuple[Counted, ...],
        drawn: Mapping[str, int],
        now: Mapping[str, int],
    ) -> Iterator[Laid]:
        """The Traits that it names on one Component. The entry has ``drawn`` some before, of these words some
        ``now``."""
        left_out = {fold(word[1:]) for word, _ in words if word.startswith("-")}
        for word, wanted in words:
            if word.startswith("-"):
                continue
            if fold(word) == "all":
                for trait in _all_traits(play, component):
                    is_left_out = any(part in trait.key for part in left_out if part)
                    gives_die = trait.sort is not Sort.NAME or (
                        play.state.points.name_gives_die(play, component) is not None
                    )
                    key = f"{component.id}/{trait.key}"
                    used = complication.used.get(key, 0) + drawn.get(key, 0)
                    left = trait.copies - used - now.get(key, 0)
                    if left > 0 and gives_die and not is_left_out and trait.key not in left_out:
                        yield _laid_of(play, component, word, trait, left, used)
                continue
            named_trait = _trait_named(play, component, word)
            if named_trait is None:
                continue
            trait, copies = named_trait
            key = f"{component.id}/{trait.key}"
            if trait.step < 0 and key in now:
                copies = min(copies, trait.copies)
            used = complication.used.get(key, 0) + drawn.get(key, 0)
            before = now.get(key, 0)
            yield _laid_of(play, component, word, trait, wanted, used, copies, before)

    def _named(self, play: Table) -> Iterator[tuple[Complication, Laid, Component, Trait]]:
        """The Traits that it names one by one, for guards."""
        complication = self.meant(play)
        if complication is not None:
            for laid in self.laid(play, complication, table.known):
                component, trait = laid.component, laid.trait
                if component is not None and trait is not None and fold(laid.word) != "all":
                    yield complication, laid, component, trait

    @guard("U5.3")
    def draws_upon_what_is_here(self, play: Table) -> Iterator[Violation]:
        complication = self.meant(play)
        words = [word for word in self.traits if word.casefold() not in _SCOPES]
        if complication is not None and not play.given:
            for scene, word, component in table.known_in_scene(play, words):
                yield from _bars_drawing(play, complication, scene, component, word)

    @guard("U6.11")
    def draws_what_there_is(self, play: Table) -> Iterator[Violation]:
        words = {word: names for word, names in self.traits.items() if self.meant(play) is not None}
        for word, component in table.known(play, words):
            for name, _ in words[word]:
                if name.startswith("-") or fold(name) == "all":
                    continue
                if traits.is_unknown(play, component, name):
                    bar = play.state.points.unseen(play, component, name)
                    miss = traits.bars_unknown(play, "U6.11", component, name)
                    yield from [miss] if bar is None else violations_of(play, bar, name)

    @guard("U6.11")
    def may_draw_facts(self, play: Table) -> Iterator[Violation]:
        for _, laid, _ in self.reading(play):
            if laid.component is None and play.ruling("fact dice") != "yes":
                yield Violation("only Traits of Components give dice at this table", laid.word)

    @guard("U6.14", help="each copy gives one die in a Complication")
    def draws_each_copy_once(self, play: Table) -> Iterator[Violation]:
        for complication, laid, component, trait in self._named(play):
            used, copies, fix = laid.used, laid.copies, drop_item(str(laid.word))
            if used + laid.before + laid.wanted <= copies:
                continue
            if laid.before:
                message = f"{trait.text} of {component.name} is drawn twice in this entry"
                yield Violation(message, laid.word, fix)
                continue
            entries = (e for pool in complication.pools.values() for e in pool.entries)
            first = next((e for e in entries if e.trait == laid.key), None)
            yield Violation(
                f"{trait.text} of {component.name} was drawn already in this Complication"
                if used >= copies
                else f"{component.name} has {trait.text} {plural(copies, 'time')}, not {used + laid.wanted}",
                laid.word,
                fix,
                facts=[play.because(first.step, "drawn here")]
                if first is not None and used
                else [],
            )

    @guard("U6.14")
    def draws_each_fact_once(self, play: Table) -> Iterator[Violation]:
        for _, laid, _ in self.reading(play):
            if laid.component is None and laid.used + laid.drawn > 1:
                message = f"'{laid.cause}' gives one die in a Complication"
                yield Violation(message, laid.word, drop_item(str(laid.word)))

    @guard("U4.12")
    def draws_names_that_give_dice(self, play: Table) -> Iterator[Violation]:
        """A Character's name gives a die in each Complication with the Character (U4.12, S79, S80)."""
        for complication, laid, component, trait in self._named(play):
            if trait.sort is not Sort.NAME or not _is_own(component, trait):
                continue
            granted = play.state.points.name_gives_die(play, component)
            if granted is None:
                kind = "place" if component.kind == "place" else "prop"
                yield Violation(
                    f"{component.name} is a {kind}; its name gives no die",
                    laid.word,
                    add_entry(f"gimmick: ...\nsets: {{name die: [{component.name}]}}"),
                )
                continue
            takes_part = (
                granted != ""
                or component.id in complication.committed
                or self.for_ is not None
                or self.text is not None
                or sum(len(words) for words in self.traits.values()) > 1
            )
            if not takes_part and not play.given:
                yield Violation(
                    f"{component.name} takes no part in this Complication",
                    laid.word,
                    set_key("for"),
                    "say what part it takes",
                )

    @question("U5.28")
    def draws_roles_with_words(self, play: Table) -> Iterator[Violation]:
        for _, laid, component, trait in self._named(play):
            is_role = trait.sort is Sort.ROLE and _is_own(component, trait)
            if is_role and component.open_role and self.for_ is None:
                yield Violation(
                    f"the Role of {component.name} has not been worded yet, so it gives no die",
                    laid.word,
                    (add_entry(f"role: {{{component.name}: ...}}"), set_key("for")),
                )

    @guard("U4.32")
    def draws_nothing_negated(self, play: Table) -> Iterator[Violation]:
        for _, laid, component, trait in self._named(play):
            negating = traits.negated(component, trait.text)
            if negating is not None and not _is_own(component, trait):
                yield Violation(
                    f"{component.name} has '{negating.text}', which takes {trait.text} away from it",
                    laid.word,
                    facts=[play.because(negating.step, "bought here")],
                )

    @question(
        "U7.7",
        at="main",
        help="a wound hinders: it gives a die to the other side, or takes one from its own",
    )
    def does_not_gain_by_wounds(self, play: Table) -> Iterator[Violation]:
        """A wound takes a die from its bearer's Pool or gives one to the opponents (U7.7, S81)."""
        is_explained = self.from_ is not None or self.for_ is not None or play.given
        for complication, laid, player in self.reading(play) if not is_explained else ():
            pool, component = complication.pools.get(player), laid.component
            if pool is None or component is None or laid.trait is None:
                continue
            if laid.trait.sort is not Sort.WOUND or player != side_of(
                play, complication, component, player
            ):
                continue
            yield Violation(
                f"{laid.trait.text} is a wound of {component.name}, and gives {player} a die on the same side",
                fix=(
                    *(set_key("to", other.player) for other in against(complication, pool)),
                    *((set_key("from", player),) if pool.dice else ()),
                    set_key("for", when="if this once it helps"),
                ),
            )

    @guard("U6.11", DiagnosticKind.BOOKKEEPING, at="dice")
    def comes_to_what_it_says(self, play: Table) -> Violation | None:
        reading = [*self.reading(play)] if self.dice is not None else []
        total = sum(laid.dice for _, laid, _ in reading)
        names = [word for word in self.traits if word.casefold() not in _SCOPES]
        is_known = {word for word, _ in table.known(play, names)} == {*names}
        if not is_known or not all(player in c.pools for c, _, player in reading):
            return None
        if self.dice in (None, total) or self.meant(play) is None:
            return None
        return Violation(
            f"this comes to {plural(total, 'die', 'dice')}, not {self.dice}",
            fix=write_word(total),
            place_label=f"computed: {total}",
        )

    def apply(self, play: Table) -> None:
        """A die for each Trait, free (U6.11)."""
        complication = self.meant(play)
        if complication is None:
            return
        complication.steps.append(play.step.number)
        for word, words in self.traits.items():
            for name, _ in words if word.casefold() in _SCOPES else ():
                among = facts.facts_of(play, word.casefold(), str(name))
                facts.find_fact(play, name, "U6.11", among)
        names: dict[str, list[str]] = {}
        dice = [*self.laid(play, complication, table.find_each)]
        for laid in dice:
            self._note(play, laid)
        for laid in dice:
            component, trait = laid.component, laid.trait
            pool = self.pool(play, complication, component)
            if pool is None and component is not None:
                return
            if pool is None or (laid.before and not laid.drawn):
                continue
            for met in {id(c.used): c for c, _ in self.meets(play, complication, pool)}.values():
                met.used[laid.key] = met.used.get(laid.key, 0) + laid.drawn
            self.lay(play, complication, pool, laid)
            if component is None or trait is None:
                names[laid.cause] = []
                continue
            complication.committed.setdefault(component.id, play.step.number)
            words_of = "name" if trait.sort is Sort.NAME else trait.text
            names.setdefault(f"{component.name}: ", []).append(with_times(words_of, laid.drawn))
            if self.from_ is None:
                # A latecomer keeps to the side that it was first brought in for.
                complication.sides.setdefault(component.id, pool.player)
        drawn = [start + ", ".join(counted) for start, counted in names.items()]
        play.step.headline = "; ".join(drawn) or "Nothing drawn"

    def _note(self, play: Table, laid: Laid) -> None:
        """Note a Trait that the sheet did not show, and what lets a name give a die."""
        component, trait = laid.component, laid.trait
        if component is None or trait is None:
            return
        if trait.step < 0 and traits.find_trait(component, trait.text) is None:
            added = traits.add_trait(play, component, trait.text, Sort.PLAIN, paid=0)
            traits.reveal(play, component, added, 1)
        elif trait.sort is Sort.NAME and fold(laid.word) != "all":
            granted = play.state.points.name_gives_die(play, component)
            if granted:
                play.event(f"the name of {component.name} gives a die under {granted}", "UG.4")


def _is_own(component: Component, trait: Trait) -> bool:
    """Whether a Trait is on the sheet of a Component, and not on that of its Master."""
    return component.traits.get(trait.key) is trait


def _laid_of(
    play: Table,
    component: Component,
    word: ScalarNode,
    trait: Trait,
    wanted: int,
    used: int,
    copies: int = 0,
    before: int = 0,
) -> Laid:
    """The dice for some copies of a Trait. What was drawn twice in one entry gives them once."""
    is_twice = before and used + before + wanted > copies
    count = max(0, copies - used - before) if is_twice else wanted
    dice = count * play.state.points.dice_of_draw(play, component, trait)
    key = f"{component.id}/{trait.key}"
    return Laid(dice, trait.text, count, key, word, component, trait, wanted, copies, used, before)


def _trait_named(play: Table, component: Component, word: ScalarNode) -> tuple[Trait, int] | None:
    """The Trait that a word means on a sheet, on that of a Master, or, misspelt, evidently means; and how many copies
    of it can be drawn. One that is not on the sheet may have been bought in a gap."""
    components = play.state.components
    masters = [components[id] for id in component.masters]
    trait = traits.find_trait(component, word, exact=True)
    if trait is None and traits.inherited(play, component, word, exact=True) is None:
        trait = traits.find_trait(component, word)
    if trait is not None:
        is_both = trait.sort is Sort.MEMBER and masters
        roles = [r for m in masters for r in m.of_sort(Sort.ROLE) if r.key == trait.key]
        if is_both and play.ruling("member and role") == "two":
            return trait, trait.copies + sum(role.copies for role in roles)
        return trait, trait.copies
    inherited = traits.inherited(play, component, word)
    if inherited is not None:
        trait = inherited[1]
        copies = [m.traits[trait.key].copies for m in masters if trait.key in m.traits]
        is_each = len(copies) > 1 and play.ruling("two masters") == "each"
        return trait, sum(copies) if is_each else trait.copies
    if not traits.is_unknown(play, component, word):
        return Trait(str(word), Sort.PLAIN, 1, -1, 0, ""), 99
    if play.state.points.unseen(play, component, word) is not None and not play.given:
        return None
    full_name = traits.spelt_right(play, component, word)
    return _trait_named(play, component, full_name) if full_name is not None else None


def _bars_drawing(
    play: Table,
    complication: Complication,
    scene: SceneState,
    component: Component,
    word: ScalarNode,
) -> Iterator[Violation]:
    """Only what is in the scene can be drawn upon (U5.3), and only the present location (U5.9)."""
    if component.placeholder:
        return
    if component.id in scene.left_places and component.id not in scene.present:
        left_step = scene.left_places[component.id]
        yield Violation(
            f"the scene has moved on from {component.name}",
            word,
            facts=[play.because(left_step, "left here")],
            rule="U5.9",
        )
    elif not presence.may_be_here(play, scene, component):
        for bar in presence.bars_absence(play, scene, component, word):
            master = " It is a Master: draw through one of its Subs." if component.master else ""
            yield bar._replace(message=f"{bar.message}.{master}" if master else bar.message)
    elif component.id not in complication.committed and play.ruling("drawable") == "involved":
        yield Violation(f"{component.name} takes no part in this Complication", word, rule="U3.27")


def _all_traits(play: Table, component: Component) -> list[Trait]:
    traits_by_key = {
        t.key: t for t in component.traits.values() if t.copies and t.sort is not Sort.OWNED
    }
    for id in component.masters:
        master = play.state.components[id]
        for trait in master.traits.values():
            if (
                trait.copies
                and trait.sort is not Sort.MASTER
                and not traits.negated(component, trait.text)
            ):
                if trait.sort is Sort.ROLE and trait.text == master.name:
                    continue
                traits_by_key.setdefault(trait.key, trait)
    return list(traits_by_key.values())
