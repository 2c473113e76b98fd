"""``python -m tests.plugins.reference``: write ``docs/game-api-reference.md``, made of ``chronicle.api``."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from chronicle import api
from tests.conftest import ROOT

PAGE: Final = ROOT / "docs" / "game-api-reference.md"
SUBJECTS: Final = ROOT / "docs" / "game-api.md"
HEAD: Final = """\
# The API for games, name by name

Each name of `chronicle.api` with its arguments and one sentence. [The API for games](game-api.md) says by subject
which of them you need, with examples. This page is made of the code; `python -m pydoc chronicle.api.NAME` prints more.

An argument `play` is the `GameContext`, which the examples call `table`. An argument `id` is the id of a player, a
person or an object.
"""
LONGEST: Final = 30
"""The most characters of a default value that is shown."""
_MENTION: Final = re.compile(r":\w+:`[~!]?(?:[\w.]*\.)?(\w+)`")
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
    classes = {getattr(api, name) for name in api.__all__ if inspect.isclass(getattr(api, name))}
    for owner in value.__mro__:
        if owner in classes and owner is not value:
            break
        if not owner.__module__.startswith("chronicle."):
            continue
        for name, member in vars(owner).items():
            is_described = inspect.isfunction(member) or isinstance(
                member, property | classmethod | staticmethod
            )
            if is_described and not name.startswith("_"):
                all_members.setdefault(name, member)
    return sorted(all_members.items())


def described(name: str) -> Iterator[str]:
    """The lines about a name."""
    value = getattr(api, name)
    if inspect.isclass(value) and issubclass(value, enum.Enum):
        yield f"- `{name}`: {first_sentence(value.__doc__)} It is one of " + ", ".join(
            f"`{member}`" for member in value.__members__
        )
        return
    if not inspect.isclass(value) and not inspect.isfunction(value):
        words = getattr(value, "words", "") or type(value).__name__
        yield f"- `{name}`: {words}"
        return
    yield f"- `{name}{arguments(value)}`: {first_sentence(value.__doc__)}"
    for member_name, member in members(value) if inspect.isclass(value) else ():
        sentence = first_sentence(inspect.getdoc(member))
        function = getattr(member, "__func__", member)
        shown = "" if isinstance(member, property) else arguments(function)
        if sentence:
            yield f"    - `.{member_name}{shown}`: {sentence}"


def page() -> str:
    """The text of the page."""
    lines = [HEAD]
    for title, names in subjects():
        lines.append(f"## {title}\n")
        for name in names:
            lines += described(name)
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE.relative_to(ROOT)}")
