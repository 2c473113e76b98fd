"""Stances and motives: where everybody asked stands, and why (I17 to I19, I28, I50, I72, I74)."""

from __future__ import annotations

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import Fact, listed, plural
from chronicle.core.fix import add_entry, set_pair
from chronicle.core.source import Place
from chronicle.games.isolation import base_dice, persuasion
from chronicle.games.isolation.actions import Motive, Stance
from chronicle.games.isolation.dice import RED
from chronicle.games.isolation.modifiers import add_modifiers, doubt, tell_modifiers, uses_of
from chronicle.games.isolation.state import RANK, Conflict, Hand, Scope, Side, signed
from chronicle.games.isolation.table import Table, at_hand, character, free_to_cooperate, pair_keys


def stance(play: Table, action: Stance) -> None:
    """I17 to I19, I28, I72, I74: where everybody stands."""
    state = play.state
    conflict = state.conflict
    play.step.headline = "; ".join(f"{who}: {said}" for who, said in action.stances.items())
    if conflict is None or conflict.level is not None:
        return
    conflict.steps.append(play.step.index)
    for word, counted in (action.use or {}).items():
        who = character(play, word)
        if play.ruling("late_hostile_dice") == "modifiers" and who in conflict.defaulted:
            uses = uses_of(play, conflict, {word: counted}, {})
            add_modifiers(play, conflict, uses)
            tell_modifiers(play, uses)
        else:
            play.illegal(
                "I38",
                f"{who or word} adds dice when the faces are known; modifiers come before the roll",
                at=word,
                facts=play.facts(conflict.rolled_step, "rolled here"),
            )
    if conflict.hands[conflict.active].throw is None:
        base_dice.count_base(play, conflict)
        persuasion.read_first(play, conflict)
    said_of = [(word, said, character(play, word)) for word, said in action.stances.items()]
    # Those who were asked come first: only then is it late for the others.
    said_of.sort(key=lambda entry: entry[2] in conflict.defaulted)
    for word, said, who in said_of:
        if not who:
            continue
        at = place_of_word(action, word)
        side = Side.HOSTILE if said == "must be hostile" else Side(said)
        hand = conflict.hands.get(who)
        if hand is None:
            _no_part(play, conflict, who, at)
            continue
        if not state.people[who].playing:
            continue
        if who == conflict.active:
            play.illegal("I28", f"{who} proposes this and takes no stance on it", at=at)
        elif hand.defaulted:
            _late_stance(play, conflict, hand, side, at)
        else:
            _take(play, conflict, hand, side, said == "must be hostile", at)


def _no_part(play: Table, conflict: Conflict, who: str, at: Place) -> None:
    if who == conflict.against:
        play.illegal("I75", f"{who} is the one acted against: no stance, as if not there", at=at)
    elif play.state.people[who].playing:
        play.illegal("I28", f"{who} is elsewhere and takes no stance", at=at)


def _take(play: Table, conflict: Conflict, hand: Hand, side: Side, forced: bool, at: Place) -> None:
    who = hand.who
    active = conflict.hands[conflict.active]
    facts = play.facts(hand.step, "rolled here")
    doubts = (
        doubt(conflict, who),
        doubt(conflict, conflict.active),
        *pair_keys(play.state.pair(who, conflict.active)),
    )
    play.require(
        hand.stance is None or side is hand.stance or RANK[side] < RANK[hand.stance],
        "I18",
        f"{who} was {hand.stance} and may only go lower",
        at=at,
        after=doubts,
    )
    early = active.throw is None
    no_dice = early or (hand.throw is None and bool(hand.green + hand.red))
    calm = play.state.stress == 0 and not any(h.throw for h in conflict.hands.values())
    if side is Side.HOSTILE:
        if forced and hand.exempt and play.ruling("no_red_beats_hostile") == "yes":
            play.illegal(
                "I19",
                f"nothing forces {who}: no red link with {conflict.active}, so {who} is free",
                at=at,
                fix=set_pair("stance", who, "hostile", when="if that was the choice"),
            )
        elif forced and hand.best is not Side.HOSTILE and not early:
            play.illegal(
                "I27",
                f"{who} may be {hand.best}: the net is {signed(hand.net)}"
                if hand.net is not None
                else f"nothing forces {who}",
                at=at,
                facts=facts,
                after=doubts,
            )
        if early:
            hand.early = True
            play.event(f"{who} is against it whatever the dice say", "I17", "early", who)
    elif conflict.unrecorded:
        pass  # nobody wrote down what the dice allowed
    elif calm:
        play.event(f"{who} is free to choose: Stress is 0", "I63", "free", who)
    elif no_dice and not (hand.exempt and side is Side.COOPERATIVE):
        play.illegal(
            "I17",
            f"{who} cannot be {side} without a roll; only working against somebody needs none",
            at=at,
            facts=_red_facts(play, conflict, who),
            fix=add_entry(f"roll: {{{who}: {{green: ..., red: ...}}}}"),
            after=(*doubts, "stress:"),
        )
    elif RANK[side] > RANK[hand.best]:
        net = signed(hand.net) if hand.net is not None else "unknown"
        play.illegal(
            "I18" if side is Side.COOPERATIVE and hand.best is Side.NEUTRAL else "I27",
            f"{who} is {side} with a net of {net}; the best the dice allow is {hand.best}",
            at=at,
            label=f"{hand.evens} green evens less {active.odds} red odds",
            facts=(*facts, *_red_facts(play, conflict, who)),
            fix=set_pair("stance", who, hand.best),
            help="a player may choose a worse stance than the dice allow, never a better one",
            after=(*doubts, f"reading:{conflict.number}"),
        )
    hand.stance = side
    hand.stance_step = play.step.index
    if RANK[side] < RANK[hand.best] and not early:
        play.event(f"{who} could have been {hand.best} and is {side}", "I18", "downgrade", who)
    elif side is Side.COOPERATIVE and hand.net is not None and hand.net < 2 and hand.exempt:
        play.event(f"{who} helps freely: no red link", "I19", "exception", who)
    else:
        play.event(f"{who} is {side}", "I28", "stance", who)


def _red_facts(play: Table, conflict: Conflict, who: str) -> tuple[Fact, ...]:
    red = play.state.labelled(play.state.pair(who, conflict.active), RED)
    if not red:
        return ()
    return (play.because(red[0].since, f"red link '{red[0].label}'"),)


def _late_stance(play: Table, conflict: Conflict, hand: Hand, side: Side, at: Place) -> None:
    """I72 and I74: whoever was not asked may get in the way, but not help."""
    who = hand.who
    alone = conflict.scope is Scope.ALONE
    rule = "I74" if alone else "I72"
    if side is Side.COOPERATIVE:
        free = play.ruling("default_cooperate") == "yes" and free_to_cooperate(
            play, who, conflict.active
        )
        play.require(
            free,
            rule,
            f"{who} was not asked and cannot cooperate",
            at=at,
            facts=(play.because(conflict.step, f"{conflict.active} did not ask {who}"),),
            fix=set_pair("stance", who, "neutral"),
            help="who was not asked stays Neutral or turns Hostile",
        )
        hand.stance = Side.COOPERATIVE
        return
    if side is Side.NEUTRAL:
        return
    waiting = [h.who for h in conflict.passives() if h.stance is None]
    play.suspect(
        bool(waiting),
        "I72",
        f"{who} turns Hostile before {listed(waiting)} has taken a stance; "
        "that is said at the start of the second reading",
        at=at,
    )
    hand.late = True
    hand.stance_step = play.step.index
    hand.green = hand.red = 0
    hand.sources = []
    base_dice.add_links(play, hand, [conflict.active], RED)
    if play.ruling("late_hostile_dice") == "modifiers":
        for modifier in conflict.modifiers.get(who, ()):
            if modifier.colour is RED:
                base_dice.add_dice(hand, RED, modifier.dice, modifier.why)
    hand.final = Side.HOSTILE
    play.event(
        f"{who} turns Hostile: {plural(hand.red, 'red die', 'red dice')} in the second reading",
        rule,
        "turns",
        who,
    )


def motive(play: Table, action: Motive) -> None:
    """I50: why and how is the player's to tell, never the GM's."""
    conflict = at_hand(play)
    told: list[str] = []
    for word, words in action.motives.items():
        who = character(play, word)
        if not who:
            continue
        owner = play.state.people[who].player
        by = play.step.player if action.by is not None else owner
        told.append(f"**{word}:** {words}")
        play.step.player = by
        if conflict is not None:
            conflict.motives[who] = str(words)
            conflict.touch(play.step.index)
        play.event(f"{who}: {words}", "I50", "motive", who)
    play.step.headline = f"Why: {listed(map(str, action.motives))}"
    play.step.fiction = "\n\n".join([*told, *([play.step.fiction] if play.step.fiction else [])])
