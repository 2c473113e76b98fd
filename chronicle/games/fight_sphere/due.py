"""What is owed at the table: rolls to build, dice, points of the losers."""

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
    found: list[Due] = []
    for one in round_.dues.values() if round_ is not None else ():
        if not one.settled:
            words = plural(one.points, "point").partition(" ")[2] + " off Relationships"
            name = state.gladiators[one.who].name
            found.append(Due(name, words, "lose", "F53", one.points, "point"))
    for contest in state.open_conflicts:
        if contest.stage is Stage.BUILDING:
            found += _of_conflict(play, contest)
    return found


def _of_round(play: Table, round_: Round) -> list[Due]:
    names = play.state.gladiators
    waiting = [who for who in build_order(play, round_) if who not in round_.builds]
    if waiting:
        return [Due(names[who].name, "a roll to build", "stake", "F48") for who in waiting]
    dice = [_dice(names[who].name, _shared(play, round_, who), "F55") for who in round_.members]
    return [*dice, *_judging(round_)]


def _shared(play: Table, round_: Round, who: str) -> Build:
    return replace(round_.builds[who], free=shared(play, round_, who))


def _of_conflict(play: Table, one: Conflict) -> list[Due]:
    name = play.state.gladiators[one.who].name
    tv = one.tv
    sphere = Due(SPHERE, _words(tv), "roll", "F23", tv, "d6", (("Threshold Value", tv),))
    return [_dice(name, one.build, "F25"), sphere, *_judging(one)]


def _dice(who: str, build: Build, rule: str) -> Due:
    return Due(who, _words(build.dice), "roll", rule, build.dice, "d6", tuple(build.parts()))


def _judging(contest: Conflict | Round) -> Iterator[Due]:
    for player, dice in judges(contest).items():
        yield Due(player, f"{_words(dice)} of judgment", "roll", "F67", dice, "judge")


def _words(dice: int) -> str:
    return plural(dice, "die", "dice").partition(" ")[2]


def odds(play: Table, due: Sequence[Due]) -> list[str]:
    """How likely it is who shows more ones."""
    round_, falls = play.state.open_round, {one.verb for one in due} == {"roll"}
    if not falls:
        return []
    if round_ is not None and round_.stage is Stage.BUILDING:
        builds = {who: _shared(play, round_, who) for who in round_.members}
        dice = {who: build.dice + wagered(round_, who) for who, build in builds.items()}
        told = clash.told_odds(play, round_, dice)
        return [told] if told else []
    open_ = [one for one in play.state.open_conflicts if one.stage is Stage.BUILDING]
    return [conflict.told_odds(play, one) for one in open_] if len(open_) == 1 else []


def pad(play: Table, due: Due) -> Pad | None:
    """Six-sided dice, of which only ones count."""
    return Pad(D6.faces, ones_of(play)) if due.kind in ("d6", "judge") else None


def named(one: Thrown) -> Thrown:
    """What fell, under the name that a roll has it by."""
    return one._replace(who=GM_SIDE) if one.who == SPHERE else one
