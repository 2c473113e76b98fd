"""The dice that each character rolls for a proposal, by links and modifiers (I23, I25, I71 to I74)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import partial

from chronicle.games.isolation.counted import lucks
from chronicle.games.isolation.dice import GREEN, RED, Colour
from chronicle.games.isolation.odds import judged, net_chances, net_chances_after
from chronicle.games.isolation.state import Conflict, Hand, Scope, Side, Source
from chronicle.games.isolation.table import Table, counted_links, free_to_cooperate
from chronicle.games.isolation.verdicts import Allowance, best_stance


def count_base(play: Table, conflict: Conflict) -> None:
    """Count the dice of all who have not rolled, from links and modifiers at this moment."""
    for hand in conflict.hands.values():
        if hand.throw is not None:
            continue
        hand.green = hand.red = 0
        hand.sources = []
        if hand.character == conflict.active:
            _count_active(play, conflict, hand)
        elif hand.defaulted:
            if hand.late:
                add_links(play, hand, [conflict.active], RED)
        elif not _sits_out(play, conflict, hand):
            add_links(play, hand, [conflict.active])
        else:
            continue
        if hand.defaulted and not hand.late:
            continue
        for modifier in conflict.modifiers.get(hand.character, ()):
            if not hand.defaulted or modifier.colour is RED:
                add_dice(hand, modifier.colour, modifier.dice, modifier.why)
    _count_chances(play, conflict)
    conflict.stress = play.state.stress


def _count_chances(play: Table, conflict: Conflict) -> None:
    """The chance of each best stance before the dice fall."""
    active = conflict.hands[conflict.active]
    for hand in conflict.passives():
        hand.exempt = free_to_cooperate(play, hand.character, conflict.active)
        if hand.early:
            hand.chances = None  # Hostile, without regard to the dice (I17)
        elif hand.throw is None and conflict.scope is not Scope.ALONE:
            dice = (hand.green, hand.red)
            if active.throw is not None and active.has_figure("odds"):
                nets = net_chances_after(active.odds, dice, *lucks(play))
            else:
                nets = net_chances((active.green, active.red), dice, *lucks(play))
            best = partial(best_stance, allowance=allowance_of(play, hand))
            hand.chances = judged(nets, best)


def copied(conflict: Conflict) -> Conflict:
    """A copy of a conflict with hands of its own, so that changes do not reach the table."""
    draft = copy(conflict)
    draft.hands = {id: copy(hand) for id, hand in conflict.hands.items()}
    draft.steps = [*conflict.steps]
    return draft


def at_this_moment(play: Table, conflict: Conflict) -> Conflict:
    """A copy of a conflict, with the dice that would be thrown now."""
    draft = copied(conflict)
    count_base(play, draft)
    return draft


def _sits_out(play: Table, conflict: Conflict, hand: Hand) -> bool:
    """Whether a reading lets an asked character not roll: no red link, or Hostile from the start."""
    if hand.early and play.ruling("early_hostile") == "no":
        return True
    return play.ruling("no_red_roll") == "no" and free_to_cooperate(
        play, hand.character, conflict.active
    )


def _count_active(play: Table, conflict: Conflict, hand: Hand) -> None:
    if conflict.scope is Scope.ALONE:
        rating = conflict.rating
        if rating is not None and conflict.needs_rating:
            add_dice(hand, GREEN, rating.dice, "Difficulty")
    else:
        add_links(play, hand, conflict.asked)
    if play.state.stress > 0:
        add_dice(hand, RED, play.state.stress, "Stress")


def add_links(play: Table, hand: Hand, partners: Sequence[str], only: Colour | None = None) -> None:
    """Add dice for the links with some partners: both colours, or one only."""
    for partner in partners:
        green, red = counted_links(play, play.state.pair(hand.character, partner))
        if only is not RED and green:
            add_dice(hand, GREEN, green, f"links with {partner}")
        if red:
            add_dice(hand, RED, red, f"links with {partner}")


def add_dice(hand: Hand, colour: Colour, dice: int, why: str) -> None:
    """Add base dice to a hand, with where they come from."""
    if colour is GREEN:
        hand.green += dice
    else:
        hand.red += dice
    hand.sources.append(Source(colour, dice, why))


def best_of(play: Table, hand: Hand) -> Side:
    """The best stance that a Passive may take now."""
    return best_stance(hand.net, allowance_of(play, hand))


def allowance_of(play: Table, hand: Hand) -> Allowance:
    """The limits of a Passive's stance besides the dice, by the readings of this table (I19, IA1, IA5)."""
    threshold = -2 if play.ruling("hostile_threshold") == "summary" else -1
    is_free_anyway = not hand.exempt or play.ruling("no_red_beats_hostile") == "yes"
    return Allowance(hand.exempt, threshold, is_free_anyway)
