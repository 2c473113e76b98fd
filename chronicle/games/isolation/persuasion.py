"""The first reading of a roll: the stances that the dice allow, and its card (I22 to I28)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from chronicle.core.diagnostic import listed, plural
from chronicle.core.game_context import only_for_readers
from chronicle.core.house_rules import answer, expected
from chronicle.core.record import Side as CardSide
from chronicle.core.record import SideBySide
from chronicle.core.record import Source as Origin
from chronicle.core.source import ScalarNode
from chronicle.games.isolation.base_dice import allowance_of, best_of, count_base
from chronicle.games.isolation.bounds import evens_by_faces, net_range, odds_by_faces
from chronicle.games.isolation.counted import as_counted, lucks, threat_total
from chronicle.games.isolation.dice import GREEN, RED, Colour, Throw, shown_dice
from chronicle.games.isolation.odds import chance_alone, percent
from chronicle.games.isolation.state import Conflict, Hand, Scope, Side, signed
from chronicle.games.isolation.table import Table
from chronicle.games.isolation.verdicts import (
    best_stance,
    evens_of_passive,
    net_of,
    odds_of_active,
)


class Thrower(NamedTuple):
    """A character who throws: the word that names the character, and the faces."""

    word: ScalarNode
    throw: Throw


def put_throws(
    play: Table, conflict: Conflict, throws: Mapping[str, Thrower], *, is_draft: bool = False
) -> None:
    """I22: add the dice of all who have not rolled before, and read them once. In a draft, house rules are asked
    without any effect."""
    count_base(play, conflict)
    for id, (_, throw) in throws.items():
        hand = conflict.hands.get(id)
        if hand is None or hand.throw is not None or (hand.defaulted and not hand.late):
            continue
        hand.throw = as_counted(play, throw, expected if is_draft else answer)
        hand.step = play.step.number
        conflict.unrecorded = conflict.unrecorded or throw.hidden
    conflict.rolled_step = play.step.number
    read_first(play, conflict)


def hide_throws(play: Table, conflict: Conflict) -> None:
    """Mark the dice of all who have to roll as rolled and unrecorded."""
    count_base(play, conflict)
    conflict.unrecorded = True
    for hand in conflict.hands.values():
        if hand.throw is None and hand.has_dice:
            hand.throw = Throw(hidden=True)
            hand.step = play.step.number
    read_first(play, conflict)


def read_first(play: Table, conflict: Conflict) -> None:
    """I24 to I27: the Active's red odds, each Passive's green evens, the net, what it allows."""
    active = conflict.hands[conflict.active]
    if active.throw is not None:
        greens, reds = active.throw.of(GREEN), active.throw.of(RED)
        active.odds = odds_of_active(greens.counted(GREEN), reds.counted(RED))
        if not active.is_known:
            active.odds = active.stated.get("odds", active.odds)
    if conflict.scope is Scope.ALONE:
        return
    for hand in conflict.passives():
        throw = hand.throw or Throw()
        hand.evens = evens_of_passive(throw.of(GREEN).counted(GREEN), throw.of(RED).counted(RED))
        if not hand.is_known:
            hand.evens = hand.stated.get("evens", hand.evens)
        is_read = active.throw is not None and active.is_known and hand.is_known
        hand.net = net_of(hand.evens, active.odds) if is_read else _stated_net(conflict, hand)
        hand.best = best_of(play, hand)


def _stated_net(conflict: Conflict, hand: Hand) -> int | None:
    """The net, if stated figures leave only one."""
    possible = net_range(conflict, hand)
    is_stated = bool(hand.stated or conflict.hands[conflict.active].stated)
    return possible.lowest if is_stated and possible.is_known else None


def worst_possible(play: Table, conflict: Conflict, hand: Hand) -> Side:
    """I27: the best stance that the dice allow in any case, if some of them are unrecorded."""
    if hand.net is not None or not conflict.unrecorded:
        return hand.best
    least = net_range(conflict, hand).lowest
    return best_stance(least, allowance_of(play, hand))


def net_in_words(conflict: Conflict, hand: Hand) -> str:
    """The net as far as the record has it: ``+1``, ``at most 0``, ``unknown``."""
    possible = net_range(conflict, hand)
    if hand.net is not None or possible.is_known:
        return signed(possible.number if hand.net is None else hand.net)
    if possible.highest is not None:
        return f"at most {signed(possible.highest)}"
    return f"at least {signed(possible.lowest)}" if possible.lowest is not None else "unknown"


def state_figures(conflict: Conflict, figures: Mapping[str, Mapping[str, int]]) -> None:
    """Take over stated figures that the faces on record leave open and allow, by character and key."""
    for id, stated in figures.items():
        hand = conflict.hands.get(id)
        if hand is None:
            continue
        is_active = id == conflict.active
        own = {key: figure for key, figure in stated.items() if (key == "odds") is is_active}
        possible = odds_by_faces(hand) if is_active else evens_by_faces(hand)
        figure = own.get("odds" if is_active else "evens")
        if figure is not None and not possible.may_be(figure):
            del own["odds" if is_active else "evens"]
        hand.stated = own


def best_possible(play: Table, conflict: Conflict, hand: Hand) -> Side:
    """I27: the best stance that the dice can have allowed, if some of them are unrecorded."""
    if hand.net is not None or not conflict.unrecorded:
        return hand.best
    most = net_range(conflict, hand).highest
    if most is None:
        return Side.COOPERATIVE
    return best_stance(most, allowance_of(play, hand))


def tell_first(play: Table, conflict: Conflict) -> None:
    """Add events for the stances that the dice of this entry allow."""
    active = conflict.hands[conflict.active]
    if active.throw is not None and active.is_known and active.step == play.step.number:
        play.event(
            f"{active.character}: {plural(active.odds, 'red odd')} after cancelling", "I24", "odds"
        )
    for hand in conflict.passives() if conflict.scope is not Scope.ALONE else ():
        if hand.net is not None and play.step.number in (hand.step, active.step):
            is_freed = hand.exempt and hand.net < 2 and hand.best is Side.COOPERATIVE
            allowed = {
                Side.COOPERATIVE: "may cooperate",
                Side.NEUTRAL: "Neutral at best",
                Side.HOSTILE: "must be Hostile",
            }[hand.best]
            text = "free to cooperate, no red link" if is_freed else allowed
            sums = f"{hand.evens} - {active.odds} = {signed(hand.net)}"
            if not (hand.has_figure("evens") and active.has_figure("odds")):
                sums = f"a net of {signed(hand.net)}"
            play.event(
                f"{hand.character}: {sums}, {text}",
                "I27",
                "net",
                hand.character,
            )


# --- cards and chances ----------------------------------------------------------------------------


def told_odds(play: Table, conflict: Conflict, hands: Iterable[Hand]) -> Iterator[str]:
    """The chances of each stance before the dice of these hands fell."""
    for hand in hands:
        is_alone = hand.character == conflict.active and conflict.scope is Scope.ALONE
        if is_alone and conflict.rating is not None and not conflict.against:
            threat = threat_total(play, conflict.rating.dice)
            chance = chance_alone(hand.green, hand.red, threat, *lucks(play))
            yield f"Partial Success or better if no character turns Hostile: {percent(chance)}"
        if hand.chances is not None:
            sides = (f"{percent(hand.chances.get(side, 0.0))} {side}" for side in Side)
            yield f"{hand.character} {', '.join(sides)}"


@only_for_readers
def draw_first(play: Table, conflict: Conflict) -> None:
    """Draw the card of the first reading."""
    rolled = [
        hand
        for hand in conflict.hands.values()
        if hand.throw is not None and hand.step == play.step.number
    ]
    if not rolled:
        return
    is_alone = conflict.scope is Scope.ALONE
    nets = [f"{h.character} {signed(h.net)}" for h in conflict.passives() if h.net is not None]
    play.step.contest = SideBySide(
        conflict.words,
        tuple(card_side(play, hand, *_outcome(conflict, hand), GREEN, RED) for hand in rolled),
        unit="alone: own red odds cancel own green evens"
        if is_alone
        else "first reading: green evens against red odds",
        outcome=tuple(nets),
        odds="; ".join(told_odds(play, conflict, rolled)),
        rule="I73" if is_alone else "I27",
    )


def headline_of(conflict: Conflict, step: int) -> str:
    """The result of the dice of an entry, in a few words."""
    rolled = [h for h in conflict.hands.values() if h.throw is not None and h.step == step]
    nets = [f"{h.character} {signed(h.net)}" for h in conflict.passives() if h.net is not None]
    if nets and any(not hand.late for hand in rolled):
        return f"The nets: {listed(nets)}"
    verb = "rolls" if len(rolled) == 1 else "roll"
    return f"{listed(hand.character for hand in rolled)} {verb}" if rolled else "The dice"


def _outcome(conflict: Conflict, hand: Hand) -> tuple[str, bool]:
    """The outcome of a throw in words, and whether it allows cooperation."""
    throw = hand.throw or Throw()
    if throw.hidden:
        return "not all faces are recorded", False
    if hand.late:
        return f"cancels {throw.of(RED).counted(RED)}", False
    if hand.character == conflict.active:
        if conflict.scope is not Scope.ALONE:
            return plural(hand.odds, "red odd"), False
        evens = plural(throw.of(GREEN).counted(GREEN), "green even")
        return f"{evens}, less {plural(throw.of(RED).counted(RED), 'own odd')}", False
    net = signed(hand.net) if hand.net is not None else "open"
    return f"{plural(hand.evens, 'green even')}, net {net}", hand.best is Side.COOPERATIVE


def card_side(play: Table, hand: Hand, result: str, won: bool, *colours: Colour) -> CardSide:
    """One character's dice as a card shows them."""
    return CardSide(
        hand.character,
        play.state.people[hand.character].player,
        shown_dice(hand.throw or Throw(), {GREEN: hand.green, RED: hand.red}, *colours),
        tuple(
            Origin(str(source), word=source.why, dice=source.dice, colour=str(source.colour))
            for source in hand.sources
        ),
        result,
        won,
    )
