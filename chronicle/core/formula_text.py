"""Parser of formulas.

``12 if players <= 3 else 8`` becomes a small tree of allowed nodes: no calls except ``min``, ``max`` and
``abs``, no attributes, no powers, no loops. Text, tree and numbers have limits, so every formula is parsed
and computed quickly, or refused with place and reason."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from typing import Any, Final

from chronicle.core.diagnostic import did_you_mean, listed
from chronicle.core.formula import (
    CALLS,
    LARGEST,
    NUMBER,
    TEXT,
    WORDS,
    YES_NO,
    Formula,
    Sort,
    Unreadable,
)

LONGEST: Final = 400
"""Maximum length of a formula in characters."""
MOST_PARTS: Final = 150
_ARITHMETIC: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_CONSTANTS: Final[Mapping[str, bool]] = {"yes": True, "no": False}


def read(text: str, names: Mapping[str, Sort], result_sort: Sort) -> Formula:
    """Parse a formula.

    Args:
        text: the formula as typed.
        names: the names it may use, with their types.
        result_sort: the type its result must have.

    Raises:
        Unreadable: if it is no such formula.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            f"a formula has at most {LONGEST} characters; this one has {len(text)}", 0, LONGEST
        )
    leading_spaces = len(text) - len(text.lstrip())
    line = " ".join(text[leading_spaces:].split("\n")).replace("\t", " ").rstrip()
    if not line:
        raise Unreadable("a formula is expected here", 0, max(1, len(text)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(line, mode="eval").body
    except SyntaxError as error:
        start = min(max((error.offset or 1) - 1, 0), max(0, len(line) - 1))
        raise Unreadable(
            "this is no formula: " + error.msg.replace("invalid syntax", "a part is missing"),
            leading_spaces + start,
            leading_spaces + start + 1,
            f"a formula is made of {WORDS}",
        ) from None
    except (ValueError, MemoryError, RecursionError):
        raise Unreadable("this is no formula", 0, len(text), f"it is made of {WORDS}") from None
    reader = _Reader(line, leading_spaces, names)
    tree, sort = reader.part(body)
    if sort is not result_sort:
        raise Unreadable(
            f"this gives {sort}, and {result_sort} is asked for",
            leading_spaces,
            leading_spaces + len(line),
        )
    return Formula(text, tree)


class _Reader:
    def __init__(self, line: str, leading_spaces: int, names: Mapping[str, Sort]) -> None:
        self._bytes = line.encode()
        self._leading_spaces, self._names, self._parts = leading_spaces, names, 0

    def _error(self, node: ast.expr, message: str, help: str = "") -> Unreadable:
        def column(offset: int) -> int:
            return self._leading_spaces + len(self._bytes[:offset].decode(errors="ignore"))

        end = node.end_col_offset if node.end_col_offset is not None else node.col_offset + 1
        return Unreadable(message, column(node.col_offset), column(end), help)

    def part(self, node: ast.expr) -> tuple[tuple[Any, ...], Sort]:
        """The tree and the type of a part of a formula."""
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise self._error(node, f"a formula has at most {MOST_PARTS} parts")
        match node:
            case ast.Constant(value=value):
                return self._constant(node, value)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                operands = (self._typed(left, NUMBER), self._typed(right, NUMBER))
                return ("two", _ARITHMETIC[type(op)], *operands), NUMBER
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ("two", "-", ("is", 0), self._typed(operand, NUMBER)), NUMBER
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._typed(operand, NUMBER), NUMBER
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ("not", self._typed(operand, YES_NO)), YES_NO
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                return (word, *(self._typed(value, YES_NO) for value in values)), YES_NO
            case ast.Compare():
                return self._comparison(node), YES_NO
            case ast.IfExp(test=test, body=body, orelse=else_node):
                then_tree, sort = self.part(body)
                return (
                    "if",
                    self._typed(test, YES_NO),
                    then_tree,
                    self._typed(else_node, sort),
                ), sort
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in CALLS:
                if not args or (name == "abs") != (len(args) == 1):
                    raise self._error(node, f"{name} takes other numbers than these")
                return ("call", name, *(self._typed(argument, NUMBER) for argument in args)), NUMBER
        raise self._error(node, *self._refusal(node))

    def _typed(self, node: ast.expr, expected: Sort) -> tuple[Any, ...]:
        tree, sort = self.part(node)
        if sort is not expected:
            raise self._error(node, f"this gives {sort}, and {expected} is asked for")
        return tree

    def _constant(self, node: ast.expr, value: object) -> tuple[tuple[Any, ...], Sort]:
        if isinstance(value, bool):
            return ("is", value), YES_NO
        if isinstance(value, int):
            if value > LARGEST:
                raise self._error(node, "a number as large as this has no use here")
            return ("is", value), NUMBER
        if isinstance(value, str):
            return ("is", value.strip().casefold()), TEXT
        raise self._error(
            node,
            "only whole numbers, and words in quotes, can stand here",
            "// divides, rounding down",
        )

    def _name(self, node: ast.expr, name: str) -> tuple[tuple[Any, ...], Sort]:
        if name in self._names:
            return ("ask", name), self._names[name]
        if name in _CONSTANTS:
            return ("is", _CONSTANTS[name]), YES_NO
        raise self._error(
            node,
            f"no name '{name}' here{did_you_mean(name, list(self._names))}",
            f"names: {listed(self._names)}",
        )

    def _comparison(self, node: ast.Compare) -> tuple[Any, ...]:
        sides = [node.left, *node.comparators]
        operands = [self.part(side) for side in sides]
        pairs: list[tuple[Any, ...]] = []
        for position, op in enumerate(node.ops):
            word = _COMPARISONS.get(type(op))
            if word is None:
                raise self._error(node, "this comparison is none of == != < <= > >=")
            (first, sort), (second, right_sort) = operands[position], operands[position + 1]
            if sort is not right_sort or (sort is not NUMBER and word not in ("==", "!=")):
                raise self._error(
                    sides[position + 1], f"{sort} is not compared with {right_sort} like this"
                )
            pairs.append(("two", word, first, second))
        return pairs[0] if len(pairs) == 1 else ("and", *pairs)

    def _refusal(self, node: ast.expr) -> tuple[str, str]:
        match node:
            case ast.BinOp(op=ast.Pow()):
                return "there are no powers in a formula", "multiply instead"
            case ast.BinOp(op=ast.Div()):
                return "a share has to be a whole number", "// divides, rounding down"
            case ast.Call(func=ast.Name(id=name)):
                return (
                    f"'{name}' is nothing that can be called here",
                    f"a formula is made of {WORDS}",
                )
        return "this has no place in a formula", f"a formula is made of {WORDS}"
