"""Set a figure: used for ``play starts:``, for stated figures and for ``correct:``.

An impossible value is reported and not set. The consequences of the new value (the end of the game, a wound,
a death) follow as in play, in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chronicle.core.answers import Limits
from chronicle.core.declare import read_value
from chronicle.core.diagnostic import either
from chronicle.core.field_types import WHOLE, intended_number
from chronicle.core.fix import Fix, replace_with
from chronicle.core.game_context import GameContext, Measure
from chronicle.core.misread import Misread, shown
from chronicle.core.names import Named
from chronicle.core.play_field_types import CHANGE
from chronicle.core.source import ScalarNode, place_of

YES_NO_SYNONYMS: Final[Mapping[str, str]] = {
    "true": "yes",
    "y": "yes",
    "on": "yes",
    "false": "no",
    "n": "no",
    "off": "no",
}
"""Other words for yes and no."""


def is_same_figure(
    play: GameContext[Any], measure: Measure, stated_value: str, computed_value: int | str
) -> bool:
    """Whether a stated figure equals the computed one."""
    lookup_result = play.names.find(stated_value, measure.names) if measure.names else None
    if isinstance(lookup_result, Named):
        stated_value = lookup_result.name
    if isinstance(computed_value, int):
        try:
            return read_value(WHOLE, ScalarNode(stated_value)) == computed_value
        except Misread:
            return False
    folded_value = " ".join(stated_value.split()).casefold()
    return YES_NO_SYNONYMS.get(folded_value, folded_value) == computed_value.casefold()


def set_figure(
    play: GameContext[Any],
    measure_name: str,
    measure: Measure,
    owner_id: str,
    stated_value: ScalarNode,
    figure_label: str,
) -> bool:
    """Set a figure to the stated value; ``up 2`` and ``down 1`` change it.

    Returns:
        Whether it was set. If not, the problem is reported: T60 for an invalid value, else the rule that
            limits the figure.
    """
    if measure.write is None:
        return False
    previous_value = measure.read(play, owner_id)
    is_number = isinstance(previous_value, int) or measure.limits is not None
    if is_number and " ".join(stated_value.split()).casefold() not in measure.words:
        limits = measure.limits(play, owner_id) if measure.limits is not None else Limits()
        new_value = _read_number(play, previous_value, stated_value, figure_label, limits)
        if new_value is None or not _check_limits(
            play, measure, owner_id, int(new_value), stated_value, figure_label, limits
        ):
            return False
    else:
        new_value = _read_word(play, measure, stated_value, figure_label)
        if new_value is None:
            return False
    if measure.write(play, owner_id, stated_value.like(new_value)) is False:
        _report_invalid_figure(
            play, stated_value, f"{figure_label} cannot be {shown(stated_value)}"
        )
        return False
    if measure.apply_consequences is not None:
        measure.apply_consequences(play, owner_id, previous_value)
    return True


def _read_number(
    play: GameContext[Any],
    previous_value: int | str | None,
    stated_value: ScalarNode,
    figure_label: str,
    limits: Limits,
) -> str | None:
    change, help_text = None, ""
    fixes: tuple[Fix, ...] = ()
    try:
        change = read_value(CHANGE, stated_value)
    except Misread as error:
        number_meant, help_text = intended_number(stated_value), error.help
        fixes = replace_with(error.replacements)
        if number_meant is not None and not limits.allows(number_meant):
            fixes = ()
            help_text = (
                f"it cannot be {number_meant}; it is {previous_value} now: write what it is to be, "
                "or  up 1  or  down 1"
            )
    if change is None or (change.difference is not None and not isinstance(previous_value, int)):
        _report_invalid_figure(
            play,
            stated_value,
            f"a whole number belongs to {figure_label}, not {shown(stated_value)}",
            help_text
            or f"it is {previous_value} now: write what it is to be, or  up 1  or  down 1",
            fixes
            or (
                replace_with([str(previous_value)], is_told=True)
                if previous_value is not None
                else ()
            ),
        )
        return None
    return str(
        int(previous_value or 0) + change.difference
        if change.difference is not None
        else change.new_value
    )


def _read_word(
    play: GameContext[Any], measure: Measure, stated_value: ScalarNode, figure_label: str
) -> str | None:
    stated_text = " ".join(stated_value.split())
    if measure.names and stated_text.casefold() not in measure.words:
        lookup_result = play.names.find(stated_value, measure.names)
        if isinstance(lookup_result, Named):
            return lookup_result.name
        _report_invalid_figure(
            play,
            stated_value,
            f"{figure_label} is a {either(measure.names)}, not {shown(stated_value)}{lookup_result.message}",
            fixes=replace_with(lookup_result.similar, is_told=True),
        )
        return None
    if not measure.words:
        return stated_text
    stated_text = YES_NO_SYNONYMS.get(stated_text.casefold(), stated_text.casefold())
    if stated_text in measure.words:
        return stated_text
    message = f"{figure_label} is {either(measure.words)}, not {shown(stated_value)}"
    _report_invalid_figure(
        play, stated_value, message, fixes=replace_with(measure.words, is_told=True)
    )
    return None


def _check_limits(
    play: GameContext[Any],
    measure: Measure,
    owner_id: str,
    new_number: int,
    stated_value: ScalarNode,
    figure_label: str,
    limits: Limits,
) -> bool:
    if limits.allows(new_number):
        return True
    is_too_low = limits.least is not None and new_number < limits.least
    bound_text = f"at least {limits.least}" if is_too_low else f"at most {limits.most}"
    return play.illegal(
        limits.rule or (measure.rule(play, owner_id) if measure.rule is not None else "") or "T60",
        f"{figure_label} is {bound_text}; it cannot be {new_number}",
        at=place_of(stated_value, play.step.action.path),
        fix=replace_with([str(limits.least if is_too_low else limits.most)], is_told=True),
    )


def _report_invalid_figure(
    play: GameContext[Any],
    stated_value: ScalarNode,
    message: str,
    help: str = "",
    fixes: Sequence[Fix] = (),
) -> None:
    place = place_of(stated_value, play.step.action.path)
    play.unreadable("T60", message, at=place, fix=fixes, help=help or ())
