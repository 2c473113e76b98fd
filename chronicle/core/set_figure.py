"""Set a figure: used for ``play starts:``, for stated figures and for ``correct:``.

An impossible value is reported and not set. The consequences of the new value (the end of the game, a wound,
a death) follow as in play, in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chronicle.core.answers import Limits
from chronicle.core.declare import read_value
from chronicle.core.diagnostic import either
from chronicle.core.fix import Fix, replace_with
from chronicle.core.kinds import WHOLE, Misread, number_meant, shown
from chronicle.core.names import Named
from chronicle.core.play import Measure, Play
from chronicle.core.play_kinds import CHANGE
from chronicle.core.source import ScalarNode, place_of

SYNONYMS: Final[Mapping[str, str]] = {
    "true": "yes",
    "y": "yes",
    "on": "yes",
    "false": "no",
    "n": "no",
    "off": "no",
}
"""Other words for yes and no."""


def same_figure(play: Play[Any], measure: Measure, stated: str, actual: int | str) -> bool:
    """Whether a stated figure equals the computed one."""
    named = play.names.find(stated, measure.names) if measure.names else None
    if isinstance(named, Named):
        stated = named.name
    if isinstance(actual, int):
        try:
            return read_value(WHOLE, ScalarNode(stated)) == actual
        except Misread:
            return False
    text = " ".join(stated.split()).casefold()
    return SYNONYMS.get(text, text) == actual.casefold()


def set_figure(
    play: Play[Any], name: str, measure: Measure, id: str, stated: ScalarNode, whose: str
) -> bool:
    """Set a figure to the stated value; ``up 2`` and ``down 1`` change it.

    Returns:
        Whether it was set. If not, the problem is reported: T60 for an invalid value, else the rule that
            limits the figure.
    """
    if measure.write is None:
        return False
    previous = measure.read(play, id)
    counted = isinstance(previous, int) or measure.limits is not None
    if counted and " ".join(stated.split()).casefold() not in measure.words:
        limits = measure.limits(play, id) if measure.limits is not None else Limits()
        value = _read_number(play, previous, stated, whose, limits)
        if value is None or not _is_within(play, measure, id, int(value), stated, whose, limits):
            return False
    else:
        value = _read_word(play, measure, stated, whose)
        if value is None:
            return False
    if measure.write(play, id, stated.like(value)) is False:
        _refuse(play, stated, f"{whose} cannot be {shown(stated)}")
        return False
    if measure.crossed is not None:
        measure.crossed(play, id, previous)
    return True


def _read_number(
    play: Play[Any], previous: int | str | None, stated: ScalarNode, whose: str, limits: Limits
) -> str | None:
    change, help = None, ""
    fixes: tuple[Fix, ...] = ()
    try:
        change = read_value(CHANGE, stated)
    except Misread as wrong:
        intended, help = number_meant(stated), wrong.help
        fixes = replace_with(wrong.instead)
        if intended is not None and not limits.hold(intended):
            fixes = ()
            help = f"it cannot be {intended}; it is {previous} now: write what it is to be, or  up 1  or  down 1"
    if change is None or (change.by is not None and not isinstance(previous, int)):
        _refuse(
            play,
            stated,
            f"a whole number expected for {whose}, found {shown(stated)}",
            help or f"it is {previous} now: write what it is to be, or  up 1  or  down 1",
            fixes or (replace_with([str(previous)], is_told=True) if previous is not None else ()),
        )
        return None
    return str(int(previous or 0) + change.by if change.by is not None else change.to)


def _read_word(play: Play[Any], measure: Measure, stated: ScalarNode, whose: str) -> str | None:
    text = " ".join(stated.split())
    if measure.names and text.casefold() not in measure.words:
        named = play.names.find(stated, measure.names)
        if isinstance(named, Named):
            return named.name
        _refuse(
            play,
            stated,
            f"{whose} is a {either(measure.names)}, not {shown(stated)}{named.message}",
            fixes=replace_with(named.similar, is_told=True),
        )
        return None
    if not measure.words:
        return text
    text = SYNONYMS.get(text.casefold(), text.casefold())
    if text in measure.words:
        return text
    message = f"{whose} is {either(measure.words)}, not {shown(stated)}"
    _refuse(play, stated, message, fixes=replace_with(measure.words, is_told=True))
    return None


def _is_within(
    play: Play[Any],
    measure: Measure,
    id: str,
    number: int,
    stated: ScalarNode,
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
    play: Play[Any], stated: ScalarNode, message: str, help: str = "", fixes: Sequence[Fix] = ()
) -> None:
    at = place_of(stated, play.step.action.path)
    play.unreadable("T60", message, at=at, fix=fixes, help=help or ())
