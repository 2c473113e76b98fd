"""Formulas of a table's own rules: whole numbers, yes and no, and words, worked out of a few names.

What a formula is made of, and what it gives. :mod:`chronicle.core.formula_text` reads it, where there is
one: it brings in the parser of Python, for which no log without formulas waits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.worded import Worded

LARGEST: Final = 1_000_000_000
"""How large the numbers of a formula may get."""

Answer = int | str
"""What a formula gives: a number, a yes or no (as a bool), a word."""


class Sort(Worded):
    """What a name or a formula stands for."""

    NUMBER = "a number"
    YES_NO = "yes or no"
    TEXT = "a word"


NUMBER, YES_NO, TEXT = Sort.NUMBER, Sort.YES_NO, Sort.TEXT


class Unreadable(Exception):
    """A formula that cannot be read: why, and which stretch of its text is meant."""

    def __init__(self, message: str, start: int, end: int, help: str = "") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.help = message, start, end, help


class NoAnswer(Exception):
    """A formula that cannot be worked out here: the reason, in a few words."""


class Formula(NamedTuple):
    """A formula as typed, and as read: nested tuples that begin with the name of a part."""

    text: str
    tree: tuple[Any, ...]


_DOES: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
CALLS: Final[Mapping[str, Callable[..., int]]] = {"min": min, "max": max, "abs": abs}
WORDS: Final = "whole numbers, + - * // %, comparisons, and, or, not, if-else, min, max, abs"
"""What a formula may be made of, in words."""


def work_out(formula: Formula, ask: Callable[[str], Answer]) -> Answer:
    """What a formula gives; ``ask`` gives the value of a name. Raises :class:`NoAnswer`."""
    found: Answer = _value(formula.tree, ask)
    return found


def _value(tree: tuple[Any, ...], ask: Callable[[str], Answer]) -> Any:
    match tree:
        case ("is", value):
            return value
        case ("ask", name):
            value = ask(name)
            return value.strip().casefold() if isinstance(value, str) else value
        case ("two", word, one, other):
            left, right = _value(one, ask), _value(other, ask)
            if word in ("//", "%") and right == 0:
                raise NoAnswer("it divides by 0")
            return _bounded(_DOES[word](left, right))
        case ("not", one):
            return not _value(one, ask)
        case ("and", *parts):
            return all(_value(one, ask) for one in parts)
        case ("or", *parts):
            return any(_value(one, ask) for one in parts)
        case ("if", test, one, other):
            return _value(one if _value(test, ask) else other, ask)
        case ("call", name, *parts):
            values = [_value(one, ask) for one in parts]
            return abs(values[0]) if name == "abs" else CALLS[name](values)
    raise NoAnswer("it cannot be worked out")


def _bounded(value: Any) -> Any:
    if not -LARGEST <= value <= LARGEST:
        raise NoAnswer("its numbers get too large")
    return value
