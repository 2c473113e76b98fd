"""What a table changes while an entry may still be struck, to be changed back if it is.

To keep the whole table before each such entry (:mod:`chronicle.core.checkpoint`) takes as long as the table
is large, and most of it is as it was when the entry is struck a few lines further down. So what is changed
is noted as it changes: the classes of what is at a table are watched while an entry is played, every
attribute keeps what it was when it is set for the first time, and every list, dictionary and set is copied
when somebody gets hold of it for the first time. Nothing is watched between two entries.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Kind
from chronicle.core.packed import CONSTANT
from chronicle.core.strikes import Strike, Strikes

_PACKAGES: Final = ("chronicle.core.", "chronicle.games.")
_NOT_AT_A_TABLE: Final = ("chronicle.core.replay", __name__)
_LEFT_ALONE: Final = (*CONSTANT, Kind, Strike, Strikes, tuple, str, int, type, BaseException)
"""What is never changed, or is to outlive that play goes back."""
_FLAT: Final = frozenset({"int", "str", "bool", "float", "int | None", "str | None"})
_NOTHING: Final = object()
_get, _set, _unset = object.__getattribute__, object.__setattr__, object.__delattr__


class _Way(NamedTuple):
    """How something that holds others is copied, put back, and looked into."""

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


def _items_of(held: list[Any]) -> list[Any]:
    # Not by its own iterator, which may take note of who reads.
    return list.copy(held)


def _same(held: Any) -> Any:
    return held


_TUPLE: Final = _Way(_same, lambda held, was: None, _same)
_BUILT_IN: Final[dict[type, _Way]] = {
    list: _Way(list.copy, _put_list, _items_of),
    dict: _Way(dict.copy, _put_dict, dict.values),
    set: _Way(set.copy, _put_set, lambda held: ()),
    deque: _Way(deque.copy, _put_deque, _same),
    tuple: _TUPLE,
}


class _Ways(dict[type, _Way | None]):
    """How each kind of thing that holds others is kept; None for what is no such thing."""

    def __missing__(self, kind: type) -> _Way | None:
        way = next((way for base, way in _BUILT_IN.items() if issubclass(kind, base)), None)
        said: dict[str, Any] = getattr(kind, "__annotations__", {}) if way is _TUPLE else {}
        self[kind] = found = None if said and _FLAT.issuperset(map(str, said.values())) else way
        return found


_WAYS: Final = _Ways()


class Trail:
    """What was changed since it was begun."""

    __slots__ = ("_attributes", "_born", "_held")

    def __init__(self) -> None:
        self._attributes: dict[tuple[int, str], tuple[Any, str, Any]] = {}
        """What each attribute was; ``_NOTHING`` if it was not there."""
        self._held: dict[int, tuple[Any, Any]] = {}
        """What each thing held that holds others."""
        self._born: dict[int, Any] = {}
        """What has come to be since: nobody wants it back as it was."""

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Take note of what is changed until the end of the block; nobody plays elsewhere meanwhile."""
        watched = _watched(len(sys.modules))
        hooks = self._hooks()
        for kind in watched:
            kind.__getattribute__, kind.__setattr__ = hooks
        try:
            yield
        finally:
            for kind in watched:
                del kind.__getattribute__, kind.__setattr__

    def back(self) -> None:
        """Let all be again as it was when this was begun, and begin it anew."""
        for held, was in self._held.values():
            _put_back(held, was)
        for one, name, value in self._attributes.values():
            if value is _NOTHING:
                _unset(one, name)
            else:
                _set(one, name, value)
        for noted in (self._held, self._attributes, self._born):
            noted.clear()

    def follow(self, later: Trail) -> None:
        """Take in what was noted by a trail that was begun further down and is needed no more."""
        for at, attribute in later._attributes.items():
            if at[0] not in self._born:
                self._attributes.setdefault(at, attribute)
        for id, held in later._held.items():
            if id not in self._born:
                self._held.setdefault(id, held)
        self._born.update(later._born)

    # -- inside -------------------------------------------------------------------------------------

    def _hooks(self) -> tuple[Callable[..., Any], Callable[..., None]]:
        attributes, held, born, ways = self._attributes, self._held, self._born, _WAYS

        def read(one: Any, name: str) -> Any:
            value = _get(one, name)
            if ways[type(value)] is not None and id(value) not in held and id(one) not in born:
                self._hold(value)
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

    def _hold(self, value: Any) -> None:
        """Copy something that holds others, and what in it does so as well."""
        todo = [value]
        while todo:
            one = todo.pop()
            if id(one) in self._held or id(one) in self._born:
                continue
            way = _WAYS[type(one)]
            assert way is not None
            self._held[id(one)] = one, way.copy(one)
            todo += _holding(way.inside(one))


def _put_back(held: Any, was: Any) -> None:
    way = _WAYS[type(held)]
    assert way is not None
    way.put(held, was)


def _holding(some: Iterable[Any]) -> list[Any]:
    """Which of some things hold others that may be changed; what is within tuples stands for them."""
    found: list[Any] = []
    while some:
        kinds = {kind for kind in set(map(type, some)) if _WAYS[kind] is not None}
        tuples = {kind for kind in kinds if issubclass(kind, tuple)}
        if kinds - tuples:
            found += [one for one in some if type(one) in kinds - tuples]
        some = [*chain.from_iterable(one for one in some if type(one) in tuples)] if tuples else ()
    return found


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
