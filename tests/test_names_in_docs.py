"""The pages about the engine name only code that exists."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from chronicle import api

ROOT = Path(__file__).parent.parent
PAGES = (
    "adding-a-game",
    "game-api",
    "gates",
    "holes",
    "how-games-fit",
    "how-replay-works",
    "larger-games",
    "moving-a-game",
)
FOLDERS = (ROOT, ROOT / "chronicle", ROOT / "chronicle/games")
OTHER_FILES = (".md", ".toml", ".yaml", ".yml")
OF_A_PLUG_IN = ("tests/test_game.py", "chronicle_lanterns/")
"""Files in the project of a game plug-in."""

_FENCE = re.compile(r"^```.*?^```", re.M | re.S)
_IN_BACKTICKS = re.compile(r"`([^`\n]+)`")
_CODE = re.compile(r"@?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(.*\))?")


@cache
def defined() -> frozenset[str]:
    """All names that the package defines: modules, classes, functions, parameters and attributes; and those in a
    class with its name before them (``Replay.finish``)."""
    names = set(dir(builtins))
    for file in (ROOT / "chronicle").rglob("*.py"):
        names.update(file.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names.update(_defined_by(node))
            if isinstance(node, ast.ClassDef):
                members = (name for inner in ast.walk(node) for name in _defined_by(inner))
                names.update(f"{node.name}.{member}" for member in members)
    return frozenset(names)


def _defined_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.alias(asname=str(name)):
            yield name
        case ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.Name(id=name, ctx=ast.Store()):
            yield name


def unknown_names(text: str) -> Iterator[str]:
    """The names of code and files in a page that do not exist."""
    for quoted in _IN_BACKTICKS.findall(_FENCE.sub("", text)):
        if quoted.endswith((".py", *OTHER_FILES)) or quoted.startswith(("chronicle/", "docs/")):
            is_ours = "/" in quoted and not re.search("GAME|<game>", quoted)
            if (
                is_ours
                and not quoted.startswith(OF_A_PLUG_IN)
                and not any((folder / quoted).exists() for folder in FOLDERS)
            ):
                yield quoted
        elif (code := _CODE.fullmatch(quoted)) and _looks_like_code(code[1]):
            first, _, attribute = code[1].partition(".")
            if hasattr(getattr(api, first, None), attribute):
                continue
            # ``play`` and other variables stand for objects: what follows is a name of ours.
            is_object = bool(attribute) and first.islower()
            if any(
                name not in defined()
                for name in (attribute.split(".") if is_object else (first, code[1]))
            ):
                yield quoted


def _looks_like_code(name: str) -> bool:
    """Whether a word in backticks is a name of code, not a word of a log: dotted, in capitals, or joined by
    underscores."""
    return "." in name or "_" in name or name != name.lower()


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_what_exists(page: str) -> None:
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    assert not [*unknown_names(text)]


def test_a_name_that_does_not_exist_is_found() -> None:
    right = "`Replay._compare_problems`, `play.move`, `Game.fill`, `chronicle/core/law.py`, `gap:`"
    wrong = (
        "Replay._go_back",
        "Replay._weigh",
        "play.no_such",
        "chronicle/core/laws.py",
        "NO_SUCH",
    )
    assert [*unknown_names(right + "".join(f" `{name}`" for name in wrong))] == [*wrong]
