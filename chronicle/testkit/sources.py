"""The source of a game: where its classes, attributes, functions and words are written."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from chronicle.core.declare import Action
from chronicle.core.game import Game

PUBLIC_MODULES = ("chronicle.api", "chronicle.testkit")
"""The modules of Chronicle that a game plug-in may import."""


class Sources:
    """The Python files in the package of a game. A place is ``play.py:12: ``, to be put before a message, or empty.

    Args:
        rules: the game.
    """

    def __init__(self, rules: Game[Any]) -> None:
        self.package = _package_of(type(rules).__module__)

    @cached_property
    def folder(self) -> Path | None:
        """The folder of the package; None if its files are not known."""
        spec = find_spec(self.package)
        return Path(spec.origin).parent if spec is not None and spec.origin is not None else None

    @cached_property
    def trees(self) -> dict[Path, ast.Module]:
        """Each Python file of the package, as a syntax tree."""
        files = sorted(self.folder.rglob("*.py")) if self.folder is not None else []
        return {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}

    def of_class(self, cls: type) -> str:
        """The place where a class begins."""
        return self._in_class(cls, "")

    def of_attribute(self, cls: type, name: str) -> str:
        """The place of an attribute in a class or in the class that it inherits it from."""
        owner = next((base for base in cls.__mro__ if name in vars(base)), cls)
        return self._in_class(owner, name) or self.of_class(cls)

    def of_function(self, function: Callable[..., object]) -> str:
        """The place where a function begins, with its decorators."""
        code = getattr(function, "__code__", None)
        return self._place(Path(code.co_filename), code.co_firstlineno) if code is not None else ""

    def of_word(self, text: str) -> str:
        """The place of the first text in the code that is this word and nothing else."""
        for file, tree in self.trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and node.value == text:
                    return self._place(file, node.lineno)
        return ""

    def foreign_imports(self) -> Iterator[tuple[str, str]]:
        """The modules of Chronicle that the package imports besides the public ones, each with its place."""
        for file, tree in self.trees.items():
            for name, line in foreign_imports(tree):
                yield self._place(file, line), name

    def verb_classes(self) -> Iterator[type[Action]]:
        """The classes of verbs in the modules of the package that are loaded."""
        modules = [
            module
            for name, module in [*sys.modules.items()]
            if name == self.package or name.startswith(f"{self.package}.")
        ]
        for module in modules:
            for member in [*vars(module).values()]:
                if (
                    isinstance(member, type)
                    and issubclass(member, Action)
                    and member.__module__ == module.__name__
                ):
                    yield member

    def _in_class(self, cls: type, attribute: str) -> str:
        module = sys.modules.get(cls.__module__)
        file = Path(getattr(module, "__file__", None) or "")
        for node in ast.walk(self.trees.get(file, ast.Module([], []))):
            if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
                lines = [part.lineno for part in node.body if attribute in _names_set_by(part)]
                if lines or not attribute:
                    return self._place(file, lines[0] if lines else node.lineno)
        return ""

    def _place(self, file: Path, line: int) -> str:
        if self.folder is None or not file.is_relative_to(self.folder):
            return ""
        return f"{file.relative_to(self.folder).as_posix()}:{line}: "


def foreign_imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The modules of Chronicle that a source imports besides the public ones, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "chronicle":
            names = [f"chronicle.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "chronicle" and name not in PUBLIC_MODULES:
                yield name, node.lineno


def _package_of(module: str) -> str:
    """The package of a module: the module itself if it is one."""
    loaded = sys.modules.get(module)
    return module if hasattr(loaded, "__path__") else module.rpartition(".")[0] or module


def _names_set_by(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    return []
