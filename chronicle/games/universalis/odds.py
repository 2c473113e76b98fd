"""How likely a side wins a Complication, by the rule that judges its roll (U6.20, U6.21)."""

from __future__ import annotations

from chronicle.core.record import ContestOdds
from chronicle.games.universalis.answers import CARD, TOGETHER
from chronicle.games.universalis.computed import BY_QUESTION
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import Complication

MOST_DICE_TOLD = 80
"""Odds of more dice than these are not computed."""


def meets_together(play: Table, complication: Complication) -> bool:
    """Whether all Pools of a side count together (U6.19), under all methods in force."""
    method = complication.method or play.state.points.pool_method(play, complication).name
    return method in ("", TOGETHER) or len(complication.pools) < 3


def chance_of_success(play: Table) -> tuple[int, int] | None:
    """How many of how many faces are a Success at this table; None where it is not a matter of chance."""
    points = play.state.points
    die = points.die(play)
    if die.chance is None or die.name == CARD:
        return die.chance
    counting, play.is_applying_entry = play.is_applying_entry, False
    hits = sum(1 for face in range(1, die.sides + 1) if points.success(play, face))
    play.is_applying_entry = counting
    return hits, die.sides


def win_odds(
    play: Table, complication: Complication, player: str, own_dice: int, other_dice: int
) -> ContestOdds | None:
    """How likely ``player`` wins with ``own_dice`` dice on that side against ``other_dice``.

    None where the rules in force allow no odds: Pools that do not count together, cards that players choose, a
    rule of the table's own for what faces come to.
    """
    chance = chance_of_success(play)
    scored_otherwise = play.adopted_rules.rules_by_point.get(BY_QUESTION["score"].name)
    if chance is None or scored_otherwise or own_dice + other_dice > MOST_DICE_TOLD:
        return None
    return (
        ContestOdds(player, own_dice, other_dice, *chance)
        if meets_together(play, complication)
        else None
    )
