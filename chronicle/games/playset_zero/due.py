"""What is owed at the table: a goal, dangers, dice, and what the hits buy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from chronicle.core.answers import Due, Pad, Thrown
from chronicle.core.diagnostic import plural
from chronicle.core.dice import D6, D8, D10, written
from chronicle.core.house_rules import expected
from chronicle.core.play import Play
from chronicle.games.playset_zero.computed import LEAST
from chronicle.games.playset_zero.dangers import dangers_due
from chronicle.games.playset_zero.helping import a_hit
from chronicle.games.playset_zero.rolls import told_odds
from chronicle.games.playset_zero.state import (
    COLOURS,
    HIT,
    EffortRecord,
    Pool,
    RollRecord,
    Stage,
    State,
)
from chronicle.games.playset_zero.table import others


def due(play: Play[State]) -> list[Due]:
    """What is owed now."""
    state = play.state
    roll = state.running()
    if roll is None:
        call = state.call
        if call is None:
            return []
        who = state.characters[call.asks].name
        return [Due(who, "a goal", "goal", "Z14")]
    if roll.stage is Stage.ROLLED:
        return [_hits(roll, "Z28")] if roll.goals else []
    return [*_dangers(play, roll), *_rolls(roll)]


def _dangers(play: Play[State], roll: RollRecord) -> list[Due]:
    least, _ = dangers_due(play, roll)
    if not roll.goals or len(roll.dangers) >= least:
        return []
    named = [item.author for item in roll.dangers]
    rest = others(play, roll.player)
    waiting = [name for name in rest if name not in named and name in play.present]
    missing = least - len(roll.dangers)
    if roll.grade or len(waiting) != missing:
        words = plural(missing, "danger").partition(" ")[2] + " to name"
        return [Due("", words, "danger", "Z45" if roll.grade else "Z15", missing, "danger")]
    return [Due(name, "a danger to name", "danger", "Z15") for name in waiting]


def _rolls(roll: RollRecord) -> Iterator[Due]:
    for effort in roll.efforts:
        if not effort.rolled:
            yield from _dice(effort.name, effort.pool, "Z42" if effort.hinders else "Z41")
        elif not effort.spent and any(die.hit for die in effort.dice):
            yield _hits(effort, "Z42" if effort.hinders else "Z41")
    yield from _dice(roll.name, roll.pool, "Z16")


def _dice(who: str, pool: Pool, rule: str) -> Iterator[Due]:
    sources = {
        "d8": ((pool.d8, 1),),
        "d10": ((pool.d10, 1),),
        "adv": tuple(Counter(pool.reds).items()),
    }
    for die, count in pool.counts().items():
        if count and not pool.doubtful:
            kind = COLOURS[die]
            name = f"{kind} d6" if die in ("d6", "adv") else die
            yield Due(who, name, "roll", rule, count, kind, sources.get(die, ()))


def _hits(thrown: RollRecord | EffortRecord, rule: str) -> Due:
    hits = sum(1 for die in thrown.dice if die.hit)
    words = (plural(hits, "hit").partition(" ")[2] if hits else "hits") + " to spend"
    return Due(thrown.name, words, "spend", rule, hits, "hit")


def odds(play: Play[State], due: Sequence[Due]) -> list[str]:
    """How likely the dice of whoever rolls next bring hits."""
    roll = play.state.running()
    first = next((one.who for one in due if one.verb == "roll"), "")
    if roll is None or not first:
        return []
    effort = next((one for one in roll.efforts if one.name == first and not one.rolled), None)
    if effort is not None:
        return [f"{first}: {a_hit(_counting(play, effort))}"]
    return [told_odds(play, replace(roll, pool=_counting(play, roll)))]


def _counting(play: Play[State], one: RollRecord | EffortRecord) -> Pool:
    """A pool whose hits are those that will count when it falls."""
    whose = one.character or one.player
    return replace(one.pool, hit=expected(play, LEAST, HIT, whose, one.pool))


def pad(play: Play[State], due: Due) -> Pad | None:
    """Dice by their colour: five or more is a hit."""
    die = {"white": D6, "green": D8, "yellow": D10, "red": D6}.get(due.kind)
    roll = play.state.running()
    if die is None or roll is None:
        return None
    one = next((effort for effort in roll.efforts if effort.name == due.who), None) or roll
    hit = _counting(play, one).hit
    return Pad(die.faces, tuple(face for face in die.faces if int(face) >= hit), colour=due.kind)


def thrown(verb: str, dice: Sequence[Thrown], within: str) -> dict[str, Any]:
    """Faces by die, of whoever rolls first."""
    names = {colour: die for die, colour in COLOURS.items()}
    first = dice[0].who if dice else ""
    own = [one for one in dice if one.who == first]
    return {verb: {names[one.kind]: written(one.faces) for one in own}}
