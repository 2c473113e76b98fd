"""What is owed at the table: rolls to build, dice, points of the losers."""

from __future__ import annotations

from dataclasses import replace

from chronicle.core.diagnostic import plural
from chronicle.core.dice import D6
from chronicle.core.play import Due, Pad, Thrown
from chronicle.games.fight_sphere.build import GM_SIDE, SPHERE, build_order, shared
from chronicle.games.fight_sphere.state import Build, Conflict, Round, Stage
from chronicle.games.fight_sphere.table import Table
from chronicle.games.fight_sphere.throw import judges, ones_of


def due(play: Table) -> list[Due]:
    """What is owed now."""
    state = play.state
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return _of_round(play, round_)
    found: list[Due] = []
    if round_ is not None:
        for one in round_.dues.values():
            if not one.settled:
                name = state.gladiators[one.who].name
                points = plural(one.points, "point").partition(" ")[2]
                words = f"{points} off Relationships"
                found.append(Due(name, words, "lose", "F53", one.points, "point"))
    for conflict in state.open_conflicts:
        if conflict.stage is Stage.BUILDING:
            found += _of_conflict(play, conflict)
    return found


def _of_round(play: Table, round_: Round) -> list[Due]:
    names = play.state.gladiators
    waiting = [who for who in build_order(play, round_) if who not in round_.builds]
    if waiting:
        return [Due(names[who].name, "a roll to build", "stake", "F48") for who in waiting]
    found = []
    for who in round_.members:
        build = replace(round_.builds[who], free=shared(play, round_, who))
        found.append(_dice(names[who].name, build, "F55"))
    return found + _judging(round_)


def _of_conflict(play: Table, conflict: Conflict) -> list[Due]:
    name = play.state.gladiators[conflict.who].name
    tv = conflict.tv
    sphere = Due(SPHERE, _words(tv), "roll", "F23", tv, "d6", (("Threshold Value", tv),))
    return [_dice(name, conflict.build, "F25"), sphere, *_judging(conflict)]


def _dice(who: str, build: Build, rule: str) -> Due:
    return Due(who, _words(build.dice), "roll", rule, build.dice, "d6", tuple(build.parts()))


def _judging(contest: Conflict | Round) -> list[Due]:
    found = []
    for player, dice in judges(contest).items():
        words = plural(dice, "die", "dice").partition(" ")[2] + " of judgment"
        found.append(Due(player, words, "roll", "F67", dice, "judge"))
    return found


def _words(dice: int) -> str:
    return plural(dice, "die", "dice").partition(" ")[2]


def pad(play: Table, due: Due) -> Pad | None:
    """Six-sided dice, of which only ones count."""
    return Pad(D6.faces, ones_of(play)) if due.kind in ("d6", "judge") else None


def named(one: Thrown) -> Thrown:
    """What fell, under the name that a roll has it by."""
    return one._replace(who=GM_SIDE) if one.who == SPHERE else one
