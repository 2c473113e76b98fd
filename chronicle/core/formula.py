"""Formulas of house rules: whole numbers, booleans and words, computed from a few names.

This module has the values and the evaluation. :mod:`chronicle.core.formula_text` parses formulas. It imports
Python's parser, so it is loaded only if a log has formulas."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.word_enum import WordEnum

LARGEST_NUMBER: Final = 1_000_000_000
"""Largest absolute value of a number in a formula."""

Answer = int | str
"""Result of a formula: a number, a boolean, or a word."""


class FormulaType(WordEnum):
    """The type of a name or a formula."""

    NUMBER = "a number"
    YES_NO = "yes or no"
    TEXT = "a word"


NUMBER, YES_NO, TEXT = FormulaType.NUMBER, FormulaType.YES_NO, FormulaType.TEXT


class FormulaSyntaxError(Exception):
    """A formula that cannot be parsed: the message, and the part of its text that is wrong."""

    def __init__(self, message: str, start: int, end: int, help: str = "") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.help = message, start, end, help


class NoAnswer(Exception):
    """A formula that cannot be computed here: the reason, in a few words."""


class Formula(NamedTuple):
    """A formula as typed, and its syntax tree: nested tuples that begin with the name of a node."""

    text: str
    tree: tuple[Any, ...]


_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
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
FORMULA_FUNCTIONS: Final[Mapping[str, Callable[..., int]]] = {"min": min, "max": max, "abs": abs}
ALLOWED_PARTS: Final = (
    "whole numbers, + - * // %, comparisons, and, or, not, if-else, min, max, abs"
)
"""The parts a formula may have, in words."""


def evaluate_formula(formula: Formula, look_up: Callable[[str], Answer]) -> Answer:
    """Evaluate a formula. ``look_up`` gives the value of a name. Raises :class:`NoAnswer`."""
    formula_result: Answer = _evaluate_tree(formula.tree, look_up)
    return formula_result


def _evaluate_tree(formula_tree: tuple[Any, ...], look_up: Callable[[str], Answer]) -> Any:
    match formula_tree:
        case ("is", value):
            return value
        case ("ask", name):
            name_value = look_up(name)
            return name_value.strip().casefold() if isinstance(name_value, str) else name_value
        case ("two", operator_text, left_tree, right_tree):
            left_value, right_value = (
                _evaluate_tree(left_tree, look_up),
                _evaluate_tree(right_tree, look_up),
            )
            if operator_text in ("//", "%") and right_value == 0:
                raise NoAnswer("it divides by 0")
            return _check_size(_OPERATORS[operator_text](left_value, right_value))
        case ("not", operand):
            return not _evaluate_tree(operand, look_up)
        case ("and", *operand_trees):
            return all(_evaluate_tree(operand_tree, look_up) for operand_tree in operand_trees)
        case ("or", *operand_trees):
            return any(_evaluate_tree(operand_tree, look_up) for operand_tree in operand_trees)
        case ("if", condition_tree, then_tree, else_tree):
            return _evaluate_tree(
                then_tree if _evaluate_tree(condition_tree, look_up) else else_tree, look_up
            )
        case ("call", name, *operand_trees):
            operand_values = [
                _evaluate_tree(operand_tree, look_up) for operand_tree in operand_trees
            ]
            return (
                abs(operand_values[0]) if name == "abs" else FORMULA_FUNCTIONS[name](operand_values)
            )
    raise NoAnswer("it cannot be worked out")


def _check_size(number: Any) -> Any:
    if not -LARGEST_NUMBER <= number <= LARGEST_NUMBER:
        raise NoAnswer("its numbers get too large")
    return number
