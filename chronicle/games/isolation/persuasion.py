"""The first reading: who proposes what to whom, what the dice allow, who stands where (I17 to I39)."""

from __future__ import annotations

from chronicle.core.declare import Counted, place_of_word
from chronicle.core.diagnostic import Fact, Finding, listed, plural
from chronicle.core.names import fold
from chronicle.core.record import Contest
from chronicle.core.record import Side as CardSide
from chronicle.core.record import Throw as LuckThrow
from chronicle.core.source import Place, Word
from chronicle.games.isolation.actions import Motive, Propose, Roll, Stance, Withdraw
from chronicle.games.isolation.counting import Guess, judge
from chronicle.games.isolation.dice import (
    GREEN,
    RED,
    Colour,
    Throw,
    net_chances,
    percent,
    shown_dice,
)
from chronicle.games.isolation.linkmap import find_link, finish_map
from chronicle.games.isolation.state import (
    RANK,
    Conflict,
    Hand,
    Modifier,
    Scope,
    Side,
    Topic,
)
from chronicle.games.isolation.table import (
    Table,
    character,
    counted_links,
    free_to_cooperate,
    living_part,
)


def propose(play: Table, action: Propose) -> None:
    """I20: what is said aloud is what the character does."""
    state = play.state
    active = _active(play, action)
    play.step.headline = f"{active or 'Somebody'} proposes"
    finish_map(play)
    _still_open(play)
    if state.ending:
        play.require(
            False,
            "I55",
            "the pairs have rolled for the end of this session; play goes on in the next one",
            facts=(play.because(state.ending, "rolled here"),),
            help="start a new session file, or move the pair rolls to the end",
        )
        state.ending = 0
    play.require(
        bool(state.links) or len(state.people) < 2 or any(any(t) for t in state.loose.values()),
        "I8",
        "a conflict before the relationship map is drawn",
        help="- green: {One & Other: [label]}  and  - red: ...  come first",
    )
    if not active:
        return
    living_part(play, active, "propose anything", action.place("by"))
    play.step.player = state.people[active].player
    state.rolled.clear()
    conflict = Conflict(
        len(state.conflicts) + 1,
        state.session,
        play.step.index,
        active,
        str(action.words),
        Scope.ALL,
        action.physical,
        play.timeline.current.number if play.timeline.current is not None else None,
        stress=state.stress,
        steps=[play.step.index],
    )
    _whom(play, action, conflict)
    state.conflict = conflict
    state.conflicts.append(conflict)
    for word, counted in (action.use or {}).items():
        _use(play, conflict, word, counted)
    for word, counted in (action.because or {}).items():
        _role_playing(play, conflict, word, counted)
    play.event(_proposal(conflict), "I20", "proposes", active)
    if state.stress == 0 and play.ruling("stress_bounds") == "zero":
        play.event("Stress is 0: no dice are needed", "I63", "calm")


def _active(play: Table, action: Propose) -> str:
    if action.by is None:
        play.report(Finding.UNREADABLE, "T56", "who proposes this?", help="add  by: the character")
        return ""
    return character(play, action.by)


def _still_open(play: Table) -> None:
    """A proposal still in the air is not taken back by another one (I20)."""
    conflict = play.state.conflict
    if conflict is None:
        return
    if conflict.level is None:
        if play.gap > conflict.step:
            play.report(
                Finding.UNKNOWN,
                "I20",
                f"the record does not say what came of {conflict.active}'s proposal",
                facts=(play.because(conflict.step, "proposed here"),),
            )
        else:
            play.require(
                False,
                "I20",
                f"{conflict.active}'s proposal is on the table; what is said is done",
                facts=(play.because(conflict.step, f"'{conflict.words}'"),),
                help="let the dice decide it first (or  gap: what is missing)",
            )
        conflict.withdrawn = True
    play.state.conflict = None


def _whom(play: Table, action: Propose, conflict: Conflict) -> None:
    """Who is asked, who defaults to Neutral, who is elsewhere."""
    state = play.state
    absent: list[str] = []
    for word in action.absent:
        who = character(play, word)
        if who:
            absent.append(who)
    others = [who for who in state.playing() if who != conflict.active]
    if state.scene_cast:
        absent += [who for who in others if who not in state.scene_cast and who not in absent]
    if action.against is not None:
        conflict.against = character(play, action.against)
        if conflict.against:
            at = action.place("against")
            living_part(play, conflict.against, "be acted against", at)
            play.require(
                conflict.against != conflict.active,
                "I75",
                f"{conflict.active} cannot act against {conflict.active}",
                at=at,
            )
            absent = [who for who in absent if who != conflict.against]
    asked: list[str] = []
    for word in action.ask:
        who = character(play, word)
        if not who or who in asked:
            continue
        at = place_of_word(action, word)
        if who == conflict.against:
            play.require(
                False,
                "I75",
                f"{who} is the one acted against, and treated as if not there: nobody asks {who}",
                at=at,
            )
            continue
        if who == conflict.active:
            play.require(False, "I23", f"{who} proposes this and need not be asked", at=at)
            continue
        if living_part(play, who, "be asked", at):
            asked.append(who)
            absent = [other for other in absent if other != who]
    if not action.ask and not action.alone:
        asked = [who for who in others if who not in absent and who != conflict.against]
    if action.alone:
        conflict.scope = Scope.ALONE
        if asked:
            play.require(
                False,
                "I73",
                f"{conflict.active} goes it alone and asks {listed(asked)}",
                at=action.place("ask"),
                help="take out alone, or ask",
            )
            asked = []
    rest = [
        who for who in others if who not in asked and who not in absent and who != conflict.against
    ]
    if not action.alone and (rest or not asked):
        conflict.scope = Scope.SUBSET if asked else Scope.ALONE
    conflict.asked = tuple(asked)
    conflict.defaulted = tuple(rest)
    conflict.absent = tuple(absent)
    for who in (conflict.active, *asked):
        conflict.hands[who] = Hand(who)
    for who in rest:
        conflict.hands[who] = Hand(who, defaulted=True, stance=Side.NEUTRAL)


def _proposal(conflict: Conflict) -> str:
    target = f" against {conflict.against}" if conflict.against else ""
    if conflict.scope is Scope.ALONE:
        return f"{conflict.active} goes it alone{target}"
    rest = f"; {listed(conflict.defaulted)} default to Neutral" if conflict.defaulted else ""
    return f"{conflict.active} asks {listed(conflict.asked)}{target}{rest}"


# --- modifiers ------------------------------------------------------------------------------------

_PLAIN = ("goal", "bias", "goal or bias")
_AGAINST = ("against goal", "against bias", "against goal or bias")


def _use(play: Table, conflict: Conflict, word: Word, counted: tuple[Counted, ...]) -> None:
    who = character(play, word)
    if not who:
        return
    if who not in conflict.hands and who != conflict.against:
        play.require(
            False,
            "I38",
            f"{who} takes no part in this and gets no dice",
            at=place_of_word(play.step.action, word),
        )
        return
    hand = conflict.hands.get(who)
    if hand is not None and hand.defaulted and play.ruling("late_hostile_dice") == "links":
        play.require(
            False,
            "I72",
            f"{who} defaults to Neutral: nothing but red links brings {who} dice",
            at=place_of_word(play.step.action, word),
        )
        return
    for one in counted:
        _modify(play, conflict, who, one)


def _add(
    play: Table, conflict: Conflict, who: str, colour: Colour, dice: int, why: str, rule: str
) -> None:
    conflict.modifiers.setdefault(who, []).append(Modifier(colour, dice, why, rule))
    play.event(f"{who}: +{dice} {colour} ({why})", rule, "modifier", who)


def _modify(play: Table, conflict: Conflict, who: str, counted: Counted) -> None:
    """I29 to I37: one reason, one die."""
    word = fold(counted.name)
    at = place_of_word(play.step.action, counted.name)
    as_active = who == conflict.active or (
        who == conflict.against and play.ruling("defender_modifiers") == "active"
    )
    if who == conflict.against and play.ruling("defender_modifiers") == "none":
        play.require(False, "I77", f"{who} defends without modifiers at this table", at=at)
        return
    if word == "profession":
        rule = "I29" if as_active else "I37"
        play.require(
            counted.count == 1,
            rule,
            f"the Profession brings {who} one green die, not {counted.count}",
            at=at,
        )
        _add(play, conflict, who, GREEN, counted.count, "Profession", rule)
    elif word in (*_PLAIN, *_AGAINST):
        _goal_or_bias(play, conflict, who, counted, word in _AGAINST, as_active, at)
    elif word == "stress":
        if not as_active:
            play.require(
                False,
                "I30",
                f"only the Active Player adds the Stress Level; {who} is passive",
                at=at,
            )
            _add(play, conflict, who, RED, play.state.stress, "Stress", "I30")
    elif word in ("role-playing", "roleplaying", "roleplay", "role-play"):
        _role_play_dice(play, conflict, who, counted.count, str(counted.name), at)
    else:
        _label(play, conflict, who, counted, as_active, at)


def _goal_or_bias(
    play: Table,
    conflict: Conflict,
    who: str,
    counted: Counted,
    against: bool,
    as_active: bool,
    at: Place,
) -> None:
    colour = RED if against else GREEN
    rule = ("I32" if against else "I33") if as_active else ("I36" if against else "I35")
    both = play.ruling("goal_bias_dice") == "each"
    had = [m for m in conflict.modifiers.get(who, ()) if m.rule == rule]
    if had and not both:
        had[0].why += f" and {counted.name}"
        play.event(f"{who}: Goal and Bias bring one {colour} die together", rule, "modifier", who)
        return
    play.require(
        counted.count == 1,
        rule,
        f"'{counted.name}' brings {who} one {colour} die, not {counted.count}",
        at=at,
    )
    _add(play, conflict, who, colour, counted.count, str(counted.name), rule)


def _label(
    play: Table, conflict: Conflict, who: str, counted: Counted, as_active: bool, at: Place
) -> None:
    """I34: a labelled link that bears strongly on the action brings a die of its colour."""
    name = str(counted.name)
    if as_active:
        play.require(
            False,
            "I34",
            f"'{name}': labels of links bring dice to Passive Players, not to {who}",
            at=at,
            help="modifiers of the Active: profession, goal, bias, against goal, against bias; "
            "exceptional role-playing goes under because:",
        )
        return
    state = play.state
    pair = state.pair(who, conflict.active)
    link = find_link(play, pair, name)
    if link is None:
        loose = state.unlabelled(pair)
        said = (
            "an unlabelled link brings no die here"
            if name.startswith("unlab")
            else (f"{who} and {conflict.active} share no link labelled '{name}'")
        )
        labels = listed(f"'{one.label}'" for one in state.labelled(pair))
        play.require(
            False,
            "I34",
            said,
            at=at,
            help=f"labels between them: {labels}" if labels else "there is no label between them",
        )
        if name.startswith("unlab") and any(loose):
            colour = GREEN if loose.green else RED
            _add(play, conflict, who, colour, counted.count, name, "I34")
        else:
            play.taint(_doubt(conflict, who))
        return
    any_label = play.ruling("label_bonus") == "any"
    play.require(
        link.topic is Topic.DESCRIPTOR or any_label,
        "I34",
        f"'{link.label}' is about {_about(link.topic)}; only descriptor links bring this die",
        at=at,
        help="goal and bias have modifiers of their own",
        facts=(play.because(link.since, "drawn here"),),
    )
    same = [one for one in state.labelled(pair) if one.label == link.label]
    play.require(
        counted.count <= len(same),
        "I34",
        f"'{link.label}' brings {who} {plural(len(same), 'die', 'dice')}, not {counted.count}",
        at=at,
    )
    _add(play, conflict, who, link.colour, counted.count, link.label, "I34")


def _about(topic: Topic) -> str:
    return {
        Topic.BIAS: "a bias",
        Topic.GOAL: "goals",
        Topic.EVENT: "something that happened",
        Topic.WOUND: "a wound",
        Topic.DESCRIPTOR: "descriptors",
    }[topic]


def _role_playing(
    play: Table, conflict: Conflict, word: Word, counted: tuple[Counted, ...]
) -> None:
    who = character(play, word)
    if not who:
        return
    for one in counted:
        at = place_of_word(play.step.action, one.name)
        _role_play_dice(play, conflict, who, one.count, str(one.name), at)
    dice = sum(m.dice for m in conflict.modifiers.get(who, ()) if m.rule == "I31")
    cap = play.ruling("roleplay_cap")
    at = place_of_word(play.step.action, word)
    if cap == "one":
        play.require(dice <= 1, "I31", f"role-playing brings one die here, not {dice}", at=at)
    else:
        play.suspect(
            dice >= 3,
            "I31",
            f"{dice} green dice for role-playing: three or more are rare",
            at=at,
        )


def _role_play_dice(
    play: Table, conflict: Conflict, who: str, dice: int, why: str, at: Place
) -> None:
    play.require(
        who == conflict.active,
        "I31",
        f"dice for exceptional role-playing go to the Active Player, not to {who}",
        at=at,
    )
    _add(play, conflict, who, GREEN, dice, why, "I31")


def _doubt(conflict: Conflict, who: str) -> str:
    return f"dice:{conflict.number}:{who}"


def withdraw(play: Table, action: Withdraw) -> None:
    """I20: the rules know no taking back."""
    conflict = play.state.conflict
    play.step.headline = "A proposal is taken back"
    if conflict is None or conflict.level is not None:
        play.require(False, "I20", "there is no proposal to take back")
        return
    play.require(
        False,
        "I20",
        f"{conflict.active} said it aloud; a proposal is not taken back",
        facts=(play.because(conflict.step, f"'{conflict.words}'"),),
    )
    conflict.withdrawn = True
    conflict.steps.append(play.step.index)
    play.state.conflict = None


# --- base dice ------------------------------------------------------------------------------------


def count_base(play: Table, conflict: Conflict) -> None:
    """How many dice everybody rolls, and why: links and modifiers at this moment."""
    state = play.state
    for hand in conflict.hands.values():
        if hand.throw is not None:
            continue
        hand.green = hand.red = 0
        hand.sources = []
        if hand.who == conflict.active:
            _active_base(play, conflict, hand)
        elif hand.defaulted:
            if hand.late:
                _links_of(play, hand, [conflict.active], RED)
        elif not _sits_out(play, conflict, hand):
            _links_of(play, hand, [conflict.active])
        else:
            continue
        if hand.defaulted and not hand.late:
            continue
        for modifier in conflict.modifiers.get(hand.who, ()):
            if hand.defaulted and modifier.colour is GREEN:
                continue
            _put(hand, modifier.colour, modifier.dice, modifier.why)
    active = conflict.hands[conflict.active]
    for hand in conflict.passives():
        hand.exempt = free_to_cooperate(play, hand.who, conflict.active)
        if hand.throw is None and active.throw is None and conflict.scope is not Scope.ALONE:
            hand.chances = net_chances((active.green, active.red), (hand.green, hand.red))
    conflict.stress = state.stress


def _sits_out(play: Table, conflict: Conflict, hand: Hand) -> bool:
    """Readings by which somebody asked does not roll: no red link, or Hostile from the start."""
    if hand.early and play.ruling("early_hostile") == "no":
        return True
    return play.ruling("no_red_roll") == "no" and free_to_cooperate(play, hand.who, conflict.active)


def _active_base(play: Table, conflict: Conflict, hand: Hand) -> None:
    state = play.state
    if conflict.scope is Scope.ALONE:
        rating = conflict.rating
        nominal = not conflict.against or play.ruling("alone_against") == "nominal"
        if rating is not None and nominal:
            _put(hand, GREEN, rating.dice, "Difficulty")
    else:
        _links_of(play, hand, conflict.asked)
    if state.stress > 0:
        _put(hand, RED, state.stress, "Stress")


def _links_of(
    play: Table, hand: Hand, others: tuple[str, ...] | list[str], only: Colour | None = None
) -> None:
    for other in others:
        green, red = counted_links(play, play.state.pair(hand.who, other))
        if only is not RED and green:
            _put(hand, GREEN, green, f"links with {other}")
        if red:
            _put(hand, RED, red, f"links with {other}")


def _put(hand: Hand, colour: Colour, dice: int, why: str) -> None:
    if colour is GREEN:
        hand.green += dice
    else:
        hand.red += dice
    hand.sources.append(f"{dice} {colour}: {why}")


# --- the roll -------------------------------------------------------------------------------------


def roll_first(play: Table, action: Roll, throws: dict[str, tuple[Word, Throw]]) -> None:
    """I22 to I27: everybody rolls once; the first reading follows."""
    conflict = play.state.conflict
    if conflict is None:
        return
    count_base(play, conflict)
    for who, (word, throw) in throws.items():
        _one_throw(play, conflict, who, word, throw)
    conflict.rolled_step = play.step.index
    if conflict.steps[-1] != play.step.index:
        conflict.steps.append(play.step.index)
    read_first(play, conflict)
    _stated(play, action, conflict)
    _card(play, conflict)


def _one_throw(play: Table, conflict: Conflict, who: str, word: Word, throw: Throw) -> None:
    at = place_of_word(play.step.action, word)
    hand = conflict.hands.get(who)
    if hand is None:
        _stranger(play, conflict, who, at)
        return
    living_part(play, who, "roll", at)
    if hand.throw is not None:
        play.require(
            False,
            "I22",
            f"{who} has rolled; the same roll is read twice",
            at=at,
            facts=(play.because(hand.step, str(_plain(hand.throw))),),
        )
        return
    if hand.defaulted and not hand.late:
        play.require(
            False,
            "I71",
            f"{who} defaults to Neutral and does not roll",
            at=at,
            facts=(play.because(conflict.step, f"{conflict.active} asks others"),),
            help=f"who wants to get in the way says so:  - stance: {{{who}: hostile}}",
        )
        return
    hand.throw = throw
    hand.step = play.step.index
    for colour in (GREEN, RED):
        _judge_hand(play, conflict, hand, colour, throw, at)
        rolled = throw.of(colour)
        if rolled.faces:
            play.step.throws.append(
                LuckThrow(str(colour), tuple(map(str, rolled.faces)), play.state.people[who].player)
            )


def _plain(throw: Throw) -> str:
    return f"green {throw.of(GREEN)}; red {throw.of(RED)}"


def _stranger(play: Table, conflict: Conflict, who: str, at: Place) -> None:
    if who == conflict.against:
        play.require(
            False,
            "I75",
            f"{who} is treated as absent now, and rolls when the others' stances are known",
            at=at,
        )
    elif living_part(play, who, "roll", at):
        play.require(False, "I71", f"{who} takes no part in this and does not roll", at=at)


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
        if alone and conflict.rating is None and colour is GREEN:
            play.require(
                False,
                "I73",
                f"{hand.who} goes it alone: green dice follow from the Difficulty, which is not set",
                at=at,
                help="- difficulty: average  comes before the roll",
            )
            play.taint(_doubt(conflict, hand.who))
            return
    else:
        others = [who for who in play.state.playing() if who not in (hand.who, conflict.active)]
        for other in others:
            dice = _dice_with(play, hand.who, [other], colour)
            if dice and not hand.late:
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
    judge(
        play,
        hand.who,
        colour,
        throw.of(colour),
        hand.base(colour),
        [s for s in hand.sources if s.split(" ")[1].startswith(str(colour))],
        base_rule,
        guesses,
        at,
        (_doubt(conflict, hand.who), "stress:" if colour is RED else ""),
        by_hand=hand.late and colour is GREEN,
    )


def _dice_with(play: Table, who: str, others: list[str], colour: Colour) -> int:
    total = 0
    for other in others:
        green, red = counted_links(play, play.state.pair(who, other))
        total += green if colour is GREEN else red
    return total


def read_first(play: Table, conflict: Conflict) -> None:
    """I24 to I27: the Active's red odds, each Passive's green evens, the net, what it allows."""
    active = conflict.hands[conflict.active]
    if active.throw is not None:
        greens = active.throw.of(GREEN).counted(GREEN)
        active.odds = max(0, active.throw.of(RED).counted(RED) - greens)
    if conflict.scope is Scope.ALONE:
        return
    for hand in conflict.passives():
        throw = hand.throw or Throw()
        hand.evens = throw.of(GREEN).counted(GREEN) - throw.of(RED).counted(RED)
        rolled = hand.throw is not None or not hand.green + hand.red
        hand.net = hand.evens - active.odds if rolled and active.throw is not None else None
        hand.best = best_stance(play, hand)
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
                f"{hand.who}: {hand.evens} - {active.odds} = {hand.net:+d}, {allowed}",
                "I27",
                "net",
                hand.who,
            )


def best_stance(play: Table, hand: Hand) -> Side:
    """The best stance a Passive may take: by the net, and by the lack of red links (I19, I27)."""
    net = hand.net
    threshold = -2 if play.ruling("hostile_threshold") == "summary" else -1
    if hand.exempt and (
        play.ruling("no_red_beats_hostile") == "yes" or net is None or net > threshold
    ):
        return Side.COOPERATIVE
    if net is None:
        return Side.HOSTILE
    if net >= 2:
        return Side.COOPERATIVE
    return Side.HOSTILE if net <= threshold else Side.NEUTRAL


def _stated(play: Table, action: Roll, conflict: Conflict) -> None:
    """Figures of the first reading that the log states as well."""
    active = conflict.hands[conflict.active]
    doubt = tuple(_doubt(conflict, who) for who in conflict.hands)
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
            play.require(
                False,
                rule,
                said,
                at=at,
                after=(*doubt, reading),
            )
            play.taint(reading)


def _card(play: Table, conflict: Conflict) -> None:
    active = conflict.hands[conflict.active]
    rolled = [
        h for h in conflict.hands.values() if h.throw is not None and h.step == play.step.index
    ]
    if not rolled or conflict.scope is Scope.ALONE:
        return
    sides = []
    chances: list[str] = []
    for hand in rolled:
        result = (
            f"{plural(hand.odds, 'red odd')}"
            if hand is active
            else f"{plural(hand.evens, 'green even')}, net "
            + (f"{hand.net:+d}" if hand.net is not None else "open")
        )
        sides.append(card_side(play, hand, result, hand.best is Side.COOPERATIVE, GREEN, RED))
        if hand.chances is not None:
            high, middle, low = hand.chances
            chances.append(
                f"{hand.who} {percent(high)} cooperative, {percent(middle)} neutral, "
                f"{percent(low)} hostile"
            )
    play.step.contest = Contest(
        conflict.words,
        tuple(sides),
        unit="first reading: green evens against red odds",
        outcome=tuple(
            f"{hand.who} {hand.net:+d}" for hand in conflict.passives() if hand.net is not None
        ),
        odds="; ".join(chances),
        rule="I27",
    )


def card_side(play: Table, hand: Hand, result: str, won: bool, *colours: Colour) -> CardSide:
    """One character's dice as a card shows them."""
    return CardSide(
        hand.who,
        play.state.people[hand.who].player,
        shown_dice(hand.throw or Throw(), {GREEN: hand.green, RED: hand.red}, *colours),
        tuple(hand.sources),
        result,
        won,
    )


# --- stances --------------------------------------------------------------------------------------


def stance(play: Table, action: Stance) -> None:
    """I17 to I19, I28, I72, I74: where everybody stands."""
    state = play.state
    conflict = state.conflict
    play.step.headline = "; ".join(f"{who}: {said}" for who, said in action.stances.items())
    if conflict is None or conflict.level is not None:
        play.require(
            False,
            "I28",
            "there is no proposal to take a stance on",
            facts=(play.because(conflict.result_step, "the result is known"),)
            if conflict is not None
            else (),
            help="- propose: ...  comes first",
        )
        return
    conflict.steps.append(play.step.index)
    for word, counted in (action.use or {}).items():
        who = character(play, word)
        late_ok = play.ruling("late_hostile_dice") == "modifiers" and who in conflict.defaulted
        if late_ok:
            for one in counted:
                _modify(play, conflict, who, one)
        else:
            play.require(
                False,
                "I38",
                f"{who or word} adds dice when the faces are known; modifiers come before the roll",
                at=place_of_word(action, word),
                facts=(play.because(conflict.rolled_step, "rolled here"),)
                if conflict.rolled_step
                else (),
            )
    if conflict.hands[conflict.active].throw is None:
        count_base(play, conflict)
        read_first(play, conflict)
    for word, said in action.stances.items():
        who = character(play, word)
        if not who:
            continue
        at = place_of_word(action, word)
        side = Side.HOSTILE if said == "must be hostile" else Side(said)
        hand = conflict.hands.get(who)
        if hand is None:
            _no_part(play, conflict, who, at)
            continue
        if not living_part(play, who, "take a stance", at):
            continue
        if who == conflict.active:
            play.require(False, "I28", f"{who} proposes this and takes no stance on it", at=at)
        elif hand.defaulted:
            _late_stance(play, conflict, hand, side, at)
        else:
            _take(play, conflict, hand, side, said == "must be hostile", at)


def _no_part(play: Table, conflict: Conflict, who: str, at: Place) -> None:
    if who == conflict.against:
        play.require(
            False,
            "I75",
            f"{who} is the one acted against: no stance, as if not there",
            at=at,
        )
    elif living_part(play, who, "take a stance", at):
        play.require(False, "I28", f"{who} is elsewhere and takes no stance", at=at)


def _take(play: Table, conflict: Conflict, hand: Hand, side: Side, forced: bool, at: Place) -> None:
    who = hand.who
    active = conflict.hands[conflict.active]
    facts = (play.because(hand.step, "rolled here"),) if hand.step else ()
    doubts = (_doubt(conflict, who), _doubt(conflict, conflict.active))
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
            play.require(
                False,
                "I19",
                f"nothing forces {who}: no red link with {conflict.active}, so {who} is free",
                at=at,
                help=f"write  {who}: hostile  if that was the choice",
            )
        elif forced and hand.best is not Side.HOSTILE and not early:
            play.require(
                False,
                "I27",
                f"{who} may be {hand.best}: the net is {hand.net:+d}"
                if hand.net is not None
                else f"nothing forces {who}",
                at=at,
                facts=facts,
                after=doubts,
            )
        if early:
            hand.early = True
            play.event(f"{who} is against it whatever the dice say", "I17", "early", who)
    elif calm:
        play.event(f"{who} is free to choose: Stress is 0", "I63", "free", who)
    elif no_dice and not (hand.exempt and side is Side.COOPERATIVE):
        play.require(
            False,
            "I17",
            f"{who} cannot be {side} without a roll; only working against somebody needs none",
            at=at,
            facts=_red_facts(play, conflict, who),
            help=f"the dice come first:  - roll: {{{who}: {{green: ..., red: ...}}}}",
            after=doubts,
        )
    elif RANK[side] > RANK[hand.best]:
        net = f"{hand.net:+d}" if hand.net is not None else "unknown"
        play.require(
            False,
            "I18" if side is Side.COOPERATIVE and hand.best is Side.NEUTRAL else "I27",
            f"{who} is {side} with a net of {net}; the best the dice allow is {hand.best}",
            at=at,
            label=f"{hand.evens} green evens less {active.odds} red odds",
            facts=(*facts, *_red_facts(play, conflict, who)),
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
    _links_of(play, hand, [conflict.active], RED)
    if play.ruling("late_hostile_dice") == "modifiers":
        for modifier in conflict.modifiers.get(who, ()):
            if modifier.colour is RED:
                _put(hand, RED, modifier.dice, modifier.why)
    hand.final = Side.HOSTILE
    play.event(
        f"{who} turns Hostile: {plural(hand.red, 'red die', 'red dice')} in the second reading",
        rule,
        "turns",
        who,
    )


def motive(play: Table, action: Motive) -> None:
    """I50: why and how is the player's to tell, never the GM's."""
    conflict = play.state.conflict or play.state.last
    told: list[str] = []
    for word, words in action.motives.items():
        who = character(play, word)
        if not who:
            continue
        owner = play.state.people[who].player
        by = play.step.player if action.by is not None else owner
        play.require(
            by == owner,
            "I50",
            f"{by} tells why {who} acts; that is {owner}'s to say",
            at=action.place("by"),
            help=f"by: {owner}",
        )
        told.append(f"**{word}:** {words}")
        play.step.player = by
        if conflict is not None:
            conflict.motives[who] = str(words)
            if play.step.index not in conflict.steps:
                conflict.steps.append(play.step.index)
        play.event(f"{who}: {words}", "I50", "motive", who)
    play.step.headline = f"Why: {listed(map(str, action.motives))}"
    play.step.fiction = "\n\n".join([*told, *([play.step.fiction] if play.step.fiction else [])])
