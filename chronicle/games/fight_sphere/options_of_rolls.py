"""What may come next around a roll: building, declaring, rolling, and what follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from chronicle.core.answers import Offer, Option, one_of
from chronicle.core.diagnostic import plural
from chronicle.games.fight_sphere.aftermath import failure, may_come_back
from chronicle.games.fight_sphere.build import GM_SIDE, bond_dice, build_order, shared
from chronicle.games.fight_sphere.state import Conflict, Gladiator, Round, Stage, Wager, pair
from chronicle.games.fight_sphere.table import Table, barred_for, on_turn, whose_scene

Entry = Callable[[Random], dict[str, Any]]

_WORDS = ("Steam closes over it", "Somebody laughs", "They carry the lamp away")


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
        who = [one for one in build_order(play, round_) if one not in round_.builds]
    elif verb == "stake":
        who = [one.who for one in state.open_conflicts if not one.built]
    else:
        own = state.played_by(by or on_turn(play))
        who = [own.id] if own is not None else []
    most = round_.limit if verb == "stake" and round_ is not None else None
    for one in who:
        g = state.gladiators[one]
        have = play.balance(f"pool:{g.id}", "die")
        for dice in range(max(0, have if most is None else min(have, most)) + 1):
            yield Offer(("stake", g.name, "gamble", str(dice)), f"of {have}")
            if one == who[0]:
                yield Offer(("stake", "gamble", str(dice)), f"of {have}")
        usable = _usable(play, g)
        for npc, inhabitant in state.inhabitants.items():
            why = "" if npc in usable else f"no die of a Relationship with {g.name}"
            if not inhabitant.gone:
                yield Offer(("stake", g.name, "use", inhabitant.name), "", why)
                if one == who[0]:
                    yield Offer(("stake", "use", inhabitant.name), "", why)


def benefits(play: Table, verb: str) -> Iterator[Offer]:
    """What a reward brings whoever has won, or a cut-scene the one who is shown."""
    state = play.state
    key = "reward" if verb == "reward" else "gain"
    won = [one.who for one in state.open_conflicts if one.success and not one.reward]
    whose = (
        [state.gladiators[who] for who in won] if verb == "reward" else [*state.npc_gladiators()]
    )
    there = [n for n in state.scene_npcs if not state.inhabitants[n].gone]
    yield Offer((key, "pool", "up 1"), "one more die")
    for g in whose:
        for npc in there:
            if g.bond(npc) is None:
                yield Offer((key, "relationship", state.inhabitants[npc].name), g.name)
        for bond in g.living():
            if bond.npc in state.inhabitants and (bond.npc in there or verb != "reward"):
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
    waiting = [who for who in build_order(play, round_) if who not in round_.builds]
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
            (who, replace(round_.builds[who], free=shared(play, round_, who)))
            for who in round_.members
        )
        dice = [(play.state.gladiators[who].name, build.dice) for who, build in builds]
        return _thrown(rng, dice, round_.wagers)

    return entry


def _thrown(rng: Random, dice: list[tuple[str, int]], wagers: list[Wager]) -> dict[str, Any]:
    judging = [(wager.player, wager.dice) for wager in wagers]
    return {"roll": {who: _faces(rng, count) for who, count in (*dice, *judging)}}


def after_roll(play: Table) -> Iterable[Option] | None:
    """What has to come before anything else: points, cut-scenes, harm."""
    state = play.state
    round_ = state.open_round
    if round_ is not None:
        for due in round_.dues.values():
            if not due.settled:
                g = state.gladiators[due.who]
                return [
                    Option(
                        "lose",
                        play.runner if g.npc else g.player,
                        f"{g.name} takes {plural(due.points, 'point')} off Relationships",
                        "F53",
                        _points(play, g, due.used, due.points),
                    )
                ]
    failed = failure(play)
    if failed is not None and not failed.answer and state.npc_gladiators():
        return _answers(play, failed)
    for conflict in state.open_conflicts:
        hurt = [
            npc
            for npc in conflict.harm_due
            if not any(step >= conflict.result_step for step, _ in state.inhabitants[npc].harms)
        ]
        if (
            conflict.stage is Stage.ROLLED
            and not conflict.success
            and hurt
            and not state.scene_closed
        ):
            harm = {state.inhabitants[npc].name: "hurt in the fall" for npc in hurt}
            return [
                Option.plain(
                    "end scene",
                    conflict.player,
                    "close the Scene and tell what happens to those who helped",
                    "F37",
                    "It ends badly",
                    harm=harm,
                )
            ]
    return None


def _points(play: Table, g: Gladiator, used: list[str], points: int) -> Entry:
    def entry(rng: Random) -> dict[str, Any]:
        first = rng.randint(0, points)
        names = [play.names.all[npc].name for npc in used]
        return {"lose": {g.name: {names[0]: first, names[1]: points - first}}}

    return entry


def _answers(play: Table, failed: Conflict) -> Iterator[Option]:
    state = play.state
    g = state.gladiators[failed.who]
    for npc in state.npc_gladiators():
        yield Option(
            "cut scene", play.runner, f"a cut-scene shows {npc.name}", "F38", _cut(play, npc)
        )
    for npc in may_come_back(play, g):
        yield Option.plain(
            "resume",
            play.runner,
            f"the Encounter with {npc.name} goes on at {g.player}'s next turn",
            "F39",
            npc.name,
        )


def _cut(play: Table, npc: Gladiator) -> Entry:
    state = play.state

    def entry(rng: Random) -> dict[str, Any]:
        made: dict[str, Any] = {"cut scene": npc.name}
        there = [n for n in state.scene_npcs if not state.inhabitants[n].gone]
        new = [state.inhabitants[n].name for n in there if npc.bond(n) is None]
        known = [play.names.all[b.npc].name for b in npc.living()]
        kinds = ["pool", *(["relationship"] if new else []), *(["raise"] if known else []), ""]
        match rng.choice(kinds):
            case "pool":
                made["gain"] = {"pool": "up 1"}
            case "relationship":
                made["gain"] = {"relationship": rng.choice(new)}
            case "raise":
                made["gain"] = {"raise": rng.choice(known)}
        return made

    return entry


def closing(play: Table) -> Iterator[Option]:
    """What may still be told of the Scene at hand."""
    state = play.state
    for conflict in state.open_conflicts:
        if conflict.stage is Stage.ROLLED and conflict.success and not conflict.reward:
            yield Option(
                "reward",
                conflict.player,
                f"{state.gladiators[conflict.who].name} may take a reward",
                "F30",
                _reward(play, conflict),
            )
    if state.open_round is not None:
        for who in state.open_round.fallen:
            if who not in state.falls:
                name = state.gladiators[who].name
                yield Option.plain("fall", "", f"tell how {name} falls", "F52", name)
    if state.scene_step and not state.scene_closed:
        yield Option.plain("end scene", whose_scene(play), "close the Scene", "F29", one_of(_WORDS))


def _reward(play: Table, conflict: Conflict) -> Entry:
    state = play.state
    g = state.gladiators[conflict.who]

    def entry(rng: Random) -> dict[str, Any]:
        there = [n for n in state.scene_npcs if not state.inhabitants[n].gone]
        new = [state.inhabitants[n].name for n in there if g.bond(n) is None]
        known = [state.inhabitants[n].name for n in there if g.bond(n) is not None]
        kinds = ["pool", *(["relationship"] * 2 if new else []), *(["raise"] if known else [])]
        match rng.choice(kinds):
            case "relationship":
                gain: dict[str, Any] = {"relationship": rng.choice(new)}
            case "raise":
                gain = {"raise": rng.choice(known)}
            case _:
                gain = {"pool": "up 1"}
        return {"reward": gain, "by": g.name}

    return entry
