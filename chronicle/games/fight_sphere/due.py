"""The open obligations: rolls to build, dice, points of the losers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chronicle.core.answers import Due, Pad, Thrown
from chronicle.core.diagnostic import plural
from chronicle.core.dice import D6
from chronicle.games.fight_sphere import clash, conflict
from chronicle.games.fight_sphere.build import GM_SIDE, SPHERE, build_order, shared
from chronicle.games.fight_sphere.state import Build, Conflict, Round, Stage
from chronicle.games.fight_sphere.table import Table
from chronicle.games.fight_sphere.throw import judges, ones_of, wagered


def due(play: Table) -> list[Due]:
    """What is owed now."""
    state = play.state
    round_ = state.open_round
    if round_ is not None and round_.stage is Stage.BUILDING:
        return _of_round(play, round_)
    obligations: list[Due] = []
    for first in round_.dues.values() if round_ is not None else ():
        if not first.settled:
            words = plural(first.points, "point").partition(" ")[2] + " off Relationships"
            name = state.gladiators[first.who].name
            obligations.append(Due(name, words, "lose", "F53", first.points, "point"))
    for contest in state.open_conflicts:
        if contest.stage is Stage.BUILDING:
            obligations += _of_conflict(play, contest)
    return obligations


def _of_round(play: Table, round_: Round) -> list[Due]:
    names = play.state.gladiators
    waiting = [id for id in build_order(play, round_) if id not in round_.builds]
    if waiting:
        return [Due(names[id].name, "a roll to build", "stake", "F48") for id in waiting]
    dice = [_dice(names[id].name, _shared(play, round_, id), "F55") for id in round_.members]
    return [*dice, *_judging(round_)]


def _shared(play: Table, round_: Round, id: str) -> Build:
    return replace(round_.builds[id], free=shared(play, round_, id))


def _of_conflict(play: Table, first: Conflict) -> list[Due]:
    name = play.state.gladiators[first.who].name
    tv = first.tv
    sphere = Due(SPHERE, _words(tv), "roll", "F23", tv, "d6", (("Threshold Value", tv),))
    return [_dice(name, first.build, "F25"), sphere, *_judging(first)]


def _dice(id: str, build: Build, rule: str) -> Due:
    return Due(id, _words(build.dice), "roll", rule, build.dice, "d6", tuple(build.parts()))


def _judging(contest: Conflict | Round) -> Iterator[Due]:
    for player, dice in judges(contest).items():
        yield Due(player, f"{_words(dice)} of judgment", "roll", "F67", dice, "judge")


def _words(dice: int) -> str:
    return plural(dice, "die", "dice").partition(" ")[2]


def odds(play: Table, due: Sequence[Due]) -> list[str]:
    """How likely it is who shows more ones."""
    round_, falls = play.state.open_round, {first.verb for first in due} == {"roll"}
    if not falls:
        return []
    if round_ is not None and round_.stage is Stage.BUILDING:
        builds = {id: _shared(play, round_, id) for id in round_.members}
        dice = {id: build.dice + wagered(round_, id) for id, build in builds.items()}
        stated = clash.told_odds(play, round_, dice)
        return [stated] if stated else []
    open_ = [first for first in play.state.open_conflicts if first.stage is Stage.BUILDING]
    return [conflict.told_odds(play, first) for first in open_] if len(open_) == 1 else []


def pad(play: Table, due: Due) -> Pad | None:
    """Six-sided dice. Only ones count."""
    return Pad(D6.faces, ones_of(play)) if due.kind in ("d6", "judge") else None


def named(first: Thrown) -> Thrown:
    """What fell, under the name that a roll has it by."""
    return first._replace(who=GM_SIDE) if first.who == SPHERE else first
