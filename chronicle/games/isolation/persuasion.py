"""The first reading: who proposes what to whom, and what the dice allow (I20 to I39)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chronicle.core.declare import place_of_word
from chronicle.core.diagnostic import listed, plural
from chronicle.core.fix import add_entry
from chronicle.core.record import Side as CardSide
from chronicle.core.record import SideBySide
from chronicle.core.record import Source as Origin
from chronicle.core.source import Place, ScalarNode
from chronicle.games.isolation.actions import Roll
from chronicle.games.isolation.base_dice import best_of, count_base
from chronicle.games.isolation.counted import as_counted, lucks, threat_total
from chronicle.games.isolation.counting import Guess, judge
from chronicle.games.isolation.dice import GREEN, RED, Colour, Throw, shown_dice
from chronicle.games.isolation.modifiers import doubt
from chronicle.games.isolation.odds import chance_alone, percent
from chronicle.games.isolation.state import Conflict, Hand, Scope, Side, signed
from chronicle.games.isolation.table import (
    Table,
    character,
    counted_links,
    note_throw,
    pair_keys,
)
from chronicle.games.isolation.verdicts import (
    evens_of_passive,
    net_of,
    odds_of_active,
)

# --- the roll -------------------------------------------------------------------------------------


def roll_first(play: Table, action: Roll, throws: dict[str, tuple[ScalarNode, Throw]]) -> None:
    """I22 to I27: everybody rolls once; the first reading follows."""
    conflict = play.state.conflict
    if conflict is None:
        return
    count_base(play, conflict)
    for who, (word, throw) in throws.items():
        _one_throw(play, conflict, who, word, throw)
    conflict.rolled_step = play.step.index
    conflict.touch(play.step.index)
    read_first(play, conflict)
    _stated(play, action, conflict)
    _card(play, conflict)


def _one_throw(play: Table, conflict: Conflict, who: str, word: ScalarNode, throw: Throw) -> None:
    at = place_of_word(play.step.action, word)
    hand = conflict.hands.get(who)
    if hand is None:
        if who == conflict.against:
            play.illegal(
                "I75",
                f"{who} is treated as absent now, and rolls when the others' stances are known",
                at=at,
            )
        elif play.state.people[who].playing:
            play.illegal("I71", f"{who} takes no part in this and does not roll", at=at)
        return
    if hand.throw is not None:
        fell = f"green {hand.throw.of(GREEN)}; red {hand.throw.of(RED)}"
        play.illegal(
            "I22",
            f"{who} has rolled; the same roll is read twice",
            at=at,
            facts=(play.because(hand.step, fell),),
        )
        return
    if hand.defaulted and not hand.late:
        play.illegal(
            "I71",
            f"{who} defaults to Neutral and does not roll",
            at=at,
            facts=(play.because(conflict.step, f"{conflict.active} asks others"),),
            fix=add_entry(f"stance: {{{who}: hostile}}", when=f"if {who} got in the way"),
        )
        return
    hand.throw = as_counted(play, throw)
    hand.step = play.step.index
    for colour in (GREEN, RED):
        _judge_hand(play, conflict, hand, colour, throw, at)
    note_throw(play, throw, play.state.people[who].player)


def _judge_hand(
    play: Table, conflict: Conflict, hand: Hand, colour: Colour, throw: Throw, at: Place
) -> None:
    is_active = hand.who == conflict.active
    alone = conflict.scope is Scope.ALONE
    guesses: list[Guess] = []
    stress = conflict.stress
    if colour is RED and stress > 0:
        if is_active:
            message = (
                f"{hand.who}'s red dice lack the Stress Level, {plural(stress, 'die', 'dice')}"
            )
            guesses.append(
                Guess(-stress, "I73" if alone and not conflict.against else "I30", message)
            )
        elif not hand.late:
            guesses.append(
                Guess(stress, "I30", f"{hand.who} rolls the Stress dice; only the Active does")
            )
    if is_active:
        strangers = [who for who in conflict.hands if conflict.hands[who].defaulted]
        dice = _dice_with(play, conflict.active, strangers, colour)
        if dice and alone:
            guesses.append(Guess(dice, "I73", f"{hand.who} goes it alone: links bring no dice"))
        elif dice:
            guesses.append(
                Guess(dice, "I71", f"the links with {listed(strangers)} bring no dice this time")
            )
        if conflict.against:
            dice = _dice_with(play, conflict.active, [conflict.against], colour)
            if dice:
                guesses.append(
                    Guess(dice, "I75", f"links with {conflict.against} bring {hand.who} no dice")
                )
        if alone and conflict.needs_rating and conflict.rating is None and colour is GREEN:
            play.illegal(
                "I73",
                f"{hand.who} goes it alone: green dice are the Difficulty, which is not set",
                at=at,
                fix=add_entry("difficulty: average"),
            )
            play.taint(doubt(conflict, hand.who))
            return
    else:
        for other in play.state.playing() if not hand.late else ():
            if other in (hand.who, conflict.active):
                continue
            if dice := _dice_with(play, hand.who, [other], colour):
                message = (
                    f"{hand.who} counts links with {other}; only those with {conflict.active} count"
                )
                guesses.append(Guess(dice, "I25", message))
    if hand.late:
        base_rule = "I74" if alone else "I72"
    elif is_active:
        base_rule = "I73" if alone else "I23"
    else:
        base_rule = "I25"
    others = conflict.asked if is_active else (conflict.active,)
    pairs = [play.state.pair(hand.who, other) for other in others]
    right = judge(
        play,
        hand.who,
        colour,
        throw.of(colour),
        hand.base(colour),
        [str(source) for source in hand.sources if source.colour is colour],
        base_rule,
        guesses,
        at,
        (
            doubt(conflict, hand.who),
            *(("stress:",) if colour is RED and is_active else ()),
            *(key for pair in pairs for key in pair_keys(pair)[:1]),
        ),
        by_hand=hand.late and colour is GREEN,
    )
    if not right:
        play.taint(doubt(conflict, hand.who))


def _dice_with(play: Table, who: str, others: list[str], colour: Colour) -> int:
    which = (GREEN, RED).index(colour)
    return sum(counted_links(play, play.state.pair(who, other))[which] for other in others)


def read_first(play: Table, conflict: Conflict) -> None:
    """I24 to I27: the Active's red odds, each Passive's green evens, the net, what it allows."""
    active = conflict.hands[conflict.active]
    if active.throw is not None:
        thrown = active.throw
        active.odds = odds_of_active(thrown.of(GREEN).counted(GREEN), thrown.of(RED).counted(RED))
    if conflict.scope is Scope.ALONE:
        return
    for hand in conflict.passives():
        throw = hand.throw or Throw()
        hand.evens = evens_of_passive(throw.of(GREEN).counted(GREEN), throw.of(RED).counted(RED))
        rolled = hand.throw is not None or not hand.green + hand.red
        known = rolled and active.throw is not None
        hand.net = net_of(hand.evens, active.odds) if known else None
        hand.best = best_of(play, hand)
    if active.throw is not None and active.step == play.step.index:
        play.event(
            f"{active.who}: {plural(active.odds, 'red odd')} after cancelling", "I24", "odds"
        )
    for hand in conflict.passives():
        if hand.net is not None and play.step.index in (hand.step, active.step):
            allowed = (
                "free to cooperate, no red link"
                if hand.exempt and (hand.net < 2 and hand.best is Side.COOPERATIVE)
                else {
                    Side.COOPERATIVE: "may cooperate",
                    Side.NEUTRAL: "Neutral at best",
                    Side.HOSTILE: "must be Hostile",
                }[hand.best]
            )
            play.event(
                f"{hand.who}: {hand.evens} - {active.odds} = {signed(hand.net)}, {allowed}",
                "I27",
                "net",
                hand.who,
            )


def _stated(play: Table, action: Roll, conflict: Conflict) -> None:
    """Figures of the first reading that the log states as well."""
    active = conflict.hands[conflict.active]
    doubts = tuple(doubt(conflict, who) for who in conflict.hands)
    reading = f"reading:{conflict.number}"
    for key, stated in (("odds", action.odds), ("evens", action.evens), ("net", action.net)):
        for word, figure in (stated or {}).items():
            who = character(play, word)
            hand = conflict.hands.get(who)
            if hand is None:
                continue
            actual: int | None = getattr(hand, key)
            if actual is None or actual == figure:
                continue
            at = action.place(key, str(word))
            if key == "odds" and hand is active:
                more = " (never below 0)" if figure < 0 else ""
                rule, said = "I24", f"{who} has {plural(actual, 'red odd')}, not {figure}{more}"
            elif key == "odds":
                rule, said = "I26", f"red odds are the Active's figure; {who} has green evens"
            elif key == "evens":
                more = " (below 0 counts)" if actual < 0 <= figure else ""
                rule, said = "I26", f"{who} has {plural(actual, 'green even')}, not {figure}{more}"
            else:
                rule = "I27"
                said = f"{who}'s net is {hand.evens} - {active.odds} = {actual}, not {figure}"
            play.illegal(rule, said, at=at, after=(*doubts, reading))
            play.taint(reading)


def told_odds(play: Table, conflict: Conflict, hands: Iterable[Hand]) -> Iterator[str]:
    """How likely it was, before the dice of these hands fell, who would stand where."""
    for hand in hands:
        alone = hand.who == conflict.active and conflict.scope is Scope.ALONE
        if alone and conflict.rating is not None and not conflict.against:
            threat = threat_total(play, conflict.rating.dice)
            chance = chance_alone(hand.green, hand.red, threat, *lucks(play))
            yield f"Partial Success or better if nobody turns Hostile: {percent(chance)}"
        if hand.chances is not None:
            each = (f"{percent(hand.chances.get(side, 0.0))} {side}" for side in Side)
            yield f"{hand.who} {', '.join(each)}"


def _card(play: Table, conflict: Conflict) -> None:
    rolled = [
        h for h in conflict.hands.values() if h.throw is not None and h.step == play.step.index
    ]
    if not rolled:
        return
    alone = conflict.scope is Scope.ALONE
    nets = [f"{h.who} {signed(h.net)}" for h in conflict.passives() if h.net is not None]
    play.step.headline = (
        f"The nets: {listed(nets)}"
        if nets and any(not hand.late for hand in rolled)
        else f"{listed(hand.who for hand in rolled)} {'rolls' if len(rolled) == 1 else 'roll'}"
    )
    play.step.contest = SideBySide(
        conflict.words,
        tuple(card_side(play, hand, *_outcome(conflict, hand), GREEN, RED) for hand in rolled),
        unit="alone: own red odds cancel own green evens"
        if alone
        else "first reading: green evens against red odds",
        outcome=tuple(nets),
        odds="; ".join(told_odds(play, conflict, rolled)),
        rule="I73" if alone else "I27",
    )


def _outcome(conflict: Conflict, hand: Hand) -> tuple[str, bool]:
    """What a throw came to, in words, and whether it allows cooperation."""
    throw = hand.throw or Throw()
    if hand.late:
        return f"cancels {throw.of(RED).counted(RED)}", False
    if hand.who == conflict.active:
        if conflict.scope is not Scope.ALONE:
            return plural(hand.odds, "red odd"), False
        evens = plural(throw.of(GREEN).counted(GREEN), "green even")
        return f"{evens}, less {plural(throw.of(RED).counted(RED), 'own odd')}", False
    net = signed(hand.net) if hand.net is not None else "open"
    return f"{plural(hand.evens, 'green even')}, net {net}", hand.best is Side.COOPERATIVE


def card_side(play: Table, hand: Hand, result: str, won: bool, *colours: Colour) -> CardSide:
    """One character's dice as a card shows them."""
    return CardSide(
        hand.who,
        play.state.people[hand.who].player,
        shown_dice(hand.throw or Throw(), {GREEN: hand.green, RED: hand.red}, *colours),
        tuple(
            Origin(str(one), what=one.why, dice=one.dice, ink=str(one.colour))
            for one in hand.sources
        ),
        result,
        won,
    )
