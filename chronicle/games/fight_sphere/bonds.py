"""Relationships: how they are made, rest and are lost, and what a gap hides of them (F7, F36, F40 to F42, F54)."""

from __future__ import annotations

from collections.abc import Iterable

from chronicle.core.diagnostic import DiagnosticKind, plural
from chronicle.core.guards import Violation
from chronicle.core.source import ScalarNode
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    POINT,
    RELATIONSHIP,
    Bond,
    Due,
    Gladiator,
    Inhabitant,
    Round,
    bond_id,
    resting,
)
from chronicle.games.fight_sphere.table import (
    WORD,
    Table,
    find_inhabitant,
    id_of,
    is_gladiator,
    value,
)


def relate(play: Table, g: Gladiator, npc: Inhabitant, worth: int, rule: str, why: str) -> None:
    """A new Relationship (or one that is given)."""
    _make_bond(play, g, npc, Bond(npc.id, play.step.number))
    play.move(BOX, f"relationship:{bond_id(g.id, npc.id)}", worth, POINT, rule, why)
    play.event(f"{g.name} has a Relationship with {npc.name} at {worth}", rule, "relates", npc.id)


def find_out(play: Table, g: Gladiator, npc: Inhabitant) -> None:
    """A Relationship shows that was made where the log says nothing. Its value is unknown until it is counted."""
    _make_bond(play, g, npc, Bond(npc.id, play.step.number, gone=npc.gone, is_untold=not npc.gone))
    play.event(f"{g.name} has a Relationship with {npc.name}", "", "relates", npc.id)


def show_bond(play: Table, g: Gladiator, npc: Inhabitant) -> bool:
    """An entry uses a Relationship that is not on record. Returns whether it can have been made where the log says
    nothing; it then exists from now on."""
    if npc.gone or npc.id in g.bonds or not bonds_unknown_since(play, g):
        return False
    find_out(play, g, npc)
    return True


def untold_bond(play: Table, g: Gladiator, word: ScalarNode) -> str:
    """The id of an inhabitant with whom a Gladiator can have made a Relationship where the log says nothing; empty if
    there is none."""
    npc = find_inhabitant(play, word)
    is_possible = bool(bonds_unknown_since(play, g)) and is_gladiator(play, word) is None
    if (
        not is_possible
        or play.is_unrecorded_name(word)
        or (npc is not None and (npc.gone or npc.id in g.bonds))
    ):
        return ""
    return id_of(play, word)


def bonds_unknown_since(play: Table, g: Gladiator) -> int:
    """The entry since which a Gladiator may have made or lost Relationships that the log does not name; 0 if it names
    all."""
    return play.uncertain_since(f"relationship:{g.id}", "tracks")


def doubted_bond(play: Table, g: Gladiator, violation: Violation) -> Violation:
    """A breach that rests on a Relationship not being on record: unknown, where it may have been made unrecorded."""
    if play.gap_since("tracks") > g.step:
        return violation._replace(since=g.step, state_kind="tracks")
    return (
        violation._replace(kind=DiagnosticKind.UNKNOWN)
        if bonds_unknown_since(play, g)
        else violation
    )


def leave_open(play: Table, gladiators: Iterable[Gladiator]) -> None:
    """Of an Encounter or a roll that cannot be followed, what those who are named pay, gain and lose is unknown."""
    for g in gladiators:
        ends = [bond_id(g.id, bond.npc) for bond in g.living()]
        values = [f"{figure}:{id}" for id in ends for figure in ("relationship", "barred")]
        play.unrecorded(f"pool:{g.id}", f"fate:{g.id}", f"relationship:{g.id}", *values)
    play.unrecorded(*(f"judgment:{player}" for player in play.seats))


def is_rest_known(play: Table, g: Gladiator, bond: Bond) -> bool:
    """F36: whether the log gives for how many Conflicts a Relationship is still barred."""
    key = f"barred:{bond_id(g.id, bond.npc)}"
    gap = max(play.gap_since("tracks"), play.gap_since("turns"))
    known_from = max(bond.step, bond.barred_step, play.unknown_until.get(key, 0))
    return max(gap, play.gaps.unknown_since.get(key, 0)) <= known_from


def is_drive_known(play: Table, g: Gladiator) -> bool:
    """F7: Whether no gap can hide that a Gladiator has traded the drive, which is done once."""
    return bool(g.traded) or play.gap_since("tracks") <= g.step


def is_value_known(play: Table, g: Gladiator, npc: str) -> bool:
    """Whether the log gives the value of a Relationship."""
    bond = g.bonds[npc]
    key = f"relationship:{bond_id(g.id, npc)}"
    return not bond.is_untold and not play.uncertain_since(key, "tracks")


def _make_bond(play: Table, g: Gladiator, npc: Inhabitant, bond: Bond) -> None:
    id = bond_id(g.id, npc.id)
    g.bonds[npc.id] = bond
    if id not in play.names.all:
        own = [g.name, *WORD.findall(g.name)]
        opposing = [npc.name, *WORD.findall(npc.name)]
        rivals = [f"{a} & {b}" for a in own for b in opposing] + [
            f"{b} & {a}" for a in own for b in opposing
        ]
        play.names.add(
            id, RELATIONSHIP, id, [o for o in dict.fromkeys(rivals) if o != id], index_words=False
        )


def barred_for(play: Table, g: Gladiator, bond: Bond) -> int:
    """F36: for how many more Conflicts a Relationship is no modifier."""
    return resting(play.state, play.ledger, play.rulings, g, bond)


def bar(play: Table, g: Gladiator, npcs: Iterable[str]) -> None:
    """F36: Relationships used in a failed Conflict rest for as many Conflicts as their value."""
    for npc in npcs:
        bond = g.bond(npc)
        if bond is None:
            continue
        bond.barred_value = value(play, g.id, npc)
        bond.barred_own, bond.barred_all = g.conflicts, play.state.conflict_count
        bond.barred_step = play.step.number
        if bond.barred_value > 0:
            name = play.names.all[npc].name
            play.event(
                f"{name} is barred as {g.name}'s modifier for "
                f"{plural(bond.barred_value, 'Conflict')}",
                "F36",
                "is_barred",
                npc,
            )


def remove(play: Table, npc: str, round_: Round | None) -> None:
    """F54: a value below zero takes an inhabitant out of the game, for everybody."""
    state = play.state
    lost = state.inhabitants[npc]
    lost.gone = play.step.number
    if round_ is not None:
        round_.removed.append(npc)
    for g in state.sharers(npc):
        g.bonds[npc].gone = play.step.number
        id = bond_id(g.id, npc)
        play.move(f"relationship:{id}", BOX, value(play, g.id, npc), POINT, "F54", "lost for good")
        judge = state.judgment(g.player)
        if judge is None or judge.gladiator != g.id:
            continue
        same_roll = round_ is not None and judge.step == round_.result_step
        if same_roll or play.ruling("judgment_count") == "current":
            judge.size -= 1
            if play.balance(f"judgment:{g.player}", DIE) < 1:
                continue  # All its dice are lost already.
            play.move(f"judgment:{g.player}", BOX, 1, DIE, "F65", f"{lost.name} is lost")
    play.event(f"{lost.name} is gone for good", "F54", "leaves", npc)


def bring_back(play: Table, npc: str) -> None:
    """F54: a corrected value is not below zero: the inhabitant was never lost."""
    returning = play.state.inhabitants[npc]
    step, returning.gone, returning.fate = returning.gone, 0, ""
    returned = [f"relationship:{bond_id(g.id, npc)}" for g in play.state.gladiators.values()]
    for posting in list(play.ledger.postings):
        lost = posting.rule == "F54" and (posting.source in returned or posting.target in returned)
        if posting.step_number == step and (lost or posting.why == f"{returning.name} is lost"):
            play.reverse(posting, f"{returning.name} is not lost")
    for g in play.state.gladiators.values():
        if npc in g.bonds and g.bonds[npc].gone == step:
            g.bonds[npc].gone = 0
    play.event(f"{returning.name} was not lost", "F54", "returns", npc)


def doubts_of_roll(play: Table, ids: Iterable[str]) -> list[str]:
    """What is in doubt when it is in doubt how an Encounter went: what Gladiators won and lost by it, their
    Relationships, and what hangs on that."""
    doubts: list[str] = []
    for id in ids:
        doubts += [f"pool:{id}", f"bars:{id}", *(f"judgment:{player}" for player in play.seats)]
        for npc in play.state.gladiators[id].bonds:
            doubts += ["bonds", f"relationship:{bond_id(id, npc)}", f"fate:{npc}"]
    return doubts


def settle_points(
    play: Table, g: Gladiator, due: Due, points: dict[str, int], round_: Round
) -> None:
    """F53, F54: take points off; an inhabitant below zero is gone."""
    for npc, amount in points.items():
        if not amount or g.bond(npc) is None:
            continue
        account = f"relationship:{bond_id(g.id, npc)}"
        play.move(account, BOX, amount, POINT, "F53", "Victories of the winner")
    due.settled = dict(points)
    due.step = play.step.number
    for npc in points:
        is_low = g.bond(npc) is not None and value(play, g.id, npc) < 0
        if is_low and is_value_known(play, g, npc):
            remove(play, npc, round_)
        elif is_low:
            # It may have had more points than the log knows.
            play.unrecorded(f"fate:{npc}")
