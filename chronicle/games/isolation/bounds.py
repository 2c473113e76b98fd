"""The possible results of a roll without all its faces on record (I45 to I49, I55, I66)."""

from __future__ import annotations

from chronicle.core.ranges import Range, exactly
from chronicle.games.isolation.dice import GREEN, RED, Colour, Throw
from chronicle.games.isolation.state import Conflict, Hand, Level, Scope, Side, level_of

_WOUNDS = {
    Level.PARTIAL_FAILURE: Range(1, 1),
    Level.BASIC_FAILURE: Range(2, 3),
    Level.COMPLETE_FAILURE: Range(4, None),
}
"""I49, I66: the number of wounds that follows from the level of a failure alone."""


def counted_range(throw: Throw | None, base: int, colour: Colour) -> Range:
    """How many faces of a colour count; dice are open-ended, so an unrecorded throw has no upper bound."""
    rolled = throw.of(colour) if throw is not None else None
    is_hidden = throw is None or (throw.hidden and throw.written(colour) is None)
    if is_hidden or (rolled is not None and rolled.hidden):
        return Range(0, None) if base else exactly(0)
    assert rolled is not None
    return exactly(rolled.counted(colour))


def _difference(minuend: Range, subtrahend: Range, least: int | None = 0) -> Range:
    """One number less another, never below ``least``."""

    def floor(number: int) -> int:
        return number if least is None else max(least, number)

    lower = least
    if minuend.lowest is not None and subtrahend.highest is not None:
        lower = floor(minuend.lowest - subtrahend.highest)
    upper = None
    if minuend.highest is not None:
        upper = floor(minuend.highest - (subtrahend.lowest or 0))
    return Range(lower, upper)


def _sum(*numbers: Range) -> Range:
    lows = [number.lowest or 0 for number in numbers]
    highs = [number.highest for number in numbers]
    upper = None if None in highs else sum(upper for upper in highs if upper is not None)
    return Range(sum(lows), upper)


def odds_by_faces(hand: Hand) -> Range:
    """I24: the possible red odds of the Active, by the faces on record."""
    return _difference(
        counted_range(hand.throw, hand.red, RED), counted_range(hand.throw, hand.green, GREEN)
    )


def evens_by_faces(hand: Hand) -> Range:
    """I26: the possible green evens of a Passive, by the faces on record."""
    return _difference(
        counted_range(hand.throw, hand.green, GREEN),
        counted_range(hand.throw, hand.red, RED),
        None,
    )


def net_by_figures(conflict: Conflict, hand: Hand) -> Range:
    """I27: the possible nets of a Passive, by the faces on record and the stated evens and odds."""
    active = conflict.hands[conflict.active]
    odds = _as_stated(odds_by_faces(active), active.stated.get("odds"))
    evens = _as_stated(evens_by_faces(hand), hand.stated.get("evens"))
    return _difference(evens, odds, None)


def net_range(conflict: Conflict, hand: Hand) -> Range:
    """I27: the possible nets of a Passive."""
    return _as_stated(net_by_figures(conflict, hand), hand.stated.get("net"))


def _as_stated(possible: Range, stated: int | None) -> Range:
    """A stated figure, if the faces on record allow it."""
    return exactly(stated) if stated is not None and possible.may_be(stated) else possible


def pool_range(conflict: Conflict) -> Range:
    """I45, I46: the possible numbers of green evens after cancelling."""
    evens, cancelled = [exactly(0)], [exactly(0)]
    for hand in conflict.hands.values():
        greens = counted_range(hand.throw, hand.green, GREEN)
        reds = counted_range(hand.throw, hand.red, RED)
        side = hand.final or hand.stance
        if hand.character == conflict.active:
            evens.append(greens)
            if conflict.scope is Scope.ALONE:
                cancelled.append(reds)
        elif side is Side.COOPERATIVE:
            evens.append(greens)
        elif side is Side.HOSTILE:
            cancelled.append(reds)
        elif side is None:
            # The stance is not recorded: the character helps, opposes, or does neither.
            evens.append(Range(0, greens.highest))
            cancelled.append(Range(0, reds.highest))
    return _difference(_sum(*evens), _sum(*cancelled))


def versus_range(conflict: Conflict) -> Range:
    """I44, I77: the possible numbers of red odds against the proposal."""
    if conflict.threat is None:
        return Range(0, None)
    green, _ = conflict.threat_base
    reds = counted_range(conflict.threat, 1, RED)
    if not conflict.against:
        return reds
    return _difference(reds, counted_range(conflict.threat, green, GREEN))


def levels(pool: Range, versus: Range) -> tuple[Level, Level]:
    """I49: the worst and the best level that are possible."""
    difference = _difference(pool, versus, None)
    worst = Level.COMPLETE_FAILURE if difference.lowest is None else level_of(difference.lowest)
    best = Level.COMPLETE_SUCCESS if difference.highest is None else level_of(difference.highest)
    return worst, best


def wounds_range(level: Level) -> Range:
    """I66: the number of wounds of a result, if only its level is recorded."""
    return _WOUNDS.get(level, exactly(0))
