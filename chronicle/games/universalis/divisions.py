"""Chapter 6, several Complications at once: which one an entry is about, and one rolled in parts.

A part is a Complication of its own: its Pools are rolled, tied, told and kept like any others. What is
divided only hands its dice on and is over with its last part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chronicle.core.diagnostic import listed
from chronicle.core.names import fold
from chronicle.core.source import Word
from chronicle.games.universalis.points import Singly, Table
from chronicle.games.universalis.state import AS_DIVIDED, Complication, DiceEntry, Pool, Stage
from chronicle.games.universalis.story_actions import BuyDice, ComplicationEntry, DrawTraits
from chronicle.games.universalis.table import note


def complication_of(
    play: Table, action: ComplicationEntry, players: Iterable[str] = (), things: Iterable[str] = ()
) -> Complication | None:
    """The Complication that an entry is about: the one it names with ``in``; else, of the parts of the
    one at hand, the one that the players and Components in the entry point to; else the last opened."""
    state = play.state
    current = state.current_complication()
    open_ones = [state.complications[number - 1] for number in reversed(state.running)]
    if action.in_ is not None:
        return _named(play, action.in_, open_ones) or current
    if current is None or (current.stage is Stage.ROLLED and not state.purses):
        return current
    waiting = [one for one in open_ones if one.stage is not Stage.ROLLED]
    parts = [one for one in waiting if one.part_of and one.part_of == current.part_of]
    if isinstance(action, DrawTraits | BuyDice):
        parts = [one for one in parts if one.stage is Stage.OPEN] or parts
    if len(parts) < 2:
        return next(iter(parts or waiting), current)
    named = list(players)
    for player in named:
        facing = [one for one in parts if player in one.pools]
        if len(facing) == 1:
            return facing[0]
    for id in things:
        facing = [one for one in parts if id in (*one.sources, *one.targets)]
        if len(facing) == 1:
            return facing[0]
    own = [one for one in parts if play.step.player in one.pools]
    return own[0] if len(own) == 1 else parts[0]


def _named(play: Table, word: Word, among: Sequence[Complication]) -> Complication | None:
    wanted = fold(word)
    for one in among:
        if wanted in (fold(one.title), fold(play.steps[one.step - 1].action.id or "")):
            return one
    found = [one for one in among if wanted in fold(one.title)]
    if len(found) == 1:
        return found[0]
    play.require(
        False,
        "U6.9",
        f"no Complication '{word}' is open"
        if not found
        else f"'{word}' means several Complications",
        at=play.step.action.place("in"),
        help="open: " + listed(f"'{one.title}'" for one in among) if among else (),
    )
    return None


def whole(play: Table, complication: Complication) -> int:
    """The number of the Complication that this one is a part of, or its own."""
    while complication.part_of:
        complication = play.state.complications[complication.part_of - 1]
    return complication.number


def unfinished(play: Table, complication: Complication) -> bool:
    """Whether another part of the same Complication is still to be rolled or told."""
    state = play.state
    root = whole(play, complication)
    return any(
        number != complication.number and whole(play, state.complications[number - 1]) == root
        for number in state.running
    )


def facing(play: Table, complication: Complication, player: str) -> Complication | None:
    """The part of the same Complication in which a player has a Pool, told or untold."""
    root = whole(play, complication)
    return next(
        (
            one
            for one in play.state.complications
            if one.part_of and one is not complication and player in one.pools
            if whole(play, one) == root
        ),
        None,
    )


def divide(
    play: Table,
    complication: Complication,
    rule: str,
    parts: Sequence[tuple[str, list[Pool], list[str], list[str]]],
    *,
    grow: bool = False,
    order: str = "",
) -> list[Complication]:
    """Roll a Complication in parts, each with a title, Pools, sources and targets of its own; the first
    one is met first. ``grow`` says that dice may still be laid into them, ``order`` how the order of the
    rolls is fixed (see :class:`Complication`)."""
    state = play.state
    scene = state.scenes[complication.scene]
    made: list[Complication] = []
    for title, pools, sources, targets in parts:
        part = Complication(
            len(state.complications) + 1,
            title,
            complication.kind,
            complication.scene,
            play.step.index,
            complication.originator,
            sources,
            targets,
            {pool.player: pool for pool in pools},
            complication.used,
            complication.committed,
            dict(complication.sides),
            Stage.OPEN if grow else Stage.CLOSED,
            event=complication.event,
            part_of=complication.number,
            order_of_parts=order,
            divided_by=rule,
        )
        part.closed_step = 0 if grow else complication.closed_step or play.step.index
        part.everybody = complication.everybody
        state.complications.append(part)
        scene.complications.append(part.number)
        made.append(part)
    place = state.running.index(complication.number)
    state.running[place : place + 1] = [part.number for part in reversed(made)]
    complication.stage = Stage.DIVIDED
    complication.divided_by = rule
    return made


def reunite(play: Table, complication: Complication, stage: Stage) -> None:
    """Take a division back: the parts never were."""
    state = play.state
    for part in [one for one in state.complications if one.part_of == complication.number]:
        part.stage = Stage.STRUCK
        if part.number in state.running:
            state.running.remove(part.number)
    complication.stage = stage
    complication.divided_by = ""
    state.running.append(complication.number)


def copy_of(play: Table, pool: Pool, dice: Sequence[DiceEntry]) -> Pool:
    """A Pool of the same player and side with these dice."""
    copied = Pool(pool.player, pool.side)
    for entry in dice:
        copied.dice += entry.dice
        copied.entries.append(entry)
    return copied


def divide_by_target(play: Table, complication: Complication, singly: Singly) -> None:
    """Each Target Pool meets the Complication in a roll of its own: the same dice for each, save those
    that were bought against others only."""
    here = play.state.scenes[complication.scene]
    against = complication.side("complication")
    targets = complication.side("target")
    parts = []
    for target in targets:
        theirs = [id for id in complication.targets if here.control.get(id) == target.player]
        pools = [
            copy_of(
                play,
                pool,
                [e for e in pool.entries if not e.against or target.player in e.against],
            )
            for pool in against
        ]
        pools.append(copy_of(play, target, target.entries))
        parts.append(
            (f"{complication.title}, against {target.player}", pools, complication.sources, theirs)
        )
    divide(
        play,
        complication,
        singly.rule,
        parts,
        grow=singly.grow,
        order=singly.order,
    )
    note(play, "divided", complication.number)


def divide_evenly(play: Table, complication: Complication, stages: int, rule: str) -> None:
    """Every Pool is divided as evenly as possible, the smallest parts first."""
    piles = {pool.player: _piles(pool, stages) for pool in complication.pools.values()}
    parts = [
        (
            f"{complication.title}, stage {number + 1} of {stages}",
            [
                copy_of(play, pool, piles[pool.player][number])
                for pool in complication.pools.values()
            ],
            complication.sources,
            complication.targets,
        )
        for number in range(stages)
    ]
    divide(play, complication, rule, parts, order=AS_DIVIDED)
    note(play, "divided", complication.number)


def sizes(dice: int, stages: int) -> list[int]:
    """A number of dice, divided as evenly as possible, the smallest part first."""
    each, more = divmod(dice, stages)
    return [each] * (stages - more) + [each + 1] * more


def _piles(pool: Pool, stages: int) -> list[list[DiceEntry]]:
    """The dice of a Pool in so many piles, each die with where it came from."""
    dice = dice_of(pool)
    piles: list[list[DiceEntry]] = []
    for size in sizes(pool.dice, stages):
        pile: list[DiceEntry] = []
        for one in dice[:size]:
            if pile and pile[-1].step == one.step and pile[-1].cause == one.cause:
                last = pile[-1]
                pile[-1] = replace(last, dice=last.dice + 1, coins=last.coins + one.coins)
            else:
                pile.append(one)
        piles.append(pile)
        dice = dice[size:]
    return piles


def dice_of(pool: Pool) -> list[DiceEntry]:
    """The dice of a Pool one by one, in the order in which they were laid; what is taken away are the
    last ones."""
    dice: list[DiceEntry] = []
    for entry in pool.entries:
        if entry.dice < 0:
            del dice[entry.dice :]
        dice += [replace(entry, dice=1, coins=1 if entry.coins else 0)] * max(0, entry.dice)
    return dice
