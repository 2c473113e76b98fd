"""Values that fit the keys of an entry now: pairs and their labels, modifiers, stances, the wounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from chronicle.core.answers import Offer
from chronicle.core.diagnostic import listed, plural
from chronicle.games.isolation.base_dice import best_of
from chronicle.games.isolation.counted import threat_total
from chronicle.games.isolation.dice import GREEN, RED, THREAT, Colour
from chronicle.games.isolation.evenings import base_of, rolled_before
from chronicle.games.isolation.harm import candidates
from chronicle.games.isolation.linkmap import pairings
from chronicle.games.isolation.pressure import MOST_AT_ONCE
from chronicle.games.isolation.state import (
    DIFFICULTIES,
    RANK,
    Conflict,
    Hand,
    Health,
    PairKey,
    Person,
    Side,
    Topic,
    signed,
)
from chronicle.games.isolation.table import Table, same_words

_MODIFIERS = {
    "profession": GREEN,
    "goal": GREEN,
    "bias": GREEN,
    "against goal": RED,
    "against bias": RED,
}


def offers(play: Table, verb: str) -> Iterator[Offer]:
    """The values that fit the keys of a verb."""
    offer = _OFFERS.get(verb)
    if offer is not None:
        yield from offer(play)


# -- the map ---------------------------------------------------------------------------------------


def _drawn(verb: str, colour: Colour) -> Callable[[Table], Iterator[Offer]]:
    def on(play: Table) -> Iterator[Offer]:
        state = play.state
        for pair in state.pairs(state.playing()):
            name = state.name_of(pair)
            yield Offer((verb, name), _links(play, pair))
            first, second = (state.people[character] for character in pair)
            for label, note in _reasons(first, second, colour):
                yield Offer((verb, name, label), note)

    return on


def besides(verb: str, path: tuple[str, ...]) -> dict[str, str]:
    """The keys that come with a label: links about Goals say how these relate."""
    relation = {"green": "same", "red": "opposed"}.get(verb, "")
    return {"goals": relation} if relation and path[-1].startswith("goal ") else {}


def _reasons(first: Person, second: Person, colour: Colour) -> Iterator[tuple[str, str]]:
    """The labels that two sheets allow for a link, each with a note."""
    if first.goal and second.goal:
        is_same = same_words(first.goal, second.goal)
        if colour is GREEN and is_same:
            yield "goal x3", "the same Goal"
        elif colour is RED and not is_same:
            yield "goal x3", "opposed Goals"
    if first.bias and second.bias and colour is GREEN and same_words(first.bias, second.bias):
        yield f"{first.bias} x2", "the same Bias"
    if colour is RED:
        for person in (first, second):
            if person.bias:
                yield f"{person.bias} x2", f"the Bias of {person.id}"
    yield from ((label, "") for label in pairings(first, second, colour))


def _labels(play: Table) -> Iterator[Offer]:
    state = play.state
    for pair in state.pairs():
        for link in state.labelled(pair):
            yield Offer(("erase", state.name_of(pair)), _links(play, pair))
            yield Offer(("erase", state.name_of(pair), link.label), str(link.colour))


def _links(play: Table, pair: PairKey) -> str:
    green, red = base_of(play, pair)
    return f"{green} green, {red} red"


def _rolled(play: Table) -> Iterator[Offer]:
    state = play.state
    for pair in state.pairs(state.playing()):
        name = state.name_of(pair)
        why = "rolled already" if rolled_before(play, pair) else ""
        yield Offer(("pair rolls", name), _links(play, pair), why)
        for colour, dice in zip((GREEN, RED), base_of(play, pair), strict=True):
            note = plural(dice, f"{colour} die", f"{colour} dice")
            if dice:
                yield Offer(("pair rolls", name, str(colour)), note, needs_value=True)
        for link in state.labelled(pair):
            yield Offer(("pair rolls", name, "erase", link.label), str(link.colour))


# -- a conflict ------------------------------------------------------------------------------------


def _modifiers(play: Table) -> Iterator[Offer]:
    state = play.state
    any_label = play.rulings["label_bonus"] == "any"
    for character in state.playing():
        for word, colour in _MODIFIERS.items():
            yield Offer(("use", character, word), f"a {colour} die")
        for pair in state.pairs(state.playing()):
            if character in pair:
                second = pair[pair[0] == character]
                for link in state.labelled(pair):
                    if any_label or link.topic is Topic.DESCRIPTOR:
                        note = f"a {link.colour} die, asked by {second}"
                        yield Offer(("use", character, link.label), note)


def _stances(play: Table) -> Iterator[Offer]:
    conflict = play.state.conflict
    if conflict is None:
        return
    for hand in conflict.hands.values():
        if hand.character == conflict.active:
            yield Offer(("stance", hand.character), why=f"{hand.character} proposes this")
            continue
        yield Offer(("stance", hand.character), _net(hand))
        for side in reversed(Side) if hand.defaulted else Side:
            why = _barred(play, conflict, hand, side)
            yield Offer(("stance", hand.character, str(side)), why=why)
        if not hand.defaulted and not _barred(play, conflict, hand, Side.HOSTILE):
            why = "" if best_of(play, hand) is Side.HOSTILE else "it would be a choice"
            yield Offer(("stance", hand.character, "must be hostile"), why=why)


def _barred(play: Table, conflict: Conflict, hand: Hand, side: Side) -> str:
    """The reason against a stance of a character; empty if there is none."""
    if side is Side.HOSTILE:
        return ""
    if hand.defaulted:
        return "was not asked: neutral, or hostile later"
    thrown = conflict.hands[conflict.active].throw is not None
    if not thrown and play.state.stress:
        return "the dice come first"
    best = best_of(play, hand)
    if RANK[side] <= RANK[best]:
        return ""
    return f"{best} at best: the net is {signed(hand.net)}" if hand.net is not None else str(best)


def _net(hand: Hand) -> str:
    free = ", free: no red link" if hand.exempt else ""
    return f"net {signed(hand.net)}{free}" if hand.net is not None else ""


def _ratings(play: Table) -> Iterator[Offer]:
    conflict = play.state.conflict
    against = conflict.against if conflict is not None else ""
    instead = f"{against} rolls instead of the GM" if against else ""
    totals = {word: threat_total(play, dice) for word, dice in DIFFICULTIES.items()}
    for word, dice in DIFFICULTIES.items():
        note = f"{plural(dice, 'die', 'dice')}, {totals[word]} in all"
        yield Offer(("difficulty", word), note, instead)
    fewest, most = min(totals.values()), max(totals.values())
    active = conflict.hands[conflict.active] if conflict is not None else None
    first = active is not None and active.throw is None and active.has_dice
    why = instead or (f"{active.character} rolls first, before the GM" if active and first else "")
    yield Offer(
        ("roll", THREAT), f"{fewest} to {most} dice, by the Difficulty", why, needs_value=True
    )
    for hand in conflict.hands.values() if conflict is not None else ():
        yield Offer(("roll", hand.character), why="rolls in an entry of its own")


def _wounded(play: Table) -> Iterator[Offer]:
    conflict = play.state.conflict
    if conflict is None:
        return
    due, allowed = conflict.wounds_due, {*candidates(play, conflict)}
    if play.ruling("surplus_wounds") == "hostile":
        allowed.update(conflict.by_stance(Side.HOSTILE))
    people = play.state.people.values()
    for person in people:
        why = "" if person.id in allowed else "no candidate: hostile, elsewhere or dead"
        yield Offer(("wounds", person.id), str(person.health), why)
        yield Offer(("blame", person.id), "who is wounded: whose doing it was", why)
        if why:
            continue
        for second in people:
            if second is not person:
                yield Offer(
                    ("blame", person.id, second.id), f"to blame for the wound of {person.id}"
                )
        for count in range(1, min(due, Health.DEAD - person.health) + 1):
            note = f"{due} to share out, {Health(person.health + count)} then"
            yield Offer(("wounds", person.id, str(count)), note)


def _spread(play: Table) -> Iterator[Offer]:
    for spread in play.state.spreads:
        if not spread.settled:
            yield Offer(("death", spread.character))
            highest, pairs = spread.each + 1, len(spread.pairs)
            get = "gets" if spread.rest == 1 else "get"
            for first, second in spread.pairs:
                note = f"{spread.rest} of {pairs} pairs {get} {highest}"
                yield Offer(("spread", f"{first} & {second}", str(highest)), note)
                if spread.each:
                    note = f"the others get {spread.each}"
                    yield Offer(("spread", f"{first} & {second}", str(spread.each)), note)
                yield Offer(("spread", f"{first} & {second}"))


def _stress(play: Table) -> Iterator[Offer]:
    stress = play.state.stress
    for by in range(1, MOST_AT_ONCE + 1):
        yield Offer(("stress", f"up {by}"), f"{stress} to {stress + by}")
    for by in range(1, min(MOST_AT_ONCE, stress) + 1):
        yield Offer(("stress", f"down {by}"), f"{stress} to {stress - by}")


def _shared(play: Table) -> Iterator[Offer]:
    """The Goals and Biases of others, because a shared Goal or Bias makes links (I11, I12)."""
    for key in ("goal", "bias"):
        note: dict[str, list[str]] = {}
        for person in play.state.people.values():
            words = getattr(person, key)
            if words:
                note.setdefault(words, []).append(person.id)
        for words, whose in note.items():
            yield Offer((key, words), f"as {listed(whose)}")


_OFFERS: Mapping[str, Callable[[Table], Iterator[Offer]]] = {
    "character": _shared,
    "green": _drawn("green", GREEN),
    "red": _drawn("red", RED),
    "erase": _labels,
    "pair rolls": _rolled,
    "propose": _modifiers,
    "stance": _stances,
    "difficulty": _ratings,
    "wounds": _wounded,
    "death": _spread,
    "stress": _stress,
}
"""The function for each verb."""
