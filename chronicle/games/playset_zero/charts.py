"""Figures over a whole game of Playset Zero: hits, goals, dangers, and what dice can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from chronicle.core.campaign_view import (
    Bars,
    Block,
    Inline,
    Note,
    Page,
    Ref,
    Row,
    Table,
    heads,
    step_ref,
    tabled,
)
from chronicle.core.odds import percent
from chronicle.games.playset_zero.chances import any_at_least, expected, hits, pool_words
from chronicle.games.playset_zero.state import HIT, RollRecord, State


class Tally(NamedTuple):
    """What a number of rolls came to."""

    rolls: int
    hits: int
    goals: int
    reached: int
    true: int
    avoided: int


def tally(rolls: Iterable[RollRecord]) -> Tally:
    """Count rolls, hits, goals reached and missed, dangers true and avoided."""
    count = thrown = goals = reached = true = avoided = 0
    for roll in rolls:
        if not roll.rolled:
            continue
        count += 1
        thrown += roll.hits
        for item in roll.items:
            if item.goal:
                goals += item.well is not None
                reached += item.well is True
            else:
                true += item.well is False
                avoided += item.well is True
    return Tally(count, thrown, goals, reached, true, avoided)


def _share(part: int, total: int) -> str:
    return percent(Fraction(part, total)) if total else "none"


def figures_page(state: State) -> Page:
    """Hits per roll, goals reached, dangers true, per character."""
    rolled = [roll for roll in state.rolls if roll.rolled and not roll.unrecorded]
    rows: list[tuple[Inline, ...]] = []
    names: dict[str, str] = {}
    for roll in state.rolls:
        names.setdefault(roll.character or roll.name, roll.name)
    bars: list[tuple[str, int, str]] = []
    for id, name in names.items():
        own_rolls = [roll for roll in state.rolls if (roll.character or roll.name) == id]
        counts = tally(own_rolls)
        if not counts.rolls:
            continue
        label: Inline = Ref("sheet", id, name) if id in state.characters else name
        rows.append(
            (
                label,
                counts.rolls,
                counts.hits,
                f"{counts.hits / counts.rolls:.2f}",
                f"{counts.reached} of {counts.goals}",
                _share(counts.reached, counts.goals),
                counts.true,
                _share(counts.true, counts.true + counts.avoided),
            )
        )
        bars.append((name, counts.true, own_rolls[0].player))
    blocks: list[Block] = [
        Bars(
            "Hits, roll by roll",
            tuple((f"{roll.number}. {roll.name}", roll.hits, roll.player) for roll in rolled),
        ),
        Bars("Dangers that came true", tuple(bars)),
        Table(
            heads(
                "Who | Rolls # | Hits # | Hits a roll # | Goals reached # | "
                "Share # | Dangers true # | Share of all #"
            ),
            tuple(rows),
            "By character",
        ),
    ]
    if not rows:
        blocks = [Note("Nobody has rolled yet.")]
    return Page(
        "figures",
        "Figures",
        blocks,
        "What the dice gave, what was reached with it, and what it cost.",
    )


REFERENCE: tuple[tuple[tuple[str, int], ...], ...] = (
    (("d6", 3),),
    (("d8", 1), ("d6", 2)),
    (("d10", 1), ("d6", 2)),
    (("d10", 1), ("d8", 1), ("d6", 1)),
    (("d6", 3), ("adv", 1)),
    (("d8", 1), ("d6", 2), ("adv", 1)),
    (("d10", 1), ("d8", 1), ("d6", 1), ("adv", 1)),
)
"""Sets of dice that come up most."""


def _row(label: Inline, dice: dict[str, int], hit: int = HIT) -> tuple[Inline, ...]:
    spread = hits(dice, hit)
    three_or_more = sum((p for number, p in spread.items() if number >= 3), Fraction(0))
    zero = Fraction(0)
    return (
        label,
        f"{float(expected(dice, hit)):.2f}",
        percent(spread.get(0, zero)),
        percent(spread.get(1, zero)),
        percent(spread.get(2, zero)),
        percent(three_or_more),
        percent(1 - spread.get(0, zero)),
        percent(any_at_least(dice, 6)),
        percent(any_at_least(dice, 7)),
    )


_COLUMNS = (
    "Expected hits # | 0 hits # | 1 # | 2 # | 3 or more # | "
    "At least 1 # | Any 6 or more # | Any 7 or more #"
)


@tabled(
    f"Roll | {_COLUMNS} | Rolled #",
    "Before each roll",
    "The last column is what the dice then showed.",
)
def _chances_before(rolled: list[RollRecord]) -> Iterator[Row]:
    for roll in rolled:
        dice = {die: count for die, count in roll.pool.counts().items() if count}
        mark = ", Challenge" if roll.challenge else ""
        label = (
            step_ref(roll.step, f"{roll.number}. {roll.name}"),
            f" ({pool_words(dice)}{mark})",
        )
        yield (*_row(label, dice, roll.pool.hit), "?" if roll.unrecorded else roll.hits)


@tabled(
    f"Dice | {_COLUMNS}",
    "What dice can do",
    "A 6 or more is what a Challenge takes; a 7 or more is what beats a hindering 6.",
)
def _what_dice_can_do() -> Iterator[Row]:
    for dice in map(dict, REFERENCE):
        yield _row(pool_words(dice), dice)


def chances_page(state: State) -> Page:
    """The chances before every roll, and a table for the table."""
    rolled = [roll for roll in state.rolls if roll.rolled]
    blocks: list[Block] = []
    if rolled:
        blocks.append(_chances_before(rolled))
    blocks.append(_what_dice_can_do())
    return Page(
        "chances",
        "Chances",
        blocks,
        "Exact chances, worked out from the dice that had a right to be there.",
        lists_contests=True,
    )
