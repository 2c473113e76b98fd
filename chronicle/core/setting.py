"""Setting a figure: one way for what stands above ``play starts:``, for counting anew and for ``correct:``.

A value that a figure cannot have is told, and nothing is set; what the new value means (the end of the
game, a wound, a death) follows as it does in play, both ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chronicle.core.declare import CHANGE, WHOLE, Misread, number_meant, read_value, shown
from chronicle.core.diagnostic import either
from chronicle.core.fix import Fix, replace_with
from chronicle.core.names import Named
from chronicle.core.play import Limits, Measure, Play
from chronicle.core.source import Word, place_of

SAME: Final[Mapping[str, str]] = {
    "true": "yes",
    "y": "yes",
    "on": "yes",
    "false": "no",
    "n": "no",
    "off": "no",
}
"""Other words for yes and no."""


def same_figure(play: Play[Any], measure: Measure, stated: str, actual: int | str) -> bool:
    """Whether a stated figure means the computed one."""
    named = play.names.find(stated, measure.names) if measure.names else None
    if isinstance(named, Named):
        stated = named.name
    if isinstance(actual, int):
        try:
            return read_value(WHOLE, Word(stated)) == actual
        except Misread:
            return False
    said = " ".join(stated.split()).casefold()
    return SAME.get(said, said) == actual.casefold()


def set_figure(
    play: Play[Any], name: str, measure: Measure, id: str, stated: Word, whose: str
) -> bool:
    """Make a figure what is stated; ``up 2`` and ``down 1`` change it. False, and told, if it cannot
    be that (T60 if it is no such figure at all, else the rule that bounds it)."""
    if measure.write is None:
        return False
    was = measure.read(play, id)
    counted = isinstance(was, int) or measure.limits is not None
    if counted and " ".join(stated.split()).casefold() not in measure.words:
        limits = measure.limits(play, id) if measure.limits is not None else Limits()
        value = _whole(play, was, stated, whose, limits)
        if value is None or not _within(play, measure, id, int(value), stated, whose, limits):
            return False
    else:
        value = _word(play, measure, stated, whose)
        if value is None:
            return False
    if measure.write(play, id, stated.like(value)) is False:
        _refuse(play, stated, f"{whose} cannot be {shown(stated)}")
        return False
    if measure.crossed is not None:
        measure.crossed(play, id, was)
    return True


def _whole(
    play: Play[Any], was: int | str | None, stated: Word, whose: str, limits: Limits
) -> str | None:
    change, help = None, ""
    fixes: tuple[Fix, ...] = ()
    try:
        change = read_value(CHANGE, stated)
    except Misread as wrong:
        meant, help = number_meant(stated), wrong.help
        fixes = replace_with(wrong.instead)
        if meant is not None and not limits.hold(meant):
            fixes = ()
            help = f"it cannot be {meant}; it is {was} now: write what it is to be, or  up 1  or  down 1"
    if change is None or (change.by is not None and not isinstance(was, int)):
        _refuse(
            play,
            stated,
            f"a whole number expected for {whose}, found {shown(stated)}",
            help or f"it is {was} now: write what it is to be, or  up 1  or  down 1",
            fixes or (replace_with([str(was)], is_told=True) if was is not None else ()),
        )
        return None
    return str(int(was or 0) + change.by if change.by is not None else change.to)


def _word(play: Play[Any], measure: Measure, stated: Word, whose: str) -> str | None:
    said = " ".join(stated.split())
    if measure.names and said.casefold() not in measure.words:
        named = play.names.find(stated, measure.names)
        if isinstance(named, Named):
            return named.name
        _refuse(
            play,
            stated,
            f"{whose} is a {either(measure.names)}, not {shown(stated)}{named.message}",
            fixes=replace_with(named.meant, is_told=True),
        )
        return None
    if not measure.words:
        return said
    said = SAME.get(said.casefold(), said.casefold())
    if said in measure.words:
        return said
    message = f"{whose} is {either(measure.words)}, not {shown(stated)}"
    _refuse(play, stated, message, fixes=replace_with(measure.words, is_told=True))
    return None


def _within(
    play: Play[Any],
    measure: Measure,
    id: str,
    number: int,
    stated: Word,
    whose: str,
    limits: Limits,
) -> bool:
    if limits.hold(number):
        return True
    low = limits.least is not None and number < limits.least
    bound = f"at least {limits.least}" if low else f"at most {limits.most}"
    return play.illegal(
        limits.rule or (measure.rule(play, id) if measure.rule is not None else "") or "T60",
        f"{whose} is {bound}; it cannot be {number}",
        at=place_of(stated, play.step.action.path),
        fix=replace_with([str(limits.least if low else limits.most)], is_told=True),
    )


def _refuse(
    play: Play[Any], stated: Word, message: str, help: str = "", fixes: Sequence[Fix] = ()
) -> None:
    at = place_of(stated, play.step.action.path)
    play.unreadable("T60", message, at=at, fix=fixes, help=help or ())
