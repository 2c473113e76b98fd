"""Places of the program that can report something: found in its text, and seen at work."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from chronicle.core import guards
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.game_context import GameContext

ROOT = Path(__file__).resolve().parent.parent.parent
_SAYS = frozenset({"require", "illegal", "unreadable", "unknown", "suspect", "report", "pay"})
_ID = re.compile(r"[A-Z]{1,2}\.?\d")


class Where(NamedTuple):
    """One call that may report: its file, its lines, and what it is called in a list."""

    file: str
    first: int
    last: int
    name: str


@cache
def places(file: Path) -> tuple[Where, ...]:
    """All such calls of a module, each with the function it is in and the rule it names."""
    collected: list[Where] = []
    counts: dict[str, int] = {}

    def look(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef):
            function = node.name
            for marked in filter(_guards, node.decorator_list):
                rule = ast.literal_eval(marked.args[0]) if isinstance(marked, ast.Call) else ""
                name = f"{file.stem}.{function} {rule}"
                collected.append(Where(str(file), marked.lineno, node.end_lineno or 0, name))
        if isinstance(node, ast.Call) and _says(node):
            rules = [
                child.value
                for child in ast.walk(node)
                if isinstance(child, ast.Constant)
                and isinstance(child.value, str)
                and _ID.match(child.value)
            ]
            name = f"{file.stem}.{function} {rules[0] if rules else '...'}"
            counts[name] = counts.get(name, 0) + 1
            name = name if counts[name] == 1 else f"{name} ({counts[name]})"
            collected.append(Where(str(file), node.lineno, node.end_lineno or node.lineno, name))
        for inner in ast.iter_child_nodes(node):
            look(inner, function)

    look(ast.parse(file.read_text("utf-8")), "")
    return tuple(collected)


def _says(node: ast.Call) -> bool:
    called = node.func
    return (
        isinstance(called, ast.Attribute)
        and called.attr in _SAYS
        and isinstance(called.value, ast.Name | ast.Attribute)
        and "play" in (getattr(called.value, "id", ""), getattr(called.value, "attr", ""))
    )


def _guards(node: ast.expr) -> bool:
    """Whether a decorator marks a guard."""
    called = node.func if isinstance(node, ast.Call) else node
    return isinstance(called, ast.Name) and called.id in ("guard", "question")


@contextmanager
def watched() -> Iterator[set[tuple[str, int]]]:
    """While it lasts: the lines from which something is reported."""
    reported: set[tuple[str, int]] = set()
    report = GameContext.report
    inside = {sys.modules[kind.__module__].__file__ for kind in GameContext.__mro__[:3]}

    def seen_report(play: GameContext[Any], *args: Any, **kwargs: Any) -> Diagnostic:
        frame = sys._getframe(1)
        reported.add((frame.f_code.co_filename, frame.f_lineno))
        while frame.f_back is not None and frame.f_code.co_filename in inside:
            frame = frame.f_back
            reported.add((frame.f_code.co_filename, frame.f_lineno))
        return report(play, *args, **kwargs)

    ask = guards.violations

    def seen_violations(play: GameContext[Any], action: Action) -> Iterator[Any]:
        for name, mark, violation in ask(play, action):
            if violation is not None:
                code = getattr(type(action), name).__code__
                reported.add((code.co_filename, code.co_firstlineno))
            yield name, mark, violation

    GameContext.report = seen_report  # type: ignore[method-assign,assignment]
    guards.violations = seen_violations
    try:
        yield reported
    finally:
        GameContext.report = report  # type: ignore[method-assign]
        guards.violations = ask


def silent(folder: Path, reported: set[tuple[str, int]]) -> list[str]:
    """The places in the modules under a folder that have not reported."""
    files = sorted(folder.rglob("*.py"))
    return [
        where.name
        for file in files
        for where in places(file)
        if not any(
            path == where.file and where.first <= line <= where.last for path, line in reported
        )
    ]
