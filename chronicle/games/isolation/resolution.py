"""The second reading: the threat's dice, pools, the level (I40 to I49, I77)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from chronicle.core.diagnostic import plural
from chronicle.core.figures import compared
from chronicle.core.house_rules import answer, expected
from chronicle.core.play import drawn
from chronicle.core.record import Contest
from chronicle.core.record import Side as CardSide
from chronicle.games.isolation import harm, table
from chronicle.games.isolation.counted import Ask, as_counted, lucks, threat_total
from chronicle.games.isolation.dice import GREEN, RED, THREAT, Colour, Throw, shown_dice
from chronicle.games.isolation.effects import done, plan, take_effect
from chronicle.games.isolation.odds import chance_against, percent
from chronicle.games.isolation.persuasion import card_side
from chronicle.games.isolation.state import (
    Conflict,
    Hand,
    PairKey,
    Scope,
    Side,
    Source,
    Stage,
    level_of,
    signed,
)
from chronicle.games.isolation.table import Table
from chronicle.games.isolation.verdicts import against_them, pooled

NO_LINKS: Final[Mapping[PairKey, int]] = MappingProxyType({})

# --- the threat -----------------------------------------------------------------------------------


class ThreatBase(NamedTuple):
    """The dice of the GM or of a defender, before chains.

    Attributes:
        green: green dice; a defender may have some for modifiers.
        red: red dice.
        formula: how the red dice add up, in words.
    """

    green: int
    red: int
    formula: str


def base_against(
    play: Table, conflict: Conflict, throw: Throw, *, defends: bool, ask: Ask = expected
) -> ThreatBase:
    """I42 to I44, I77: how many dice stand against a proposal at this moment."""
    if defends:
        return _base_of_defender(play, conflict)
    if conflict.against or conflict.rating is None:
        # The wrong one rolls, or no Difficulty is set: the dice are as many as were thrown.
        implied = len(throw.of(RED).faces) - throw.of(RED).chains(RED)
        return ThreatBase(0, implied, "" if conflict.against else plural(implied, "die", "dice"))
    rating, living = conflict.rating.dice, table.living_count(play)
    stress = play.state.stress
    base = threat_total(play, rating, ask)
    by_rule = base - rating - living - max(0, stress)
    formula = (
        f"Difficulty {rating} + {living} living + Stress {stress}"
        + (f" {by_rule:+d} by a rule of the table" if by_rule else "")
        + f" = {plural(base, 'die', 'dice')}"
    )
    return ThreatBase(0, base, formula)


def _base_of_defender(play: Table, conflict: Conflict) -> ThreatBase:
    green, red = defence_dice(play, conflict)
    formula = " + ".join(defence_reds(play, conflict)) + f" = {plural(red, 'red die', 'red dice')}"
    return ThreatBase(green, red, formula + (f", {green} green" if green else ""))


def defence_reds(play: Table, conflict: Conflict) -> list[str]:
    """Where the red dice of a defender come from, in words."""
    _, links = table.counted_links(play, play.state.pair(conflict.against, conflict.active))
    return [
        f"{plural(links, 'red link')} with {conflict.active}",
        f"Living Characters {table.living_count(play)} - 1",
        f"Stress {play.state.stress}",
        *(
            f"{modifier.dice}: {modifier.why}"
            for modifier in conflict.modifiers.get(conflict.against, ())
            if modifier.colour is RED
        ),
    ]


def defence_sources(play: Table, conflict: Conflict) -> list[Source]:
    """I77: where the defender's dice come from at this moment."""
    _, links = table.counted_links(play, play.state.pair(conflict.against, conflict.active))
    return [
        Source(RED, links, f"links with {conflict.active}"),
        Source(RED, table.living_count(play) - 1, "Living Characters less one"),
        Source(RED, max(0, play.state.stress), "Stress"),
        *(Source(m.colour, m.dice, m.why) for m in conflict.modifiers.get(conflict.against, ())),
    ]


def defence_dice(play: Table, conflict: Conflict) -> tuple[int, int]:
    """I77: the defender's green and red dice at this moment."""
    sources = defence_sources(play, conflict)
    green = sum(source.dice for source in sources if source.colour is GREEN)
    return green, sum(source.dice for source in sources) - green


def throw_threat(play: Table, conflict: Conflict, throw: Throw, *, defends: bool) -> None:
    """The GM or the defender rolls, and the second reading follows, if all dice are on record."""
    base = base_against(play, conflict, throw, defends=defends, ask=answer)
    conflict.touch(play.step.index)
    conflict.threat_base = (base.green, base.red)
    if base.formula:
        conflict.living, conflict.threat_formula = table.living_count(play), base.formula
    if defends:
        text = f"{conflict.against} defends with {base.formula}"
        play.event(text, "I77", "defends", conflict.against)
    elif conflict.rating is not None and not conflict.against:
        play.event(f"The GM rolls {base.formula}", "I44", "threat")
    conflict.threat = as_counted(play, throw)
    conflict.unrecorded = conflict.unrecorded or throw.hidden
    player = play.state.people[conflict.against].player if defends else play.runner
    table.note_throw(play, throw, player)
    if not conflict.unrecorded:
        read_second(play, conflict)


# --- pools ----------------------------------------------------------------------------------------


def read_second(play: Table, conflict: Conflict) -> None:
    """I45 to I49: who pools, what is cancelled, which level it is."""
    settle_stances(conflict)
    pool_of(conflict)
    threat = conflict.threat or Throw()
    greens = threat.of(GREEN).counted(GREEN) if conflict.against else 0
    conflict.versus = against_them(threat.of(RED).counted(RED), greens)
    conflict.level = level_of(conflict.difference)
    conflict.result_step = play.step.index
    green, red = conflict.threat_base
    if green or red:
        conflict.threat_chance = chance_against(conflict.pool, red, green, *lucks(play))
    play.event(
        f"Green evens {conflict.evens} - {conflict.cancelled} = {conflict.pool} against "
        f"{plural(conflict.versus, 'red odd')}",
        "I46" if conflict.cancelled else "I45",
        "pools",
    )
    play.event(f"{signed(conflict.difference)}: {conflict.level}", "I49", "level")
    play.step.headline = f"{conflict.level} ({conflict.pool} against {conflict.versus})"
    _draw(play, conflict)
    follow(play, conflict)


def settle_stances(conflict: Conflict) -> None:
    """Where everybody stands in the end."""
    for hand in conflict.hands.values():
        if hand.who != conflict.active:
            hand.final = final_of(hand)
            if not hand.defaulted and hand.stance is None:
                hand.stance = hand.final


def final_of(hand: Hand) -> Side:
    """Where somebody who was asked stands when the second reading begins."""
    if hand.defaulted:
        return Side.HOSTILE if hand.late else hand.stance or Side.NEUTRAL
    return hand.stance or (Side.HOSTILE if hand.best is Side.HOSTILE else Side.NEUTRAL)


def pool_of(conflict: Conflict) -> None:
    """Green evens of the cooperating side, less red odds of the Hostile; never below 0."""
    evens = cancelled = 0
    for hand in conflict.hands.values():
        throw = hand.throw or Throw()
        if hand.who == conflict.active:
            evens += throw.of(GREEN).counted(GREEN)
            if conflict.scope is Scope.ALONE:
                cancelled += throw.of(RED).counted(RED)
        elif hand.final is Side.COOPERATIVE:
            evens += throw.of(GREEN).counted(GREEN)
        elif hand.final is Side.HOSTILE:
            cancelled += throw.of(RED).counted(RED)
    conflict.evens, conflict.cancelled = evens, cancelled
    conflict.pool = pooled(evens, cancelled)


def told_odds(conflict: Conflict, chance: float) -> str:
    """How likely it is that a proposal goes well, before the GM or the defender rolls."""
    return (
        f"Partial Success or better before {conflict.against or 'the GM'}'s roll: {percent(chance)}"
    )


@drawn
def _draw(play: Table, conflict: Conflict) -> None:
    sides: list[CardSide] = []
    success = conflict.level is not None and not conflict.level.failure
    for hand in conflict.hands.values():
        if hand.throw is None:
            continue
        throw = hand.throw
        if hand.who == conflict.active:
            colours: tuple[Colour, ...] = (GREEN,)
            part = plural(throw.of(GREEN).counted(GREEN), "even")
            if conflict.scope is Scope.ALONE:
                colours = (GREEN, RED)
                part += f", less {plural(throw.of(RED).counted(RED), 'own odd')}"
        elif hand.final is Side.COOPERATIVE:
            colours, part = (GREEN,), f"adds {plural(throw.of(GREEN).counted(GREEN), 'even')}"
        elif hand.final is Side.HOSTILE:
            colours, part = (RED,), f"cancels {throw.of(RED).counted(RED)}"
        else:
            colours, part = (), "stands by"
        helps = hand.who == conflict.active or hand.final is Side.COOPERATIVE
        sides.append(card_side(play, hand, part, success and helps, *colours))
    green, red = conflict.threat_base
    name = conflict.against or THREAT
    owner = play.state.people[conflict.against].player if conflict.against else play.runner
    sides.append(
        CardSide(
            name,
            owner,
            shown_dice(conflict.threat or Throw(), {GREEN: green, RED: red}, GREEN, RED),
            (conflict.threat_formula,),
            plural(conflict.versus, "odd"),
            not success,
        )
    )
    chance = conflict.threat_chance
    play.step.contest = Contest(
        conflict.words,
        tuple(sides),
        f"{conflict.pool} : {conflict.versus}",
        "second reading: green evens against red odds",
        (f"{signed(conflict.difference)}: {conflict.level}",),
        odds=told_odds(conflict, chance) if chance is not None else "",
        rule="I49",
        verdict=f"{compared(conflict.pool, conflict.versus)}: {str(conflict.level).lower()}",
    )


# --- effects --------------------------------------------------------------------------------------


def follow(play: Table, conflict: Conflict, links: Mapping[PairKey, int] = NO_LINKS) -> None:
    """What a result brings, in the order of this table: wounds, deaths, links, Stress. ``links`` are those that
    the log states for people whose stance nobody wrote down."""
    plan(play, conflict)
    conflict.formed |= links
    due = harm.wounds_due(play, conflict)
    conflict.wounds_due, conflict.wounds_most = due.lowest or 0, due.highest
    if conflict.wounds_due:
        conflict.stage = Stage.RESULT
        how_many = plural(conflict.wounds_due, "wound")
        if not due.is_known:
            how_many = f"{due} wounds"
        play.event(f"{how_many} to share out", "I66", "wounds due")
        if play.ruling("effect_order") == "links_first":
            take_effect(play, conflict)
        return
    take_effect(play, conflict)
    done(play, conflict)
