"""The second reading: the threat's dice, pools, the level (I40 to I49, I77)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from chronicle.core.diagnostic import plural
from chronicle.core.figures import comparison_in_words
from chronicle.core.game_context import only_for_readers
from chronicle.core.house_rules import answer, expected
from chronicle.core.record import Contest
from chronicle.core.record import Side as CardSide
from chronicle.games.isolation import harm, table
from chronicle.games.isolation.counted import Ask, as_counted, lucks, threat_total
from chronicle.games.isolation.dice import GREEN, RED, THREAT, Colour, Throw, shown_dice
from chronicle.games.isolation.effects import done, figures_of, plan, take_effect
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

RULES = """
# The second reading
I45 The pool [checked]
  The Active and all Cooperative characters put their green dice into one pool.
I46 Hostile dice cancel [checked; V32]
  The Hostile put all their red dice together. Each odd face cancels one even face of the pool, down to 0. Their green
  dice do not count.
I47 Neutral dice [checked; V30]
  Neutral characters contribute nothing.
I48 Red dice that do not count [checked; V31]
  Red dice of the Active and of the Cooperative do not count in the second reading, unless the Active goes it alone.
I49 The six levels [checked; V33 V34]
  Green evens less red odds give the level. 4 or more is a Complete Success, 2 or 3 a Basic Success, 0 or 1 a Partial
  Success. -1 is a Partial Failure, -2 or -3 a Basic Failure, -4 or less a Complete Failure.

# Special cases
I77 The defender rolls [checked; V62 V63]
  The defender rolls instead of the GM: red dice for red links with the Active, for Living Characters less one, for
  Stress, and for modifiers. Green evens of modifiers cancel red odds. There is no Difficulty.
"""

READINGS = """
IA40 defender_modifiers: Which modifiers does a defender use?
  - passive: those of a Passive, open-ended, never below 0
  - active: those of the Active
  - none: none
  because the text speaks of situational modifiers (I77)
"""

ERRATA = """
IT7 The result without the helper [I49]
  The text says that the task would have been a Basic Failure without the helper. With the Hostile still in the way,
  three evens less two odds leave one, and one against five is a Complete Failure. Only without the Hostile as well is
  it three against five, a Basic Failure.
"""

TERMS = """\
Result [I49]: Green evens less red odds, from Complete Failure to Complete Success.
"""

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
    """I42 to I44, I77: the number of dice against a proposal at this moment."""
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
    """The sources of a defender's red dice, in words."""
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
    """I77: the sources of the defender's dice at this moment."""
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


def lacks_dice(play: Table, conflict: Conflict) -> bool:
    """Whether dice of the first reading may have fallen where the record is silent."""
    return play.gap > conflict.step and any(
        hand.throw is None and hand.has_dice
        for hand in conflict.hands.values()
        if not hand.defaulted or hand.late
    )


def lacks_stances(play: Table, conflict: Conflict) -> bool:
    """Whether characters may have taken a stance where the record is silent: those who were asked, and those who were
    not and can have turned Hostile."""
    return conflict.lacks_names or (
        play.gap > conflict.step
        and any(
            _may_lack_stance(hand)
            for hand in conflict.hands.values()
            if hand.character != conflict.active
        )
    )


def _may_lack_stance(hand: Hand) -> bool:
    if hand.defaulted:
        return not hand.late
    is_forced = hand.net is not None and hand.best is Side.HOSTILE
    return hand.stance is None and not is_forced


def lacks_parts(play: Table, conflict: Conflict) -> bool:
    """Whether the record may lack dice or stances of the first reading, so that the dice against it decide nothing."""
    return lacks_dice(play, conflict) or lacks_stances(play, conflict)


def throw_threat(play: Table, conflict: Conflict, throw: Throw, *, defends: bool) -> None:
    """The GM or the defender rolls, and the second reading follows, if all dice are on record."""
    base = base_against(play, conflict, throw, defends=defends, ask=answer)
    conflict.touch(play.step.number)
    conflict.threat_base = (base.green, base.red)
    if base.formula:
        conflict.living, conflict.threat_formula = table.living_count(play), base.formula
    if defends:
        text = f"{conflict.against} defends with {base.formula}"
        play.event(text, "I77", "defends", conflict.against)
    elif conflict.rating is not None and not conflict.against:
        play.event(f"The GM rolls {base.formula}", "I44", "threat")
    conflict.threat = as_counted(play, throw)
    conflict.unrecorded = conflict.unrecorded or throw.hidden or lacks_parts(play, conflict)
    player = play.state.people[conflict.against].player if defends else play.runner
    table.note_throw(play, throw, player)
    if not conflict.unrecorded:
        read_second(play, conflict)
    elif lacks_parts(play, conflict):
        text = "the record may lack dice or stances; the stated result counts"
        play.event(text, "I49", "unrecorded")
        play.unrecorded(*figures_of(play, conflict))


# --- pools ----------------------------------------------------------------------------------------


def read_second(play: Table, conflict: Conflict) -> None:
    """I45 to I49: pool the dice, cancel, and find the level."""
    settle_stances(conflict)
    pool_of(conflict)
    threat = conflict.threat or Throw()
    greens = threat.of(GREEN).counted(GREEN) if conflict.against else 0
    conflict.versus = against_them(threat.of(RED).counted(RED), greens)
    conflict.level = level_of(conflict.difference)
    conflict.result_step = play.step.number
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
    """Set the final stances."""
    for hand in conflict.hands.values():
        if hand.character != conflict.active:
            hand.final = final_of(hand)
            hand.stance = hand.stance or hand.final


def final_of(hand: Hand) -> Side:
    """The stance of a character when the second reading begins."""
    if hand.defaulted:
        return Side.HOSTILE if hand.late else hand.stance or Side.NEUTRAL
    return hand.stance or (Side.HOSTILE if hand.best is Side.HOSTILE else Side.NEUTRAL)


def pool_of(conflict: Conflict) -> None:
    """Green evens of the cooperating side, less red odds of the Hostile; never below 0."""
    evens = cancelled = 0
    for hand in conflict.hands.values():
        throw = hand.throw or Throw()
        if hand.character == conflict.active:
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
    """The chance of success before the GM or the defender rolls."""
    return (
        f"Partial Success or better before {conflict.against or 'the GM'}'s roll: {percent(chance)}"
    )


@only_for_readers
def _draw(play: Table, conflict: Conflict) -> None:
    sides: list[CardSide] = []
    success = conflict.level is not None and not conflict.level.failure
    for hand in conflict.hands.values():
        if hand.throw is None:
            continue
        throw = hand.throw
        if hand.character == conflict.active:
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
            colours, part = (), "is Neutral"
        helps = hand.character == conflict.active or hand.final is Side.COOPERATIVE
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
        verdict=f"{comparison_in_words(conflict.pool, conflict.versus)}: {str(conflict.level).lower()}",
    )


# --- effects --------------------------------------------------------------------------------------


def follow(play: Table, conflict: Conflict, links: Mapping[PairKey, int] = NO_LINKS) -> None:
    """Apply the effects of a result, in the order of this table: wounds, deaths, links, Stress. ``links`` are stated
    links with characters whose stance is not recorded."""
    plan(play, conflict)
    conflict.formed |= links
    due = harm.count_wounds(play, conflict)
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
