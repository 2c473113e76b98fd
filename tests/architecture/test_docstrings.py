"""Docstrings name parameters and attributes that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

_NAME = re.compile(r"^    (\w+(?:, \w+)*): ", re.M)


def stale_names(tree: ast.Module) -> Iterator[str]:
    """The names under ``Args:`` and ``Attributes:`` that a function or class does not have, each after the name
    of the function or class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            docstring = ast.get_docstring(node) or ""
            own = _parameters(node) if isinstance(node, ast.FunctionDef) else _attributes(node)
            yield from (f"{node.name}: {name}" for name in _listed(docstring) if name not in own)


def _listed(docstring: str) -> Iterator[str]:
    """The names in the lists of a docstring."""
    for section in re.findall(r"^(?:Args|Attributes):\n((?:    .*\n?|\n)*)", docstring, re.M):
        for names in _NAME.findall(section):
            yield from names.split(", ")


def _parameters(function: ast.FunctionDef) -> set[str]:
    return {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}


def _attributes(kind: ast.ClassDef) -> set[str]:
    """The attributes and methods of a class, and the parameters of its constructor."""
    names: set[str] = set()
    for node in ast.walk(kind):
        match node:
            case ast.FunctionDef(name="__init__" | "__new__"):
                names |= _parameters(node)
            case ast.FunctionDef(name=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                names.add(name)
    return names


def test_docstrings_list_what_exists() -> None:
    stale = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in sorted((ROOT / "chronicle").rglob("*.py"))
        for name in stale_names(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert not stale


def test_a_stale_name_is_found() -> None:
    text = (
        'def f(new):\n    """Do it.\n\n    Args:\n        old: gone.\n        new: here.\n    """\n'
    )
    assert [*stale_names(ast.parse(text))] == ["f: old"]
