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
    ALLOWED_PARTS,
    FORMULA_FUNCTIONS,
    LARGEST_NUMBER,
    NUMBER,
    TEXT,
    YES_NO,
    Formula,
    FormulaSyntaxError,
    FormulaType,
)

MAX_FORMULA_LENGTH: Final = 400
"""Maximum length of a formula in characters."""
MAX_FORMULA_PARTS: Final = 150
_ARITHMETIC_SIGNS: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARISON_SIGNS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_VALUE_BY_CONSTANT: Final[Mapping[str, bool]] = {"yes": True, "no": False}


def parse_formula(
    formula_text: str, type_by_name: Mapping[str, FormulaType], result_type: FormulaType
) -> Formula:
    """Parse a formula.

    Args:
        formula_text: the formula as typed.
        type_by_name: the names it may use, with their types.
        result_type: the type its result must have.

    Raises:
        Unreadable: if it is no such formula.
    """
    if len(formula_text) > MAX_FORMULA_LENGTH:
        raise FormulaSyntaxError(
            f"a formula has at most {MAX_FORMULA_LENGTH} characters; this one has {len(formula_text)}",
            0,
            MAX_FORMULA_LENGTH,
        )
    leading_space_count = len(formula_text) - len(formula_text.lstrip())
    formula_line = (
        " ".join(formula_text[leading_space_count:].split("\n")).replace("\t", " ").rstrip()
    )
    if not formula_line:
        raise FormulaSyntaxError("a formula is expected here", 0, max(1, len(formula_text)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            syntax_node = ast.parse(formula_line, mode="eval").body
    except SyntaxError as error:
        error_start = min(max((error.offset or 1) - 1, 0), max(0, len(formula_line) - 1))
        raise FormulaSyntaxError(
            "this is no formula: " + error.msg.replace("invalid syntax", "a part is missing"),
            leading_space_count + error_start,
            leading_space_count + error_start + 1,
            f"a formula is made of {ALLOWED_PARTS}",
        ) from None
    except (ValueError, MemoryError, RecursionError):
        raise FormulaSyntaxError(
            "this is no formula", 0, len(formula_text), f"it is made of {ALLOWED_PARTS}"
        ) from None
    parser = _FormulaParser(formula_line, leading_space_count, type_by_name)
    formula_tree, tree_type = parser.parse_node(syntax_node)
    if tree_type is not result_type:
        raise FormulaSyntaxError(
            f"this gives {tree_type}, and {result_type} is asked for",
            leading_space_count,
            leading_space_count + len(formula_line),
        )
    return Formula(formula_text, formula_tree)


class _FormulaParser:
    def __init__(
        self, formula_line: str, leading_space_count: int, type_by_name: Mapping[str, FormulaType]
    ) -> None:
        self._bytes = formula_line.encode()
        self._leading_space_count, self._type_by_name, self._part_count = (
            leading_space_count,
            type_by_name,
            0,
        )

    def _error_at(self, node: ast.expr, message: str, help: str = "") -> FormulaSyntaxError:
        def text_column(byte_offset: int) -> int:
            return self._leading_space_count + len(
                self._bytes[:byte_offset].decode(errors="ignore")
            )

        end_byte_offset = (
            node.end_col_offset if node.end_col_offset is not None else node.col_offset + 1
        )
        return FormulaSyntaxError(
            message, text_column(node.col_offset), text_column(end_byte_offset), help
        )

    def parse_node(self, node: ast.expr) -> tuple[tuple[Any, ...], FormulaType]:
        """The tree and the type of a part of a formula."""
        self._part_count += 1
        if self._part_count > MAX_FORMULA_PARTS:
            raise self._error_at(node, f"a formula has at most {MAX_FORMULA_PARTS} parts")
        match node:
            case ast.Constant(value=constant_value):
                return self._parse_constant(node, constant_value)
            case ast.Name(id=name):
                return self._parse_name(node, name)
            case ast.BinOp(left=left_node, op=operator_node, right=right_node) if (
                type(operator_node) in _ARITHMETIC_SIGNS
            ):
                operand_trees = (
                    self._parse_typed(left_node, NUMBER),
                    self._parse_typed(right_node, NUMBER),
                )
                return ("two", _ARITHMETIC_SIGNS[type(operator_node)], *operand_trees), NUMBER
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ("two", "-", ("is", 0), self._parse_typed(operand, NUMBER)), NUMBER
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._parse_typed(operand, NUMBER), NUMBER
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ("not", self._parse_typed(operand, YES_NO)), YES_NO
            case ast.BoolOp(op=operator_node, values=operand_nodes):
                operator_text = "and" if isinstance(operator_node, ast.And) else "or"
                return (
                    operator_text,
                    *(self._parse_typed(operand_node, YES_NO) for operand_node in operand_nodes),
                ), YES_NO
            case ast.Compare():
                return self._parse_comparison(node), YES_NO
            case ast.IfExp(test=condition_node, body=then_node, orelse=else_node):
                then_tree, then_type = self.parse_node(then_node)
                return (
                    "if",
                    self._parse_typed(condition_node, YES_NO),
                    then_tree,
                    self._parse_typed(else_node, then_type),
                ), then_type
            case ast.Call(func=ast.Name(id=name), args=argument_nodes, keywords=[]) if (
                name in FORMULA_FUNCTIONS
            ):
                if not argument_nodes or (name == "abs") != (len(argument_nodes) == 1):
                    raise self._error_at(node, f"{name} takes other numbers than these")
                return (
                    "call",
                    name,
                    *(self._parse_typed(argument_node, NUMBER) for argument_node in argument_nodes),
                ), NUMBER
        raise self._error_at(node, *self._refusal_message_and_help(node))

    def _parse_typed(self, node: ast.expr, expected_type: FormulaType) -> tuple[Any, ...]:
        formula_tree, node_type = self.parse_node(node)
        if node_type is not expected_type:
            raise self._error_at(node, f"this gives {node_type}, and {expected_type} is asked for")
        return formula_tree

    def _parse_constant(
        self, node: ast.expr, constant: object
    ) -> tuple[tuple[Any, ...], FormulaType]:
        if isinstance(constant, bool):
            return ("is", constant), YES_NO
        if isinstance(constant, int):
            if constant > LARGEST_NUMBER:
                raise self._error_at(node, "a number as large as this has no use here")
            return ("is", constant), NUMBER
        if isinstance(constant, str):
            return ("is", constant.strip().casefold()), TEXT
        raise self._error_at(
            node,
            "only whole numbers, and words in quotes, can stand here",
            "// divides, rounding down",
        )

    def _parse_name(self, node: ast.expr, name: str) -> tuple[tuple[Any, ...], FormulaType]:
        if name in self._type_by_name:
            return ("ask", name), self._type_by_name[name]
        if name in _VALUE_BY_CONSTANT:
            return ("is", _VALUE_BY_CONSTANT[name]), YES_NO
        raise self._error_at(
            node,
            f"no name '{name}' here{did_you_mean(name, list(self._type_by_name))}",
            f"names: {listed(self._type_by_name)}",
        )

    def _parse_comparison(self, node: ast.Compare) -> tuple[Any, ...]:
        operand_nodes = [node.left, *node.comparators]
        typed_operand_trees = [self.parse_node(operand_node) for operand_node in operand_nodes]
        comparison_trees: list[tuple[Any, ...]] = []
        for operator_index, operator_node in enumerate(node.ops):
            operator_text = _COMPARISON_SIGNS.get(type(operator_node))
            if operator_text is None:
                raise self._error_at(node, "this comparison is none of == != < <= > >=")
            (left_tree, left_type), (right_tree, right_type) = (
                typed_operand_trees[operator_index],
                typed_operand_trees[operator_index + 1],
            )
            if left_type is not right_type or (
                left_type is not NUMBER and operator_text not in ("==", "!=")
            ):
                raise self._error_at(
                    operand_nodes[operator_index + 1],
                    f"{left_type} is not compared with {right_type} like this",
                )
            comparison_trees.append(("two", operator_text, left_tree, right_tree))
        return comparison_trees[0] if len(comparison_trees) == 1 else ("and", *comparison_trees)

    def _refusal_message_and_help(self, node: ast.expr) -> tuple[str, str]:
        match node:
            case ast.BinOp(op=ast.Pow()):
                return "there are no powers in a formula", "multiply instead"
            case ast.BinOp(op=ast.Div()):
                return "a share has to be a whole number", "// divides, rounding down"
            case ast.Call(func=ast.Name(id=name)):
                return (
                    f"'{name}' is nothing that can be called here",
                    f"a formula is made of {ALLOWED_PARTS}",
                )
        return "this has no place in a formula", f"a formula is made of {ALLOWED_PARTS}"
