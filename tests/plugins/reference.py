"""``python -m tests.plugins.reference``: write ``docs/game-api-reference.md``, made of ``chronicle.api``."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, Literal, get_args, get_origin

from chronicle import api
from tests.conftest import ROOT

PAGE: Final = ROOT / "docs" / "game-api-reference.md"
SUBJECTS: Final = ROOT / "docs" / "game-api.md"
HEAD: Final = """\
---
search:
  boost: 0.5
---

# The API for games, name by name

This page is for people who write a game for Chronicle in Python. It lists every name of `chronicle.api`: what it is,
its attributes or arguments, and its methods. You look things up here; to learn, read [Adding a game](adding-a-game.md)
first, and then [The API for games](game-api.md), which says by subject which names you need, with examples.

If you read only one part, read [Game](#Game) and [GameContext](#GameContext): a first game needs little else. In each
class the methods that a first game needs come first, and all others follow by name. An argument `play` is the
`GameContext`, which the examples call `table`. An argument `id` is the id of a player, a person or an object.
"""
FIRST: Final = (
    # of a Game
    "start", "over", "situation", "panel", "fill", "due", "player_of", "after",
    # of a GameContext
    "figure", "balance", "move", "spend", "event", "ruling", "look_up", "look_up_player", "open_scene", "unrecorded",
    # of a verb
    "sentence", "apply", "candidates", "outcomes",
)  # fmt: skip
"""The methods that a first game needs: they come before the others of their class."""
OTHERS: Final = {"class": "Classes without parts of their own", "function": "Functions"}
"""The lists of names that have no tables."""
LONGEST: Final = 30
"""The most characters of a default value that is shown."""
_MENTION: Final = re.compile(r":\w+:`[~!]?(?:[\w.]*\.)?(\w+)`")
_SECTION: Final = re.compile(r"^(?:Args|Attributes):\n((?:[ ].*\n?|\n)+)", re.M)
_EXAMPLE: Final = re.compile(r"::\n(?:\n| .*\n?)+")
_SECTIONS: Final = re.compile(r"^(?:Args|Attributes|Raises|Returns|Yields):\n", re.M)
_ITEM: Final = re.compile(r"^ {4}(\w+): ((?:.+\n?)(?: {5,}.+\n?)*)", re.M)
_BAR: Final = re.compile(r"\|(?=[^`]*(?:`[^`]*`[^`]*)*$)")
_SENTENCE: Final = re.compile(r"(?<=\.)\s+(?=[A-Z`*])")


def subjects() -> Iterator[tuple[str, list[str]]]:
    """The sections of the page by subject, each with the names that it mentions first, in their order."""
    remaining = [*api.__all__]
    for section in SUBJECTS.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        tables = "\n".join(
            line.split("|")[1] for line in text.splitlines() if line.startswith("| `")
        )
        names = [
            name for name in dict.fromkeys(re.findall(r"`(\w+)`", tables)) if name in remaining
        ]
        remaining = [name for name in remaining if name not in names]
        if names:
            yield title, names
    if remaining:
        yield "Further names", remaining


def first_sentence(docstring: str | None) -> str:
    """The first sentence of a docstring as Markdown."""
    words = " ".join((docstring or "").strip().partition("\n\n")[0].split())
    words = _MENTION.sub(r"`\1`", words).replace("``", "`").rstrip(":")
    return _SENTENCE.split(words)[0].rstrip(".") + "." if words else ""


def sentences(words: str) -> str:
    """All sentences of a docstring's part as Markdown, in one line; without its examples in code."""
    words = " ".join(_EXAMPLE.sub(".\n", words).split())
    words = _MENTION.sub(r"`\1`", words).replace("``", "`").rstrip(".:")
    return f"{words}." if words else ""


def parts(value: Any) -> dict[str, str]:
    """The arguments and attributes of a name that are described, each with its description: in a docstring below
    ``Args:`` or ``Attributes:``, and in classes of Chronicle below the attribute."""
    descriptions: dict[str, str] = {}
    for section in _SECTION.findall(inspect.getdoc(value) or ""):
        descriptions |= {name: sentences(words) for name, words in _ITEM.findall(section)}
    if inspect.isclass(value):
        for owner in own_classes(value):
            tree = ast.parse(inspect.getsource(sys.modules[owner.__module__]))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and node.name == owner.__name__:
                    descriptions = {**_described_in(node.body), **descriptions}
    return {name: words for name, words in descriptions.items() if not name.startswith("_")}


def classes_of_page() -> list[type]:
    """The classes that the page describes."""
    values = (getattr(api, name) for name in api.__all__)
    return [value for value in values if inspect.isclass(value)]


def parents(value: type) -> list[type]:
    """The classes of the page that a class inherits from, the nearest first."""
    return [base for base in value.__mro__[1:] if base in classes_of_page()]


def own_classes(value: type) -> list[type]:
    """A class, and those of Chronicle that it inherits from and that the page does not describe."""
    inherited = {owner for parent in parents(value) for owner in parent.__mro__}
    return [
        owner
        for owner in value.__mro__
        if owner not in inherited and owner.__module__.startswith("chronicle.")
    ]


def keys_of(value: Any) -> Iterator[tuple[str, str]]:
    """The value and the keys of a verb that every game has, each with what it is."""
    if not (inspect.isclass(value) and issubclass(value, api.Action)) or value is api.Action:
        return
    if value.main is not None:
        words = value.main.doc.rstrip(".")
        yield value.main.attribute, f"The value of `{value.verb}:`: {words}."
    for name, field in value.fields.items():
        if name not in api.Action.fields:
            yield field.attribute, f"The key `{name}`: {field.doc.rstrip('.')}."


def _described_in(body: list[ast.stmt]) -> dict[str, str]:
    """The names that statements set, each with the docstring below it."""
    descriptions: dict[str, str] = {}
    for node, following in pairwise(body):
        if isinstance(node, ast.AnnAssign):
            target: ast.expr = node.target
        elif isinstance(node, ast.Assign):
            target = node.targets[0]
        else:
            continue
        match target, following:
            case ast.Name(id=name), ast.Expr(value=ast.Constant(value=str(words))):
                descriptions[name] = sentences(words.partition("\n\n")[0])
    return descriptions


def constants() -> dict[str, str]:
    """What the docstrings of values of the engine say, by their names."""
    descriptions: dict[str, str] = {}
    for file in sorted((ROOT / "chronicle" / "core").glob("*.py")):
        descriptions |= _described_in(ast.parse(file.read_text(encoding="utf-8")).body)
    return descriptions


def arguments(value: Any) -> str:
    """The arguments of a function or class, with their defaults, in brackets."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty, default=_short(parameter.default))
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    return str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


class _AsWritten(str):
    """A default value, shown as it is written in code."""

    def __repr__(self) -> str:
        return str(self)


def _short(default: object) -> object:
    """A default value in a few characters."""
    if default is inspect.Parameter.empty:
        return default
    if isinstance(default, enum.Enum):
        return _AsWritten(f"{type(default).__name__}.{default.name}")
    if isinstance(default, Mapping) and not default:
        return _AsWritten("{}")
    written = repr(default)
    return _AsWritten("..." if len(written) > LONGEST or " at 0x" in written else written)


def members(value: type) -> list[tuple[str, Any]]:
    """The public methods and properties of a class that are described, by name, without those that it inherits from a
    class of this page."""
    all_members: dict[str, Any] = {}
    inherited = {name for parent in parents(value) for name in dir(parent)}
    for owner in own_classes(value):
        for name, member in vars(owner).items():
            is_described = inspect.isfunction(member) or isinstance(
                member, property | classmethod | staticmethod
            )
            if is_described and not name.startswith("_") and name not in inherited:
                all_members.setdefault(name, member)
    first_names = [name for name in FIRST if name in all_members]
    return [
        *((name, all_members.pop(name)) for name in first_names),
        *sorted(all_members.items()),
    ]


def value_row(name: str, words_of_constants: Mapping[str, str]) -> tuple[str, str]:
    """A value that is no class and no function, with what it is."""
    value = getattr(api, name)
    words = getattr(value, "words", "") or words_of_constants.get(name, "")
    words = words or getattr(value, "name", "").lower().replace("_", " ")
    shown = f" `{value!r}`." if isinstance(value, str | int) else ""
    if get_origin(value) is Literal:
        shown = " It is one of " + ", ".join(f"`{word}`" for word in get_args(value)) + "."
    return name, f"{words or type(value).__name__}{shown}"


def sentences_of(value: Any) -> str:
    """The first sentences about a class or function."""
    if inspect.isclass(value) and issubclass(value, enum.Enum):
        members_in_words = ", ".join(f"`{member}`" for member in value.__members__)
        return f"{first_sentence(value.__doc__)} It is one of {members_in_words}."
    words = sentences(_SECTIONS.split(inspect.cleandoc(value.__doc__ or ""))[0])
    above = parents(value)[:1] if inspect.isclass(value) else []
    also = f" It also has all of [`{above[0].__name__}`](#{above[0].__name__})." if above else ""
    return f"{words}{also}"


def tables_of(value: Any) -> Iterator[str]:
    """The lines of the tables of the attributes, arguments and methods of a class or function."""
    is_class = inspect.isclass(value)
    if is_class and issubclass(value, enum.Enum):
        return
    shown_members = members(value) if is_class else []
    attributes = [*keys_of(value)]
    attributes += [
        (part_name, words)
        for part_name, words in parts(value).items()
        if part_name not in dict(shown_members)
    ]
    methods: list[tuple[str, str]] = []
    for name, member in shown_members:
        sentence = first_sentence(inspect.getdoc(member))
        if sentence and isinstance(member, property):
            attributes.append((name, sentence))
        elif sentence:
            call = arguments(getattr(member, "__func__", member))
            methods.append((f"{name}{call}", sentence))
    for title, does, rows in (
        ("attribute" if is_class else "argument", "what it is", attributes),
        ("method", "what it does", methods),
    ):
        yield from table(title, does, [(f"`{name}`", words) for name, words in rows])


def described(names: Iterable[str], words_of_constants: Mapping[str, str]) -> Iterator[str]:
    """The lines of a section: a part for each name that has parts; then tables of the others, by their sort."""
    others: dict[str, list[tuple[str, str]]] = {"class": [], "function": [], "value": []}
    for name in names:
        value = getattr(api, name)
        if not inspect.isclass(value) and not inspect.isfunction(value):
            others["value"].append(value_row(name, words_of_constants))
            continue
        is_enum = inspect.isclass(value) and issubclass(value, enum.Enum)
        call = "" if is_enum else arguments(value)
        tables = [*tables_of(value)]
        if not tables:
            sort = "class" if inspect.isclass(value) else "function"
            others[sort].append((f"{name}{call}", sentences_of(value)))
            continue
        yield f"### {name} {{ #{name} }}\n"
        if call.strip("()"):
            yield f"`{name}{call}`\n"
        yield f"{sentences_of(value)}\n"
        yield from tables
    # Calls can be long, so these are lists.
    for sort in ("class", "function"):
        if others[sort]:
            yield f"**{OTHERS[sort]}**\n"
            for call, words in others[sort]:
                yield f'- <a id="{call.partition("(")[0]}"></a>`{call}`: {words}'
            yield ""
    values = [(f"`{name}`{{ #{name} }}", words) for name, words in others["value"]]
    yield from table("value", "what it is", values)


def table(title: str, does: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    """The lines of a table of names, each with what it is or does."""
    if rows:
        yield f"| {title} | {does} |"
        yield "|---|---|"
        # A bar within code does not end a cell.
        cells = ((name, _BAR.sub(r"\\|", words)) for name, words in rows)
        yield from (f"| {name} | {words} |" for name, words in cells)
        yield ""


def page() -> str:
    """The text of the page."""
    lines, words_of_constants = [HEAD], constants()
    for title, names in subjects():
        lines.append(f"## {title}\n")
        lines += described(names, words_of_constants)
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE.relative_to(ROOT)}")
