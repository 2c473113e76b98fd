"""Chapter 4, Traits: adding, naming, tying, removing, restoring, using up."""

from __future__ import annotations

from chronicle.core.diagnostic import plural
from chronicle.core.fix import add_entry, drop_key, write_instead
from chronicle.core.kinds import Counted
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis import coins, story_actions, table, traits
from chronicle.games.universalis.authority import altered, damage_needs_event, may_alter, may_change
from chronicle.games.universalis.belongings import relink, unlink
from chronicle.games.universalis.fates import put_out
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import count_tenet, preparing
from chronicle.games.universalis.state import ELLIPSIS, Component, Sort, Trait


def add_traits(play: Table, action: story_actions.AddTrait) -> None:
    """New Traits, 1 Coin a copy (U4.3)."""
    sort = Sort.WOUND if action.wound else Sort.PLAIN
    if action.wound:
        damage_needs_event(play, action.because)
    _add(play, action.traits, sort, "adds a Trait to")


def add_wounds(play: Table, action: story_actions.AddWound) -> None:
    """Wound Traits (U4.44)."""
    damage_needs_event(play, action.because)
    _add(play, action.traits, Sort.WOUND, "wounds")


def add_groups(play: Table, action: story_actions.AddGroup) -> None:
    """Group Traits (U4.14)."""
    _add(play, action.traits, Sort.GROUP, "adds a Group Trait to")


def _add(
    play: Table, traits_by_name: dict[ScalarNode, tuple[Counted, ...]], sort: Sort, deed: str
) -> None:
    gained: list[str] = []
    rule = {Sort.WOUND: "U4.44", Sort.GROUP: "U4.14"}.get(sort, "U4.3")
    for _, component, words in altered(
        play, traits_by_name, deed, several=True, wounds=sort is Sort.WOUND
    ):
        copies = 0
        for counted in words:
            trait, count = counted
            if trait == ELLIPSIS:
                component.open_list = True
                continue
            traits.mark(play, traits.add_trait(play, component, str(trait), sort, count), counted)
            copies += count
            gained.append(f"{trait} x{count}" if count > 1 else str(trait))
        if preparing(play) and not play.given:
            count_tenet(play, copies if play.ruling("prepared component") == "one trait" else 1)
        coins.charge_traits(play, component, copies, rule)
        play.event(
            f"{component.name} gained {', '.join(gained[-len(words) :])}",
            rule,
            "gains trait",
            component.id,
        )
    play.step.headline = ", ".join(gained)


def give_name(play: Table, action: story_actions.GiveName) -> None:
    """A proper name, bought as a Trait; the Role stays (U4.11, U4.13)."""
    for _, component, name in altered(play, action.names, "names"):
        traits.add_trait(play, component, str(name), Sort.NAME, at=name)
        old = component.name
        play.names.rename(component.id, str(name))
        component.name = str(name)
        play.state.used_names.add(fold(name))
        play.state.labels.add(fold(name))
        if preparing(play) and not play.given:
            count_tenet(play)
        coins.charge(play, "trait", "U4.11", f"a proper name for {old}", component=component)
        play.event(f"{old}, from now on {name}", "U4.11", "named", component.id)
        play.step.headline = f"{old} is {name}"


def word_role(play: Table, action: story_actions.WordRole) -> None:
    """A Role that was left open is worded (U5.28, S83)."""
    for word, component, role in altered(play, action.roles, "words the Role of"):
        roles = component.of_sort(Sort.ROLE)
        if play.require(
            component.open_role,
            "U5.28",
            f"the Role of {component.name} is not open",
            at=word,
            facts=[play.because(component.step, "its Role was bought here")],
            fix=write_instead(f"trait: {{{component.name}: {role}}}"),
            help="buy a further Trait instead",
        ):
            old = roles[0] if roles else None
            if old is not None:
                component.traits.pop(old.key)
                old.text = str(role)
                traits.hold(play, component, old)
                old.history.append((play.step.number, "is worded", old.copies, play.step.player))
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


def tie(play: Table, action: story_actions.Tie) -> None:
    """A relationship; its mirror at the other end is free (U4.16, U4.17)."""
    for _, component, (text, count) in altered(play, action.ties, "ties"):
        far_ends = [o for name in action.with_ for o in table.find_all(play, name)]
        mirror = str(action.corollary) if action.corollary is not None else ""
        if mirror and action.one_sided:
            play.illegal(
                "U4.18",
                "a feeling of one side only has no mirror Trait on the other",
                at="corollary",
                fix=(drop_key("corollary"), drop_key("one sided")),
            )
        trait = traits.add_trait(
            play,
            component,
            str(text),
            Sort.TIE,
            count,
            other=far_ends[0].id if far_ends else "",
        )
        trait.twin = fold(mirror)
        if preparing(play) and not play.given:
            count_tenet(play, count)
        for far_end in far_ends:
            if mirror:
                may_change(play, far_end, "ties")
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


def remove(play: Table, action: story_actions.RemoveTrait) -> None:
    """Cross Traits off, 1 Coin a copy (U4.43); a wound that goes has healed (U4.48)."""
    removed: list[str] = []
    for _, component, words in altered(play, action.traits, "removes a Trait of", several=True):
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
            if trait is None or not traits.may_lose(play, component, trait, name):
                continue
            healed = trait.sort is Sort.WOUND
            if not play.require(
                count <= trait.copies,
                "U4.43",
                f"{component.name} has {trait.text} only {plural(trait.copies, 'time')}",
                at=name,
                facts=[play.because(trait.step, "bought here")],
            ):
                count = trait.copies
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


def restore(play: Table, action: story_actions.RestoreTrait) -> None:
    """Give crossed-off Traits back, 1 Coin a copy (U4.48)."""
    restored: list[str] = []
    for _, component, words in altered(play, action.traits, "restores a Trait of", several=True):
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
                present_trait = traits.find_trait(component, name)
                play.illegal(
                    "U4.48",
                    f"{present_trait.text} was never removed from {component.name}"
                    if present_trait is not None
                    else traits.miss(play, component, name),
                    at=name,
                    fix=(
                        *(traits.spellings(play, component, name) if present_trait is None else ()),
                        write_instead(
                            f"trait: {{{component.name}: {name}}}", when="if it is a new Trait"
                        ),
                    ),
                    since=0,
                )
                continue
            if not play.require(
                count <= trait.removed,
                "U4.48",
                f"only {plural(trait.removed, 'copy', 'copies')} of {trait.text} were removed",
                at=name,
            ):
                count = trait.removed
            if not traits.may_regain(play, component, trait, count, name):
                continue
            if not relink(play, component, trait, count, name):
                continue
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


def use_up(play: Table, action: story_actions.UseUp) -> None:
    """Use up copies of a limited Trait (UG.1): free, and a wound may go with each."""
    healed = 0
    for word, component, words in altered(play, action.traits, "uses up a Trait of"):
        gimmick = play.state.points.used_up(play, component)
        play.require(
            bool(gimmick),
            "UG.1",
            f"no Gimmick in force lets Traits of {component.name} be used up",
            at=word,
            fix=add_entry(f"gimmick: ...\nsets: {{uses: [{component.name}]}}"),
        )
        for name, count in words:
            trait = _trait_in_force(play, component, name)
            if trait is None or not traits.may_lose(play, component, trait, name):
                continue
            if not play.require(
                count <= trait.copies,
                "UG.1",
                f"{component.name} has {plural(trait.copies, 'use')} of {trait.text} left",
                at=name,
            ):
                count = trait.copies
            traits.remove_copies(play, component, trait, count, "uses")
            healed += count
            play.event(
                f"{component.name}: {trait.text} used, {trait.copies} left",
                "UG.1",
                "uses",
                component.id,
            )
            play.step.headline = f"{component.name}: {trait.text}"
    for word, words in (action.on or {}).items():
        patient = table.find_one(play, word)
        if patient is None or not may_alter(play, patient, "heals", word):
            continue
        for name, count in words:
            trait = _trait_in_force(play, patient, name)
            if trait is None:
                continue
            label = "the proper name" if trait.sort is Sort.NAME else trait.text
            if not play.require(
                trait.sort is Sort.WOUND,
                "UG.1",
                f"{label} of {patient.name} is no wound, and a use heals wounds only",
                at=name,
                fix=drop_key("on"),
            ):
                continue
            if not traits.may_lose(play, patient, trait, name):
                continue
            play.require(
                count <= healed,
                "UG.1",
                f"{plural(healed, 'use')} heals {plural(healed, 'copy', 'copies')} of a wound, not {count}",
                at=name,
            )
            traits.remove_copies(play, patient, trait, min(count, trait.copies))
            play.event(f"{patient.name} recovered from {trait.text}", "UG.1", "heals", patient.id)
