"""What losing an Encounter costs: dice, Gladiators, Relationships; and who gets away (F51 to F54, F57)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from chronicle.core.diagnostic import listed, plural
from chronicle.games.fight_sphere.bonds import bar, settle_points
from chronicle.games.fight_sphere.build import (
    gamble_back,
)
from chronicle.games.fight_sphere.falls import (
    fell,
    leave_encounter,
)
from chronicle.games.fight_sphere.state import (
    BOX,
    DIE,
    Build,
    Due,
    Encounter,
    Round,
    bond_id,
)
from chronicle.games.fight_sphere.table import (
    Table,
    find_gladiators,
    pool,
    value,
)
from chronicle.games.fight_sphere.throw import (
    Thrown,
)


def who_gets_away(round_: Round) -> list[str]:
    """F57: the ids of those who declared to disengage and won against everyone."""
    return [
        id for id in round_.members if round_.builds[id].disengage and round_.won_against_all(id)
    ]


def take_losses(play: Table, round_: Round) -> None:
    """F51: the gamble once, and the Victories of every pair lost."""
    spared = play.ruling("disengage_harm") == "no"
    for id in round_.members:
        build = round_.builds[id]
        lost = [c for c in round_.compared if c.loser == id]
        if spared:
            lost = [c for c in lost if not round_.builds[c.winner].disengage]
        on_table = play.balance(f"gamble:{id}", DIE)
        if not lost:
            gamble_back(play, build, "F51")
            _refund(play, round_, build)
            continue
        victories = sum(abs(c.victories) for c in lost)
        play.move(f"gamble:{id}", BOX, on_table, DIE, "F51", "gamble lost")
        extra = 0
        if play.ruling("gamble_multi") == "per-pair":
            extra = build.gamble * (len(lost) - 1)
            play.move(f"pool:{id}", BOX, extra, DIE, "FA7", "gamble lost once more a pair")
        play.move(f"pool:{id}", BOX, victories, DIE, "F51", f"{victories} Victories of others")
        if build.unnamed:
            bonds = play.state.gladiators[id].living()
            play.unrecorded(*(f"relationship:{bond_id(id, bond.npc)}" for bond in bonds))
        round_.losses[id] = (on_table + extra, victories)
        name = play.state.gladiators[id].name
        play.event(
            f"{name} loses the gamble of {on_table + extra} and {victories} more: "
            f"the pool is {pool(play, id)}",
            "F51",
            "loses",
            id,
        )


def leave_losses_open(play: Table, round_: Round, losers: Sequence[str]) -> None:
    """F61: these have lost nothing, or less, if a gap hides a truce of theirs."""
    for id in losers:
        used = round_.builds[id].used()
        play.unrecorded(f"pool:{id}", *(f"relationship:{bond_id(id, npc)}" for npc in used))
    if losers:
        play.unrecorded(*(f"judgment:{wager.player}" for wager in round_.wagers))


def _refund(play: Table, round_: Round, build: Build) -> None:
    won = any(c.winner == build.who for c in round_.compared)
    if won and build.price and play.ruling("winner_costs") == "purchase-back":
        why = "purchase dice back to the winner"
        play.move(BOX, f"pool:{build.who}", build.price, DIE, "FA16", why)


def take_falls(play: Table, round_: Round) -> None:
    """F52: below zero, not at zero."""
    for id in round_.members:
        if pool(play, id) < 0:
            gladiator = play.state.gladiators[id]
            round_.fallen.append(id)
            is_known = not play.uncertain_since(f"pool:{id}", "pools")
            fell(play, gladiator)
            if not is_known:
                gladiator.fate_known_from = 0


def owe_points(play: Table, round_: Round, doubtful: Collection[str]) -> None:
    """F53: as many points off the Relationships used. With one of them there is nothing to choose. The ``doubtful``
    losers may have lost less."""
    if play.ruling("encounter_rewards") == "ordinary":
        for id in round_.losses:
            bar(play, play.state.gladiators[id], round_.builds[id].used())
    paid_only = play.ruling("free_shared_loss") == "paid-only"
    for id, (_, lost) in round_.losses.items():
        g = play.state.gladiators[id]
        build = round_.builds[id]
        used = list(build.paid) if paid_only else build.used()
        worth = {npc: value(play, id, npc) for npc in used if npc in g.bonds}
        if not worth:
            continue
        points = lost
        if play.ruling("excess_points") == "capped":
            points = min(points, sum(max(0, dice) + 1 for dice in worth.values()))
        round_.dues[id] = Due(
            id, points, worth, step=play.step.number, is_certain=id not in doubtful
        )
    # All lose together: the points of one loser do not change those of the others.
    for id, due in round_.dues.items():
        g, used, points = play.state.gladiators[id], due.used, due.points
        if len(used) == 1:
            due.forced = True
            settle_points(play, g, due, {used[0]: points}, round_)
            play.event(
                f"{g.name}'s Relationship with {play.names.all[used[0]].name} loses "
                f"{plural(points, 'point')}",
                "F53",
                "shrinks",
                used[0],
            )
        else:
            names = listed(play.names.all[npc].name for npc in used)
            play.event(
                f"{g.name} has to take {plural(points, 'point')} off {names}", "F53", "owes", id
            )


def let_go(play: Table, action: Thrown, round_: Round, encounter: Encounter) -> None:
    """F57: away is who declared it and won against everyone, or of whom the log says so."""
    state, leavers = play.state, who_gets_away(round_)
    if action.disengaged is not None:
        stated = find_gladiators(play, action.disengaged)
        leavers = [gladiator.id for gladiator in stated if gladiator.id in encounter.members]
    for id in leavers:
        round_.away.append(id)
        encounter.left.append((id, play.step.number))
        encounter.opponents_left[id] = [rival for rival in round_.members if rival != id]
        play.event(f"{state.gladiators[id].name} disengages", "F57", "disengages", id)
        if id in encounter.members:
            leave_encounter(play, encounter, id)
    for id in round_.members:
        if round_.builds[id].disengage and id not in leavers:
            play.event(f"{state.gladiators[id].name} does not get away", "F57", "stays", id)


def has_succeeded(play: Table, round_: Round, id: str) -> bool:
    """FA39: whether a side of an Encounter that judges backed has succeeded."""
    if play.ruling("judge_success") == "beats-all":
        return round_.won_against_all(id)
    own = [c for c in round_.compared if id in (c.one, c.other)]
    return any(c.winner == id for c in own) and not any(c.loser == id for c in own)
