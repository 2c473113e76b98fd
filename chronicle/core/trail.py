"""What a table changes while an entry may still be struck, to be changed back if it is.

To keep the whole table before each such entry (:mod:`chronicle.core.checkpoint`) takes as long as the table
is large, and most of it is as it was when the entry is struck a few lines further down. So what is changed
is noted as it changes: the classes of what is at a table are watched while an entry is played, every
attribute keeps what it was when it is set for the first time, and every list, dictionary and set is copied
when somebody gets hold of it for the first time. Nothing is watched between two entries that somebody may
look between.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from chronicle.core.declare import Kind
from chronicle.core.flat import Flat, FlatMap
from chronicle.core.packed import CONSTANT
from chronicle.core.steps import Texts
from chronicle.core.strikes import Strike, Strikes
from chronicle.core.tuples import NamedTuple

_PACKAGES: Final = ("chronicle.core.", "chronicle.games.")
_NOT_AT_A_TABLE: Final = ("chronicle.core.replay", __name__)
_LEFT_ALONE: Final = (*CONSTANT, Kind, Strike, Strikes, Texts, tuple, str, int, type, BaseException)
"""What is never changed, or is to outlive that play goes back."""
_FLAT: Final = frozenset({"int", "str", "bool", "float", "int | None", "str | None"})
_NOTHING: Final = object()
_HOOKS: Final = frozenset({"__getattribute__", "__setattr__"})
_get, _set, _unset = object.__getattribute__, object.__setattr__, object.__delattr__


class _Way(NamedTuple):
    """How something that holds others is copied, and put back; and how its copy is looked into."""

    copy: Callable[[Any], Any]
    put: Callable[[Any, Any], None]
    inside: Callable[[Any], Iterable[Any]]


def _put_list(held: list[Any], was: list[Any]) -> None:
    list.__setitem__(held, slice(None), was)


def _put_dict(held: dict[Any, Any], was: dict[Any, Any]) -> None:
    dict.clear(held)
    dict.update(held, was)


def _put_set(held: set[Any], was: set[Any]) -> None:
    set.clear(held)
    set.update(held, was)


def _put_deque(held: deque[Any], was: deque[Any]) -> None:
    deque.clear(held)
    deque.extend(held, was)


def _same(held: Any) -> Any:
    return held


_TUPLE: Final = _Way(_same, lambda held, was: None, _same)
_BUILT_IN: Final[dict[type, _Way]] = {
    Flat: _Way(list.copy, _put_list, lambda held: ()),
    FlatMap: _Way(dict.copy, _put_dict, lambda held: ()),
    # Not by an iterator of its own, which may take note of who reads.
    list: _Way(list.copy, _put_list, _same),
    dict: _Way(dict.copy, _put_dict, dict.values),
    set: _Way(set.copy, _put_set, lambda held: ()),
    deque: _Way(deque.copy, _put_deque, _same),
    tuple: _TUPLE,
}


class _Ways(dict[type, _Way | None]):
    """How each kind of thing that holds others is kept; None for what is no such thing."""

    def __missing__(self, kind: type) -> _Way | None:
        way = next((way for base, way in _BUILT_IN.items() if issubclass(kind, base)), None)
        if way is _TUPLE and (issubclass(kind, CONSTANT) or _is_flat(kind)):
            way = None
        self[kind] = way
        return way


def _is_flat(kind: Any) -> bool:
    """Whether a kind of tuple with names for its parts holds figures and words alone."""
    annotations: dict[str, Any] = getattr(kind, "__annotations__", {})
    said = [getattr(one, "__forward_arg__", one) for one in annotations.values()]
    return bool(said) and _FLAT.issuperset(said)


_WAYS: Final = _Ways()


class _Held(NamedTuple):
    owner: Any
    """By whose attribute somebody got hold of it."""
    put: Callable[[Any, Any], None]
    held: list[Any]
    was: list[Any]


class Trail:
    """What was changed since it was begun."""

    __slots__ = ("_attributes", "_born", "_held", "_seen")

    def __init__(self) -> None:
        self._attributes: dict[tuple[int, str], tuple[Any, str, Any]] = {}
        """What each attribute was; ``_NOTHING`` if it was not there."""
        self._held: list[_Held] = []
        """What things held that hold others, in the order in which somebody got hold of them."""
        self._seen: dict[int, Any] = {}
        """Those that somebody got hold of first."""
        self._born: dict[int, Any] = {}
        """What has come to be since: nobody wants it back as it was."""

    def watch(self) -> None:
        """Take note of what is changed from now on, until :func:`look_away`; nobody plays elsewhere meanwhile."""
        hooks = self._hooks()
        for kind in _watched(len(sys.modules)):
            kind.__getattribute__, kind.__setattr__ = hooks

    def back(self) -> None:
        """Let all be again as it was when this was begun, and begin it anew."""
        # What was noted first is put back last.
        for _, put, held, was in reversed(self._held):
            deque(map(put, held, was), 0)
        for one, name, value in self._attributes.values():
            if value is _NOTHING:
                _unset(one, name)
            else:
                _set(one, name, value)
        self._attributes.clear()
        self._held.clear()
        self._seen.clear()
        self._born.clear()

    def follow(self, later: Trail) -> None:
        """Take in what was noted by a trail that was begun further down and is needed no more."""
        for at, attribute in later._attributes.items():
            if at[0] not in self._born:
                self._attributes.setdefault(at, attribute)
        self._held += (one for one in later._held if id(one.owner) not in self._born)
        self._born.update(later._born)

    # -- inside -------------------------------------------------------------------------------------

    def _hooks(self) -> tuple[Callable[..., Any], Callable[..., None]]:
        attributes, seen, born, ways = self._attributes, self._seen, self._born, _WAYS

        def read(one: Any, name: str) -> Any:
            value = _get(one, name)
            if ways[type(value)] is not None and id(value) not in seen and id(one) not in born:
                seen[id(value)] = value
                self._hold(one, value)
            return value

        def write(one: Any, name: str, value: Any) -> None:
            at = id(one), name
            if at not in attributes and at[0] not in born:
                try:
                    attributes[at] = one, name, _get(one, name)
                except AttributeError:
                    if _is_blank(one):
                        born[at[0]] = one
                    else:
                        attributes[at] = one, name, _NOTHING
            _set(one, name, value)

        return read, write

    def _hold(self, owner: Any, value: Any) -> None:
        """Copy something that holds others, and what in it does so as well."""
        todo: list[tuple[type, list[Any]]] = [(type(value), [value])]
        while todo:
            kind, held = todo.pop()
            way = _WAYS[kind]
            assert way is not None
            was = held
            if way is not _TUPLE:
                was = [way.copy(one) for one in held]
                self._held.append(_Held(owner, way.put, held, was))
            inside = way.inside(was[0]) if len(was) == 1 else [*chain(*map(way.inside, was))]
            for inner in {*map(type, inside)}:
                if _WAYS[inner] is not None:
                    todo.append((inner, [one for one in inside if type(one) is inner]))


def look_away() -> None:
    """Let nothing be watched any more, wherever somebody was stopped who began to watch."""
    for kind in _watched(len(sys.modules)):
        for name in _HOOKS & vars(kind).keys():
            delattr(kind, name)


def _is_blank(one: Any) -> bool:
    """Whether something has no attribute yet: it is being made."""
    kind = type(one)
    if kind.__dictoffset__ and _get(one, "__dict__"):
        return False
    for base in kind.__mro__:
        for name in vars(base).get("__slots__", ()):
            try:
                vars(base)[name].__get__(one)
            except (AttributeError, KeyError):
                continue
            return False
    return True


@lru_cache(maxsize=1)
def _watched(modules: int) -> tuple[Any, ...]:
    """The classes of what may be changed at a table, of all modules that are there, ``modules`` in number."""
    kinds = {
        kind
        for name, module in [*sys.modules.items()]
        if name.startswith(_PACKAGES) and name not in _NOT_AT_A_TABLE
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == name and _is_changed(kind)
    }
    # Who derives from another is watched with it.
    return tuple(one for one in kinds if kinds.isdisjoint(one.__mro__[1:]) or _apart(one))


def _is_changed(kind: Any) -> bool:
    params = getattr(kind, "__dataclass_params__", None)
    return not (
        issubclass(kind, _LEFT_ALONE)
        or (params is not None and params.frozen)
        or getattr(kind, "_is_protocol", False)
    )


def _apart(kind: type) -> bool:
    """Whether a built-in class stands between a class and what it derives from."""
    return any(base in _BUILT_IN for base in kind.__mro__)
