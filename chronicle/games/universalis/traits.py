"""Traits and Importance: every change goes through here, and Importance is kept, never recounted.

A change on one sheet travels up: to the owner of the possession, to the Masters of the Sub (U4.24,
U4.34). It stops at Eliminated Components.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chronicle.core.diagnostic import most_likely_word
from chronicle.core.field_types import Counted
from chronicle.core.fix import Fix
from chronicle.core.guards import Violation
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import Marked
from chronicle.games.universalis.answers import Bar
from chronicle.games.universalis.gates import report_all, violations_of
from chronicle.games.universalis.points import State, Table
from chronicle.games.universalis.state import Charge, Component, Sort, Trait

MAIN_PROTAGONIST, OF_SEVERAL = fold("main protagonist"), fold("main character")
MAIN = frozenset({MAIN_PROTAGONIST, OF_SEVERAL})
"""The mark on the sheet of a main Character (UA.30)."""


def add_trait(
    play: Table,
    component: Component,
    text: str,
    sort: Sort,
    copies: int = 1,
    *,
    paid: int | None = None,
    free: bool = False,
    other: str = "",
    negates: str = "",
    at: ScalarNode | None = None,
    asked: bool = False,
) -> Trait:
    """The gate of every Trait that is gained: copies of it are written on a sheet, as one entry however often
    it is bought (U4.6). ``paid`` is said only of what is not bought here and now; ``at`` is its word in the log.
    ``asked``: guards of the entry have asked :func:`bars_gain`."""
    step = play.step
    state = play.state
    if paid is None and not free and not asked:
        report_all(play, bars_gain(play, component, text, sort, copies, at))
    key = fold(text)
    trait = component.traits.get(key)
    if trait is None:
        scene = state.current_scene
        trait = Trait(
            text,
            sort,
            0,
            step.number,
            scene.number if scene is not None else 0,
            step.player,
            free=free,
            other=other,
            negates=negates,
            event=state.event_this_turn,
        )
        hold(play, component, trait)
    weight_before = state.points.weight(play, component, trait)
    trait.copies += copies
    trait.paid += (0 if free else copies) if paid is None else paid
    trait.history.append((step.number, "adds", copies, step.player))
    raise_importance(play, component, state.points.weight(play, component, trait) - weight_before)
    for add_on in state.add_ons:
        add_on.trait_added(play, component, trait, copies)
    return trait


def bars_gain(
    play: Table,
    component: Component,
    text: str,
    sort: Sort,
    copies: int = 1,
    at: ScalarNode | None = None,
) -> Iterator[Violation]:
    """What keeps a Trait from being bought: the mark of a Master (U4.27), or an add-on."""
    yield from violations_of(play, _name_of_master(component, sort), at)
    bar = play.state.points.bars_trait(play, component, text, sort, copies)
    yield from violations_of(play, bar)


def _name_of_master(component: Component, sort: Sort) -> Bar | None:
    """A Master bears no proper name (U4.27)."""
    excluded = {Sort.NAME: Sort.MASTER, Sort.MASTER: Sort.NAME}.get(sort)
    if excluded is None or not component.of_sort(excluded):
        return None
    words = "and a Master has no proper name"
    return Bar(
        "U4.27",
        f"{component.name} is a Master, {words}"
        if excluded is Sort.MASTER
        else f"{component.name} has a proper name, {words}",
    )


def hold(play: Table, component: Component, trait: Trait) -> None:
    """Let a Component have a Trait by the words of it; main Characters are listed separately as well."""
    component.traits[trait.key] = trait
    if trait.key in MAIN:
        play.state.mains.append(component.id)


def mark(play: Table, trait: Trait, counted: Counted) -> None:
    """Give a Trait its permanent name, where the log says one."""
    if not isinstance(counted, Marked):
        return
    id = str(counted.id)
    if trait.id == id:
        return
    first = play.step_number_by_id.get(counted.id)
    if first is None:
        play.step_number_by_id[id] = play.step.number
        trait.id = id
        return
    play.unreadable(
        "T53",
        f"the id '{id}' is taken",
        at=counted.id,
        help="give this Trait an id of its own",
        facts=[play.because(first, "first used here")],
    )


def bars_loss(
    play: Table, component: Component, trait: Trait, at: ScalarNode | None = None
) -> Iterator[Violation]:
    """What keeps a Trait from being taken from a Component, by any entry (U4.43)."""
    yield from violations_of(play, play.state.points.bars_loss(play, component, trait), at)


def bars_regain(
    play: Table, component: Component, trait: Trait, copies: int, at: ScalarNode | None = None
) -> Iterator[Violation]:
    """What keeps crossed-off copies of a Trait from being restored (U4.48)."""
    bar = _name_of_master(component, trait.sort)
    bar = bar or play.state.points.bars_regain(play, component, trait, copies)
    yield from violations_of(play, bar, at)


def remove_copies(
    play: Table, component: Component, trait: Trait, copies: int, how: str = "removes"
) -> None:
    """The gate of every Trait that is lost: copies are crossed off (U4.43); they can be restored."""
    weight_before = play.state.points.weight(play, component, trait)
    trait.copies -= copies
    trait.removed += copies
    trait.history.append((play.step.number, how, copies, play.step.player))
    raise_importance(
        play, component, play.state.points.weight(play, component, trait) - weight_before
    )
    keep_class(play, component, trait)


def restore_copies(play: Table, component: Component, trait: Trait, copies: int) -> None:
    """The gate of every Trait that comes back: crossed-off copies return (U4.48)."""
    weight_before = play.state.points.weight(play, component, trait)
    trait.copies += copies
    trait.removed = max(0, trait.removed - copies)
    trait.history.append((play.step.number, "restores", copies, play.step.player))
    raise_importance(
        play, component, play.state.points.weight(play, component, trait) - weight_before
    )
    keep_class(play, component, trait)
    for add_on in play.state.add_ons:
        add_on.trait_restored(play, component, trait, copies)


def remember_prices(play: Table, bill: Sequence[Charge]) -> None:
    """Where Importance goes by Coins (S42), Traits that this entry bought weigh what was paid for them."""
    if play.rulings["importance"] != "coins":
        return
    for id in dict.fromkeys(due.component for due in bill if due.what == "trait" and due.component):
        component = play.state.components[id]
        bought = [
            (trait, copies)
            for trait in component.traits.values()
            for step, how, copies, _ in trait.history
            if (step, how) == (play.step.number, "adds")
            and trait.paid
            and trait.sort is not Sort.ROLE
        ]
        price = sum(due.amount for due in bill if (due.what, due.component) == ("trait", id))
        count = sum(copies for _, copies in bought)
        for trait, copies in bought:
            weight_before = play.state.points.weight(play, component, trait)
            share = price * copies // count
            trait.paid += share - copies
            price, count = price - share, count - copies
            weight_after = play.state.points.weight(play, component, trait)
            raise_importance(play, component, weight_after - weight_before)


def raise_importance(play: Table, component: Component, by: int) -> None:
    """Change a Component's own Importance, and that of all Components that it counts towards."""
    component.own += by
    _lift(play, component, by)


def _lift(play: Table, component: Component, by: int) -> None:
    """Raise a Component and, once for each path, the Components that it counts towards."""
    if not by:
        return
    step = play.step.number
    path_counts = {component.id: 1}
    order = _upwards(play, component) if component.owner or component.masters else [component]
    place = {reached.id: number for number, reached in enumerate(order)}
    for reached in order:
        reached.total += by * path_counts[reached.id]
        if reached.curve and reached.curve[-1][0] == step:
            reached.curve[-1] = (step, reached.total)
        else:
            reached.curve.append((step, reached.total))
        for id in _counts_towards(reached):
            if place[id] > place[reached.id]:  # Two Masters can be Subs of each other.
                path_counts[id] = path_counts.get(id, 0) + path_counts[reached.id]


def _counts_towards(component: Component) -> list[str]:
    """The owner and the Masters of what is in the story (U4.24, U4.34)."""
    if component.eliminated:
        return []
    return [*([component.owner] if component.owner else []), *component.masters]


def _upwards(play: Table, component: Component) -> list[Component]:
    """A Component and all that it counts towards, each after those that count towards it."""
    components = play.state.components
    done: list[Component] = []
    seen_ids = {component.id}
    todo = [(component, iter(_counts_towards(component)))]
    while todo:
        current, above = todo[-1]
        id = next((id for id in above if id not in seen_ids), None)
        if id is None:
            done.append(current)
            todo.pop()
        else:
            seen_ids.add(id)
            todo.append((components[id], iter(_counts_towards(components[id]))))
    done.reverse()
    return done


def own_thing(play: Table, owner: Component, item: Component) -> None:
    """``item`` becomes the possession of ``owner``: from now on it counts towards it (U4.24)."""
    item.owner = owner.id
    owner.owns.append(item.id)
    if not item.eliminated:
        _lift(play, owner, item.total)


def part(play: Table, item: Component) -> None:
    """A possession counts towards its owner no longer."""
    if not item.owner:
        return
    owner = play.state.components[item.owner]
    if not item.eliminated:
        _lift(play, owner, -item.total)
    owner.owns.remove(item.id)
    item.owner = ""


def join_class(play: Table, sub: Component, master: Component) -> None:
    """``sub`` becomes a member of a Master's class and counts towards it (U4.34)."""
    sub.masters.append(master.id)
    master.subs.append(sub.id)
    if not sub.eliminated:
        _lift(play, master, sub.total)


def of_class(play: Table, component: Component, master: Component) -> bool:
    """Whether something is of a Master's class, itself or by classes above it."""
    above = [component.id]
    for id in above:
        above += [up for up in play.state.components[id].masters if up not in above]
    return master.id in above


def keep_class(play: Table, sub: Component, trait: Trait) -> None:
    """Membership of a class lasts as long as its Trait (U4.28, U4.34)."""
    if trait.sort is not Sort.MEMBER or not trait.other:
        return
    master = play.state.components[trait.other]
    belongs = master.id in sub.masters
    if trait.copies and not belongs:
        join_class(play, sub, master)
    elif belongs and not trait.copies:
        sub.masters.remove(master.id)
        master.subs.remove(sub.id)
        if not sub.eliminated:
            _lift(play, master, -sub.total)


def set_eliminated(play: Table, component: Component, gone: bool) -> None:
    """Out of the story, or back: what it counts towards loses or regains its Importance."""
    if component.eliminated is gone:
        return
    by = -component.total if gone else component.total
    component.eliminated = gone
    components = play.state.components
    if component.owner:
        _lift(play, components[component.owner], by)
    for id in component.masters:
        _lift(play, components[id], by)


def reveal(play: Table, component: Component, trait: Trait, copies: int) -> None:
    """Copies revealed on a counted but unlisted sheet were already in its count."""
    listed_weight = min(
        component.unlisted, copies * play.state.points.weight(play, component, trait)
    )
    if listed_weight > 0:
        component.unlisted -= listed_weight
        raise_importance(play, component, -listed_weight)


def owner_chain(play: Table, component: Component) -> list[str]:
    """Ids of its owner, the owner of that owner, and so on."""
    chain: list[str] = []
    owner = component.owner
    while owner and owner not in chain:
        chain.append(owner)
        owner = play.state.components[owner].owner
    return chain


def find_trait(
    component: Component, word: str, *, removed: bool = False, exact: bool = False
) -> Trait | None:
    """A Trait on a sheet by its words or its id: exactly, then by any words that only one Trait has. ``name``,
    ``role`` and ``group`` work where only one fits. ``removed`` looks among crossed-off ones,
    ``exact`` asks for its own words."""
    key = fold(word)

    def stands(trait: Trait) -> bool:
        return trait.removed > 0 if removed else trait.copies > 0

    trait = component.traits.get(key)
    if trait is not None and stands(trait):
        return trait
    sorts = {"name": (Sort.NAME,), "role": (Sort.ROLE, Sort.MEMBER), "group": (Sort.GROUP,)}.get(
        key
    )
    marked = next((t for t in component.traits.values() if t.id and t.id == word), None)
    if marked is not None and stands(marked):
        return marked
    if sorts is not None:
        fitting = [t for t in component.traits.values() if t.sort in sorts and stands(t)]
        return fitting[0] if fitting else None
    if exact:
        return None
    parts = set(key.split())
    matching_traits = [
        t
        for k, t in component.traits.items()
        if stands(t) and (parts <= set(k.split()) or key in k)
    ]
    return matching_traits[0] if len(matching_traits) == 1 else None


def inherited(
    play: Table, component: Component, word: str, *, exact: bool = False
) -> tuple[Component, Trait] | None:
    """A Master's Trait that a Sub may use (U4.29): (the Master, the Trait)."""
    for id in component.masters:
        master = play.state.components[id]
        trait = find_trait(master, word, exact=exact)
        if trait is not None and trait.sort is not Sort.MASTER:
            return master, trait
    return None


def negated(component: Component, text: str) -> Trait | None:
    """The Trait in force that cancels a Master's Trait for a Sub (U4.32)."""
    key = fold(text)
    for trait in component.traits.values():
        if trait.negates and trait.copies and fold(trait.negates) == key:
            return trait
    return None


def known_traits(play: Table, component: Component) -> list[str]:
    """Possible meanings of a Trait of this Component, for did-you-mean."""
    words = [t.text for t in component.traits.values()]
    for id in component.masters:
        words.extend(t.text for t in play.state.components[id].traits.values())
    return words


def miss(play: Table, component: Component, word: ScalarNode) -> str:
    """``has no Trait 'x'; did you mean 'y'?``."""
    hint = play.names.suggest(word, known_traits(play, component))
    return f"{component.name} has no Trait '{word}'{hint}"


def spellings(play: Table, component: Component, word: ScalarNode) -> tuple[Fix, ...]:
    """The fixes that write a Trait of a Component which :func:`miss` asks about."""
    return play.names.spelling_fixes(word, known_traits(play, component))


def likely_trait(play: Table, component: Component, word: ScalarNode) -> Trait | None:
    """The Trait in force that a word means or, misspelt, evidently means."""
    trait = find_trait(component, word)
    if trait is None and find_trait(component, word, removed=True) is None:
        text = most_likely_word(word, known_traits(play, component))
        trait = find_trait(component, text) if text else None
    return trait


def trait_meant(
    play: Table, rule: str, component: Component, word: ScalarNode
) -> ScalarNode | None:
    """Report a misspelt Trait and return the Trait that the word evidently means; None of one that was removed."""
    report_all(play, [bars_unknown(play, rule, component, word)])
    return spelt_right(play, component, word)


def bars_unknown(play: Table, rule: str, component: Component, word: ScalarNode) -> Violation:
    """A word means no Trait of a Component, or one that was removed."""
    gone = find_trait(component, word, removed=True)
    if gone is not None:
        facts = [play.because(gone.history[-1][0], "removed here")]
        message = f"{component.name} has lost {gone.text} already"
        return Violation(message, word, facts=facts, name=word, rule=rule)
    fixes = spellings(play, component, word)
    return Violation(miss(play, component, word), word, fixes, name=word, since=0, rule=rule)


def spelt_right(play: Table, component: Component, word: ScalarNode) -> ScalarNode | None:
    """The Trait that a misspelt word evidently means; None of one that was removed."""
    if find_trait(component, word, removed=True) is not None:
        return None
    text = most_likely_word(word, known_traits(play, component))
    return word.like(text) if text and fold(text) != fold(word) else None


def is_unknown(play: Table, component: Component, word: ScalarNode) -> bool:
    """Whether a word means no Trait in force that a Component has or inherits, and no gap or unlisted sheet can hold
    one."""
    if find_trait(component, word) is not None or inherited(play, component, word) is not None:
        return False
    counted = max(component.step, play.unknown_until.get(f"importance:{component.id}", 0))
    if play.gap > counted and not spellings(play, component, word):
        return False
    sheets = (component, *(play.state.components[id] for id in component.masters))
    return not any(sheet.open_list for sheet in sheets)


def importance_of(state: State, component: Component) -> int | None:
    """A Component's Importance, or None where the record does not list all its Traits."""
    components = state.components
    todo, seen_ids = [component], set()
    while todo:
        current = todo.pop()
        if current.weighed:
            seen_ids.add(current.id)
            continue
        if current.open_list:
            return None
        seen_ids.add(current.id)
        todo.extend(components[id] for id in (*current.owns, *current.subs) if id not in seen_ids)
    return component.total
