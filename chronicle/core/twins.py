"""A second one of something that holds others, for nobody to change: of what has not changed since an earlier
one was made, the earlier one serves once more.

What is copied is a tree: nothing in it that may be changed is held twice. A copy so shared takes as much time
as it takes to look at everything once, and as much memory as what has changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from itertools import zip_longest
from operator import is_
from typing import Any, Final, cast

from chronicle.core.declare import Action, Part
from chronicle.core.game import Game
from chronicle.core.ledger import Posting
from chronicle.core.numbers import Number
from chronicle.core.slotted import fields, is_slotted
from chronicle.core.source import Entries, Items, Place, Word

Way = Callable[[Any, Any], Any]
"""What makes another of something, or gives an earlier one (None: there is none) if nothing has changed."""

_PLAIN: Final = frozenset({"int", "str", "bool", "float", "None", "tuple"})
_LISTED: Final = _PLAIN | {"list", "set"}
"""The words of annotations of what is never changed, and of lists and sets of such."""
FIXED: Final = (Action, Part, Game, Word, Entries, Items, Place, Posting, Enum, Number)
"""Classes of what is never changed once it is there."""
_NEVER_CHANGED: Final = frozenset(
    {int, str, bool, float, bytes, type(None), type, range, frozenset}
)


class NoTwin(TypeError):
    """Something is of a kind that nobody knows how to copy."""


def _list(value: list[Any], old: Any) -> list[Any]:
    kind = type(value)
    if type(old) is not kind:
        old = ()
    elif value == old:
        return old
    kinds = {*map(type, value)}
    if all(WAYS[one] is None for one in kinds):
        return kind(value)
    made = kind(map(twin, value, [*old, *[None] * (len(value) - len(old))]))
    return old if len(made) == len(old) and all(map(is_, made, old)) else made


def _dict(value: dict[Any, Any], old: Any) -> dict[Any, Any]:
    kind = type(value)
    if type(old) is not kind:
        old = kind()
    elif value == old and [*value] == [*old]:
        return old
    before = old.get
    ways = WAYS
    made = kind()
    for key, one in value.items():
        way = ways[type(one)]
        made[key] = one if way is None else way(one, before(key))
    same = len(made) == len(old) and all(map(is_, made.values(), old.values()))
    return old if same and [*made] == [*old] else made


def _set(value: set[Any], old: Any) -> set[Any]:
    return old if type(old) is type(value) and value == old else type(value)(value)


def _tuple(value: tuple[Any, ...], old: Any) -> tuple[Any, ...]:
    for one in value:
        if WAYS[type(one)] is not None:
            break
    else:
        return value
    was = old if type(old) is tuple else ()
    made = tuple(twin(one, then) for one, then in zip_longest(value, was[: len(value)]))
    return was if len(made) == len(was) and all(map(is_, made, was)) else made


def _slotted(kind: type[Any]) -> Way:
    """The way of a class that is nothing but its fields, written out: everything there is goes that way."""
    notes: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        notes |= vars(base).get("__annotations__", {})
    words = {name: {*re.findall(r"\w+", str(notes.get(name, "?")))} for name in fields(kind)}
    parts = [name for name in words if not words[name] <= _PLAIN]
    same = [
        f"one.{name} is old.{name}" if name not in parts else f"{name}_ is old.{name}"
        for name in words
    ]
    body = ["def way(one, old):", " if type(old) is kind:"]
    for name in parts:
        quick = f"old.{name} if one.{name} == old.{name} else " if words[name] <= _LISTED else ""
        body.append(f"  {name}_ = {quick}twin(one.{name}, old.{name})")
    body += [f"  if {' and '.join(same) or 'True'}:", "   return old", " else:", "  pass"]
    body += [f"  {name}_ = twin(one.{name})" for name in parts]
    body.append(" made = new(kind)")
    body += [
        f" made.{name} = {name}_" if name in parts else f" made.{name} = one.{name}"
        for name in words
    ]
    body.append(" return made")
    known: dict[str, Any] = {"kind": kind, "twin": twin, "new": object.__new__}
    exec("\n".join(body), known)
    return cast("Way", known["way"])


def _by_name(one: Any, old: Any) -> Any:
    """The way of a thing that is its attributes, whatever they are called."""
    was = vars(old) if type(old) is type(one) else None
    parts = _dict(vars(one), was)
    if parts is was:
        return old
    made = object.__new__(type(one))
    vars(made).update(parts)
    return made


_HOLDS: Final[dict[type, Way]] = {list: _list, dict: _dict, set: _set, tuple: _tuple}


class _Ways(dict[type, "Way | None"]):
    """How each kind of thing is copied; None for what is never changed."""

    def __missing__(self, kind: type) -> Way | None:
        way: Way | None
        if issubclass(kind, FIXED) or kind in _NEVER_CHANGED:
            way = None
        elif is_slotted(kind):
            way = _slotted(kind)
        elif issubclass(kind, tuple(_HOLDS)):
            way = next(way for base, way in _HOLDS.items() if issubclass(kind, base))
        elif kind.__dictoffset__ and all(not vars(base).get("__slots__") for base in kind.__mro__):
            way = _by_name
        else:
            raise NoTwin(kind.__qualname__)
        self[kind] = way
        return way


WAYS: Final = _Ways()


def twin(one: Any, old: Any = None) -> Any:
    """Something once more, as it is now; ``old``, an earlier one of it, if that is the same."""
    way = WAYS[type(one)]
    return one if way is None else way(one, old)


def back(then: Any, now: Any, twin_of_now: Any) -> Any:
    """What is as ``then``, for somebody to change, made of what is there ``now`` and is as its twin: whatever
    both twins share stays, and what either has alone is another. Nothing goes on with ``now``."""
    if then is twin_of_now:
        return now
    kind = type(then)
    if kind is not type(now) or kind is not type(twin_of_now):
        return twin(then)
    if issubclass(kind, dict):
        made = kind()
        for key, one in then.items():
            made[key] = now[key] if one is twin_of_now.get(key, made) else twin(one)
        return made
    if issubclass(kind, tuple):
        return kind(map(back, then, now, twin_of_now))
    names = fields(kind) if is_slotted(kind) else vars(then) if WAYS[kind] is _by_name else ()
    if not names:
        return twin(then)
    made = object.__new__(kind)
    for name in names:
        setattr(made, name, back(*(getattr(one, name) for one in (then, now, twin_of_now))))
    return made
