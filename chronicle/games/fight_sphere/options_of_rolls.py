"""What may come next around a roll: building, declaring, rolling, and what follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from chronicle.core.answers import Offer, Option
from chronicle.games.fight_sphere.aftermath import failure
from chronicle.games.fight_sphere.build import GM_SIDE, bond_dice, build_order, shared
from chronicle.games.fight_sphere.state import Conflict, Gladiator, Round, Stage, Wager, pair
from chronicle.games.fight_sphere.table import Table, barred_for, on_turn, told_of

Entry = Callable[[Random], dict[str, Any]]


def _usable(play: Table, g: Gladiator) -> list[str]:
    """Whom a Gladiator may bring into a roll."""
    round_ = play.state.open_round
    paid = {npc for b in round_.builds.values() for npc in b.paid} if round_ else set()
    return [
        bond.npc
        for bond in g.living()
        if not barred_for(play, g, bond) and bond_dice(play, g, bond) > 0 and bond.npc not in paid
    ]


def built_from(play: Table, verb: str, by: str) -> Iterator[Offer]:
    """What those who build next can build their rolls from."""
    state = play.state
    round_ = state.open_round
    if verb == "stake" and round_ is not None and round_.stage is Stage.BUILDING:
        id = [first for first in build_order(play, round_) if first not in round_.builds]
    elif verb == "stake":
        id = [first.who for first in state.open_conflicts if not first.built]
    else:
        own = state.played_by(by or on_turn(play))
        id = [own.id] if own is not None else []
    most = round_.limit if verb == "stake" and round_ is not None else None
    for first in id:
        g = state.gladiators[first]
        have = play.balance(f"pool:{g.id}", "die")
        for dice in range(max(0, have if most is None else min(have, most)) + 1):
            yield Offer(("stake", g.name, "gamble", str(dice)), f"of {have}")
            if first == id[0]:
                yield Offer(("stake", "gamble", str(dice)), f"of {have}")
        usable = _usable(play, g)
        for npc, inhabitant in state.inhabitants.items():
            why = "" if npc in usable else f"no die of a Relationship with {g.name}"
            if not inhabitant.gone:
                yield Offer(("stake", g.name, "use", inhabitant.name), "", why)
                if first == id[0]:
                    yield Offer(("stake", "use", inhabitant.name), "", why)


def benefits(play: Table, verb: str) -> Iterator[Offer]:
    """The benefits of a reward, or of a cut-scene."""
    state = play.state
    key = "reward" if verb == "reward" else "gain"
    won = [first.who for first in state.open_conflicts if first.success and not first.reward]
    whose = [state.gladiators[id] for id in won] if verb == "reward" else [*state.npc_gladiators()]
    present_ids = [n for n in state.scene_npcs if not state.inhabitants[n].gone]
    yield Offer((key, "pool", "up 1"), "one more die")
    for g in whose:
        for npc in present_ids:
            if g.bond(npc) is None:
                yield Offer((key, "relationship", state.inhabitants[npc].name), g.name)
        for bond in g.living():
            if bond.npc in state.inhabitants and (bond.npc in present_ids or verb != "reward"):
                yield Offer((key, "raise", state.inhabitants[bond.npc].name), g.name)


def losses(play: Table) -> Iterator[Offer]:
    """Whose Relationships pay for a lost Encounter."""
    round_ = play.state.open_round
    for due in round_.dues.values() if round_ is not None else ():
        if not due.settled:
            name = play.state.gladiators[due.who].name
            for npc in due.used:
                for points in range(due.points + 1):
                    word = play.names.all[npc].name
                    yield Offer(("lose", name, word, str(points)), f"of {due.points}")


def _stake(play: Table, g: Gladiator, most: int | None) -> Entry:
    def entry(rng: Random) -> dict[str, Any]:
        have = play.balance(f"pool:{g.id}", "die")
        usable = _usable(play, g)
        stake: dict[str, Any] = {}
        if usable and have > 0 and rng.random() < 0.6:
            chosen = rng.sample(usable, min(len(usable), have, rng.randint(1, 2)))
            stake["use"] = [play.names.all[npc].name for npc in chosen]
            have -= len(chosen)
        stake["gamble"] = rng.randint(0, max(0, min(have, 4 if most is None else most)))
        if rng.random() < 0.4:
            stake["background"] = "a detail"
        return {"stake": {g.name: stake}}

    return entry


def _faces(rng: Random, dice: int) -> list[int]:
    return [rng.randint(1, 6) for _ in range(dice)]


def ordinary(play: Table, conflict: Conflict) -> Iterator[Option]:
    """An ordinary Conflict that is not rolled yet."""
    g = play.state.gladiators[conflict.who]
    runner = play.runner or GM_SIDE
    if not conflict.built:
        yield Option("stake", g.player, f"{g.name} builds the roll", "F27", _stake(play, g, None))

    def entry(rng: Random) -> dict[str, Any]:
        dice = [(g.name, conflict.build.dice), (runner, conflict.tv)]
        return _thrown(rng, dice, conflict.wagers)

    yield Option("roll", g.player, f"roll against {conflict.tv}", "F23", entry)


def building(play: Table, round_: Round) -> Iterator[Option]:
    """An Encounter that is not rolled yet."""
    state = play.state
    waiting = [id for id in build_order(play, round_) if id not in round_.builds]
    if waiting:
        g = state.gladiators[waiting[0]]
        yield Option(
            "stake",
            play.runner if g.npc else g.player,
            f"{g.name} builds next",
            "F48" if waiting[0] == round_.initiative else "F49",
            _stake(play, g, round_.limit),
        )
        return
    if not all(pair(*both) in round_.truces for both in round_.pairs()):
        yield Option("roll", "", "everybody rolls", "F50", _roll(play, round_))


def _roll(play: Table, round_: Round) -> Entry:
    def entry(rng: Random) -> dict[str, Any]:
        builds = (
            (id, replace(round_.builds[id], free=shared(play, round_, id))) for id in round_.members
        )
        dice = [(play.state.gladiators[id].name, build.dice) for id, build in builds]
        return _thrown(rng, dice, round_.wagers)

    return entry


def _thrown(rng: Random, dice: list[tuple[str, int]], wagers: list[Wager]) -> dict[str, Any]:
    judging = Counter[str]()
    for wager in wagers:
        judging[wager.player] += wager.dice
    return {"roll": {id: _faces(rng, count) for id, count in (*dice, *judging.items())}}


def is_owed(play: Table) -> bool:
    """Whether something has to come before the next Scene: points, a cut-scene, harm."""
    state = play.state
    round_ = state.open_round
    if round_ is not None and any(not due.settled for due in round_.dues.values()):
        return True
    failed = failure(play)
    if failed is not None and not failed.answer and state.npc_gladiators():
        return True
    return any(
        conflict.stage is Stage.ROLLED
        and not conflict.success
        and not state.scene_closed
        and any(not told_of(play, id, conflict.result_step) for id in conflict.harm_due)
        for conflict in state.open_conflicts
    )
