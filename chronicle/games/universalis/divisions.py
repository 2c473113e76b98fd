"""Chapter 6, several Complications at the same time: which one an entry is about, and one rolled in parts.

A part is a Complication of its own: its Pools are rolled, tied, told and kept like any others. A divided
Complication only passes its dice on, and ends with its last part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from chronicle.core.declare import option
from chronicle.core.fix import replace_with
from chronicle.core.guards import Violation, guard
from chronicle.core.names import fold
from chronicle.core.source import ScalarNode
from chronicle.games.universalis.actions import ID, Entry
from chronicle.games.universalis.answers import Singly
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.state import AS_DIVIDED, Complication, DiceEntry, Pool, Stage


class ComplicationEntry(Entry):
    """What an entry about a Complication may say besides: which one, where several are open."""

    lays_dice: ClassVar[bool] = False
    """Whether it is about dice for a Pool that grows."""

    in_ = option(ID, "which Complication, where several are open: its title or id")

    @guard("U6.9", at="in")
    def names_one(self, play: Table) -> Violation | None:
        """The Complication named is open."""
        if self.in_ is None:
            return None
        among = _open_ones(play)
        meant = _named(play, self.in_, among)
        if len(meant) == 1:
            return None
        return Violation(
            f"'{self.in_}' means several Complications"
            if meant
            else f"no Complication '{self.in_}' is open",
            fix=replace_with(complication.title for complication in among),
        )


def _open_ones(play: Table) -> list[Complication]:
    """The open Complications, the last opened first."""
    state = play.state
    return [state.complications[number - 1] for number in reversed(state.running)]


def complication_of(
    play: Table,
    action: ComplicationEntry,
    players: Iterable[str] = (),
    component_ids: Iterable[str] = (),
) -> Complication | None:
    """The Complication that an entry is about: the Complication named with ``in``; else, among the parts of the
    current Complication, the part of the players and Components in the entry; else the last opened."""
    state = play.state
    current = state.current_complication()
    open_ones = _open_ones(play)
    if action.in_ is not None:
        meant = _named(play, action.in_, open_ones)
        return meant[0] if len(meant) == 1 else current
    if current is None or (current.stage is Stage.ROLLED and not state.purses):
        return current
    waiting = [complication for complication in open_ones if complication.stage is not Stage.ROLLED]
    parts = [
        complication
        for complication in waiting
        if complication.part_of and complication.part_of == current.part_of
    ]
    if action.lays_dice:
        parts = [
            complication for complication in parts if complication.stage is Stage.OPEN
        ] or parts
    if len(parts) < 2:
        return next(iter(parts or waiting), current)
    named = list(players)
    exact = [complication for complication in parts if set(named) == set(complication.pools)]
    if len(exact) == 1:
        return exact[0]
    for player in named:
        facing = [complication for complication in parts if player in complication.pools]
        if len(facing) == 1:
            return facing[0]
    for id in component_ids:
        facing = [
            complication
            for complication in parts
            if id in (*complication.sources, *complication.targets)
        ]
        if len(facing) == 1:
            return facing[0]
    own = [complication for complication in parts if play.step.player in complication.pools]
    return own[0] if len(own) == 1 else parts[0]


def _named(play: Table, word: ScalarNode, among: Sequence[Complication]) -> list[Complication]:
    """The Complications that a word may mean."""
    key = fold(word)
    for complication in among:
        if key in (
            fold(complication.title),
            fold(play.steps[complication.step - 1].action.id or ""),
        ):
            return [complication]
    return [complication for complication in among if key in fold(complication.title)]


def root_number(play: Table, complication: Complication) -> int:
    """The number of the Complication that it is a part of, or its own."""
    while complication.part_of:
        complication = play.state.complications[complication.part_of - 1]
    return complication.number


def unfinished(play: Table, complication: Complication) -> bool:
    """Whether another part of the same Complication is still to be rolled or told."""
    state = play.state
    root = root_number(play, complication)
    return any(
        number != complication.number and root_number(play, state.complications[number - 1]) == root
        for number in state.running
    )


def facing(play: Table, complication: Complication, player: str) -> Complication | None:
    """The part of the same Complication in which a player has a Pool, told or untold."""
    root = root_number(play, complication)
    return next(
        (
            part
            for part in play.state.complications
            if part.part_of and part is not complication and player in part.pools
            if root_number(play, part) == root
        ),
        None,
    )


def parts_of(play: Table, number: int) -> list[Complication]:
    """The parts that a Complication is divided into; those of a division that was taken back are none."""
    return [
        part
        for part in play.state.complications
        if part.part_of == number and part.stage is not Stage.STRUCK
    ]


def first_part(play: Table, complication: Complication) -> Complication:
    """Where it was divided as it began, the part that is met first; else the Complication itself."""
    return next(iter(parts_of(play, complication.number)), complication)


def laid_into(
    play: Table, complication: Complication, pool: Pool, against: Sequence[str] = ()
) -> list[tuple[Complication, Pool]]:
    """The Pools that receive dice for this Complication: it alone, or, where Targets meet the same dice in
    rolls of their own (UA.36), its like in every roll that waits. ``against`` are the Target Players
    whom alone these dice meet."""
    state = play.state
    rule = state.points.meets_singly(play, complication).rule
    if not complication.part_of or complication.divided_by != rule or pool.side != "complication":
        return [(complication, pool)]
    waiting = [
        part
        for part in (state.complications[number - 1] for number in reversed(state.running))
        if part.part_of == complication.part_of
        and part.stage in (Stage.OPEN, Stage.CLOSED)
        and pool.player in part.pools
        and (not against or any(player in part.pools for player in against))
    ]
    return [(part, part.pools[pool.player]) for part in waiting] or [(complication, pool)]


def divide(
    play: Table,
    complication: Complication,
    rule: str,
    parts: Sequence[tuple[str, list[Pool], list[str], list[str]]],
    *,
    grow: bool = False,
    separate_use: bool = False,
    order: str = "",
) -> list[Complication]:
    """Roll a Complication in parts, each with a title, Pools, sources and targets of its own; the first
    one is met first. ``grow``: dice can still be laid into them. ``separate_use``: a Trait gives its die once
    in each (U6.14). ``order``: how the order of the rolls is fixed (see
    :class:`Complication`)."""
    state = play.state
    scene = state.scenes[complication.scene]
    new_parts: list[Complication] = []
    for title, pools, sources, targets in parts:
        part = Complication(
            len(state.complications) + 1,
            title,
            complication.kind,
            complication.scene,
            play.step.number,
            complication.originator,
            sources,
            targets,
            {pool.player: pool for pool in pools},
            dict(complication.used) if separate_use else complication.used,
            complication.committed,
            dict(complication.sides),
            Stage.OPEN if grow else Stage.CLOSED,
            event=complication.event,
            part_of=complication.number,
            order_of_parts=order,
            divided_by=rule,
        )
        part.closed_step = 0 if grow else complication.closed_step or play.step.number
        part.everybody = complication.everybody
        state.complications.append(part)
        scene.complications.append(part.number)
        new_parts.append(part)
    place = state.running.index(complication.number)
    state.running[place : place + 1] = [part.number for part in reversed(new_parts)]
    complication.stage = Stage.DIVIDED
    complication.divided_by = rule
    return new_parts


def reunite(play: Table, complication: Complication, stage: Stage) -> None:
    """Take a division back: the parts never were. Dice that were laid into them since then are now in the
    single Pool."""
    state = play.state
    moved: set[int] = set()
    for part in parts_of(play, complication.number):
        part.stage = Stage.STRUCK
        if part.number in state.running:
            state.running.remove(part.number)
        for pool in part.pools.values():
            whole_pool = complication.pools.setdefault(pool.player, Pool(pool.player, pool.side))
            for entry in pool.entries:
                is_later = entry.step > part.step
                # What several rolls were to meet is in all of their Pools.
                if is_later and id(entry) not in moved:
                    moved.add(id(entry))
                    whole_pool.dice = max(0, whole_pool.dice + entry.dice)
                    whole_pool.entries.append(entry)
        if part.used is not complication.used:
            for key, copies in part.used.items():
                complication.used[key] = max(copies, complication.used.get(key, 0))
    complication.stage = stage
    complication.divided_by = ""
    state.running.append(complication.number)


def copy_of(pool: Pool, dice: Sequence[DiceEntry]) -> Pool:
    """A Pool of the same player and side with these dice."""
    copied = Pool(pool.player, pool.side, dice_open=pool.dice_open)
    for entry in dice:
        # The dice taken away were possibly bought against others.
        copied.dice = max(0, copied.dice + entry.dice)
        copied.entries.append(entry)
    return copied


def divide_by_target(play: Table, complication: Complication, singly: Singly) -> None:
    """Each Target Pool meets the Complication in a roll of its own: the same dice for each, save those
    that were bought against others only."""
    scene = play.state.scenes[complication.scene]
    against = complication.side("complication")
    targets = complication.side("target")
    parts = []
    for target in targets:
        target_ids = [id for id in complication.targets if scene.control.get(id) == target.player]
        pools = [
            copy_of(pool, [e for e in pool.entries if not e.against or target.player in e.against])
            for pool in against
        ]
        pools.append(copy_of(target, target.entries))
        parts.append(
            (
                f"{complication.title}, against {target.player}",
                pools,
                complication.sources,
                target_ids,
            )
        )
    rule, grow, order = singly
    divide(play, complication, rule, parts, grow=grow, separate_use=True, order=order)


def divide_evenly(
    play: Table,
    complication: Complication,
    stages: int,
    rule: str,
    stated: Mapping[str, Sequence[int]],
) -> None:
    """The dice of each side are divided as evenly as possible, the smallest parts first. ``stated`` says
    how many of a player's dice are in each, where the table has said so."""
    sizes = {**stage_sizes(complication, stages), **stated}
    ids = complication.sources, complication.targets
    parts = [
        (f"{complication.title}, stage {number} of {stages}", pools, *ids)
        for number, pools in enumerate(_stages(complication, sizes), 1)
    ]
    divide(play, complication, rule, parts, order=AS_DIVIDED)


def _stages(complication: Complication, sizes: Mapping[str, Sequence[int]]) -> list[list[Pool]]:
    """The Pools of each stage, by how many dice of each player are in it."""
    piles = [
        [copy_of(pool, pile) for pile in _piles(pool, sizes[pool.player])]
        for pool in complication.pools.values()
    ]
    return [list(pools) for pools in zip(*piles, strict=True)]


def sides_of(complication: Complication) -> list[list[Pool]]:
    """The Pools by side; one whose player has not declared stands for itself."""
    pools_by_side: dict[str, list[Pool]] = {}
    for pool in complication.pools.values():
        pools_by_side.setdefault(pool.side or f"player {pool.player}", []).append(pool)
    return list(pools_by_side.values())


def even(dice: int, stages: int) -> list[int]:
    """A number of dice, divided as evenly as possible, the smallest part first."""
    each, remainder = divmod(dice, stages)
    return [each] * (stages - remainder) + [each + 1] * remainder


def stage_sizes(complication: Complication, stages: int) -> dict[str, list[int]]:
    """How many dice of each player are in each stage. Every Pool is divided evenly; the remainders of several
    on one side go to different stages, so that the side is divided evenly too."""
    sizes: dict[str, list[int]] = {}
    for side in sides_of(complication):
        place = stages
        for pool in side:
            each, remainder = divmod(pool.dice, stages)
            sizes[pool.player] = [each] * stages
            for _ in range(remainder):
                place = (place - 1) % stages
                sizes[pool.player][place] += 1
    return sizes


def _piles(pool: Pool, sizes: Sequence[int]) -> list[list[DiceEntry]]:
    """The dice of a Pool in piles of these sizes, each die with where it came from."""
    dice = dice_of(pool)
    piles: list[list[DiceEntry]] = []
    for size in sizes:
        pile: list[DiceEntry] = []
        for entry in dice[:size]:
            if pile and pile[-1].step == entry.step and pile[-1].cause == entry.cause:
                last = pile[-1]
                pile[-1] = replace(last, dice=last.dice + 1, coins=last.coins + entry.coins)
            else:
                pile.append(entry)
        piles.append(pile)
        dice = dice[size:]
    return piles


def dice_of(pool: Pool) -> list[DiceEntry]:
    """The dice of a Pool one by one, in the order in which they were laid; the last dice are taken away."""
    dice: list[DiceEntry] = []
    for entry in pool.entries:
        if entry.dice < 0:
            del dice[entry.dice :]
        dice += [replace(entry, dice=1, coins=1 if entry.coins else 0)] * max(0, entry.dice)
    return dice
